//! The reads.

use super::failure::said;
use super::session::Session;
use super::{
    AgentKey, End, Portion, StoreError, Stored, StoredSnapshot, StoredSummary, Tip, in_a_row,
    signed,
};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row, Statement};

/// A PostgreSQL text cannot have this character, so no name has it.
const NEVER: char = '\0';

pub(super) async fn find(on: &Session, id: &str) -> Result<Option<Stored>, StoreError> {
    if id.contains(NEVER) {
        return Ok(None);
    }
    let found = on.client.query_opt(&on.statements.find, &[&id]).await;
    found.and_then(|row| row.map(|row| stored(&row)).transpose()).map_err(|error| said(&error))
}

pub(super) async fn tip(on: &Session, id: &str) -> Result<Option<Tip>, StoreError> {
    if id.contains(NEVER) {
        return Ok(None);
    }
    let found = on.client.query_opt(&on.statements.tip, &[&id]).await;
    let tip = |row: Row| Ok(Tip { number: number_at(&row, 0)?, end: end(&row, (1, 2))? });
    found.and_then(|row| row.map(tip).transpose()).map_err(|error| said(&error))
}

pub(super) async fn list(
    on: &Session,
    after: &str,
    limit: usize,
) -> Result<Vec<StoredSummary>, StoreError> {
    // Cutting the text at this character does not change which names come after it.
    let after = after.split(NEVER).next().unwrap_or_default();
    let found = on.client.query(&on.statements.list, &[&after, &signed(limit as u64)]).await;
    found.and_then(|rows| rows.iter().map(listed).collect()).map_err(|error| said(&error))
}

pub(super) async fn records(
    on: &Session,
    agent: &AgentKey,
    (from, portion): (u64, Portion),
) -> Result<Vec<String>, StoreError> {
    let (number, start) = (signed(agent.number), signed(from));
    let (records, bytes) = (signed(portion.records as u64), signed(portion.bytes as u64));
    let range: [&(dyn ToSql + Sync); 4] = [&number, &start, &records, &bytes];
    let found = on.client.query(&on.statements.records, &range).await;
    let found = found.map_err(|error| said(&error))?;
    if found.is_empty() {
        return Err(missing(agent));
    }
    let record = |row: &Row| -> Result<Option<(u64, String)>, Error> {
        let Some(body) = row.try_get(1)? else { return Ok(None) };
        Ok(Some((number_at(row, 0)?, body)))
    };
    let records = found.iter().filter_map(|row| record(row).transpose()).collect::<Result<_, _>>();
    in_a_row(&agent.id, from, records.map_err(|error| said(&error))?)
}

pub(super) async fn received(
    on: &Session,
    agent: &AgentKey,
    at: u64,
) -> Result<Option<u64>, StoreError> {
    let (number, at) = (signed(agent.number), signed(at));
    let found = on.client.query_opt(&on.statements.received, &[&number, &at]).await;
    let row = found.map_err(|error| said(&error))?.ok_or_else(|| missing(agent))?;
    let received = row.try_get::<_, Option<i64>>(0).map_err(|error| said(&error))?;
    Ok(received.map(i64::unsigned_abs))
}

pub(super) async fn snapshot(
    on: &Session,
    agent: &AgentKey,
) -> Result<Option<StoredSnapshot>, StoreError> {
    kept_by(on, &on.statements.snapshot, agent).await
}

pub(super) async fn base(
    on: &Session,
    agent: &AgentKey,
) -> Result<Option<StoredSnapshot>, StoreError> {
    kept_by(on, &on.statements.base, agent).await
}

async fn kept_by(
    on: &Session,
    statement: &Statement,
    agent: &AgentKey,
) -> Result<Option<StoredSnapshot>, StoreError> {
    let found = on.client.query_opt(statement, &[&signed(agent.number)]).await;
    let row = found.map_err(|error| said(&error))?.ok_or_else(|| missing(agent))?;
    let snapshot = || {
        let Some(body) = row.try_get::<_, Option<String>>(1)? else { return Ok(None) };
        Ok(Some(StoredSnapshot { sequence: number_at(&row, 0)?, body }))
    };
    snapshot().map_err(|error: Error| said(&error))
}

fn stored(row: &Row) -> Result<Stored, Error> {
    Ok(Stored {
        id: row.try_get(0)?,
        number: number_at(row, 1)?,
        definition: row.try_get(2)?,
        end: number_at(row, 3)?,
    })
}

fn listed(row: &Row) -> Result<StoredSummary, Error> {
    Ok(StoredSummary { id: row.try_get(0)?, label: row.try_get(1)?, end: number_at(row, 2)? })
}

/// The end of a log, from its number and the head of the text with its seal.
pub(super) fn end(row: &Row, (sequence, head): (usize, usize)) -> Result<End, Error> {
    let head: Option<&str> = row.try_get(head)?;
    Ok(End::after(number_at(row, sequence)?, head.unwrap_or_default()))
}

/// Numbers and ends are never negative.
pub(super) fn number_at(row: &Row, column: usize) -> Result<u64, Error> {
    Ok(row.try_get::<_, i64>(column)?.unsigned_abs())
}

pub(super) fn missing(agent: &AgentKey) -> StoreError {
    StoreError::NoSuchAgent { id: agent.id.clone() }
}
