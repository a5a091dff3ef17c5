//! The best reachable mean if roads close at random: the benchmark for regret.
//!
//! At any moment this is the highest mean among the nodes that a walker could go to and come back
//! from ([`Graph::within_reach`]) if roads kept their current state. A walker on a road counts as
//! being at its end.

use crate::clock::Time;
use crate::closures::RoadStates;
use crate::graph::{Graph, NodeId};
use crate::reward::Course;
use crate::world::World;
use std::borrow::Borrow;
use std::collections::BTreeSet;

/// The nodes within reach, advanced from moment to moment.
#[derive(Debug, Clone)]
pub(super) struct Reach<W> {
    world: W,
    states: RoadStates,
    /// When the first road changes.
    until: f64,
    /// The nodes within reach; empty before the first query.
    nodes: Vec<bool>,
    /// Their best mean, if means do not change.
    best: Option<f64>,
    there: Vec<bool>,
    waiting: Vec<NodeId>,
}

impl<W: Borrow<World>> Reach<W> {
    pub(super) fn new(world: W, states: RoadStates) -> Self {
        let nodes = vec![false; world.borrow().graph().len()];
        let (there, waiting) = (nodes.clone(), Vec::new());
        Self { world, states, until: 0.0, nodes, best: None, there, waiting }
    }

    /// The highest mean within reach of `place`. Moments must not decrease between calls; those of
    /// the laws begin at the origin.
    pub(super) fn best_mean(&mut self, place: NodeId, at: Time, origin: Time) -> f64 {
        // While no road changes, nodes that reach each other have the same nodes within reach.
        if at.0 >= self.until || !self.nodes[place as usize] || !self.is_mutual() {
            self.until = self.states.advance_to(at);
            self.search(place);
            self.best = None;
        }
        if self.world.borrow().course() == Course::Changing {
            let at = Time(at.0 - origin.0);
            return self.highest(|node| self.world.borrow().law(node).mean_at(at));
        }
        let best = self.best.unwrap_or_else(|| self.highest(|node| self.world.borrow().mean(node)));
        self.best = Some(best);
        best
    }

    /// Whether roads lead both ways, so that nodes within reach also reach each other.
    fn is_mutual(&self) -> bool {
        self.world.borrow().graph().roads().is_none()
    }

    fn highest(&self, mean: impl Fn(NodeId) -> f64) -> f64 {
        let within = self.world.borrow().graph().nodes().filter(|&node| self.nodes[node as usize]);
        within.map(mean).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Finds the nodes within reach of `place` with the roads' current state.
    fn search(&mut self, place: NodeId) {
        let graph = self.world.borrow().graph();
        let reached = Self::flood(
            (graph, &self.states, Ways::There),
            place,
            (&mut self.nodes, &mut self.waiting),
        );
        if graph.roads().is_none() {
            return;
        }
        Self::flood((graph, &self.states, Ways::Back), place, (&mut self.there, &mut self.waiting));
        for (within, &leads_back) in self.nodes.iter_mut().zip(&self.there) {
            *within &= leads_back;
        }
        let home = self.nodes.iter().filter(|&&within| within).count();
        // A part with at least half of the nodes is the largest.
        if 2 * home >= reached {
            return;
        }
        let closed: BTreeSet<_> = self.states.closed().collect();
        // The remaining roads of a map always form a graph; only a bug could break this.
        if let Ok(open) = graph.without(&closed) {
            self.nodes.fill(false);
            for node in open.within_reach(place) {
                self.nodes[node as usize] = true;
            }
        }
    }

    /// Marks all nodes that open roads lead to from `place`, or from which they lead there; returns
    /// their number.
    fn flood(
        (graph, states, ways): (&Graph, &RoadStates, Ways),
        place: NodeId,
        (marked, waiting): (&mut [bool], &mut Vec<NodeId>),
    ) -> usize {
        marked.fill(false);
        marked[place as usize] = true;
        waiting.clear();
        waiting.push(place);
        let mut count = 1;
        while let Some(node) = waiting.pop() {
            let mut enter = |other: NodeId, entry: usize| {
                if !marked[other as usize] && !states.was_closed(entry) {
                    marked[other as usize] = true;
                    waiting.push(other);
                    count += 1;
                }
            };
            match (ways, graph.roads()) {
                (Ways::Back, Some(roads)) => {
                    for (from, _) in roads.into(node) {
                        if let Some(entry) = graph.entry(from, node) {
                            enter(from, entry);
                        }
                    }
                }
                _ => {
                    for (entry, &to) in graph.row(node).zip(graph.neighborhood(node)) {
                        enter(to, entry);
                    }
                }
            }
        }
        count
    }
}

#[derive(Debug, Clone, Copy)]
enum Ways {
    There,
    Back,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;
    use crate::{ClosureRates, Closures, Law, Seed};

    /// By definition: the graph without closed roads, and what is within reach there.
    #[test]
    fn the_best_within_reach_matches_the_definition() {
        let mut whim = Seed(4).stream();
        for round in 0..30 {
            let mut roads = Vec::new();
            for s in 0..12 {
                roads.push(Road { from: s, to: (s + 1) % 12, time: 0.5 });
            }
            for _ in 0..18 {
                let (from, to) = (whim.below(12) as NodeId, whim.below(12) as NodeId);
                roads.push(Road { from, to, time: 0.0 });
            }
            let graph = if round % 3 == 0 {
                let edges = roads.iter().map(|road| (road.from, road.to));
                Graph::from_edges(12, edges.take(16)).unwrap()
            } else {
                Graph::from_roads(12, roads).unwrap()
            };
            let laws = (0..12).map(|_| Law::constant(whim.unit()).unwrap()).collect();
            let rates = ClosureRates::new(0.2, 0.3).unwrap();
            let closures = Closures::All(rates);
            let world = World::new(graph, laws).unwrap().with_closures(closures.clone()).unwrap();
            let states = RoadStates::new(world.graph(), &closures, Seed(round));
            let mut reach = Reach::new(&world, states);
            for k in 0..200 {
                let (place, at) = (whim.below(12) as NodeId, Time(0.31 * f64::from(k)));
                let roads = world.graph().closable();
                let closed = roads.into_iter().filter(|&r| world.is_closed(Seed(round), r, at));
                let open = world.graph().without(&closed.collect()).unwrap();
                let means = open.within_reach(place).into_iter().map(|node| world.mean(node));
                let best = means.fold(f64::NEG_INFINITY, f64::max);
                assert_eq!(reach.best_mean(place, at, Time::START), best, "round {round}, {k}");
            }
        }
    }
}
