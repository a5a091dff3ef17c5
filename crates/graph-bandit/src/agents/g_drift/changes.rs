//! What is known about changes: how often they come, and how much of the graph they reach.
//!
//! A change that nothing explains starts a story: every node not seen since may have changed at
//! that moment, too. Visits to such nodes tell how many did. A change may be *shared*, by a large
//! part of all nodes; *sparse*, by hardly any other; or *alone*, at its own time. Of a sparse
//! change, the mean that was lost may have moved to another node.
//!
//! A change counts by its size: a step as large as between two nodes drawn at random is a whole
//! one, a smaller one counts by its square. So where means drift slowly, doubt grows with time as
//! the variance of a random walk does.

mod evidence;

pub(super) use evidence::{Checked, Found, Hazard};

use super::record::Record;
use crate::memory::{Memory, MemoryError, Reader};

/// The weight of earlier changes in the share of nodes that the latest one reached, in visits.
const SHARE_WEIGHT: f64 = 0.5;
/// The assumed share of nodes that the first change reached.
const FIRST_SHARE: f64 = 0.5;
/// The assumed probability that the first lost mean moved to another node.
const FIRST_MOVE: f64 = 0.5;
/// No probability of a change is above this.
const SUREST: f64 = 0.999;
/// The share of the mean time between changes for which an improvement is expected to last.
const LASTING: f64 = 0.125;

/// Everything learned about changes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Changes {
    nodes: f64,
    /// Changes per node and unit of time, known beforehand.
    rate: f64,
    /// The sum over nodes of the time between visits.
    exposure: f64,
    /// Changes found, by size.
    found: f64,
    /// Those of one node at its own time.
    alone: f64,
    /// The shares of earlier changes, added up, and how many there are.
    shares: [f64; 2],
    /// Nodes changed and nodes checked after sparse changes.
    sparse: [f64; 2],
    /// Lost means found again, and lost means looked for.
    moves: [f64; 2],
    latest: Option<Latest>,
}

/// The latest change that nothing explained.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
struct Latest {
    at: f64,
    /// Nodes not seen since then, at first, that had changed, and those checked.
    changed: f64,
    checked: f64,
    /// The mean before.
    lost: f64,
    size: f64,
    /// The number of nodes not seen since.
    unseen: f64,
    is_found: bool,
}

impl Changes {
    pub(super) fn new(nodes: usize, rate: f64) -> Self {
        Self {
            nodes: nodes as f64,
            rate,
            exposure: 0.0,
            found: 0.0,
            alone: 0.0,
            shares: [0.0; 2],
            sparse: [0.0; 2],
            moves: [0.0; 2],
            latest: None,
        }
    }

    /// The number of nodes.
    pub(super) fn nodes(&self) -> f64 {
        self.nodes
    }

    /// Whether changes must be reckoned with.
    pub(super) fn are_possible(&self) -> bool {
        self.rate + self.found > 0.0
    }

    /// How long a node stays as it is, on average; infinite before the first change.
    pub(super) fn interval(&self) -> f64 {
        1.0 / (self.rate + self.found / self.exposure.max(1.0))
    }

    /// How long an improvement is expected to last.
    pub(super) fn horizon(&self) -> f64 {
        LASTING * self.interval()
    }

    /// The share of nodes that the latest change reached, if it was shared.
    fn share(&self, latest: &Latest) -> f64 {
        let prior = (FIRST_SHARE + self.shares[0]) / (1.0 + self.shares[1]);
        let share = (SHARE_WEIGHT * prior + latest.changed) / (SHARE_WEIGHT + latest.checked);
        share.min(SUREST)
    }

    /// The probability that the latest change reached a node not seen since.
    fn reached(&self, latest: &Latest) -> f64 {
        let share = self.share(latest);
        let sparse = (1.0 + self.sparse[0]) / (self.nodes + self.sparse[1]);
        (share + (1.0 - share) * sparse).min(SUREST)
    }

    /// Changes of single nodes, per node and unit of time.
    fn rate_alone(&self) -> f64 {
        let latest = self.latest.map_or(0.0, |latest| latest.size * (1.0 - self.reached(&latest)));
        self.rate + (self.alone + latest) / self.exposure.max(1.0)
    }

    /// The hazard of a node that was not seen for `absence`.
    pub(super) fn hazard(&self, record: &Record, absence: f64) -> Hazard {
        let latest = match self.latest {
            Some(latest) if record.seen < latest.at => -libm::log1p(-self.reached(&latest)),
            _ => 0.0,
        };
        let alone = if absence > 0.0 { self.rate_alone() * absence } else { 0.0 };
        Hazard { latest, earlier: record.earlier, alone }
    }

    /// The mean lost at the latest change, and the probability that it has moved to a given node
    /// not seen since.
    pub(super) fn moved(&self) -> Option<(f64, f64)> {
        let latest = self.latest.filter(|latest| !latest.is_found && latest.unseen > 0.0)?;
        let move_prior = (FIRST_MOVE + self.moves[0]) / (1.0 + self.moves[1]);
        let unseen = move_prior * latest.unseen / (self.nodes - 1.0).max(1.0);
        let still = unseen / (unseen + 1.0 - move_prior);
        Some((latest.lost, (1.0 - self.share(&latest)) * still / latest.unseen))
    }

    /// Whether a record is from before the latest change.
    pub(super) fn outdates(&self, record: &Record) -> bool {
        self.latest.is_some_and(|latest| record.seen < latest.at)
    }

    /// The mean lost at the latest change, if there was one.
    pub(super) fn lost(&self) -> Option<f64> {
        self.latest.map(|latest| latest.lost)
    }

    /// Learns from a visit.
    pub(super) fn check(&mut self, check: &Checked) {
        let Checked { seen, now, hazard, changed, size, matches_lost } = *check;
        self.exposure += now - seen;
        self.found += changed * size;
        if let Some(latest) = &mut self.latest
            && seen < latest.at
        {
            let explained = changed * hazard.latest / hazard.total();
            latest.changed += explained;
            latest.checked += explained + 1.0 - changed;
            latest.unseen -= 1.0;
            latest.is_found |= matches_lost && changed > 0.5;
        }
    }

    /// Counts a change as that of one node, as far as nothing else explains it.
    pub(super) fn count_alone(&mut self, weight: f64) {
        self.alone += weight;
    }

    /// Counts a change of this size that a detector found.
    pub(super) fn count_found(&mut self, size: f64) {
        self.found += size;
    }

    /// Starts the story of a change that nothing explains.
    pub(super) fn begin(&mut self, found: &Found, records: &mut [Record]) {
        if let Some(latest) = self.latest.take() {
            self.conclude(&latest, records);
        }
        let Found { at, lost, size, .. } = *found;
        let unseen = records.iter().filter(|record| !record.is_empty() && record.seen < at);
        let unseen = unseen.count() as f64;
        self.latest = Some(Latest { at, lost, size, unseen, ..Latest::default() });
    }

    /// Learns from a story that has ended; nodes that it left in doubt stay so.
    fn conclude(&mut self, latest: &Latest, records: &mut [Record]) {
        let (share, reached) = (self.share(latest), self.reached(latest));
        let sparse = 1.0 - share;
        let judged = latest.checked.min(1.0);
        self.shares[0] += share * judged;
        self.shares[1] += judged;
        self.sparse[0] += sparse * latest.changed;
        self.sparse[1] += sparse * latest.checked;
        let looked = if latest.is_found { 1.0 } else { 1.0 - latest.unseen / self.nodes };
        self.moves[0] += if latest.is_found { sparse } else { 0.0 };
        self.moves[1] += sparse * looked;
        self.alone += latest.size * (1.0 - reached);
        let hazard = -libm::log1p(-reached);
        for record in records.iter_mut().filter(|record| record.seen < latest.at) {
            record.earlier += hazard;
        }
    }

    /// Appends what was learned to a memory.
    pub(super) fn store(&self, memory: &mut Memory) {
        let latest = self.latest.unwrap_or_default();
        memory.counts.extend([u64::from(self.latest.is_some()), u64::from(latest.is_found)]);
        memory.values.extend([self.exposure, self.found, self.alone]);
        memory.values.extend(self.shares.into_iter().chain(self.sparse).chain(self.moves));
        let Latest { at, changed, checked, lost, size, unseen, is_found: _ } = latest;
        memory.values.extend([at, changed, checked, lost, size, unseen]);
    }

    /// The same with what [`store`](Self::store) stored.
    pub(super) fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let flags = [stored.count(), stored.count()];
        if flags.iter().any(|&flag| flag > 1) {
            return Err(stored.impossible());
        }
        let mut next = || stored.value();
        let [exposure, found, alone] = [next(), next(), next()];
        let [shares, sparse, moves] = [[next(), next()], [next(), next()], [next(), next()]];
        let latest = Latest {
            at: next(),
            changed: next(),
            checked: next(),
            lost: next(),
            size: next(),
            unseen: next(),
            is_found: flags[1] == 1,
        };
        let latest = (flags[0] == 1).then_some(latest);
        Ok(Self { exposure, found, alone, shares, sparse, moves, latest, ..self.clone() })
    }
}

#[cfg(test)]
mod tests;
