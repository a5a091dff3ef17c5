//! What trips cost, and what is known about the path home.

use super::MARGIN;
use super::home_costs::{HomeCosts, price_of_time};
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Leader;
use crate::plan::RoadCosts;
use crate::planner::detours::WAY_HOME;

/// By how much more is wanted than needed, so that it is enough however it is rounded.
const WANTED: f64 = 1e-6;

/// What is known about the path home.
#[derive(Debug, Clone, Copy)]
pub(super) enum Home<'a> {
    /// The agent is at home: the way there is the way back.
    Here,
    /// What the path costs from here, and from all nodes within the radius of the table; from
    /// elsewhere it costs more than that.
    Known { straight: f64, costs: &'a HomeCosts },
    /// The path costs at least this from here. If here is outside the table, it costs as much from
    /// where it enters the table.
    Far { at_least: f64, table: Option<&'a HomeCosts> },
}

impl Home<'_> {
    /// What the path home costs from here, if that had to be found out.
    pub(super) fn straight(&self) -> Option<f64> {
        match *self {
            Home::Known { straight, .. } => Some(straight),
            Home::Here | Home::Far { .. } => None,
        }
    }
}

/// What the pricing of a node needs to know.
pub(super) struct Prices<'a> {
    pub(super) now: &'a Situation<'a>,
    pub(super) leader: Leader,
    pub(super) step: f64,
    pub(super) home: Home<'a>,
}

impl Prices<'_> {
    /// Whether roads run one way or take time.
    #[inline]
    pub(super) fn are_by_road(&self) -> bool {
        self.now.graph.roads().is_some()
    }

    /// The costs of travel on roads.
    #[inline]
    pub(super) fn on_roads(&self) -> RoadCosts<impl Fn(NodeId) -> f64 + '_> {
        RoadCosts { entry: |node| self.entry(node), time: price_of_time(&self.leader) }
    }

    /// Whether it is known what the path home costs from a node.
    #[inline]
    fn is_way_home_known(&self, node: NodeId) -> bool {
        match self.home {
            Home::Known { costs, .. } => {
                costs.of(node) < f64::INFINITY || costs.radius() == f64::INFINITY
            }
            _ => true,
        }
    }

    /// Whether [`detour`](Self::detour) is the detour to a node if the trip there costs `out`: the
    /// path home from there is known, or too short to matter.
    #[inline]
    pub(super) fn is_detour_known(&self, node: NodeId, out: f64) -> bool {
        let is_free = match self.home {
            Home::Known { straight, .. } if !self.are_by_road() => self.needs_none(out, straight),
            _ => false,
        };
        is_free || self.is_way_home_known(node)
    }

    #[inline]
    pub(super) fn entry(&self, node: NodeId) -> f64 {
        self.leader.gap(self.now.estimates, node) + self.step
    }

    /// The cost of going to a node before going home, as [`Detours`](crate::planner::detours)
    /// computes it, or less if that [is not known](Self::is_detour_known). Far from home, only for
    /// trips that [are free](Self::are_free).
    #[inline]
    pub(super) fn detour(&self, node: NodeId, out: f64) -> f64 {
        match self.home {
            Home::Here => detour(out, out, 0.0),
            Home::Known { straight, costs } => detour(out, back(costs, node), straight),
            Home::Far { .. } => 0.0,
        }
    }

    /// Whether trips that cost `out` need no detour if the path home costs at least `straight`.
    ///
    /// One may go home by returning here first: `back <= out + entry + straight`, with the entry
    /// cost of this node. So `out + back / 2 <= straight` if `3 out + entry <= straight`.
    #[inline]
    fn needs_none(&self, out: f64, straight: f64) -> bool {
        3.0 * out + self.entry(self.now.at) <= straight * (1.0 - MARGIN)
    }

    /// Whether trips that cost `out` need no detour, if no node of the table costs less than
    /// `explored` to reach.
    #[inline]
    pub(super) fn are_free(&self, out: f64, explored: f64) -> bool {
        match self.home {
            Home::Here | Home::Known { .. } => true,
            Home::Far { at_least, table } => {
                let straight = at_least + if table.is_some() { explored } else { 0.0 };
                self.needs_none(out, straight)
            }
        }
    }

    /// The table that the path home leads into.
    #[inline]
    pub(super) fn table_ahead(&self) -> Option<&HomeCosts> {
        match self.home {
            Home::Far { table, .. } => table,
            _ => None,
        }
    }

    /// Less than the detour to a node if the trip there costs at least `out`.
    pub(super) fn least_detour(&self, node: NodeId, out: f64) -> f64 {
        let (straight, back) = match self.home {
            Home::Here => return self.detour(node, out) * (1.0 - MARGIN),
            Home::Far { .. } => return 0.0,
            Home::Known { straight, costs } => (straight, back(costs, node)),
        };
        if back == f64::INFINITY {
            return f64::INFINITY;
        }
        // The triangle of here, there and home; entry costs count once. Where roads run one way or
        // take time, the way from there to here may be another one than the way there.
        let mut out = out;
        if self.is_way_home_known(node) {
            out = out.max(straight - back - self.entry(node));
        }
        if !self.are_by_road() {
            out = out.max(back - straight - self.entry(self.now.at));
        }
        (detour(out, back, straight) - MARGIN * (out + back + straight)).max(0.0)
    }

    /// More than a trip to a node may cost if its detour costs at most `detour`.
    pub(super) fn dearest_trip(&self, node: NodeId, detour: f64) -> f64 {
        match self.home {
            Home::Known { straight, costs } => {
                let back = back(costs, node);
                let most = straight + detour - WAY_HOME * back;
                most + MARGIN * (straight + detour.abs() + back)
            }
            Home::Here | Home::Far { .. } => f64::INFINITY,
        }
    }

    /// How far from home all costs must be known to know the detour of a trip that costs `out`, or that
    /// it costs more than `detour`.
    pub(super) fn radius_that_decides(&self, out: f64, detour: f64) -> f64 {
        let Home::Known { straight, .. } = self.home else { return f64::INFINITY };
        let enough = (straight + detour - out) / WAY_HOME;
        // One may go home by returning here first.
        let most = straight + out + self.entry(self.now.at);
        enough.min(most) + WANTED * (enough.abs() + most)
    }

    /// At most the cost of the way from one node to another, without both.
    ///
    /// By the triangle of both and home; the entry cost of the corner in between counts once.
    #[inline]
    pub(super) fn least_between(&self, from: NodeId, to: NodeId) -> f64 {
        let Home::Known { costs, .. } = self.home else { return 0.0 };
        let (a, b) = (costs.of(from).min(costs.radius()), costs.of(to).min(costs.radius()));
        let least = if a > b {
            a - b - self.entry(to)
        } else if self.are_by_road() {
            // The way in the other direction may be another one.
            0.0
        } else {
            b - a - self.entry(from)
        };
        (least - MARGIN * (a + b)).max(0.0)
    }

    /// Whether a trip over a node may cost a detour of at most `most`, if it enters the node at a
    /// total cost of `beyond`.
    #[inline]
    pub(super) fn leads_to_bargain(&self, node: NodeId, beyond: f64, most: f64) -> bool {
        let (straight, back) = match self.home {
            Home::Here => (0.0, beyond - self.entry(node)),
            Home::Far { .. } => return true,
            Home::Known { straight, costs } => (straight, back(costs, node)),
        };
        let cost = beyond + WAY_HOME * back;
        cost - straight <= most + MARGIN * (cost + straight)
    }
}

#[inline]
fn detour(out: f64, back: f64, straight: f64) -> f64 {
    (out + WAY_HOME * back - straight).max(0.0)
}

/// What the path home costs from a node, or less if that is not known.
#[inline]
fn back(costs: &HomeCosts, node: NodeId) -> f64 {
    costs.of(node).min(costs.radius())
}
