//! A store that forgets when the process ends, for tests and trials.

use super::{Pending, Store, StoreError, Stored, StoredSnapshot};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Agents in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    agents: Mutex<BTreeMap<String, Kept>>,
}

#[derive(Debug)]
struct Kept {
    definition: String,
    log: Vec<String>,
    snapshot: Option<StoredSnapshot>,
}

impl Kept {
    fn stored(&self, id: &str) -> Stored {
        Stored {
            id: id.to_owned(),
            definition: self.definition.clone(),
            end: self.log.len() as u64,
        }
    }
}

impl MemoryStore {
    fn open(&self) -> MutexGuard<'_, BTreeMap<String, Kept>> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on<T>(&self, id: &str, work: impl FnOnce(&mut Kept) -> Result<T, StoreError>) -> Pending<T>
    where
        T: Send + 'static,
    {
        let mut agents = self.open();
        let missing = || StoreError::NoSuchAgent { id: id.to_owned() };
        done(agents.get_mut(id).ok_or_else(missing).and_then(work))
    }
}

fn done<T: Send + 'static>(result: Result<T, StoreError>) -> Pending<T> {
    Box::pin(std::future::ready(result))
}

impl Store for MemoryStore {
    fn create(&self, id: &str, definition: &str) -> Pending<()> {
        let mut agents = self.open();
        if agents.contains_key(id) {
            return done(Err(StoreError::Exists { id: id.to_owned() }));
        }
        let kept = Kept { definition: definition.to_owned(), log: Vec::new(), snapshot: None };
        agents.insert(id.to_owned(), kept);
        done(Ok(()))
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        done(Ok(self.open().get(id).map(|kept| kept.stored(id))))
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<Stored>> {
        let agents = self.open();
        let later = agents.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        done(Ok(later.take(limit).map(|(id, kept)| kept.stored(id)).collect()))
    }

    fn delete(&self, id: &str) -> Pending<()> {
        let missing = || StoreError::NoSuchAgent { id: id.to_owned() };
        done(self.open().remove(id).map(|_| ()).ok_or_else(missing))
    }

    fn append(&self, id: &str, at: u64, record: String) -> Pending<()> {
        self.on(id, |kept| {
            let end = kept.log.len() as u64;
            if end != at {
                return Err(StoreError::Conflict { id: id.to_owned(), expected: at, end });
            }
            kept.log.push(record);
            Ok(())
        })
    }

    fn read(&self, id: &str, from: u64, limit: usize) -> Pending<Vec<String>> {
        self.on(id, |kept| {
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            Ok(kept.log.iter().skip(from).take(limit).cloned().collect())
        })
    }

    fn put_snapshot(&self, id: &str, snapshot: StoredSnapshot) -> Pending<()> {
        self.on(id, |kept| {
            let before = kept.snapshot.as_ref().map_or(0, |snapshot| snapshot.sequence);
            if snapshot.sequence >= before {
                kept.snapshot = Some(snapshot);
            }
            Ok(())
        })
    }

    fn snapshot(&self, id: &str) -> Pending<Option<StoredSnapshot>> {
        self.on(id, |kept| Ok(kept.snapshot.clone()))
    }

    fn check(&self) -> Pending<()> {
        done(Ok(()))
    }
}
