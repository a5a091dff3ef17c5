//! What is left after the store was closed.

use super::super::{Portion, Store, StoredSummary};
use super::found::{
    answered, appended, created, definition_of, kept, label_of, log_is, missing, opened, same,
    snapshot, snapshot_is,
};
use super::{Open, Verdict};
use std::sync::Arc;

pub(super) async fn survives_closing(store: Arc<dyn Store>, open: Open<'_>) -> Verdict {
    let agent = created(&*store, "a").await?;
    let records = ["zero", "one, ü \"quoted\"\n"];
    for (at, record) in records.into_iter().enumerate() {
        appended(&*store, &agent, at as u64, record).await?;
    }
    kept(&*store, &agent, 1, "one record").await?;
    let deleted = created(&*store, "b").await?;
    answered("delete(\"b\")", store.delete(&deleted).await)?;
    drop(store);

    let store = opened(open)?;
    let listed = StoredSummary { id: "a".to_owned(), label: label_of("a"), end: 2 };
    same("list() of the store opened again", &store.list("", 9).await, &Ok(vec![listed]))?;
    let found = answered("find(\"a\") of the store opened again", store.find("a").await)?;
    let found = found.map(|found| (found.key(), found.definition));
    let expected = Some((agent.clone(), definition_of("a")));
    same("find(\"a\") of the store opened again", &found, &expected)?;
    log_is(&*store, &agent, &records).await?;
    snapshot_is(&*store, &agent, Some(snapshot(1, "one record"))).await?;
    let later = created(&*store, "b").await?;
    if later.number == deleted.number {
        let number = later.number;
        return Err(format!(
            "after opening again the number {number} of a deleted agent was given to another"
        ));
    }
    appended(&*store, &agent, 2, "two").await
}

/// The number and size of deleted records: more than a store removes in one piece.
const DELETED: (u64, usize) = (12, 700_000);

pub(super) async fn leftovers_stay_unseen(store: Arc<dyn Store>, open: Open<'_>) -> Verdict {
    let (records, bytes) = DELETED;
    let old = created(&*store, "a").await?;
    for at in 0..records {
        appended(&*store, &old, at, &format!("{at} {}", "x".repeat(bytes))).await?;
    }
    kept(&*store, &old, records, "old").await?;
    let other = created(&*store, "b").await?;
    appended(&*store, &other, 0, "of another").await?;
    answered("delete(\"a\")", store.delete(&old).await)?;
    let new = created(&*store, "a").await?;
    let unseen = async |store: &dyn Store, log: &[&str]| {
        let read = store.read(&old, 0, Portion::of(1)).await;
        same("read with the key of the deleted agent", &read, &Err(missing("a")))?;
        same("key(\"a\")", &store.key("a").await, &Ok(Some(new.clone())))?;
        snapshot_is(store, &new, None).await?;
        log_is(store, &new, log).await?;
        log_is(store, &other, &["of another"]).await
    };
    unseen(&*store, &[]).await?;
    drop(store);

    let store = opened(open)?;
    unseen(&*store, &[]).await?;
    appended(&*store, &new, 0, "new").await?;
    unseen(&*store, &["new"]).await
}
