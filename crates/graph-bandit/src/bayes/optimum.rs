//! The optimal policy: its value, and its moves as far as they were kept.

use super::counts::Counts;
use super::layers::{Layer, units};
use super::problem::{BayesProblem, Seen};
use super::recursion::TIE;
use crate::graph::NodeId;

/// A first visit, and what the best walk that begins with it earns.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The node visited first.
    pub node: NodeId,
    /// The expected total reward.
    pub value: f64,
}

/// The Bayes-optimal policy of a [`BayesProblem`].
#[derive(Debug, Clone)]
pub struct BayesOptimum {
    start: NodeId,
    steps: u64,
    seen: Vec<Seen>,
    best_mean: f64,
    value: f64,
    first: Vec<Choice>,
    moves: Moves,
}

/// The moves of the first layers.
#[derive(Debug, Clone)]
pub(super) struct Moves {
    pub(super) layers: Vec<Layer>,
    pub(super) counts: Counts,
    /// By visits made, then by post and counts: the position among the post's choices.
    pub(super) chosen: Vec<Vec<u8>>,
}

impl BayesOptimum {
    pub(super) fn new(problem: &BayesProblem<'_>, value: f64, first: &[f64], moves: Moves) -> Self {
        let choices = moves.layers[0].choices[0].iter();
        let choice =
            |&step: &usize| Choice { node: moves.layers[0].steps[step].node, value: first[step] };
        Self {
            start: problem.start(),
            steps: problem.steps(),
            seen: problem.seen().to_vec(),
            best_mean: problem.expected_best_mean(),
            value,
            first: choices.map(choice).collect(),
            moves,
        }
    }

    /// The expected total reward.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// The expected regret: the expected mean of the best node for every unit of time, less the
    /// value.
    pub fn regret(&self) -> f64 {
        self.best_mean * self.steps as f64 - self.value
    }

    /// The expected mean of the best node.
    pub fn best_mean(&self) -> f64 {
        self.best_mean
    }

    /// Where the walk starts.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// The units of time it was computed for.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Every first visit that there is time for: staying first, then in the order of the
    /// neighbourhood. The first best one is taken.
    pub fn first(&self) -> &[Choice] {
        &self.first
    }

    /// The best first visit.
    pub fn first_move(&self) -> NodeId {
        let better = |best: Choice, choice: &Choice| {
            if choice.value > best.value + TIE { *choice } else { best }
        };
        self.first.iter().fold(self.first[0], better).node
    }

    /// The node to visit next from `at`, after `travel` units of time on roads and these rewards
    /// since the start, one entry for each node. `None` if that move was not kept, no time is left,
    /// or no walk leads there.
    pub fn next(&self, at: NodeId, travel: f64, since: &[Seen]) -> Option<NodeId> {
        let visits = since.iter().map(|seen| seen.visits()).sum::<u64>();
        let visits = usize::try_from(visits).ok()?;
        let (layer, moves) = self.moves.layers.get(visits).zip(self.moves.chosen.get(visits))?;
        let travelled = units(travel.max(0.0));
        // Sums of times differ by rounding, so the nearest one is meant.
        let here = layer.posts.iter().enumerate().filter(|(_, post)| post.place == at);
        let (post, _) = here.min_by_key(|(_, post)| post.travel.abs_diff(travelled))?;
        let parts = since.iter().flat_map(|seen| [seen.ones as usize, seen.zeros as usize]);
        let number = self.moves.counts.number(parts);
        let choice = moves[post * self.moves.counts.of_sum(visits) + number];
        Some(layer.steps[layer.choices[post][choice as usize]].node)
    }

    /// The rewards seen before the first step, by node.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }
}
