//! Where other processes write to the store, too: what memory holds may be old, or of an agent that
//! has gone. Before anything is said of it, it is compared with the store.
//!
//! A report needs no such look: it is appended only where its writer believed the log to end, and
//! starts again if that was wrong.

use super::slots::{Held, Slot};
use super::take_in::snapshot_every;
use super::{Fleet, FleetError};
use crate::store::Writers;
use std::sync::Arc;

impl Fleet {
    /// The agent as the store has it at some moment after this was called.
    pub(super) async fn caught_up(&self, held: Held, slot: &Arc<Slot>) -> Result<Held, FleetError> {
        match self.store.writers() {
            Writers::Us => Ok(held),
            Writers::Others => {
                let id = held.key.id.clone();
                let caught_up = self.catch_up(held).await;
                if caught_up.is_err() {
                    self.forget(&id, slot);
                }
                caught_up
            }
        }
    }

    async fn catch_up(&self, held: Held) -> Result<Held, FleetError> {
        let id = &held.key.id;
        let missing = || FleetError::NoSuchAgent { id: id.clone() };
        let tip = self.store.tip(id).await?.ok_or_else(missing)?;
        let behind = tip.end.checked_sub(held.live.sequence());
        match behind.filter(|_| tip.number == held.key.number) {
            Some(0) => Ok(held),
            Some(behind) if behind <= snapshot_every(&held.live) => {
                let live = self.replay(&held.key, held.live).await?;
                Ok(Held { live, ..held })
            }
            // Another agent of the name; or so far ahead that there is a later snapshot.
            _ => self.load(id).await,
        }
    }
}
