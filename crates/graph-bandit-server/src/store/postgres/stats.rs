//! Statistics of a database.

use super::address::Address;
use super::failure::{failed, said};
use super::{StoreError, session};
use crate::upkeep::{LARGEST_LOGS, LogLength, StoreStats};
use tokio_postgres::{Client, Error};

/// Counts the content of the database of a URL at this moment.
pub(crate) fn stats(url: &str) -> Result<StoreStats, StoreError> {
    let address = Address::of(url)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| failed(error.to_string()))?;
    let counting = async {
        let session = session::open_at_a_moment(&address).await?;
        count(&session.client).await.map_err(|error| said(&error))
    };
    runtime.block_on(counting).map_err(|error| address.about(error))
}

async fn count(on: &Client) -> Result<StoreStats, Error> {
    // `bases` has how much of a log was removed, if any.
    let totals = "SELECT (SELECT max(version) FROM gbandit.version)::BIGINT,
        (SELECT count(*) FROM gbandit.logs),
        ((SELECT coalesce(sum(ends), 0) FROM gbandit.logs)
            - (SELECT coalesce(sum(swept), 0) FROM gbandit.bases))::BIGINT,
        (SELECT count(*) FROM gbandit.snapshots),
        (SELECT count(*) FROM gbandit.doomed),
        (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
            WHERE relnamespace = 'gbandit'::regnamespace AND relkind = 'r')::BIGINT";
    let totals = on.query_one(totals, &[]).await?;
    let number = |column: usize| totals.try_get::<_, i64>(column);
    let largest = format!(
        "SELECT id, ends - coalesce(swept, 0) AS length FROM gbandit.agents
        JOIN gbandit.logs ON agent = number LEFT JOIN gbandit.bases USING (agent)
        ORDER BY length DESC, id LIMIT {LARGEST_LOGS}"
    );
    let mut largest_logs = Vec::new();
    for row in on.query(&largest, &[]).await? {
        let records = row.try_get::<_, i64>(1)?.unsigned_abs();
        largest_logs.push(LogLength { agent: row.try_get(0)?, records });
    }
    Ok(StoreStats {
        kind: "PostgreSQL",
        tables: number(0)?,
        agents: number(1)?.unsigned_abs(),
        records: number(2)?.unsigned_abs(),
        snapshots: number(3)?.unsigned_abs(),
        deleted_and_not_removed: number(4)?.unsigned_abs(),
        bytes: number(5)?.unsigned_abs(),
        free_bytes: None,
        write_ahead_bytes: None,
        largest_logs,
    })
}
