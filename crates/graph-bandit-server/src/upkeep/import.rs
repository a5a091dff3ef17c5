//! An export, taken in by another store.
//!
//! An agent is in the store as a whole or not at all when the import has ended: one that cannot be
//! finished is deleted again. An import that was killed is begun again, and goes on where it was.

use super::line::{FORMAT, Line};
use super::{Damage, UpkeepError, run};
use crate::agent::{Definition, Snapshot, is_name};
use crate::fleet::FleetError;
use crate::fleet::load::{opened, record};
use crate::store::{AgentKey, End, Format, Pending, Portion, Store, StoreError, StoredSnapshot};
use std::collections::VecDeque;
use std::io::BufRead;
use std::sync::Arc;

/// How many records may be on their way at once, so that many become durable together.
const AT_ONCE: usize = 500;
/// How many bytes of them.
const BYTES_AT_ONCE: usize = 8 << 20;

/// What happens when another agent of the name is in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfNamed {
    /// The import ends with an error.
    Refuse,
    /// It stays, and the one of the export is passed over.
    Skip,
}

/// What was imported.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// Agents that are in the store now; the same ones may have been there before.
    pub agents: u64,
    /// Their records.
    pub records: u64,
    /// Agents that were passed over.
    pub skipped: u64,
    /// Agents that are damaged in the export, and are not in the store.
    pub damaged: Vec<Damage>,
}

/// Takes in the lines of an export. Every text is checked by its seal before it is kept.
///
/// # Errors
/// When the store fails, the lines cannot be read, or another agent of a name is there.
pub fn import(
    store: &Arc<dyn Store>,
    from: &mut dyn BufRead,
    if_named: IfNamed,
) -> Result<Imported, UpkeepError> {
    if store.format() == Format::First {
        return Err(UpkeepError::EarlierVersion);
    }
    run(async {
        let mut lines = Lines { from, number: 0 };
        match lines.next()? {
            Line::Store { format: FORMAT } => {}
            Line::Store { format } => {
                return Err(lines.wrong(format!("format {format}; this program reads {FORMAT}")));
            }
            _ => return Err(lines.wrong("it does not begin as an export".to_owned())),
        }
        let mut imported = Imported::default();
        loop {
            match lines.next()? {
                Line::Agent { id, label, definition, end } => {
                    let head = Head { id, label, definition, end };
                    agent(&**store, head, &mut lines, (&mut imported, if_named)).await?;
                }
                Line::Damaged { id: agent, reason } => {
                    imported.damaged.push(Damage { agent, reason });
                }
                Line::End { .. } => return Ok(imported),
                _ => return Err(lines.wrong("no agent begins here".to_owned())),
            }
        }
    })
}

struct Lines<'a> {
    from: &'a mut dyn BufRead,
    number: u64,
}

impl Lines<'_> {
    fn next(&mut self) -> Result<Line, UpkeepError> {
        let mut text = String::new();
        self.number += 1;
        if self.from.read_line(&mut text).map_err(UpkeepError::Stream)? == 0 {
            return Err(self.wrong("the export is cut off here".to_owned()));
        }
        serde_json::from_str(&text).map_err(|error| self.wrong(error.to_string()))
    }

    fn wrong(&self, reason: String) -> UpkeepError {
        UpkeepError::Line { line: self.number, reason }
    }
}

/// What an agent begins with.
struct Head {
    id: String,
    label: String,
    definition: String,
    end: u64,
}

/// Why an agent is not imported.
enum Stop {
    /// It is damaged in the export; others may well be whole.
    Damaged(String),
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

async fn agent(
    store: &dyn Store,
    head: Head,
    lines: &mut Lines<'_>,
    (imported, if_named): (&mut Imported, IfNamed),
) -> Result<(), UpkeepError> {
    let id = head.id.clone();
    if !is_name(&id) {
        return Err(lines.wrong(format!("{id:?} is not a name for an agent")));
    }
    let mut place = match Place::of(store, &head).await {
        Ok(place) => place,
        Err(Stop::All(UpkeepError::AgentExists { .. })) if if_named == IfNamed::Skip => {
            imported.skipped += 1;
            return pass_over(lines);
        }
        Err(Stop::All(error)) => return Err(error),
        Err(Stop::Damaged(reason)) => {
            imported.damaged.push(Damage { agent: id, reason });
            return pass_over(lines);
        }
    };
    match place.fill(store, lines).await {
        Ok(()) => {
            imported.agents += 1;
            imported.records += head.end - place.first;
            Ok(())
        }
        Err((stop, rest)) => {
            place.give_up(store).await?;
            match stop {
                Stop::All(error) => Err(error),
                Stop::Damaged(reason) => {
                    imported.damaged.push(Damage { agent: id, reason });
                    if rest == Rest::Unread {
                        pass_over(lines)?;
                    }
                    Ok(())
                }
            }
        }
    }
}

/// Whether lines of the agent are still to be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rest {
    Unread,
    Read,
}

/// Reads as far as the end of the agent.
fn pass_over(lines: &mut Lines<'_>) -> Result<(), UpkeepError> {
    loop {
        match lines.next()? {
            Line::Record(_) | Line::Base { .. } | Line::Snapshot { .. } => {}
            Line::Whole { .. } | Line::Damaged { .. } => return Ok(()),
            _ => return Err(lines.wrong("the agent before is not whole".to_owned())),
        }
    }
}

/// Where an agent is put.
struct Place {
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
    on_their_way: VecDeque<(usize, Pending<()>)>,
    bytes: usize,
}

impl Place {
    async fn of(store: &dyn Store, head: &Head) -> Result<Self, Stop> {
        let id = &head.id;
        opened::<Definition>("definition", id, &head.definition)?;
        let is_new = match store.create(id, &head.label, &head.definition).await {
            Ok(()) => true,
            Err(StoreError::Exists { .. }) => false,
            Err(error) => return Err(error.into()),
        };
        let exists = || UpkeepError::AgentExists { id: id.clone() };
        let found = store.find(id).await?.filter(|there| there.definition == head.definition);
        let found = found.filter(|there| there.end <= head.end).ok_or_else(exists)?;
        Ok(Self {
            key: found.key(),
            there: found.end,
            first: 0,
            base: None,
            end: End::after(0, &head.definition),
            wanted: head.end,
            is_new,
            on_their_way: VecDeque::new(),
            bytes: 0,
        })
    }

    /// Reads the rest of the agent and puts it there.
    async fn fill(&mut self, store: &dyn Store, lines: &mut Lines<'_>) -> Result<(), (Stop, Rest)> {
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
            _ => return Err(UpkeepError::AgentExists { id: id.clone() }.into()),
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
            if store.read(&self.key, at, Portion::of(1)).await?.first() != Some(&text) {
                return Err(UpkeepError::AgentExists { id: id.clone() }.into());
            }
        } else {
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
    async fn give_up(&mut self, store: &dyn Store) -> Result<(), UpkeepError> {
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
