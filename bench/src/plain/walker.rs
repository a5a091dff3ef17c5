//! A walker that collects one reward at a time and keeps notes.

use super::search::{Lists, hops, nearer};
use graph_bandit::random::label;
use graph_bandit::{NodeId, RunPlan, Seed, Stream, Tape, Time, World};

/// The record of a plain run.
#[derive(Debug, Clone, PartialEq)]
pub struct PlainRecord {
    /// Visits per node, without initialization.
    pub visits: Vec<u64>,
    /// Legs per destination; the last one, which the horizon may cut, only if it was reached.
    pub destinations: Vec<u64>,
    /// The expected regret at each checkpoint.
    pub regret: Vec<f64>,
}

pub(super) struct Walker<'a> {
    world: &'a World,
    pub(super) near: &'a Lists,
    plan: &'a RunPlan,
    tape: Tape,
    /// The agent's own randomness.
    pub(super) stream: Stream,
    pub(super) at: NodeId,
    /// `n(s)`.
    pub(super) n: Vec<u64>,
    /// The sum of the rewards of each node.
    pub(super) sum: Vec<f64>,
    /// Rewards collected, initialization included.
    pub(super) t: u64,
    /// `walks[v][a]`: how often the edge between them was walked, if counted.
    pub(super) walks: Vec<Vec<u64>>,
    /// Rewards collected by the end of initialization, once it has ended.
    begun_at: Option<u64>,
    regret: f64,
    record: PlainRecord,
}

impl<'a> Walker<'a> {
    pub(super) fn new(world: &'a World, near: &'a Lists, plan: &'a RunPlan, seed: Seed) -> Self {
        let nodes = near.len();
        Self {
            world,
            near,
            plan,
            tape: Tape::new(seed),
            stream: seed.child(label::AGENT).stream(),
            at: 0,
            n: vec![0; nodes],
            sum: vec![0.0; nodes],
            t: 0,
            walks: Vec::new(),
            begun_at: None,
            regret: 0.0,
            record: PlainRecord {
                visits: vec![0; nodes],
                destinations: vec![0; nodes],
                regret: Vec::new(),
            },
        }
    }

    /// Counts walks along edges from now on.
    pub(super) fn count_walks(&mut self) {
        self.walks = vec![vec![0; self.near.len()]; self.near.len()];
    }

    /// Walks to the unvisited node of lowest number until there is none, then returns to the start.
    pub(super) fn initialize(&mut self) {
        while let Some(target) = self.n.iter().position(|&n| n == 0) {
            let target = target as NodeId;
            if self.at == target {
                self.collect(target);
            }
            let hops = hops(self.near, &[target]);
            while self.at != target {
                self.collect(nearer(self.near, &hops, self.at));
            }
        }
        self.at = 0;
        self.begun_at = Some(self.t);
    }

    /// Whether all steps are made.
    pub(super) fn is_done(&self) -> bool {
        self.begun_at.is_some_and(|begun_at| self.t - begun_at >= self.plan.steps)
    }

    /// Goes to `node`, or stays there, and collects.
    pub(super) fn collect(&mut self, node: NodeId) -> f64 {
        let s = node as usize;
        let reward = self.world.law(node).draw(self.tape.node(node), self.n[s], Time::START);
        // The laws of the library cannot fail.
        let reward = reward.unwrap_or(f64::NAN);
        if !self.walks.is_empty() {
            let from = self.at as usize;
            self.walks[from][s] += 1;
            if from != s {
                self.walks[s][from] += 1;
            }
        }
        self.at = node;
        self.n[s] += 1;
        self.sum[s] += reward;
        self.t += 1;
        if let Some(begun_at) = self.begun_at {
            self.record.visits[s] += 1;
            self.regret += self.world.gap(node);
            if self.plan.checkpoints.get(self.record.regret.len()) == Some(&(self.t - begun_at)) {
                self.record.regret.push(self.regret);
            }
        }
        reward
    }

    /// Records the end of a leg.
    pub(super) fn arrive(&mut self) {
        self.record.destinations[self.at as usize] += 1;
    }

    pub(super) fn record(self) -> PlainRecord {
        self.record
    }
}

/// The highest of some numbers.
pub(super) fn highest(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// The first of `nodes` with the highest value.
pub(super) fn first_best(nodes: &[NodeId], value: impl Fn(NodeId) -> f64) -> NodeId {
    let mut best = (nodes[0], value(nodes[0]));
    for &node in &nodes[1..] {
        let value = value(node);
        if value > best.1 {
            best = (node, value);
        }
    }
    best.0
}
