//! The contract on an SQLite file, and what only files can do.

use super::{key, labels_change_with_records, until};
use graph_bandit_server::store::conformance::check_all;
use graph_bandit_server::store::{
    AgentKey, End, Portion, SqliteStore, Store, StoreError, StoredSnapshot, StoredSummary, open,
};
use std::path::{Path, PathBuf};

/// A new file in the temporary directory of tests.
pub(crate) fn fresh_file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stores");
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join(format!("{name}.db"));
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(directory.join(format!("{name}.db{suffix}")));
    }
    file
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keeps_the_contract() {
    let mut places = 0;
    let kept = check_all(|| {
        places += 1;
        let url = format!("sqlite://{}", fresh_file(&format!("contract-{places}")).display());
        move || open(&url)
    });
    kept.await.unwrap_or_else(|broken| panic!("{broken}"));
}

#[tokio::test]
async fn labels_change() {
    let store = SqliteStore::open(&fresh_file("labels")).unwrap();
    labels_change_with_records(&store, &store).await;
}

/// The row of an agent is as large as its graph, so it is written only if the label changes.
#[tokio::test]
async fn the_same_label_is_not_written_again() {
    let file = fresh_file("same-label");
    let store = SqliteStore::open(&file).unwrap();
    store.create("a", "label", "").await.unwrap();
    drop(store);
    let trigger = "CREATE TRIGGER watched BEFORE UPDATE ON agents
        BEGIN SELECT RAISE(ABORT, 'the row is written'); END";
    rusqlite::Connection::open(&file).unwrap().execute(trigger, []).unwrap();
    let store = SqliteStore::open(&file).unwrap();
    let a = key(&store, "a").await;
    let append = |label: &str| {
        store.append_and_label(&a, &End::after(0, ""), "record".to_owned(), label.to_owned())
    };
    let refused = append("another").await.unwrap_err();
    assert!(refused.to_string().contains("the row is written"), "{refused}");
    append("label").await.unwrap();
    assert_eq!(store.list("", 1).await.unwrap()[0].end, 1);
}

#[tokio::test]
async fn names_the_problem_of_a_file() {
    let refusal = |file: &PathBuf| SqliteStore::open(file).unwrap_err().to_string();
    let text = fresh_file("text");
    std::fs::write(&text, "this is not a database, but it is long enough to be one".repeat(20))
        .unwrap();
    assert!(refusal(&text).contains("text.db: file is not a database"), "{}", refusal(&text));

    let other = fresh_file("other");
    let connection = rusqlite::Connection::open(&other).unwrap();
    connection.execute_batch("CREATE TABLE theirs (x)").unwrap();
    assert!(refusal(&other).contains("database of another program"), "{}", refusal(&other));

    let newer = fresh_file("newer");
    drop(SqliteStore::open(&newer).unwrap());
    let connection = rusqlite::Connection::open(&newer).unwrap();
    connection.pragma_update(None, "user_version", 9).unwrap();
    let said =
        "tables of version 9, and this program reads 1: it was made by an unpublished version";
    assert!(refusal(&newer).contains(said), "{}", refusal(&newer));

    assert!(refusal(&"/nowhere/at/all.db".into()).contains("/nowhere/at/all.db"));
}

/// A file that cannot be written for a while: the append fails, leaves nothing behind, and the store goes on
/// afterwards.
#[tokio::test]
async fn survives_a_locked_file() {
    let file = fresh_file("locked");
    let store = SqliteStore::open(&file).unwrap();
    store.create("a", "", "").await.unwrap();
    let a = key(&store, "a").await;
    store.append(&a, &End::after(0, ""), "before".to_owned()).await.unwrap();
    // Another process holds the file for longer than the store waits.
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.append(&a, &End::after(1, "before"), "lost".to_owned()).await;
    assert!(matches!(&refused, Err(StoreError::Failed { reason }) if reason.contains("locked")));
    assert!(store.check().await.is_err());
    other.execute_batch("ROLLBACK").unwrap();
    store.check().await.unwrap();
    assert_eq!(store.read(&a, 0, Portion::of(9)).await.unwrap(), ["before"]);
    store.append(&a, &End::after(1, "before"), "after".to_owned()).await.unwrap();
    assert_eq!(store.read(&a, 0, Portion::of(9)).await.unwrap(), ["before", "after"]);
}

/// Lists read no definitions, which are large and may be damaged.
#[tokio::test]
async fn lists_without_definitions() {
    let file = fresh_file("listed");
    let store = SqliteStore::open(&file).unwrap();
    for id in ["a", "b"] {
        store.create(id, &format!("label of {id}"), "x").await.unwrap();
    }
    let other = rusqlite::Connection::open(&file).unwrap();
    let sql = "UPDATE agents SET definition = CAST(x'ff' AS TEXT) WHERE id = 'a'";
    assert_eq!(other.execute(sql, []), Ok(1));
    assert!(matches!(store.find("a").await, Err(StoreError::Damaged { id, .. }) if id == "a"));
    let labels =
        |listed: Vec<StoredSummary>| listed.into_iter().map(|it| it.label).collect::<Vec<_>>();
    assert_eq!(labels(store.list("", 9).await.unwrap()), ["label of a", "label of b"]);
    // A damaged label affects only its agent.
    let sql = "UPDATE agents SET label = CAST(x'ff' AS TEXT) WHERE id = 'a'";
    assert_eq!(other.execute(sql, []), Ok(1));
    assert_eq!(labels(store.list("", 9).await.unwrap()), ["\u{fffd}", "label of b"]);
    // Even a damaged agent can be deleted.
    store.delete(&store.key("a").await.unwrap().unwrap()).await.unwrap();
    assert_eq!(store.find("a").await, Ok(None));
}

/// Two stores on one file would each expect to be alone.
#[tokio::test]
async fn opens_a_file_once() {
    let file = fresh_file("once");
    let store = SqliteStore::open(&file).unwrap();
    let refused = SqliteStore::open(&file).unwrap_err().to_string();
    assert!(refused.contains("another process has it open"), "{refused}");
    drop(store);
    SqliteStore::open(&file).unwrap();
}

/// A broken page: its agent gets an error, and concurrent writes to others succeed.
#[tokio::test]
async fn damage_affects_only_its_agent() {
    let file = fresh_file("damage");
    let store = SqliteStore::open(&file).unwrap();
    let record = |id: &str, at: u64| format!("record {at} of {id} {}", "x".repeat(500));
    let last = |id: &str, at: u64| at.checked_sub(1).map_or_else(String::new, |at| record(id, at));
    let end = |id: &str, at: u64| End::after(at, &last(id, at));
    // The last record is at the end of the table, on a page of its own.
    let mut keys = Vec::new();
    for id in ["b", "a"] {
        store.create(id, "", "").await.unwrap();
        let agent = key(&store, id).await;
        for at in 0..40 {
            store.append(&agent, &end(id, at), record(id, at)).await.unwrap();
        }
        keys.push(agent);
    }
    let [b, a] = &keys[..] else { unreachable!() };
    drop(store);
    let mut bytes = std::fs::read(&file).unwrap();
    let last = record("a", 39);
    let holds = |page: &&mut [u8]| page.windows(last.len()).any(|part| part == last.as_bytes());
    let mut pages: Vec<&mut [u8]> = bytes.chunks_mut(4_096).filter(holds).collect();
    assert_eq!(pages.len(), 1);
    pages[0][..64].fill(0xee);
    std::fs::write(&file, bytes).unwrap();

    let store = SqliteStore::open(&file).unwrap();
    // All at once, so that many go into one transaction.
    let writes: Vec<_> = (40..80)
        .map(|at| {
            (
                at,
                store.append(a, &end("a", 40), record("a", 40)),
                store.append(b, &end("b", at), record("b", at)),
            )
        })
        .collect();
    for (at, on_a, on_b) in writes {
        assert!(matches!(on_a.await, Err(StoreError::Damaged { id, .. }) if id == "a"), "{at}");
        assert_eq!(on_b.await, Ok(()), "{at}");
    }
    assert!(matches!(store.find("a").await, Err(StoreError::Damaged { id, .. }) if id == "a"));
    assert!(matches!(store.read(a, 39, Portion::of(1)).await, Err(StoreError::Damaged { .. })));
    assert_eq!(store.read(b, 79, Portion::of(9)).await.unwrap(), [record("b", 79)]);
    store.check().await.unwrap();
}

/// Appends many records, and counts what a file has of one agent.
fn lengthen(file: &Path, agent: &AgentKey, records: u64) {
    let other = rusqlite::Connection::open(file).unwrap();
    let sql = "WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?2)
        INSERT INTO records (agent, sequence, body, received) SELECT ?1, n, 'record ' || n, 0 FROM numbers";
    other.execute(sql, [agent.number, records]).unwrap();
}

fn left_of(file: &Path, agent: &AgentKey) -> u64 {
    let other = rusqlite::Connection::open(file).unwrap();
    let sql = "SELECT (SELECT count(*) FROM records WHERE agent = ?1)
        + (SELECT count(*) FROM snapshots WHERE agent = ?1)
        + (SELECT count(*) FROM doomed WHERE agent = ?1)";
    other.query_row(sql, [agent.number], |row| row.get(0)).unwrap()
}

/// The name is free at once. The records are removed in the background, also after the store was closed in
/// between, and no record of another agent.
#[tokio::test]
async fn deletes_in_pieces_and_goes_on_after_a_restart() {
    let file = fresh_file("pieces");
    let store = SqliteStore::open(&file).unwrap();
    store.create("a", "", "old").await.unwrap();
    store.create("b", "", "").await.unwrap();
    let (a, b) = (key(&store, "a").await, key(&store, "b").await);
    lengthen(&file, &a, 30_000);
    lengthen(&file, &b, 1_500);
    store.put_snapshot(&a, StoredSnapshot { sequence: 9, body: "x".to_owned() }).await.unwrap();
    store.delete(&a).await.unwrap();
    // Before all is removed, another agent gets the name, and others write.
    store.create("a", "", "new").await.unwrap();
    let new = key(&store, "a").await;
    store.append(&new, &End::after(0, "new"), "zero".to_owned()).await.unwrap();
    store.append(&b, &End::after(1_500, "record 1499"), "one more".to_owned()).await.unwrap();
    drop(store);
    assert!(left_of(&file, &a) > 1_000, "closing the store waited for the removal");
    let store = SqliteStore::open(&file).unwrap();
    until("the end of the removal", || left_of(&file, &a) == 0).await;
    assert_eq!(store.read(&new, 0, Portion::of(9)).await.unwrap(), ["zero"]);
    assert_eq!(store.find("b").await.unwrap().unwrap().end, 1_501);
    assert_eq!(store.find("a").await.unwrap().unwrap().definition, "new");
}

/// Free pages are given back to the system.
#[tokio::test]
async fn the_file_shrinks_after_a_deletion() {
    let file = fresh_file("shrinks");
    let store = SqliteStore::open(&file).unwrap();
    store.create("a", "", "").await.unwrap();
    let a = key(&store, "a").await;
    lengthen(&file, &a, 400_000);
    let pages = || {
        let other = rusqlite::Connection::open(&file).unwrap();
        other.pragma_query_value(None, "page_count", |row| row.get::<_, i64>(0)).unwrap()
    };
    assert!(pages() > 2_000);
    store.delete(&a).await.unwrap();
    until("a small file", || pages() < 1_400).await;
}
