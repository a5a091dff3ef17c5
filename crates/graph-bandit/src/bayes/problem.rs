//! What the Bayes-optimal agent is to solve.

use super::best_mean::expected_best_mean;
use super::counts::Counts;
use super::error::BayesError;
use super::layers::{Layer, layers};
use super::optimum::BayesOptimum;
use super::recursion::{Keep, Progress, most_values, solve};
use crate::graph::{Graph, NodeId, Roads};
use serde::{Deserialize, Serialize};

/// The most nodes of a graph.
pub const MOST_NODES: usize = 64;
/// The most rewards that may have been seen on a node.
pub const MOST_SEEN: u64 = 10_000;
/// The most states that are computed: hours of work.
pub const MOST_STATES: f64 = 1e12;

/// Rewards seen on a node before the first step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Seen {
    /// How often it paid 1.
    pub ones: u32,
    /// How often it paid 0.
    pub zeros: u32,
}

impl Seen {
    /// All rewards seen.
    pub fn visits(self) -> u64 {
        u64::from(self.ones) + u64::from(self.zeros)
    }
}

/// How much work and memory a problem takes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesSize {
    /// The number of states: counts of all nodes, place, and time spent on roads.
    pub states: f64,
    /// The bytes of the values that are kept at a time.
    pub bytes: u64,
}

/// Walk `steps` units of time from `start`, where every node pays 1 with an unknown probability,
/// uniform beforehand, and otherwise 0.
///
/// ```
/// use graph_bandit::bayes::{BayesProblem, Keep};
/// use graph_bandit::Graph;
/// let line = Graph::line(3)?;
/// let optimum = BayesProblem::new(&line, 0, 10)?.solve(Keep::Values, 1 << 30, &mut |_| true)?;
/// assert_eq!(format!("{:.6}", optimum.value()), "6.397348");
/// assert_eq!(format!("{:.6}", optimum.regret()), "1.102652");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct BayesProblem<'a> {
    graph: &'a Graph,
    start: NodeId,
    steps: u64,
    seen: Vec<Seen>,
}

impl<'a> BayesProblem<'a> {
    /// A walk of `steps` units of time from `start`, with nothing seen.
    ///
    /// # Errors
    /// When the graph is too large, the start is not a node, or there are no steps.
    pub fn new(graph: &'a Graph, start: NodeId, steps: u64) -> Result<Self, BayesError> {
        let nodes = graph.len();
        if nodes > MOST_NODES {
            return Err(BayesError::TooManyNodes { nodes });
        }
        if start as usize >= nodes {
            return Err(BayesError::StartOutside { start, last: nodes as NodeId - 1 });
        }
        if steps == 0 {
            return Err(BayesError::NoSteps);
        }
        Ok(Self { graph, start, steps, seen: vec![Seen::default(); nodes] })
    }

    /// The same, after these rewards, one entry for each node.
    ///
    /// # Errors
    /// When there is not one entry for each node, or one of them is too large.
    pub fn after(mut self, seen: Vec<Seen>) -> Result<Self, BayesError> {
        let (given, nodes) = (seen.len(), self.graph.len());
        if given != nodes {
            return Err(BayesError::WrongLength { given, nodes });
        }
        if let Some(node) = seen.iter().position(|seen| seen.visits() > MOST_SEEN) {
            let visits = seen[node].visits();
            return Err(BayesError::TooManySeen { node: node as NodeId, visits });
        }
        self.seen = seen;
        Ok(self)
    }

    /// The graph.
    pub fn graph(&self) -> &'a Graph {
        self.graph
    }

    /// Where the walk starts.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// The units of time.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The rewards seen, by node.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// The expected mean of the best node, given what was seen: `n / (n + 1)` if nothing was.
    pub fn expected_best_mean(&self) -> f64 {
        expected_best_mean(&self.seen)
    }

    /// How much work and memory it takes.
    ///
    /// # Errors
    /// When there are more than [`MOST_STATES`] states.
    pub fn size(&self) -> Result<BayesSize, BayesError> {
        let (layers, counts) = self.prepare()?;
        Ok(size(&layers, &counts))
    }

    /// Computes the value of the optimal policy, and keeps the moves that `keep` asks for.
    ///
    /// # Errors
    /// When there are too many states, when their values and moves need more than `allowed` bytes,
    /// or when `progress` stops the work.
    ///
    /// # Complexity
    /// O(states) time. With `n` nodes and no travel times there are about `n C(T + 2n - 1, 2n)`
    /// states, and one layer of `n C(T + 2n - 2, 2n - 1)` values, and the next, are kept.
    pub fn solve(
        &self,
        keep: Keep,
        allowed: u64,
        progress: Progress<'_>,
    ) -> Result<BayesOptimum, BayesError> {
        let (layers, counts) = self.prepare()?;
        let BayesSize { states, bytes } = size(&layers, &counts);
        let kept = states_of(&layers[..keep.layers().min(layers.len())], &counts);
        let bytes = bytes.saturating_add(kept as u64);
        if bytes > allowed {
            return Err(BayesError::TooMuchMemory { states, bytes, allowed });
        }
        solve(self, (layers, counts), keep, progress)
    }

    fn prepare(&self) -> Result<(Vec<Layer>, Counts), BayesError> {
        let layers = layers(self)?;
        let counts = Counts::new(self.graph.len(), layers.len());
        Ok((layers, counts.ok_or_else(|| self.too_many_states())?))
    }

    /// The error that says how many states there are: about, or more than the limit if roads take
    /// time.
    pub(super) fn too_many_states(&self) -> BayesError {
        if self.graph.roads().is_some_and(Roads::take_time) {
            return BayesError::TooManyStates { states: MOST_STATES };
        }
        // n C(T + m - 1, m).
        let (steps, parts) = (self.steps as f64, 2.0 * self.graph.len() as f64);
        let logarithm =
            libm::lgamma(steps + parts) - libm::lgamma(steps) - libm::lgamma(parts + 1.0);
        BayesError::TooManyStates { states: self.graph.len() as f64 * libm::exp(logarithm) }
    }
}

fn size(layers: &[Layer], counts: &Counts) -> BayesSize {
    let [even, odd] = most_values(layers, counts);
    BayesSize { states: states_of(layers, counts), bytes: 8 * (even as u64 + odd as u64) }
}

/// The number of states in these layers.
fn states_of(layers: &[Layer], counts: &Counts) -> f64 {
    let states = layers.iter().enumerate();
    states.map(|(visits, layer)| counts.of_sum(visits) as f64 * layer.posts.len() as f64).sum()
}
