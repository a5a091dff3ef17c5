//! The contents of a store, as text.

use crate::number::{counted, with_commas};
use crate::table::{left_table, table};
use graph_bandit_server::upkeep::{Damage, StoreStats, Verified};

pub(super) fn verified(verified: &Verified) -> String {
    let Verified { agents, records, file, damaged, unfinished } = verified;
    let (agents, records) = (counted(*agents, "agent"), counted(*records, "record"));
    let in_order = format!("in order: {agents} with {records}\n");
    let file = file.iter().map(|finding| format!("the file: {finding}\n"));
    let damaged = damaged
        .iter()
        .map(|Damage { agent, reason }| format!("agent {agent} is damaged: {reason}\n"));
    let unfinished = unfinished.iter().map(|agent| {
        format!(
            "agent {agent} was not imported completely and is not served; import it again, or send DELETE \
             /v1/agents/~import:{agent} to the service\n"
        )
    });
    std::iter::once(in_order).chain(file).chain(damaged).chain(unfinished).collect()
}

pub(super) fn stats(stats: &StoreStats) -> String {
    let bytes = |bytes: u64| format!("{} bytes", with_commas(bytes));
    let mut rows = vec![
        ["store".to_owned(), format!("{}, tables of version {}", stats.kind, stats.tables)],
        ["agents".to_owned(), with_commas(stats.agents)],
        ["records".to_owned(), with_commas(stats.records)],
        ["snapshots".to_owned(), with_commas(stats.snapshots)],
        ["deleted, not yet removed".to_owned(), with_commas(stats.deleted_and_not_removed)],
        ["size".to_owned(), bytes(stats.bytes)],
    ];
    if let Some(free) = stats.free_bytes {
        rows.push(["free in it".to_owned(), bytes(free)]);
    }
    if let Some(ahead) = stats.write_ahead_bytes {
        rows.push(["write-ahead file".to_owned(), bytes(ahead)]);
    }
    let facts = left_table(&rows);
    if stats.largest_logs.is_empty() {
        return facts;
    }
    let logs = stats.largest_logs.iter();
    let logs: Vec<_> = logs.map(|log| vec![log.agent.clone(), with_commas(log.records)]).collect();
    format!("{facts}\n{}", table(&["longest logs", "records"], &logs))
}
