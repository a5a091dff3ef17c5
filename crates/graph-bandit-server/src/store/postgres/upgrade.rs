//! Version 0.1 beside this one: while a process of it uses the database, everything is written in the
//! format that it reads. When the last one has gone the version in the database goes up, and from then on
//! 0.1 refuses the database.
//!
//! All that changes in the tables is an addition, which 0.1 does not see. Should one of its processes begin
//! in the very moment in which the version goes up, it reads what it cannot understand and says so; what it
//! writes is read here all the same.

use super::failure::said;
use super::line::Line;
use super::session::Session;
use super::{Format, StoreError};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The version of the tables of 0.1.
pub(super) const FIRST: i32 = 2;
/// The version of those of today.
pub(super) const CURRENT: i32 = 3;

/// What processes of 0.1 call themselves.
pub(super) const OLD_NAME: &str = "gbandit";
/// What those of today call themselves.
pub(super) const NAME: &str = "gbandit-2";

/// How often it is looked whether processes of 0.1 are still there.
const EVERY: Duration = Duration::from_secs(2);
/// After so many looks without one they have gone; a single one may miss a process that connects anew.
const LOOKS: u32 = 3;

/// Which format others can read, as far as is known.
#[derive(Debug, Default)]
pub(super) struct Readers {
    can_read_current: AtomicBool,
}

impl Readers {
    pub(super) fn format(&self) -> Format {
        if self.can_read_current.load(Ordering::Acquire) { Format::Current } else { Format::First }
    }

    /// Looks at the version, at the beginning. It is not raised so soon: a process of 0.1 may be idle, and
    /// between two connections.
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

    /// Waits until the last process of 0.1 has gone.
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
                tracing::debug!(%error, "who else uses the database is not known");
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
