//! The agent: g-star until a change is found, then the best bargain among trips to stay and trips to
//! look.

use super::knowledge::{Expected, Knowledge, Lesson, Seen};
use super::outlook::Outlook;
use super::record::Record;
use crate::agent::{Agent, Footing, Hearing, RemembersEdges, Situation, Visit};
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId, Part};
use crate::leg::{Leg, travel_time};
use crate::memory::{Memory, MemoryError};
use crate::planner::{Patrol, Purpose};
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::Amortized;
use std::borrow::Cow;

/// The parts of the agent.
pub(super) struct Parts<A> {
    /// The agent for as long as nothing has changed.
    pub(super) unchanged: A,
    pub(super) outlook: Outlook,
    pub(super) stays: Amortized,
    pub(super) expected: Expected,
}

/// An agent for rewards that change at unknown times.
pub(super) struct Drifting<A> {
    unchanged: A,
    outlook: Outlook,
    patrol: Patrol,
    stays: Amortized,
    knowledge: Knowledge,
    /// The part of the graph within reach, if that is not all of it.
    within: Option<Box<Part>>,
    /// What was learned from the last visit.
    lesson: Lesson,
}

impl<A: Agent> Drifting<A> {
    pub(super) fn new(parts: Parts<A>, nodes: usize) -> Self {
        let Parts { unchanged, outlook, stays, expected } = parts;
        Self {
            unchanged,
            outlook,
            patrol: Patrol::new(stays, expected.noise_scale),
            stays,
            knowledge: Knowledge::new(nodes, &expected),
            within: None,
            lesson: Lesson::default(),
        }
    }

    /// Plans a leg on the part of the graph that has these records; `None` if that is all of it.
    fn plan(
        &mut self,
        now: &Situation<'_>,
        records: Option<&[Record]>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if !self.knowledge.are_changes_possible() {
            return self.unchanged.next_leg(now, stream, leg);
        }
        let records = records.unwrap_or(self.knowledge.records());
        self.outlook.look(now, records, self.knowledge.changes());
        let believed = Situation { estimates: self.outlook.believed(), ..*now };
        let (leader, prospects) = self.outlook.prospects();
        let purpose = self.patrol.plan(&believed, &leader, &prospects);
        leg.path.clear();
        leg.path.extend_from_slice(self.patrol.path());
        let visits = match purpose {
            Purpose::Look => 1,
            Purpose::Stay => {
                let destination = leg.destination(now.at);
                let time = travel_time(now.graph, now.at, &leg.path);
                self.stays.visits(believed.estimates.count(destination), time)
            }
        };
        leg.stay = visits - u64::from(!leg.path.is_empty());
        Ok(())
    }
}

impl<A: Agent> Agent for Drifting<A> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if now.graph.is_connected() {
            return self.plan(now, None, stream, leg);
        }
        if !self.within.as_ref().is_some_and(|part| part.is_around(now.graph, now.at)) {
            let part = Box::new(Part::around(now.graph, now.at));
            self.change_graph(part.graph())?;
            self.within = Some(part);
        }
        let Some(part) = self.within.take() else { return Ok(()) };
        if let Some(at) = part.inside(now.at) {
            let estimates = now.estimates.of_part(part.nodes());
            let of_part = |&node: &NodeId| self.knowledge.records()[node as usize].clone();
            let records: Vec<Record> = part.nodes().iter().map(of_part).collect();
            let (graph, clock) = (part.graph(), now.clock);
            let inside = Situation { graph, at, estimates: &estimates, clock };
            self.plan(&inside, Some(&records), stream, leg)?;
            part.outside(&mut leg.path);
        }
        self.within = Some(part);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        if self.within.is_none() {
            self.unchanged.observe(now, visit)?;
        }
        self.lesson = self.knowledge.learn(&Seen {
            node: visit.node,
            sample: visit.sample,
            at: now.clock.now().0,
            took: visit.sample.n(),
            pace: 1.0,
            total: now.estimates.sample(visit.node),
        });
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn cuts(&self) -> bool {
        self.lesson.ends_legs
    }

    fn found_change(&self) -> bool {
        self.lesson.is_news
    }

    /// The scores of reachable nodes; NaN for the others. Before all nodes were seen, g-star's.
    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        let records = self.knowledge.records();
        let is_covered = records.iter().all(|record| !record.is_empty());
        let mut scores: Vec<f64> = if is_covered && self.knowledge.are_changes_possible() {
            self.outlook.look(now, records, self.knowledge.changes());
            let (_, prospects) = self.outlook.prospects();
            let both = prospects.known.iter().zip(prospects.changed);
            both.map(|(known, changed)| known + changed).collect()
        } else {
            self.unchanged.scores(now, stream)?
        };
        if !now.graph.is_connected() {
            let part = Part::around(now.graph, now.at);
            for node in now.graph.nodes().filter(|&node| !part.holds(node)) {
                scores[node as usize] = f64::NAN;
            }
        }
        Some(scores)
    }

    /// The rewards since each node's last restart, including those that others collected.
    fn remembered(&self, now: &Situation<'_>) -> Option<Cow<'_, Estimates>> {
        self.knowledge.remembered(now.estimates).map(Cow::Owned)
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        self.within = None;
        self.patrol.forget_graph();
        self.unchanged.change_graph(graph)
    }

    fn footing(&self) -> Footing {
        Footing::Parts
    }

    fn memory(&self) -> Memory {
        self.knowledge.memory()
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        self.knowledge.recall(memory)?;
        self.lesson = Lesson::default();
        Ok(())
    }
}
