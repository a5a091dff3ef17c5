//! Tells the watchers of an agent when there is something new to see.
//!
//! A notice only says that something happened; the watcher reads the agent itself. So notices never
//! queue up, however slow a watcher is, and an agent without watchers costs nothing.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{MutexGuard as AsyncGuard, watch};

/// A version of an agent: which agent of the name, and after how many reports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Version {
    /// The number of the agent; a later agent of the same name has another.
    pub number: u64,
    /// How many reports it had seen.
    pub sequence: u64,
    /// Which reports: a restored store may reach the same number with other reports.
    pub past: u64,
}

impl Version {
    /// Whether the other version is a later one of the same agent.
    pub fn is_before(self, other: Self) -> bool {
        self.number == other.number && self.sequence < other.sequence
    }
}

/// What has happened to an agent since it is watched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct News {
    /// How many changes; a deletion is one.
    changes: u64,
    deletions: u64,
}

/// An agent that is watched.
#[derive(Debug, Default)]
struct Watched {
    news: watch::Sender<News>,
    latest: Arc<tokio::sync::Mutex<Latest>>,
}

/// What the first watcher saw, so that the others need not look.
#[derive(Debug, Default)]
struct Latest {
    /// The changes known before the look.
    changes: u64,
    version: Version,
    text: Option<Arc<[u8]>>,
}

/// The agents that are watched.
#[derive(Debug, Default)]
pub(super) struct Notices {
    /// How many watchers there are. Without any, nothing else is checked.
    watchers: AtomicUsize,
    agents: Mutex<HashMap<String, Watched>>,
}

impl Notices {
    pub(super) fn watch(self: &Arc<Self>, id: &str) -> Watcher {
        // Count the watcher before its first look. Looks and changes exclude each other, so a change that
        // it does not see will find it counted.
        self.watchers.fetch_add(1, Ordering::SeqCst);
        let mut agents = self.open();
        let agent = agents.entry(id.to_owned()).or_default();
        let (mut news, latest) = (agent.news.subscribe(), Arc::clone(&agent.latest));
        let first = *news.borrow_and_update();
        Watcher { notices: Arc::clone(self), id: id.to_owned(), news, latest, first, seen: first }
    }

    /// Notes a change of an agent. The caller holds the agent.
    pub(super) fn changed(&self, id: &str) {
        self.tell(id, |news| news.changes += 1);
    }

    /// Notes the deletion of an agent. The caller holds the agent.
    pub(super) fn deleted(&self, id: &str) {
        self.tell(id, |news| {
            news.changes += 1;
            news.deletions += 1;
        });
    }

    fn tell(&self, id: &str, happened: impl FnOnce(&mut News)) {
        if self.watchers.load(Ordering::SeqCst) == 0 {
            return;
        }
        if let Some(agent) = self.open().get(id) {
            agent.news.send_modify(happened);
        }
    }

    fn open(&self) -> MutexGuard<'_, HashMap<String, Watched>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a watcher can know without looking at its agent.
#[derive(Debug)]
pub enum Glance<'a> {
    /// Nothing: it must look.
    Unknown(Look<'a>),
    /// Another watcher has looked since the last change.
    Known {
        /// The version it saw.
        version: Version,
        /// What it made of it.
        text: Arc<[u8]>,
    },
    /// The agent was deleted, even if another has its name by now.
    Deleted,
}

/// A look that other watchers wait for.
#[derive(Debug)]
pub struct Look<'a> {
    changes: u64,
    latest: AsyncGuard<'a, Latest>,
}

impl Look<'_> {
    /// Shares the result with the other watchers.
    pub fn show(mut self, version: Version, text: Arc<[u8]>) {
        *self.latest = Latest { changes: self.changes, version, text: Some(text) };
    }
}

/// A watcher of an agent.
#[derive(Debug)]
pub struct Watcher {
    notices: Arc<Notices>,
    id: String,
    news: watch::Receiver<News>,
    latest: Arc<tokio::sync::Mutex<Latest>>,
    first: News,
    seen: News,
}

impl Watcher {
    /// Waits until something has happened since the last [`glance`](Self::glance).
    pub async fn changed(&mut self) {
        if self.news.changed().await.is_err() {
            // The sender is gone, so nothing more will happen.
            std::future::pending::<()>().await;
        }
    }

    /// What is known of all changes until now.
    pub async fn glance(&mut self) -> Glance<'_> {
        let before = self.seen;
        self.seen = *self.news.borrow_and_update();
        if self.seen.deletions != self.first.deletions {
            return Glance::Deleted;
        }
        let latest = self.latest.lock().await;
        // Another process may have changed the agent without a notice.
        let is_noticed = self.seen.changes > before.changes;
        match &latest.text {
            Some(text) if is_noticed && latest.changes >= self.seen.changes => {
                Glance::Known { version: latest.version, text: Arc::clone(text) }
            }
            _ => Glance::Unknown(Look { changes: self.seen.changes, latest }),
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        let mut agents = self.notices.open();
        // This one still counts.
        if agents.get(&self.id).is_some_and(|agent| agent.news.receiver_count() <= 1) {
            agents.remove(&self.id);
        }
        self.notices.watchers.fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a watcher knows without a look; if it must look, it sees `text`.
    async fn seen(watcher: &mut Watcher, sequence: u64, text: &str) -> String {
        match watcher.glance().await {
            Glance::Known { version, text } => {
                format!("known {} {}", version.sequence, std::str::from_utf8(&text).unwrap())
            }
            Glance::Deleted => "deleted".to_owned(),
            Glance::Unknown(look) => {
                look.show(Version { number: 1, sequence, past: 0 }, text.as_bytes().into());
                "looked".to_owned()
            }
        }
    }

    #[tokio::test]
    async fn one_watcher_looks_for_all_and_no_result_is_stale() {
        let notices = Arc::new(Notices::default());
        let (mut one, mut other) = (notices.watch("a"), notices.watch("a"));
        notices.changed("a");
        assert_eq!(seen(&mut one, 1, "x").await, "looked");
        assert_eq!(seen(&mut other, 1, "y").await, "known 1 x");
        // Without a notice both look.
        assert_eq!(seen(&mut other, 1, "y").await, "looked");
        assert_eq!(seen(&mut one, 1, "z").await, "looked");
        notices.changed("a");
        assert_eq!(seen(&mut other, 2, "w").await, "looked");
        notices.changed("a");
        assert_eq!(seen(&mut one, 3, "v").await, "looked");
        assert_eq!(seen(&mut other, 3, "u").await, "known 3 v");
        notices.deleted("a");
        let mut third = notices.watch("a");
        assert_eq!(seen(&mut one, 0, "t").await, "deleted");
        assert_eq!(seen(&mut third, 0, "s").await, "looked");
        notices.changed("a");
        assert_eq!(seen(&mut third, 1, "r").await, "looked");
        assert_eq!(seen(&mut other, 1, "q").await, "deleted");
    }

    #[tokio::test]
    async fn a_watcher_sees_only_its_agent_and_leaves_nothing_behind() {
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
        assert_eq!(seen(&mut one, 2, "x").await, "looked");
        assert!(!one.news.has_changed().unwrap());
        notices.deleted("a");
        assert!(one.news.has_changed().unwrap());
        drop((one, third));
        assert_eq!(notices.open().len(), 1);
        drop(other);
        assert!(notices.open().is_empty());
        assert_eq!(notices.watchers.load(Ordering::SeqCst), 0);
    }
}
