//! Imports an export into another store.
//!
//! A new agent is in the store completely or not at all: until its last record is stored, it has a name that is
//! not served and that no client can create. If it cannot be finished, it is deleted again. If the import is
//! killed, the next one replaces what is left of it. An agent that is there already gets the records it lacks.

mod lines;
mod place;

pub use lines::Export;

use super::line::Line;
use super::{Damage, UpkeepError, run};
use crate::agent::is_name;
use crate::store::Store;
use place::{AgentImport, Head, Rest, Stop};
use std::sync::Arc;

/// What to do if another agent in the store has the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IfNameTaken {
    /// End the import with an error.
    Refuse,
    /// Keep it, skip the exported agent, and go on with the others.
    Skip,
}

/// The result of an import.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Imported {
    /// Agents that are in the store now, including those that were there before.
    pub agents: u64,
    /// Their records.
    pub records: u64,
    /// Agents that were skipped because they have more records in the store: their logs begin like the
    /// exported ones.
    pub skipped: u64,
    /// Agents that were skipped because other agents have their names.
    pub different: Vec<Different>,
    /// Agents that are damaged in the export, and were not imported.
    pub damaged: Vec<Damage>,
}

/// An agent of the store that differs from the exported one of the same name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Different {
    /// Its name.
    pub agent: String,
    /// How they differ.
    pub how: String,
}

/// Imports an export. The seal of every text is checked before it is stored.
///
/// # Errors
/// When the store fails, the lines cannot be read, or another agent has a name.
pub fn import(
    store: &Arc<dyn Store>,
    mut export: Export<'_>,
    if_name_taken: IfNameTaken,
) -> Result<Imported, UpkeepError> {
    run(async {
        let mut imported = Imported::default();
        loop {
            match export.next()? {
                Line::Agent { id, label, definition, end } => {
                    let head = Head { id, label, definition, end };
                    agent(&**store, head, &mut export, (&mut imported, if_name_taken)).await?;
                }
                Line::Damaged { id: agent, reason } => {
                    imported.damaged.push(Damage { agent, reason });
                }
                Line::End { .. } => return Ok(imported),
                _ => return Err(export.wrong("no agent begins here".to_owned())),
            }
        }
    })
}

async fn agent(
    store: &dyn Store,
    head: Head,
    export: &mut Export<'_>,
    (imported, if_name_taken): (&mut Imported, IfNameTaken),
) -> Result<(), UpkeepError> {
    let id = head.id.clone();
    if !is_name(&id) {
        return Err(export.wrong(format!("{id:?} is not a name for an agent")));
    }
    let (stop, rest) = match put(store, &head, (export, if_name_taken)).await {
        Ok(Put::There { records }) => {
            imported.agents += 1;
            imported.records += records;
            return Ok(());
        }
        Ok(Put::Skipped) => {
            imported.skipped += 1;
            return Ok(());
        }
        Err(stopped) => stopped,
    };
    match stop {
        Stop::Damaged(reason) => imported.damaged.push(Damage { agent: id, reason }),
        Stop::Different(how) if if_name_taken == IfNameTaken::Skip => {
            imported.different.push(Different { agent: id, how });
        }
        Stop::Different(how) => return Err(UpkeepError::AgentExists { id, how }),
        Stop::All(error) => return Err(error),
    }
    match rest {
        Rest::Unread => export.pass_over(),
        Rest::Read => Ok(()),
    }
}

/// The outcome for an exported agent.
enum Put {
    /// It is in the store, with this many records of the export.
    There { records: u64 },
    /// It has more records in the store.
    Skipped,
}

async fn put(
    store: &dyn Store,
    head: &Head,
    (export, if_name_taken): (&mut Export<'_>, IfNameTaken),
) -> Result<Put, (Stop, Rest)> {
    let mut place = AgentImport::of(store, head).await.map_err(|stop| (stop, Rest::Unread))?;
    if if_name_taken == IfNameTaken::Refuse && place.has_gone_on() {
        return Err((place.gone_on(), Rest::Unread));
    }
    if let Err(stopped) = place.fill(store, export).await {
        place.give_up(store).await.map_err(|error| (error.into(), Rest::Read))?;
        return Err(stopped);
    }
    if place.has_gone_on() {
        return Ok(Put::Skipped);
    }
    Ok(Put::There { records: head.end - place.first() })
}
