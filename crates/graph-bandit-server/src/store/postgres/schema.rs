//! The tables, in their own schema, and their version.

use super::super::Tables;
use super::super::schema::Schema;
use super::StoreError;
use super::failure::{failed, said};
use std::time::{Duration, Instant};
use tokio_postgres::{Client, GenericClient, Transaction};

/// The tables below; their version is kept beside them.
pub(super) const SCHEMA: Schema = Schema { version: 1, upgrades: &[] };

/// The end of a log has its own row: it changes with every append, and PostgreSQL rewrites the whole
/// row. The pages have free room for that.
///
/// The numbers of agents are never given twice, so that leftovers of a deleted agent can never become part
/// of another of its name. Every deletion leaves the agent's number in `doomed`, and its records are removed
/// afterwards (`sweep.rs`). No record can be added to them: an append first locks the row of `logs`, which is
/// deleted with the agent. A base replaces the beginning of a log; the records before `released` may be
/// removed, and those before `swept` are gone.
const TABLES: &str = r#"
DO $$ BEGIN
    IF to_regnamespace('gbandit') IS NULL THEN CREATE SCHEMA gbandit; END IF;
END $$;
CREATE TABLE gbandit.version (version INTEGER NOT NULL);
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
    received TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (agent, sequence)
);
CREATE TABLE gbandit.snapshots (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    body TEXT NOT NULL
);
CREATE TABLE gbandit.probe (checked TIMESTAMPTZ NOT NULL);
INSERT INTO gbandit.probe VALUES (now());
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
CREATE TABLE gbandit.bases (
    agent BIGINT PRIMARY KEY REFERENCES gbandit.agents (number) ON DELETE CASCADE,
    sequence BIGINT NOT NULL,
    released BIGINT NOT NULL DEFAULT 0,
    swept BIGINT NOT NULL DEFAULT 0,
    body TEXT NOT NULL
);
CREATE INDEX bases_to_sweep ON gbandit.bases (agent) WHERE swept < released AND swept < sequence - 1;
"#;

/// `gban`: processes that start at the same time make the tables one after the other.
const MAKING: i64 = 0x6762_616e;
/// `gbas`: shared by every connection that uses the tables, so that they cannot be upgraded meanwhile.
const USING: i64 = 0x6762_6173;

/// How long to ask again for a lock that is never waited for: the database notices the end of a connection
/// later than the process does.
const PATIENCE: Duration = Duration::from_secs(1);

/// Creates the tables if there are none. Returns whether they are today's.
pub(super) async fn create(client: &mut Client, schema: &Schema) -> Result<bool, StoreError> {
    let is_current = |version| Ok(matches!(schema.tables(version)?, Tables::Current { .. }));
    if let Some(version) = version(client).await? {
        return is_current(version);
    }
    let making = begin(client).await?;
    if let Some(version) = version(&making).await? {
        return is_current(version);
    }
    let version = schema.version;
    let tables = format!("{TABLES}INSERT INTO gbandit.version VALUES ({version})");
    making.batch_execute(&tables).await.map_err(|error| said(&error))?;
    making.commit().await.map_err(|error| said(&error))?;
    Ok(true)
}

/// Upgrades the tables of an earlier version, all or nothing, however long that takes.
pub(super) async fn upgrade(client: &mut Client, schema: &Schema) -> Result<(), StoreError> {
    tracing::info!("the tables must be upgraded; with long logs, that takes its time");
    let making = begin(client).await?;
    let from = version(&making).await?.unwrap_or_default();
    if let Tables::Current { .. } = schema.tables(from)? {
        return Ok(());
    }
    if !has(&making, "SELECT pg_try_advisory_xact_lock($1)").await? {
        return Err(failed(format!(
            "the tables are of version {from} and must be upgraded, but other processes are connected to the \
             database; stop them first"
        )));
    }
    let mut version = from;
    for (earlier, sql) in schema.upgrades {
        if version == *earlier {
            making.batch_execute(sql).await.map_err(|error| said(&error))?;
            version += 1;
        }
    }
    let raised = format!("UPDATE gbandit.version SET version = {version}");
    making.batch_execute(&raised).await.map_err(|error| said(&error))?;
    making.commit().await.map_err(|error| said(&error))?;
    tracing::info!(from, version, "the tables are upgraded");
    Ok(())
}

/// A transaction that makes or upgrades the tables, while no other does.
async fn begin(client: &mut Client) -> Result<Transaction<'_>, StoreError> {
    let making = client.transaction().await.map_err(|error| said(&error))?;
    let patience = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0";
    making.batch_execute(patience).await.map_err(|error| said(&error))?;
    let locked = making.execute("SELECT pg_advisory_xact_lock($1)", &[&MAKING]).await;
    locked.map_err(|error| said(&error))?;
    Ok(making)
}

/// Whether the connection gets the lock of those that use the tables. Nobody queues for it, so that no two
/// processes wait for each other.
async fn has(on: &impl GenericClient, attempt: &str) -> Result<bool, StoreError> {
    let begun = Instant::now();
    loop {
        let got = on.query_one(attempt, &[&USING]).await;
        let got = got.and_then(|row| row.try_get(0)).map_err(|error| said(&error))?;
        if got || begun.elapsed() >= PATIENCE {
            return Ok(got);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// The version of the tables, if there are any. A schema of another program is refused.
async fn version(client: &impl GenericClient) -> Result<Option<i64>, StoreError> {
    let facts =
        "SELECT EXISTS (SELECT FROM pg_class WHERE relnamespace = to_regnamespace('gbandit')),
        to_regclass('gbandit.version') IS NOT NULL";
    let facts = client.query_one(facts, &[]).await.map_err(|error| said(&error))?;
    match (facts.get(0), facts.get(1)) {
        (false, _) => return Ok(None),
        (true, true) => {}
        (true, false) => {
            let reason = "the schema gbandit of the database belongs to another program";
            return Err(failed(reason.to_owned()));
        }
    }
    let version = "SELECT coalesce(max(version), 0)::BIGINT FROM gbandit.version";
    let version = client.query_one(version, &[]).await;
    version.and_then(|row| row.try_get(0)).map_err(|error| said(&error))
}

/// Which tables there are, if any; does not upgrade them.
pub(super) async fn tables(client: &Client) -> Result<Option<Tables>, StoreError> {
    let Some(version) = version(client).await? else { return Ok(None) };
    check_settings(client).await?;
    SCHEMA.tables(version).map(Some)
}

/// Keeps the tables as they are while the connection is open, and checks that they are today's.
pub(super) async fn share(client: &Client) -> Result<(), StoreError> {
    if !has(client, "SELECT pg_try_advisory_lock_shared($1)").await? {
        return Err(failed("another process is upgrading the tables; try again".to_owned()));
    }
    let none = || failed("the database has no agents yet: there is no schema gbandit".to_owned());
    SCHEMA.check(version(client).await?.ok_or_else(none)?)?;
    check_settings(client).await
}

/// Refuses settings that would break the store's promises.
async fn check_settings(client: &Client) -> Result<(), StoreError> {
    let facts = "SELECT current_setting('server_encoding'), current_setting('synchronous_commit'),
        current_setting('fsync')";
    let facts = client.query_one(facts, &[]).await.map_err(|error| said(&error))?;
    let encoding: String = facts.get(0);
    if encoding != "UTF8" {
        return Err(failed(format!(
            "the database has the encoding {encoding}; create it with ENCODING 'UTF8' TEMPLATE template0"
        )));
    }
    let durable: String = facts.get(1);
    if durable != "on" && durable != "remote_apply" {
        return Err(failed(format!("synchronous_commit is {durable} and cannot be set to on")));
    }
    let fsync: String = facts.get(2);
    if fsync != "on" {
        tracing::warn!(
            "the database runs with fsync off: acknowledged reports may be lost when its machine crashes"
        );
    }
    Ok(())
}
