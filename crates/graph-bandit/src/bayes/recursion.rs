//! The values of all states, layer by layer, from the last visit to the first.

use super::counts::{Counts, Row};
use super::error::BayesError;
use super::layers::Layer;
use super::optimum::{BayesOptimum, Moves};
use super::problem::{BayesProblem, Seen};

/// Which moves are kept, at one byte for each state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keep {
    /// Only the first: for the value.
    #[default]
    Values,
    /// Those of the first visits, as many as this.
    First(usize),
    /// All of them: for an agent that follows the policy.
    All,
}

impl Keep {
    /// The number of layers whose moves are kept.
    pub(super) fn layers(self) -> usize {
        match self {
            Self::Values => 1,
            Self::First(visits) => visits.max(1),
            Self::All => usize::MAX,
        }
    }
}

/// Called now and then with the number of states done; `false` stops the work.
pub type Progress<'a> = &'a mut dyn FnMut(f64) -> bool;

/// After about this many values, progress is reported.
const REPORTED: usize = 1 << 20;

/// The values of one layer: for each post, one for each counts.
struct Values<'a> {
    by_post: &'a [f64],
    counts: usize,
}

impl Values<'_> {
    fn of(&self, post: usize) -> &[f64] {
        &self.by_post[post * self.counts..][..self.counts]
    }
}

pub(super) fn solve(
    problem: &BayesProblem<'_>,
    (layers, counts): (Vec<Layer>, Counts),
    keep: Keep,
    progress: Progress<'_>,
) -> Result<BayesOptimum, BayesError> {
    // The values of even and of odd layers. They are written over layer by layer, since the system
    // takes longer to hand out new memory than we do to fill it.
    let [mut even, mut odd] = most_values(&layers, &counts).map(|most| vec![0.0; most]);
    let mut moves: Vec<Vec<u8>> = Vec::new();
    let mut scores = Vec::new();
    let mut report = Report { progress, done: 0.0, since: 0 };
    for (visits, layer) in layers.iter().enumerate().rev() {
        let (here, next) = if visits % 2 == 0 { (&mut even, &odd) } else { (&mut odd, &even) };
        let size = counts.of_sum(visits);
        let after = if visits + 1 < layers.len() { counts.of_sum(visits + 1) } else { 0 };
        let next = Values { by_post: next, counts: after };
        let is_kept = visits < keep.layers();
        let mut chosen = vec![0; if is_kept { size * layer.posts.len() } else { 0 }];
        let mut is_stopped = false;
        counts.for_each_row(visits, |row| {
            if is_stopped {
                return;
            }
            score(layer, &next, problem.seen(), row, &mut scores);
            best(layer, row, &scores, size, here);
            if is_kept {
                choose(layer, row, &scores, size, &mut chosen);
            }
            is_stopped = !report.add(row.len * layer.posts.len());
        });
        if is_stopped {
            return Err(BayesError::Stopped);
        }
        if is_kept {
            moves.push(chosen);
        }
    }
    moves.reverse();
    // The last row was that of the start, with nothing seen since.
    Ok(BayesOptimum::new(problem, even[0], &scores, Moves { layers, counts, chosen: moves }))
}

/// The most values of any even layer, and of any odd one.
pub(super) fn most_values(layers: &[Layer], counts: &Counts) -> [usize; 2] {
    let of_layer = |visits: usize| counts.of_sum(visits) * layers[visits].posts.len();
    [0, 1].map(|first| (first..layers.len()).step_by(2).map(of_layer).max().unwrap_or(0))
}

struct Report<'a> {
    progress: Progress<'a>,
    done: f64,
    since: usize,
}

impl Report<'_> {
    /// `false` if the work must stop.
    fn add(&mut self, states: usize) -> bool {
        self.since += states;
        if self.since < REPORTED {
            return true;
        }
        self.done += self.since as f64;
        self.since = 0;
        (self.progress)(self.done)
    }
}

/// What every next visit is worth for every counts of the row: `scores` has one run of `row.len` for
/// each step of the layer.
fn score(layer: &Layer, next: &Values<'_>, seen: &[Seen], row: &Row, scores: &mut Vec<f64>) {
    scores.resize(layer.steps.len() * row.len, 0.0);
    for (step, scores) in layer.steps.iter().zip(scores.chunks_exact_mut(row.len)) {
        let node = step.node as usize;
        let before = seen[node];
        let out_of = (before.visits() as usize + row.visits(node) + 2) as f64;
        let ones = f64::from(before.ones + 1);
        // In the row, node 0 has paid 0, 1, 2, .. ones; the others always as many.
        if node == 0 {
            for (i, score) in scores.iter_mut().enumerate() {
                *score = (ones + i as f64) / out_of;
            }
        } else {
            scores.fill((ones + row.ones(node) as f64) / out_of);
        }
        let Some(post) = step.then else { continue };
        let values = next.of(post);
        let paid = &values[row.after_one(node)..][..row.len];
        let unpaid = &values[row.after_zero(node)..][..row.len];
        for (score, (paid, unpaid)) in scores.iter_mut().zip(paid.iter().zip(unpaid)) {
            *score = *score * (1.0 + paid) + (1.0 - *score) * unpaid;
        }
    }
}

/// The value of every counts of the row at every post: that of the best next visit.
fn best(layer: &Layer, row: &Row, scores: &[f64], size: usize, here: &mut [f64]) {
    let run = |step: usize| &scores[step * row.len..][..row.len];
    for (post, choices) in layer.choices.iter().enumerate() {
        let values = &mut here[post * size + row.first..][..row.len];
        values.copy_from_slice(run(choices[0]));
        for &step in &choices[1..] {
            for (value, &score) in values.iter_mut().zip(run(step)) {
                *value = if score > *value { score } else { *value };
            }
        }
    }
}

/// The first best next visit for every counts of the row at every post.
fn choose(layer: &Layer, row: &Row, scores: &[f64], size: usize, chosen: &mut [u8]) {
    for (post, choices) in layer.choices.iter().enumerate() {
        for i in 0..row.len {
            let score = |choice: usize| scores[choices[choice] * row.len + i];
            let mut first = 0;
            for choice in 1..choices.len() {
                if score(choice) > score(first) + TIE {
                    first = choice;
                }
            }
            chosen[post * size + row.first + i] = first as u8;
        }
    }
}

/// Moves whose values differ by less are equally good: they differ by rounding.
pub(super) const TIE: f64 = 1e-12;
