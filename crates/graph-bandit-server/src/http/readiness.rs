//! Whether reports can be stored. It is checked at most once a second, however often clients ask, because
//! the check may take a write.

use super::Problem;
use crate::fleet::Fleet;
use crate::metrics::{Commits, Outcome};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long an answer is valid, and how long a commit proves that the next one will succeed.
const FRESH: Duration = Duration::from_secs(1);

/// The last result, and when it was found.
#[derive(Debug, Default)]
pub(super) struct Readiness(Mutex<Option<Found>>);

#[derive(Debug)]
struct Found {
    at: Instant,
    ready: Result<(), Problem>,
}

impl Found {
    /// Whether it is still valid, given how the latest commit ended. A failure after a failure proves nothing
    /// new, so repeated requests do not cause more writes.
    fn stands(&self, latest: Option<(Instant, Outcome)>) -> bool {
        let contradicted = latest.is_some_and(|(at, outcome)| {
            at > self.at && (outcome == Outcome::Done) != self.ready.is_ok()
        });
        self.at.elapsed() < FRESH && !contradicted
    }
}

impl Readiness {
    /// Checks that the store can be written. Concurrent callers wait for one answer.
    pub(super) async fn of(&self, fleet: &Fleet) -> Result<(), Problem> {
        let mut found = self.0.lock().await;
        let latest = fleet.commits().and_then(Commits::latest);
        if let Some(found) = found.as_ref().filter(|found| found.stands(latest)) {
            return found.ready.clone();
        }
        let proven =
            latest.is_some_and(|(at, outcome)| outcome == Outcome::Done && at.elapsed() < FRESH);
        let ready = if proven { Ok(()) } else { fleet.check().await.map_err(Problem::from) };
        *found = Some(Found { at: Instant::now(), ready: ready.clone() });
        ready
    }
}
