//! How logs grow and are read.

use super::super::{AgentKey, End, Portion, Store, StoreError};
use super::Verdict;
use super::found::{
    answered, appended, created, definition_of, kept, label_of, log_is, same, snapshot,
    snapshot_is, texts,
};

pub(super) async fn appending(store: &dyn Store) -> Verdict {
    let log = created(store, "log").await?;
    let records = ["zero", "one", "two"];
    for (at, record) in records.into_iter().enumerate() {
        appended(store, &log, at as u64, record).await?;
    }
    for expected in [0, 2, 4, u64::MAX >> 1] {
        let conflict = StoreError::Conflict { id: "log".to_owned(), expected, end: 3 };
        let asked = format!("append at {expected} to a log of 3 records");
        let end = End::after(expected, "two");
        let answer = store.append(&log, &end, "x".to_owned()).await;
        same(&asked, &answer, &Err(conflict))?;
    }
    // A writer that saw other records has another past.
    for last in ["", "one", "two or another", "definition of log"] {
        let diverged = StoreError::Diverged { id: "log".to_owned(), end: 3 };
        let asked = format!("append after {last:?} to a log that ends with \"two\"");
        let answer = store.append(&log, &End::after(3, last), "x".to_owned()).await;
        same(&asked, &answer, &Err(diverged))?;
    }
    log_is(store, &log, &records).await?;
    appended(store, &log, 3, "three").await?;
    log_is(store, &log, &["zero", "one", "two", "three"]).await?;
    with_a_label(store, &log).await
}

/// A record that brings a label is appended as any other. The store may keep the label that it had; a record that is
/// refused brings nothing.
async fn with_a_label(store: &dyn Store, log: &AgentKey) -> Verdict {
    let end = End::after(4, "three");
    let label = || "another label".to_owned();
    let brought = store.append_and_label(log, &end, "four".to_owned(), label()).await;
    answered("append_and_label at 4", brought)?;
    log_is(store, log, &["zero", "one", "two", "three", "four"]).await?;
    let conflict = StoreError::Conflict { id: "log".to_owned(), expected: 4, end: 5 };
    let refused = store.append_and_label(log, &end, "x".to_owned(), "refused".to_owned()).await;
    same("append_and_label at 4 once more", &refused, &Err(conflict))?;
    let listed = answered("list(\"\", 9)", store.list("", 9).await)?;
    let labels: Vec<String> = listed.into_iter().map(|listed| listed.label).collect();
    if [vec![label()], vec![label_of("log")]].contains(&labels) {
        return Ok(());
    }
    Err(format!("the labels after that: expected the old one or the new one, got {labels:?}"))
}

/// No limit.
const ALL: usize = usize::MAX;

pub(super) async fn reading(store: &dyn Store) -> Verdict {
    let log = created(store, "log").await?;
    let long = "long ".repeat(20_000);
    let records = ["", " one ", "two, ü \"quoted\" 'and' \\ \n\t", "🦀", &long];
    for (at, record) in records.into_iter().enumerate() {
        appended(store, &log, at as u64, record).await?;
    }
    let crab = records[3].len();
    let cases: [(u64, usize, usize, &[&str]); 16] = [
        (0, 100, ALL, &records),
        (1, 1, ALL, &records[1..2]),
        (1, 0, ALL, &[]),
        (2, 2, ALL, &records[2..4]),
        (3, ALL, ALL, &records[3..]),
        (5, 9, ALL, &[]),
        (6, 9, ALL, &[]),
        (u64::MAX, 9, ALL, &[]),
        // At least one record, however few bytes are requested.
        (0, 9, 0, &records[..1]),
        (4, 9, 1, &records[4..]),
        (4, 0, 1, &[]),
        // The record that reaches the limit is the last; the limit is in bytes, not characters.
        (0, 9, 1, &records[..2]),
        (3, 9, crab, &records[3..4]),
        (3, 9, crab + 1, &records[3..]),
        (1, 2, 1_000, &records[1..3]),
        (0, 9, 1_000, &records),
    ];
    for (from, most, bytes, expected) in cases {
        let asked =
            format!("read(from {from}, {most} records or {bytes} bytes) of a log of 5 records");
        let portion = Portion { records: most, bytes };
        same(&asked, &store.read(&log, from, portion).await, &Ok(texts(expected)))?;
    }
    Ok(())
}

pub(super) async fn separation(store: &dyn Store) -> Verdict {
    let (a, b) = (created(store, "a").await?, created(store, "b").await?);
    if a.number == b.number {
        return Err(format!("two agents have the number {}", a.number));
    }
    appended(store, &a, 0, "zero of a").await?;
    appended(store, &b, 0, "zero of b").await?;
    appended(store, &a, 1, "one of a").await?;
    kept(store, &a, 2, "two records of a").await?;
    log_is(store, &a, &["zero of a", "one of a"]).await?;
    log_is(store, &b, &["zero of b"]).await?;
    snapshot_is(store, &b, None).await?;
    kept(store, &b, 1, "one record of b").await?;
    answered("delete(\"a\")", store.delete(&a).await)?;
    log_is(store, &b, &["zero of b"]).await?;
    snapshot_is(store, &b, Some(snapshot(1, "one record of b"))).await?;
    let found = answered("find(\"b\")", store.find("b").await)?;
    let definition = found.map(|found| found.definition);
    same("the definition of \"b\"", &definition, &Some(definition_of("b")))
}
