//! The contract on PostgreSQL, and what only several processes can break.

use super::{key, labels_change_with_records, until};
use graph_bandit_server::metrics::{Metrics, Seen};
use graph_bandit_server::store::conformance::check_all;
use graph_bandit_server::store::{AgentKey, End, Portion, PostgresStore, Store, StoreError, open};
use graph_bandit_testing::{PASSWORD, Postgres};
use std::collections::BTreeSet;
use std::sync::Arc;

fn refusal(url: &str) -> String {
    PostgresStore::open(url).unwrap_err().to_string()
}

fn opened(database: &Postgres) -> Arc<dyn Store> {
    open(&database.url()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn keeps_the_contract() {
    let database = Postgres::start();
    // Both schemes work; the other tests use the short one.
    let url = database.url().replace("postgres://", "postgresql://");
    let server = url.rsplit_once('/').unwrap().0;
    let mut places = 0;
    let kept = check_all(|| {
        places += 1;
        database.sql(&format!("CREATE DATABASE place{places}"));
        let url = format!("{server}/place{places}");
        move || open(&url)
    });
    kept.await.unwrap_or_else(|broken| panic!("{broken}"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_never_both_win() {
    let database = Postgres::start();
    // Both at once, without tables yet.
    let stores = std::thread::scope(|scope| {
        let opening = [(); 2].map(|()| scope.spawn(|| opened(&database)));
        opening.map(|store| store.join().unwrap())
    });
    labels_change_with_records(&*stores[0], &*stores[1]).await;
    batches_in_opposite_orders(&stores, &database).await;
    creations_and_deletions_in_opposite_orders(&stores).await;
}

/// Each process writes to all agents at once, one of them in reverse order.
async fn batches_in_opposite_orders(stores: &[Arc<dyn Store>; 2], database: &Postgres) {
    const AGENTS: usize = 30;
    const ROUNDS: u64 = 20;
    let mut agents = Vec::new();
    for agent in 0..AGENTS {
        let id = format!("batch-{agent:02}");
        stores[0].create(&id, "", "").await.unwrap();
        agents.push(key(&*stores[0], &id).await);
    }
    let mut backwards = agents.clone();
    backwards.reverse();
    let processes = stores.iter().zip([agents.clone(), backwards]).map(|(store, agents)| {
        let store = Arc::clone(store);
        tokio::spawn(async move {
            let mut won = 0;
            for round in 0..ROUNDS {
                let appends: Vec<_> = agents
                    .iter()
                    .map(|agent| store.append(agent, &End::after(round, ""), String::new()))
                    .collect();
                for append in appends {
                    match append.await {
                        Ok(()) => won += 1,
                        Err(StoreError::Conflict { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
                for agent in &agents {
                    while store.tip(&agent.id).await.unwrap().unwrap().end.sequence <= round {
                        tokio::task::yield_now().await;
                    }
                }
            }
            won
        })
    });
    let mut won = 0;
    for process in processes.collect::<Vec<_>>() {
        won += process.await.unwrap();
    }
    assert_eq!(won, AGENTS as u64 * ROUNDS);
    // The database resolved no deadlock.
    assert!(!database.log().contains("deadlock"), "{}", database.log());
}

async fn creations_and_deletions_in_opposite_orders(stores: &[Arc<dyn Store>; 2]) {
    let names: Vec<String> = (0..20).map(|name| format!("new-{name:02}")).collect();
    let mut backwards = names.clone();
    backwards.reverse();
    for _ in 0..5 {
        let processes = stores.iter().zip([names.clone(), backwards.clone()]);
        let processes = processes.map(|(store, names)| {
            let store = Arc::clone(store);
            tokio::spawn(async move {
                let creations: Vec<_> = names.iter().map(|id| store.create(id, "", id)).collect();
                let mut made = Vec::new();
                for (id, creation) in names.into_iter().zip(creations) {
                    match creation.await {
                        Ok(()) => made.push(id),
                        Err(StoreError::Exists { .. }) => {}
                        Err(other) => panic!("{other}"),
                    }
                }
                made
            })
        });
        let mut made = Vec::new();
        for process in processes.collect::<Vec<_>>() {
            made.extend(process.await.unwrap());
        }
        assert_eq!(made.iter().collect::<BTreeSet<_>>().len(), made.len());
        made.sort();
        assert_eq!(made, names);
        let mut deletions = Vec::new();
        for (id, store) in names.iter().zip(stores.iter().cycle()) {
            deletions.push(store.delete(&key(&**store, id).await));
        }
        for deletion in deletions {
            deletion.await.unwrap();
        }
    }
}

#[test]
fn errors_never_have_the_password() {
    let mut database = Postgres::start();
    let url = database.url();
    drop(PostgresStore::open(&url).unwrap());

    let wrong = refusal(&url.replace(PASSWORD, "wr0ng"));
    assert!(
        wrong.contains("password authentication failed") && !wrong.contains("wr0ng"),
        "{wrong}"
    );
    let server = url.rsplit_once('/').unwrap().0;
    let nowhere = refusal(&format!("{server}/nowhere"));
    assert!(nowhere.contains("\"nowhere\" does not exist"), "{nowhere}");

    for setting in ["synchronous_commit = off", "default_transaction_isolation = 'serializable'"] {
        // The administrator's settings do not matter.
        database.sql(&format!("ALTER SYSTEM SET {setting}"));
    }
    database.sql("SELECT pg_reload_conf()");
    drop(PostgresStore::open(&url).unwrap());

    database.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0");
    let latin = refusal(&format!("{server}/latin"));
    assert!(latin.contains("encoding LATIN1"), "{latin}");

    database.sql("UPDATE gbandit.version SET version = 9");
    let said =
        "tables of version 9, and this program reads 1: it was made by an unpublished version";
    assert!(refusal(&url).contains(said), "{}", refusal(&url));
    database.sql("DROP SCHEMA gbandit CASCADE; CREATE SCHEMA gbandit; CREATE TABLE gbandit.x ()");
    assert!(refusal(&url).contains("belongs to another program"), "{}", refusal(&url));

    database.stop();
    let down = refusal(&url);
    assert!(down.contains("PostgreSQL does not answer (Connection refused"), "{down}");
    for said in [wrong, nowhere, latin, down] {
        assert!(!said.contains(PASSWORD), "{said}");
    }
}

/// The database is killed and restarted: waiting callers get an error, no answered write is lost, and the store
/// recovers by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_lost_connection_is_made_again() {
    let mut database = Postgres::start();
    let store = opened(&database);
    store.create("a", "", "").await.unwrap();
    let a = key(&*store, "a").await;
    let last = |end: u64| end.checked_sub(1).map_or_else(String::new, |last| last.to_string());
    let at = |end: u64| End::after(end, &last(end));
    let mut end = 0;
    for _ in 0..3 {
        for _ in 0..5 {
            store.append(&a, &at(end), end.to_string()).await.unwrap();
            end += 1;
        }
        database.kill();
        let lost = [
            store.append(&a, &at(end), "lost".to_owned()).await,
            store.check().await,
            store.delete(&a).await,
            store.read(&a, 0, Portion::of(1)).await.map(drop),
            store.tip("a").await.map(drop),
        ];
        for lost in lost {
            assert!(matches!(&lost, Err(StoreError::Failed { .. })), "{lost:?}");
            assert!(!lost.unwrap_err().to_string().contains(PASSWORD));
        }
        database.go_on();
        store.check().await.unwrap();
        let read = store.read(&a, 0, Portion::of(100)).await.unwrap();
        assert_eq!(read, (0..end).map(|record| record.to_string()).collect::<Vec<_>>());
    }
    // The administrator ends connections, one by one or all at once.
    for _ in 0..5 {
        database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gbandit'");
        while store.check().await.is_err() || store.tip("a").await.is_err() {}
        store.append(&a, &at(end), end.to_string()).await.unwrap();
        end += 1;
    }
    assert_eq!(store.tip("a").await.unwrap().unwrap().end, at(end));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn commits_are_counted() {
    let mut database = Postgres::start();
    let store = opened(&database);
    store.create("a", "", "").await.unwrap();
    let a = key(&*store, "a").await;
    // Refused, but by a transaction that succeeded.
    assert!(store.append(&a, &End::after(7, ""), String::new()).await.is_err());
    store.append(&a, &End::after(0, ""), String::new()).await.unwrap();
    let text = || Metrics::default().text(&Seen { commits: store.commits(), ..Seen::default() });
    let counted = |what: &str| {
        let line = format!("gbandit_store_{what}\n");
        assert!(text().contains(&line), "{line}{}", text());
    };
    counted("commit_writes_count 3");
    counted("commit_writes_sum 3");
    counted("commit_duration_seconds_count 3");
    counted("failed_commits_total 0");
    database.kill();
    assert!(store.check().await.is_err());
    counted("commit_writes_count 3");
    counted("failed_commits_total 1");
}

/// A database that does not answer counts as unreachable; its pending writes may still happen, and then count.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_hangs_is_not_waited_for() {
    let database = Postgres::start();
    let store = opened(&database);
    store.create("a", "", "").await.unwrap();
    let a = key(&*store, "a").await;
    store.append(&a, &End::after(0, ""), "zero".to_owned()).await.unwrap();
    database.pause();
    let (appended, read) = tokio::join!(
        store.append(&a, &End::after(1, "zero"), "one".to_owned()),
        store.read(&a, 0, Portion::of(9))
    );
    for failed in [appended.unwrap_err(), read.unwrap_err()] {
        assert!(failed.to_string().contains("no answer within 8 seconds"), "{failed}");
    }
    let failed = store.check().await.unwrap_err().to_string();
    assert!(failed.contains("no connection within 3 seconds"), "{failed}");
    database.resume();
    while store.check().await.is_err() {}
    match store.append(&a, &End::after(1, "zero"), "one".to_owned()).await {
        Ok(()) | Err(StoreError::Conflict { end: 2, .. }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(store.read(&a, 0, Portion::of(9)).await.unwrap(), ["zero", "one"]);
}

/// A log of many records.
fn lengthen(database: &Postgres, agent: &AgentKey, records: u64) {
    let number = agent.number;
    database.sql(&format!(
        "INSERT INTO gbandit.records SELECT {number}, n, 'record ' || n FROM generate_series(0, {records} - 1) AS n;
        UPDATE gbandit.logs SET ends = {records} WHERE agent = {number}"
    ));
}

fn left_of(database: &Postgres, agent: &AgentKey) -> u64 {
    let number = agent.number;
    let left = database.sql(&format!(
        "SELECT (SELECT count(*) FROM gbandit.records WHERE agent = {number})
            + (SELECT count(*) FROM gbandit.snapshots WHERE agent = {number})
            + (SELECT count(*) FROM gbandit.doomed WHERE agent = {number})"
    ));
    left.parse().unwrap()
}

/// The name is free at once. The records are removed in the background, also those of a row that the administrator
/// deleted, and no record of another agent.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deletes_in_pieces_and_goes_on_after_a_restart() {
    let database = Postgres::start();
    let store = opened(&database);
    for id in ["a", "b", "c"] {
        store.create(id, "", "old").await.unwrap();
    }
    let (a, b, c) = (key(&*store, "a").await, key(&*store, "b").await, key(&*store, "c").await);
    lengthen(&database, &a, 30_000);
    lengthen(&database, &b, 3_000);
    lengthen(&database, &c, 3_000);
    store.delete(&a).await.unwrap();
    store.create("a", "", "new").await.unwrap();
    let new = key(&*store, "a").await;
    store.append(&new, &End::after(0, "new"), "zero".to_owned()).await.unwrap();
    store.append(&b, &End::after(3_000, "record 2999"), "one more".to_owned()).await.unwrap();
    drop(store);
    assert!(left_of(&database, &a) > 2_000, "closing the store waited for the removal");
    database.sql("DELETE FROM gbandit.agents WHERE id = 'c'");
    let store = opened(&database);
    until("the end of the removal", || left_of(&database, &a) + left_of(&database, &c) == 0).await;
    assert_eq!(store.read(&new, 0, Portion::of(9)).await.unwrap(), ["zero"]);
    assert_eq!(store.find("b").await.unwrap().unwrap().end, 3_001);
    assert_eq!(store.read(&b, 2_999, Portion::of(9)).await.unwrap(), ["record 2999", "one more"]);
    assert_eq!(store.key("c").await, Ok(None));
}

/// Appends this many records to an empty log.
async fn append_some(store: &dyn Store, agent: &AgentKey, records: u64) {
    let mut end = End::after(0, "");
    for at in 0..records {
        store.append(agent, &end, at.to_string()).await.unwrap();
        end = End::after(at + 1, &at.to_string());
    }
}

/// Another transaction, until the value is dropped.
struct Locker<'a> {
    database: &'a Postgres,
    psql: Option<std::thread::JoinHandle<()>>,
}

impl<'a> Locker<'a> {
    async fn of(database: &'a Postgres, statement: &str) -> Self {
        let (url, held) = (database.url(), format!("{statement}; SELECT pg_sleep(600)"));
        let psql = std::thread::spawn(move || {
            let mut psql = std::process::Command::new("psql");
            let _ = psql.args(["-q", "-c", &held, &url]).output();
        });
        let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
        until("the lock", || database.sql(sleeping) == "1").await;
        Self { database, psql: Some(psql) }
    }

    fn let_go(&mut self) {
        if let Some(psql) = self.psql.take() {
            self.database.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'");
            let _ = psql.join();
        }
    }
}

impl Drop for Locker<'_> {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// Another transaction locks one log: its writer waits, all others go on.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_log_delays_only_its_writer() {
    let database = Postgres::start();
    let store = opened(&database);
    for id in ["a", "b"] {
        store.create(id, "", "").await.unwrap();
    }
    let (a, b) = (key(&*store, "a").await, key(&*store, "b").await);
    let lock = format!("SELECT FROM gbandit.logs WHERE agent = {} FOR UPDATE", a.number);
    let mut locker = Locker::of(&database, &lock).await;
    let mut waiting = tokio::spawn(store.append(&a, &End::after(0, ""), "zero".to_owned()));
    append_some(&*store, &b, 50).await;
    store.create("c", "", "").await.unwrap();
    store.check().await.unwrap();
    assert!(!waiting.is_finished(), "{:?}", (&mut waiting).await);
    locker.let_go();
    waiting.await.unwrap().unwrap();
    assert_eq!(store.read(&a, 0, Portion::of(9)).await.unwrap(), ["zero"]);

    // For longer than the limit: the write fails, and nothing is written.
    let mut locker = Locker::of(&database, &lock).await;
    let refused =
        store.append(&a, &End::after(1, "zero"), "one".to_owned()).await.unwrap_err().to_string();
    assert!(refused.contains("holds the log of agent \"a\" locked"), "{refused}");
    locker.let_go();
    assert_eq!(store.tip("a").await.unwrap().unwrap().end.sequence, 1);
    store.append(&a, &End::after(1, "zero"), "one".to_owned()).await.unwrap();
}

/// A name that another transaction is about to take, and a probe that it has locked.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_locks_delay_only_writes_that_need_them() {
    let database = Postgres::start();
    let store = opened(&database);
    store.create("a", "", "").await.unwrap();
    let a = key(&*store, "a").await;
    let lock = "INSERT INTO gbandit.agents (id, label, definition) VALUES ('b', '', '');
        SELECT FROM gbandit.probe FOR UPDATE";
    let _locker = Locker::of(&database, lock).await;
    let creating = store.create("b", "", "");
    append_some(&*store, &a, 20).await;
    store.check().await.unwrap();
    let refused = creating.await.unwrap_err().to_string();
    assert!(refused.contains("lock timeout"), "{refused}");
}
