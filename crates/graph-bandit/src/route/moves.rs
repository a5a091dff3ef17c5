//! Where a traveller can go to learn something, or to arrive.
//!
//! Between two places where something new is to be seen there is nothing to decide: so a move goes, by roads
//! known to be open and past nodes where nothing is new, to the next such place or to the goal. Moves never repeat a
//! belief.

use super::belief::{Belief, Status};
use super::known_ways::{Distance, KnownWays, Table, Waiting};
use super::network::{RoadId, Step};
use super::trip::Trip;
use crate::graph::NodeId;
use std::collections::BinaryHeap;

/// A node to go to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Move {
    pub(super) node: NodeId,
    pub(super) time: f64,
    /// The least that the goal is away from there.
    pub(super) rest: f64,
}

/// The cheapest ways from the traveller's place by roads known to be open.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownOpen {
    /// Time, and the step back towards the place: the road and the node that it comes from.
    reached: Vec<(f64, Step)>,
    /// Nodes with a time, in the order in which they were reached.
    order: Vec<NodeId>,
    queue: BinaryHeap<Waiting>,
}

const NOWHERE: (f64, Step) = (f64::INFINITY, Step { road: RoadId::MAX, node: NodeId::MAX });

impl KnownOpen {
    /// Finds the ways that lead only past nodes which are `quiet`.
    pub(super) fn search(&mut self, trip: &Trip, belief: &Belief, quiet: impl Fn(NodeId) -> bool) {
        let network = trip.network();
        self.reached.clear();
        self.reached.resize(network.nodes(), NOWHERE);
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

    /// Appends the roads to a node that was reached; whether it was.
    pub(super) fn way_to(&self, node: NodeId, way: &mut Vec<RoadId>) -> bool {
        let first = way.len();
        let (time, mut step) = self.reached[node as usize];
        while step.road != RoadId::MAX {
            way.push(step.road);
            step = self.reached[step.node as usize].1;
        }
        way[first..].reverse();
        time.is_finite()
    }

    /// All moves from a belief that can be part of a best policy, by node.
    ///
    /// Where open roads lead to the goal, no move is of use that cannot be faster than these.
    pub(super) fn moves(
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
