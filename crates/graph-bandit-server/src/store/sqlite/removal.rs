//! Removes the records of deleted agents, and records that a base covers, piece by piece between the
//! batches of the writer.
//!
//! A deletion removes the name in one small transaction and notes the agent's number in `doomed`. The
//! records are removed in pieces, each in its own transaction, so that no report waits longer than one
//! piece takes. If the process ends in between, the note stays, and the next process goes on. Released
//! records work the same way: the base that covers them notes how far they are released.
//!
//! Later records reuse free pages. If more than a quarter of the file is free, pages at its end are given
//! back to the system, also in small steps.

use super::group_commit::Tidy;
use super::is_damage;
use super::schema::pragma;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

/// The most records of one piece.
const RECORDS: i64 = 1_000;
/// A piece with more bytes than this takes no more records.
const ENOUGH: i64 = 1 << 20;
/// How many pages are given back at once.
const PAGES: i64 = 250;
/// A file with fewer free pages than this is not shrunk.
const WORTHWHILE: i64 = 1_000;

/// How far the removal has come.
#[derive(Debug)]
pub(super) struct Removal {
    /// Whether there may be something to remove.
    waiting: bool,
    /// Agents whose part of the file is broken; their records stay.
    stuck: Vec<i64>,
}

impl Default for Removal {
    /// At the start, when the process before may have left something.
    fn default() -> Self {
        Self { waiting: true, stuck: Vec::new() }
    }
}

/// The next piece of work.
enum Piece {
    /// Records of a deleted agent.
    Of(i64),
    /// Records that the base of an agent covers.
    Released(i64),
    Pages,
    Nothing,
}

impl Removal {
    /// Notes that there is something to remove.
    pub(super) fn expect_more(&mut self) {
        self.waiting = true;
    }

    /// Removes one piece. A failure is retried after the next batch.
    pub(super) fn go_on(&mut self, connection: &mut Connection) -> Tidy {
        if !self.waiting {
            return Tidy::Done;
        }
        let next = match self.next(connection) {
            Ok(next) => next,
            Err(error) => return failed(&error),
        };
        let removed = match next {
            Piece::Of(agent) => self.unless_broken(agent, remove_piece(connection, agent)),
            Piece::Released(agent) => self.unless_broken(agent, trim_piece(connection, agent)),
            Piece::Pages => give_back(connection),
            Piece::Nothing => {
                self.waiting = false;
                return Tidy::Done;
            }
        };
        removed.map_or_else(|error| failed(&error), |()| Tidy::More)
    }

    /// If the file is broken there, the agent is not tried again.
    fn unless_broken(&mut self, agent: i64, removed: rusqlite::Result<()>) -> rusqlite::Result<()> {
        match removed {
            Err(error) if is_damage(&error) => {
                tracing::error!(%error, number = agent, "the file is broken where records are to be removed");
                self.stuck.push(agent);
                Ok(())
            }
            other => other,
        }
    }

    /// The first agent of a list whose part of the file is not broken.
    fn first(&self, connection: &Connection, sql: &str) -> rusqlite::Result<Option<i64>> {
        let mut statement = connection.prepare_cached(sql)?;
        let mut agents = statement.query([])?;
        while let Some(row) = agents.next()? {
            let agent = row.get(0)?;
            if !self.stuck.contains(&agent) {
                return Ok(Some(agent));
            }
        }
        Ok(None)
    }

    fn next(&self, connection: &Connection) -> rusqlite::Result<Piece> {
        if let Some(agent) = self.first(connection, "SELECT agent FROM doomed ORDER BY agent")? {
            return Ok(Piece::Of(agent));
        }
        if let Some(agent) = self.first(
            connection,
            "SELECT agent FROM bases WHERE swept < released AND swept < sequence - 1",
        )? {
            return Ok(Piece::Released(agent));
        }
        let can_shrink = pragma(connection, "auto_vacuum")? == INCREMENTAL;
        let (free, all) =
            (pragma(connection, "freelist_count")?, pragma(connection, "page_count")?);
        Ok(if can_shrink && free >= WORTHWHILE && free > all / 4 {
            Piece::Pages
        } else {
            Piece::Nothing
        })
    }
}

/// The value of `auto_vacuum` that lets pages be given back on request.
const INCREMENTAL: i64 = 2;

fn failed(error: &rusqlite::Error) -> Tidy {
    tracing::warn!(%error, "removing the records of deleted agents failed; it will be tried again");
    Tidy::Done
}

/// Removes some of its records, or, if there are none, the rest of the agent.
fn remove_piece(connection: &mut Connection, agent: i64) -> rusqlite::Result<()> {
    let piece = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    match last_of_piece(&piece, agent, i64::MAX)? {
        Some(last) => {
            let sql = "DELETE FROM records WHERE agent = ?1 AND sequence <= ?2";
            piece.prepare_cached(sql)?.execute([agent, last])?;
        }
        None => {
            for table in ["snapshots", "bases", "doomed"] {
                piece.execute(&format!("DELETE FROM {table} WHERE agent = ?1"), [agent])?;
            }
        }
    }
    piece.commit()
}

/// Removes some of the records that the base of an agent covers. What may be removed is read in the same
/// transaction, so that no other record is removed.
fn trim_piece(connection: &mut Connection, agent: i64) -> rusqlite::Result<()> {
    let piece = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let sql = "SELECT min(released, sequence - 1) FROM bases WHERE agent = ?1";
    let released: Option<i64> = piece.query_row(sql, [agent], |row| row.get(0)).optional()?;
    if let Some(released) = released {
        let last = last_of_piece(&piece, agent, released)?;
        if let Some(last) = last {
            let sql = "DELETE FROM records WHERE agent = ?1 AND sequence <= ?2";
            piece.prepare_cached(sql)?.execute([agent, last])?;
        }
        let sql = "UPDATE bases SET swept = ?2 WHERE agent = ?1";
        let swept = last.map_or(released, |last| last + 1);
        piece.prepare_cached(sql)?.execute([agent, swept])?;
    }
    piece.commit()
}

/// The last record of a piece of the records before `end`, limited by number and size, but at least one.
fn last_of_piece(on: &Connection, agent: i64, end: i64) -> rusqlite::Result<Option<i64>> {
    // The length is known without reading the record.
    let sql = "SELECT sequence, octet_length(body) FROM records
        WHERE agent = ?1 AND sequence < ?2 ORDER BY sequence LIMIT ?3";
    let mut statement = on.prepare_cached(sql)?;
    let mut rows = statement.query(params![agent, end, RECORDS])?;
    let (mut last, mut bytes) = (None, 0);
    while let Some(row) = rows.next()? {
        last = Some(row.get(0)?);
        bytes += row.get::<_, i64>(1)?;
        if bytes >= ENOUGH {
            break;
        }
    }
    Ok(last)
}

/// Moves the last pages of the file into free ones.
fn give_back(connection: &Connection) -> rusqlite::Result<()> {
    let mut statement = connection.prepare(&format!("PRAGMA incremental_vacuum({PAGES})"))?;
    let mut rows = statement.query([])?;
    while rows.next()?.is_some() {}
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn doomed(records: i64, bytes: usize) -> Connection {
        let connection = Connection::open_in_memory().unwrap();
        let tables = "CREATE TABLE records (agent, sequence, body, PRIMARY KEY (agent, sequence)) WITHOUT ROWID;
            CREATE TABLE snapshots (agent INTEGER PRIMARY KEY);
            CREATE TABLE doomed (agent INTEGER PRIMARY KEY);
            CREATE TABLE bases (agent INTEGER PRIMARY KEY, sequence, released, swept);
            INSERT INTO doomed VALUES (7);
            INSERT INTO snapshots VALUES (7), (8);
            INSERT INTO records VALUES (8, 0, 'of another');";
        connection.execute_batch(tables).unwrap();
        let mut insert = connection.prepare("INSERT INTO records VALUES (7, ?1, ?2)").unwrap();
        for sequence in 0..records {
            insert.execute(params![sequence, "x".repeat(bytes)]).unwrap();
        }
        drop(insert);
        connection
    }

    fn count(connection: &Connection, table: &str) -> i64 {
        connection
            .query_row(&format!("SELECT count(*) FROM {table}"), [], |row| row.get(0))
            .unwrap()
    }

    /// How many records each piece removes.
    fn pieces(mut connection: Connection) -> Vec<i64> {
        let mut removal = Removal::default();
        let mut pieces = Vec::new();
        let mut before = count(&connection, "records");
        while removal.go_on(&mut connection) == Tidy::More {
            let after = count(&connection, "records");
            pieces.push(before - after);
            before = after;
        }
        let left = ["records", "snapshots", "doomed"].map(|table| count(&connection, table));
        assert_eq!(left, [1, 1, 0]);
        pieces
    }

    #[test]
    fn records_are_removed_in_pieces_of_bounded_number_and_size() {
        assert_eq!(pieces(doomed(2_500, 100)), [1_000, 1_000, 500, 0]);
        assert_eq!(pieces(doomed(5, 600 << 10)), [2, 2, 1, 0]);
        assert_eq!(pieces(doomed(2, 3 << 20)), [1, 1, 0]);
        assert_eq!(pieces(doomed(0, 0)), [0]);
    }

    #[test]
    fn released_records_are_removed_in_pieces_up_to_the_base() {
        let mut connection = doomed(2_500, 1);
        connection
            .execute_batch("DELETE FROM doomed; INSERT INTO bases VALUES (7, 2201, 9999, 0)")
            .unwrap();
        let mut removal = Removal::default();
        while removal.go_on(&mut connection) == Tidy::More {}
        let first = "SELECT min(sequence) FROM records WHERE agent = 7";
        // The last record that the base covers is kept.
        assert_eq!(connection.query_row(first, [], |row| row.get(0)), Ok(2_200));
        assert_eq!(count(&connection, "records"), 301);
    }

    #[test]
    fn failures_are_retried_without_spinning() {
        let mut connection = doomed(1_500, 1);
        let mut removal = Removal::default();
        connection.pragma_update(None, "query_only", true).unwrap();
        assert_eq!(removal.go_on(&mut connection), Tidy::Done);
        connection.pragma_update(None, "query_only", false).unwrap();
        assert_eq!(removal.go_on(&mut connection), Tidy::More);
        assert_eq!(count(&connection, "records"), 501);
    }
}
