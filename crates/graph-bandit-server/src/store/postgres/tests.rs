//! A database of version 0 is upgraded, all or nothing, and never under a process that uses it.

use super::super::schema::Schema;
use super::address::Address;
use super::session::{Limits, connected};
use super::{AgentKey, Portion, PostgresStore, Store, StoreError, StoredSnapshot, schema};
use graph_bandit_testing::Postgres;
use std::process::Command;
use std::time::{Duration, Instant};

/// Tables and rows of version 0, which did not write when records were received, and knew no bases.
const VERSION_0: &str = r#"
CREATE SCHEMA gbandit;
CREATE TABLE gbandit.version (version INTEGER NOT NULL);
INSERT INTO gbandit.version VALUES (0);
CREATE TABLE gbandit.agents (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    label TEXT NOT NULL,
    definition TEXT NOT NULL
);
CREATE TABLE gbandit.logs (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    ends BIGINT NOT NULL
);
CREATE TABLE gbandit.records (
    agent BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (agent, sequence)
);
CREATE TABLE gbandit.snapshots (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE gbandit.probe (checked TIMESTAMPTZ NOT NULL);
INSERT INTO gbandit.probe VALUES (now());
CREATE TABLE gbandit.doomed (agent BIGINT PRIMARY KEY, swept BIGINT NOT NULL DEFAULT 0);
INSERT INTO gbandit.agents (id, label, definition) VALUES ('a', 'label', 'definition');
INSERT INTO gbandit.logs VALUES (1, 2);
INSERT INTO gbandit.records VALUES (1, 0, 'zero'), (1, 1, 'one');
INSERT INTO gbandit.snapshots VALUES (1, 1, 'snapshot');
"#;

macro_rules! upgrade {
    ($pause:literal) => {
        Schema {
            version: schema::SCHEMA.version,
            upgrades: &[(
                0,
                concat!(
                    "ALTER TABLE gbandit.records ADD COLUMN received TIMESTAMPTZ NOT NULL
                        DEFAULT to_timestamp(7);
                    ALTER TABLE gbandit.records ALTER COLUMN received SET DEFAULT now();",
                    $pause,
                    "CREATE TABLE gbandit.bases (
                        agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
                        sequence BIGINT NOT NULL,
                        released BIGINT NOT NULL DEFAULT 0,
                        swept BIGINT NOT NULL DEFAULT 0,
                        body TEXT NOT NULL
                    );"
                ),
            )],
        }
    };
}

static UPGRADED: Schema = upgrade!("");
/// The same upgrade, with time to kill it.
static SLOW: Schema = upgrade!("SELECT pg_sleep(3);");

/// Longer than anything here takes.
const LONG: Duration = Duration::from_secs(30);

fn wait_for(mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < LONG);
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Has the URL in the process that is killed.
const KILLED: &str = "GBANDIT_TEST_KILLED_UPGRADE";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_upgrade_leaves_the_database_as_it_was() {
    if let Ok(url) = std::env::var(KILLED) {
        PostgresStore::open_with(&url, &SLOW).unwrap();
        unreachable!("it was killed before");
    }
    let database = Postgres::start();
    database.sql(VERSION_0);
    let url = database.url();
    let refused = PostgresStore::open(&url).unwrap_err().to_string();
    assert!(refused.contains("tables of version 0, and this program reads 1"), "{refused}");
    let refused = UPGRADED.check(0).unwrap_err().to_string();
    assert!(refused.contains("version 0; `gbandit serve` upgrades them"), "{refused}");

    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::postgres::tests::a_killed_upgrade_leaves_the_database_as_it_was"])
        .env(KILLED, &url)
        .spawn()
        .unwrap();
    let sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
    wait_for(|| {
        assert_eq!(child.try_wait().unwrap(), None);
        database.sql(sleeping) == "1"
    });
    child.kill().unwrap();
    child.wait().unwrap();

    // Two at once: one upgrades, as soon as the database has noticed the death, and the other waits for it.
    let stores = std::thread::scope(|scope| {
        let open = || PostgresStore::open_with(&url, &UPGRADED);
        let opening = [(); 2].map(|()| scope.spawn(open));
        opening.map(|store| store.join().unwrap().unwrap())
    });
    let a = AgentKey { id: "a".to_owned(), number: 1 };
    for store in &stores {
        let store: &dyn Store = store;
        assert_eq!(store.find("a").await.unwrap().unwrap().definition, "definition");
        assert_eq!(store.list("", 9).await.unwrap()[0].label, "label");
        assert_eq!(store.read(&a, 0, Portion::of(9)).await.unwrap(), ["zero", "one"]);
        assert_eq!(store.received(&a, 1).await.unwrap(), Some(7));
        let snapshot = StoredSnapshot { sequence: 1, body: "snapshot".to_owned() };
        assert_eq!(store.snapshot(&a).await.unwrap(), Some(snapshot));
        assert_eq!(store.base(&a).await.unwrap(), None);
    }
    drop(stores);
    PostgresStore::open(&url).unwrap().check().await.unwrap();
}

/// What a later version may do.
static LATER: Schema = Schema {
    version: schema::SCHEMA.version + 1,
    upgrades: &[(schema::SCHEMA.version, "ALTER TABLE gbandit.agents ADD COLUMN later TEXT")],
};

async fn upgraded(url: &str) -> Result<(), StoreError> {
    let (mut client, _connection) = connected(&Address::of(url)?, Limits::USUAL).await?;
    schema::upgrade(&mut client, &LATER).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn tables_in_use_are_not_upgraded() {
    let database = Postgres::start();
    let url = database.url();
    let store = PostgresStore::open(&url).unwrap();
    store.create("a", "", "definition").await.unwrap();
    let refuse = async || {
        let refused = upgraded(&url).await.unwrap_err().to_string();
        assert!(refused.contains("other processes are connected to the database; stop them first"));
        assert_eq!(database.sql("SELECT version FROM gbandit.version"), "1");
    };
    refuse().await;
    // Every connection shares the lock, also a new one in place of a lost one.
    let ours = "FROM pg_stat_activity WHERE application_name = 'gbandit'";
    database.sql(&format!("SELECT pg_terminate_backend(pid) {ours}"));
    let begun = Instant::now();
    while store.check().await.is_err() {
        assert!(begun.elapsed() < LONG);
    }
    refuse().await;
    store.find("a").await.unwrap();
    let alone = format!(
        "SELECT count(*) {ours} AND NOT EXISTS (SELECT FROM pg_locks WHERE pg_locks.pid = pg_stat_activity.pid
            AND locktype = 'advisory' AND mode = 'ShareLock' AND granted)"
    );
    // A new connection has it a moment later.
    wait_for(|| database.sql(&alone) == "0");
    // A reader, too: it expects the tables as they are.
    let reader = PostgresStore::open_to_read(&url).unwrap();
    drop(store);
    refuse().await;
    drop(reader);
    // The database notices the end of a connection a moment later.
    let used = format!("SELECT count(*) {ours}");
    wait_for(|| database.sql(&used) == "0");
    upgraded(&url).await.unwrap();
    assert_eq!(database.sql("SELECT version FROM gbandit.version"), "2");
    assert_eq!(
        database.sql("SELECT definition FROM gbandit.agents WHERE later IS NULL"),
        "definition"
    );
    let refused = PostgresStore::open(&url).unwrap_err().to_string();
    assert!(refused.contains("tables of version 2, and this program reads 1"), "{refused}");
}
