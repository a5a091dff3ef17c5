//! Reports that somebody waits for. Planning for one that nobody waits for any more is given up.
//!
//! A report that is planned is not in the log yet, so it can be given up at any moment: memory is had
//! again from the log. But a client whose time is over comes back with the same report, as it was told
//! to, and must get through in the end. So the work goes on for a while without anybody, and a repeat
//! that comes meanwhile is one more who waits for the same work. Only when nobody came back, or the agent
//! is being deleted, does it stop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

/// Which report: its number and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Which {
    sequence: u64,
    fingerprint: String,
}

/// All reports that are under way, by agent.
#[derive(Debug)]
pub(super) struct UnderWay {
    patience: Duration,
    agents: Mutex<HashMap<String, Vec<Weak<Wanted>>>>,
}

/// A report and those who wait for it.
#[derive(Debug)]
pub(super) struct Wanted {
    which: Which,
    patience: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    waiting: usize,
    /// Since when nobody waits, if nobody does.
    left: Instant,
    is_given_up: bool,
}

impl Wanted {
    fn open(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the report says, as a fingerprint.
    pub(super) fn fingerprint(&self) -> &str {
        &self.which.fingerprint
    }

    /// Whether it is worth going on.
    pub(super) fn is_wanted(&self) -> bool {
        let state = self.open();
        !state.is_given_up && (state.waiting > 0 || state.left.elapsed() < self.patience)
    }
}

/// One who waits; one less when it goes.
#[derive(Debug)]
pub(super) struct Waiting(Arc<Wanted>);

impl Waiting {
    /// What it waits for.
    pub(super) fn wanted(&self) -> Arc<Wanted> {
        Arc::clone(&self.0)
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let mut state = self.0.open();
        state.waiting -= 1;
        state.left = Instant::now();
    }
}

impl UnderWay {
    /// Work goes on for so long when nobody waits for it.
    pub(super) fn new(patience: Duration) -> Self {
        Self { patience, agents: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Vec<Weak<Wanted>>>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more waits for this report.
    pub(super) fn wait_for(&self, agent: &str, sequence: u64, fingerprint: &str) -> Waiting {
        let which = Which { sequence, fingerprint: fingerprint.to_owned() };
        let mut agents = self.open();
        let reports = agents.entry(agent.to_owned()).or_default();
        let same = reports.iter().filter_map(Weak::upgrade).find(|wanted| wanted.which == which);
        let wanted = same.filter(|wanted| !wanted.open().is_given_up).unwrap_or_else(|| {
            let state = State { waiting: 0, left: Instant::now(), is_given_up: false };
            let (patience, state) = (self.patience, Mutex::new(state));
            let wanted = Arc::new(Wanted { which, patience, state });
            reports.push(Arc::downgrade(&wanted));
            wanted
        });
        wanted.open().waiting += 1;
        Waiting(wanted)
    }

    /// Forgets what is not under way any more.
    pub(super) fn tidy(&self, agent: &str) {
        let mut agents = self.open();
        if let Some(reports) = agents.get_mut(agent) {
            reports.retain(|wanted| wanted.strong_count() > 0);
            if reports.is_empty() {
                agents.remove(agent);
            }
        }
    }

    /// Nobody wants what is told to this agent.
    pub(super) fn give_up(&self, agent: &str) {
        for wanted in self.open().get(agent).into_iter().flatten().filter_map(Weak::upgrade) {
            wanted.open().is_given_up = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_goes_on_while_one_waits_and_a_repeat_keeps_it_going() {
        let under_way = UnderWay::new(Duration::ZERO);
        let first = under_way.wait_for("a", 3, "x");
        let work = first.wanted();
        let repeat = under_way.wait_for("a", 3, "x");
        let (other, another) = (under_way.wait_for("a", 3, "y"), under_way.wait_for("b", 3, "x"));
        drop(first);
        assert!(work.is_wanted());
        drop(repeat);
        assert!(!work.is_wanted());
        assert!(other.wanted().is_wanted() && another.wanted().is_wanted());
        // It has not stopped yet: then it goes on.
        let late = under_way.wait_for("a", 3, "x");
        assert!(work.is_wanted() && Arc::ptr_eq(&work, &late.wanted()));
    }

    #[test]
    fn who_comes_back_in_time_finds_it_under_way() {
        let under_way = UnderWay::new(Duration::from_secs(1_000));
        let work = under_way.wait_for("a", 0, "x").wanted();
        assert!(work.is_wanted());
        under_way.give_up("b");
        assert!(work.is_wanted());
        under_way.give_up("a");
        assert!(!work.is_wanted());
        // An agent of the same name may be there by now.
        assert!(under_way.wait_for("a", 0, "x").wanted().is_wanted());
        drop(work);
        under_way.tidy("a");
        assert!(under_way.open().is_empty());
    }
}
