//! The planner of g-star: the trip whose gain is the largest multiple of its price, or home.
//!
//! Home is the leader, the node of highest mean. The score of a node is how much better than home
//! it is expected to be per visit; over the visits left, that is its gain. Rivals share these
//! visits ([`SharedFuture`]). The price is the cost of the trip compared to going home at once,
//! including half of the way home from there and the expected shortfall of the visits. If nothing
//! is worth its price, go home. With foresight, staying on a rival also counts the trip that coming
//! back would take ([`foresight`](super::foresight)).

use super::detours::Detours;
use super::foresight::Foresight;
use super::hunt::{self, Hunt};
use super::trips::step_cost;
use super::{Planner, SharedFuture};
use crate::agent::{Situation, Visit};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::index::{Horizon, Index, Leader};
use crate::random::Stream;
use crate::schedule::Amortized;

/// The best bargain; ties go to the lowest number. The index must score improvements: finite, zero
/// for the leader, never negative. One planner serves one run.
#[derive(Debug, Clone)]
pub struct Bargain {
    stays: Amortized,
    horizon: Horizon,
    foresight: Foresight,
    scores: Vec<f64>,
    detours: Detours,
    hunt: Hunt,
    /// From this many nodes on, not every node is priced.
    large: usize,
}

impl Bargain {
    /// A planner for legs that stay as `stays` says, with noise of this declared scale.
    pub fn new(stays: Amortized, horizon: Horizon, noise_scale: f64) -> Self {
        Self {
            stays,
            horizon,
            foresight: Foresight::default(),
            scores: Vec::new(),
            detours: Detours::new(noise_scale),
            hunt: Hunt::new(stays, horizon, step_cost(noise_scale)),
            large: hunt::LARGE,
        }
    }

    /// The same planner, which counts the trip back `foresight` times before it leaves a rival. By
    /// default, it does not count it.
    #[must_use]
    pub fn with_foresight(self, foresight: f64) -> Self {
        let foresight = Foresight(foresight);
        Self { foresight, hunt: self.hunt.with_foresight(foresight), ..self }
    }

    /// The same planner, which prices every node on graphs of fewer than `nodes` nodes. The answers
    /// are the same, whatever the number.
    #[must_use]
    pub fn with_every_node_below(self, nodes: usize) -> Self {
        Self { large: nodes, ..self }
    }

    /// The same planner, for which on graphs of at least `from` nodes, whose roads lead both ways and
    /// take no time, a bargain among the `nodes`
    /// nodes nearest by cost is enough: nodes farther away count only if there is none. By default,
    /// `from` is 20,000 and `nodes` 1,024.
    #[must_use]
    pub fn with_nearby(self, from: usize, nodes: usize) -> Self {
        let hunt = self.hunt.with_nearby(hunt::Nearby { from, nodes });
        Self { hunt, ..self }
    }

    /// Scores every node; returns the factor that turns a score into a gain.
    fn score<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) -> f64 {
        self.scores.clear();
        let mut future = SharedFuture::default();
        for node in now.graph.nodes() {
            let score = index.score(now.estimates, node, stream);
            self.scores.push(score);
            future.add(score);
        }
        future.visits(self.horizon.left(now.clock.now()))
    }

    /// With foresight, raises the score of the rival on which the agent stands. The trip to the
    /// leader must be known.
    fn look_ahead(&mut self, now: &Situation<'_>, leader: &Leader) {
        let gap = leader.gap(now.estimates, now.at);
        let stay = self.stays.visits(now.estimates.count(now.at), 0.0);
        let price = gap * exact(stay) + self.detours.trips.step();
        let straight = self.detours.trips.cost(leader.node);
        self.scores[now.at as usize] *= self.foresight.factor(straight, price);
    }

    fn destination(&mut self, now: &Situation<'_>, leader: &Leader, visits: f64) -> NodeId {
        let (mut best, mut ratio) = (leader.node, 1.0);
        for (node, score) in now.graph.nodes().zip(&self.scores) {
            let gain = visits * score;
            let gap = leader.gap(now.estimates, node);
            let detour = self.detours.cost(node);
            // One visit is the minimum; a node not worth that needs no hop count.
            if gain <= detour + gap {
                continue;
            }
            let time = self.detours.time(now.graph, node);
            let stay = self.stays.visits(now.estimates.count(node), time);
            // No price is below one step, so that ratios stay finite.
            let price = detour + gap * exact(stay) + self.detours.trips.step();
            if gain > ratio * price {
                (best, ratio) = (node, gain / price);
            }
        }
        best
    }
}

impl Planner for Bargain {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        if self.detours.trips.lay_to_unvisited(now) {
            return;
        }
        let is_large = now.graph.len() >= self.large;
        if let Some(scores) = index.improvements().filter(|_| is_large)
            && self.hunt.is_worthwhile(now.graph)
        {
            self.hunt.plan(now, scores, &mut self.detours.trips);
            return;
        }
        let leader = Leader::find(now);
        let visits = self.score(now, index, stream);
        if self.foresight.counts() && now.at != leader.node {
            self.detours.search(now, &leader);
            self.look_ahead(now, &leader);
            let destination = self.destination(now, &leader, visits);
            self.detours.trips.lay_to(now, destination);
            return;
        }
        // Most plans end here: nothing is worth a visit even if travel were free.
        let worthless =
            |(node, score): (NodeId, &f64)| visits * score <= leader.gap(now.estimates, node);
        let mut destination = leader.node;
        if now.graph.nodes().zip(&self.scores).all(worthless) {
            if now.at != leader.node {
                self.detours.trips.search_leader(now, &leader);
            }
        } else {
            self.detours.search(now, &leader);
            destination = self.destination(now, &leader, visits);
        }
        self.detours.trips.lay_to(now, destination);
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.detours.trips.next(node)
    }

    #[inline]
    fn visited(&mut self, visit: &Visit) {
        self.hunt.visited(visit.node, visit.sample.count);
    }

    fn forget_visits(&mut self) {
        self.hunt.forget_visits();
        self.detours.trips.forget_visits();
    }

    fn forget_graph(&mut self) {
        self.detours.forget_graph();
        self.hunt.forget_graph();
    }
}
