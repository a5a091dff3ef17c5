//! Q-learning on a graph: what the two Q-learning benchmarks of Section V-A share.
//!
//! `Q(v, a)` values the step from `v` to its neighbour `a`, from zero. A reward `r` at `a` would
//! have been the same from any neighbour, so every `Q(v, a)` with `v` in `N_a` learns from it.

use crate::agent::{Agent, Leg, Phase, Situation, Visit};
use crate::graph::{Graph, NodeId};
use crate::random::Stream;

/// The probability of exploring at time `t`: `scale (w S + 1) / (w S + t)`, `w` the warm-up per
/// node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epsilon {
    /// The value at `t = 1`.
    pub scale: f64,
    /// Visits per node until the probability has roughly halved.
    pub warmup: f64,
}

impl Epsilon {
    fn at(self, nodes: usize, t: u64) -> f64 {
        let patience = self.warmup * nodes as f64;
        self.scale * (patience + 1.0) / (patience + t as f64)
    }
}

/// How fast a value learns and what it adds to a reward.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Update {
    /// Rate `alpha`, no bonus.
    Constant {
        /// The learning rate.
        alpha: f64,
    },
    /// UCB-H: with `H = 1 / gamma` and `k` walks along the edge, rate `(H + 1) / (H + k)` and bonus
    /// `c sqrt(H^3 ln(S E k sqrt(t)) / k)`, `E` the edges, self-loops counted.
    Hoeffding {
        /// The bonus's factor.
        c: f64,
    },
}

/// A table of values by edge, with epsilon-greedy exploration towards the least visited neighbour.
#[derive(Debug, Clone)]
pub struct QLearning {
    epsilon: Epsilon,
    gamma: f64,
    update: Update,
    /// By position in the rows of the graph: `Q(v, a)` at the entry of `a` in the row of `v`.
    values: Vec<f64>,
    /// Of each entry `(v, a)`, where `(a, v)` is.
    mirror: Vec<u32>,
    /// Walks along each undirected edge, at the lower of its two entries.
    walks: Vec<u64>,
}

impl QLearning {
    /// A learner with all values zero, discount `gamma`.
    pub fn new(graph: &Graph, epsilon: Epsilon, gamma: f64, update: Update) -> Self {
        let entries = graph.row_entries();
        let mut mirror = vec![0; entries];
        for v in graph.nodes() {
            for (entry, &a) in graph.row(v).zip(graph.neighborhood(v)) {
                // Edges lead both ways.
                mirror[entry] = graph.entry(a, v).unwrap_or(entry) as u32;
            }
        }
        Self { epsilon, gamma, update, values: vec![0.0; entries], mirror, walks: vec![0; entries] }
    }

    fn best_value(&self, graph: &Graph, node: NodeId) -> f64 {
        self.values[graph.row(node)].iter().copied().fold(f64::NEG_INFINITY, f64::max)
    }

    fn least_visited(now: &Situation<'_>) -> NodeId {
        let around = now.graph.neighborhood(now.at).iter().copied();
        around.min_by_key(|&v| now.estimates.count(v)).unwrap_or(now.at)
    }

    /// The neighbour of highest value, of equals the lowest number.
    fn most_valued(&self, now: &Situation<'_>) -> NodeId {
        let row = now.graph.row(now.at);
        let mut best = (f64::NEG_INFINITY, now.at);
        for (&value, &node) in self.values[row].iter().zip(now.graph.neighborhood(now.at)) {
            if value > best.0 || (value == best.0 && node < best.1) {
                best = (value, node);
            }
        }
        best.1
    }

    fn count_walks(&mut self, graph: &Graph, visit: &Visit) {
        if let Some(entry) = graph.entry(visit.from, visit.node) {
            let edge = entry.min(self.mirror[entry] as usize);
            self.walks[edge] += visit.sample.count;
        }
    }

    fn learn(&mut self, now: &Situation<'_>, node: NodeId, reward: f64) {
        let graph = now.graph;
        let edges = (graph.edge_count() + graph.len()) as f64;
        let t = now.estimates.visits().saturating_sub(1) as f64;
        let horizon = 1.0 / self.gamma;
        let mut ahead = self.best_value(graph, node);
        for entry in graph.row(node) {
            let back = self.mirror[entry] as usize;
            let (rate, bonus) = match self.update {
                Update::Constant { alpha } => (alpha, 0.0),
                Update::Hoeffding { c } => {
                    let k = self.walks[entry.min(back)].max(1) as f64;
                    let inside = graph.len() as f64 * edges * k * t.sqrt();
                    // ln is negative only in the first steps of one-node graphs.
                    let log = libm::log(inside).max(0.0);
                    let bonus = c * (horizon * horizon * horizon * log / k).sqrt();
                    ((horizon + 1.0) / (horizon + k), bonus)
                }
            };
            let target = reward + self.gamma * ahead + bonus;
            self.values[back] = (1.0 - rate) * self.values[back] + rate * target;
            if back == entry {
                // Q(a, a) has changed, and with it what the neighbours after it look ahead to.
                ahead = self.best_value(graph, node);
            }
        }
    }
}

impl Agent for QLearning {
    fn next_leg(&mut self, now: &Situation<'_>, stream: &mut Stream, leg: &mut Leg) {
        let explore = self.epsilon.at(now.graph.len(), now.estimates.visits());
        let node =
            if stream.unit() < explore { Self::least_visited(now) } else { self.most_valued(now) };
        leg.visit_once(now.at, node);
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) {
        self.count_walks(now.graph, visit);
        if visit.phase == Phase::Learn {
            self.learn(now, visit.node, visit.sample.mean());
        }
    }
}
