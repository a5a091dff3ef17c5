//! Measures a walk at checkpoints, from visit counts and running totals.

use super::{InitRecord, Observer, RunPlan, RunRecord};
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::world::World;
use serde::{Deserialize, Serialize};

/// The state of a run at one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Steps since the window's start.
    pub t: u64,
    /// Cumulative expected regret: the sum of `mu* - mu(s)` over the nodes visited.
    pub regret: f64,
    /// Cumulative realized regret: `t mu*` less the rewards collected.
    pub realized_regret: f64,
    /// Rewards collected.
    pub reward: f64,
    /// Legs begun.
    pub episodes: u64,
    /// Where the current leg ends.
    pub destination: NodeId,
}

/// Counts steps and records checkpoints.
pub(super) struct Meter<'a> {
    world: &'a World,
    /// The running totals when the window began.
    base: Vec<Sample>,
    /// The checkpoints still to come.
    pending: &'a [u64],
    steps: u64,
    episodes: u64,
    destination: NodeId,
    destinations: Vec<u64>,
    recorded: Vec<Checkpoint>,
}

impl<'a> Meter<'a> {
    /// A meter whose window begins with these estimates.
    pub(super) fn new(world: &'a World, plan: &'a RunPlan, now: &Estimates) -> Self {
        Self {
            world,
            base: now.samples().to_vec(),
            pending: &plan.checkpoints,
            steps: 0,
            episodes: 0,
            destination: plan.start,
            destinations: vec![0; world.graph().len()],
            recorded: Vec::with_capacity(plan.checkpoints.len()),
        }
    }

    /// A new leg begins.
    pub(super) fn leg(&mut self, destination: NodeId) {
        self.episodes += 1;
        self.destination = destination;
        self.destinations[destination as usize] += 1;
    }

    /// How many steps may be made before the next look at the estimates.
    #[inline]
    pub(super) fn until_checkpoint(&self) -> u64 {
        self.pending.first().map_or(u64::MAX, |t| t - self.steps)
    }

    /// `steps` more have been made, not past a checkpoint.
    #[inline]
    pub(super) fn advance(&mut self, steps: u64, now: &Estimates, observer: &mut dyn Observer) {
        self.steps += steps;
        if self.pending.first() == Some(&self.steps) {
            self.pending = &self.pending[1..];
            let point = self.look(now);
            self.recorded.push(point);
            observer.checkpoint(&point, now, &self.destinations);
        }
    }

    fn look(&self, now: &Estimates) -> Checkpoint {
        let (mut regret, mut reward) = (0.0, 0.0);
        for ((total, base), gap) in now.samples().iter().zip(&self.base).zip(self.world.gaps()) {
            regret += gap * (total.count - base.count) as f64;
            reward += total.sum - base.sum;
        }
        let t = self.steps;
        Checkpoint {
            t,
            regret,
            realized_regret: t as f64 * self.world.best_mean() - reward,
            reward,
            episodes: self.episodes,
            destination: self.destination,
        }
    }

    /// All that was measured.
    pub(super) fn record(self, now: &Estimates, init: InitRecord, overshoot: u64) -> RunRecord {
        let counts = now.samples().iter().zip(&self.base);
        let visits = counts.map(|(total, base)| total.count - base.count).collect();
        RunRecord {
            init,
            checkpoints: self.recorded,
            visits,
            destinations: self.destinations,
            overshoot,
        }
    }
}
