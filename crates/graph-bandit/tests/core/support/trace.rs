//! An observer that records every leg of a run, and the estimates when the first began.

use graph_bandit::{Estimates, Event, Leg, NodeId, Observer, Phase, Situation};

/// The agent's own legs, as an observer of a run sees them.
#[derive(Debug, Default)]
pub(crate) struct Trace {
    pub(crate) legs: Vec<(NodeId, Leg)>,
    /// The visits made of each leg: fewer than planned if the agent cut it.
    made: Vec<u64>,
    /// Whether the agent cut the last leg.
    pub(crate) ends_cut: bool,
    pub(crate) before_first_leg: Option<Estimates>,
}

impl Trace {
    /// The nodes visited, leg by leg; the last leg is complete even if the run ends before it does.
    pub(crate) fn visits_by_leg(&self) -> Vec<Vec<NodeId>> {
        let last = self.legs.len().saturating_sub(1);
        let is_whole = |m| m == last && !self.ends_cut;
        let made = |m: usize| if is_whole(m) { usize::MAX } else { self.made[m] as usize };
        let legs = self.legs.iter().enumerate();
        legs.map(|(m, (at, leg))| leg.nodes(*at).take(made(m)).collect()).collect()
    }
}

impl Observer for Trace {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Planned { leg, phase: Phase::Learn } => {
                self.before_first_leg.get_or_insert_with(|| now.estimates.clone());
                self.legs.push((now.at, leg.clone()));
                self.made.push(0);
            }
            Event::Visited(visit) if visit.phase == Phase::Learn => {
                if let Some(made) = self.made.last_mut() {
                    *made += visit.sample.count;
                }
            }
            _ => {}
        }
    }
}
