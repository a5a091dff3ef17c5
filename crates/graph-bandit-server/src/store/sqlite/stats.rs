//! Statistics of a file.

use super::files::beside;
use super::schema::{open_at_a_moment, pragma};
use super::{StoreError, about, failed};
use crate::upkeep::{LARGEST_LOGS, LogLength, StoreStats};
use rusqlite::Connection;
use std::path::Path;

/// Counts the content of a file at this moment.
pub(crate) fn stats(file: &Path) -> Result<StoreStats, StoreError> {
    let connection = open_at_a_moment(file).map_err(|error| about(file, &error))?;
    let mut stats = count(&connection).map_err(|error| about(file, &failed(&error)))?;
    let log = beside(file, "-wal").metadata();
    stats.write_ahead_bytes = Some(log.map_or(0, |log| log.len()));
    Ok(stats)
}

fn count(on: &Connection) -> rusqlite::Result<StoreStats> {
    let page = pragma(on, "page_size")?.unsigned_abs();
    let pages = |name| Ok::<_, rusqlite::Error>(pragma(on, name)?.unsigned_abs() * page);
    let number = |sql: &str| on.query_row(sql, [], |row| row.get::<_, u64>(0));
    // By the ends of the logs, without reading all records.
    let logs = "SELECT id,
        coalesce((SELECT max(sequence) + 1 FROM records WHERE agent = number), 0)
        - coalesce((SELECT min(sequence) FROM records WHERE agent = number), 0) AS length FROM agents";
    let mut largest =
        on.prepare(&format!("{logs} ORDER BY length DESC, id LIMIT {LARGEST_LOGS}"))?;
    let largest = largest
        .query_map([], |row| Ok(LogLength { agent: row.get(0)?, records: row.get(1)? }))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(StoreStats {
        kind: "SQLite",
        tables: pragma(on, "user_version")?,
        agents: number("SELECT count(*) FROM agents")?,
        records: number(&format!("SELECT coalesce(sum(length), 0) FROM ({logs})"))?,
        snapshots: number("SELECT count(*) FROM snapshots")?,
        deleted_and_not_removed: number("SELECT count(*) FROM doomed")?,
        bytes: pages("page_count")?,
        free_bytes: Some(pages("freelist_count")?),
        write_ahead_bytes: None,
        largest_logs: largest,
    })
}
