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
    /// Where the window ends; what is made beyond is not measured.
    horizon: u64,
    steps: u64,
    episodes: u64,
    destination: NodeId,
    destinations: Vec<u64>,
    recorded: Vec<Checkpoint>,
    /// Visits per node, once the window has ended.
    visits: Vec<u64>,
}

impl<'a> Meter<'a> {
    /// A meter whose window begins with these estimates.
    pub(super) fn new(world: &'a World, plan: &'a RunPlan, now: &Estimates) -> Self {
        Self {
            world,
            base: now.samples().to_vec(),
            pending: &plan.checkpoints,
            horizon: plan.steps,
            steps: 0,
            episodes: 0,
            destination: plan.start,
            destinations: vec![0; world.graph().len()],
            recorded: Vec::with_capacity(plan.checkpoints.len()),
            visits: vec![0; world.graph().len()],
        }
    }

    /// A new leg begins.
    pub(super) fn leg(&mut self, destination: NodeId) {
        if self.steps == self.horizon {
            return;
        }
        self.episodes += 1;
        self.destination = destination;
        self.destinations[destination as usize] += 1;
    }

    /// How many steps may be made before the next look at the estimates.
    #[inline]
    pub(super) fn until_look(&self) -> u64 {
        let next = self.pending.first().copied().unwrap_or(self.horizon);
        // Beyond the window there is nothing to look at.
        next.checked_sub(self.steps).filter(|&steps| steps > 0).unwrap_or(u64::MAX)
    }

    /// `steps` more have been made, not past a look.
    #[inline]
    pub(super) fn advance(&mut self, steps: u64, now: &Estimates, observer: &mut dyn Observer) {
        if self.steps == self.horizon {
            return;
        }
        self.steps += steps;
        if self.pending.first() == Some(&self.steps) {
            self.pending = &self.pending[1..];
            let point = self.look(now);
            self.recorded.push(point);
            observer.checkpoint(&point, now, &self.destinations);
        }
        if self.steps == self.horizon {
            let counts = now.samples().iter().zip(&self.base);
            self.visits = counts.map(|(total, base)| total.count - base.count).collect();
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
    pub(super) fn record(self, init: InitRecord, overshoot: u64) -> RunRecord {
        RunRecord {
            init,
            checkpoints: self.recorded,
            visits: self.visits,
            destinations: self.destinations,
            overshoot,
        }
    }
}
