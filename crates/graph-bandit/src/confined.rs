//! An agent that sees only the part of the graph it can reach.
//!
//! When closed edges cut nodes off, planners would have to skip these nodes one by one, and every
//! run would pay for that. Instead the agent gets a graph of its own: the part it can reach, with
//! nodes renumbered in the same order, and the estimates of these nodes. Its legs are translated
//! back to the map's numbers. Bounds still count all visits, including visits to nodes out of
//! reach.

use crate::agent::{Agent, Footing, Hearing, RemembersEdges, Situation, Visit};
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId, Part};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::node_scores::NodeScores;
use crate::raised::Raised;
use crate::random::Stream;
use std::borrow::Cow;

/// An agent on the part of the graph that it can reach, which is all of it while the graph is
/// connected.
#[derive(Debug, Clone)]
pub struct Confined<A> {
    agent: A,
    view: Option<Box<View>>,
}

/// Everything the agent sees.
#[derive(Debug, Clone)]
struct View {
    part: Part,
    estimates: Estimates,
}

impl<A: Agent> Confined<A> {
    /// Wraps an agent that sees the whole graph so far.
    pub fn new(agent: A) -> Self {
        Self { agent, view: None }
    }

    /// Whether the agent may see only a part of the graph.
    fn needs_part(&self, now: &Situation<'_>) -> bool {
        !now.graph.is_connected() && self.agent.footing() != Footing::Parts
    }

    /// Gives the agent the part it can reach, with the current estimates.
    fn show(&mut self, now: &Situation<'_>) -> Result<(), Raised> {
        let is_there = |view: &View| view.part.is_around(now.graph, now.at);
        match &mut self.view {
            Some(view) if is_there(view) => {
                // Another walker reported a reward, which agents do not observe.
                if view.estimates.visits() != now.estimates.visits() {
                    view.estimates = now.estimates.of_part(view.part.nodes());
                }
            }
            _ => {
                let part = Part::around(now.graph, now.at);
                self.agent.change_graph(part.graph())?;
                let estimates = now.estimates.of_part(part.nodes());
                self.view = Some(Box::new(View { part, estimates }));
            }
        }
        Ok(())
    }
}

impl View {
    /// The situation of a walker on node `at` of the part.
    fn seen_from<'a>(&'a self, at: NodeId, now: &Situation<'a>) -> Situation<'a> {
        Situation { graph: self.part.graph(), at, estimates: &self.estimates, clock: now.clock }
    }
}

impl<A: Agent> Agent for Confined<A> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if !self.needs_part(now) {
            return self.agent.next_leg(now, stream, leg);
        }
        self.show(now)?;
        if let Some(view) = &self.view
            && let Some(at) = view.part.inside(now.at)
        {
            self.agent.next_leg(&view.seen_from(at, now), stream, leg)?;
            view.part.outside(&mut leg.path);
        }
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        if !self.needs_part(now) {
            return self.agent.observe(now, visit);
        }
        let known = self.view.as_ref().and_then(|view| view.part.inside(visit.node));
        match (&mut self.view, known) {
            (Some(view), Some(node)) => {
                view.estimates.follow(node, *now.estimates.sample(visit.node), visit.sample.count);
            }
            // The walker was carried into another part, or has not planned since edges closed.
            _ => self.show(now)?,
        }
        let Some(view) = &self.view else { return Ok(()) };
        let Some(node) = view.part.inside(visit.node) else { return Ok(()) };
        let from = view.part.inside(visit.from).unwrap_or(node);
        self.agent.observe(&view.seen_from(node, now), &Visit { from, node, ..*visit })
    }

    fn hearing(&self) -> Hearing {
        self.agent.hearing()
    }

    fn cuts(&self) -> bool {
        self.agent.cuts()
    }

    fn found_change(&self) -> bool {
        self.agent.found_change()
    }

    fn reveal(&mut self, changes: &[f64]) {
        self.agent.reveal(changes);
    }

    fn ready(&self) -> Result<(), Raised> {
        self.agent.ready()
    }

    /// The scores of reachable nodes; NaN for the others.
    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        if !self.needs_part(now) {
            return self.agent.scores(now, stream);
        }
        self.show(now).ok()?;
        let view = self.view.as_ref()?;
        let inside = view.seen_from(view.part.inside(now.at)?, now);
        let scores = self.agent.scores(&inside, stream)?;
        let mut all = vec![f64::NAN; now.graph.len()];
        for (&node, score) in view.part.nodes().iter().zip(scores) {
            all[node as usize] = score;
        }
        Some(all)
    }

    fn node_scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<NodeScores> {
        if !self.needs_part(now) {
            return self.agent.node_scores(now, stream);
        }
        self.scores(now, stream).map(NodeScores::from)
    }

    fn overheard(&mut self, now: &Situation<'_>, node: NodeId) {
        // On a part, the agent gets all estimates again before it plans.
        if !self.needs_part(now) {
            self.agent.overheard(now, node);
        }
    }

    fn remembered(&self, now: &Situation<'_>) -> Option<Cow<'_, Estimates>> {
        // An agent that is shown a part of the graph remembers nothing by node number.
        if self.needs_part(now) { None } else { self.agent.remembered(now) }
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        // The part is chosen when the agent is asked for a leg.
        if graph.is_connected() || self.agent.footing() == Footing::Parts {
            self.agent.change_graph(graph)?;
        }
        self.view = None;
        Ok(())
    }

    fn footing(&self) -> Footing {
        match self.agent.footing() {
            Footing::SameNodes => Footing::SameNodes,
            Footing::AnyGraph | Footing::Parts => Footing::Parts,
        }
    }

    fn memory(&self) -> Memory {
        self.agent.memory()
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        self.agent.recall(memory)
    }
}
