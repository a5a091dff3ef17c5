//! What it costs to visit a node on the way home, compared to going home at once.

use super::trips::Trips;
use crate::agent::Situation;
use crate::graph::{Graph, NodeId};
use crate::index::Leader;
use crate::plan::{CheapestPaths, Heading};

/// The share of the way home that counts: it may lead to another destination.
pub(super) const WAY_HOME: f64 = 0.5;

/// The trips from where the agent stands and the ways home, to the leader.
#[derive(Debug, Clone)]
pub(super) struct Detours {
    pub(super) trips: Trips,
    home: CheapestPaths,
    home_is: Home,
    straight: f64,
}

/// How the paths home are known.
#[derive(Debug, Clone, Copy)]
enum Home {
    /// The agent is at home, and the path there is the path back.
    LooksBack,
    /// By a separate search.
    Searched,
}

impl Detours {
    /// Detours with noise of this declared scale.
    pub(super) fn new(noise_scale: f64) -> Self {
        Self {
            trips: Trips::new(noise_scale),
            home: CheapestPaths::default(),
            home_is: Home::Searched,
            straight: 0.0,
        }
    }

    /// Finds the cheapest trip to every node and the cheapest way home from it.
    pub(super) fn search(&mut self, now: &Situation<'_>, leader: &Leader) {
        self.trips.search(now, leader);
        self.home_is = self.search_home(now, leader);
        self.straight = self.trips.cost(leader.node);
    }

    /// Finds the cheapest paths to the leader, unless they equal the paths from here.
    fn search_home(&mut self, now: &Situation<'_>, leader: &Leader) -> Home {
        if now.graph.roads().is_some() {
            let costs = self.trips.costs(now, leader);
            let there = (now.graph, Heading::There);
            self.home.search_all_roads(there, &costs, [leader.node]);
        } else if now.at == leader.node {
            return Home::LooksBack;
        } else {
            let step = self.trips.step();
            let cost = |node| leader.gap(now.estimates, node) + step;
            self.home.search(now.graph, cost, [leader.node], None);
        }
        Home::Searched
    }

    /// The cost of going to `node` before going home; never negative.
    #[inline]
    pub(super) fn cost(&self, node: NodeId) -> f64 {
        (self.trips.cost(node) + WAY_HOME * self.back(node) - self.straight).max(0.0)
    }

    /// The cost of the way home from `node`.
    #[inline]
    pub(super) fn back(&self, node: NodeId) -> f64 {
        match self.home_is {
            Home::LooksBack => self.trips.cost(node),
            Home::Searched => self.home.cost(node),
        }
    }

    /// The cost of going home at once.
    #[inline]
    pub(super) fn straight(&self) -> f64 {
        self.straight
    }

    /// The time of the trip to `node`.
    pub(super) fn time(&mut self, graph: &Graph, node: NodeId) -> f64 {
        self.trips.time(graph, node)
    }

    /// Forgets all nodes and edges.
    pub(super) fn forget_graph(&mut self) {
        self.trips.forget_graph();
        self.home = CheapestPaths::default();
    }
}
