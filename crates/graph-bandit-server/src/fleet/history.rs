//! The history of an agent, read from its log a portion at a time.

use super::{Fleet, FleetError, load};
use crate::agent::{Record, name_once_imported};
use crate::store::{AgentKey, Portion};

/// Portions with more bytes are parsed off the threads that answer requests.
const LIGHT: usize = 64 << 10;

/// The log of an agent, up to its end at some moment.
#[derive(Debug, Clone)]
pub struct Log {
    key: AgentKey,
    /// How many records it had.
    pub end: u64,
}

impl Log {
    /// The name of its agent.
    pub fn id(&self) -> &str {
        &self.key.id
    }
}

impl Fleet {
    /// The log of an agent as it is now.
    ///
    /// # Errors
    /// When there is no such agent, or the store fails.
    pub async fn log(&self, id: &str) -> Result<Log, FleetError> {
        let missing = || FleetError::NoSuchAgent { id: id.to_owned() };
        if name_once_imported(id).is_some() {
            return Err(missing());
        }
        let tip = self.store.tip(id).await?.ok_or_else(missing)?;
        Ok(Log { key: AgentKey { id: id.to_owned(), number: tip.number }, end: tip.end.sequence })
    }

    /// A portion of a log from number `from` on. It ends before a record that is damaged.
    ///
    /// # Errors
    /// When the first record is damaged, the agent is gone, or the store fails.
    pub async fn records(
        &self,
        log: &Log,
        from: u64,
        portion: Portion,
    ) -> Result<Vec<Record>, FleetError> {
        let lines = self.store.read(&log.key, from, portion).await?;
        let bytes: usize = lines.iter().map(String::len).sum();
        let id = log.key.id.clone();
        if bytes <= LIGHT {
            return opened(&id, from, &lines);
        }
        let opening = tokio::task::spawn_blocking(move || opened(&id, from, &lines));
        opening.await.unwrap_or_else(|error| {
            tracing::error!(%error, "reading a log panicked");
            Err(FleetError::Defect)
        })
    }
}

fn opened(id: &str, from: u64, lines: &[String]) -> Result<Vec<Record>, FleetError> {
    let mut records = Vec::with_capacity(lines.len());
    for (line, at) in lines.iter().zip(from..) {
        match load::record(id, at, line) {
            Ok(record) => records.push(record),
            Err(error) if records.is_empty() => return Err(error),
            // The next request, which starts there, gets the error.
            Err(_) => break,
        }
    }
    Ok(records)
}
