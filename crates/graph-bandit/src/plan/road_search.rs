//! Cheapest paths on roads that run one way and take time, by Dijkstra's method.
//!
//! Going from `s` to `v` costs `c(v) + p tau(s, v)`: the cost of entering `v`, plus the price `p`
//! per unit of the road's time beyond the visit. With `p = max(mu*, 0)` and `c(v) = mu* - mu_v`,
//! this is what the road adds to the regret; it is never negative. Unlike on graphs without times,
//! the neighbours of a node get different offers here, so a waiting node may get a better one.

use super::CheapestPaths;
use super::cheapest_paths::Label;
use crate::graph::{Graph, NodeId};

/// The costs of travel.
#[derive(Debug, Clone, Copy)]
pub struct RoadCosts<C> {
    /// The cost of entering a node, however long the road takes; not negative. Entering an origin
    /// of a search costs nothing.
    pub entry: C,
    /// The cost of a unit of travel time; not negative.
    pub time: f64,
}

/// The direction of a search along the roads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// Against the roads: every node learns its path to the origin.
    There,
    /// Along the roads: every node learns its path from the origin.
    FromHere,
}

impl CheapestPaths {
    /// Searches from `origins` along roads, in the direction of `heading`, until `until` is true
    /// for the cheapest remaining node, or everywhere; returns the node at which it stopped.
    ///
    /// With [`There`](Heading::There), [`next`](Self::next) is the next node on the path to the
    /// nearest origin. With [`FromHere`](Heading::FromHere), it is the previous node on the path
    /// from there. [`cost`](Self::cost) includes all roads of the path and entering every node
    /// except its last, or the origin's own. Ties go to the lowest-numbered neighbour among those
    /// settled before.
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

    /// Resets the search; the origins wait.
    pub(crate) fn start_roads(&mut self, graph: &Graph, origins: impl IntoIterator<Item = NodeId>) {
        self.start(graph, origins);
        self.settled.start(graph.len());
    }

    /// The cheapest waiting node, which cannot get a better offer, and its cost.
    #[inline]
    pub(crate) fn settle(&mut self) -> Option<(f64, NodeId)> {
        while let Some((cost, node)) = self.queue.pop(|_| (), |_| true) {
            // A node that later got a better offer waits twice.
            if cost <= self.labels[node as usize].cost && self.settled.insert(node) {
                return Some((cost, node));
            }
        }
        None
    }

    /// Offers the path over a settled node to the other ends of its roads, if `admits` accepts the
    /// price.
    #[inline]
    pub(crate) fn offer(
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
pub(crate) struct Row<'a> {
    pub(crate) nodes: &'a [NodeId],
    /// `None` if no road takes time.
    pub(super) times: Option<&'a [f64]>,
}

impl<'a> Row<'a> {
    #[inline]
    pub(crate) fn of(graph: &'a Graph, heading: Heading, node: NodeId) -> Self {
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

    /// The other ends, each with the time of its road.
    #[inline]
    pub(crate) fn timed(&self) -> impl Iterator<Item = (NodeId, f64)> + use<'a> {
        let times = self.times;
        let time = move |place: usize| times.map_or(0.0, |times| times[place]);
        self.nodes.iter().enumerate().map(move |(place, &node)| (node, time(place)))
    }
}
