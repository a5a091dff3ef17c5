//! What every store promises, checked the same way over each of them.

use graph_bandit_server::store::{
    AgentKey, Listed, MemoryStore, SqliteStore, Store, StoreError, StoredSnapshot, Tip, open,
};
use std::path::PathBuf;
use std::sync::Arc;

mod postgres;

/// A file of its own in the directory for temporary files of tests.
fn fresh_file(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("stores");
    std::fs::create_dir_all(&directory).unwrap();
    let file = directory.join(format!("{name}.db"));
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(directory.join(format!("{name}.db{suffix}")));
    }
    file
}

fn missing(id: &str) -> StoreError {
    StoreError::NoSuchAgent { id: id.to_owned() }
}

fn snapshot(sequence: u64, body: &str) -> StoredSnapshot {
    StoredSnapshot { sequence, body: body.to_owned() }
}

/// The agent that bears the name now.
async fn key(store: &dyn Store, id: &str) -> AgentKey {
    store.find(id).await.unwrap().unwrap().key()
}

/// The same, where the rest of it may be damaged.
async fn key_alone(store: &dyn Store, id: &str) -> AgentKey {
    store.key(id).await.unwrap().unwrap()
}

/// An agent that there never was.
fn nobody(id: &str) -> AgentKey {
    AgentKey { id: id.to_owned(), number: 1 << 40 }
}

/// The suite; `reopen` gives the same store again where that outlives its value.
async fn conformance(store: Arc<dyn Store>, reopen: impl Fn(Arc<dyn Store>) -> Arc<dyn Store>) {
    store.check().await.unwrap();
    agents_come_and_go(&*store).await;
    logs_grow_at_their_end_only(&*store).await;
    snapshots_never_go_back(&*store).await;
    of_many_writers_one_wins_each_place(&[Arc::clone(&store)]).await;

    let store = reopen(store);
    let agents = store.list("", 100).await.unwrap();
    let ends: Vec<_> = agents.iter().map(|agent| (agent.id.as_str(), agent.end)).collect();
    assert_eq!(ends, [("log", 3), ("race", 40), ("snap", 0)]);
    let (log, snap) = (key(&*store, "log").await, key(&*store, "snap").await);
    assert_eq!(store.read(&log, 0, 9).await.unwrap(), ["zero", "one", "two, ü \"quoted\"\n"]);
    assert_eq!(store.snapshot(&snap).await.unwrap(), Some(snapshot(7, "seven again")));
    for agent in agents {
        store.delete(&key(&*store, &agent.id).await).await.unwrap();
    }
}

async fn agents_come_and_go(store: &dyn Store) {
    for id in ["b", "a", "c"] {
        store.create(id, &format!("label of {id}"), &format!("definition of {id}")).await.unwrap();
    }
    let exists = StoreError::Exists { id: "b".to_owned() };
    assert_eq!(store.create("b", "another", "another").await, Err(exists));
    let names = |stored: Vec<Listed>| stored.into_iter().map(|agent| agent.id).collect::<Vec<_>>();
    assert_eq!(names(store.list("", 2).await.unwrap()), ["a", "b"]);
    assert_eq!(names(store.list("b", 2).await.unwrap()), ["c"]);
    assert_eq!(names(store.list("c", 2).await.unwrap()), [""; 0]);
    let b = Listed { id: "b".to_owned(), label: "label of b".to_owned(), end: 0 };
    assert_eq!(store.list("a", 1).await, Ok(vec![b]));
    let found = store.find("b").await.unwrap().unwrap();
    assert_eq!((found.definition.as_str(), found.end), ("definition of b", 0));
    assert_eq!(store.find("d").await, Ok(None));

    assert_eq!(store.tip("b").await, Ok(Some(Tip { number: found.number, end: 0 })));
    assert_eq!(store.tip("d").await, Ok(None));
    // No name that there can be, but one that can be asked for.
    assert_eq!(store.find("b\0").await, Ok(None));
    assert_eq!(store.tip("b\0").await, Ok(None));
    assert_eq!(store.key("b\0").await, Ok(None));
    assert_eq!(store.delete(&nobody("b\0")).await, Err(missing("b\0")));
    assert_eq!(names(store.list("b\0", 2).await.unwrap()), ["c"]);

    let old = found.key();
    store.append(&old, 0, "old".to_owned()).await.unwrap();
    store.put_snapshot(&old, snapshot(1, "old")).await.unwrap();
    assert_eq!(store.tip("b").await, Ok(Some(Tip { number: found.number, end: 1 })));
    for id in ["a", "b", "c"] {
        store.delete(&key(store, id).await).await.unwrap();
    }
    assert_eq!(store.delete(&old).await, Err(missing("b")));
    assert_eq!(store.key("b").await, Ok(None));
    assert_eq!(store.find("b").await, Ok(None));
    // Of a deleted agent nothing is left to one of its name.
    store.create("b", "", "new").await.unwrap();
    let new = key(store, "b").await;
    assert_ne!(new.number, old.number);
    assert_eq!(store.read(&new, 0, 9).await, Ok(vec![]));
    assert_eq!(store.snapshot(&new).await, Ok(None));
    assert_eq!(store.find("b").await.unwrap().unwrap().end, 0);
    // And whoever remembers the old one cannot take the new one for it.
    assert_eq!(store.append(&old, 0, "x".to_owned()).await, Err(missing("b")));
    assert_eq!(store.put_snapshot(&old, snapshot(1, "x")).await, Err(missing("b")));
    assert_eq!(store.read(&old, 0, 9).await, Err(missing("b")));
    assert_eq!(store.snapshot(&old).await, Err(missing("b")));
    assert_eq!(store.snapshot(&new).await, Ok(None));
    // Nor does a deletion of the old one that comes late delete it.
    assert_eq!(store.delete(&old).await, Err(missing("b")));
    assert_eq!(store.key("b").await, Ok(Some(new.clone())));
    store.append(&new, 0, "new".to_owned()).await.unwrap();
    store.delete(&new).await.unwrap();
}

async fn logs_grow_at_their_end_only(store: &dyn Store) {
    let log = nobody("log");
    assert_eq!(store.append(&log, 0, "x".to_owned()).await, Err(missing("log")));
    assert_eq!(store.read(&log, 0, 1).await, Err(missing("log")));
    store.create("log", "", "").await.unwrap();
    let log = key(store, "log").await;
    for (at, record) in ["zero", "one", "two, ü \"quoted\"\n"].into_iter().enumerate() {
        store.append(&log, at as u64, record.to_owned()).await.unwrap();
    }
    for expected in [0, 2, 4, u64::MAX >> 1] {
        let conflict = StoreError::Conflict { id: "log".to_owned(), expected, end: 3 };
        assert_eq!(store.append(&log, expected, "x".to_owned()).await, Err(conflict));
    }
    assert_eq!(store.read(&log, 1, 1).await.unwrap(), ["one"]);
    assert_eq!(store.read(&log, 1, 0).await, Ok(vec![]));
    assert_eq!(store.read(&log, 1, 9).await.unwrap(), ["one", "two, ü \"quoted\"\n"]);
    for beyond in [3, 4, u64::MAX] {
        assert_eq!(store.read(&log, beyond, 9).await, Ok(vec![]));
    }
}

async fn snapshots_never_go_back(store: &dyn Store) {
    let snap = nobody("snap");
    assert_eq!(store.put_snapshot(&snap, snapshot(1, "x")).await, Err(missing("snap")));
    assert_eq!(store.snapshot(&snap).await, Err(missing("snap")));
    store.create("snap", "", "").await.unwrap();
    let snap = key(store, "snap").await;
    assert_eq!(store.snapshot(&snap).await, Ok(None));
    for (sequence, body) in [(5, "five"), (7, "seven"), (6, "six"), (7, "seven again")] {
        store.put_snapshot(&snap, snapshot(sequence, body)).await.unwrap();
    }
    assert_eq!(store.snapshot(&snap).await, Ok(Some(snapshot(7, "seven again"))));
}

/// Eight writers, in turn on each of some values of one store, all want to write each place first; exactly one may, and the log is what the
/// winners were told.
async fn of_many_writers_one_wins_each_place(stores: &[Arc<dyn Store>]) {
    let store = &stores[0];
    store.create("race", "", "").await.unwrap();
    let race = key(&**store, "race").await;
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let (store, race) = (Arc::clone(&stores[writer % stores.len()]), race.clone());
            tokio::spawn(async move {
                let mut won = Vec::new();
                for place in 0..40_u64 {
                    let record = format!("{place} by {writer}");
                    match store.append(&race, place, record.clone()).await {
                        Ok(()) => won.push(record),
                        // Another was faster, or all others are still behind.
                        Err(StoreError::Conflict { end, .. }) => assert_ne!(end, place),
                        Err(other) => panic!("{other}"),
                    }
                    while store.find("race").await.unwrap().unwrap().end <= place {
                        tokio::task::yield_now().await;
                    }
                }
                won
            })
        })
        .collect();
    let mut won = Vec::new();
    for writer in writers {
        won.extend(writer.await.unwrap());
    }
    let mut log = store.read(&race, 0, 100).await.unwrap();
    assert_eq!(log.len(), 40);
    log.sort();
    won.sort();
    assert_eq!(log, won);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory() {
    conformance(Arc::new(MemoryStore::default()), |store| store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sqlite() {
    let file = fresh_file("conformance");
    let store = SqliteStore::open(&file).unwrap();
    conformance(Arc::new(store), |store| {
        drop(store);
        open(&format!("sqlite://{}", file.display())).unwrap()
    })
    .await;
}

#[tokio::test]
async fn sqlite_says_what_is_wrong_with_a_file() {
    let refusal = |file: &PathBuf| SqliteStore::open(file).unwrap_err().to_string();
    let text = fresh_file("text");
    std::fs::write(&text, "this is no database, but it is long enough to be one".repeat(20))
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
    assert!(refusal(&newer).contains("tables of version 9"), "{}", refusal(&newer));

    assert!(refusal(&"/nowhere/at/all.db".into()).contains("/nowhere/at/all.db"));
}

/// A file that cannot be written for a while: the append fails and says so, nothing of it is left
/// behind, and the store goes on afterwards.
#[tokio::test]
async fn sqlite_survives_a_locked_file() {
    let file = fresh_file("locked");
    let store = SqliteStore::open(&file).unwrap();
    store.create("a", "", "").await.unwrap();
    let a = key(&store, "a").await;
    store.append(&a, 0, "before".to_owned()).await.unwrap();
    // Another process holds the file for longer than the store waits.
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let refused = store.append(&a, 1, "lost".to_owned()).await;
    assert!(matches!(&refused, Err(StoreError::Failed { reason }) if reason.contains("locked")));
    assert!(store.check().await.is_err());
    other.execute_batch("ROLLBACK").unwrap();
    store.check().await.unwrap();
    assert_eq!(store.read(&a, 0, 9).await.unwrap(), ["before"]);
    store.append(&a, 1, "after".to_owned()).await.unwrap();
    assert_eq!(store.read(&a, 0, 9).await.unwrap(), ["before", "after"]);
}

/// Definitions are large, and one may be damaged: neither matters to those who list.
#[tokio::test]
async fn sqlite_lists_without_definitions() {
    let file = fresh_file("listed");
    let store = SqliteStore::open(&file).unwrap();
    for id in ["a", "b"] {
        store.create(id, &format!("label of {id}"), "x").await.unwrap();
    }
    let other = rusqlite::Connection::open(&file).unwrap();
    let sql = "UPDATE agents SET definition = CAST(x'ff' AS TEXT) WHERE id = 'a'";
    assert_eq!(other.execute(sql, []), Ok(1));
    assert!(matches!(store.find("a").await, Err(StoreError::Damaged { id, .. }) if id == "a"));
    let labels = |listed: Vec<Listed>| listed.into_iter().map(|it| it.label).collect::<Vec<_>>();
    assert_eq!(labels(store.list("", 9).await.unwrap()), ["label of a", "label of b"]);
    // A damaged label is its agent's own.
    let sql = "UPDATE agents SET label = CAST(x'ff' AS TEXT) WHERE id = 'a'";
    assert_eq!(other.execute(sql, []), Ok(1));
    assert_eq!(labels(store.list("", 9).await.unwrap()), ["\u{fffd}", "label of b"]);
    // And even such a one can be deleted.
    store.delete(&key_alone(&store, "a").await).await.unwrap();
    assert_eq!(store.find("a").await, Ok(None));
}

/// Two stores on one file would each believe to be alone.
#[tokio::test]
async fn sqlite_opens_a_file_once() {
    let file = fresh_file("once");
    let store = SqliteStore::open(&file).unwrap();
    let refused = SqliteStore::open(&file).unwrap_err().to_string();
    assert!(refused.contains("another process has it open"), "{refused}");
    drop(store);
    SqliteStore::open(&file).unwrap();
}

/// A page that is broken: the agent whose it is hears so, and those that write at the same time do
/// not suffer for it.
#[tokio::test]
async fn sqlite_damage_is_one_agents_own() {
    let file = fresh_file("damage");
    let store = SqliteStore::open(&file).unwrap();
    let record = |id: &str, at: u64| format!("record {at} of {id} {}", "x".repeat(500));
    // The last one is at the end of the table, on a page that no other agent has a part of.
    let mut keys = Vec::new();
    for id in ["b", "a"] {
        store.create(id, "", "").await.unwrap();
        let agent = key(&store, id).await;
        for at in 0..40 {
            store.append(&agent, at, record(id, at)).await.unwrap();
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
    // None waits for another, so that many go into one transaction.
    let writes: Vec<_> = (40..80)
        .map(|at| (at, store.append(a, 40, record("a", 40)), store.append(b, at, record("b", at))))
        .collect();
    for (at, on_a, on_b) in writes {
        assert!(matches!(on_a.await, Err(StoreError::Damaged { id, .. }) if id == "a"), "{at}");
        assert_eq!(on_b.await, Ok(()), "{at}");
    }
    assert!(matches!(store.find("a").await, Err(StoreError::Damaged { id, .. }) if id == "a"));
    assert!(matches!(store.read(a, 39, 1).await, Err(StoreError::Damaged { .. })));
    assert_eq!(store.read(b, 79, 9).await.unwrap(), [record("b", 79)]);
    store.check().await.unwrap();
}
