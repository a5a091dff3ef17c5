//! Measures a trajectory at checkpoints, from visit counts and running totals.

use super::regret::Accounting;
use super::{InitRecord, RunPlan, RunRecord};
use crate::agent::{Situation, Visit};
use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::trajectory::{Event, Observer};
use crate::world::World;
use serde::{Deserialize, Serialize};

/// The state of a run at one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint {
    /// Steps since the start of the window; units of time if roads take time.
    pub t: u64,
    /// Cumulative expected regret: `t mu*` minus the means of the visits that have ended. If roads
    /// take no time, this is the sum of `mu* - mu(s)` over the nodes visited.
    pub regret: f64,
    /// Cumulative realized regret: `t mu*` minus the rewards collected.
    pub realized_regret: f64,
    /// Rewards collected.
    pub reward: f64,
    /// Legs begun.
    pub legs: u64,
    /// Where the current leg ends.
    pub destination: NodeId,
}

impl Checkpoint {
    /// The same state, with regret measured against one who has collected `value` by then.
    fn against(self, value: f64) -> Self {
        let best = self.realized_regret + self.reward;
        let expected = best - self.regret;
        Self { regret: value - expected, realized_regret: value - self.reward, ..self }
    }
}

/// Counts steps and records checkpoints.
pub(super) struct Meter<'a> {
    world: &'a World,
    accounting: Accounting,
    /// The totals when the window began.
    base: Vec<Sample>,
    /// The checkpoints still to come.
    pending: &'a [u64],
    /// The end of the window; no steps are made beyond it.
    horizon: u64,
    /// The step of the next event: a checkpoint or the horizon.
    next_look: u64,
    /// The number of steps until then.
    look_in: u64,
    legs: u64,
    destination: NodeId,
    destinations: Vec<u64>,
    recorded: Vec<Checkpoint>,
    /// Visits per node, once the window has ended.
    visits: Vec<u64>,
    /// What regret is measured against at each checkpoint, if not the best mean of every moment.
    compared: Option<Vec<f64>>,
}

impl<'a> Meter<'a> {
    /// A meter whose window begins with these estimates; the moments of the laws begin at the
    /// origin.
    pub(super) fn new(world: &'a World, plan: &'a RunPlan, now: &Estimates, origin: Time) -> Self {
        let mut meter = Self {
            world,
            accounting: Accounting::of(world, origin),
            base: now.samples().to_vec(),
            pending: &plan.checkpoints,
            horizon: plan.steps,
            next_look: 0,
            look_in: 0,
            legs: 0,
            destination: plan.start,
            destinations: vec![0; world.graph().len()],
            recorded: Vec::with_capacity(plan.checkpoints.len()),
            visits: vec![0; world.graph().len()],
            compared: None,
        };
        meter.aim();
        meter
    }

    /// Sets the next checkpoint or the horizon as the target.
    fn aim(&mut self) {
        let now = self.next_look;
        self.next_look = self.pending.first().copied().unwrap_or(self.horizon);
        self.look_in = self.next_look - now;
    }

    /// Records that a leg to `destination` is under way.
    #[inline]
    pub(super) fn leg(&mut self, destination: NodeId) {
        self.legs += 1;
        self.destination = destination;
        self.destinations[destination as usize] += 1;
    }

    #[inline]
    fn visited(&mut self, now: &Situation<'_>, visit: &Visit) {
        let steps = visit.sample.count;
        self.accounting.enter(self.world, (visit.node, steps), now.clock.now());
        self.look_in -= steps;
        if self.look_in == 0 {
            self.look_and_aim(now.estimates);
        }
    }

    #[cold]
    fn look_and_aim(&mut self, now: &Estimates) {
        if let Some((_, later)) = self.pending.split_first() {
            self.pending = later;
            let point = self.look(now, self.next_look);
            self.recorded.push(point);
        }
        if self.next_look == self.horizon {
            self.end(now);
        }
        self.aim();
    }

    /// Ends the window.
    pub(super) fn end(&mut self, now: &Estimates) {
        self.visits = self.counts(now).collect();
    }

    /// The next checkpoint.
    pub(super) fn next_checkpoint(&self) -> Option<u64> {
        self.pending.first().copied()
    }

    /// Records the state at the next checkpoint.
    pub(super) fn record_point(&mut self, point: Checkpoint) {
        self.pending = &self.pending[1..];
        self.recorded.push(point);
    }

    /// Visits per node in the window so far.
    pub(super) fn counts<'b>(&'b self, now: &'b Estimates) -> impl Iterator<Item = u64> + 'b {
        now.samples().iter().zip(&self.base).map(|(total, base)| total.count - base.count)
    }

    /// The state at step `t`.
    pub(super) fn look(&self, now: &Estimates, t: u64) -> Checkpoint {
        let account = self.accounting.look(self.world, t, self.counts(now));
        let sums = now.samples().iter().zip(&self.base);
        let reward = sums.fold(0.0, |reward, (total, base)| reward + (total.sum - base.sum));
        Checkpoint {
            t,
            regret: account.regret,
            realized_regret: account.best - reward,
            reward,
            legs: self.legs,
            destination: self.destination,
        }
    }

    /// Measures regret against these values, one per checkpoint.
    pub(super) fn compare(&mut self, values: Vec<f64>) {
        self.compared = Some(values);
    }

    /// Everything measured.
    pub(super) fn record(self, init: InitRecord, overshoot: u64) -> RunRecord {
        let checkpoints = match self.compared {
            None => self.recorded,
            Some(values) => {
                let points = self.recorded.into_iter().zip(values);
                points.map(|(point, value)| point.against(value)).collect()
            }
        };
        RunRecord {
            init,
            checkpoints,
            visits: self.visits,
            destinations: self.destinations,
            overshoot,
        }
    }
}

impl Observer for Meter<'_> {
    #[inline]
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Planned { leg, .. } => self.leg(leg.destination(now.at)),
            Event::Visited(visit) => self.visited(now, visit),
            Event::SetOut { .. } | Event::Arrived | Event::Covered | Event::Ended => {}
        }
    }

    #[inline]
    fn patience(&self) -> u64 {
        self.look_in
    }
}
