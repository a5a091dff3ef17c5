//! Who watches an agent is told when there is something new to see.
//!
//! A notice says only that something happened; what the agent looks like by then, the watcher asks
//! for itself. So notices never queue up, however slow a watcher is, and an agent that nobody
//! watches costs nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::watch;

/// What has happened to an agent since somebody watches it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct News {
    changes: u64,
    deletions: u64,
}

/// The agents that are watched.
#[derive(Debug, Default)]
pub(super) struct Notices {
    /// How many watchers there are: where there is none, nothing else is looked at.
    watchers: AtomicUsize,
    agents: Mutex<HashMap<String, watch::Sender<News>>>,
}

impl Notices {
    pub(super) fn watch(self: &Arc<Self>, id: &str) -> Watcher {
        // Before the watcher looks for the first time: a change that it does not see then finds it
        // counted, since looks and changes exclude each other.
        self.watchers.fetch_add(1, Ordering::SeqCst);
        let mut agents = self.open();
        let mut news = agents.entry(id.to_owned()).or_default().subscribe();
        let deletions = news.borrow_and_update().deletions;
        Watcher { notices: Arc::clone(self), id: id.to_owned(), news, deletions }
    }

    /// An agent has changed; said while nobody else can look at it.
    pub(super) fn changed(&self, id: &str) {
        self.tell(id, |news| news.changes += 1);
    }

    /// An agent was deleted; said while nobody else can look at it.
    pub(super) fn deleted(&self, id: &str) {
        self.tell(id, |news| news.deletions += 1);
    }

    fn tell(&self, id: &str, happened: impl FnOnce(&mut News)) {
        if self.watchers.load(Ordering::SeqCst) == 0 {
            return;
        }
        if let Some(agent) = self.open().get(id) {
            agent.send_modify(happened);
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, watch::Sender<News>>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether an agent is still the one that was watched first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// As far as this process knows.
    Same,
    /// It was deleted, whatever bears its name by now.
    Deleted,
}

/// One who watches an agent.
#[derive(Debug)]
pub struct Watcher {
    notices: Arc<Notices>,
    id: String,
    news: watch::Receiver<News>,
    deletions: u64,
}

impl Watcher {
    /// Waits until something has happened since [`seen`](Self::seen).
    pub async fn changed(&mut self) {
        if self.news.changed().await.is_err() {
            // Nobody is left who could say so.
            std::future::pending::<()>().await;
        }
    }

    /// Says that all that has happened is about to be looked at.
    pub fn seen(&mut self) -> Fate {
        let deletions = self.news.borrow_and_update().deletions;
        if deletions == self.deletions { Fate::Same } else { Fate::Deleted }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut agents = self.notices.open();
        // This one still counts.
        if agents.get(&self.id).is_some_and(|agent| agent.receiver_count() <= 1) {
            agents.remove(&self.id);
        }
        self.notices.watchers.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_watcher_hears_of_its_agent_alone_and_leaves_nothing_behind() {
        let notices = Arc::new(Notices::default());
        notices.changed("a");
        let (mut one, other) = (notices.watch("a"), notices.watch("a"));
        let third = notices.watch("b");
        assert!(!one.news.has_changed().unwrap());
        notices.changed("b");
        assert!(!one.news.has_changed().unwrap() && third.news.has_changed().unwrap());
        notices.changed("a");
        notices.changed("a");
        assert!(one.news.has_changed().unwrap());
        assert_eq!(one.seen(), Fate::Same);
        assert!(!one.news.has_changed().unwrap());
        notices.deleted("a");
        assert_eq!(one.seen(), Fate::Deleted);
        // Whoever comes now watches another agent.
        assert_eq!(notices.watch("a").seen(), Fate::Same);
        drop((one, third));
        assert_eq!(notices.open().len(), 1);
        drop(other);
        assert!(notices.open().is_empty());
        assert_eq!(notices.watchers.load(Ordering::SeqCst), 0);
    }
}
