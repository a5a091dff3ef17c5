//! The loop of one trajectory: ask the agent for a leg, execute it, let the agent hear of it.

use super::meter::Meter;
use super::walk::{Block, Walk};
use super::{InitRecord, Observer, RunError, RunPlan, RunRecord, Window};
use crate::agent::{Agent, Leg, Phase};
use crate::graph::NodeId;
use crate::random::{Seed, Stream, label};
use crate::world::World;

/// More visits than anybody can wait for.
const LONGEST_LEG: u64 = 1 << 53;

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

/// A trajectory that ends with a whole leg.
struct WholeLegs {
    /// What its first `T` steps cost.
    first: RunRecord,
    /// Its visits, initialization left out.
    blocks: Vec<Block>,
    /// Its steps beyond `T`.
    overshoot: u64,
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
            walk: Walk::new(world, seed, plan),
            stream: seed.child(label::AGENT).stream(),
            leg: Leg::default(),
        }
    }

    pub(super) fn run(mut self) -> Result<RunRecord, RunError> {
        match self.plan.window {
            Window::First => {
                let init = self.initialize();
                self.run_first(init)
            }
            Window::Last => {
                let whole = self.run_whole_legs()?;
                Ok(self.measure_last(&whole))
            }
        }
    }

    fn initialize(&mut self) -> InitRecord {
        self.walk.initialize(self.plan, |now, visit| self.agent.observe(now, visit))
    }

    /// Exactly `T` steps, the last leg cut.
    fn run_first(mut self, init: InitRecord) -> Result<RunRecord, RunError> {
        let mut meter = Meter::new(self.world, self.plan, &self.walk.estimates);
        let mut left = self.plan.steps;
        while left > 0 {
            self.next_leg()?;
            let destination = self.leg.destination(self.walk.at);
            meter.leg(destination);
            let entered = self.leg.path.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            left -= entered as u64;
            for i in 0..entered {
                self.visit(self.leg.path[i], 1, &mut meter);
            }
            let stay = self.leg.stay.min(left);
            left -= stay;
            if stay > 0 {
                self.visit(destination, stay, &mut meter);
            }
        }
        Ok(meter.record(init, 0))
    }

    #[inline]
    fn visit(&mut self, node: NodeId, times: u64, meter: &mut Meter<'_>) {
        let visit = self.walk.visit_measured(node, times, meter, self.observer);
        self.agent.observe(&self.walk.situation(), &visit);
    }

    /// Both windows of one trajectory.
    pub(super) fn run_both(mut self) -> Result<(RunRecord, RunRecord), RunError> {
        let whole = self.run_whole_legs()?;
        let last =
            if whole.overshoot == 0 { whole.first.clone() } else { self.measure_last(&whole) };
        Ok((whole.first, last))
    }

    /// Whole legs until `T` steps are made or passed.
    fn run_whole_legs(&mut self) -> Result<WholeLegs, RunError> {
        let init = self.initialize();
        let mut meter = Meter::new(self.world, self.plan, &self.walk.estimates);
        let mut blocks = Vec::new();
        let mut made = 0;
        while made < self.plan.steps {
            self.next_leg()?;
            if self.leg.visits() > LONGEST_LEG {
                return Err(RunError::EndlessLeg { visits: self.leg.visits() });
            }
            meter.leg(self.leg.destination(self.walk.at));
            for block in Block::of_leg(self.walk.at, &self.leg) {
                blocks.push(block);
                made += block.times;
                let visit = self.walk.visit_measured(block.node, block.times, &mut meter, &mut ());
                self.agent.observe(&self.walk.situation(), &visit);
            }
        }
        let overshoot = made - self.plan.steps;
        Ok(WholeLegs { first: meter.record(init, 0), blocks, overshoot })
    }

    /// Where the last window starts is known only after the run: walks the same way again, on the
    /// same tape, and measures all but the first steps, as many as the run overshot.
    fn measure_last(self, whole: &WholeLegs) -> RunRecord {
        let mut walk = Walk::new(self.world, self.seed, self.plan);
        walk.initialize(self.plan, |_, _| {});
        let mut skip = whole.overshoot;
        let mut destination = self.plan.start;
        let mut meter = None;
        for block in &whole.blocks {
            destination = block.begins_leg_to.unwrap_or(destination);
            let before = block.times.min(skip);
            if before > 0 {
                walk.visit(block.node, before, Phase::Learn);
                skip -= before;
            }
            if before == block.times {
                continue;
            }
            // A leg counts when it has a visit in the window, so the one under way does.
            let begins = meter.is_none() || block.begins_leg_to.is_some();
            let meter =
                meter.get_or_insert_with(|| Meter::new(self.world, self.plan, &walk.estimates));
            if begins {
                meter.leg(destination);
            }
            walk.visit_measured(block.node, block.times - before, meter, self.observer);
        }
        let meter = meter.unwrap_or_else(|| Meter::new(self.world, self.plan, &walk.estimates));
        meter.record(whole.first.init, whole.overshoot)
    }

    fn next_leg(&mut self) -> Result<(), RunError> {
        self.agent.next_leg(&self.walk.situation(), &mut self.stream, &mut self.leg);
        self.walk.check(&self.leg)?;
        self.observer.leg(self.walk.at, &self.leg, &self.walk.estimates);
        Ok(())
    }
}
