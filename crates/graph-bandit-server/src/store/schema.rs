//! The versions of the tables of a store, and what leads from one to the next.

use super::{StoreError, Tables, other_version};

/// The tables that this program reads.
#[derive(Debug)]
pub(super) struct Schema {
    /// Their version.
    pub(super) version: i64,
    /// Earlier versions, and the statements that make each of them the next.
    pub(super) upgrades: &'static [(i64, &'static str)],
}

impl Schema {
    /// What tables of this version are to this program; refuses those that it cannot upgrade.
    pub(super) fn tables(&self, version: i64) -> Result<Tables, StoreError> {
        if version == self.version {
            Ok(Tables::Current { version })
        } else if self.upgrades.iter().any(|(from, _)| *from == version) {
            Ok(Tables::Earlier { version })
        } else {
            let reason = other_version("tables of version", version, self.version);
            Err(StoreError::Failed { reason })
        }
    }

    /// Refuses tables that are not of this version.
    pub(super) fn check(&self, version: i64) -> Result<(), StoreError> {
        match self.tables(version)? {
            Tables::Current { .. } => Ok(()),
            Tables::Earlier { .. } => Err(StoreError::Failed {
                reason: format!(
                    "the tables are of version {version}; `gbandit serve` upgrades them when it starts"
                ),
            }),
        }
    }
}
