//! How promising nodes look at one moment, computed only where somebody looks.
//!
//! The service explains an order with the scores of two nodes: where it leads, and the highest of
//! the others. A planner that prices trips needs only the scores that may still win. On large
//! graphs, a list of all scores would take longer than the order.

use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::{ExpectedImprovement, Index};
use crate::random::Stream;
use std::fmt::Debug;
use std::sync::Arc;

/// Scores of all nodes at one moment; see [`Agent::node_scores`](crate::Agent::node_scores).
#[derive(Debug, Clone)]
pub struct NodeScores(Kind);

#[derive(Debug, Clone)]
enum Kind {
    Listed(Vec<f64>),
    Improvements(Box<ExpectedImprovement>),
    EachAlone(Arc<dyn EachAlone>),
}

/// Scores of one moment, each computed without the others.
pub(crate) trait EachAlone: Debug + Send + Sync {
    /// The score of a node if it may exceed `floor`; `None` only if it certainly does not.
    fn above(&self, floor: f64, estimates: &Estimates, node: NodeId) -> Option<f64>;

    /// See [`NodeScores::list_above`].
    fn list_above(&self, floor: f64, estimates: &Estimates, listed: &mut dyn FnMut(NodeId, f64)) {
        for node in 0..estimates.samples().len() as NodeId {
            if let Some(score) = self.above(floor, estimates, node)
                && score > floor
            {
                listed(node, score);
            }
        }
    }

    /// See [`NodeScores::highest`].
    fn highest(&self, estimates: &Estimates, among: &dyn Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut podium = Podium::default();
        for node in 0..estimates.samples().len() as NodeId {
            // A score that equals the highest so far shares its place.
            let floor = podium.score.next_down();
            let score = self.above(floor, estimates, node).unwrap_or(floor);
            if score >= podium.score && among(node) {
                podium.take(node, score);
            }
        }
        podium.nodes
    }
}

impl From<Vec<f64>> for NodeScores {
    /// Scores that were computed already, by node number.
    fn from(scores: Vec<f64>) -> Self {
        Self(Kind::Listed(scores))
    }
}

impl NodeScores {
    /// The scores that a prepared index gives all nodes, listed if they cannot be computed one by one.
    pub(crate) fn find<I: Index>(now: &Situation<'_>, index: &I, stream: &mut Stream) -> Self {
        let found = index.node_scores(now.estimates, stream);
        found.unwrap_or_else(|| {
            let score = |node| index.score(now.estimates, node, stream);
            now.graph.nodes().map(score).collect::<Vec<f64>>().into()
        })
    }

    /// Improvements on the leader that `scores` has found.
    pub(crate) fn improvements(scores: &ExpectedImprovement) -> Self {
        Self(Kind::Improvements(Box::new(scores.as_found())))
    }

    /// Scores that are computed when somebody looks.
    pub(crate) fn each_alone(scores: impl EachAlone + 'static) -> Self {
        Self(Kind::EachAlone(Arc::new(scores)))
    }

    /// The score of a node. `estimates` are those of the moment at which the agent was asked.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn of(&self, estimates: &Estimates, node: NodeId) -> f64 {
        match &self.0 {
            Kind::Listed(scores) => scores[node as usize],
            Kind::Improvements(scores) => scores.of(estimates, node),
            Kind::EachAlone(scores) => {
                let lowest = f64::NEG_INFINITY;
                scores.above(lowest, estimates, node).unwrap_or(lowest)
            }
        }
    }

    /// The score of a node if it may exceed `floor`; `None` only if it certainly does not.
    #[inline]
    pub(crate) fn above(&self, floor: f64, estimates: &Estimates, node: NodeId) -> Option<f64> {
        match &self.0 {
            Kind::EachAlone(scores) => scores.above(floor, estimates, node),
            Kind::Listed(_) | Kind::Improvements(_) => Some(self.of(estimates, node)),
        }
    }

    /// Passes on the nodes whose scores exceed `floor`, ascending.
    pub(crate) fn list_above(
        &self,
        floor: f64,
        estimates: &Estimates,
        mut listed: impl FnMut(NodeId, f64),
    ) {
        match &self.0 {
            Kind::EachAlone(scores) => scores.list_above(floor, estimates, &mut listed),
            Kind::Listed(_) | Kind::Improvements(_) => {
                let nodes = 0..estimates.samples().len() as NodeId;
                let scored = nodes.map(|node| (node, self.of(estimates, node)));
                scored.filter(|&(_, score)| score > floor).for_each(|(node, s)| listed(node, s));
            }
        }
    }

    /// The nodes that share the highest score of the nodes in `among`, ascending; none if `among`
    /// is empty or all its scores are NaN. `estimates` are those of the moment at which the agent
    /// was asked.
    pub fn highest(&self, estimates: &Estimates, among: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
        let mut podium = Podium::default();
        match &self.0 {
            Kind::Listed(scores) => {
                for (node, &score) in (0..).zip(scores) {
                    if score >= podium.score && among(node) {
                        podium.take(node, score);
                    }
                }
            }
            Kind::EachAlone(scores) => return scores.highest(estimates, &among),
            Kind::Improvements(scores) => {
                let mut means = scores.means_reaching(podium.score);
                for (node, seen) in (0..).zip(estimates.all()) {
                    // Most nodes end here.
                    if seen.mean < means.least || !among(node) {
                        continue;
                    }
                    if scores.between(estimates, node).1 < podium.score {
                        continue;
                    }
                    podium.take(node, scores.of(estimates, node));
                    if means.is_behind(podium.score) {
                        means = scores.means_reaching(podium.score);
                    }
                }
            }
        }
        podium.nodes
    }
}

/// The nodes of the highest score so far.
struct Podium {
    score: f64,
    nodes: Vec<NodeId>,
}

impl Default for Podium {
    fn default() -> Self {
        Self { score: f64::NEG_INFINITY, nodes: Vec::new() }
    }
}

impl Podium {
    fn take(&mut self, node: NodeId, score: f64) {
        if score > self.score {
            self.score = score;
            self.nodes.clear();
        }
        if score == self.score {
            self.nodes.push(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Reading, Visits};
    use crate::estimates::Sample;
    use crate::graph::Graph;
    use crate::index::{Horizon, Imed, KlUcb, KlUcbBernoulli, MeanSample, Moss, Noise, Variance};
    use crate::random::Seed;

    const NODES: usize = 24;

    /// Totals of all kinds: one visit or many, equal means, tiny, negative and huge ones, as noisy as
    /// declared or not at all, and sometimes a node without any.
    fn history(case: u64, scale: f64, stream: &mut Stream) -> Estimates {
        let mut one = |node: u64| {
            if case % 5 == 4 && node == 7 {
                return Sample::default();
            }
            let count = 1 + stream.below(1 << (case % 30));
            let mean = match case % 7 {
                0 => stream.unit(),
                1 => 0.25 * stream.below(5) as f64,
                2 => 0.5,
                3 => 1e9 + stream.unit(),
                4 => scale * (1.0 + 4.0 * stream.unit()),
                5 => -stream.unit(),
                _ => 1e-300 * stream.unit(),
            };
            let n = count as f64;
            let variance = scale * scale * [1.0, 0.1, 0.0][case as usize % 3];
            Sample { count, sum: mean * n, sum_of_squares: mean * mean * n + variance * (n - 1.0) }
        };
        Estimates::try_from((0..NODES as u64).map(&mut one).collect::<Vec<_>>()).unwrap()
    }

    /// Compares scores found one by one with those of a pass over all nodes. Returns how many were
    /// left out because they were no higher than the floor, and how many of them equalled it.
    fn compare<I: Index<Clock = Visits>>(mut index: I, case: u64, seen: &Estimates) -> [usize; 2] {
        let graph = Graph::line(NODES).unwrap();
        let clock = Clock::default();
        let now = Situation { graph: &graph, at: 0, estimates: seen, clock: &clock };
        index.prepare(&now, Visits::of(&now));
        let (mut plain, mut stream) = (Seed(case).stream(), Seed(case).stream());
        let listed: Vec<f64> =
            graph.nodes().map(|node| index.score(seen, node, &mut plain)).collect();
        let scores = NodeScores::find(&now, &index, &mut stream);
        assert_eq!(stream, plain, "{case}");
        let mut left_out = [0, 0];
        for (node, &score) in (0..).zip(&listed) {
            assert_eq!(scores.of(seen, node).to_bits(), score.to_bits(), "{case}");
            let other = listed[(node as usize * 7 + 3) % NODES];
            // Right at a score, a ceiling that is a little too low would show.
            let at = [score, other].map(|floor| [floor.next_down(), floor, floor.next_up()]);
            for floor in at.into_iter().flatten() {
                if let Some(found) = scores.above(floor, seen, node) {
                    assert_eq!(found.to_bits(), score.to_bits(), "{case}");
                } else {
                    assert!(score <= floor, "{case}: {score} {floor}");
                    left_out[0] += 1;
                    left_out[1] += usize::from(score == floor);
                }
            }
        }
        for floor in [f64::NEG_INFINITY, listed[3], listed[NODES - 1], f64::INFINITY] {
            let mut found = Vec::new();
            scores.list_above(floor, seen, |node, score| found.push((node, score)));
            let all = (0..).zip(listed.iter().copied());
            let expected: Vec<_> = all.filter(|&(_, score)| score > floor).collect();
            assert_eq!(found, expected, "{case}");
        }
        let among = |node: NodeId| case % 2 == 1 || node % 3 == 1;
        let expected = NodeScores::from(listed).highest(seen, among);
        assert_eq!(scores.highest(seen, among), expected, "{case}");
        left_out
    }

    #[test]
    fn scores_found_alone_are_those_of_a_pass_over_all_nodes() {
        let mut stream = Seed(8).stream();
        let mut left_out = [[0, 0]; 5];
        for case in 0..3_000 {
            let scale = [0.5, 0.0, 1e-160, 1e90, 1e-3][case as usize % 5];
            let variance = [Variance::Estimated, Variance::Pooled, Variance::Declared];
            let noise = Noise::new(scale, variance[case as usize / 5 % 3]);
            let horizon = [Horizon::Unknown, Horizon::Known(1e6)][case as usize / 15 % 2];
            let seen = history(case, scale, &mut stream);
            let found = [
                compare(Moss::new(noise, horizon), case, &seen),
                compare(KlUcb::new(noise, horizon), case, &seen),
                compare(KlUcbBernoulli::new(horizon), case, &seen),
                compare(Imed::new(noise), case, &seen),
                compare(MeanSample::new(noise), case, &seen),
            ];
            for (sums, found) in left_out.iter_mut().zip(found) {
                *sums = [sums[0] + found[0], sums[1] + found[1]];
            }
        }
        // Every index leaves many out, and some that tie with the floor.
        let [_, _, bernoulli, ..] = left_out;
        assert!(left_out.iter().all(|found| found[0] > 20_000), "{left_out:?}");
        assert!(bernoulli[1] == 0 && left_out.iter().filter(|f| f[1] > 100).count() == 4);
    }
}
