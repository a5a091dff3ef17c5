//! The loop of one trajectory: ask the agent for a leg, execute it, let the agent hear of it.

use super::meter::Meter;
use super::walk::{Block, Walk};
use super::{InitRecord, Observer, RunError, RunPlan, RunRecord, Window};
use crate::agent::{Agent, Leg, Phase};
use crate::random::{Seed, Stream, label};
use crate::world::World;

/// Everything that takes part in one run.
pub(super) struct Runner<'a> {
    world: &'a World,
    agent: &'a mut dyn Agent,
    plan: &'a RunPlan,
    seed: Seed,
    observer: &'a mut dyn Observer,
    walk: Walk<'a>,
    stream: Stream,
    leg: Leg,
}

impl<'a> Runner<'a> {
    pub(super) fn new(
        world: &'a World,
        agent: &'a mut dyn Agent,
        plan: &'a RunPlan,
        seed: Seed,
        observer: &'a mut dyn Observer,
    ) -> Self {
        Self {
            world,
            agent,
            plan,
            seed,
            observer,
            walk: Walk::new(world, seed, plan.start),
            stream: seed.child(label::AGENT).stream(),
            leg: Leg::default(),
        }
    }

    pub(super) fn run(mut self) -> Result<RunRecord, RunError> {
        let init = self.walk.initialize(self.plan, |now, visit| self.agent.observe(now, visit));
        match self.plan.window {
            Window::First => self.run_first(init),
            Window::Last => self.run_last(init),
        }
    }

    /// Exactly `T` steps, the last leg cut.
    fn run_first(mut self, init: InitRecord) -> Result<RunRecord, RunError> {
        let mut meter = Meter::new(self.world, self.plan, &self.walk.estimates);
        let mut left = self.plan.steps;
        while left > 0 {
            self.next_leg()?;
            meter.leg(self.leg.destination(self.walk.at));
            for block in Block::of_leg(self.walk.at, &self.leg) {
                let times = block.times.min(left);
                if times == 0 {
                    break;
                }
                left -= times;
                let visit = self.walk.visit_measured(block.node, times, &mut meter, self.observer);
                self.agent.observe(&self.walk.situation(), &visit);
            }
        }
        Ok(meter.record(&self.walk.estimates, init, 0))
    }

    /// Whole legs until `T` steps are made or passed; then the last `T` are measured.
    fn run_last(mut self, init: InitRecord) -> Result<RunRecord, RunError> {
        let mut trajectory = Vec::new();
        let mut made = 0;
        while made < self.plan.steps {
            self.next_leg()?;
            for block in Block::of_leg(self.walk.at, &self.leg) {
                trajectory.push(block);
                made += block.times;
                let visit = self.walk.visit(block.node, block.times, Phase::Learn);
                self.agent.observe(&self.walk.situation(), &visit);
            }
        }
        let overshoot = made - self.plan.steps;
        Ok(self.measure_last(&trajectory, init, overshoot))
    }

    /// Where the window starts is known only after the run: walks the same way again, on the same
    /// tape, and measures all but the first `overshoot` steps.
    fn measure_last(self, trajectory: &[Block], init: InitRecord, overshoot: u64) -> RunRecord {
        let mut walk = Walk::new(self.world, self.seed, self.plan.start);
        walk.initialize(self.plan, |_, _| {});
        let mut skip = overshoot;
        let mut meter = None;
        for block in trajectory {
            let before = block.times.min(skip);
            if before > 0 {
                walk.visit(block.node, before, Phase::Learn);
                skip -= before;
            }
            if skip > 0 {
                continue;
            }
            let meter =
                meter.get_or_insert_with(|| Meter::new(self.world, self.plan, &walk.estimates));
            if let Some(destination) = block.begins_leg_to {
                meter.leg(destination);
            }
            walk.visit_measured(block.node, block.times - before, meter, self.observer);
        }
        meter.unwrap_or_else(|| Meter::new(self.world, self.plan, &walk.estimates)).record(
            &walk.estimates,
            init,
            overshoot,
        )
    }

    fn next_leg(&mut self) -> Result<(), RunError> {
        self.agent.next_leg(&self.walk.situation(), &mut self.stream, &mut self.leg);
        self.walk.check(&self.leg)?;
        self.observer.leg(self.walk.at, &self.leg, &self.walk.estimates);
        Ok(())
    }
}
