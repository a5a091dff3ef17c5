//! Several writers at once, through one value of a store or through several.

use super::super::{Portion, Store, StoreError, Writers};
use super::found::{
    answered, appended, created, end_at, key, log_is, opened, same, snapshot, snapshot_is,
};
use super::{Open, Verdict};
use std::sync::Arc;

const WRITERS: usize = 8;
const PLACES: u64 = 40;

/// Several writers, spread over several values of one store, compete for each number. Exactly one may win,
/// and the log has what the winners wrote.
pub(super) async fn one_writer_wins_each_number(stores: &[Arc<dyn Store>]) -> Verdict {
    let race = created(&*stores[0], "race").await?;
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (store, race) = (Arc::clone(&stores[writer % stores.len()]), race.clone());
            tokio::spawn(async move {
                let mut won = Vec::new();
                for place in 0..PLACES {
                    let record = format!("{place} by {writer}");
                    let end = end_at(&*store, &race, place).await?;
                    match store.append(&race, &end, record.clone()).await {
                        Ok(()) => won.push((place, record)),
                        // Another writer was faster. The number before is written, so no other error is possible.
                        Err(StoreError::Conflict { end, .. }) if end > place => {}
                        Err(other) => {
                            let asked = format!("append at {place}, where the log ends or ended");
                            return Err(format!(
                                "{asked}: expected success or Conflict, got {other:?}"
                            ));
                        }
                    }
                    tokio::task::yield_now().await;
                }
                Ok(won)
            })
        })
        .collect();
    let mut won = Vec::new();
    for writer in writers {
        won.extend(writer.await.map_err(|error| format!("a writer ended: {error}"))??);
    }
    won.sort();
    for store in stores {
        let log = answered(
            "read(\"race\")",
            store.read(&race, 0, Portion::of(2 * PLACES as usize)).await,
        )?;
        let log: Vec<_> = (0..).zip(log).collect();
        same("the log and the appends that succeeded, each with its place", &log, &won)?;
    }
    let places: Vec<u64> = won.iter().map(|&(place, _)| place).collect();
    same("the places where an append succeeded", &places, &(0..PLACES).collect())
}

/// Two users have the store open at the same time, if that is allowed.
pub(super) async fn sharing(ours: Arc<dyn Store>, open: Open<'_>) -> Verdict {
    if ours.writers() == Writers::Us {
        return Ok(());
    }
    let theirs = opened(open)?;
    let agent = created(&*ours, "shared").await?;
    same("key(\"shared\") by another", &key(&*theirs, "shared").await?, &agent)?;
    appended(&*ours, &agent, 0, "ours").await?;
    appended(&*theirs, &agent, 1, "theirs").await?;
    for store in [&*ours, &*theirs] {
        log_is(store, &agent, &["ours", "theirs"]).await?;
        let conflict = StoreError::Conflict { id: "shared".to_owned(), expected: 1, end: 2 };
        let end = end_at(store, &agent, 1).await?;
        let late = store.append(&agent, &end, "late".to_owned()).await;
        same("append at 1, where another has written", &late, &Err(conflict))?;
    }
    snapshots_of_both(&[&*ours, &*theirs]).await?;
    one_writer_wins_each_number(&[Arc::clone(&ours), Arc::clone(&theirs)]).await?;
    answered("delete(\"shared\") by another", theirs.delete(&agent).await)?;
    same("find(\"shared\") after that", &ours.find("shared").await, &Ok(None))
}

/// Both store many snapshots at once; the one with the most records stays.
async fn snapshots_of_both(stores: &[&dyn Store; 2]) -> Verdict {
    const LAST: u64 = 59;
    let agent = created(stores[0], "snapshots").await?;
    for at in 0..LAST {
        appended(stores[0], &agent, at, &at.to_string()).await?;
    }
    let puts: Vec<_> = (0..=LAST)
        .map(|sequence| {
            let snapshot = snapshot(sequence, &sequence.to_string());
            stores[sequence as usize % 2].put_snapshot(&agent, snapshot)
        })
        .collect();
    for put in puts {
        answered("put_snapshot(\"snapshots\")", put.await)?;
    }
    for store in stores {
        snapshot_is(*store, &agent, Some(snapshot(LAST, &LAST.to_string()))).await?;
    }
    Ok(())
}
