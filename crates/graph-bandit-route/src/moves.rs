//! Where a traveller can go to learn something or to arrive.
//!
//! Between two places with something new to see, there is nothing to decide. So a move goes, by
//! roads known to be open and past nodes without anything new, to the next such place or to the
//! goal. Moves never repeat a belief.

use crate::belief::{Belief, Status};
use crate::known_ways::{Distance, KnownWays, Table, Waiting};
use crate::network::{RoadId, Step};
use crate::trip::Trip;
use graph_bandit::NodeId;
use std::collections::BinaryHeap;

/// A node to go to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Move {
    pub(crate) node: NodeId,
    pub(crate) time: f64,
    /// A lower bound on the time from there to the goal.
    pub(crate) rest: f64,
}

/// The cheapest paths from the traveller's place by roads known to be open.
#[derive(Debug, Clone, Default)]
pub(crate) struct KnownOpen {
    /// The time, and the step back: the road and the node it comes from.
    reached: Vec<(f64, Step)>,
    /// Reached nodes, in order.
    order: Vec<NodeId>,
    queue: BinaryHeap<Waiting>,
}

const UNREACHED: (f64, Step) = (f64::INFINITY, Step { road: RoadId::MAX, node: NodeId::MAX });

impl KnownOpen {
    /// Finds the paths that pass only `quiet` nodes.
    pub(crate) fn search(&mut self, trip: &Trip, belief: &Belief, quiet: impl Fn(NodeId) -> bool) {
        let network = trip.network();
        self.reached.clear();
        self.reached.resize(network.nodes(), UNREACHED);
        self.order.clear();
        self.order.push(belief.place());
        self.reached[belief.place() as usize].0 = 0.0;
        self.queue.clear();
        self.queue.push(Waiting { distance: Distance::ZERO, node: belief.place() });
        while let Some(Waiting { distance: Distance { time, .. }, node }) = self.queue.pop() {
            let is_old = time > self.reached[node as usize].0;
            if is_old || node != belief.place() && !quiet(node) {
                continue;
            }
            for step in network.leaving(node) {
                let other = &mut self.reached[step.node as usize];
                let longer = time + network.time(step.road);
                if belief.status(step.road) == Status::Open && longer < other.0 {
                    if other.0 == f64::INFINITY {
                        self.order.push(step.node);
                    }
                    *other = (longer, Step { road: step.road, node });
                    let distance = Distance { time: longer, roads: 0 };
                    self.queue.push(Waiting { distance, node: step.node });
                }
            }
        }
    }

    /// Appends the roads to a node; returns whether it was reached.
    pub(crate) fn way_to(&self, node: NodeId, way: &mut Vec<RoadId>) -> bool {
        let first = way.len();
        let (time, mut step) = self.reached[node as usize];
        while step.road != RoadId::MAX {
            way.push(step.road);
            step = self.reached[step.node as usize].1;
        }
        way[first..].reverse();
        time.is_finite()
    }

    /// All moves from a belief that an optimal policy may use, by node.
    ///
    /// If open roads lead to the goal, moves that cannot be faster are useless.
    pub(crate) fn moves(
        &mut self,
        ways: &KnownWays<'_>,
        table: Table,
        belief: &Belief,
        moves: &mut Vec<Move>,
    ) {
        let trip = ways.trip();
        let goal = trip.goal();
        self.search(trip, belief, |node| node != goal && !belief.is_new(trip, node));
        let sure = self.reached[goal as usize].0;
        let candidates =
            self.order.iter().copied().filter(|&node| {
                node == goal || node != belief.place() && belief.is_new(trip, node)
            });
        let candidates = candidates.map(|node| Move {
            node,
            time: self.reached[node as usize].0,
            rest: ways.time(table, node),
        });
        let first = moves.len();
        moves.extend(candidates.filter(|to| to.node == goal || to.time + to.rest < sure));
        moves[first..].sort_unstable_by_key(|to| to.node);
    }
}
