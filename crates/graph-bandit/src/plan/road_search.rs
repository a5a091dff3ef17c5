//! Cheapest paths on roads that run one way and take time, by Dijkstra's method.
//!
//! Going from `s` to `v` costs `c(v) + p tau(s, v)`: what entering `v` costs, and the price `p` of a unit of
//! time for every unit that the road takes beyond the visit. With `p = max(mu*, 0)` and `c(v) = mu* - mu_v`
//! that is what the road adds to the regret, and none adds less than nothing. Offers to the neighbours of a
//! node differ here, so a node may be offered a better price while it waits, which without times cannot be.

use super::CheapestPaths;
use super::cheapest_paths::Label;
use crate::graph::{Graph, NodeId};

/// What travel costs.
#[derive(Debug, Clone, Copy)]
pub struct RoadCosts<C> {
    /// What entering a node costs, however long the road takes: not negative. Where a search begins costs
    /// nothing to enter.
    pub entry: C,
    /// What a unit of travel time costs: not negative.
    pub time: f64,
}

/// Which way a search goes along the roads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// Against them, so that every node learns the way to where the search began.
    There,
    /// With them, so that every node learns the way from where the search began.
    FromHere,
}

impl CheapestPaths {
    /// Searches from `origins` along roads, in the direction of `heading`, until `until` says so of the node
    /// that is cheapest of those left, or everywhere; answers the node at which it stopped.
    ///
    /// Headed [`There`](Heading::There), [`next`](Self::next) is the next node on the way from a node to the
    /// nearest origin. Headed [`FromHere`](Heading::FromHere), it is the node before it on the way from
    /// there. [`cost`](Self::cost) counts all roads of the way, and entering every node of it but its last,
    /// or the origin's own. Of equally cheap ways, a node takes the neighbour of lowest number among those that the
    /// search had settled before.
    ///
    /// # Complexity
    /// O(e + n log n) for the n nodes and e roads cheaper than where it stops.
    pub fn search_roads(
        &mut self,
        (graph, heading): (&Graph, Heading),
        costs: &RoadCosts<impl Fn(NodeId) -> f64>,
        origins: impl IntoIterator<Item = NodeId>,
        mut until: impl FnMut(NodeId) -> bool,
    ) -> Option<NodeId> {
        self.start_roads(graph, origins);
        while let Some((cost, node)) = self.settle() {
            if until(node) {
                return Some(node);
            }
            self.offer((graph, heading), costs, (cost, node), |_, _| true);
        }
        None
    }

    /// Forgets the last search; the origins wait.
    pub(super) fn start_roads(&mut self, graph: &Graph, origins: impl IntoIterator<Item = NodeId>) {
        self.start(graph, origins);
        self.settled.start(graph.len());
    }

    /// The cheapest node that waits, to which no better offer can come, and its cost.
    #[inline]
    pub(super) fn settle(&mut self) -> Option<(f64, NodeId)> {
        while let Some((cost, node)) = self.queue.pop(|_| (), |_| true) {
            // A node that was offered a better price later waits twice.
            if cost <= self.labels[node as usize].cost && self.settled.insert(node) {
                return Some((cost, node));
            }
        }
        None
    }

    /// Offers the way over a settled node to those at the other ends of its roads that `admits` admits at
    /// that price.
    #[inline]
    pub(super) fn offer(
        &mut self,
        (graph, heading): (&Graph, Heading),
        costs: &RoadCosts<impl Fn(NodeId) -> f64>,
        (cost, node): (f64, NodeId),
        mut admits: impl FnMut(NodeId, f64) -> bool,
    ) {
        let is_origin = self.labels[node as usize].next == node;
        let price = if is_origin { cost } else { cost + (costs.entry)(node) };
        let row = Row::of(graph, heading, node);
        for (place, &neighbor) in row.nodes.iter().enumerate() {
            let offer = price + costs.time * row.times.map_or(0.0, |times| times[place]);
            let is_known = self.reached.contains(neighbor);
            let label = &mut self.labels[neighbor as usize];
            if !is_known || offer < label.cost {
                if admits(neighbor, offer) {
                    self.reached.insert(neighbor);
                    *label = Label { cost: offer, next: node };
                    self.queue.push(offer, neighbor);
                }
            } else if offer == label.cost
                && node < label.next
                && label.next != neighbor
                && !self.settled.contains(neighbor)
            {
                label.next = node;
            }
        }
    }
}

/// The other ends of the roads of one node.
pub(super) struct Row<'a> {
    pub(super) nodes: &'a [NodeId],
    /// None where no road takes any.
    pub(super) times: Option<&'a [f64]>,
}

impl<'a> Row<'a> {
    #[inline]
    pub(super) fn of(graph: &'a Graph, heading: Heading, node: NodeId) -> Self {
        match (graph.roads(), heading) {
            (None, _) => Self { nodes: graph.neighborhood(node), times: None },
            (Some(roads), Heading::There) => {
                let (nodes, times) = roads.row_into(node);
                Self { nodes, times: Some(times) }
            }
            (Some(roads), Heading::FromHere) => {
                let row = graph.row(node);
                Self { nodes: graph.neighborhood(node), times: Some(&roads.times()[row]) }
            }
        }
    }
}
