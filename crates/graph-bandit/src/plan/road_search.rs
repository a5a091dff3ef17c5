//! Cheapest paths on roads that run one way and take time, by Dijkstra's method.
//!
//! Going from `s` to `v` costs `c(v) + p tau(s, v)`: what entering `v` costs, and the price `p` of a unit of
//! time for every unit that the road takes beyond the visit. With `p = max(mu*, 0)` and `c(v) = mu* - mu_v`
//! that is what the road adds to the regret, and none adds less than nothing. Offers to the neighbours of a
//! node differ here, so a node may be offered a better price while it waits, which without times cannot be.

use super::CheapestPaths;
use super::cheapest_paths::Label;
use crate::graph::{Graph, NodeId, Roads};

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
        self.start(graph, origins);
        self.settled.start(graph.len());
        let roads = graph.roads();
        while let Some((cost, node)) = self.queue.pop(|_| (), |_| true) {
            // A node that was offered a better price later waits twice.
            if cost > self.labels[node as usize].cost || !self.settled.insert(node) {
                continue;
            }
            if until(node) {
                return Some(node);
            }
            let is_origin = self.labels[node as usize].next == node;
            let price = if is_origin { cost } else { cost + (costs.entry)(node) };
            self.offer_along(&Row::of(graph, roads, heading, node), (node, price), costs.time);
        }
        None
    }

    /// Offers the way over `node` to all at the other ends of its roads.
    #[inline]
    fn offer_along(&mut self, row: &Row<'_>, (node, price): (NodeId, f64), time: f64) {
        for (place, &neighbor) in row.nodes.iter().enumerate() {
            let offer = price + time * row.times.map_or(0.0, |times| times[place]);
            let is_new = self.reached.insert(neighbor);
            let label = &mut self.labels[neighbor as usize];
            if is_new || offer < label.cost {
                *label = Label { cost: offer, next: node };
                self.queue.push(offer, neighbor);
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
struct Row<'a> {
    nodes: &'a [NodeId],
    /// None where no road takes any.
    times: Option<&'a [f64]>,
}

impl<'a> Row<'a> {
    #[inline]
    fn of(graph: &'a Graph, roads: Option<&'a Roads>, heading: Heading, node: NodeId) -> Self {
        match (roads, heading) {
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
