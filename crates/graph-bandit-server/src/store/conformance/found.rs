//! How checks ask, compare and report.

use super::super::{AgentKey, End, Portion, Store, StoreError, StoredSnapshot};
use super::{Open, Verdict};
use std::fmt::Debug;
use std::sync::Arc;

/// Longer values are cut in messages.
const MOST_SHOWN: usize = 300;

/// Compares an answer with the contract; `asked` describes the request.
pub(super) fn same<T: PartialEq + Debug>(asked: &str, got: &T, expected: &T) -> Verdict {
    if got == expected {
        return Ok(());
    }
    Err(format!("{asked}: expected {}, got {}", shown(expected), shown(got)))
}

/// The value of an answer that must not be an error.
pub(super) fn answered<T>(asked: &str, answer: Result<T, StoreError>) -> Result<T, String> {
    answer.map_err(|error| format!("{asked}: expected an answer, got {}", shown(&error)))
}

/// Opens the store once more.
pub(super) fn opened(open: Open<'_>) -> Result<Arc<dyn Store>, String> {
    answered("opening the store", open())
}

/// Creates an agent and returns its key.
pub(super) async fn created(store: &dyn Store, id: &str) -> Result<AgentKey, String> {
    let asked = format!("create({id:?})");
    let (label, definition) = (label_of(id), definition_of(id));
    answered(&asked, store.create(id, &label, &definition).await)?;
    key(store, id).await
}

/// The agent that has the name now.
pub(super) async fn key(store: &dyn Store, id: &str) -> Result<AgentKey, String> {
    let asked = format!("key({id:?})");
    let key = answered(&asked, store.key(id).await)?;
    key.ok_or_else(|| format!("{asked}: expected the agent that was created, got None"))
}

/// Appends a record at the end of the log.
pub(super) async fn appended(
    store: &dyn Store,
    agent: &AgentKey,
    at: u64,
    record: &str,
) -> Verdict {
    let asked = format!("append({:?}, at {at})", agent.id);
    let end = end_at(store, agent, at).await?;
    answered(&asked, store.append(agent, &end, record.to_owned()).await)
}

/// The end of a log with this many records, by its last record.
pub(super) async fn end_at(store: &dyn Store, agent: &AgentKey, at: u64) -> Result<End, String> {
    let Some(last) = at.checked_sub(1) else {
        let found = answered(&format!("find({:?})", agent.id), store.find(&agent.id).await)?;
        return Ok(End::after(0, &found.map_or_else(String::new, |found| found.definition)));
    };
    let asked = format!("read({:?}) from {last}", agent.id);
    let records = answered(&asked, store.read(agent, last, Portion::of(1)).await)?;
    Ok(End::after(at, records.first().map_or("", String::as_str)))
}

/// Stores a snapshot.
pub(super) async fn kept(
    store: &dyn Store,
    agent: &AgentKey,
    sequence: u64,
    body: &str,
) -> Verdict {
    let asked = format!("put_snapshot({:?}, of {sequence} records)", agent.id);
    answered(&asked, store.put_snapshot(agent, snapshot(sequence, body)).await)
}

/// Compares the whole log of an agent.
pub(super) async fn log_is(store: &dyn Store, agent: &AgentKey, expected: &[&str]) -> Verdict {
    let asked = format!("read({:?}) from the beginning", agent.id);
    same(&asked, &store.read(agent, 0, Portion::of(100)).await, &Ok(texts(expected)))
}

/// Compares the snapshot of an agent.
pub(super) async fn snapshot_is(
    store: &dyn Store,
    agent: &AgentKey,
    expected: Option<StoredSnapshot>,
) -> Verdict {
    same(&format!("snapshot({:?})", agent.id), &store.snapshot(agent).await, &Ok(expected))
}

pub(super) fn label_of(id: &str) -> String {
    format!("label of {id}")
}

pub(super) fn definition_of(id: &str) -> String {
    format!("definition of {id}")
}

pub(super) fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|&text| text.to_owned()).collect()
}

pub(super) fn snapshot(sequence: u64, body: &str) -> StoredSnapshot {
    StoredSnapshot { sequence, body: body.to_owned() }
}

pub(super) fn missing(id: &str) -> StoreError {
    StoreError::NoSuchAgent { id: id.to_owned() }
}

/// The key of an agent that never existed.
pub(super) fn nobody(id: &str) -> AgentKey {
    AgentKey { id: id.to_owned(), number: 1 << 40 }
}

fn shown(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
