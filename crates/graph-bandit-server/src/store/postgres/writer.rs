//! The task that writes: all that waits goes into one transaction, and is answered after it.

use super::failure::{is_mutual, said};
use super::line::{Line, in_time};
use super::session::Session;
use super::{AgentKey, Reply, StoreError, StoredSnapshot, group, reader, signed};
use crate::metrics::Commits;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// The most writes of one transaction, so that the first of them does not wait for ever.
const MOST_AT_ONCE: usize = 1_000;
/// A transaction that writes more than this takes in no more.
const ENOUGH: usize = 8 << 20;
/// How often a transaction is tried that is in the way of another one.
const ATTEMPTS: u32 = 10;
/// How long it steps aside for it.
const PAUSE: Duration = Duration::from_millis(10);

/// Something to write, and who waits for it.
#[derive(Debug)]
pub(super) enum Write {
    Create { id: String, label: String, definition: String, reply: Reply<()> },
    Append { agent: AgentKey, at: u64, record: String, reply: Reply<()> },
    PutSnapshot { agent: AgentKey, snapshot: StoredSnapshot, reply: Reply<()> },
    Check { reply: Reply<()> },
}

impl Write {
    fn len(&self) -> usize {
        match self {
            Self::Create { definition, .. } => definition.len(),
            Self::Append { record, .. } => record.len(),
            Self::PutSnapshot { snapshot, .. } => snapshot.body.len(),
            Self::Check { .. } => 0,
        }
    }

    fn into_reply(self) -> Reply<()> {
        match self {
            Self::Create { reply, .. }
            | Self::Append { reply, .. }
            | Self::PutSnapshot { reply, .. }
            | Self::Check { reply } => reply,
        }
    }
}

/// Works until nobody can send any more.
pub(super) async fn work(
    mut line: Line,
    mut writes: mpsc::UnboundedReceiver<Write>,
    commits: &Commits,
) {
    while let Some(first) = writes.recv().await {
        let session = line.session().await;
        let mut size = first.len();
        let mut group = vec![first];
        while group.len() < MOST_AT_ONCE && size < ENOUGH {
            let Ok(next) = writes.try_recv() else { break };
            size += next.len();
            group.push(next);
        }
        let start = Instant::now();
        let committed = match session {
            Ok(session) => in_time(&session, line.limits, commit(&session, &group)).await,
            Err(error) => {
                // All who waited meanwhile, so that nobody waits for one attempt after the other.
                group.extend(std::iter::from_fn(|| writes.try_recv().ok()));
                Err(error)
            }
        };
        let results = match committed {
            Ok(results) => {
                commits.done(results.len(), start.elapsed());
                results
            }
            Err(error) => {
                commits.failed();
                tracing::error!(%error, "a transaction of the store failed");
                vec![Err(error); group.len()]
            }
        };
        for (write, result) in group.into_iter().zip(results) {
            // Who asked may have gone away; the write stands all the same.
            let _ = write.into_reply().send(result);
        }
    }
}

/// What became of each write; or none of them happened, as far as anybody knows.
async fn commit(on: &Session, group: &[Write]) -> Result<Vec<Result<(), StoreError>>, StoreError> {
    let mut attempt = 1;
    loop {
        let error = match group::commit(on, group).await {
            Ok(results) => return Ok(results),
            Err(error) => error,
        };
        // Left open, the transaction would swallow the next one.
        if on.client.batch_execute("ROLLBACK").await.is_err() {
            on.give_up();
        }
        if !is_mutual(&error) || attempt == ATTEMPTS {
            return Err(said(&error));
        }
        tokio::time::sleep(PAUSE * attempt).await;
        attempt += 1;
    }
}

/// Removes an agent and all that belongs to it. By its number: given up, it may still be carried out
/// when the name is another agent's.
pub(super) async fn delete(on: &Session, agent: &AgentKey) -> Result<(), StoreError> {
    for attempt in 1.. {
        match on.client.execute(&on.statements.delete, &[&signed(agent.number)]).await {
            Ok(0) => return Err(reader::missing(agent)),
            Ok(_) => return Ok(()),
            Err(error) if is_mutual(&error) && attempt < ATTEMPTS => {
                tokio::time::sleep(PAUSE * attempt).await;
            }
            Err(error) => return Err(said(&error)),
        }
    }
    unreachable!("the last attempt is answered")
}
