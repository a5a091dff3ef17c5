//! The cheapest paths to the goal by roads not known to be closed.

use crate::belief::{Belief, Status};
use crate::keys::{Key, KeyMap};
use crate::network::{RoadId, Step};
use crate::trip::Trip;
use graph_bandit::NodeId;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// No road: at the goal, or without a path to it.
const NONE: RoadId = RoadId::MAX;
/// The most nodes whose times and roads are cached, about 64 megabytes.
const MOST_REMEMBERED: usize = 1 << 22;

/// The distance of a node from the goal: time, then roads.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Distance {
    pub(crate) time: f64,
    pub(crate) roads: u32,
}

impl Distance {
    pub(crate) const ZERO: Self = Self { time: 0.0, roads: 0 };
    const FAR: Self = Self { time: f64::INFINITY, roads: u32::MAX };

    #[inline]
    fn order(&self, other: &Self) -> Ordering {
        self.time.total_cmp(&other.time).then(self.roads.cmp(&other.roads))
    }
}

/// A waiting node; the nearest comes first.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Waiting {
    pub(crate) distance: Distance,
    pub(crate) node: NodeId,
}

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.distance.order(&self.distance).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Dijkstra's method from the goal: from every node the least time, then the fewest roads, then the
/// lowest next node.
#[derive(Debug, Clone, Default)]
pub(crate) struct CheapestWays {
    distances: Vec<Distance>,
    next: Vec<Step>,
    queue: BinaryHeap<Waiting>,
}

impl CheapestWays {
    /// Finds the paths by allowed roads.
    pub(crate) fn search(&mut self, trip: &Trip, is_allowed: impl Fn(RoadId) -> bool) {
        let network = trip.network();
        self.distances.clear();
        self.distances.resize(network.nodes(), Distance::FAR);
        self.next.clear();
        self.next.resize(network.nodes(), Step { road: NONE, node: NodeId::MAX });
        self.queue.clear();
        self.distances[trip.goal() as usize] = Distance::ZERO;
        self.queue.push(Waiting { distance: Distance::ZERO, node: trip.goal() });
        while let Some(Waiting { distance, node }) = self.queue.pop() {
            if distance != self.distances[node as usize] {
                continue;
            }
            for step in network.arriving(node) {
                if !is_allowed(step.road) {
                    continue;
                }
                let from = step.node as usize;
                let time = distance.time + network.time(step.road);
                let reached = Distance { time, roads: distance.roads + 1 };
                match reached.order(&self.distances[from]) {
                    Ordering::Less => {
                        self.distances[from] = reached;
                        self.next[from] = Step { road: step.road, node };
                        self.queue.push(Waiting { distance: reached, node: step.node });
                    }
                    Ordering::Equal if node < self.next[from].node => {
                        self.next[from] = Step { road: step.road, node };
                    }
                    _ => {}
                }
            }
        }
    }

    /// The time from a node to the goal; infinite without a path.
    pub(crate) fn time(&self, node: NodeId) -> f64 {
        self.distances[node as usize].time
    }
}

/// The cached values of one node: the time to the goal and the next road.
#[derive(Debug, Clone, Copy)]
struct Way {
    time: f64,
    next: Step,
}

/// The cheapest paths by roads not known to be closed, cached by the roads known to be closed.
#[derive(Debug, Clone)]
pub(crate) struct KnownWays<'a> {
    trip: &'a Trip,
    search: CheapestWays,
    tables: KeyMap<u32>,
    ways: Vec<Way>,
}

/// The paths under one set of closed roads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Table(u32);

impl<'a> KnownWays<'a> {
    pub(crate) fn new(trip: &'a Trip) -> Self {
        let (tables, ways) = (KeyMap::default(), Vec::new());
        Self { trip, search: CheapestWays::default(), tables, ways }
    }

    pub(crate) fn trip(&self) -> &'a Trip {
        self.trip
    }

    /// The paths of a belief. A table is valid until the next call.
    #[inline]
    pub(crate) fn of(&mut self, belief: &Belief) -> Table {
        let key: Key = belief.closed_key();
        match self.tables.get(&key) {
            Some(&first) => Table(first),
            None => self.make(key, belief),
        }
    }

    #[cold]
    fn make(&mut self, key: Key, belief: &Belief) -> Table {
        let nodes = self.trip.network().nodes();
        if self.ways.len() + nodes > MOST_REMEMBERED {
            self.ways.clear();
            self.tables.clear();
        }
        self.search.search(self.trip, |road| belief.status(road) != Status::Closed);
        let first = self.ways.len() as u32;
        let ways = self.search.distances.iter().zip(&self.search.next);
        self.ways.extend(ways.map(|(distance, &next)| Way { time: distance.time, next }));
        self.tables.insert(key, first);
        Table(first)
    }

    /// The time from a node to the goal; infinite without a path.
    #[inline]
    pub(crate) fn time(&self, table: Table, node: NodeId) -> f64 {
        self.ways[(table.0 + node) as usize].time
    }

    /// The first road of the path; `None` at the goal or without a path.
    #[inline]
    pub(crate) fn next(&self, table: Table, node: NodeId) -> Option<Step> {
        let next = self.ways[(table.0 + node) as usize].next;
        (next.road != NONE).then_some(next)
    }
}
