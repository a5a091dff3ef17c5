//! The sum of a Gaussian law after more and more visits, for those who never read squares.
//!
//! The sum of `k` draws of N(0, 1) is a random walk, seen at times `k`. If it is known at both ends
//! of an interval of `n` visits, then in the middle it is normal around the average of the ends, with
//! variance `n / 4`, whatever happened outside. So a split takes one normal variable. With squares it
//! takes two chi-square variables more: given the squares of an interval, the halves' means are not
//! normal.
//!
//! The normal variables are those of [`Totals`](super::gaussian::Totals), in the same tree, except for
//! their last digits: they come from a table. So both see almost the same luck, and compared agents stay
//! paired if only one of them reads squares.

use super::Tree;
use super::gaussian::{FIRST, first_normals};
use super::trail::Follows;
use crate::normal::Quantiles;
use crate::random::{Seed, open_unit};
use std::hint::select_unpredictable;

/// How many sums are known ahead, in a run of usual length.
const USUAL: usize = 16;

/// `sqrt(n) / 2` for intervals of 2, 4, 8, .. visits.
const HALF_ROOTS: [f64; 63] = {
    let mut roots = [0.0; 63];
    let (mut level, mut root) = (0, 0.5);
    while level < roots.len() {
        // Every other root is a power of two. A power of two times the root of 2 does not round.
        root *= if level % 2 == 1 { 2.0 } else { 1.0 };
        roots[level] = if level % 2 == 1 { root } else { root * std::f64::consts::SQRT_2 };
        level += 1;
    }
    roots
};

/// The sum of one node's draws of N(0, 1), at growing times.
#[derive(Debug, Clone)]
pub(crate) struct SumTrail {
    tree: Tree,
    /// The visits so far, and their sum.
    here: (u64, f64),
    /// The sums that are known ahead, nearest last. The visits from here to the nearest are a dyadic
    /// interval, and so are those from each to the next.
    ahead: Vec<(u64, f64)>,
}

impl Follows for SumTrail {
    type Totals = f64;

    fn new(tape: Seed) -> Self {
        let sum = first_normals(tape).sum();
        Self { tree: Tree::new(tape), here: (FIRST, sum), ahead: Vec::with_capacity(USUAL) }
    }

    #[inline]
    fn totals(&mut self, k: u64) -> f64 {
        while self.here.0 < k {
            let (from, sum) = self.here;
            let nearest = if let Some(&nearest) = self.ahead.last() {
                nearest
            } else {
                // A new block: as many visits as there were before it. Twice as many do not overflow:
                // `from` is below `k`, and no run has more than `MAX_VISITS` = 2^53 visits.
                let block = (from as f64).sqrt() * normal(self.tree.total(from).bits());
                let end = (2 * from, sum + block);
                self.ahead.push(end);
                end
            };
            if nearest.0 <= k {
                self.here = nearest;
                self.ahead.pop();
            } else {
                self.go_down(k, nearest);
            }
        }
        self.here.1
    }
}

impl SumTrail {
    /// Halves the interval from here to `nearest` until one of its parts begins with visit `k`, which
    /// lies inside.
    fn go_down(&mut self, k: u64, nearest: (u64, f64)) {
        let ((from, mut sum), (to, mut sum_there)) = (self.here, nearest);
        let (known, levels) = (self.ahead.len(), (to - from).ilog2());
        // First all random numbers, which do not depend on each other, then the sums.
        let halves = (k.trailing_zeros()..levels).rev().map(|level| {
            // The interval that has `k` inside.
            let visits = 2 << level;
            let middle = (k & !(visits - 1)) + visits / 2;
            (middle, open_unit(self.tree.split(middle).bits()))
        });
        self.ahead.extend(halves);
        let quantiles = Quantiles::get();
        let half_roots = HALF_ROOTS[..levels as usize].iter().rev();
        // Which half has `k` is unpredictable, so there are no branches.
        let mut end = known;
        for (place, half_root) in (known..self.ahead.len()).zip(half_roots) {
            let (middle, luck) = self.ahead[place];
            let there = 0.5 * (sum + sum_there) + half_root * quantiles.at(luck);
            self.ahead[end] = (middle, there);
            let is_passed = middle <= k;
            end += usize::from(!is_passed);
            sum = select_unpredictable(is_passed, there, sum);
            sum_there = select_unpredictable(is_passed, sum_there, there);
        }
        self.ahead.truncate(end);
        self.here = (k, sum);
    }
}

/// The draw of N(0, 1) that these bits stand for.
#[inline]
fn normal(bits: u64) -> f64 {
    Quantiles::get().at(open_unit(bits))
}

#[cfg(test)]
mod tests {
    use super::super::gaussian;
    use super::super::goodness_of_fit::assert_normal;
    use super::*;

    fn after(tape: Seed, k: u64) -> f64 {
        SumTrail::new(tape).totals(k)
    }

    /// The sum of the visits before `k`, which lie between two known sums, by halving again and again.
    fn by_halving(tree: &Tree, ends: [(u64, f64); 2], k: u64) -> f64 {
        let [(from, sum), (to, sum_there)] = ends;
        if k == from {
            return sum;
        }
        let visits = (to - from) as f64;
        let middle = from.midpoint(to);
        let away = 0.5 * visits.sqrt() * normal(tree.split(middle).bits());
        let there = (middle, 0.5 * (sum + sum_there) + away);
        if k < middle {
            by_halving(tree, [ends[0], there], k)
        } else {
            by_halving(tree, [there, ends[1]], k)
        }
    }

    #[test]
    fn half_roots_are_those_of_the_processor() {
        for (level, root) in HALF_ROOTS.iter().enumerate() {
            assert_eq!(*root, 0.5 * ((2_u64 << level) as f64).sqrt(), "{level}");
        }
    }

    #[test]
    fn sums_are_those_found_by_halving() {
        for k in (FIRST..300).chain([511, 512, 513, 1_000_007, (1 << 40) - 1, (1 << 52) + 12_345]) {
            let tape = Seed(89);
            let tree = Tree::new(tape);
            let mut block = (FIRST, first_normals(tape).sum::<f64>());
            let expected = loop {
                let size = (block.0 as f64).sqrt();
                let end = (2 * block.0, block.1 + size * normal(tree.total(block.0).bits()));
                if k < end.0 {
                    break by_halving(&tree, [block, end], k);
                }
                block = end;
            };
            assert_eq!(after(tape, k), expected, "{k} visits");
        }
    }

    #[test]
    fn sums_do_not_depend_on_how_visits_are_grouped() {
        let mut stream = Seed(84).stream();
        for run in 0..60 {
            let tape = Seed(85).child(run);
            let mut trail = SumTrail::new(tape);
            let mut k = FIRST;
            for _ in 0..80 {
                assert_eq!(trail.totals(k), after(tape, k), "{k} visits");
                k += match stream.below(8) {
                    0 => 0,
                    1 => k.next_power_of_two() - k,
                    2 => stream.below(4 * k),
                    3 => stream.below(40),
                    _ => 1,
                };
            }
        }
    }

    #[test]
    fn single_rewards_are_independent_and_normal() {
        const VISITS: usize = 20_000;
        let mut trail = SumTrail::new(Seed(86));
        let sums: Vec<f64> = (FIRST..=FIRST + VISITS as u64).map(|k| trail.totals(k)).collect();
        let rewards: Vec<f64> = sums.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert_normal(|k| rewards[k as usize], "single rewards");
        for lag in [1, 2, 3, 7, 8, 31, 32, 64, 1024] {
            let product: f64 = rewards.iter().zip(&rewards[lag..]).map(|(a, b)| a * b).sum();
            let z = product / (VISITS as f64).sqrt();
            assert!(z.abs() < 4.5, "correlated by {z} at lag {lag}");
        }
    }

    /// A random walk has independent normal increments; the law of all of them is that of the walk.
    #[test]
    fn stays_are_independent_and_normal() {
        const RUNS: u64 = 20_000;
        for (case, [a, b, c]) in [
            [16, 17, 19],
            [16, 100, 130],
            [63, 64, 65],
            [100, 1_000, 5_000],
            [700, 1_023, 1_000_007],
        ]
        .into_iter()
        .enumerate()
        {
            let scaled = |run: u64| {
                let mut trail = SumTrail::new(Seed(87).child(case as u64).child(run));
                let sums = [a, b, c].map(|k| trail.totals(k));
                let stays = [(a, sums[0]), (b - a, sums[1] - sums[0]), (c - b, sums[2] - sums[1])];
                stays.map(|(visits, sum)| sum / (visits as f64).sqrt())
            };
            let all: Vec<[f64; 3]> = (0..RUNS).map(scaled).collect();
            for stay in 0..3 {
                assert_normal(|run| all[run as usize][stay], &format!("case {case}, stay {stay}"));
                let other = (stay + 1) % 3;
                let product: f64 = all.iter().map(|stays| stays[stay] * stays[other]).sum();
                let z = product / (RUNS as f64).sqrt();
                assert!(z.abs() < 4.5, "case {case}: stays {stay} and {other} correlated by {z}");
            }
        }
    }

    #[test]
    fn luck_is_almost_the_same_as_with_squares() {
        for (k, most) in [(16, 1e-12), (1_000, 0.3), (100_003, 0.3), (30_000_001, 0.3)] {
            let square = |run: u64| {
                let tape = Seed(88).child(run);
                let apart = after(tape, k) - k as f64 * gaussian::totals(tape, k).mean;
                apart * apart / k as f64
            };
            let apart = ((0..200).map(square).sum::<f64>() / 200.0).sqrt();
            assert!(apart < most, "{apart} deviations apart after {k} visits");
        }
    }
}
