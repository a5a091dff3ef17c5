//! Version 0.1 beside this one: while a process of 0.1 uses the database, everything is written in its
//! format. When the last one is gone, the version in the database is raised, and from then on 0.1 refuses
//! the database.
//!
//! All changes of the tables are additions, which 0.1 does not see. If a process of 0.1 starts at the very
//! moment the version is raised, it reports data that it cannot read; this version still reads what it
//! writes.

use super::failure::said;
use super::line::Line;
use super::session::Session;
use super::{Format, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The version of the tables of 0.1.
pub(super) const FIRST: i32 = 2;
/// The version of today's tables.
pub(super) const CURRENT: i32 = 3;

/// The application name of processes of 0.1.
pub(super) const OLD_NAME: &str = "gbandit";
/// The application name of today's processes.
pub(super) const NAME: &str = "gbandit-2";

/// How often to check for processes of 0.1.
const EVERY: Duration = Duration::from_secs(2);
/// After this many checks without one they are gone; a single check may miss a process that reconnects.
const LOOKS: u32 = 3;

/// The format that all processes can read, as far as known.
#[derive(Debug, Default)]
pub(super) struct Readers {
    can_read_current: AtomicBool,
}

impl Readers {
    pub(super) fn format(&self) -> Format {
        if self.can_read_current.load(Ordering::Acquire) { Format::Current } else { Format::First }
    }

    /// Reads the version at the start. It is not raised yet: a process of 0.1 may be idle between two
    /// connections.
    pub(super) async fn look(&self, on: &Session) -> Result<(), StoreError> {
        self.settle(false, on).await
    }

    async fn settle(&self, nobody_old: bool, on: &Session) -> Result<(), StoreError> {
        let version = on.client.query_one("SELECT max(version) FROM gbandit.version", &[]).await;
        let version: i32 = version.and_then(|row| row.try_get(0)).map_err(|error| said(&error))?;
        if version < CURRENT && !nobody_old {
            return Ok(());
        }
        if version < CURRENT {
            let raised = format!("UPDATE gbandit.version SET version = {CURRENT}");
            on.client.batch_execute(&raised).await.map_err(|error| said(&error))?;
            tracing::info!("the database is written in the format of this version from now on");
        }
        self.can_read_current.store(true, Ordering::Release);
        Ok(())
    }

    /// Waits until the last process of 0.1 is gone.
    pub(super) async fn watch(&self, mut line: Line, mut end: tokio::sync::oneshot::Receiver<()>) {
        let mut without = 0;
        while self.format() == Format::First {
            if tokio::time::timeout(EVERY, &mut end).await.is_ok() {
                return;
            }
            let looked = async {
                let session = line.session().await?;
                let is_used = is_used_by_old(&session).await?;
                without = if is_used { 0 } else { without + 1 };
                self.settle(without >= LOOKS, &session).await
            };
            if let Err(error) = looked.await {
                without = 0;
                tracing::debug!(%error, "cannot check which processes use the database");
            }
        }
    }
}

async fn is_used_by_old(on: &Session) -> Result<bool, StoreError> {
    let used = "SELECT EXISTS (SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = $1)";
    let used = on.client.query_one(used, &[&OLD_NAME]).await;
    used.and_then(|row| row.try_get(0)).map_err(|error| said(&error))
}
