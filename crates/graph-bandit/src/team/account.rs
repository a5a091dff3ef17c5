//! What a team was paid, by node and by how many walkers were on it.

use super::setup::Draws;
use super::share::Sharing;
use crate::estimates::Sample;
use crate::graph::NodeId;

/// The draws of every node, by how many walkers shared them.
///
/// Draws are added one by one, and totals are read off at checkpoints. So no number depends on how
/// steps were grouped.
#[derive(Debug, Clone)]
pub(super) struct Account {
    /// For each node, the draws with 1, 2, .. walkers on it.
    paid: Vec<Vec<Sample>>,
}

/// What a team earned.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Earned {
    /// The expected reward: `f(c)` times the mean, for every step and node.
    pub(super) expected: f64,
    /// The reward.
    pub(super) reward: f64,
}

impl Account {
    pub(super) fn new(nodes: usize) -> Self {
        Self { paid: vec![Vec::new(); nodes] }
    }

    /// Where draws of `node` with `count` walkers on it go.
    #[inline]
    pub(super) fn of(&mut self, node: NodeId, count: usize) -> &mut Sample {
        let paid = &mut self.paid[node as usize];
        if paid.len() < count {
            paid.resize(count, Sample::default());
        }
        &mut paid[count - 1]
    }

    /// What was earned so far.
    pub(super) fn earned(&self, means: &[f64], sharing: &Sharing, draws: Draws) -> Earned {
        let mut earned = Earned::default();
        for (node, paid) in self.paid.iter().enumerate() {
            let row = sharing.row(node as NodeId);
            for (sample, (count, share)) in paid.iter().zip(row.iter().enumerate().skip(1)) {
                let of_one_draw = match draws {
                    Draws::One => *share,
                    Draws::Own => share / count as f64,
                };
                earned.expected += of_one_draw * means[node] * sample.n();
                earned.reward += of_one_draw * sample.sum;
            }
        }
        earned
    }

    /// The steps in which each node was visited by somebody.
    pub(super) fn steps(&self, draws: Draws) -> impl Iterator<Item = u64> + '_ {
        self.paid.iter().map(move |paid| {
            let steps = paid.iter().zip(1..).map(|(sample, count)| match draws {
                Draws::One => sample.count,
                Draws::Own => sample.count / count,
            });
            steps.sum()
        })
    }
}
