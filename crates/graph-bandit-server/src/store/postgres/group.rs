//! One transaction for all waiting writes: it locks the ends of their logs, decides by them what may be
//! written, then writes and commits everything at once.
//!
//! It does not wait for a log that another transaction has locked. Writes to that log are left out, and
//! retried with a later transaction.

use super::failure::{failed, said};
use super::group_commit::{Fate, Results};
use super::session::Session;
use super::writer::Write;
use super::{AgentKey, End, StoreError, reader, signed};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use tokio_postgres::Error;

/// The most records of 1 KiB that a check writes.
const MOST_TRIED: i64 = 4 << 10;

/// The fate of each write. After an error nothing was written, unless the connection was lost during the
/// commit, when only the store knows.
///
/// A check needs room for a record of `room` bytes.
pub(super) async fn commit(on: &Session, group: &[Write], room: usize) -> Result<Results, Error> {
    let (client, statements) = (&on.client, &on.statements);
    let numbers = numbers(group);
    // Pipelined: a statement is sent as soon as it is first polled. The ends are read by their own
    // statement: one that locks may see an older state of the records than of the logs.
    let (begun, locked, ends) = tokio::join!(
        biased;
        client.batch_execute("BEGIN"),
        async { client.query(&statements.lock, &[&numbers]).await },
        async { client.query(&statements.ends, &[&numbers]).await },
    );
    begun?;
    let ours: BTreeSet<i64> =
        locked?.iter().map(|row| row.try_get(0)).collect::<Result<_, Error>>()?;
    let mut logs = Logs::default();
    for row in ends? {
        let number = row.try_get(0)?;
        if ours.contains(&number) {
            logs.ends.insert(number, reader::end(&row, (1, 2))?);
        } else {
            logs.locked.insert(number);
        }
    }
    let mut plan = Plan::default();
    let mut results: Vec<_> = group.iter().map(|write| plan.add(write, &mut logs)).collect();
    let Plan { records, new_ends, labels, snapshots, creations, checks } = &plan;
    let (agents, sequences, bodies) = records;
    let new_ends: (Vec<i64>, Vec<i64>) = new_ends.iter().unzip();
    let labels: (Vec<i64>, Vec<&str>) = labels.iter().unzip();
    let snapshots = unzipped(snapshots);
    let (appended, ended, labelled, kept, created, checked, unlimited, committed) = tokio::join!(
        biased;
        async {
            if agents.is_empty() { return Ok(0) }
            client.execute(&statements.append, &[agents, sequences, bodies]).await
        },
        async {
            if agents.is_empty() { return Ok(0) }
            client.execute(&statements.end, &[&new_ends.0, &new_ends.1]).await
        },
        async {
            if labels.0.is_empty() { return Ok(0) }
            client.execute(&statements.relabel, &[&labels.0, &labels.1]).await
        },
        async {
            if snapshots.0.is_empty() { return Ok(0) }
            let (agents, sequences, bodies) = &snapshots;
            client.execute(&statements.put_snapshot, &[agents, sequences, bodies]).await
        },
        async {
            if creations.0.is_empty() { return Ok(Vec::new()) }
            let (ids, labels, definitions) = creations;
            client.query(&statements.create, &[ids, labels, definitions]).await
        },
        async {
            if *checks == 0 { return Ok(()) }
            Box::pin(check(on, room)).await
        },
        // If a commit waits for a standby, the database's own limit would end the wait and report
        // success; ours ends it as a failure.
        client.batch_execute("SET LOCAL statement_timeout = 0"),
        client.batch_execute("COMMIT"),
    );
    // A commit after a failed statement is a rollback, but reports no error.
    appended?;
    ended?;
    labelled?;
    kept?;
    let mut made: HashSet<String> =
        created?.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>()?;
    unlimited?;
    committed?;
    let checked = checked.map_err(|error| said(&error));
    for (write, result) in group.iter().zip(&mut results) {
        match write {
            // Of several writes with the same name the first one gets it.
            Write::Create { id, .. } if !made.remove(id) => {
                *result = Fate::Settled(Err(StoreError::Exists { id: id.clone() }));
            }
            Write::Check => *result = Fate::Settled(checked.clone()),
            _ => {}
        }
    }
    Ok(results)
}

/// Writes records and rolls them back. The rest of the transaction stands, whether there was room or not.
async fn check(on: &Session, room: usize) -> Result<(), Error> {
    let client = &on.client;
    let records =
        i64::try_from(room.div_ceil(1024)).map_or(MOST_TRIED, |most| most.min(MOST_TRIED));
    let (begun, written, undone) = tokio::join!(
        biased;
        client.batch_execute("SAVEPOINT probe"),
        async { client.execute(&on.statements.check, &[&records]).await },
        client.batch_execute("ROLLBACK TO probe"),
    );
    begun?;
    written?;
    undone
}

/// The agents whose logs must be locked.
fn numbers(group: &[Write]) -> Vec<i64> {
    let number = |write: &Write| match write {
        Write::Append { agent, .. } | Write::PutSnapshot { agent, .. } => {
            Some(signed(agent.number))
        }
        Write::Create { .. } | Write::Check => None,
    };
    let mut numbers: Vec<i64> = group.iter().filter_map(number).collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers
}

/// The logs that the group writes to.
#[derive(Default)]
struct Logs {
    /// The ends of the logs that we have locked.
    ends: BTreeMap<i64, End>,
    /// The logs that another transaction has locked.
    locked: BTreeSet<i64>,
}

impl Logs {
    fn end_of(&mut self, agent: &AgentKey) -> Result<(i64, &mut End), Fate> {
        let number = signed(agent.number);
        if self.locked.contains(&number) {
            let id = &agent.id;
            return Err(Fate::Blocked(failed(format!(
                "PostgreSQL: another transaction holds the log of agent {id:?} locked"
            ))));
        }
        let missing = || Fate::Settled(Err(reader::missing(agent)));
        self.ends.get_mut(&number).map(|end| (number, end)).ok_or_else(missing)
    }
}

/// The rows to write, as columns.
#[derive(Default)]
struct Plan<'a> {
    records: (Vec<i64>, Vec<i64>, Vec<&'a str>),
    new_ends: BTreeMap<i64, i64>,
    /// The last of each agent.
    labels: BTreeMap<i64, &'a str>,
    /// The latest of each agent.
    snapshots: BTreeMap<i64, (i64, &'a str)>,
    creations: (Vec<&'a str>, Vec<&'a str>, Vec<&'a str>),
    checks: u64,
}

impl<'a> Plan<'a> {
    fn add(&mut self, write: &'a Write, logs: &mut Logs) -> Fate {
        self.try_add(write, logs).map_or_else(|fate| fate, |()| Fate::Settled(Ok(())))
    }

    fn try_add(&mut self, write: &'a Write, logs: &mut Logs) -> Result<(), Fate> {
        match write {
            Write::Create { id, label, definition } => {
                self.creations.0.push(id);
                self.creations.1.push(label);
                self.creations.2.push(definition);
            }
            Write::Append { agent, at, record, label } => {
                let (number, end) = logs.end_of(agent)?;
                at.expect(end, &agent.id).map_err(|refusal| Fate::Settled(Err(refusal)))?;
                *end = End::after(at.sequence + 1, record);
                self.records.0.push(number);
                self.records.1.push(signed(at.sequence));
                self.records.2.push(record);
                self.new_ends.insert(number, signed(end.sequence));
                if let Some(label) = label {
                    self.labels.insert(number, label);
                }
            }
            Write::PutSnapshot { agent, snapshot } => {
                let (number, end) = logs.end_of(agent)?;
                // A snapshot of a lost past would block later ones.
                if snapshot.sequence > end.sequence {
                    return Ok(());
                }
                let new = (signed(snapshot.sequence), snapshot.body.as_str());
                let latest = self.snapshots.entry(number).or_insert(new);
                if new.0 >= latest.0 {
                    *latest = new;
                }
            }
            Write::Check => self.checks += 1,
        }
        Ok(())
    }
}

fn unzipped<'a>(snapshots: &BTreeMap<i64, (i64, &'a str)>) -> (Vec<i64>, Vec<i64>, Vec<&'a str>) {
    let mut columns = (Vec::new(), Vec::new(), Vec::new());
    for (&agent, &(sequence, body)) in snapshots {
        columns.0.push(agent);
        columns.1.push(sequence);
        columns.2.push(body);
    }
    columns
}
