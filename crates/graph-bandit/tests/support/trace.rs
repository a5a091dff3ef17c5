//! An observer that writes down every leg of a run, and what was known when the first began.

use graph_bandit::{Checkpoint, Estimates, Leg, NodeId, Observer};

/// All that a run lets an observer hear.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) legs: Vec<(NodeId, Leg)>,
    pub(crate) before_first_leg: Option<Estimates>,
    pub(crate) checkpoints: Vec<Checkpoint>,
}

impl Trace {
    /// The nodes visited, leg by leg; the last leg is whole even where the run cuts it.
    pub(crate) fn visits_by_leg(&self) -> Vec<Vec<NodeId>> {
        let visits = |(at, leg): &(NodeId, Leg)| {
            let mut nodes = leg.path.clone();
            nodes.extend((0..leg.stay).map(|_| leg.destination(*at)));
            nodes
        };
        self.legs.iter().map(visits).collect()
    }
}

impl Observer for Trace {
    fn leg(&mut self, at: NodeId, leg: &Leg, estimates: &Estimates) {
        self.before_first_leg.get_or_insert_with(|| estimates.clone());
        self.legs.push((at, leg.clone()));
    }

    fn checkpoint(&mut self, point: &Checkpoint, _: &Estimates, _: &[u64]) {
        self.checkpoints.push(*point);
    }
}
