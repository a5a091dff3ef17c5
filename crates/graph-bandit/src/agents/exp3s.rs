//! EXP3.S (Auer, Cesa-Bianchi, Freund and Schapire, 2002): weights that grow with rewards, and are
//! shared a little, so that every node can become the best again.

use super::changing::Changing;
use super::parameters::{CHANGES, CHANGING_HORIZON};
use crate::agent::{Agent, Hearing, Phase, RemembersEdges, Situation, Visit};
use crate::clock::Visits;
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError, Reader};
use crate::raised::Raised;
use crate::random::Stream;
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range, SpecError, Standing};
use crate::tuning::{Formula, Tuned};
use std::f64::consts::E;

/// The parameters of EXP3.S.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Exp3Parameters {
    /// The share of visits that go to a random node.
    pub exploration: Tuned,
    /// The share of all weight that is spread over all nodes at every visit.
    pub share: Tuned,
    /// The lowest and the highest reward; others count as the nearest of them.
    pub range: (f64, f64),
}

/// EXP3.S on a complete graph.
#[derive(Debug, Clone)]
pub struct Exp3S {
    parameters: Exp3Parameters,
    seen: u64,
    /// They add up to one: only their ratios matter.
    weights: Vec<f64>,
}

impl Exp3S {
    /// An agent for a complete graph of `nodes` nodes.
    pub fn new(nodes: usize, parameters: Exp3Parameters) -> Self {
        Self { parameters, seen: 0, weights: vec![1.0 / exact(nodes as u64); nodes] }
    }

    fn nodes(&self) -> f64 {
        exact(self.weights.len() as u64)
    }

    /// The probability of each visit.
    fn probability(&self, weight: f64, exploration: f64) -> f64 {
        (1.0 - exploration) * weight + exploration / self.nodes()
    }

    fn exploration(&self) -> f64 {
        self.parameters.exploration.at(Visits(self.seen))
    }
}

/// Whether one step leads from every node to every other.
fn is_complete(graph: &Graph) -> bool {
    graph.nodes().all(|node| graph.neighborhood(node).len() == graph.len())
}

impl Agent for Exp3S {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let exploration = self.exploration();
        let mut left = stream.unit();
        let chosen = self.weights.iter().position(|&weight| {
            left -= self.probability(weight, exploration);
            left < 0.0
        });
        // Rounding may leave a little after the last node.
        let last = self.weights.len() - 1;
        leg.visit_once(now.at, chosen.unwrap_or(last) as NodeId);
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        // Initialization is not drawn, so its rewards have no probability.
        if visit.phase == Phase::Cover {
            return Ok(());
        }
        let (low, high) = self.parameters.range;
        let reward = ((visit.sample.mean() - low) / (high - low)).clamp(0.0, 1.0);
        for _ in 0..visit.sample.count {
            let exploration = self.exploration();
            let share = E * self.parameters.share.at(Visits(self.seen)) / self.nodes();
            self.seen += 1;
            let nodes = self.nodes();
            let weight = self.weights[visit.node as usize];
            let estimate = reward / self.probability(weight, exploration);
            self.weights[visit.node as usize] *= libm::exp(exploration * estimate / nodes);
            // The weights before the visit added up to one.
            self.weights.iter_mut().for_each(|weight| *weight += share);
            let sum: f64 = self.weights.iter().sum();
            self.weights.iter_mut().for_each(|weight| *weight /= sum);
        }
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn scores(&mut self, _now: &Situation<'_>, _stream: &mut Stream) -> Option<Vec<f64>> {
        let exploration = self.exploration();
        let probability = |&weight: &f64| self.probability(weight, exploration);
        Some(self.weights.iter().map(probability).collect())
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        if is_complete(graph) { Ok(()) } else { Err(RemembersEdges) }
    }

    fn memory(&self) -> Memory {
        Memory { values: self.weights.clone(), counts: vec![self.seen] }
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        memory.expect(self.weights.len(), 1)?;
        let mut stored = Reader::new(memory)?;
        let weights = stored.values(self.weights.len() as u64);
        if weights.iter().any(|&weight| weight <= 0.0) {
            return Err(stored.impossible());
        }
        (self.weights, self.seen) = (weights, stored.count());
        Ok(())
    }
}

const LOW: Number = Number {
    name: "low",
    help: "The lowest possible reward",
    when: "Set `low` and `high` to the range of your rewards. A reward outside the range counts \
            as the nearer end.",
    default: Some(0.0),
    range: Range::ANY,
};
const HIGH: Number =
    Number { name: "high", help: "The highest possible reward", default: Some(1.0), ..LOW };
const EXPLORATION: Number = Number {
    name: "gamma",
    help: "Share of visits that go to a random node, whatever its weight; if 0, it follows from \
        `changes` and `horizon`",
    when: "With a higher value, the agent notices changes sooner, at the price of more visits to \
        bad nodes.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};
const SHARE: Number = Number {
    name: "alpha",
    help: "At every visit, the agent spreads this share of the total weight, times Euler's \
        number, over all nodes; if 0, it follows from `horizon`",
    when: "Choose a higher value if means change often.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};

pub(super) static EXP3S: AgentEntry = AgentEntry {
    name: "exp3s",
    summary: "EXP3.S: random visits by weights that grow with rewards; complete graphs only",
    about: "EXP3.S assumes only that rewards stay within a range: means may change at every visit. \
        Every node has a weight, which grows with its rewards. The higher the weight of a node, \
        the more likely the agent goes there next. At every visit it spreads a little of the total \
        weight over all nodes, so that every node can become the best again. It works only on \
        complete graphs, where every node is one step away.",
    origin: Origin::Changing,
    standing: Standing::Other,
    look: Some(Look { slot: 7, dash: Dash::Dashed }),
    parameters: &[&CHANGES, &CHANGING_HORIZON, &EXPLORATION, &SHARE, &LOW, &HIGH],
    program: "",
    noise_scale: |_values| None,
    build: |values, graph| {
        if !is_complete(graph) {
            return Err(SpecError::Refused {
                text: "exp3s".to_owned(),
                reason:
                    "it can only walk complete graphs, where every node is one step from every \
                    other; try glr-klucb, which can walk any graph"
                        .to_owned(),
            });
        }
        let (low, high) = (values.get(&LOW), values.get(&HIGH));
        if low >= high {
            return Err(SpecError::EmptyRange { low, high });
        }
        let changing = Changing::of(values, graph);
        let parameters = Exp3Parameters {
            exploration: changing.tuned(&EXPLORATION, Formula::Exp3Exploration),
            share: changing.tuned(&SHARE, Formula::Exp3Share),
            range: (low, high),
        };
        Ok(Box::new(Exp3S::new(graph.len(), parameters)))
    },
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::estimates::{Estimates, Sample};

    #[test]
    fn weights_by_hand() {
        let parameters =
            Exp3Parameters { exploration: 0.5.into(), share: 0.1.into(), range: (-1.0, 3.0) };
        let mut agent = Exp3S::new(2, parameters);
        let (graph, seen) = (Graph::complete(2).unwrap(), Estimates::new(2));
        let clock = Clock::default();
        let now = Situation { graph: &graph, at: 1, estimates: &seen, clock: &clock };
        let mut sample = Sample::default();
        sample.push(1.0);
        let visit = Visit { from: 0, node: 1, sample, phase: Phase::Cover };
        agent.observe(&now, &visit).unwrap();
        assert_eq!(agent.weights, [0.5, 0.5]);
        // Probability 1/2, reward 1/2 of the range: the weight grows by exp(0.5 * 1 / 2).
        agent.observe(&now, &Visit { phase: Phase::Learn, ..visit }).unwrap();
        let [a, b] = [0.5 + 0.05 * E, 0.5 * libm::exp(0.25) + 0.05 * E];
        assert!((agent.weights[0] - a / (a + b)).abs() < 1e-15);
        assert!((agent.weights[1] - b / (a + b)).abs() < 1e-15);
    }
}
