//! A ready connection: its settings are made and checked, its statements prepared.

use super::super::schema::Schema;
use super::StoreError;
use super::address::Address;
use super::failure::{failed, said};
use super::schema;
use super::standby::Standby;
use std::future::{Future, poll_fn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::task::AbortHandle;
use tokio_postgres::{AsyncMessage, Client, Error, Statement};

/// How long connecting may take in total.
const CONNECTING: Duration = Duration::from_secs(3);

/// The time limits of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Limits {
    /// For one statement, by the database's clock.
    statement: Duration,
    /// For the wait for another's lock.
    lock: Duration,
    /// For a transaction, by our clock, in case the database does not answer at all.
    pub(super) answer: Duration,
}

impl Limits {
    pub(super) const USUAL: Self = Self {
        statement: Duration::from_secs(5),
        lock: Duration::from_secs(1),
        answer: Duration::from_secs(8),
    };
    /// Reading everything may take long.
    pub(super) const LOOKING: Self = Self {
        statement: Duration::from_secs(600),
        lock: Duration::from_secs(5),
        answer: Duration::from_secs(610),
    };
    /// A deletion waits for writers to the log; a request ends after 30 seconds.
    pub(super) const DELETING: Self = Self {
        statement: Duration::from_secs(10),
        lock: Duration::from_secs(5),
        answer: Duration::from_secs(13),
    };
}

/// A ready connection. Dropping it closes the connection, whatever it waits for.
pub(super) struct Session {
    pub(super) client: Client,
    pub(super) statements: Statements,
    given_up: AtomicBool,
    connection: Connection,
}

impl Session {
    /// Whether the connection is open.
    pub(super) fn is_alive(&self) -> bool {
        !self.client.is_closed() && !self.given_up.load(Ordering::Relaxed)
    }

    /// Closes it; callers that wait for an answer get an error.
    pub(super) fn give_up(&self) {
        self.given_up.store(true, Ordering::Relaxed);
        self.connection.task.abort();
    }

    /// What the standby has not confirmed.
    pub(super) fn standby(&self) -> &Standby {
        &self.connection.standby
    }
}

/// Closes the connection when it is dropped.
pub(super) struct Connection {
    task: AbortHandle,
    standby: Arc<Standby>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The first connection of a store; creates or upgrades the tables if needed.
pub(super) async fn open(address: &Address, schema: &Schema) -> Result<Session, StoreError> {
    let connecting = in_time(Box::pin(async {
        let (mut client, connection) = connected(address, Limits::USUAL).await?;
        let is_current = schema::create(&mut client, schema).await?;
        Ok((client, connection, is_current))
    }));
    let (mut client, connection, is_current) = connecting.await?;
    if !is_current {
        schema::upgrade(&mut client, schema).await?;
    }
    in_time(Box::pin(ready(client, connection))).await
}

/// A connection that sees the database as of now, whatever others write to it.
pub(super) async fn open_at_a_moment(address: &Address) -> Result<Session, StoreError> {
    in_time(Box::pin(async {
        let (client, connection) = connected(address, Limits::LOOKING).await?;
        let session = ready(client, connection).await?;
        // Much may be computed between two statements. The first read fixes the moment.
        let begin = "SET idle_in_transaction_session_timeout = 0;
            BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT 1";
        session.client.batch_execute(begin).await.map_err(|error| said(&error))?;
        Ok(session)
    }))
    .await
}

/// One more connection.
pub(super) async fn connect(address: &Address, limits: Limits) -> Result<Session, StoreError> {
    in_time(Box::pin(async {
        let (client, connection) = connected(address, limits).await?;
        ready(client, connection).await
    }))
    .await
}

pub(super) async fn in_time<T>(
    connecting: impl Future<Output = Result<T, StoreError>>,
) -> Result<T, StoreError> {
    let late = |_| {
        let seconds = CONNECTING.as_secs();
        Err(failed(format!("PostgreSQL: no connection within {seconds} seconds")))
    };
    tokio::time::timeout(CONNECTING, connecting).await.unwrap_or_else(late)
}

pub(super) async fn connected(
    address: &Address,
    limits: Limits,
) -> Result<(Client, Connection), StoreError> {
    let (client, mut connection) = address.connect().await?;
    let standby = address.standby();
    let task = tokio::spawn(async move {
        while let Some(message) = poll_fn(|context| connection.poll_message(context)).await {
            match message {
                Ok(AsyncMessage::Notice(notice)) => standby.hear(&notice),
                Ok(_) => {}
                // Waiting callers get the error from the client; this is for the log.
                Err(error) => {
                    tracing::warn!(error = %said(&error), "a connection to the database ended");
                    return;
                }
            }
        }
    });
    let connection = Connection { task: task.abort_handle(), standby: address.standby() };
    // A process that stops in the middle of a transaction must not block the others for long.
    // The warning of a cancelled wait for the standby must arrive. remote_apply waits for more than on does, so it may stay.
    let settings = format!(
        "SET statement_timeout = {0};
         SET lock_timeout = {1};
         SET idle_in_transaction_session_timeout = {0};
         SET client_min_messages = warning;
         SET default_transaction_isolation = 'read committed';
         SELECT set_config('synchronous_commit', CASE current_setting('synchronous_commit')
             WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)",
        limits.statement.as_millis(),
        limits.lock.as_millis()
    );
    client.batch_execute(&settings).await.map_err(|error| said(&error))?;
    Ok((client, connection))
}

async fn ready(client: Client, connection: Connection) -> Result<Session, StoreError> {
    schema::share(&client).await?;
    let statements = Box::pin(Statements::prepare(&client)).await.map_err(|error| said(&error))?;
    Ok(Session { client, statements, given_up: AtomicBool::new(false), connection })
}

/// The head of the text with the seal of a log: the last record, or the definition.
macro_rules! head {
    () => {
        "coalesce(
            (SELECT substring(body FOR 64) FROM gbandit.records
                WHERE records.agent = logs.agent AND sequence = logs.ends - 1),
            (SELECT substring(definition FOR 64) FROM gbandit.agents AS owner
                WHERE owner.number = logs.agent))"
    };
}

/// A locked log, and its beginning where the records before `$2` are to be replaced.
macro_rules! beginning {
    () => {
        "SELECT agent, ends,
            (SELECT sequence FROM gbandit.bases WHERE bases.agent = logs.agent) AS base,
            (SELECT substring(body FOR 64) FROM gbandit.records
                WHERE records.agent = logs.agent AND sequence = $2::BIGINT - 1) AS last
        FROM gbandit.logs WHERE agent = $1 FOR UPDATE"
    };
}

macro_rules! statements {
    ($($name:ident: $sql:expr,)*) => {
        /// All statements, prepared.
        pub(super) struct Statements {
            $(pub(super) $name: Statement,)*
        }

        impl Statements {
            async fn prepare(client: &Client) -> Result<Self, Error> {
                let ($($name,)*) = tokio::try_join!($(client.prepare($sql),)*)?;
                Ok(Self { $($name,)* })
            }
        }
    };
}

statements! {
    find: "SELECT id, number, definition, ends
        FROM gbandit.agents JOIN gbandit.logs ON agent = number WHERE id = $1",
    tip: concat!("SELECT number, ends, ", head!(),
        " FROM gbandit.agents JOIN gbandit.logs ON agent = number WHERE id = $1"),
    list: "SELECT id, label, ends
        FROM gbandit.agents JOIN gbandit.logs ON agent = number
        WHERE id > $1 ORDER BY id LIMIT $2",
    // A row without a body if the agent exists and the log ends before. Lengths are known without reading
    // long texts, so the database holds no more than it sends.
    records: "SELECT sequence, body FROM gbandit.logs LEFT JOIN LATERAL (
            SELECT sequence, body, row_number() OVER so_far AS place,
                sum(octet_length(body)) OVER so_far - octet_length(body) AS before
            FROM (
                SELECT sequence, body FROM gbandit.records
                WHERE records.agent = logs.agent AND sequence >= $2 ORDER BY sequence LIMIT $3
            ) AS page
            WINDOW so_far AS (ORDER BY sequence ROWS UNBOUNDED PRECEDING)
        ) AS records ON before < $4 OR place = 1
        WHERE logs.agent = $1 ORDER BY sequence",
    snapshot: "SELECT sequence, body
        FROM gbandit.logs LEFT JOIN gbandit.snapshots ON snapshots.agent = logs.agent
        WHERE logs.agent = $1",
    base: "SELECT sequence, body
        FROM gbandit.logs LEFT JOIN gbandit.bases ON bases.agent = logs.agent
        WHERE logs.agent = $1",
    received: "SELECT floor(extract(epoch FROM received))::BIGINT
        FROM gbandit.logs LEFT JOIN gbandit.records ON records.agent = logs.agent AND sequence = $2
        WHERE logs.agent = $1",
    put_base: concat!("WITH log AS MATERIALIZED (", beginning!(), "), put AS (
            INSERT INTO gbandit.bases (agent, sequence, body)
            SELECT agent, $2, $4::TEXT FROM log
            WHERE ends >= $2 AND split_part(last, chr(10), 1) = $3::TEXT
            ON CONFLICT (agent) DO UPDATE SET sequence = excluded.sequence, body = excluded.body
            WHERE excluded.sequence >= bases.sequence
        )
        SELECT ends, base, last FROM log"),
    // Only here does the end of a log move without a record.
    begin_with: concat!("WITH log AS MATERIALIZED (", beginning!(), "), put AS (
            INSERT INTO gbandit.bases (agent, sequence, body)
            SELECT agent, $2, $3::TEXT FROM log WHERE ends = 0
            ON CONFLICT (agent) DO NOTHING RETURNING agent
        ), begun AS (
            UPDATE gbandit.logs SET ends = greatest($2 - 1, 0) FROM put
            WHERE logs.agent = put.agent
        )
        SELECT ends, base, last FROM log"),
    release: concat!("WITH log AS MATERIALIZED (", beginning!(), "), released AS (
            UPDATE gbandit.bases SET released = $2 - 1 FROM log
            WHERE bases.agent = log.agent AND bases.sequence = $2
                AND ends >= $2 AND split_part(last, chr(10), 1) = $3::TEXT
        )
        SELECT ends, base, last FROM log"),
    // One piece of the released records that one base covers.
    trim: "WITH one AS MATERIALIZED (
            SELECT agent, swept, least(released, sequence - 1) AS released FROM gbandit.bases
            WHERE swept < released AND swept < sequence - 1
            ORDER BY agent LIMIT 1 FOR UPDATE SKIP LOCKED
        ), piece AS MATERIALIZED (
            SELECT coalesce(max(sequence) + 1, (SELECT released FROM one)) AS until FROM (
                SELECT sequence, sum(size) OVER (ORDER BY sequence) - size AS before
                FROM (
                    SELECT sequence, pg_column_size(body) AS size FROM gbandit.records
                    WHERE agent = (SELECT agent FROM one) AND sequence >= (SELECT swept FROM one)
                        AND sequence < (SELECT released FROM one)
                    ORDER BY sequence LIMIT $1
                ) AS next
            ) AS sizes WHERE before < $2
        ), removed AS (
            DELETE FROM gbandit.records
            WHERE agent = (SELECT agent FROM one) AND sequence >= (SELECT swept FROM one)
                AND sequence < (SELECT until FROM piece)
        ), moved AS (
            UPDATE gbandit.bases SET swept = (SELECT until FROM piece) FROM one
            WHERE bases.agent = one.agent
        )
        SELECT agent FROM one",
    // The end of a log is always locked before its agent, here and by appends.
    delete: "WITH log AS MATERIALIZED (
            SELECT agent FROM gbandit.logs WHERE agent = $1 FOR UPDATE
        )
        DELETE FROM gbandit.agents USING log WHERE number = log.agent",
    rename: "UPDATE gbandit.agents SET id = $2 WHERE number = $1",
    // Nothing waits here, so no two processes can wait for each other.
    lock: "SELECT agent FROM gbandit.logs WHERE agent = ANY ($1)
        ORDER BY agent FOR UPDATE SKIP LOCKED",
    ends: concat!("SELECT agent, ends, ", head!(), " FROM gbandit.logs WHERE agent = ANY ($1)"),
    // The times of a log never fall, even if the clock does.
    append: "INSERT INTO gbandit.records (agent, sequence, body, received)
        SELECT agent, sequence, body, greatest(now(), (
            SELECT received FROM gbandit.records AS last WHERE last.agent = new.agent
            ORDER BY last.sequence DESC LIMIT 1
        )) FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[]) AS new (agent, sequence, body)",
    end: "UPDATE gbandit.logs SET ends = new.ends
        FROM unnest($1::BIGINT[], $2::BIGINT[]) AS new (agent, ends) WHERE logs.agent = new.agent",
    relabel: "UPDATE gbandit.agents SET label = new.label
        FROM unnest($1::BIGINT[], $2::TEXT[]) AS new (agent, label) WHERE agents.number = new.agent
            AND agents.label <> new.label",
    put_snapshot: "INSERT INTO gbandit.snapshots (agent, sequence, body)
        SELECT * FROM unnest($1::BIGINT[], $2::BIGINT[], $3::TEXT[])
        ON CONFLICT (agent) DO UPDATE SET sequence = excluded.sequence, body = excluded.body
        WHERE excluded.sequence >= snapshots.sequence",
    create: "WITH made AS (
            INSERT INTO gbandit.agents (id, label, definition)
            SELECT * FROM unnest($1::TEXT[], $2::TEXT[], $3::TEXT[]) AS new (id, label, definition)
            ORDER BY id COLLATE \"C\" ON CONFLICT (id) DO NOTHING RETURNING number, id
        ), begun AS (
            INSERT INTO gbandit.logs (agent, ends) SELECT number, 0 FROM made
        )
        SELECT id FROM made",
    // Inserts 16 KiB, and $1 records of 1 KiB; random, so that they are not compressed. No agent has these numbers,
    // and no other process, so nobody waits for anybody. It is rolled back.
    check: "INSERT INTO gbandit.records (agent, sequence, body)
        SELECT -pg_backend_pid(), part, (
            SELECT string_agg(md5(random()::TEXT || piece), '')
            FROM generate_series(1, CASE part WHEN 0 THEN 512 ELSE 32 END) AS piece
        ) FROM generate_series(0, $1::BIGINT) AS part",
    // One piece of the records of a deleted agent that no other process is removing, limited by number and
    // size. When there are none left, the agent is no longer doomed.
    sweep: "WITH one AS MATERIALIZED (
            SELECT agent, swept FROM gbandit.doomed ORDER BY agent LIMIT 1 FOR UPDATE SKIP LOCKED
        ), piece AS MATERIALIZED (
            SELECT max(sequence) AS last FROM (
                SELECT sequence, sum(size) OVER (ORDER BY sequence) - size AS before
                FROM (
                    SELECT sequence, pg_column_size(body) AS size FROM gbandit.records
                    WHERE agent = (SELECT agent FROM one) AND sequence >= (SELECT swept FROM one)
                    ORDER BY sequence LIMIT $1
                ) AS next
            ) AS sizes WHERE before < $2
        ), removed AS (
            DELETE FROM gbandit.records
            WHERE agent = (SELECT agent FROM one) AND sequence >= (SELECT swept FROM one)
                AND sequence <= (SELECT last FROM piece)
        ), moved AS (
            UPDATE gbandit.doomed SET swept = (SELECT last FROM piece) + 1 FROM one
            WHERE doomed.agent = one.agent AND (SELECT last FROM piece) IS NOT NULL
        ), done AS (
            DELETE FROM gbandit.doomed USING one
            WHERE doomed.agent = one.agent AND (SELECT last FROM piece) IS NULL
        )
        SELECT agent FROM one",
}
