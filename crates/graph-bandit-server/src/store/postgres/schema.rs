//! The tables, in their own schema, and their version.

use super::super::Tables;
use super::StoreError;
use super::failure::{failed, said};
use super::upgrade::{CURRENT, FIRST};
use tokio_postgres::{Client, Transaction};

/// Additions to the tables of version 0.1, whose own statements do not see them.
const ADDITIONS: &str = "
ALTER TABLE gbandit.records ADD COLUMN IF NOT EXISTS received TIMESTAMPTZ;
ALTER TABLE gbandit.records ALTER COLUMN received SET DEFAULT now();
";

/// The end of a log has its own row: it changes with every append, and PostgreSQL rewrites the whole
/// row. The pages have free room for that.
///
/// The numbers of agents are never given twice, so that leftovers of a deleted agent can never become part
/// of another of its name.
const TABLES: &str = r#"
CREATE SCHEMA IF NOT EXISTS gbandit;
CREATE TABLE gbandit.version (version INTEGER NOT NULL);
INSERT INTO gbandit.version VALUES (3);
CREATE TABLE gbandit.agents (
    number BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    label TEXT NOT NULL,
    definition TEXT NOT NULL
);
CREATE TABLE gbandit.logs (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    ends BIGINT NOT NULL
) WITH (fillfactor = 50);
CREATE TABLE gbandit.records (
    agent BIGINT NOT NULL,
    sequence BIGINT NOT NULL,
    body TEXT NOT NULL,
    received TIMESTAMPTZ DEFAULT now(),
    PRIMARY KEY (agent, sequence)
);
CREATE TABLE gbandit.snapshots (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE gbandit.probe (checked TIMESTAMPTZ NOT NULL);
INSERT INTO gbandit.probe VALUES (now());
"#;

/// Deletion in pieces, added to the tables of 0.1: an agent's records are no longer deleted with it. Every
/// deletion, also by a process of 0.1, leaves the agent's number in `doomed`, and its records are removed
/// afterwards (`sweep.rs`). No record can be added to them: an append first locks the row of `logs`, which is
/// deleted with the agent. A base replaces the beginning of a log; the records before `released` may be
/// removed, and those before `swept` are gone.
const DELETION_IN_PIECES: &str = r"
CREATE TABLE gbandit.doomed (
    agent BIGINT PRIMARY KEY,
    swept BIGINT NOT NULL DEFAULT 0
);
CREATE FUNCTION gbandit.doom() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO gbandit.doomed (agent) VALUES (old.number);
    RETURN NULL;
END
$$;
CREATE TRIGGER doom AFTER DELETE ON gbandit.agents
    FOR EACH ROW EXECUTE FUNCTION gbandit.doom();
ALTER TABLE gbandit.records DROP CONSTRAINT IF EXISTS records_agent_fkey;
CREATE TABLE gbandit.bases (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    released BIGINT NOT NULL DEFAULT 0,
    swept BIGINT NOT NULL DEFAULT 0,
    body TEXT NOT NULL
);
CREATE INDEX bases_to_sweep ON gbandit.bases (agent) WHERE swept < released AND swept < sequence - 1;
";

/// `gban`: processes that start at the same time create the tables one after the other.
const CREATING: i64 = 0x6762_616e;

/// Creates the tables if there are none, and adds what earlier ones lack.
pub(super) async fn create(client: &mut Client) -> Result<(), StoreError> {
    let creation = client.transaction().await.map_err(|error| said(&error))?;
    let locked = creation.execute("SELECT pg_advisory_xact_lock($1)", &[&CREATING]).await;
    locked.map_err(|error| said(&error))?;
    let there = "SELECT to_regnamespace('gbandit') IS NOT NULL
        AND EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('gbandit'))";
    let there: bool = creation.query_one(there, &[]).await.map_err(|error| said(&error))?.get(0);
    if !there {
        creation.batch_execute(TABLES).await.map_err(|error| said(&error))?;
    } else if is_without_additions(&creation).await? {
        creation.batch_execute(ADDITIONS).await.map_err(|error| said(&error))?;
    }
    let lacking = "SELECT to_regclass('gbandit.version') IS NOT NULL
        AND to_regclass('gbandit.doomed') IS NULL";
    let lacking = creation.query_one(lacking, &[]).await.map_err(|error| said(&error))?;
    if lacking.get(0) {
        creation.batch_execute(DELETION_IN_PIECES).await.map_err(|error| said(&error))?;
    }
    creation.commit().await.map_err(|error| said(&error))
}

/// Whether these are tables of 0.1 without the additions. Checked first, because adding anything waits for
/// all readers.
async fn is_without_additions(on: &Transaction<'_>) -> Result<bool, StoreError> {
    let is = "SELECT to_regclass('gbandit.records') IS NOT NULL AND NOT EXISTS (
        SELECT FROM pg_attribute
        WHERE attrelid = to_regclass('gbandit.records') AND attname = 'received')";
    on.query_one(is, &[]).await.and_then(|row| row.try_get(0)).map_err(|error| said(&error))
}

/// The version of the schema's tables; does not upgrade them.
pub(super) async fn tables(client: &Client) -> Result<Tables, StoreError> {
    let facts =
        "SELECT to_regclass('gbandit.version') IS NOT NULL, to_regclass('gbandit.doomed') IS NULL";
    let facts = client.query_one(facts, &[]).await.map_err(|error| said(&error))?;
    let (ours, lacking): (bool, bool) = (facts.get(0), facts.get(1));
    if !ours {
        return Err(failed(
            "the schema gbandit of the database belongs to another program".to_owned(),
        ));
    }
    let version = client.query_one("SELECT max(version) FROM gbandit.version", &[]).await;
    let version: Option<i32> = version.map_err(|error| said(&error))?.get(0);
    let version = version.unwrap_or(0);
    if lacking && (FIRST..=CURRENT).contains(&version) {
        return Ok(Tables::Earlier { version: version.into() });
    }
    check(client).await?;
    let version = version.into();
    Ok(if version < i64::from(CURRENT) {
        Tables::Earlier { version }
    } else {
        Tables::Current { version }
    })
}

/// Refuses unknown tables, and settings that would break the store's promises.
pub(super) async fn check(client: &Client) -> Result<(), StoreError> {
    let ours = "SELECT to_regnamespace('gbandit') IS NOT NULL,
        to_regclass('gbandit.version') IS NOT NULL, to_regclass('gbandit.doomed') IS NOT NULL";
    let ours = client.query_one(ours, &[]).await.map_err(|error| said(&error))?;
    let wrong = match (ours.get(0), ours.get(1), ours.get(2)) {
        (true, true, true) => None,
        (false, ..) => Some("the database has no agents yet: there is no schema gbandit"),
        (_, false, _) => Some("the schema gbandit of the database belongs to another program"),
        (_, _, false) => Some(
            "the tables are of an earlier version; `gbandit serve` upgrades them when it starts",
        ),
    };
    if let Some(wrong) = wrong {
        return Err(failed(wrong.to_owned()));
    }
    let facts = "SELECT (SELECT max(version) FROM gbandit.version),
        current_setting('server_encoding'), current_setting('synchronous_commit'),
        current_setting('fsync')";
    let facts = client.query_one(facts, &[]).await.map_err(|error| said(&error))?;
    let version: Option<i32> = facts.get(0);
    let version = version.unwrap_or(0);
    if !(FIRST..=CURRENT).contains(&version) {
        let reason = format!(
            "the database has tables of version {version}, but this program reads {FIRST} and {CURRENT}"
        );
        return Err(failed(reason));
    }
    let encoding: String = facts.get(1);
    if encoding != "UTF8" {
        return Err(failed(format!(
            "the database has the encoding {encoding}; create it with ENCODING 'UTF8' TEMPLATE template0"
        )));
    }
    let durable: String = facts.get(2);
    if durable != "on" && durable != "remote_apply" {
        return Err(failed(format!("synchronous_commit is {durable} and cannot be set to on")));
    }
    let fsync: String = facts.get(3);
    if fsync != "on" {
        tracing::warn!(
            "the database runs with fsync off: acknowledged reports may be lost when its machine crashes"
        );
    }
    Ok(())
}
