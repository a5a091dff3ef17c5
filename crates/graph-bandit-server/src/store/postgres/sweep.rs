//! Removes the records of deleted agents, and records that a base covers, piece by piece.
//!
//! A deletion removes the name in one small transaction, and a trigger notes the agent's number in
//! `doomed`. The records are removed in pieces, each in its own transaction that locks only them and the
//! note. Any process may remove any piece, also what others left behind: the note is locked meanwhile, and
//! says how far the removal has come. Released records work the same way: their base is the note.

use super::StoreError;
use super::failure::said;
use super::line::{self, Job};
use super::session::Session;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};

/// The most records of one piece.
const RECORDS: i64 = 2_000;
/// A piece with more bytes than this takes no more records.
const ENOUGH: i64 = 4 << 20;
/// How often to check whether other processes left something behind.
const EVERY: Duration = Duration::from_secs(60);
/// The longest pause between two pieces; a pause is as long as the piece took.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Works until the store is dropped.
pub(super) async fn work(line: mpsc::WeakUnboundedSender<Job>, deleted: Arc<Notify>) {
    loop {
        // Held for one piece only, so that the store can end.
        while let Some(line) = line.upgrade() {
            let start = Instant::now();
            match line::ask(&line, |session| async move { piece(&session).await }).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, "removing the records of deleted agents failed; it will be tried again");
                    break;
                }
            }
            drop(line);
            // The other half of the time belongs to writers.
            tokio::time::sleep(start.elapsed().min(LONGEST_PAUSE)).await;
        }
        // It does not matter which of the two happened.
        let _ = tokio::time::timeout(EVERY, deleted.notified()).await;
    }
}

/// Removes one piece; returns whether there was any.
async fn piece(on: &Session) -> Result<bool, StoreError> {
    for statement in [&on.statements.sweep, &on.statements.trim] {
        let swept = on.client.query(statement, &[&RECORDS, &ENOUGH]).await;
        if !swept.map_err(|error| said(&error))?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
