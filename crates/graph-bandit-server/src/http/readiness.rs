//! Whether reports can be kept, found out anew once a second at most, however often it is asked: to find
//! out may take a write.

use super::Problem;
use crate::fleet::Fleet;
use crate::metrics::{Commits, Outcome};
use std::time::{Duration, Instant};
use tokio::sync::Mutex;

/// How long an answer stands, and how long a commit proves that the next one will do.
const FRESH: Duration = Duration::from_secs(1);

/// What was found last, and when.
#[derive(Debug, Default)]
pub(super) struct Readiness(Mutex<Option<Found>>);

#[derive(Debug)]
struct Found {
    at: Instant,
    ready: Result<(), Problem>,
}

impl Found {
    /// Whether it stands, given how the latest commit ended. A failure after a failure proves nothing new,
    /// so whoever asks again and again writes no more often for it.
    fn stands(&self, latest: Option<(Instant, Outcome)>) -> bool {
        let contradicted = latest.is_some_and(|(at, outcome)| {
            at > self.at && (outcome == Outcome::Done) != self.ready.is_ok()
        });
        self.at.elapsed() < FRESH && !contradicted
    }
}

impl Readiness {
    /// Whether the store can be written. All who ask at the same time wait for one answer.
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
