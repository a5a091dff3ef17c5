//! Q-learning on the known graph: some roads are closed, some times differ from the map.

use super::{Choice, QLearning, Rule};
use crate::agent::{Situation, Visit};
use crate::graph::{Graph, NodeId};

impl QLearning {
    /// Whether the graph differs from the map: edges are closed, or times were learned.
    #[inline]
    pub(super) fn is_altered(&self, graph: &Graph) -> bool {
        self.some_closed || graph.is_believed()
    }

    /// The open step of highest value from `node`.
    pub(super) fn best_open_step(&self, now: &Situation<'_>, node: NodeId) -> Choice {
        let open = now.graph.neighborhood(node).iter();
        let choices = open.filter_map(|&to| {
            let value = self.values[self.map.entry(node, to)?];
            Some(Choice { value, node: to })
        });
        choices.fold(Choice::NONE, Choice::or)
    }

    /// Where walks along a step are counted: two-way edges share a count, roads do not.
    fn counted(&self, entry: usize) -> usize {
        match &self.by_road {
            None => entry.min(self.mirror[entry] as usize),
            Some(_) => entry,
        }
    }

    /// Like [`learn`](QLearning::learn), but on the known graph: only open steps learn.
    pub(super) fn learn_as_known(&mut self, now: &Situation<'_>, visit: &Visit) {
        self.greedy = None;
        let ahead = self.best_open_step(now, visit.node).value;
        let walked = self.map.entry(visit.from, visit.node).map(|entry| self.counted(entry));
        let log = match &mut self.rule {
            Rule::Constant { .. } => 0.0,
            Rule::Hoeffding(rule) => {
                if let Some(entry) = walked {
                    rule.count(entry, visit.sample.count);
                }
                rule.log_at(now.estimates.visits().saturating_sub(1))
            }
        };
        let reward = if visit.sample.count == 1 { visit.sample.sum } else { visit.sample.mean() };
        let mut steps = vec![(visit.node, 0.0)];
        match now.graph.roads() {
            Some(roads) => steps.extend(roads.into(visit.node)),
            None => steps.extend(now.graph.neighbors(visit.node).map(|from| (from, 0.0))),
        }
        for (from, time) in steps {
            let Some(entry) = self.map.entry(from, visit.node) else { continue };
            let (rate, bonus) = match &self.rule {
                Rule::Constant { alpha } => (*alpha, 0.0),
                Rule::Hoeffding(rule) => rule.rate_and_bonus(self.counted(entry), log),
            };
            let goal = libm::pow(self.gamma, time) * (reward + self.gamma * ahead) + bonus;
            let value = &mut self.values[entry];
            *value = (1.0 - rate) * *value + rate * goal;
        }
    }
}
