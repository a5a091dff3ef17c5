//! The agent: g-star until a change is found, then the best bargain among trips to stay and trips to
//! look.

use super::changes::{Changes, Checked, Found};
use super::outlook::Outlook;
use super::pool::spread;
use super::record::Record;
use crate::agent::{Agent, Footing, Hearing, RemembersEdges, Situation, Visit};
use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use crate::graph::{Graph, NodeId, Part};
use crate::leg::{Leg, travel_time};
use crate::memory::{Memory, MemoryError, Reader};
use crate::planner::{Patrol, Purpose};
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::Amortized;
use std::borrow::Cow;

/// A visit to a node that has changed with a higher probability than this ends the leg: there is
/// something to learn from it.
const NEWS: f64 = 0.2;
/// The logarithm of how much rarer than changes false alarms are, once changes were found.
const RARER: f64 = 3.0;
/// A reward this many noise scales from a lost mean may come from it.
const ALIKE: f64 = 3.0;

/// The parts of the agent.
pub(super) struct Parts<A> {
    /// The agent for as long as nothing has changed.
    pub(super) unchanged: A,
    pub(super) outlook: Outlook,
    pub(super) stays: Amortized,
    pub(super) noise_scale: f64,
    /// The probability that a change is ever found if there is none.
    pub(super) false_alarms: f64,
    /// Changes per node and unit of time, known beforehand.
    pub(super) rate: f64,
}

/// An agent for rewards that change at unknown times.
pub(super) struct Drifting<A> {
    unchanged: A,
    outlook: Outlook,
    patrol: Patrol,
    stays: Amortized,
    noise_scale: f64,
    false_alarms: f64,
    records: Vec<Record>,
    changes: Changes,
    /// The part of the graph within reach, if that is not all of it.
    within: Option<Box<Part>>,
    /// Whether the last visit ended the leg.
    is_cut: bool,
    /// Whether the last visit showed a change that those found before do not explain.
    has_found: bool,
}

impl<A: Agent> Drifting<A> {
    pub(super) fn new(parts: Parts<A>, nodes: usize) -> Self {
        let Parts { unchanged, outlook, stays, noise_scale, false_alarms, rate } = parts;
        Self {
            unchanged,
            outlook,
            patrol: Patrol::new(stays, noise_scale),
            stays,
            noise_scale,
            false_alarms,
            records: vec![Record::default(); nodes],
            changes: Changes::new(nodes, rate),
            within: None,
            is_cut: false,
            has_found: false,
        }
    }

    /// Plans a leg; the graph, its estimates and these records have the same nodes.
    fn plan(
        &mut self,
        now: &Situation<'_>,
        records: &[Record],
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if !self.changes.are_possible() {
            return self.unchanged.next_leg(now, stream, leg);
        }
        self.outlook.look(now, records, &self.changes);
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

    /// The variance of one reward that the declared scale allows.
    fn variance(&self) -> f64 {
        self.noise_scale * self.noise_scale
    }

    /// The probability that a node has changed, given its doubt before and the rewards of a visit:
    /// the mean is either the old one or drawn from the spread of all means. And the size of the
    /// change, if it has: both need the spread, which looks at all nodes.
    fn probably_changed(&self, record: &Record, visit: &Sample, doubt: f64) -> (f64, f64) {
        let (average, spread) = spread(&self.records, self.variance());
        let of_visit = self.variance() / visit.n();
        let same = of_visit + self.variance() / record.n();
        let new = of_visit + spread;
        let step = record.real_step(visit.mean() - record.mean());
        let size = size(step, spread);
        if same == 0.0 {
            return (if step == 0.0 { 0.0 } else { 1.0 }, size);
        }
        let off = visit.mean() - average;
        let evidence = 0.5 * (step * step / same - off * off / new - libm::log(new / same));
        let odds = libm::exp(evidence.min(700.0)) * doubt / (1.0 - doubt);
        (if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 }, size)
    }

    /// Asks the detector about a node; the change found, if there is one.
    fn detected(&mut self, node: usize, now: f64, total: &Sample) -> Option<Found> {
        let record = &mut self.records[node];
        let split = record.strongest()?;
        let n = record.n();
        let tests = 2.0 * exact(split.compared as u64) * self.changes.nodes();
        let log = libm::log2(n + 2.0);
        let rare = libm::log(tests * n * log * log / self.false_alarms);
        // Where changes are known to come, false alarms need only be rarer than those.
        let threshold = rare.min(libm::log(self.changes.interval()) + RARER);
        if split.evidence <= threshold.max(0.0) * self.noise_scale * self.noise_scale {
            return None;
        }
        let (lost, kept) = record.restart_at(split, total);
        let (_, spread) = spread(&self.records, self.variance());
        let size = size(self.records[node].mean() - lost, spread);
        Some(Found { at: now - kept + 1.0, lost, size, unexplained: 1.0 })
    }

    /// Learns about changes from a visit that ended at `at`; the change found, if there is one, and
    /// the doubt before.
    fn learn(&mut self, visit: &Visit, at: f64, total: &Sample) -> (Option<Found>, f64) {
        let (node, sample) = (visit.node as usize, visit.sample);
        let record = &self.records[node];
        let seen = record.seen;
        let hazard = self.changes.hazard(record, at - seen - sample.n());
        let doubt = hazard.doubt();
        let (mut changed, mut size) = (0.0, 0.0);
        if doubt > 0.0 {
            (changed, size) = self.probably_changed(record, &sample, doubt);
        }
        let matches_lost = self
            .changes
            .lost()
            .is_some_and(|lost| (sample.mean() - lost).abs() < ALIKE * self.noise_scale);
        self.changes.check(&Checked { seen, now: at, hazard, changed, size, matches_lost });
        self.records[node].push(sample, at);
        let unexplained = hazard.unexplained();
        let mut alone = changed * size * unexplained;
        let found = if changed > 0.5 {
            let (lost, _) = self.records[node].restart_at_last(total);
            Some(Found { at, lost, size, unexplained })
        } else {
            let found = self.detected(node, at, total);
            if let Some(Found { size, .. }) = found {
                self.changes.count_found(size);
                alone = size;
            }
            found
        };
        match &found {
            Some(found) if found.is_news() => self.changes.begin(found, &mut self.records),
            _ => self.changes.count_alone(alone),
        }
        (found, doubt)
    }
}

/// The size of a step of a node's mean, compared with the difference of two nodes when the variance
/// of all means is `spread`.
fn size(step: f64, spread: f64) -> f64 {
    if spread > 0.0 { (0.5 * step * step / spread).min(1.0) } else { 1.0 }
}

impl<A: Agent> Agent for Drifting<A> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if now.graph.is_connected() {
            let records = std::mem::take(&mut self.records);
            let planned = self.plan(now, &records, stream, leg);
            self.records = records;
            return planned;
        }
        if !self.within.as_ref().is_some_and(|part| part.is_around(now.graph, now.at)) {
            let part = Box::new(Part::around(now.graph, now.at));
            self.change_graph(part.graph())?;
            self.within = Some(part);
        }
        let Some(part) = self.within.take() else { return Ok(()) };
        if let Some(at) = part.inside(now.at) {
            let estimates = now.estimates.of_part(part.nodes());
            let of_part = |&node: &NodeId| self.records[node as usize].clone();
            let records: Vec<Record> = part.nodes().iter().map(of_part).collect();
            let (graph, clock) = (part.graph(), now.clock);
            let inside = Situation { graph, at, estimates: &estimates, clock };
            self.plan(&inside, &records, stream, leg)?;
            part.outside(&mut leg.path);
        }
        self.within = Some(part);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        if self.within.is_none() {
            self.unchanged.observe(now, visit)?;
        }
        (self.is_cut, self.has_found) = (false, false);
        let (node, at) = (visit.node as usize, now.clock.now().0);
        if self.records[node].is_empty() {
            self.records[node].push(visit.sample, at);
            return Ok(());
        }
        let (found, doubt) = self.learn(visit, at, now.estimates.sample(visit.node));
        self.is_cut = found.is_some() || doubt > NEWS;
        // One change of the world changes many nodes, but is one change.
        self.has_found = found.is_some_and(|found| found.is_news());
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn cuts(&self) -> bool {
        self.is_cut
    }

    fn found_change(&self) -> bool {
        self.has_found
    }

    /// The scores of reachable nodes; NaN for the others. Before all nodes were seen, g-star's.
    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        let is_covered = self.records.iter().all(|record| !record.is_empty());
        let mut scores: Vec<f64> = if is_covered && self.changes.are_possible() {
            self.outlook.look(now, &self.records, &self.changes);
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
        if !self.records.iter().any(Record::has_forgotten) {
            return None;
        }
        let mut remembered = now.estimates.clone();
        for (node, record) in (0..).zip(&self.records) {
            if record.has_forgotten() {
                remembered.replace(node, record.counted(now.estimates.sample(node)));
            }
        }
        Some(Cow::Owned(remembered))
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
        let mut memory = Memory::default();
        self.changes.store(&mut memory);
        for record in &self.records {
            record.store(&mut memory);
        }
        memory
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        let mut stored = Reader::new(memory)?;
        let changes = self.changes.recall(&mut stored)?;
        let records: Result<Vec<_>, _> =
            self.records.iter().map(|_| Record::recall(&mut stored)).collect();
        let records = records?;
        stored.finish()?;
        (self.changes, self.records) = (changes, records);
        (self.is_cut, self.has_found) = (false, false);
        Ok(())
    }
}
