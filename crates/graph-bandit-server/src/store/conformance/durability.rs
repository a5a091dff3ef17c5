//! What is there after the store was closed.

use super::super::{Listed, Store};
use super::found::{
    answered, appended, created, definition_of, kept, label_of, log_is, opened, same, snapshot,
    snapshot_is,
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
    let listed = Listed { id: "a".to_owned(), label: label_of("a"), end: 2 };
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
