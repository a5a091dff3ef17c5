//! The agent: g-star until a change is found, then the best bargain among trips to stay and trips to
//! look.

use super::changes::{Changes, Checked};
use super::outlook::Outlook;
use super::pool::Past;
use super::record::Record;
use crate::agent::{Agent, Hearing, RemembersEdges, Situation, Visit};
use crate::estimates::Sample;
use crate::exact::exact;
use crate::graph::Graph;
use crate::leg::{Leg, travel_time};
use crate::memory::{Memory, MemoryError, Reader};
use crate::planner::{Patrol, Purpose};
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::Amortized;

/// A visit to a node that has changed with a higher probability than this ends the leg: there is
/// something to learn from it.
const NEWS: f64 = 0.2;
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
    past: Past,
    /// Whether the last visit ended the leg.
    is_cut: bool,
}

/// A change found at a visit.
struct Found {
    at: f64,
    lost: f64,
    /// How much of it nothing else explains.
    unexplained: f64,
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
            past: Past::default(),
            is_cut: false,
        }
    }

    /// The probability that a node has changed, given its hazard before and the rewards of a visit:
    /// the new mean is either the old one or drawn from the spread of all means.
    fn probably_changed(&self, record: &Record, visit: &Sample, doubt: f64) -> f64 {
        let variance = self.noise_scale * self.noise_scale;
        let (average, spread) = self.past.spread(&self.records, variance);
        let of_visit = variance / visit.n();
        let same = log_density(visit.mean() - record.mean(), of_visit + variance / record.n());
        let new = log_density(visit.mean() - average, of_visit + spread);
        let odds = libm::exp((new - same).min(700.0)) * doubt / (1.0 - doubt);
        if odds.is_finite() { odds / (1.0 + odds) } else { 1.0 }
    }

    /// Asks the detector about a node; the change found, if there is one.
    fn detected(&mut self, node: usize, now: f64, total: &Sample) -> Option<Found> {
        let record = &mut self.records[node];
        let split = record.strongest()?;
        let n = record.n();
        let tests = 2.0 * exact(split.compared as u64) * self.changes.nodes();
        let log = libm::log2(n + 2.0);
        let threshold = libm::log(tests * n * log * log / self.false_alarms);
        if split.evidence <= threshold * self.noise_scale * self.noise_scale {
            return None;
        }
        let (lost, kept) = record.restart_at(split, total);
        Some(Found { at: now - kept + 1.0, lost, unexplained: 1.0 })
    }
}

/// The logarithm of a normal density, up to a constant.
fn log_density(distance: f64, variance: f64) -> f64 {
    if variance > 0.0 {
        -0.5 * (distance * distance / variance + libm::log(variance))
    } else if distance == 0.0 {
        f64::MAX
    } else {
        f64::MIN
    }
}

impl<A: Agent> Agent for Drifting<A> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        if !self.changes.are_possible() {
            return self.unchanged.next_leg(now, stream, leg);
        }
        self.outlook.look(now, &self.records, (&self.changes, &self.past));
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

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.unchanged.observe(now, visit)?;
        self.is_cut = false;
        let (node, at, sample) = (visit.node as usize, now.clock.now().0, visit.sample);
        if self.records[node].is_empty() {
            self.records[node].push(sample, at);
            return Ok(());
        }
        let total = now.estimates.sample(visit.node);
        let record = &self.records[node];
        let hazard = self.changes.hazard(record, at - record.seen - sample.n());
        let doubt = hazard.doubt();
        let probability =
            if doubt > 0.0 { self.probably_changed(record, &sample, doubt) } else { 0.0 };
        let lost = self.changes.lost().map_or(f64::INFINITY, |lost| (sample.mean() - lost).abs());
        let matches_lost = lost < ALIKE * self.noise_scale;
        let (seen, now) = (record.seen, at);
        self.changes.check(&Checked { seen, now, hazard, changed: probability, matches_lost });
        self.records[node].push(sample, at);
        let found = if probability > 0.5 {
            let (lost, _) = self.records[node].restart_at_last(total);
            Some(Found { at, lost, unexplained: hazard.unexplained() })
        } else {
            let found = self.detected(node, at, total);
            if found.is_some() {
                self.changes.count_found();
            }
            found
        };
        if let Some(found) = &found {
            self.past.push(found.lost, self.records.len());
        }
        match &found {
            Some(found) if found.unexplained > 0.5 => {
                self.changes.begin(found.at, found.lost, &mut self.records);
            }
            _ => self.changes.count_alone(probability * hazard.unexplained()),
        }
        self.is_cut = found.is_some() || doubt > NEWS;
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }

    fn cuts(&self) -> bool {
        self.is_cut
    }

    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        if !self.changes.are_possible() {
            return self.unchanged.scores(now, stream);
        }
        self.outlook.look(now, &self.records, (&self.changes, &self.past));
        let (_, prospects) = self.outlook.prospects();
        let scores = prospects.known.iter().zip(prospects.changed);
        Some(scores.map(|(known, changed)| known + changed).collect())
    }

    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        self.patrol.forget_graph();
        self.unchanged.change_graph(graph)
    }

    fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        self.changes.store(&mut memory);
        self.past.store(&mut memory);
        for record in &self.records {
            record.store(&mut memory);
        }
        memory
    }

    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        let mut stored = Reader::new(memory)?;
        let changes = self.changes.recall(&mut stored)?;
        let past = Past::recall(self.records.len(), &mut stored)?;
        let records: Result<Vec<_>, _> =
            self.records.iter().map(|_| Record::recall(&mut stored)).collect();
        let records = records?;
        stored.finish()?;
        (self.changes, self.past, self.records) = (changes, past, records);
        self.is_cut = false;
        Ok(())
    }
}
