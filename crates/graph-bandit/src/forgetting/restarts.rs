//! Restarts: a detector listens to every node; when it speaks, the node is forgotten, or all nodes
//! are.

use super::{Forgot, Recollection, recall_estimates, store_estimates};
use crate::agent::{Situation, Visit};
use crate::clock::Visits;
use crate::detector::{Detector, Record, Verdict};
use crate::estimates::Estimates;
use crate::memory::{Memory, MemoryError, Reader};

/// What a detected change restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scope {
    /// The node at which it was detected.
    #[default]
    Local,
    /// All nodes.
    Global,
}

/// Forgets nodes whose mean has changed, by a detector's verdict.
#[derive(Debug, Clone)]
pub struct Restarts<D: Detector> {
    detector: D,
    scope: Scope,
    seen: u64,
    records: Vec<D::Record>,
    /// The visits to all nodes at each node's last restart.
    starts: Vec<u64>,
    estimates: Estimates,
    ages: Vec<u64>,
}

impl<D: Detector> Restarts<D> {
    /// Restarts by this detector, on `nodes` nodes.
    pub fn new(nodes: usize, detector: D, scope: Scope) -> Self {
        Self {
            detector,
            scope,
            seen: 0,
            records: vec![D::Record::default(); nodes],
            starts: vec![0; nodes],
            estimates: Estimates::new(nodes),
            ages: Vec::new(),
        }
    }

    fn restart(&mut self, visit: &Visit) {
        match self.scope {
            Scope::Local => {
                self.records[visit.node as usize] = D::Record::default();
                self.starts[visit.node as usize] = self.seen;
                self.estimates.forget(visit.node);
            }
            Scope::Global => {
                self.records.fill(D::Record::default());
                self.starts.fill(self.seen);
                self.estimates.forget_all();
            }
        }
    }
}

impl<D: Detector> Recollection for Restarts<D> {
    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Forgot {
        let reward = visit.sample.mean();
        let mut forgot = Forgot::Nothing;
        for _ in 0..visit.sample.count {
            self.seen += 1;
            self.estimates.push(visit.node, reward);
            let record = &mut self.records[visit.node as usize];
            if self.detector.observe(record, reward, Visits(self.seen)) == Verdict::Changed {
                self.restart(visit);
                forgot = Forgot::Suddenly;
            }
        }
        forgot
    }

    fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    fn finds_changes(&self) -> bool {
        true
    }

    fn ages(&mut self) -> Option<&[u64]> {
        self.ages.clear();
        self.ages.extend(self.starts.iter().map(|start| self.seen - start));
        Some(&self.ages)
    }

    fn store(&self, memory: &mut Memory) {
        memory.counts.push(self.seen);
        memory.counts.extend(&self.starts);
        store_estimates(&self.estimates, memory);
        self.records.iter().for_each(|record| record.store(memory));
    }

    fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let nodes = self.starts.len();
        let seen = stored.count();
        let starts = stored.counts(nodes as u64);
        if starts.len() != nodes || starts.iter().any(|&start| start > seen) {
            return Err(stored.impossible());
        }
        let estimates = recall_estimates(nodes, stored)?;
        let records: Result<Vec<_>, _> = (0..nodes).map(|_| D::Record::recall(stored)).collect();
        let (detector, scope, ages) = (self.detector.clone(), self.scope, Vec::new());
        Ok(Self { detector, scope, seen, records: records?, starts, estimates, ages })
    }
}
