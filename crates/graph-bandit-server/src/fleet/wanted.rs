//! Reports that a client waits for. Planning for a report is given up when its client is gone.
//!
//! While a report is planned it is not in the log yet, so it can be given up at any moment: memory is
//! loaded from the log again. But a client that times out repeats its report, as it was told to, and must
//! get through in the end. So the work goes on for a while without a client, and a repeat that comes
//! meanwhile waits for the same work. The work stops only when no client came back, or when the agent is
//! being deleted.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Notify;

/// Which report: its number and its key.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Which {
    sequence: u64,
    key: String,
}

/// All reports under way, by agent.
#[derive(Debug)]
pub(super) struct UnderWay {
    patience: Duration,
    agents: Mutex<HashMap<String, Vec<Arc<PendingReport>>>>,
}

/// A report under way and how many wait for it.
#[derive(Debug)]
pub(super) struct PendingReport {
    which: Which,
    patience: Duration,
    state: Mutex<State>,
    /// Notified when a client leaves or the agent is being deleted.
    changed: Notify,
}

#[derive(Debug)]
struct State {
    /// How many wait for it or work on it.
    entries: usize,
    waiting: usize,
    /// Since when no client waits, if none does.
    left: Instant,
    is_given_up: bool,
}

/// How long to go on with a report.
enum Term {
    /// While a client waits.
    Open,
    /// For this long, if no client comes back.
    Ends(Duration),
    Over,
}

impl PendingReport {
    fn open(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
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

    /// Whether to go on.
    pub(super) fn is_wanted(&self) -> bool {
        !matches!(self.term(), Term::Over)
    }

    /// Resolves when the work should stop.
    pub(super) async fn unwanted(&self) {
        loop {
            // Register before the check, so that no later change is missed.
            let changed = self.changed.notified();
            match self.term() {
                Term::Over => return,
                Term::Open => changed.await,
                // If a client comes back meanwhile, the next check sees it.
                Term::Ends(left) => drop(tokio::time::timeout(left, changed).await),
            }
        }
    }
}

/// An entry in the list of reports under way. The last holder removes the report from the list, however
/// it ends.
#[derive(Debug)]
struct Entry {
    under_way: Arc<UnderWay>,
    agent: String,
    wanted: Arc<PendingReport>,
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

/// A client that waits, until it is dropped.
#[derive(Debug)]
pub(super) struct Waiting(Entry);

impl Waiting {
    /// The work it waits for.
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

/// The work on a report, which goes on without clients: one that comes back finds the report under way.
#[derive(Debug)]
pub(super) struct Working(Entry);

impl Working {
    /// The report it works on.
    pub(super) fn wanted(&self) -> &Arc<PendingReport> {
        &self.0.wanted
    }
}

impl UnderWay {
    /// A list whose work goes on for this long without a client.
    pub(super) fn new(patience: Duration) -> Self {
        Self { patience, agents: Mutex::default() }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Vec<Arc<PendingReport>>>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a client that waits for this report.
    pub(super) fn wait_for(self: &Arc<Self>, agent: &str, sequence: u64, key: &str) -> Waiting {
        let which = Which { sequence, key: key.to_owned() };
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
            let wanted = Arc::new(PendingReport { which, patience, state, changed });
            reports.push(Arc::clone(&wanted));
            wanted
        };
        let mut state = wanted.open();
        state.entries += 1;
        state.waiting += 1;
        drop(state);
        Waiting(Entry { under_way: Arc::clone(self), agent: agent.to_owned(), wanted })
    }

    /// Stops the work on all reports to this agent.
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
    fn work_goes_on_while_a_client_waits_and_a_repeat_continues_it() {
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
        // The work has not stopped yet, so it goes on.
        let late = under_way.wait_for("a", 3, "x");
        assert!(work.is_wanted() && Arc::ptr_eq(work, late.work().wanted()));
    }

    #[test]
    fn a_client_that_returns_in_time_finds_its_report_under_way() {
        let under_way = under_way(Duration::from_secs(1_000));
        let working = under_way.wait_for("a", 0, "x").work();
        let work = working.wanted();
        assert!(work.is_wanted());
        under_way.give_up("b");
        assert!(work.is_wanted());
        under_way.give_up("a");
        assert!(!work.is_wanted());
        // Another agent of the same name may exist by now.
        assert!(under_way.wait_for("a", 0, "x").work().wanted().is_wanted());
    }

    #[tokio::test]
    async fn work_that_waits_to_begin_learns_that_it_is_given_up() {
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
    fn a_report_leaves_nothing_behind_however_it_ends() {
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
            panic!("like a defect");
        });
        assert!(panicking.join().is_err());
        assert_eq!(under_way.open()["a"].len(), 1);
        drop(other);
        assert!(under_way.open().is_empty());
    }
}
