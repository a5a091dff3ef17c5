//! Agents as a store knows them.

use super::End;

/// An agent as a store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its name.
    pub id: String,
    /// Its number, which no other agent of the store ever had or will have.
    pub number: u64,
    /// Its definition.
    pub definition: String,
    /// How many records its log has.
    pub end: u64,
}

impl Stored {
    /// The key of this agent.
    pub fn key(&self) -> AgentKey {
        AgentKey { id: self.id.clone(), number: self.number }
    }
}

/// An agent in a list, without its definition, which is as large as its graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSummary {
    /// Its name.
    pub id: String,
    /// Its label: the one it was created with, or the last that came with a record.
    pub label: String,
    /// How many records its log has.
    pub end: u64,
}

/// Identifies an agent. After a deletion another agent may get the name, but never the number. So a client
/// that remembers the old agent cannot write to the new one, or take it for the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKey {
    /// Its name, for errors.
    pub id: String,
    /// Its number.
    pub number: u64,
}

/// The end of the log of the agent that has a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The number of the agent that has the name now.
    pub number: u64,
    /// Where its log ends.
    pub end: End,
}

/// The state after the first `sequence` records of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// How many records it covers.
    pub sequence: u64,
    /// The state.
    pub body: String,
}
