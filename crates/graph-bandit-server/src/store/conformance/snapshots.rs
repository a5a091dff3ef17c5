//! Which snapshot is kept.

use super::super::Store;
use super::Verdict;
use super::found::{appended, created, kept, log_is, snapshot, snapshot_is};

pub(super) async fn never_go_back(store: &dyn Store) -> Verdict {
    let agent = created(store, "snap").await?;
    snapshot_is(store, &agent, None).await?;
    // A snapshot of more records than there are need not be kept.
    let records = ["0", "1", "2", "3", "4", "5", "6"];
    for (at, record) in (0..).zip(records) {
        appended(store, &agent, at, record).await?;
    }
    let puts = [
        (0, "zero", (0, "zero")),
        (5, "five", (5, "five")),
        (7, "seven, ü \"quoted\"\n", (7, "seven, ü \"quoted\"\n")),
        (6, "six", (7, "seven, ü \"quoted\"\n")),
        (7, "seven again", (7, "seven again")),
    ];
    for (sequence, body, (latest, expected)) in puts {
        kept(store, &agent, sequence, body).await?;
        snapshot_is(store, &agent, Some(snapshot(latest, expected))).await?;
    }
    log_is(store, &agent, &records).await
}
