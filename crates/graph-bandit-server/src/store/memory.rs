//! A store that forgets when the process ends, for tests and trials.

use super::{
    AgentKey, Beginning, Due, End, Pending, Portion, Store, StoreError, Stored, StoredSnapshot,
    StoredSummary, Tip, Writers,
};
use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Agents in memory.
#[derive(Debug, Default)]
pub struct MemoryStore {
    agents: Mutex<Agents>,
}

#[derive(Debug, Default)]
struct Agents {
    by_id: BTreeMap<String, Kept>,
    /// How many agents were ever created, which is the number of the latest.
    created: u64,
}

#[derive(Debug)]
struct Kept {
    number: u64,
    label: String,
    definition: String,
    log: Vec<String>,
    snapshot: Option<StoredSnapshot>,
    base: Option<StoredSnapshot>,
    /// How many records at the beginning of the log were removed.
    removed: u64,
}

impl Kept {
    fn stored(&self, id: &str) -> Stored {
        Stored {
            id: id.to_owned(),
            number: self.number,
            definition: self.definition.clone(),
            end: self.end().sequence,
        }
    }

    fn end(&self) -> End {
        let last = self.log.last().unwrap_or(&self.definition);
        End::after(self.removed + self.log.len() as u64, last)
    }

    fn append(&mut self, at: &End, id: &str, record: String) -> Result<(), StoreError> {
        at.expect(&self.end(), id)?;
        self.log.push(record);
        Ok(())
    }

    /// The beginning of the log, where the records before this one are to be removed.
    fn beginning(&self, sequence: u64) -> Beginning<'_> {
        let last = sequence.checked_sub(1).and_then(|last| last.checked_sub(self.removed));
        let last = last.and_then(|last| self.log.get(usize::try_from(last).ok()?));
        let base = self.base.as_ref().map(|base| base.sequence);
        Beginning { end: self.end().sequence, base, last: last.map(String::as_str) }
    }

    fn listed(&self, id: &str) -> StoredSummary {
        StoredSummary { id: id.to_owned(), label: self.label.clone(), end: self.end().sequence }
    }
}

impl MemoryStore {
    fn open(&self) -> MutexGuard<'_, Agents> {
        self.agents.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn on<T: Send + 'static>(
        &self,
        agent: &AgentKey,
        work: impl FnOnce(&mut Kept) -> Result<T, StoreError>,
    ) -> Pending<T> {
        let mut agents = self.open();
        let kept = agents.by_id.get_mut(&agent.id).filter(|kept| kept.number == agent.number);
        let missing = || StoreError::NoSuchAgent { id: agent.id.clone() };
        done(kept.ok_or_else(missing).and_then(work))
    }
}

fn done<T: Send + 'static>(result: Result<T, StoreError>) -> Pending<T> {
    Box::pin(std::future::ready(result))
}

impl Store for MemoryStore {
    fn writers(&self) -> Writers {
        Writers::Us
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        let mut agents = self.open();
        if agents.by_id.contains_key(id) {
            return done(Err(StoreError::Exists { id: id.to_owned() }));
        }
        agents.created += 1;
        let kept = Kept {
            number: agents.created,
            label: label.to_owned(),
            definition: definition.to_owned(),
            log: Vec::new(),
            snapshot: None,
            base: None,
            removed: 0,
        };
        agents.by_id.insert(id.to_owned(), kept);
        done(Ok(()))
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        done(Ok(self.open().by_id.get(id).map(|kept| kept.stored(id))))
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        let tip = |kept: &Kept| Tip { number: kept.number, end: kept.end() };
        done(Ok(self.open().by_id.get(id).map(tip)))
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        done(Ok(self.open().by_id.get(id).map(|kept| kept.stored(id).key())))
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        let agents = self.open();
        let later = agents.by_id.range::<str, _>((Bound::Excluded(after), Bound::Unbounded));
        let listed = later.take(limit).map(|(id, kept)| kept.listed(id));
        done(Ok(listed.collect()))
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        let mut agents = self.open();
        let there = agents.by_id.get(&agent.id).is_some_and(|kept| kept.number == agent.number);
        if !there {
            return done(Err(StoreError::NoSuchAgent { id: agent.id.clone() }));
        }
        agents.by_id.remove(&agent.id);
        done(Ok(()))
    }

    fn rename(&self, agent: &AgentKey, id: &str) -> Pending<()> {
        let mut agents = self.open();
        if agents.by_id.contains_key(id) {
            return done(Err(StoreError::Exists { id: id.to_owned() }));
        }
        match agents.by_id.remove(&agent.id) {
            Some(kept) if kept.number == agent.number => {
                agents.by_id.insert(id.to_owned(), kept);
                done(Ok(()))
            }
            other => {
                agents.by_id.extend(other.map(|kept| (agent.id.clone(), kept)));
                done(Err(StoreError::NoSuchAgent { id: agent.id.clone() }))
            }
        }
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        self.on(agent, |kept| kept.append(at, &agent.id, record))
    }

    fn append_and_label(
        &self,
        agent: &AgentKey,
        at: &End,
        record: String,
        label: String,
    ) -> Pending<()> {
        self.on(agent, |kept| {
            kept.append(at, &agent.id, record)?;
            kept.label = label;
            Ok(())
        })
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        self.on(agent, |kept| {
            let Some(from) = from.checked_sub(kept.removed) else {
                return Err(StoreError::Removed { id: agent.id.clone(), first: kept.removed });
            };
            let from = usize::try_from(from).unwrap_or(usize::MAX);
            let records = (0..).zip(kept.log.iter().skip(from).cloned()).map(Ok);
            let taken = portion.fill::<StoreError>(records)?;
            Ok(taken.into_iter().map(|(_, record)| record).collect())
        })
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        self.on(agent, |kept| {
            let before = kept.snapshot.as_ref().map_or(0, |snapshot| snapshot.sequence);
            if snapshot.sequence >= before {
                kept.snapshot = Some(snapshot);
            }
            Ok(())
        })
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        self.on(agent, |kept| Ok(kept.snapshot.clone()))
    }

    fn put_base(&self, agent: &AgentKey, at: &End, body: String) -> Pending<()> {
        self.on(agent, |kept| {
            if kept.beginning(at.sequence).may_put(at, &agent.id)? == Due::Yes {
                kept.base = Some(StoredSnapshot { sequence: at.sequence, body });
            }
            Ok(())
        })
    }

    fn begin_with(&self, agent: &AgentKey, base: StoredSnapshot) -> Pending<()> {
        self.on(agent, |kept| {
            kept.beginning(0).may_begin(&agent.id)?;
            kept.removed = base.sequence.saturating_sub(1);
            kept.base = Some(base);
            Ok(())
        })
    }

    fn base(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        self.on(agent, |kept| Ok(kept.base.clone()))
    }

    fn release(&self, agent: &AgentKey, at: &End) -> Pending<()> {
        self.on(agent, |kept| {
            if kept.beginning(at.sequence).may_release(at, &agent.id)? == Due::No {
                return Ok(());
            }
            let until = at.sequence.saturating_sub(1);
            let gone = until.saturating_sub(kept.removed).min(kept.log.len() as u64);
            kept.log.drain(..gone as usize);
            kept.removed += gone;
            Ok(())
        })
    }

    fn check(&self) -> Pending<()> {
        done(Ok(()))
    }
}
