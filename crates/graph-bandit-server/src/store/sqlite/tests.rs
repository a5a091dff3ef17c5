//! A file of version 0 is upgraded, all or nothing.

use super::super::schema::Schema;
use super::{AgentKey, Portion, SqliteStore, Store, StoredSnapshot, schema};
use rusqlite::Connection;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

/// Tables and rows of version 0, which did not write when records were received, and knew no bases.
const VERSION_0: &str = "
PRAGMA journal_mode = WAL;
CREATE TABLE agents (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    definition TEXT NOT NULL
) STRICT;
CREATE TABLE records (
    agent INTEGER NOT NULL,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (agent, sequence)
) STRICT, WITHOUT ROWID;
CREATE TABLE snapshots (
    agent INTEGER PRIMARY KEY,
    sequence INTEGER NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE TABLE doomed (agent INTEGER PRIMARY KEY) STRICT;
CREATE TABLE probe (body BLOB NOT NULL) STRICT;
INSERT INTO probe VALUES (x'');
INSERT INTO agents VALUES (3, 'a', 'label', 'definition');
INSERT INTO records VALUES (3, 0, 'zero'), (3, 1, 'one');
INSERT INTO snapshots VALUES (3, 1, 'snapshot');
PRAGMA application_id = 0x6762616e;
PRAGMA user_version = 0;
";

static UPGRADED: Schema = Schema {
    version: schema::SCHEMA.version,
    upgrades: &[(
        0,
        "ALTER TABLE records ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
        UPDATE records SET received = 7;
        CREATE TABLE bases (
            agent INTEGER PRIMARY KEY,
            sequence INTEGER NOT NULL,
            released INTEGER NOT NULL,
            swept INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX bases_to_sweep ON bases (agent) WHERE swept < released AND swept < sequence - 1;",
    )],
};

/// The same upgrade, which never ends.
static ENDLESS: Schema = Schema {
    version: schema::SCHEMA.version,
    upgrades: &[(
        0,
        "ALTER TABLE records ADD COLUMN received INTEGER NOT NULL DEFAULT 0;
        UPDATE records SET received = (
            WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n
        )",
    )],
};

/// Names the file in the process that is killed.
const KILLED: &str = "GBANDIT_TEST_KILLED_UPGRADE";

#[tokio::test]
async fn a_killed_upgrade_leaves_the_file_as_it_was() {
    if let Some(file) = std::env::var_os(KILLED) {
        drop(SqliteStore::open_with(file.as_ref(), &ENDLESS));
        unreachable!("the upgrade never ends");
    }
    let folder = std::env::temp_dir().join(format!("gbandit-upgrade-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file: PathBuf = folder.join("fleet.db");
    let other = Connection::open(&file).unwrap();
    other.execute_batch(VERSION_0).unwrap();
    let refused = SqliteStore::open(&file).unwrap_err().to_string();
    assert!(refused.contains("tables of version 0, and this program reads 1"), "{refused}");

    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "store::sqlite::tests::a_killed_upgrade_leaves_the_file_as_it_was"])
        .env(KILLED, &file)
        .spawn()
        .unwrap();
    other.busy_timeout(Duration::ZERO).unwrap();
    while other.execute_batch("BEGIN IMMEDIATE; ROLLBACK").is_ok() {
        assert_eq!(child.try_wait().unwrap(), None);
        std::thread::sleep(Duration::from_millis(10));
    }
    // By now the first statement is done.
    std::thread::sleep(Duration::from_millis(300));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(schema::pragma(&other, "user_version").unwrap(), 0);
    drop(other);

    let store = SqliteStore::open_with(&file, &UPGRADED).unwrap();
    let a = AgentKey { id: "a".to_owned(), number: 3 };
    assert_eq!(store.find("a").await.unwrap().unwrap().definition, "definition");
    assert_eq!(store.list("", 9).await.unwrap()[0].label, "label");
    assert_eq!(store.read(&a, 0, Portion::of(9)).await.unwrap(), ["zero", "one"]);
    assert_eq!(store.received(&a, 1).await.unwrap(), Some(7));
    let snapshot = StoredSnapshot { sequence: 1, body: "snapshot".to_owned() };
    assert_eq!(store.snapshot(&a).await.unwrap(), Some(snapshot));
    assert_eq!(store.base(&a).await.unwrap(), None);
    drop(store);
    // From now on it is a file of this version.
    SqliteStore::open(&file).unwrap().check().await.unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}

#[tokio::test]
async fn the_write_ahead_log_shrinks_after_a_stalled_reader() {
    let folder = std::env::temp_dir().join(format!("gbandit-stalled-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("fleet.db");
    let store = SqliteStore::open(&file).unwrap();
    store.check().await.unwrap();
    let reader = Connection::open(&file).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM agents").unwrap();
    let definition = "x".repeat(1 << 20);
    for agent in 0..80 {
        store.create(&agent.to_string(), "label", &definition).await.unwrap();
    }
    let size = || store.sizes().unwrap().write_ahead;
    assert!(size() > 80 << 20);
    drop(reader);
    // One moves the log into the file, and the next one begins it again.
    for _ in 0..2 {
        store.check().await.unwrap();
    }
    assert!(size() <= 64 << 20, "{}", size());
    drop(store);
    std::fs::remove_dir_all(&folder).unwrap();
}
