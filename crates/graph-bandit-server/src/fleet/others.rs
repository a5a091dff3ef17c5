//! Other processes may write to the same store. Then memory may be old, or hold an agent that was
//! deleted, so it is compared with the store before it is used for an answer.
//!
//! A report does not need this: it is appended only if the log ends where its writer expects, and
//! starts again otherwise.

use super::slots::{Held, Slot};
use super::take_in::snapshot_every;
use super::{Fleet, FleetError};
use crate::store::{AgentKey, End, Portion, Writers, seal_of};
use std::sync::Arc;

impl Fleet {
    /// The agent as the store has it at some moment after this call.
    pub(super) async fn caught_up(&self, held: Held, slot: &Arc<Slot>) -> Result<Held, FleetError> {
        match self.store.writers() {
            Writers::Us => Ok(held),
            Writers::Others => {
                let id = held.key.id.clone();
                let caught_up = Box::pin(self.catch_up(held)).await;
                if caught_up.is_err() {
                    self.forget(&id, slot);
                }
                caught_up
            }
        }
    }

    async fn catch_up(&self, held: Held) -> Result<Held, FleetError> {
        let (key, end) = (held.key.clone(), held.end());
        let id = &key.id;
        let missing = || FleetError::NoSuchAgent { id: id.clone() };
        let tip = self.store.tip(id).await?.ok_or_else(missing)?;
        if tip.number != key.number {
            // Another agent has the name.
            return self.load(id).await;
        }
        let near = 1..=snapshot_every(&held.live);
        match tip.end.sequence.checked_sub(end.sequence) {
            Some(0) if tip.end.seal == end.seal => Ok(held),
            Some(behind) if end.sequence > 0 && near.contains(&behind) => {
                match self.is_in_log(&key, &end).await {
                    Ok(true) => match self.replay(held).await {
                        Err(FleetError::Removed { .. }) => self.load(id).await,
                        replayed => replayed,
                    },
                    Ok(false) => self.load_another_past(id).await,
                    // So far behind that another process has removed the next records.
                    Err(FleetError::Removed { .. }) => self.load(id).await,
                    Err(error) => Err(error),
                }
            }
            // A later snapshot exists, or the log is short.
            Some(1..) => self.load(id).await,
            // The store has fewer records than were read from it, or others.
            Some(0) | None => self.load_another_past(id).await,
        }
    }

    /// Whether the log still has the last record read from it.
    async fn is_in_log(&self, agent: &AgentKey, end: &End) -> Result<bool, FleetError> {
        let record = self.store.read(agent, end.sequence - 1, Portion::of(1)).await?;
        Ok(record.first().is_some_and(|record| seal_of(record) == end.seal))
    }

    /// The store lost records, because it was restored from a backup or is a standby that lagged behind.
    /// Its present state is the truth.
    async fn load_another_past(&self, id: &str) -> Result<Held, FleetError> {
        self.note_another_past(id);
        self.load(id).await
    }

    pub(super) fn note_another_past(&self, id: &str) {
        tracing::warn!(
            agent = id,
            "the store no longer has the records that were read from it; was it restored from a \
             backup? the agent is loaded again"
        );
        self.metrics.other_pasts.add(1);
    }
}
