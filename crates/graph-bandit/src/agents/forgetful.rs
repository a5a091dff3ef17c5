//! The agent for rewards that change: what it still remembers, an index, a planner and a schedule.

use super::{Episodic, Exploration, Explorer};
use crate::agent::{Agent, Footing, Hearing, RemembersEdges, Situation, Visit};
use crate::estimates::Estimates;
use crate::forgetting::{Forgot, Recollection};
use crate::graph::{Graph, Part};
use crate::index::Index;
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError, Reader};
use crate::planner::Planner;
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::Schedule;
use std::borrow::Cow;

/// An agent whose parts see only the rewards that it still remembers.
///
/// A leg ends early when something is forgotten suddenly: means have changed, and the plan with
/// them.
#[derive(Debug, Clone)]
pub struct Forgetful<R, I, P, S> {
    recollection: R,
    explorer: Explorer,
    parts: Episodic<I, P, S>,
    /// The part of the graph that it can reach, if closed edges keep it from the rest.
    within: Option<Box<Part>>,
    /// Whether the planner has seen visits that no longer count.
    is_outdated: bool,
    /// Whether the last visit ended the leg.
    is_cut: bool,
}

impl<R: Recollection, I: Index, P: Planner, S: Schedule> Forgetful<R, I, P, S> {
    /// An agent of these parts that never explores by force.
    pub fn new(recollection: R, parts: Episodic<I, P, S>) -> Self {
        let explorer = Explorer::new(0, Exploration::None);
        Self { recollection, explorer, parts, within: None, is_outdated: false, is_cut: false }
    }

    /// The same agent, exploring in this way.
    #[must_use]
    pub fn exploring(mut self, exploration: Exploration) -> Self {
        let nodes = self.recollection.estimates().samples().len();
        self.explorer = Explorer::new(nodes, exploration);
        self
    }

    /// What it still remembers.
    pub fn recollection(&self) -> &R {
        &self.recollection
    }

    /// Shows its parts what is still remembered.
    fn refresh(&mut self) {
        self.recollection.refresh();
        if let Some(ages) = self.recollection.ages() {
            self.parts.index.count_from(ages);
        }
        if self.is_outdated {
            self.parts.index.forget_visits();
            self.parts.planner.forget_visits();
            self.is_outdated = false;
        }
    }

    /// Plans on the part of the graph within reach, renumbered.
    fn next_leg_within(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if !self.within.as_ref().is_some_and(|part| part.is_around(now.graph, now.at)) {
            let part = Box::new(Part::around(now.graph, now.at));
            self.forget_graph(part.graph())?;
            self.within = Some(part);
        }
        let Some(part) = &self.within else { return Ok(()) };
        let Some(at) = part.inside(now.at) else { return Ok(()) };
        if let Some(ages) = self.recollection.ages() {
            let ages: Vec<u64> = part.nodes().iter().map(|&node| ages[node as usize]).collect();
            self.parts.index.count_from(&ages);
        }
        let estimates = self.recollection.estimates().of_part(part.nodes());
        let inside = Situation { graph: part.graph(), at, estimates: &estimates, clock: now.clock };
        if !self.explorer.next_leg(&inside, part.nodes(), stream, leg) {
            self.parts.next_leg(&inside, stream, leg)?;
        }
        part.outside(&mut leg.path);
        Ok(())
    }

    fn forget_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        self.explorer.forget_graph();
        self.parts.change_graph(graph)
    }
}

impl<R: Recollection, I: Index, P: Planner, S: Schedule> Agent for Forgetful<R, I, P, S> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.recollection.ready()?;
        self.refresh();
        if !now.graph.is_connected() {
            return self.next_leg_within(now, stream, leg);
        }
        let remembered = Situation { estimates: self.recollection.estimates(), ..*now };
        if self.explorer.next_leg(&remembered, &[], stream, leg) {
            return Ok(());
        }
        self.parts.next_leg(&remembered, stream, leg)
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        let forgot = self.recollection.observe(now, visit);
        self.is_cut = forgot == Forgot::Suddenly;
        self.is_outdated |= forgot != Forgot::Nothing;
        self.explorer.observe(visit, self.is_cut);
        if self.within.is_some() {
            // The planner knows nodes by other numbers.
            self.is_outdated = true;
            return Ok(());
        }
        self.parts.observe(now, visit)
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn cuts(&self) -> bool {
        self.is_cut
    }

    fn found_change(&self) -> bool {
        self.is_cut && self.recollection.finds_changes()
    }

    fn reveal(&mut self, changes: &[f64]) {
        self.recollection.reveal(changes);
    }

    fn ready(&self) -> Result<(), Raised> {
        self.recollection.ready()
    }

    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        self.refresh();
        let remembered = Situation { estimates: self.recollection.estimates(), ..*now };
        let mut scores = self.parts.scores(&remembered, stream)?;
        if !now.graph.is_connected() {
            let part = Part::around(now.graph, now.at);
            let out_of_reach = now.graph.nodes().filter(|&node| !part.holds(node));
            out_of_reach.for_each(|node| scores[node as usize] = f64::NAN);
        }
        Some(scores)
    }

    fn remembered(&self, _now: &Situation<'_>) -> Option<Cow<'_, Estimates>> {
        Some(self.recollection.refreshed())
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        self.within = None;
        self.forget_graph(graph)
    }

    fn footing(&self) -> Footing {
        Footing::Parts
    }

    fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        self.recollection.store(&mut memory);
        self.explorer.store(&mut memory);
        memory
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        let mut stored = Reader::new(memory)?;
        let recollection = self.recollection.recall(&mut stored)?;
        let explorer = self.explorer.recall(&mut stored)?;
        stored.finish()?;
        (self.recollection, self.explorer) = (recollection, explorer);
        self.is_outdated = true;
        Ok(())
    }
}
