//! How nodes look to an agent alone: the node of highest believed mean, and what a visit to the others
//! may bring.

use super::beliefs::{Beliefs, Level};
use super::changes::Changes;
use super::record::Record;
use crate::agent::Situation;
use crate::estimates::Estimates;
use crate::index::Leader;
use crate::planner::Prospects;

/// The outlook, with memory reused between plans.
pub(super) struct Outlook {
    beliefs: Beliefs,
    leader: Leader,
    known: Vec<f64>,
    changed: Vec<f64>,
    most: f64,
}

impl Outlook {
    /// The outlook by these beliefs.
    pub(super) fn new(beliefs: Beliefs) -> Self {
        let (known, changed) = (Vec::new(), Vec::new());
        Self { beliefs, leader: Leader::default(), known, changed, most: 0.0 }
    }

    /// Looks at all nodes.
    pub(super) fn look(&mut self, now: &Situation<'_>, records: &[Record], changes: &Changes) {
        self.beliefs.form((now.estimates, now.clock.now()), records, changes);
        let estimates = self.beliefs.estimates();
        self.leader = Leader::find(&Situation { estimates, ..*now });
        let level = Level { value: self.leader.mean, multiple: 1.0 };
        let chances = self.beliefs.chances(level);
        self.most = self.beliefs.most_above(level);
        self.known.clear();
        self.changed.clear();
        for node in now.graph.nodes() {
            let is_rival = node != self.leader.node && estimates.count(node) > 0;
            self.known.push(if is_rival { self.beliefs.known(node, level) } else { 0.0 });
            self.changed.push(if is_rival { self.beliefs.changed(node, &chances) } else { 0.0 });
        }
    }

    /// The believed means, with the rewards that count.
    pub(super) fn believed(&self) -> &Estimates {
        self.beliefs.estimates()
    }

    /// The node of highest believed mean, and what the others may bring.
    pub(super) fn prospects(&self) -> (Leader, Prospects<'_>) {
        let prospects = Prospects {
            known: &self.known,
            changed: &self.changed,
            most: self.most,
            horizon: self.beliefs.lasts(),
        };
        (self.leader, prospects)
    }
}
