//! Which snapshot is kept.

use super::super::Store;
use super::Verdict;
use super::found::{created, kept, log_is, snapshot, snapshot_is};

pub(super) async fn never_go_back(store: &dyn Store) -> Verdict {
    let agent = created(store, "snap").await?;
    snapshot_is(store, &agent, None).await?;
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
    log_is(store, &agent, &[]).await
}
