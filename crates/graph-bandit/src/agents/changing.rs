//! The shared part of the agents for rewards that change: everything but what they remember.

use super::parameters::{
    CHANGES, CHANGING_HORIZON, GAUSSIAN_NOISE, NO_GROWTH, PER_HOP, UNIT_REWARDS,
};
use super::{Episodic, Exploration, Forgetful};
use crate::agent::Agent;
use crate::divergence::Divergence;
use crate::forgetting::Recollection;
use crate::graph::Graph;
use crate::index::{Horizon, Index, RewardFamily};
use crate::planner::ShortestPath;
use crate::schedule::Amortized;
use crate::spec::{Number, Values};
use crate::tuning::{Formula, Tuned, Tuning};

/// The parameters of rewards, tuning and schedule.
#[derive(Clone, Copy)]
pub(super) struct Changing<'a> {
    values: Values<'a>,
    pub(super) nodes: usize,
    pub(super) divergence: Divergence,
}

impl<'a> Changing<'a> {
    pub(super) fn of(values: Values<'a>, graph: &Graph) -> Self {
        let divergence = match values.get(&UNIT_REWARDS) {
            RewardFamily::Bernoulli => Divergence::Bernoulli,
            RewardFamily::Gaussian => Divergence::gaussian(values.get(&GAUSSIAN_NOISE)),
        };
        Self { values, nodes: graph.len(), divergence }
    }

    /// The declared noise scale; `rewards=bernoulli` ignores it.
    pub(super) fn declared_noise(values: Values<'_>) -> Option<f64> {
        let is_gaussian = values.get(&UNIT_REWARDS) == RewardFamily::Gaussian;
        is_gaussian.then(|| values.get(&GAUSSIAN_NOISE))
    }

    /// The range of rewards that detectors assume: 1, or twice the noise scale.
    pub(super) fn unit(&self) -> f64 {
        match self.divergence {
            Divergence::Bernoulli => 1.0,
            Divergence::Gaussian { variance } => 2.0 * variance.sqrt(),
        }
    }

    /// The value of a parameter, or what follows from changes and horizon if it is zero.
    pub(super) fn tuned(&self, parameter: &Number, formula: Formula) -> Tuned {
        let given = self.values.get(parameter);
        if given > 0.0 { Tuned::Fixed(given) } else { self.by(formula) }
    }

    /// What follows from changes and horizon.
    pub(super) fn by(&self, formula: Formula) -> Tuned {
        let horizon = Horizon::of_parameter(self.values.get(&CHANGING_HORIZON));
        let changes = self.values.get(&CHANGES);
        Tuned::By(Tuning { changes, horizon, nodes: self.nodes }, formula)
    }

    /// The index with the planner of the paper and stays that pay for the trip.
    pub(super) fn parts<I: Index>(&self, index: I) -> Episodic<I, ShortestPath, Amortized> {
        let (growth, per_hop) = (self.values.get(&NO_GROWTH), self.values.get(&PER_HOP));
        let schedule = Amortized { growth, per_hop };
        Episodic { index, planner: ShortestPath::default(), schedule }
    }

    /// An agent with this recollection and index.
    pub(super) fn agent<R, I>(
        &self,
        recollection: R,
        index: I,
        exploration: Exploration,
    ) -> Box<dyn Agent + Send>
    where
        R: Recollection + Send + 'static,
        I: Index + Send + 'static,
    {
        Box::new(Forgetful::new(recollection, self.parts(index)).exploring(exploration))
    }
}
