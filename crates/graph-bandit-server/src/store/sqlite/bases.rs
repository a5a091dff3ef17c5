//! Bases, which replace the beginning of a log.

use super::super::{Beginning, Due};
use super::schema::END;
use super::writer::{Outcome, missing};
use super::{AgentKey, End, StoredSnapshot};
use rusqlite::{OptionalExtension, Transaction, params};

/// The beginning of a log, where its records before `sequence` are to be replaced.
struct Found {
    end: u64,
    base: Option<u64>,
    last: Option<String>,
}

impl Found {
    fn beginning(&self) -> Beginning<'_> {
        Beginning { end: self.end, base: self.base, last: self.last.as_deref() }
    }
}

fn beginning(on: &Transaction<'_>, agent: &AgentKey, sequence: u64) -> Result<Found, Outcome> {
    let sql = format!(
        "SELECT {END}, (SELECT sequence FROM bases WHERE bases.agent = number),
            (SELECT substr(body, 1, 64) FROM records
                WHERE records.agent = number AND sequence = ?2 - 1)
        FROM agents WHERE number = ?1"
    );
    let mut found = on.prepare_cached(&sql)?;
    let found = found.query_row([agent.number, sequence], |row| {
        Ok(Found { end: row.get(0)?, base: row.get(1)?, last: row.get(2)? })
    });
    found.optional()?.ok_or_else(|| missing(&agent.id))
}

pub(super) fn put(
    on: &Transaction<'_>,
    agent: &AgentKey,
    (at, body): (&End, &str),
) -> Result<(), Outcome> {
    let found = beginning(on, agent, at.sequence)?;
    let due = found.beginning().may_put(at, &agent.id).map_err(Outcome::Refused)?;
    if due == Due::Yes {
        write(on, agent, (at.sequence, body))?;
    }
    Ok(())
}

pub(super) fn begin_with(
    on: &Transaction<'_>,
    agent: &AgentKey,
    base: &StoredSnapshot,
) -> Result<(), Outcome> {
    let found = beginning(on, agent, 0)?;
    found.beginning().may_begin(&agent.id).map_err(Outcome::Refused)?;
    write(on, agent, (base.sequence, &base.body))
}

pub(super) fn release(on: &Transaction<'_>, agent: &AgentKey, at: &End) -> Result<(), Outcome> {
    let found = beginning(on, agent, at.sequence)?;
    let due = found.beginning().may_release(at, &agent.id).map_err(Outcome::Refused)?;
    if due == Due::Yes {
        let sql = "UPDATE bases SET released = sequence - 1 WHERE agent = ?1";
        on.prepare_cached(sql)?.execute([agent.number])?;
    }
    Ok(())
}

fn write(
    on: &Transaction<'_>,
    agent: &AgentKey,
    (sequence, body): (u64, &str),
) -> Result<(), Outcome> {
    let sql = "INSERT INTO bases (agent, sequence, released, swept, body) VALUES (?1, ?2, 0, 0, ?3)
        ON CONFLICT (agent) DO UPDATE SET sequence = excluded.sequence, body = excluded.body";
    on.prepare_cached(sql)?.execute(params![agent.number, sequence, body])?;
    Ok(())
}
