//! A base or a snapshot is stored only if the log has the records that it covers.

use super::key;
use graph_bandit_server::store::{
    AgentKey, End, MemoryStore, Portion, Store, StoreError, StoredSnapshot, open,
};

async fn with_records(store: &dyn Store, id: &str, records: u64) -> AgentKey {
    store.create(id, "", "definition").await.unwrap();
    let agent = key(store, id).await;
    for record in 0..records {
        let at = store.tip(id).await.unwrap().unwrap().end;
        store.append(&agent, &at, format!("{record}\nof {id}")).await.unwrap();
    }
    agent
}

fn end(sequence: u64, seal: &str) -> End {
    End { sequence, seal: seal.to_owned() }
}

async fn is_refused_if_the_log_differs(store: &dyn Store) {
    let agent = with_records(store, "a", 5).await;
    let id = || "a".to_owned();
    let put = |at: End| store.put_base(&agent, &at, format!("base of {}", at.sequence));
    // More records than there are, none, and others.
    let ahead = StoreError::Conflict { id: id(), expected: 6, end: 5 };
    assert_eq!(put(end(6, "5")).await, Err(ahead));
    let other = Err(StoreError::Diverged { id: id(), end: 5 });
    assert_eq!(put(end(0, "definition")).await, other);
    assert_eq!(put(end(3, "another")).await, other);
    assert_eq!(store.base(&agent).await, Ok(None));
    // No base covers the records to release.
    assert_eq!(store.release(&agent, &end(3, "2")).await, other);

    assert_eq!(put(end(4, "3")).await, Ok(()));
    let kept = StoredSnapshot { sequence: 4, body: "base of 4".to_owned() };
    assert_eq!(put(end(3, "2")).await, Ok(()));
    assert_eq!(store.base(&agent).await, Ok(Some(kept.clone())));
    assert_eq!(store.release(&agent, &end(4, "another")).await, other);
    let ahead = StoreError::Conflict { id: id(), expected: 9, end: 5 };
    assert_eq!(store.release(&agent, &end(9, "8")).await, Err(ahead));
    assert_eq!(store.release(&agent, &end(3, "2")).await, Ok(()));
    assert_eq!(store.read(&agent, 0, Portion::of(9)).await.unwrap().len(), 5);
    let begun = store.begin_with(&agent, kept).await;
    assert_eq!(begun, Err(StoreError::Conflict { id: id(), expected: 0, end: 5 }));

    assert_eq!(store.release(&agent, &end(4, "3")).await, Ok(()));
    let start = std::time::Instant::now();
    while store.read(&agent, 0, Portion::of(1)).await
        != Err(StoreError::Removed { id: id(), first: 3 })
    {
        assert!(start.elapsed() < std::time::Duration::from_secs(60));
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    assert_eq!(store.read(&agent, 3, Portion::of(9)).await.unwrap().len(), 2);
    assert_eq!(store.release(&agent, &end(4, "3")).await, Ok(()));
}

async fn never_moves_the_end_of_an_empty_log(store: &dyn Store) {
    let agent = with_records(store, "empty", 0).await;
    let put = store.put_base(&agent, &end(7, "6"), "base".to_owned()).await;
    let id = || "empty".to_owned();
    assert_eq!(put, Err(StoreError::Conflict { id: id(), expected: 7, end: 0 }));
    assert_eq!(store.find("empty").await.unwrap().unwrap().end, 0);

    let base = StoredSnapshot { sequence: 7, body: "base".to_owned() };
    assert_eq!(store.begin_with(&agent, base.clone()).await, Ok(()));
    let tip = store.tip("empty").await.unwrap().unwrap();
    assert_eq!(tip.end, end(6, "definition"));
    let again = store.begin_with(&agent, base).await;
    assert_eq!(again, Err(StoreError::Conflict { id: id(), expected: 0, end: 6 }));
    assert_eq!(store.append(&agent, &tip.end, "6\n".to_owned()).await, Ok(()));
    assert_eq!(store.find("empty").await.unwrap().unwrap().end, 7);
}

async fn check(store: &dyn Store) {
    is_refused_if_the_log_differs(store).await;
    never_moves_the_end_of_an_empty_log(store).await;
}

/// A snapshot of a lost past would block all later snapshots.
async fn a_snapshot_of_missing_records_is_ignored(store: &dyn Store) {
    let agent = with_records(store, "snapshots", 5).await;
    let snapshot = |sequence| StoredSnapshot { sequence, body: format!("of {sequence}") };
    assert_eq!(store.put_snapshot(&agent, snapshot(6)).await, Ok(()));
    assert_eq!(store.snapshot(&agent).await, Ok(None));
    assert_eq!(store.put_snapshot(&agent, snapshot(5)).await, Ok(()));
    assert_eq!(store.snapshot(&agent).await, Ok(Some(snapshot(5))));
}

#[tokio::test]
async fn in_memory() {
    check(&MemoryStore::default()).await;
}

#[tokio::test]
async fn in_a_file() {
    let file = super::sqlite::fresh_file("bases");
    let store = open(&format!("sqlite://{}", file.display())).unwrap();
    check(&*store).await;
    a_snapshot_of_missing_records_is_ignored(&*store).await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_database() {
    let database = graph_bandit_testing::Postgres::start();
    let store = open(&database.url()).unwrap();
    check(&*store).await;
    a_snapshot_of_missing_records_is_ignored(&*store).await;
}
