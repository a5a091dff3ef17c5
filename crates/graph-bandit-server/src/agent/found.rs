//! The changes that an agent found: the newest ones, and how many there were.

use graph_bandit::NodeId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most changes that are kept; when there are more, the oldest go.
pub const MOST_CHANGES: usize = 256;

/// A change that an agent found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FoundChange {
    /// How many visits the agent itself had made when it found the change. The last of them was to this node.
    pub visits: u64,
    /// The node whose rewards showed the change.
    pub node: NodeId,
}

/// The changes that an agent found.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoundChanges {
    count: u64,
    newest: Vec<FoundChange>,
}

impl FoundChanges {
    /// Adds the next one.
    pub fn push(&mut self, change: FoundChange) {
        self.count += 1;
        if self.newest.len() >= MOST_CHANGES {
            self.newest.remove(0);
        }
        self.newest.push(change);
    }

    /// How many were found.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The newest ones, the oldest of them first.
    pub fn newest(&self) -> &[FoundChange] {
        &self.newest
    }

    /// Whether none was found.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Whether an agent can have found them if it made this many visits on a graph of this many nodes.
    pub fn fit(&self, visits: u64, nodes: usize) -> bool {
        let kept = self.newest.len() as u64;
        let ordered = self.newest.is_sorted_by(|a, b| a.visits < b.visits);
        let exist = self
            .newest
            .iter()
            .all(|change| (1..=visits).contains(&change.visits) && (change.node as usize) < nodes);
        kept == self.count.min(MOST_CHANGES as u64) && self.count <= visits && ordered && exist
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_bounded_and_the_newest_stay() {
        let mut found = FoundChanges::default();
        assert!(found.is_empty() && found.fit(0, 1));
        for k in 1..=1_000 {
            found.push(FoundChange { visits: 3 * k, node: (k % 7) as NodeId });
            assert!(found.fit(3 * k, 7) && !found.fit(3 * k - 1, 7), "{k}");
        }
        assert_eq!((found.count(), found.newest().len()), (1_000, MOST_CHANGES));
        assert_eq!(found.newest()[0], FoundChange { visits: 3 * 745, node: 745 % 7 });
        let again: FoundChanges =
            serde_json::from_str(&serde_json::to_string(&found).unwrap()).unwrap();
        assert_eq!(again, found);
        assert!(!found.fit(3_000, 6));
        found.newest.swap(0, 1);
        assert!(!found.fit(3_000, 7));
        found.newest.swap(0, 1);
        found.count = 100;
        assert!(!found.fit(3_000, 7));
    }
}
