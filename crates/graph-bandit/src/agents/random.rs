//! Random: each step goes to a random neighbour or stays.

use crate::agent::{Agent, Footing, Situation};
use crate::leg::Leg;
use crate::raised::Raised;
use crate::random::Stream;
use crate::spec::{AgentEntry, Dash, Look, Origin, Standing};

/// The random walk: every step goes to a neighbour or stays, all with equal probability.
///
/// On two-way edges, its long-run time on node `s` is proportional to the number of neighbours of
/// `s`, itself included.
#[derive(Debug, Clone, Copy, Default)]
pub struct RandomWalk;

impl Agent for RandomWalk {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let around = now.graph.neighborhood(now.at);
        leg.visit_once(now.at, around[stream.below(around.len() as u64) as usize]);
        Ok(())
    }

    fn footing(&self) -> Footing {
        Footing::AnyGraph
    }
}

pub(super) static RANDOM: AgentEntry = AgentEntry {
    name: "random",
    summary: "Random: each step to a neighbour or to the same node, all equally likely",
    about: "The random walk. At every step it goes to one of its neighbours or stays where it is, \
            each with the same probability, whatever the nodes pay. Its regret grows in \
            proportion to time. An agent that does no better has learned nothing.",
    origin: Origin::Baseline,
    standing: Standing::Recommended,
    look: Some(Look { slot: 14, dash: Dash::Dotted }),
    parameters: &[],
    program: "",
    noise_scale: |_values| None,
    build: |_values, _graph| Ok(Box::new(RandomWalk)),
};
