//! Puts an exported agent into the store, next to what is already there.

use super::super::UpkeepError;
use super::super::line::Line;
use super::Export;
use crate::agent::{Definition, Snapshot, while_imported};
use crate::fleet::FleetError;
use crate::fleet::load::{opened, record};
use crate::fleet::seal::unseal;
use crate::store::{AgentKey, End, Pending, Portion, Store, StoreError, Stored, StoredSnapshot};
use std::collections::VecDeque;

/// How many records may be pending at once, so that many become durable together.
const AT_ONCE: usize = 500;
/// How many bytes they may have.
const BYTES_AT_ONCE: usize = 8 << 20;

/// The first line of an agent.
pub(super) struct Head {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) definition: String,
    pub(super) end: u64,
}

/// Why an agent is not imported.
pub(super) enum Stop {
    /// It is damaged in the export; others may be fine.
    Damaged(String),
    /// Another agent in the store has its name; how they differ.
    Different(String),
    /// The import cannot go on.
    All(UpkeepError),
}

impl From<UpkeepError> for Stop {
    fn from(error: UpkeepError) -> Self {
        Self::All(error)
    }
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::All(error.into())
    }
}

impl From<FleetError> for Stop {
    fn from(error: FleetError) -> Self {
        Self::Damaged(error.to_string())
    }
}

/// Whether lines of the agent are left to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    Unread,
    Read,
}

/// The import of one agent.
pub(super) struct AgentImport {
    /// Its name at the end.
    id: String,
    key: AgentKey,
    /// The end of the records already in the store.
    there: u64,
    /// The first record of the export.
    first: u64,
    /// The seal of the last record that its base covers.
    base: Option<String>,
    /// The end of the records read so far.
    end: End,
    /// How many records there should be.
    wanted: u64,
    /// Whether it is new in the store.
    is_new: bool,
    /// The label that an agent of the store gets with the last record.
    new_label: Option<String>,
    /// Whether a record of the export is in the store, whose seal vouches for all before it, or none is needed.
    is_same_log: bool,
    on_their_way: VecDeque<(usize, Pending<()>)>,
    bytes: usize,
}

impl AgentImport {
    pub(super) async fn of(store: &dyn Store, head: &Head) -> Result<Self, Stop> {
        let id = &head.id;
        opened::<Definition>("definition", id, &head.definition)?;
        let there = store.find(id).await?;
        let is_new = there.is_none();
        let found = match there {
            Some(found) => found,
            None => created(store, head).await?,
        };
        if found.definition != head.definition {
            return Err(Stop::Different("it has another definition".to_owned()));
        }
        // A damaged label stays in the export: only lists need one.
        let is_wanted = !is_new && unseal(id, &head.label).is_ok();
        let new_label = is_wanted.then(|| head.label.clone());
        Ok(Self {
            id: id.clone(),
            key: found.key(),
            there: found.end,
            first: 0,
            base: None,
            end: End::after(0, &head.definition),
            wanted: head.end,
            new_label,
            is_new,
            is_same_log: found.end == 0 || head.end == 0,
            on_their_way: VecDeque::new(),
            bytes: 0,
        })
    }

    /// The first record of the export.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Whether the store has more records than the export.
    pub(super) fn has_gone_on(&self) -> bool {
        self.there > self.wanted
    }

    pub(super) fn gone_on(&self) -> Stop {
        let Self { there, wanted, .. } = self;
        Stop::Different(format!("it has {there} records, while the export has {wanted}"))
    }

    /// Reads the rest of the agent and stores it.
    pub(super) async fn fill(
        &mut self,
        store: &dyn Store,
        lines: &mut Export<'_>,
    ) -> Result<(), (Stop, Rest)> {
        loop {
            let line = lines.next().map_err(|error| (error.into(), Rest::Read))?;
            match line {
                Line::Record(text) => {
                    self.add(store, text).await.map_err(|stop| (stop, Rest::Unread))?;
                }
                Line::Base { sequence, body } => {
                    let begun = self.begin(store, StoredSnapshot { sequence, body }).await;
                    begun.map_err(|stop| (stop, Rest::Unread))?;
                }
                Line::Snapshot { sequence, body } => {
                    let kept = self.keep(store, StoredSnapshot { sequence, body }).await;
                    kept.map_err(|stop| (stop, Rest::Unread))?;
                }
                Line::Complete { .. } if self.end.sequence == self.wanted => {
                    if !self.is_same_log {
                        let stop = Stop::Different(self.incomparable());
                        return Err((stop, Rest::Read));
                    }
                    return self.finish(store).await.map_err(|stop| (stop, Rest::Read));
                }
                Line::Complete { .. } => {
                    let (found, wanted) = (self.end.sequence, self.wanted);
                    let reason = format!("the export has {found} of {wanted} records");
                    return Err((Stop::Damaged(reason), Rest::Read));
                }
                Line::Damaged { reason, .. } => return Err((Stop::Damaged(reason), Rest::Read)),
                _ => {
                    let wrong = lines.wrong("the agent before is incomplete".to_owned());
                    return Err((wrong.into(), Rest::Read));
                }
            }
        }
    }

    fn incomparable(&self) -> String {
        let (there, first, wanted) = (self.there, self.first, self.wanted);
        format!(
            "no record is in both logs: the store's log ends at {there}, and the export has records {first} \
             to {wanted}"
        )
    }

    /// Starts the log with the last record that the base covers.
    async fn begin(&mut self, store: &dyn Store, base: StoredSnapshot) -> Result<(), Stop> {
        let id = &self.id;
        let opened: Snapshot = opened("base", id, &base.body)?;
        let first = base.sequence.checked_sub(1).filter(|_| opened.sequence == base.sequence);
        let wrong = || Stop::Damaged(format!("its base is not one of {} records", base.sequence));
        self.first = first.ok_or_else(wrong)?;
        self.end.sequence = self.first;
        self.base = opened.seal;
        match store.base(&self.key).await? {
            // An earlier import may have ended before it reached the base.
            None if self.there == 0 => store.begin_with(&self.key, base).await?,
            Some(there) if there == base => {}
            // The records show whether they are the same.
            _ if self.there > self.first => {}
            _ => return Err(Stop::Different(self.incomparable())),
        }
        Ok(())
    }

    async fn add(&mut self, store: &dyn Store, text: String) -> Result<(), Stop> {
        let (id, at) = (&self.id, self.end.sequence);
        let read = record(id, at, &text)?;
        // The record before the first one after a base is not in the export.
        let follows = read.after == self.end.seal || at == self.first && at > 0;
        if !follows || read.receipt.record() != at {
            return Err(Stop::Damaged(format!("record {at} does not follow the one before it")));
        }
        let next = End::after(at + 1, &text);
        if at == self.first && self.base.as_ref().is_some_and(|base| *base != next.seal) {
            return Err(Stop::Damaged(format!("its base does not cover record {at}")));
        }
        if at < self.there {
            match store.read(&self.key, at, Portion::of(1)).await {
                Ok(there) if there.first() == Some(&text) => self.is_same_log = true,
                // The record was removed.
                Err(StoreError::Removed { .. }) => {}
                Ok(_) => {
                    return Err(Stop::Different(format!("record {at} of its log differs")));
                }
                Err(error) => return Err(error.into()),
            }
        } else {
            // The store refuses it if it does not follow its last record.
            self.is_same_log = true;
            let bytes = text.len();
            self.settle(BYTES_AT_ONCE.saturating_sub(bytes)).await?;
            self.bytes += bytes;
            let (key, end) = (&self.key, &self.end);
            let is_last = next.sequence == self.wanted;
            let appended = match self.new_label.take_if(|_| is_last) {
                Some(label) => store.append_and_label(key, end, text, label),
                None => store.append(key, end, text),
            };
            self.on_their_way.push_back((bytes, appended));
        }
        self.end = next;
        Ok(())
    }

    /// Stores a snapshot, if it belongs to the log before it; the log has everything without it.
    async fn keep(&mut self, store: &dyn Store, snapshot: StoredSnapshot) -> Result<(), Stop> {
        let id = &self.id;
        let wrong = match opened::<Snapshot>("snapshot", id, &snapshot.body) {
            Err(error) => Some(error.to_string()),
            Ok(opened) if opened.sequence != snapshot.sequence => {
                Some(format!("it claims to cover {} records", opened.sequence))
            }
            Ok(_) if snapshot.sequence > self.end.sequence => {
                Some(format!("the log ends at {}", self.end.sequence))
            }
            Ok(_) => None,
        };
        if let Some(reason) = wrong {
            let sequence = snapshot.sequence;
            tracing::warn!(
                agent = id,
                sequence,
                reason,
                "a snapshot cannot be used and was left out"
            );
            return Ok(());
        }
        if self.has_gone_on() {
            return Ok(());
        }
        self.settle(0).await?;
        Ok(store.put_snapshot(&self.key, snapshot).await?)
    }

    /// Waits for everything, and then gives a new agent its name.
    async fn finish(&mut self, store: &dyn Store) -> Result<(), Stop> {
        self.settle(0).await?;
        if !self.is_new {
            return Ok(());
        }
        match store.rename(&self.key, &self.id).await {
            Err(StoreError::Exists { .. }) => {
                Err(Stop::Different("it was created during the import".to_owned()))
            }
            renamed => {
                // If it failed, it may be done all the same, and the agent be served: it is not deleted.
                self.is_new = false;
                Ok(renamed?)
            }
        }
    }

    /// Waits until at most this many bytes and records are pending.
    async fn settle(&mut self, bytes: usize) -> Result<(), Stop> {
        while self.bytes > bytes || self.on_their_way.len() >= AT_ONCE || bytes == 0 {
            let Some((bytes, first)) = self.on_their_way.pop_front() else { break };
            first.await?;
            self.bytes -= bytes;
        }
        Ok(())
    }

    /// Removes the agent again, if it is new.
    pub(super) async fn give_up(&mut self, store: &dyn Store) -> Result<(), UpkeepError> {
        while let Some((_, pending)) = self.on_their_way.pop_front() {
            // The failure was reported; pending records must not arrive after the deletion.
            let _ = pending.await;
        }
        if self.is_new {
            store.delete(&self.key).await?;
        }
        Ok(())
    }
}

/// Creates the agent under the name that it has while it is imported, in place of what an earlier import left.
async fn created(store: &dyn Store, head: &Head) -> Result<Stored, StoreError> {
    let id = while_imported(&head.id);
    if let Some(left) = store.key(&id).await? {
        store.delete(&left).await?;
    }
    store.create(&id, &head.label, &head.definition).await?;
    store.find(&id).await?.ok_or(StoreError::NoSuchAgent { id })
}
