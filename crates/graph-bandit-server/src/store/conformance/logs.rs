//! How logs grow and are read.

use super::super::{End, Store, StoreError};
use super::Verdict;
use super::found::{
    answered, appended, created, definition_of, kept, log_is, same, snapshot, snapshot_is, texts,
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
    // Whoever saw other records there writes on another past.
    for last in ["", "one", "two or another", "definition of log"] {
        let diverged = StoreError::Diverged { id: "log".to_owned(), end: 3 };
        let asked = format!("append after {last:?} to a log that ends with \"two\"");
        let answer = store.append(&log, &End::after(3, last), "x".to_owned()).await;
        same(&asked, &answer, &Err(diverged))?;
    }
    log_is(store, &log, &records).await?;
    appended(store, &log, 3, "three").await?;
    log_is(store, &log, &["zero", "one", "two", "three"]).await
}

pub(super) async fn reading(store: &dyn Store) -> Verdict {
    let log = created(store, "log").await?;
    let long = "long ".repeat(20_000);
    let records = ["", " one ", "two, ü \"quoted\" 'and' \\ \n\t", "🦀", &long];
    for (at, record) in records.into_iter().enumerate() {
        appended(store, &log, at as u64, record).await?;
    }
    let cases: [(u64, usize, &[&str]); 8] = [
        (0, 100, &records),
        (1, 1, &records[1..2]),
        (1, 0, &[]),
        (2, 2, &records[2..4]),
        (3, usize::MAX, &records[3..]),
        (5, 9, &[]),
        (6, 9, &[]),
        (u64::MAX, 9, &[]),
    ];
    for (from, limit, expected) in cases {
        let asked = format!("read(from {from}, at most {limit}) of a log of 5 records");
        same(&asked, &store.read(&log, from, limit).await, &Ok(texts(expected)))?;
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
