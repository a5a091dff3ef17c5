//! What is left of deleted agents, and records that a base stands for, removed piece by piece.
//!
//! A deletion takes the name away in one small transaction, and a trigger notes the agent's number in
//! `doomed`. Its records go in pieces, each a transaction of its own that locks nothing but them and
//! the note. Any process may remove any of them, those that others left behind, too: the note is
//! locked meanwhile, and says how far it has come. So it is with records that were released: the base that
//! stands for them is such a note.

use super::StoreError;
use super::failure::said;
use super::line::{self, Job};
use super::session::Session;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{Notify, mpsc};

/// The most records of one piece.
const RECORDS: i64 = 2_000;
/// A piece of more bytes than this takes in no more.
const ENOUGH: i64 = 4 << 20;
/// How often it is looked whether other processes left something behind.
const EVERY: Duration = Duration::from_secs(60);
/// The longest pause between two pieces; it is as long as the piece took.
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// Works for as long as somebody can ask for deletions.
pub(super) async fn work(line: mpsc::WeakUnboundedSender<Job>, deleted: Arc<Notify>) {
    loop {
        // Held for one piece only: the store ends when nobody can ask any more.
        while let Some(line) = line.upgrade() {
            let start = Instant::now();
            match line::ask(&line, |session| async move { piece(&session).await }).await {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => {
                    tracing::warn!(%error, "what is left of deleted agents was not removed; it is tried again");
                    break;
                }
            }
            drop(line);
            // The other half of the time belongs to those who write.
            tokio::time::sleep(start.elapsed().min(LONGEST_PAUSE)).await;
        }
        // It does not matter which of the two it was.
        let _ = tokio::time::timeout(EVERY, deleted.notified()).await;
    }
}

/// Removes one piece; answers whether there was any.
async fn piece(on: &Session) -> Result<bool, StoreError> {
    for statement in [&on.statements.sweep, &on.statements.trim] {
        let swept = on.client.query(statement, &[&RECORDS, &ENOUGH]).await;
        if !swept.map_err(|error| said(&error))?.is_empty() {
            return Ok(true);
        }
    }
    Ok(false)
}
