//! An observer that records every leg of a run, and the estimates when the first began.

use graph_bandit::{Estimates, Event, Leg, NodeId, Observer, Phase, Situation};

/// The agent's own legs, as an observer of a run sees them.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) legs: Vec<(NodeId, Leg)>,
    pub(crate) before_first_leg: Option<Estimates>,
}

impl Trace {
    /// The nodes visited, leg by leg; the last leg is complete even if the run cuts it.
    pub(crate) fn visits_by_leg(&self) -> Vec<Vec<NodeId>> {
        self.legs.iter().map(|(at, leg)| leg.nodes(*at).collect()).collect()
    }
}

impl Observer for Trace {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        if let Event::Planned { leg, phase: Phase::Learn } = event {
            self.before_first_leg.get_or_insert_with(|| now.estimates.clone());
            self.legs.push((now.at, leg.clone()));
        }
    }
}
