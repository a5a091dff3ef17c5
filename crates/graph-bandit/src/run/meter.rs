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
    /// The step of the next look: a checkpoint, or the horizon.
    next_look: u64,
    /// How many steps there are until then; without end once the window has ended.
    look_in: u64,
    /// Whether the window has.
    ended: bool,
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
        let mut meter = Self {
            world,
            base: now.samples().to_vec(),
            pending: &plan.checkpoints,
            horizon: plan.steps,
            next_look: 0,
            look_in: 0,
            ended: false,
            episodes: 0,
            destination: plan.start,
            destinations: vec![0; world.graph().len()],
            recorded: Vec::with_capacity(plan.checkpoints.len()),
            visits: vec![0; world.graph().len()],
        };
        meter.aim();
        meter
    }

    /// Sets out for the next look.
    fn aim(&mut self) {
        let now = self.next_look;
        self.ended = now == self.horizon;
        self.next_look = self.pending.first().copied().unwrap_or(self.horizon);
        self.look_in = if self.ended { u64::MAX } else { self.next_look - now };
    }

    /// A new leg begins.
    #[inline]
    pub(super) fn leg(&mut self, destination: NodeId) {
        if self.ended {
            return;
        }
        self.episodes += 1;
        self.destination = destination;
        self.destinations[destination as usize] += 1;
    }

    /// How many steps may be made before the next look at the estimates.
    #[inline]
    pub(super) fn until_look(&self) -> u64 {
        self.look_in
    }

    /// `steps` more have been made, not past a look.
    #[inline]
    pub(super) fn advance(&mut self, steps: u64, now: &Estimates, observer: &mut dyn Observer) {
        self.look_in -= steps;
        if self.look_in == 0 {
            self.look_and_aim(now, observer);
        }
    }

    #[cold]
    fn look_and_aim(&mut self, now: &Estimates, observer: &mut dyn Observer) {
        if let Some((_, later)) = self.pending.split_first() {
            self.pending = later;
            let point = self.look(now);
            self.recorded.push(point);
            observer.checkpoint(&point, now, &self.destinations);
        }
        if self.next_look == self.horizon {
            let counts = now.samples().iter().zip(&self.base);
            self.visits = counts.map(|(total, base)| total.count - base.count).collect();
        }
        self.aim();
    }

    fn look(&self, now: &Estimates) -> Checkpoint {
        let (mut regret, mut reward) = (0.0, 0.0);
        for ((total, base), gap) in now.samples().iter().zip(&self.base).zip(self.world.gaps()) {
            regret += gap * (total.count - base.count) as f64;
            reward += total.sum - base.sum;
        }
        let t = self.next_look;
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
