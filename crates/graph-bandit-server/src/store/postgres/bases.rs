//! Bases, which replace the beginning of a log. Each statement locks the log, checks that it has the expected
//! records, and only then writes; its answer has what it saw.

use super::super::{Beginning, Due};
use super::failure::said;
use super::session::Session;
use super::{AgentKey, End, StoreError, StoredSnapshot, reader, signed};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Row, Statement};

/// The log as it was before the statement.
struct Seen(Row);

impl Seen {
    fn beginning(&self) -> Result<Beginning<'_>, StoreError> {
        let read = || {
            let base: Option<i64> = self.0.try_get(1)?;
            let (end, base) = (reader::number_at(&self.0, 0)?, base.map(i64::unsigned_abs));
            Ok(Beginning { end, base, last: self.0.try_get(2)? })
        };
        read().map_err(|error| said(&error))
    }
}

async fn ask(
    on: &Session,
    agent: &AgentKey,
    (statement, values): (&Statement, &[&(dyn ToSql + Sync)]),
) -> Result<Seen, StoreError> {
    let row = on.client.query_opt(statement, values).await.map_err(|error| said(&error))?;
    row.map(Seen).ok_or_else(|| reader::missing(agent))
}

pub(super) async fn put(
    on: &Session,
    agent: &AgentKey,
    (at, body): (&End, &str),
) -> Result<(), StoreError> {
    let (number, sequence) = (signed(agent.number), signed(at.sequence));
    let values: [&(dyn ToSql + Sync); 4] = [&number, &sequence, &at.seal, &body];
    let seen = ask(on, agent, (&on.statements.put_base, &values)).await?;
    seen.beginning()?.may_put(at, &agent.id).map(drop)
}

pub(super) async fn begin_with(
    on: &Session,
    agent: &AgentKey,
    base: &StoredSnapshot,
) -> Result<(), StoreError> {
    let (number, sequence) = (signed(agent.number), signed(base.sequence));
    let values: [&(dyn ToSql + Sync); 3] = [&number, &sequence, &base.body];
    let seen = ask(on, agent, (&on.statements.begin_with, &values)).await?;
    seen.beginning()?.may_begin(&agent.id)
}

/// Returns whether there is something to remove now.
pub(super) async fn release(on: &Session, agent: &AgentKey, at: &End) -> Result<Due, StoreError> {
    let (number, sequence) = (signed(agent.number), signed(at.sequence));
    let values: [&(dyn ToSql + Sync); 3] = [&number, &sequence, &at.seal];
    let seen = ask(on, agent, (&on.statements.release, &values)).await?;
    seen.beginning()?.may_release(at, &agent.id)
}
