//! An observer that writes down every leg of a run, and what was known when the first began.

use graph_bandit::{Estimates, Event, Leg, NodeId, Observer, Phase, Situation};

/// What a run lets an observer hear of the agent's own legs.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) legs: Vec<(NodeId, Leg)>,
    pub(crate) before_first_leg: Option<Estimates>,
}

impl Trace {
    /// The nodes visited, leg by leg; the last leg is whole even where the run cuts it.
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
