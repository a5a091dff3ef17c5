//! Restarts of everything at given moments: those at which means change, as only an oracle knows
//! them, or after a fixed period again and again.

use super::{Forgot, Recollection, recall_estimates, store_estimates};
use crate::agent::{Phase, Situation, Visit};
use crate::estimates::Estimates;
use crate::exact::exact;
use crate::memory::{Memory, MemoryError, Reader};
use crate::raised::Raised;

/// When everything is forgotten, counted from the end of initialization.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Moments {
    /// Whenever some mean changes, which must be [revealed](crate::Agent::reveal).
    Changes,
    /// At the multiples of a period.
    Every(f64),
}

/// Forgets everything at given moments.
#[derive(Debug, Clone)]
pub struct RestartsAt {
    moments: Moments,
    /// The moments at which means change, once revealed.
    changes: Option<Vec<f64>>,
    /// The end of initialization.
    origin: f64,
    /// How far it has come: whether it has left initialization.
    phase: Phase,
    /// The number of moments that have passed.
    passed: u64,
    estimates: Estimates,
}

impl RestartsAt {
    /// Restarts at these moments, on `nodes` nodes.
    pub fn new(nodes: usize, moments: Moments) -> Self {
        Self {
            moments,
            changes: None,
            origin: 0.0,
            phase: Phase::Cover,
            passed: 0,
            estimates: Estimates::new(nodes),
        }
    }

    /// The number of moments until `time` after initialization, itself included.
    fn until(&self, time: f64) -> u64 {
        match self.moments {
            Moments::Changes => {
                let changes = self.changes.as_deref().unwrap_or_default();
                changes.partition_point(|&change| change <= time) as u64
            }
            Moments::Every(period) => (time / period) as u64,
        }
    }

    /// Forgets everything if a moment has passed since the last call.
    fn come_to(&mut self, time: f64) -> Forgot {
        let passed = self.until(time);
        if passed <= self.passed {
            return Forgot::Nothing;
        }
        self.passed = passed;
        self.estimates.forget_all();
        Forgot::Suddenly
    }
}

impl Recollection for RestartsAt {
    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Forgot {
        let end = now.clock.now().0;
        if visit.phase == Phase::Cover && self.phase == Phase::Cover {
            self.origin = end;
        } else {
            self.phase = Phase::Learn;
        }
        // A change holds for visits that begin at its moment or later.
        let begun = self.come_to(end - exact(visit.sample.count) - self.origin);
        let reward = visit.sample.mean();
        (0..visit.sample.count).for_each(|_| self.estimates.push(visit.node, reward));
        let ended = self.come_to(end - self.origin);
        if begun == Forgot::Suddenly { begun } else { ended }
    }

    fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    fn reveal(&mut self, changes: &[f64]) {
        // Only once: what a caller revealed before a run counts.
        if self.changes.is_some() {
            return;
        }
        let mut changes: Vec<f64> =
            changes.iter().copied().filter(|change| *change > 0.0).collect();
        changes.sort_by(f64::total_cmp);
        self.changes = Some(changes);
    }

    fn ready(&self) -> Result<(), Raised> {
        if self.moments == Moments::Changes && self.changes.is_none() {
            return Err(Raised::new(
                "this agent restarts at the moments at which means change; only a simulation knows \
                 them, and none where means change all the time, as with seasons; choose an agent \
                 that detects changes",
            ));
        }
        Ok(())
    }

    fn store(&self, memory: &mut Memory) {
        memory.values.push(self.origin);
        memory.counts.extend([u64::from(self.phase == Phase::Learn), self.passed]);
        store_estimates(&self.estimates, memory);
    }

    fn recall(&self, stored: &mut Reader<'_>) -> Result<Self, MemoryError> {
        let origin = stored.value();
        let phase = if stored.count() == 0 { Phase::Cover } else { Phase::Learn };
        let passed = stored.count();
        let estimates = recall_estimates(self.estimates.samples().len(), stored)?;
        let (moments, changes) = (self.moments, self.changes.clone());
        Ok(Self { moments, changes, origin, phase, passed, estimates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Clock;
    use crate::estimates::Sample;
    use crate::graph::Graph;

    /// The visits that count after each of ten visits, of which the first three are initialization.
    fn counted(mut recollection: RestartsAt, road: f64) -> Vec<u64> {
        let (graph, field) = (Graph::line(2).unwrap(), Estimates::new(2));
        let mut clock = Clock::default();
        let visit = |k: u64| {
            clock.pass(1);
            clock.pass_on_road(road);
            let mut sample = Sample::default();
            sample.push(1.0);
            let phase = if k < 3 { Phase::Cover } else { Phase::Learn };
            let now = Situation { graph: &graph, at: 0, estimates: &field, clock: &clock };
            let before = recollection.estimates.visits();
            let forgot = recollection.observe(&now, &Visit { from: 0, node: 0, sample, phase });
            let counted = recollection.estimates.visits();
            assert_eq!(forgot == Forgot::Suddenly, counted != before + 1);
            counted
        };
        (0..10).map(visit).collect()
    }

    #[test]
    fn changes_hold_for_visits_that_begin_at_their_moment() {
        let at = |changes: &[f64]| {
            let mut oracle = RestartsAt::new(2, Moments::Changes);
            assert!(oracle.ready().is_err());
            oracle.reveal(changes);
            assert!(oracle.ready().is_ok());
            oracle
        };
        // Initialization ends at 3; the visit that ends at 5 is the last one before the change at 2.
        assert_eq!(counted(at(&[2.0, 4.5]), 0.0), [1, 2, 3, 4, 0, 1, 2, 0, 1, 2]);
        assert_eq!(counted(at(&[0.0, -3.0]), 0.0), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(counted(at(&[]), 0.0), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        let every = RestartsAt::new(2, Moments::Every(3.0));
        assert_eq!(counted(every.clone(), 0.0), [1, 2, 3, 4, 5, 0, 1, 2, 0, 1]);
        // Visits begin and end at 2 and 3 after initialization, 5 and 6, 8 and 9, ..
        assert_eq!(counted(at(&[2.5, 7.0]), 2.0), [1, 2, 3, 0, 1, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn memory_keeps_everything_but_the_secret() {
        let mut oracle = RestartsAt::new(2, Moments::Changes);
        oracle.reveal(&[5.0]);
        (oracle.origin, oracle.passed, oracle.phase) = (3.0, 1, Phase::Learn);
        oracle.estimates.push(1, 0.5);
        let mut memory = Memory::default();
        oracle.store(&mut memory);
        let fresh = RestartsAt::new(2, Moments::Changes);
        let again = fresh.recall(&mut Reader::new(&memory).unwrap()).unwrap();
        assert_eq!((again.origin, again.passed, again.phase), (3.0, 1, Phase::Learn));
        assert_eq!((again.estimates, again.changes), (oracle.estimates, None));
    }
}
