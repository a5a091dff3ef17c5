//! The sum and sum of squares of a Gaussian law after any number of visits.

use super::Tree;
use crate::normal;
use crate::random::{Seed, Stream, open_unit};
use crate::reward::beta::GammaShape;

/// The number of first visits of a node, which are single draws.
pub(in crate::reward) const FIRST: u64 = 16;

/// Some draws of N(0, 1): their number, their mean, and their squares around it.
///
/// The mean is normal, the squares are chi-square, and both are independent: this makes halving
/// exact. Plain sums of squares would lose the squares around the mean to rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Totals {
    pub(crate) count: f64,
    pub(crate) mean: f64,
    pub(crate) squares: f64,
}

impl Totals {
    /// The union of both.
    #[inline]
    pub(super) fn and(self, other: Self) -> Self {
        let count = self.count + other.count;
        let share = other.count / count;
        let apart = other.mean - self.mean;
        Self {
            count,
            mean: self.mean + share * apart,
            squares: self.squares + other.squares + share * self.count * apart * apart,
        }
    }

    /// This many new draws, a power of two.
    pub(super) fn draw(count: u64, stream: &mut Stream) -> Self {
        let n = count as f64;
        let mean = stream.normal() / n.sqrt();
        Self { count: n, mean, squares: ChiSquare::new(count - 1).draw(stream) }
    }

    /// The two halves of `2 half` draws, given their total.
    ///
    /// Independent chi-squares with 1, `half - 1` and `half - 1` degrees of freedom share the
    /// squares; the first gives a normal variable with a random sign.
    pub(super) fn halves(self, half: u64, stream: &mut Stream) -> [Self; 2] {
        let n = half as f64;
        let apart = stream.normal();
        let law = ChiSquare::new(half - 1);
        let within = [(); 2].map(|()| law.draw(stream));
        let scale = self.squares / (apart * apart + within[0] + within[1]);
        let away = 0.5 * apart * (2.0 * scale / n).sqrt();
        [0, 1].map(|i| Self {
            count: n,
            mean: if i == 0 { self.mean + away } else { self.mean - away },
            squares: scale * within[i],
        })
    }
}

/// The first [`FIRST`] visits, one by one.
pub(super) fn first_normals(tape: Seed) -> impl Iterator<Item = f64> {
    (0..FIRST).map(move |k| normal::quantile(open_unit(tape.bits(k))))
}

/// The totals of the first [`FIRST`] visits.
pub(super) fn first_totals(tape: Seed) -> Totals {
    let single = |mean| Totals { count: 1.0, mean, squares: 0.0 };
    let totals = first_normals(tape).map(single).reduce(Totals::and);
    totals.unwrap_or_default()
}

/// The totals of the first `k` visits, for `k` of at least [`FIRST`].
///
/// # Complexity
/// O(log k).
pub(in crate::reward) fn totals(tape: Seed, k: u64) -> Totals {
    let mut done = first_totals(tape);
    let tree = Tree::new(tape);
    let mut start = FIRST;
    while start < k {
        let totals = Totals::draw(start, &mut tree.total(start));
        if k - start < start {
            return done.and(Interval { start, visits: start, totals }.before(&tree, k));
        }
        done = done.and(totals);
        // Only a block that ends within `k` counts as a whole.
        start *= 2;
    }
    done
}

/// Consecutive visits and their totals.
#[derive(Debug, Clone, Copy)]
struct Interval {
    start: u64,
    visits: u64,
    totals: Totals,
}

impl Interval {
    /// The totals of the visits before number `k`, which lies inside.
    fn before(mut self, tree: &Tree, k: u64) -> Totals {
        let mut done = Totals::default();
        while self.start < k {
            let visits = self.visits / 2;
            let middle = self.start + visits;
            let [first, second] = self.totals.halves(visits, &mut tree.split(middle));
            if k < middle {
                self = Self { visits, totals: first, ..self };
            } else {
                done = done.and(first);
                self = Self { start: middle, visits, totals: second };
            }
        }
        done
    }
}

/// A chi-square law; the degrees of freedom are 0, 1 or at least 2.
#[derive(Debug, Clone, Copy)]
enum ChiSquare {
    None,
    One,
    Many(GammaShape),
}

impl ChiSquare {
    #[inline]
    fn new(degrees: u64) -> Self {
        match degrees {
            0 => Self::None,
            1 => Self::One,
            _ => Self::Many(GammaShape::new(0.5 * degrees as f64)),
        }
    }

    #[inline]
    fn draw(self, stream: &mut Stream) -> f64 {
        match self {
            Self::None => 0.0,
            Self::One => {
                let x = stream.normal();
                x * x
            }
            Self::Many(shape) => 2.0 * shape.draw(stream),
        }
    }
}
