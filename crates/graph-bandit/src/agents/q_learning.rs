//! Q-learning on a graph: the shared part of the two Q-learning benchmarks of Section V-A.
//!
//! `Q(v, a)` is the value of the step from `v` to its neighbour `a`, initially zero. A reward `r`
//! at `a` would have been the same from any neighbour, so every `Q(v, a)` with `v` in `N_a` learns
//! from it.
//!
//! If the road from `v` to `a` takes `tau`, the outcome of the step is discounted for that time,
//! too: `gamma^tau (r + gamma max Q(a, .))`, Q-learning on a semi-Markov problem (Bradtke and Duff,
//! 1994). Each direction of a street then counts as its own road.
//!
//! Steps along closed edges keep their values, but are not chosen, updated or looked ahead to until
//! the edges open. If travel times are learned, `tau` is the road's currently expected time.

mod as_known;

use super::hoeffding::Hoeffding;
use super::lessons::{Lesson, Lessons};
use crate::agent::{Agent, Footing, Phase, RemembersEdges, Situation, Visit};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::raised::Raised;
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
    #[inline]
    pub(super) fn at(self, nodes: usize, t: u64) -> f64 {
        let patience = self.warmup * exact(nodes as u64);
        self.scale * (patience + 1.0) / (patience + exact(t))
    }
}

/// How fast a value learns, and its bonus.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Update {
    /// Rate `alpha`, no bonus.
    Constant {
        /// The learning rate.
        alpha: f64,
    },
    /// UCB-H: with `H = 1 / gamma`, `k` walks along the edge and `E` edges (self-loops included),
    /// rate `(H + 1) / (H + k)` and bonus `c sqrt(H^3 ln(S E k sqrt(t)) / k)`.
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
    rule: Rule,
    /// By position in the graph's rows: `Q(v, a)` at the entry of `a` in the row of `v`.
    values: Vec<f64>,
    /// For each entry `(v, a)`, the position of `(a, v)`.
    mirror: Vec<u32>,
    /// The values that learn from a visit, on graphs with one-way roads or travel times.
    by_road: Option<Box<Lessons>>,
    /// The graph whose entries these are.
    map: Graph,
    /// Whether any of its edges are closed.
    some_closed: bool,
    /// The node last learned from, and its neighbour of highest value.
    greedy: Option<(NodeId, NodeId)>,
}

/// A neighbour and the value of the step there; ties go to the lowest number.
#[derive(Debug, Clone, Copy)]
struct Choice {
    value: f64,
    node: NodeId,
}

impl Choice {
    const NONE: Self = Self { value: f64::NEG_INFINITY, node: NodeId::MAX };

    #[inline]
    fn or(self, other: Self) -> Self {
        let other_wins =
            other.value > self.value || (other.value == self.value && other.node < self.node);
        if other_wins { other } else { self }
    }
}

/// An update rule and its state.
#[derive(Debug, Clone)]
enum Rule {
    Constant { alpha: f64 },
    Hoeffding(Hoeffding),
}

impl QLearning {
    /// A learner with discount `gamma` and all values zero.
    pub fn new(graph: &Graph, epsilon: Epsilon, gamma: f64, update: Update) -> Self {
        let entries = graph.row_entries();
        let by_road = graph.roads().map(|roads| Box::new(Lessons::new(graph, roads, gamma)));
        let mut mirror = vec![0; entries];
        for v in graph.nodes() {
            for (entry, &a) in graph.row(v).zip(graph.neighborhood(v)) {
                // Edges lead both ways.
                mirror[entry] = graph.entry(a, v).unwrap_or(entry) as u32;
            }
        }
        let rule = match update {
            Update::Constant { alpha } => Rule::Constant { alpha },
            Update::Hoeffding { c } => Rule::Hoeffding(Hoeffding::new(graph, c, gamma)),
        };
        Self {
            epsilon,
            gamma,
            rule,
            values: vec![0.0; entries],
            mirror,
            by_road,
            map: graph.unlabelled(),
            some_closed: false,
            greedy: None,
        }
    }

    fn least_visited(now: &Situation<'_>) -> NodeId {
        let around = now.graph.neighborhood(now.at).iter().copied();
        around.min_by_key(|&v| now.estimates.count(v)).unwrap_or(now.at)
    }

    /// The neighbour of highest value; ties go to the lowest number.
    fn most_valued(&self, now: &Situation<'_>) -> NodeId {
        if let Some((node, best)) = self.greedy
            && node == now.at
        {
            return best;
        }
        if self.is_altered(now.graph) {
            let best = self.best_open_step(now, now.at);
            return if best.node == Choice::NONE.node { now.at } else { best.node };
        }
        let values = &self.values[now.graph.row(now.at)];
        let choices = now.graph.neighborhood(now.at).iter().zip(values);
        let best =
            choices.fold(Choice::NONE, |best, (&node, &value)| best.or(Choice { value, node }));
        // Absurd parameters can make every value NaN; then none is the highest.
        if best.node == Choice::NONE.node { now.at } else { best.node }
    }

    fn learn(&mut self, now: &Situation<'_>, visit: &Visit) {
        if self.is_altered(now.graph) {
            self.learn_as_known(now, visit);
            return;
        }
        if self.by_road.is_some() {
            self.learn_by_road(now, visit);
            return;
        }
        let (node, row) = (visit.node, now.graph.row(visit.node));
        let around = now.graph.neighborhood(node);
        // Looks ahead to the highest value of the row. Of the updated values, only the value of
        // staying is in the row itself.
        let mut stay = Choice { value: f64::NEG_INFINITY, node };
        let mut elsewhere = Choice::NONE;
        let mut walked = None;
        for (entry, &v) in row.clone().zip(around) {
            let value = self.values[entry];
            if v == node {
                stay.value = value;
            } else {
                elsewhere = elsewhere.or(Choice { value, node: v });
            }
            if v == visit.from {
                walked = Some(entry);
            }
        }
        let log = match &mut self.rule {
            Rule::Constant { .. } => 0.0,
            Rule::Hoeffding(rule) => {
                if let Some(entry) = walked {
                    rule.count(entry.min(self.mirror[entry] as usize), visit.sample.count);
                }
                rule.log_at(now.estimates.visits().saturating_sub(1))
            }
        };
        let reward = if visit.sample.count == 1 { visit.sample.sum } else { visit.sample.mean() };
        for (entry, &back) in row.clone().zip(&self.mirror[row]) {
            let back = back as usize;
            let (rate, bonus) = match &self.rule {
                Rule::Constant { alpha } => (*alpha, 0.0),
                Rule::Hoeffding(rule) => rule.rate_and_bonus(entry.min(back), log),
            };
            let ahead = if stay.value > elsewhere.value { stay.value } else { elsewhere.value };
            let value = &mut self.values[back];
            *value = (1.0 - rate) * *value + rate * (reward + self.gamma * ahead + bonus);
            if back == entry {
                stay.value = *value;
            }
        }
        self.greedy = Some((node, stay.or(elsewhere).node));
    }
}

impl QLearning {
    /// Like [`learn`](Self::learn), for graphs with one-way roads or travel times.
    fn learn_by_road(&mut self, now: &Situation<'_>, visit: &Visit) {
        let Some(lessons) = &self.by_road else { return };
        let values = &self.values[now.graph.row(visit.node)];
        let ahead = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let log = match &mut self.rule {
            Rule::Constant { .. } => 0.0,
            Rule::Hoeffding(rule) => {
                if let Some(entry) = now.graph.entry(visit.from, visit.node) {
                    rule.count(entry, visit.sample.count);
                }
                rule.log_at(now.estimates.visits().saturating_sub(1))
            }
        };
        let reward = if visit.sample.count == 1 { visit.sample.sum } else { visit.sample.mean() };
        for &Lesson { entry, discount } in lessons.of(visit.node) {
            let (rate, bonus) = match &self.rule {
                Rule::Constant { alpha } => (*alpha, 0.0),
                Rule::Hoeffding(rule) => rule.rate_and_bonus(entry as usize, log),
            };
            let value = &mut self.values[entry as usize];
            let goal = discount * (reward + self.gamma * ahead) + bonus;
            *value = (1.0 - rate) * *value + rate * goal;
        }
        self.greedy = None;
    }
}

impl Agent for QLearning {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let explore = self.epsilon.at(now.graph.len(), now.estimates.visits());
        let node =
            if stream.unit() < explore { Self::least_visited(now) } else { self.most_valued(now) };
        leg.visit_once(now.at, node);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        match (visit.phase, &mut self.rule) {
            (Phase::Learn, _) => self.learn(now, visit),
            (Phase::Cover, Rule::Constant { .. }) => {}
            (Phase::Cover, Rule::Hoeffding(rule)) => {
                if let Some(entry) = self.map.entry(visit.from, visit.node) {
                    let edge = match &self.by_road {
                        None => entry.min(self.mirror[entry] as usize),
                        Some(_) => entry,
                    };
                    rule.count(edge, visit.sample.count);
                }
            }
        }
        Ok(())
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        self.some_closed = graph.row_entries() != self.map.row_entries();
        self.greedy = None;
        Ok(())
    }

    /// It looks only at neighbours and remembers nodes by number.
    fn footing(&self) -> Footing {
        Footing::Parts
    }

    fn memory(&self) -> Memory {
        let counts = match &self.rule {
            Rule::Constant { .. } => Vec::new(),
            Rule::Hoeffding(rule) => rule.walks().collect(),
        };
        Memory { values: self.values.clone(), counts }
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        let entries = self.values.len();
        match &mut self.rule {
            Rule::Constant { .. } => {
                memory.expect(entries, 0)?;
            }
            Rule::Hoeffding(rule) => rule.set_walks(&memory.expect(entries, entries)?.counts),
        }
        self.values.clone_from(&memory.values);
        self.greedy = None;
        Ok(())
    }
}
