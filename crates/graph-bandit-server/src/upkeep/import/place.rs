//! Where an agent of an export is put, and what is there already.

use super::super::UpkeepError;
use super::super::line::Line;
use super::Export;
use crate::agent::{Definition, Snapshot};
use crate::fleet::FleetError;
use crate::fleet::load::{opened, record};
use crate::store::{AgentKey, End, Pending, Portion, Store, StoreError, StoredSnapshot};
use std::collections::VecDeque;

/// How many records may be on their way at once, so that many become durable together.
const AT_ONCE: usize = 500;
/// How many bytes of them.
const BYTES_AT_ONCE: usize = 8 << 20;

/// What an agent begins with.
pub(super) struct Head {
    pub(super) id: String,
    pub(super) label: String,
    pub(super) definition: String,
    pub(super) end: u64,
}

/// Why an agent is not imported.
pub(super) enum Stop {
    /// It is damaged in the export; others may well be whole.
    Damaged(String),
    /// Another one of its name is in the store; how they differ.
    Different(String),
    /// Nothing can be imported any more.
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

/// Whether lines of the agent are still to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rest {
    Unread,
    Read,
}

/// Where an agent is put.
pub(super) struct Place {
    key: AgentKey,
    /// Where the records that are there already end.
    there: u64,
    /// Where the records of the export begin.
    first: u64,
    /// The seal of the last record that its base stands for.
    base: Option<String>,
    /// Where the records that were read so far end.
    end: End,
    /// How many there are to be.
    wanted: u64,
    /// Whether it was not there before.
    is_new: bool,
    /// Whether a record of the export is there, which stands for all before it by its seal, or none was to be.
    is_same_log: bool,
    on_their_way: VecDeque<(usize, Pending<()>)>,
    bytes: usize,
}

impl Place {
    pub(super) async fn of(store: &dyn Store, head: &Head) -> Result<Self, Stop> {
        let id = &head.id;
        opened::<Definition>("definition", id, &head.definition)?;
        let is_new = match store.create(id, &head.label, &head.definition).await {
            Ok(()) => true,
            Err(StoreError::Exists { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        let found =
            store.find(id).await?.ok_or_else(|| StoreError::NoSuchAgent { id: id.clone() })?;
        if found.definition != head.definition {
            return Err(Stop::Different("it was created as another one".to_owned()));
        }
        Ok(Self {
            key: found.key(),
            there: found.end,
            first: 0,
            base: None,
            end: End::after(0, &head.definition),
            wanted: head.end,
            is_new,
            is_same_log: found.end == 0 || head.end == 0,
            on_their_way: VecDeque::new(),
            bytes: 0,
        })
    }

    /// Where the records of the export begin.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Whether more is there than in the export.
    pub(super) fn has_gone_on(&self) -> bool {
        self.there > self.wanted
    }

    pub(super) fn gone_on(&self) -> Stop {
        let Self { there, wanted, .. } = self;
        Stop::Different(format!("it has gone on to {there} records, where the export has {wanted}"))
    }

    /// Reads the rest of the agent and puts it there.
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
                Line::Whole { .. } if self.end.sequence == self.wanted => {
                    if !self.is_same_log {
                        let stop = Stop::Different(self.incomparable());
                        return Err((stop, Rest::Read));
                    }
                    return self.settle(0).await.map_err(|stop| (stop, Rest::Read));
                }
                Line::Whole { .. } => {
                    let (found, wanted) = (self.end.sequence, self.wanted);
                    let reason = format!("{found} of {wanted} records are in the export");
                    return Err((Stop::Damaged(reason), Rest::Read));
                }
                Line::Damaged { reason, .. } => return Err((Stop::Damaged(reason), Rest::Read)),
                _ => {
                    let wrong = lines.wrong("the agent before is not whole".to_owned());
                    return Err((wrong.into(), Rest::Read));
                }
            }
        }
    }

    fn incomparable(&self) -> String {
        let (there, first, wanted) = (self.there, self.first, self.wanted);
        format!(
            "no record is in both logs: that of the store ends at {there}, and that of the export is from {first} \
             to {wanted}"
        )
    }

    /// The log begins with the last record that the base stands for.
    async fn begin(&mut self, store: &dyn Store, base: StoredSnapshot) -> Result<(), Stop> {
        let id = &self.key.id;
        let opened: Snapshot = opened("base", id, &base.body)?;
        let first = base.sequence.checked_sub(1).filter(|_| opened.sequence == base.sequence);
        let wrong = || Stop::Damaged(format!("its base is not one of {} records", base.sequence));
        self.first = first.ok_or_else(wrong)?;
        self.end.sequence = self.first;
        self.base = opened.seal;
        match store.base(&self.key).await? {
            // An import before this one may have ended before it came to the base.
            None if self.there == 0 => store.begin_with(&self.key, base).await?,
            Some(there) if there == base => {}
            // Their records say whether they are the same.
            _ if self.there > self.first => {}
            _ => return Err(Stop::Different(self.incomparable())),
        }
        Ok(())
    }

    async fn add(&mut self, store: &dyn Store, text: String) -> Result<(), Stop> {
        let (id, at) = (&self.key.id, self.end.sequence);
        let read = record(id, at, &text)?;
        // What the first one after a base follows is not in the export.
        let follows =
            read.after.is_none_or(|after| after == self.end.seal) || at == self.first && at > 0;
        if !follows || read.receipt.sequence != at {
            return Err(Stop::Damaged(format!("record {at} does not follow the one before it")));
        }
        let next = End::after(at + 1, &text);
        if at == self.first && self.base.as_ref().is_some_and(|base| *base != next.seal) {
            return Err(Stop::Damaged(format!("its base does not stand for record {at}")));
        }
        if at < self.there {
            match store.read(&self.key, at, Portion::of(1)).await {
                Ok(there) if there.first() == Some(&text) => self.is_same_log = true,
                // It was let go.
                Err(StoreError::Removed { .. }) => {}
                Ok(_) => {
                    return Err(Stop::Different(format!("record {at} of its log is another one")));
                }
                Err(error) => return Err(error.into()),
            }
        } else {
            // Refused where it does not follow what is there.
            self.is_same_log = true;
            let bytes = text.len();
            self.settle(BYTES_AT_ONCE.saturating_sub(bytes)).await?;
            self.bytes += bytes;
            self.on_their_way.push_back((bytes, store.append(&self.key, &self.end, text)));
        }
        self.end = next;
        Ok(())
    }

    /// Keeps a snapshot, if it is one of the log before it; without it the log has everything.
    async fn keep(&mut self, store: &dyn Store, snapshot: StoredSnapshot) -> Result<(), Stop> {
        let id = &self.key.id;
        let wrong = match opened::<Snapshot>("snapshot", id, &snapshot.body) {
            Err(error) => Some(error.to_string()),
            Ok(opened) if opened.sequence != snapshot.sequence => {
                Some(format!("it says that it is of {} records", opened.sequence))
            }
            Ok(_) if snapshot.sequence > self.end.sequence => {
                Some(format!("the log ends at {}", self.end.sequence))
            }
            Ok(_) => None,
        };
        if let Some(reason) = wrong {
            let sequence = snapshot.sequence;
            tracing::warn!(agent = id, sequence, reason, "a snapshot is of no use and left out");
            return Ok(());
        }
        if self.has_gone_on() {
            return Ok(());
        }
        self.settle(0).await?;
        Ok(store.put_snapshot(&self.key, snapshot).await?)
    }

    /// Waits until no more than so many bytes, and records, are on their way.
    async fn settle(&mut self, bytes: usize) -> Result<(), Stop> {
        while self.bytes > bytes || self.on_their_way.len() >= AT_ONCE || bytes == 0 {
            let Some((bytes, first)) = self.on_their_way.pop_front() else { break };
            first.await?;
            self.bytes -= bytes;
        }
        Ok(())
    }

    /// Takes it away again, if it was not there before.
    pub(super) async fn give_up(&mut self, store: &dyn Store) -> Result<(), UpkeepError> {
        while let Some((_, pending)) = self.on_their_way.pop_front() {
            // What failed was said; the others must not come after the deletion.
            let _ = pending.await;
        }
        if self.is_new {
            store.delete(&self.key).await?;
        }
        Ok(())
    }
}
