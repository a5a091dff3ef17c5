//! What rewards have taught: the record of every node, and what all of them say about changes.
//!
//! An agent alone and a team learn in the same way: reward by reward, whoever collected it.

use super::changes::{Changes, Checked, Found};
use super::pool::spread;
use super::record::Record;
use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use crate::graph::NodeId;
use crate::memory::{Memory, MemoryError, Reader};

/// A visit to a node that has changed with a higher probability than this ends the leg: there is
/// something to learn from it.
const NEWS: f64 = 0.2;
/// The logarithm of how much rarer than changes false alarms are, once changes were found.
const RARER: f64 = 3.0;
/// A reward this many noise scales from a lost mean may come from it.
const ALIKE: f64 = 3.0;

/// What is known about rewards and their changes beforehand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expected {
    pub(crate) noise_scale: f64,
    /// The probability that a change is ever found if there is none.
    pub(crate) false_alarms: f64,
    /// Changes per node and unit of time.
    pub(crate) rate: f64,
}

/// Rewards of one node, collected together.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Seen<'a> {
    pub(crate) node: NodeId,
    pub(crate) sample: Sample,
    /// When they had been collected.
    pub(crate) at: f64,
    /// How long that took.
    pub(crate) took: f64,
    /// How many rewards the node pays per unit of time while somebody is there.
    pub(crate) pace: f64,
    /// All rewards of the node, these included.
    pub(crate) total: &'a Sample,
}

/// What was learned from rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Lesson {
    /// Whether plans made before are out of date where these rewards come from.
    pub(crate) ends_legs: bool,
    /// Whether they show a change that those found before do not explain.
    pub(crate) is_news: bool,
}

/// Everything learned from rewards.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Knowledge {
    noise_scale: f64,
    false_alarms: f64,
    records: Vec<Record>,
    changes: Changes,
}

impl Knowledge {
    /// Knowledge about this many nodes before the first reward.
    pub(crate) fn new(nodes: usize, expected: &Expected) -> Self {
        let &Expected { noise_scale, false_alarms, rate } = expected;
        let (records, changes) = (vec![Record::default(); nodes], Changes::new(nodes, rate));
        Self { noise_scale, false_alarms, records, changes }
    }

    /// The record of every node.
    pub(crate) fn records(&self) -> &[Record] {
        &self.records
    }

    /// What is known about changes.
    pub(crate) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Whether changes must be reckoned with.
    pub(crate) fn are_changes_possible(&self) -> bool {
        self.changes.are_possible()
    }

    /// Learns from rewards.
    pub(crate) fn learn(&mut self, seen: &Seen<'_>) -> Lesson {
        let record = &mut self.records[seen.node as usize];
        if record.is_empty() {
            record.push(seen.sample, seen.at);
            return Lesson::default();
        }
        let (found, doubt) = self.compare(seen);
        Lesson {
            ends_legs: found.is_some() || doubt > NEWS,
            // One change of the world changes many nodes, but is one change.
            is_news: found.is_some_and(|found| found.is_news()),
        }
    }

    /// Compares rewards with those of the node before; the change found, if there is one, and the
    /// doubt before.
    fn compare(&mut self, seen: &Seen<'_>) -> (Option<Found>, f64) {
        let &Seen { sample, at, total, .. } = seen;
        let node = seen.node as usize;
        let record = &self.records[node];
        let before = record.seen;
        let hazard = self.changes.hazard(record, at - before - seen.took);
        let doubt = hazard.doubt();
        let (mut changed, mut size) = (0.0, 0.0);
        if doubt > 0.0 {
            (changed, size) = self.probably_changed(record, &sample, doubt);
        }
        let matches_lost = self
            .changes
            .lost()
            .is_some_and(|lost| (sample.mean() - lost).abs() < ALIKE * self.noise_scale);
        self.changes.check(&Checked { seen: before, now: at, hazard, changed, size, matches_lost });
        self.records[node].push(sample, at);
        let unexplained = hazard.unexplained();
        let mut alone = changed * size * unexplained;
        let found = if changed > 0.5 {
            let (lost, _) = self.records[node].restart_at_last(total);
            Some(Found { at, lost, size, unexplained })
        } else {
            let found = self.detected(seen);
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
    fn detected(&mut self, seen: &Seen<'_>) -> Option<Found> {
        let node = seen.node as usize;
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
        let (lost, kept) = record.restart_at(split, seen.total);
        let (_, spread) = spread(&self.records, self.variance());
        let size = size(self.records[node].mean() - lost, spread);
        Some(Found { at: seen.at - kept / seen.pace + 1.0, lost, size, unexplained: 1.0 })
    }

    /// The rewards since each node's last restart, including those that nobody here collected; `None`
    /// if nothing was forgotten.
    pub(crate) fn remembered(&self, all: &Estimates) -> Option<Estimates> {
        if !self.records.iter().any(Record::has_forgotten) {
            return None;
        }
        let mut remembered = all.clone();
        for (node, record) in (0..).zip(&self.records) {
            if record.has_forgotten() {
                remembered.replace(node, record.counted(all.sample(node)));
            }
        }
        Some(remembered)
    }

    /// Everything learned, in a form that can be stored.
    pub(crate) fn memory(&self) -> Memory {
        let mut memory = Memory::default();
        self.changes.store(&mut memory);
        for record in &self.records {
            record.store(&mut memory);
        }
        memory
    }

    /// Restores a [`memory`](Self::memory); nothing changes if it does not fit.
    pub(crate) fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        let mut stored = Reader::new(memory)?;
        let changes = self.changes.recall(&mut stored)?;
        let records: Result<Vec<_>, _> =
            self.records.iter().map(|_| Record::recall(&mut stored)).collect();
        let records = records?;
        stored.finish()?;
        (self.changes, self.records) = (changes, records);
        Ok(())
    }
}

/// The size of a step of a node's mean, compared with the difference of two nodes when the variance
/// of all means is `spread`.
fn size(step: f64, spread: f64) -> f64 {
    if spread > 0.0 { (0.5 * step * step / spread).min(1.0) } else { 1.0 }
}
