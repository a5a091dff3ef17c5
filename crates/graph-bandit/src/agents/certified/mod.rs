//! An agent with a guarantee: it walks the legs of any other agent, the *heuristic*, as long as the
//! regret so far is certainly small, and otherwise sweeps the nodes that may be best.
//!
//! ```text
//! epoch: tau, R = h sqrt(2 ell);   L(v), U(v) = mean -+ R / sqrt(n), intersected over the epoch
//! Q(leg) = sum of (visits so far + visits of the leg)(v) * max(0, max_{u != v} U(u) - L(v))
//! each leg:
//!   if Q(heuristic's leg) <= B(t) = beta R sqrt(|S| t):       walk it
//!   else if max U - max L > W(t), rounded down to 2 R / 2^k:  sweep: to the next node of the round
//!                                                             with U > max L + level / 2
//!   else:                                                     to a node that cannot lose more
//! ```
//!
//! The bound and its proof are in `docs/explanations/theory.md`, "A guarantee for any heuristic".
//! Nothing depends on which legs were walked and why, only on visits and their rewards: a replay,
//! which does not plan, ends in the same state.

mod bounds;
mod highest;
mod outlook;
mod round;
mod rule;

pub use rule::{Epoch, SafeRule, confidence_exponent};

use crate::agent::{Agent, Footing, Hearing, RemembersEdges, Situation, Visit};
use crate::confined::Confined;
use crate::cover::{Cover, Init};
use crate::graph::{Graph, NodeId, Part};
use crate::leg::{Leg, travel_time};
use crate::memory::{Memory, MemoryError, Reader};
use crate::node_scores::NodeScores;
use crate::plan::FastestPath;
use crate::raised::Raised;
use crate::random::Stream;
use bounds::{Bounds, moment};
use outlook::Outlook;
use round::Round;
use rule::is_within;

/// A stay has one visit for every `STAY` earlier visits to the node.
const STAY: u64 = 4;

/// An agent whose regret is bounded whatever its heuristic does.
///
/// The heuristic observes every visit. It is asked for every leg, and does not learn whether its
/// leg was walked. It cannot cut legs.
#[derive(Debug, Clone)]
pub struct Certified<H> {
    rule: SafeRule,
    heuristic: Option<Confined<H>>,
    bounds: Bounds,
    outlook: Outlook,
    unvisited: Cover,
    round: Option<Round>,
    paths: FastestPath,
    /// The part of the graph that it can reach, if closed edges keep it from the rest.
    within: Option<Box<Part>>,
}

/// Where an agent stands on the graph within its reach, whose nodes may be renumbered.
struct Place<'a> {
    graph: &'a Graph,
    at: NodeId,
    t: f64,
}

impl<H: Agent> Certified<H> {
    /// An agent that walks the legs of `heuristic` while that is certainly safe, on a graph of
    /// `nodes` nodes. Without a heuristic it only sweeps.
    pub fn new(nodes: usize, rule: SafeRule, heuristic: Option<H>) -> Self {
        Self {
            rule,
            heuristic: heuristic.map(Confined::new),
            bounds: Bounds::new(nodes, &rule),
            outlook: Outlook::default(),
            unvisited: Cover::new(Init::Nearest),
            round: None,
            paths: FastestPath::default(),
            within: None,
        }
    }

    /// The rule.
    pub fn rule(&self) -> &SafeRule {
        &self.rule
    }

    /// Looks at all nodes within reach.
    fn look(&mut self, now: &Situation<'_>) {
        let travel = self.bounds.travel(now);
        if now.graph.is_connected() {
            self.outlook.look(&self.bounds, now.estimates, travel);
            return;
        }
        if !self.within.as_ref().is_some_and(|part| part.is_around(now.graph, now.at)) {
            self.within = Some(Box::new(Part::around(now.graph, now.at)));
            self.forget_ways();
        }
        if let Some(part) = &self.within {
            self.outlook.look_within(&self.bounds, now.estimates, part.nodes(), travel);
        }
    }

    fn forget_ways(&mut self) {
        self.round = None;
        self.paths = FastestPath::default();
    }

    /// Whether the regret by the end of the heuristic's leg is certainly within the budget. A leg
    /// that is not on the graph is left to whoever walks it, who refuses it.
    fn is_safe(&self, place: &Place<'_>, leg: &mut Leg) -> bool {
        let Place { graph, at, t } = *place;
        if leg.path.iter().any(|&node| node as usize >= graph.len()) {
            return true;
        }
        let allowance = self.rule.allowance(&self.bounds.epoch, graph.len(), t);
        // Without a certificate, nothing is too much.
        if allowance == f64::INFINITY {
            return true;
        }
        // A leg ends at twice the end of its epoch at the latest, so that false intervals cannot
        // cost more.
        let room = 2.0 * self.bounds.epoch.end - t - travel_time(graph, at, &leg.path);
        leg.stay = leg.stay.min(room.max(0.0) as u64);
        room >= 0.0 && self.outlook.is_certified(graph, at, leg, allowance)
    }

    /// Fills in a leg of the agent's own.
    fn sweep_or_settle(
        &mut self,
        place: &Place<'_>,
        visits: impl Fn(NodeId) -> u64,
        leg: &mut Leg,
    ) {
        let Place { graph, at, t } = *place;
        let epoch = self.bounds.epoch;
        let tolerance = self.rule.tolerance(&epoch, graph.len(), t);
        let width = self.outlook.width();
        let (mut to, mut most) = (at, u64::MAX);
        if !is_within(width, tolerance) {
            let level = epoch.level(width);
            let outlook = &self.outlook;
            let known = self.round.take().filter(|round| round.fits(graph));
            let round = self.round.insert(known.unwrap_or_else(|| Round::of(graph)));
            let found = round.next(at, |node| outlook.is_swept(node, level));
            to = found.unwrap_or(at);
            most = epoch.visits_at(level).saturating_sub(visits(to));
        } else if !is_within(self.outlook.loss(at), tolerance) {
            to = self.outlook.safest;
        }
        leg.path.clear();
        if to == at {
            leg.stay = (visits(to) / STAY).min(most).max(1);
        } else {
            self.paths.append(graph, at, &[to], &mut leg.path);
            // The arrival is one of these visits.
            leg.stay = (visits(to) / STAY).min(most).saturating_sub(1);
        }
    }
}

impl<H: Agent> Agent for Certified<H> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if self.unvisited.next_leg(now, leg) {
            return Ok(());
        }
        self.look(now);
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.next_leg(now, stream, leg)?;
        }
        let t = moment(now);
        if now.graph.is_connected() {
            let place = Place { graph: now.graph, at: now.at, t };
            if self.heuristic.is_none() || !self.is_safe(&place, leg) {
                self.sweep_or_settle(&place, |node| now.estimates.count(node), leg);
            }
            return Ok(());
        }
        // Taken out, so that its graph can be borrowed beside the rest.
        let Some(part) = self.within.take() else { return Ok(()) };
        let at = part.inside(now.at).unwrap_or_default();
        let place = Place { graph: part.graph(), at, t };
        let inside = |&node: &NodeId| part.inside(node).unwrap_or(NodeId::MAX);
        let mut proposed = Leg { path: leg.path.iter().map(inside).collect(), stay: leg.stay };
        let is_safe = self.is_safe(&place, &mut proposed);
        leg.stay = proposed.stay;
        if self.heuristic.is_none() || !is_safe {
            let visits = |node: NodeId| now.estimates.count(part.nodes()[node as usize]);
            self.sweep_or_settle(&place, visits, leg);
            part.outside(&mut leg.path);
        }
        self.within = Some(part);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.bounds.observe(&self.rule, now, visit);
        self.outlook.visited(visit.node, visit.sample.count);
        match &mut self.heuristic {
            Some(heuristic) => heuristic.observe(now, visit),
            None => Ok(()),
        }
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn reveal(&mut self, changes: &[f64]) {
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.reveal(changes);
        }
    }

    fn ready(&self) -> Result<(), Raised> {
        self.heuristic.as_ref().map_or(Ok(()), Agent::ready)
    }

    /// The heuristic's scores, or the upper bounds.
    fn node_scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<NodeScores> {
        if let Some(heuristic) = &mut self.heuristic
            && let Some(scores) = heuristic.node_scores(now, stream)
        {
            return Some(scores);
        }
        self.scores(now, stream).map(NodeScores::from)
    }

    fn overheard(&mut self, now: &Situation<'_>, node: NodeId) {
        self.outlook.visited(node, 1);
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.overheard(now, node);
        }
    }

    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        if let Some(heuristic) = &mut self.heuristic
            && let Some(scores) = heuristic.scores(now, stream)
        {
            return Some(scores);
        }
        self.look(now);
        if now.graph.is_connected() {
            return Some(self.outlook.upper().to_vec());
        }
        let mut scores = vec![f64::NAN; now.graph.len()];
        for (&node, &upper) in self.within.as_ref()?.nodes().iter().zip(self.outlook.upper()) {
            scores[node as usize] = upper;
        }
        Some(scores)
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        if let Some(heuristic) = &mut self.heuristic {
            heuristic.change_graph(graph)?;
        }
        self.unvisited = Cover::new(Init::Nearest);
        self.within = None;
        self.outlook.forget();
        self.forget_ways();
        Ok(())
    }

    fn footing(&self) -> Footing {
        match &self.heuristic {
            Some(heuristic) => heuristic.footing(),
            None => Footing::Parts,
        }
    }

    fn memory(&self) -> Memory {
        let mut memory = self.heuristic.as_ref().map(Agent::memory).unwrap_or_default();
        let mut own = Memory::default();
        self.bounds.store(&mut own);
        own.values.append(&mut memory.values);
        own.counts.append(&mut memory.counts);
        own
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        let mut stored = Reader::new(memory)?;
        let bounds = self.bounds.recall(&self.rule, &mut stored)?;
        let mut own = Memory::default();
        bounds.store(&mut own);
        let rest = Memory {
            values: memory.values[own.values.len()..].to_vec(),
            counts: memory.counts[own.counts.len()..].to_vec(),
        };
        let recalled = match &mut self.heuristic {
            Some(heuristic) => heuristic.recall(&rest),
            None => rest.expect(0, 0).map(|_| ()),
        };
        recalled.map_err(|error| beside(error, &own))?;
        self.bounds = bounds;
        self.outlook.forget();
        Ok(())
    }
}

/// The error of a heuristic whose memory lies behind `own`.
fn beside(error: MemoryError, own: &Memory) -> MemoryError {
    let (behind, after) = (own.values.len(), own.counts.len());
    match error {
        MemoryError::WrongSize { values, counts, expected_values, expected_counts } => {
            MemoryError::WrongSize {
                values: values + behind,
                counts: counts + after,
                expected_values: expected_values + behind,
                expected_counts: expected_counts + after,
            }
        }
        MemoryError::TooMany { position, count } => {
            MemoryError::TooMany { position: position + after, count }
        }
        MemoryError::NotFinite { position, value } => {
            MemoryError::NotFinite { position: position + behind, value }
        }
        error => error,
    }
}
