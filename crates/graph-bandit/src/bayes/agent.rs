//! The Bayes-optimal policy as an agent, for runs that count from the start.

use super::error::BayesError;
use super::optimum::BayesOptimum;
use super::problem::Seen;
use crate::agent::{Agent, Situation};
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::raised::Raised;
use crate::random::Stream;
use std::sync::Arc;

/// Follows a Bayes-optimal policy whose moves are all kept ([`Keep::All`](super::Keep::All)).
///
/// Run it on the graph and from the start that the policy was computed for, with
/// [`Init::None`](crate::Init::None) and [`RegretFrom::Start`](crate::RegretFrom::Start). With another
/// initialization it does the best that is possible after that.
#[derive(Debug, Clone)]
pub struct BayesOptimal {
    policy: Arc<BayesOptimum>,
}

impl BayesOptimal {
    /// An agent that follows `policy`.
    pub fn new(policy: Arc<BayesOptimum>) -> Self {
        Self { policy }
    }

    /// The rewards of every node so far.
    fn since(now: &Situation<'_>) -> Result<Vec<Seen>, BayesError> {
        let samples = now.estimates.samples().iter().enumerate();
        let seen = samples.map(|(node, sample)| {
            let (sum, visits) = (sample.sum, sample.count);
            // Ones equal their squares.
            if sum.fract() != 0.0 || sum != sample.sum_of_squares || sum < 0.0 {
                return Err(BayesError::NotBernoulli { node: node as NodeId, sum, visits });
            }
            let ones = sum as u32;
            Ok(Seen { ones, zeros: (visits as u32).saturating_sub(ones) })
        });
        seen.collect()
    }
}

impl Agent for BayesOptimal {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let since = Self::since(now)?;
        let (at, visits) = (now.at, now.estimates.visits());
        let next = self.policy.next(at, now.clock.travel(), &since);
        let next = next.ok_or(BayesError::NotPlanned {
            steps: self.policy.steps(),
            start: self.policy.start(),
            at,
            visits,
        })?;
        leg.path.clear();
        leg.path.extend((next != at).then_some(next));
        leg.stay = u64::from(next == at);
        Ok(())
    }
}
