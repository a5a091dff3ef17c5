//! Agents in memory, and a journal of all writes: one line of JSON for each write, synced before it is
//! answered, and read when the store is opened.
//!
//! It is small rather than fast: a write blocks its thread. After a failed write, the store refuses all
//! requests until it is opened again.

use futures_util::FutureExt;
use graph_bandit_server::store::{
    AgentKey, End, MemoryStore, Pending, Portion, Store, StoreError, Stored, StoredSnapshot,
    StoredSummary, Tip, Writers,
};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, Read, Write as _};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A write.
#[derive(Serialize, Deserialize)]
enum Entry {
    Create { id: String, label: String, definition: String },
    Delete { id: String, number: u64 },
    Rename { id: String, number: u64, to: String },
    Append { id: String, number: u64, at: u64, after: String, record: String },
    Snapshot { id: String, number: u64, sequence: u64, body: String },
}

impl Entry {
    /// Applies it in memory, which answers at once.
    fn apply(&self, to: &MemoryStore) -> Result<(), StoreError> {
        let key = |id: &String, number: &u64| AgentKey { id: id.clone(), number: *number };
        let done = match self {
            Self::Create { id, label, definition } => to.create(id, label, definition),
            Self::Delete { id, number } => to.delete(&key(id, number)),
            Self::Rename { id, number, to: name } => to.rename(&key(id, number), name),
            Self::Append { id, number, at, after, record } => {
                let end = End { sequence: *at, seal: after.clone() };
                to.append(&key(id, number), &end, record.clone())
            }
            Self::Snapshot { id, number, sequence, body } => {
                let snapshot = StoredSnapshot { sequence: *sequence, body: body.clone() };
                to.put_snapshot(&key(id, number), snapshot)
            }
        };
        done.now_or_never().unwrap_or_else(|| Err(failed("memory did not answer")))
    }
}

/// A store in one file.
pub(crate) struct Journal(Mutex<Option<Open>>);

struct Open {
    memory: MemoryStore,
    file: File,
}

impl Journal {
    /// Opens the file, or creates it.
    ///
    /// # Errors
    /// When the file cannot be read or written, or is not a journal.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut file = File::options().create(true).read(true).append(true).open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        // An incomplete last line was never answered: the process ended while it was written.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let memory = MemoryStore::default();
        for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
            let entry: Entry = serde_json::from_slice(line)?;
            entry.apply(&memory).map_err(io::Error::other)?;
        }
        // Truncate only now, so that a file that is not a journal stays unchanged.
        file.set_len(whole as u64)?;
        Ok(Self(Mutex::new(Some(Open { memory, file }))))
    }

    fn read<T: Send + 'static>(&self, ask: impl FnOnce(&MemoryStore) -> Pending<T>) -> Pending<T> {
        match &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            Some(open) => ask(&open.memory),
            None => done(Err(closed())),
        }
    }

    /// Applies a write in memory, which may refuse it, and then to the file, in the same order.
    fn write(&self, entry: &Entry) -> Pending<()> {
        let mut journal = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(open) = &mut *journal else { return done(Err(closed())) };
        if let Err(refusal) = entry.apply(&open.memory) {
            return done(Err(refusal));
        }
        let kept = serde_json::to_string(entry).map_err(io::Error::other).and_then(|line| {
            open.file.write_all(format!("{line}\n").as_bytes())?;
            open.file.sync_data()
        });
        done(kept.map_err(|error| {
            // Memory is ahead of the file now. Only reading the file again shows what it has.
            *journal = None;
            failed(&error.to_string())
        }))
    }
}

fn done<T: Send + 'static>(result: Result<T, StoreError>) -> Pending<T> {
    Box::pin(std::future::ready(result))
}

fn failed(reason: &str) -> StoreError {
    StoreError::Failed { reason: reason.to_owned() }
}

fn closed() -> StoreError {
    failed("the journal could not be written; open it again")
}

impl Store for Journal {
    /// Other processes would not see this one's writes, so only one may serve the file. Nothing here prevents a
    /// second one; the SQLite store locks its file for that.
    fn writers(&self) -> Writers {
        Writers::Us
    }

    fn create(&self, id: &str, label: &str, definition: &str) -> Pending<()> {
        let (id, label, definition) = (id.to_owned(), label.to_owned(), definition.to_owned());
        self.write(&Entry::Create { id, label, definition })
    }

    fn find(&self, id: &str) -> Pending<Option<Stored>> {
        self.read(|memory| memory.find(id))
    }

    fn tip(&self, id: &str) -> Pending<Option<Tip>> {
        self.read(|memory| memory.tip(id))
    }

    fn key(&self, id: &str) -> Pending<Option<AgentKey>> {
        self.read(|memory| memory.key(id))
    }

    fn list(&self, after: &str, limit: usize) -> Pending<Vec<StoredSummary>> {
        self.read(|memory| memory.list(after, limit))
    }

    fn delete(&self, agent: &AgentKey) -> Pending<()> {
        self.write(&Entry::Delete { id: agent.id.clone(), number: agent.number })
    }

    fn rename(&self, agent: &AgentKey, id: &str) -> Pending<()> {
        let (id, number, to) = (agent.id.clone(), agent.number, id.to_owned());
        self.write(&Entry::Rename { id, number, to })
    }

    fn append(&self, agent: &AgentKey, at: &End, record: String) -> Pending<()> {
        let (id, End { sequence: at, seal: after }) = (agent.id.clone(), at.clone());
        self.write(&Entry::Append { id, number: agent.number, at, after, record })
    }

    fn read(&self, agent: &AgentKey, from: u64, portion: Portion) -> Pending<Vec<String>> {
        self.read(|memory| memory.read(agent, from, portion))
    }

    fn put_snapshot(&self, agent: &AgentKey, snapshot: StoredSnapshot) -> Pending<()> {
        let StoredSnapshot { sequence, body } = snapshot;
        self.write(&Entry::Snapshot { id: agent.id.clone(), number: agent.number, sequence, body })
    }

    fn snapshot(&self, agent: &AgentKey) -> Pending<Option<StoredSnapshot>> {
        self.read(|memory| memory.snapshot(agent))
    }

    fn check(&self) -> Pending<()> {
        self.read(Store::check)
    }
}
