//! The cheapest trips from here, and their lengths.

use super::Way;
use crate::agent::Situation;
use crate::cover::{Cover, Init};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::index::Leader;
use crate::leg::Leg;
use crate::plan::{CheapestPath, CheapestPaths, Heading, RoadCosts};

/// The entry cost of a node besides its gap, in units of the declared noise scale.
const A_STEP: f64 = 2e-9;

const UNKNOWN: u32 = u32::MAX;

/// The entry cost of a node besides its gap, so that of paths through equal nodes the shortest
/// wins: negligible beside noise of this scale, whatever the unit of rewards, but never zero.
pub(crate) fn step_cost(noise_scale: f64) -> f64 {
    (A_STEP * noise_scale).max(f64::MIN_POSITIVE)
}

/// What a search for the cheapest trips does next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Search {
    /// Trips up to this cost matter.
    Goes(f64),
    /// The trip to this node is wanted first.
    Waits(NodeId),
}

/// The trips from where the agent stands. One value serves one run: it does not check again nodes
/// that it has seen visited.
#[derive(Debug, Clone)]
pub(super) struct Trips {
    /// The entry cost of a node besides its gap.
    step: f64,
    /// The least gap that a node on the way counts for.
    least_gap: f64,
    unvisited: Cover,
    leg: Leg,
    out: CheapestPaths,
    /// The search for a single trip.
    alone: CheapestPath,
    /// The number of hops to each node, if asked for.
    hops: Vec<u32>,
    /// The time of its roads beyond the visits, if roads take time and it was asked for.
    extra: Vec<f64>,
    way: Way,
}

impl Trips {
    /// Trips with noise of this declared scale.
    pub(super) fn new(noise_scale: f64) -> Self {
        Self {
            step: step_cost(noise_scale),
            least_gap: 0.0,
            unvisited: Cover::new(Init::Nearest),
            leg: Leg::default(),
            out: CheapestPaths::default(),
            alone: CheapestPath::default(),
            hops: Vec::new(),
            extra: Vec::new(),
            way: Way::default(),
        }
    }

    /// The same trips, but every node on the way counts for at least this gap.
    pub(super) fn with_least_gap(self, least_gap: f64) -> Self {
        Self { least_gap, ..self }
    }

    /// Forgets all nodes and edges.
    pub(super) fn forget_graph(&mut self) {
        self.unvisited = Cover::new(Init::Nearest);
        self.out = CheapestPaths::default();
        self.alone = CheapestPath::default();
    }

    /// Looks again for unvisited nodes.
    pub(super) fn forget_visits(&mut self) {
        self.unvisited = Cover::new(Init::Nearest);
    }

    /// The entry cost of a node besides its gap.
    #[inline]
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// Plans the path to the nearest unvisited node, if there is one.
    pub(super) fn lay_to_unvisited(&mut self, now: &Situation<'_>) -> bool {
        let found = self.unvisited.next_leg(now, &mut self.leg);
        if found {
            self.way.path.clone_from(&self.leg.path);
            self.way.lay(now.at, now.graph.len());
        }
        found
    }

    /// Finds the cheapest trip to every node; the nodes on the way cost their shortfall from the
    /// leader's mean.
    pub(super) fn search(&mut self, now: &Situation<'_>, leader: &Leader) {
        self.search_until(now, leader, None);
    }

    /// Finds the cheapest trip to the leader only.
    pub(super) fn search_leader(&mut self, now: &Situation<'_>, leader: &Leader) {
        self.search_until(now, leader, Some(leader.node));
    }

    fn search_until(&mut self, now: &Situation<'_>, leader: &Leader, until: Option<NodeId>) {
        if now.graph.roads().is_some() {
            let costs = self.costs(now, leader);
            let from_here = (now.graph, Heading::FromHere);
            match until {
                None => self.out.search_all_roads(from_here, &costs, [now.at]),
                Some(until) => {
                    self.out.search_roads(from_here, &costs, [now.at], |node| node == until);
                }
            }
            self.extra.clear();
            self.extra.resize(now.graph.len(), 0.0);
        } else {
            let (step, least) = (self.step, self.least_gap);
            let cost = |node| leader.gap(now.estimates, node).max(least) + step;
            self.out.search(now.graph, cost, [now.at], until);
        }
        self.hops.clear();
        self.hops.resize(now.graph.len(), UNKNOWN);
        self.hops[now.at as usize] = 0;
    }

    /// Begins to find the cheapest trips, if every edge leads both ways and takes no time.
    pub(super) fn begin_nearest(&mut self, now: &Situation<'_>) {
        self.out.begin(now.graph, now.at);
    }

    /// Goes on to find the cheapest trips, in order of cost. `see` gets nodes and the cost of trips to
    /// them, and says how far to go. Returns the node whose trip it wants first, if any; a later call
    /// goes on from there.
    pub(super) fn search_nearest(
        &mut self,
        now: &Situation<'_>,
        leader: &Leader,
        mut see: impl FnMut(&[NodeId], f64) -> Search,
    ) -> Option<NodeId> {
        let (step, least) = (self.step, self.least_gap);
        let cost = |node| leader.gap(now.estimates, node).max(least) + step;
        let mut dearest = f64::INFINITY;
        while let Some(expanded) = self.out.step(now.graph, cost, |_, _| true, |_, _| true) {
            // Other nodes of the same price may still offer a lower number.
            if expanded.price > dearest {
                break;
            }
            match see(expanded.new, expanded.price) {
                Search::Goes(up_to) => dearest = up_to,
                Search::Waits(node) => return Some(node),
            }
        }
        None
    }

    /// Plans the trip to `node`, the same as any other search finds, if every edge leads both ways and takes
    /// no time; returns its cost.
    pub(super) fn lay_alone(&mut self, now: &Situation<'_>, leader: &Leader, node: NodeId) -> f64 {
        let cost = self.costs(now, leader).entry;
        let home = self.alone.find(now.graph, cost, [now.at], node);
        self.way.path.clear();
        // The way home ends where the agent stands.
        self.way.path.extend(home.iter().rev().skip(1));
        self.way.path.push(node);
        self.way.lay(now.at, now.graph.len());
        self.alone.cost(node)
    }

    /// The costs of travel on roads: the nodes' shortfall from the leader's mean, and that mean per
    /// unit of time on the road.
    pub(super) fn costs<'a>(
        &self,
        now: &Situation<'a>,
        leader: &Leader,
    ) -> RoadCosts<impl Fn(NodeId) -> f64 + use<'a>> {
        let (step, least) = (self.step, self.least_gap);
        let (leader, estimates) = (*leader, now.estimates);
        let entry = move |node| leader.gap(estimates, node).max(least) + step;
        RoadCosts { entry, time: leader.mean.max(0.0) }
    }

    /// The cost of the nodes and roads between here and `node`.
    #[inline]
    pub(super) fn cost(&self, node: NodeId) -> f64 {
        self.out.cost(node)
    }

    /// The node before `node` on the cheapest trip there; `node` itself if the agent stands on it.
    #[inline]
    pub(super) fn before(&self, node: NodeId) -> NodeId {
        self.out.next(node)
    }

    /// The time of the trip to `node`. Asking for all nodes walks every edge of the tree of trips
    /// only twice.
    pub(super) fn time(&mut self, graph: &Graph, node: NodeId) -> f64 {
        if graph.roads().is_none() {
            return exact(self.hops(node));
        }
        let mut unknown = Vec::new();
        let mut known = node;
        while self.hops[known as usize] == UNKNOWN {
            unknown.push(known);
            known = self.out.next(known);
        }
        while let Some(node) = unknown.pop() {
            let before = self.out.next(node);
            let road = graph.travel(before, node).unwrap_or(0.0);
            self.hops[node as usize] = self.hops[before as usize] + 1;
            self.extra[node as usize] = self.extra[before as usize] + road;
        }
        f64::from(self.hops[node as usize]) + self.extra[node as usize]
    }

    /// The number of hops from here to `node`.
    fn hops(&mut self, node: NodeId) -> u64 {
        let (mut beyond, mut known) = (0, node);
        while self.hops[known as usize] == UNKNOWN {
            beyond += 1;
            known = self.out.next(known);
        }
        let mut hops = self.hops[known as usize] + beyond;
        let (answer, mut on_way) = (hops, node);
        while on_way != known {
            self.hops[on_way as usize] = hops;
            hops -= 1;
            on_way = self.out.next(on_way);
        }
        u64::from(answer)
    }

    /// Plans the trip to `node`.
    pub(super) fn lay_to(&mut self, now: &Situation<'_>, node: NodeId) {
        self.way.lay_back(now, &self.out, node);
    }

    /// Plans a trip to `node` that another search from here found.
    pub(super) fn lay_along(&mut self, now: &Situation<'_>, out: &CheapestPaths, node: NodeId) {
        self.way.lay_back(now, out, node);
    }

    /// The planned path.
    pub(super) fn path(&self) -> &[NodeId] {
        &self.way.path
    }

    /// The next node on the planned path.
    #[inline]
    pub(super) fn next(&self, node: NodeId) -> NodeId {
        self.way.next(node)
    }
}
