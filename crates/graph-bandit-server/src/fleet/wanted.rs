//! Reports that somebody waits for. Planning for one that nobody waits for any more is given up.
//!
//! A report that is planned is not in the log yet, so it can be given up at any moment: memory is had
//! again from the log. But a client whose time is over comes back with the same report, as it was told
//! to, and must get through in the end. So the work goes on for a while without anybody, and a repeat
//! that comes meanwhile is one more who waits for the same work. Only when nobody came back, or the agent
//! is being deleted, does it stop.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

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
    agents: Mutex<HashMap<String, Vec<Arc<Wanted>>>>,
}

/// A report and those who wait for it.
#[derive(Debug)]
pub(super) struct Wanted {
    which: Which,
    patience: Duration,
    state: Mutex<State>,
    /// Somebody has gone, or the agent is going.
    changed: Notify,
}

#[derive(Debug)]
struct State {
    /// How many wait for it or work on it.
    entries: usize,
    waiting: usize,
    /// Since when nobody waits, if nobody does.
    left: Instant,
    is_given_up: bool,
}

/// For how long something is wanted.
enum Term {
    /// As long as somebody waits.
    Open,
    /// For so long, if nobody comes back.
    Ends(Duration),
    Over,
}

impl Wanted {
    fn open(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the report says, as a fingerprint.
    pub(super) fn fingerprint(&self) -> &str {
        &self.which.fingerprint
    }

    fn term(&self) -> Term {
        let state = self.open();
        if state.is_given_up {
            return Term::Over;
        }
        if state.waiting > 0 {
            return Term::Open;
        }
        let left = self.patience.saturating_sub(state.left.elapsed());
        if left.is_zero() { Term::Over } else { Term::Ends(left) }
    }

    /// Whether it is worth going on.
    pub(super) fn is_wanted(&self) -> bool {
        !matches!(self.term(), Term::Over)
    }

    /// Ends when it is not worth going on.
    pub(super) async fn unwanted(&self) {
        loop {
            // Before the look: what changes after it is not missed.
            let changed = self.changed.notified();
            match self.term() {
                Term::Over => return,
                Term::Open => changed.await,
                // If somebody comes back meanwhile, the next look says so.
                Term::Ends(left) => drop(tokio::time::timeout(left, changed).await),
            }
        }
    }
}

/// A place in the list of what is under way. However those end who have one, the last takes the report
/// off the list.
#[derive(Debug)]
struct Entry {
    under_way: Arc<UnderWay>,
    agent: String,
    wanted: Arc<Wanted>,
}

impl Entry {
    fn another(&self) -> Self {
        self.wanted.open().entries += 1;
        let (under_way, wanted) = (Arc::clone(&self.under_way), Arc::clone(&self.wanted));
        Self { under_way, agent: self.agent.clone(), wanted }
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let mut agents = self.under_way.open();
        let mut state = self.wanted.open();
        state.entries -= 1;
        if state.entries > 0 {
            return;
        }
        if let Some(reports) = agents.get_mut(&self.agent) {
            reports.retain(|wanted| !Arc::ptr_eq(wanted, &self.wanted));
            if reports.is_empty() {
                agents.remove(&self.agent);
            }
        }
    }
}

/// One who waits; one less when it goes.
#[derive(Debug)]
pub(super) struct Waiting(Entry);

impl Waiting {
    /// The work on what it waits for.
    pub(super) fn work(&self) -> Working {
        Working(self.0.another())
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        let wanted = &self.0.wanted;
        let mut state = wanted.open();
        state.waiting -= 1;
        state.left = Instant::now();
        drop(state);
        wanted.changed.notify_waiters();
    }
}

/// One who works, whether anybody waits or not: who comes back finds the report under way.
#[derive(Debug)]
pub(super) struct Working(Entry);

impl Working {
    /// What it works on.
    pub(super) fn wanted(&self) -> &Arc<Wanted> {
        &self.0.wanted
    }
}

impl UnderWay {
    /// Work goes on for so long when nobody waits for it.
    pub(super) fn new(patience: Duration) -> Self {
        Self { patience, agents: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Vec<Arc<Wanted>>>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// One more waits for this report.
    pub(super) fn wait_for(
        self: &Arc<Self>,
        agent: &str,
        sequence: u64,
        fingerprint: &str,
    ) -> Waiting {
        let which = Which { sequence, fingerprint: fingerprint.to_owned() };
        let mut agents = self.open();
        let reports = agents.entry(agent.to_owned()).or_default();
        let same =
            reports.iter().find(|wanted| wanted.which == which && !wanted.open().is_given_up);
        let wanted = if let Some(same) = same {
            Arc::clone(same)
        } else {
            let (patience, left) = (self.patience, Instant::now());
            let state = State { entries: 0, waiting: 0, left, is_given_up: false };
            let (state, changed) = (Mutex::new(state), Notify::new());
            let wanted = Arc::new(Wanted { which, patience, state, changed });
            reports.push(Arc::clone(&wanted));
            wanted
        };
        let mut state = wanted.open();
        state.entries += 1;
        state.waiting += 1;
        drop(state);
        Waiting(Entry { under_way: Arc::clone(self), agent: agent.to_owned(), wanted })
    }

    /// Nobody wants what is told to this agent.
    pub(super) fn give_up(&self, agent: &str) {
        for wanted in self.open().get(agent).into_iter().flatten() {
            wanted.open().is_given_up = true;
            wanted.changed.notify_waiters();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures_util::FutureExt;

    fn under_way(patience: Duration) -> Arc<UnderWay> {
        Arc::new(UnderWay::new(patience))
    }

    #[test]
    fn work_goes_on_while_one_waits_and_a_repeat_keeps_it_going() {
        let under_way = under_way(Duration::ZERO);
        let first = under_way.wait_for("a", 3, "x");
        let working = first.work();
        let work = working.wanted();
        let repeat = under_way.wait_for("a", 3, "x");
        let (other, another) = (under_way.wait_for("a", 3, "y"), under_way.wait_for("b", 3, "x"));
        drop(first);
        assert!(work.is_wanted());
        drop(repeat);
        assert!(!work.is_wanted());
        assert!(other.work().wanted().is_wanted() && another.work().wanted().is_wanted());
        // It has not stopped yet: then it goes on.
        let late = under_way.wait_for("a", 3, "x");
        assert!(work.is_wanted() && Arc::ptr_eq(work, late.work().wanted()));
    }

    #[test]
    fn who_comes_back_in_time_finds_it_under_way() {
        let under_way = under_way(Duration::from_secs(1_000));
        let working = under_way.wait_for("a", 0, "x").work();
        let work = working.wanted();
        assert!(work.is_wanted());
        under_way.give_up("b");
        assert!(work.is_wanted());
        under_way.give_up("a");
        assert!(!work.is_wanted());
        // An agent of the same name may be there by now.
        assert!(under_way.wait_for("a", 0, "x").work().wanted().is_wanted());
    }

    #[tokio::test]
    async fn who_waits_to_begin_hears_that_nobody_wants_it() {
        let under_way = under_way(Duration::from_millis(20));
        let client = under_way.wait_for("a", 0, "x");
        let working = client.work();
        assert!(working.wanted().unwanted().now_or_never().is_none());
        drop(client);
        working.wanted().unwanted().await;
        assert!(!working.wanted().is_wanted());
        let client = under_way.wait_for("a", 1, "x");
        let working = client.work();
        let ((), ()) = tokio::join!(working.wanted().unwanted(), async { under_way.give_up("a") });
        drop(client);
    }

    #[test]
    fn nothing_is_left_of_a_report_however_it_ends() {
        let under_way = under_way(Duration::from_secs(1_000));
        // The client goes first, or last; the work panics.
        let working = under_way.wait_for("a", 0, "x").work();
        assert_eq!(under_way.open().len(), 1);
        drop(working);
        assert!(under_way.open().is_empty());
        let client = under_way.wait_for("a", 0, "x");
        drop(client.work());
        assert_eq!(under_way.open().len(), 1);
        drop(client);
        assert!(under_way.open().is_empty());
        let (working, other) =
            (under_way.wait_for("a", 0, "x").work(), under_way.wait_for("a", 0, "y"));
        let panicking = std::thread::spawn(move || {
            let _working = working;
            panic!("as a defect would");
        });
        assert!(panicking.join().is_err());
        assert_eq!(under_way.open()["a"].len(), 1);
        drop(other);
        assert!(under_way.open().is_empty());
    }
}
