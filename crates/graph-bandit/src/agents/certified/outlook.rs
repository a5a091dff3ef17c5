//! The intervals of all nodes within reach, at one moment.

use super::bounds::Bounds;
use super::rule::is_within;
use crate::estimates::{Estimates, MAX_VISITS};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::leg::{Leg, travel_time};

/// The intervals of the nodes of a graph, and what follows from them.
#[derive(Debug, Clone, Default)]
pub(super) struct Outlook {
    lower: Vec<f64>,
    upper: Vec<f64>,
    /// A node of highest upper bound.
    top: usize,
    /// The highest upper bound, and the highest of all other nodes.
    highest: (f64, f64),
    /// The node of highest lower bound; ties go to the lowest number.
    pub(super) safest: NodeId,
    /// The regret so far is at most this, if all intervals hold.
    certified: f64,
}

impl Outlook {
    /// Looks at these nodes. `travel` is the time spent on roads.
    pub(super) fn look(
        &mut self,
        bounds: &Bounds,
        estimates: &Estimates,
        nodes: impl Iterator<Item = NodeId> + Clone,
        travel: f64,
    ) {
        self.lower.clear();
        self.upper.clear();
        (self.top, self.safest, self.highest) = (0, 0, (f64::NEG_INFINITY, f64::NEG_INFINITY));
        for (inside, node) in nodes.clone().enumerate() {
            let (lower, upper) = bounds.of(estimates, node as usize);
            if upper > self.highest.0 {
                (self.top, self.highest) = (inside, (upper, self.highest.0));
            } else {
                self.highest.1 = self.highest.1.max(upper);
            }
            if inside > 0 && lower > self.lower[self.safest as usize] {
                self.safest = inside as NodeId;
            }
            self.lower.push(lower);
            self.upper.push(upper);
        }
        self.certified = self.cost_of_time(travel);
        for (inside, node) in nodes.enumerate() {
            let visits = bounds.own(node as usize);
            if visits > 0 {
                self.certified += exact(visits) * self.cost(inside);
            }
        }
    }

    /// A visit to this node costs at most this, if all intervals hold.
    #[inline]
    fn cost(&self, node: usize) -> f64 {
        let best = if node == self.top { self.highest.1 } else { self.highest.0 };
        (best - self.lower[node]).max(0.0)
    }

    /// Time on roads costs at most this, if all intervals hold.
    fn cost_of_time(&self, time: f64) -> f64 {
        if time > 0.0 { self.highest.0.max(0.0) * time } else { 0.0 }
    }

    /// `Q`: the regret by the end of the leg is at most this, if all intervals hold.
    pub(super) fn certified(&self, graph: &Graph, at: NodeId, leg: &Leg) -> f64 {
        let path: f64 = leg.path.iter().map(|&node| self.cost(node as usize)).sum();
        let stay = match leg.stay {
            0 => 0.0,
            // A stay may be endless.
            stay => exact(stay.min(MAX_VISITS)) * self.cost(leg.destination(at) as usize),
        };
        let roads = match graph.roads() {
            None => 0.0,
            Some(_) => travel_time(graph, at, &leg.path) - exact(leg.path.len() as u64),
        };
        self.certified + path + stay + self.cost_of_time(roads)
    }

    /// How well the best mean is known: the highest upper bound minus the highest lower one.
    pub(super) fn width(&self) -> f64 {
        self.loss(self.safest)
    }

    /// How much better than `node` some node may be.
    pub(super) fn loss(&self, node: NodeId) -> f64 {
        self.highest.0 - self.lower[node as usize]
    }

    /// Whether `node` may be better than the highest lower bound by more than half a level.
    pub(super) fn is_swept(&self, node: NodeId, level: f64) -> bool {
        !is_within(self.upper[node as usize] - self.lower[self.safest as usize], level / 2.0)
    }

    /// The upper bounds, by node.
    pub(super) fn upper(&self) -> &[f64] {
        &self.upper
    }
}
