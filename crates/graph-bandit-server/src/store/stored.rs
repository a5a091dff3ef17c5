//! An agent as a store knows it.

use super::End;

/// An agent as a store knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its name.
    pub id: String,
    /// Its number, which no other agent of the store ever bore or will bear.
    pub number: u64,
    /// What it was created as.
    pub definition: String,
    /// How many records its log has.
    pub end: u64,
}

impl Stored {
    /// Which agent this is.
    pub fn key(&self) -> AgentKey {
        AgentKey { id: self.id.clone(), number: self.number }
    }
}

/// An agent as it is listed: without its definition, which is as large as its graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSummary {
    /// Its name.
    pub id: String,
    /// What it was labelled when it was created.
    pub label: String,
    /// How many records its log has.
    pub end: u64,
}

/// Which agent is meant. After a deletion a name may be given to another one, a number never is;
/// so nobody who remembers the old agent can write to the new one, or take it for the old one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AgentKey {
    /// Its name, for errors.
    pub id: String,
    /// Its number.
    pub number: u64,
}

/// How far the agent of a name has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tip {
    /// The number of the agent that bears the name now.
    pub number: u64,
    /// Where its log ends.
    pub end: End,
}

/// What the first `sequence` records of a log come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSnapshot {
    /// How many records it stands for.
    pub sequence: u64,
    /// What they come to.
    pub body: String,
}
