//! A run, leg by leg: its caller decides whether to continue.

use super::changing_roads::ChangingRoads;
use super::comparator::{self, Against, Beginning};
use super::meter::Meter;
use super::regret::regret_of;
use super::road_meter::RoadMeter;
use super::{InitRecord, RegretFrom, Return, RunError, RunPlan, RunRecord};
use crate::agent::{Agent, Phase, Situation};
use crate::clock::Time;
use crate::estimates::Estimates;
use crate::field::Field;
use crate::leg::Leg;
use crate::random::{Seed, label};
use crate::trajectory::{Event, LegError, Observer, Payer, Setting, Trajectory, Walker};
use crate::world::{OnTape, Tape, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the run continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// More is left to do.
    Going,
    /// The run has ended.
    Ended,
}

/// One run of one agent, advanced leg by leg.
///
/// ```
/// use graph_bandit::run::{Run, Status};
/// use graph_bandit::{AgentSpec, Graph, Law, Preset, RunPlan, Seed, World};
/// let world = World::new(Graph::line(3)?, vec![Law::bernoulli(0.5)?; 3])?;
/// let mut agent = AgentSpec::parse("g-star", Preset::Paper)?.build(world.graph())?;
/// let plan = RunPlan::new(100, 2);
/// let mut run = Run::new(&world, &mut agent, &plan, Seed(1))?;
/// while run.step(&mut ())? == Status::Going {
///     // Stop here whenever you like.
/// }
/// assert_eq!(run.into_record().checkpoints[1].t, 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<'a>(Kind<'a>);

/// The kind of run, chosen once.
enum Kind<'a> {
    /// The map is right: as in the paper, or roads take the map's times.
    Mapped(Box<MappedRoads<'a>>),
    /// Roads close at random, or their times differ from the map.
    Changing(Box<ChangingRoads<'a>>),
}

/// A run on roads as mapped.
struct MappedRoads<'a> {
    world: &'a World,
    plan: &'a RunPlan,
    trajectory: Trajectory<&'a mut dyn Agent>,
    payer: OnTape<&'a World>,
    init: InitRecord,
    stage: Stage<'a>,
    /// Steps made in the window.
    made: u64,
}

enum Stage<'a> {
    Covering,
    /// Steps left until the window begins.
    Approaching(u64),
    Measuring(Box<Meter<'a>>),
    /// On roads, by the clock.
    MeasuringTime(Box<RoadMeter<'a>>),
}

impl<'a> Run<'a> {
    /// A run that has not begun.
    ///
    /// # Errors
    /// When the plan does not fit the graph.
    pub fn new(
        world: &'a World,
        agent: &'a mut dyn Agent,
        plan: &'a RunPlan,
        seed: Seed,
    ) -> Result<Self, RunError> {
        plan.check(world)?;
        if let Some(changes) = world.changes() {
            agent.reveal(&changes);
        }
        if world.closures().is_some() || world.travel().is_some() {
            let run = ChangingRoads::new(world, agent, plan, seed);
            return Ok(Self(Kind::Changing(Box::new(run))));
        }
        Ok(Self(Kind::Mapped(Box::new(MappedRoads::new(world, agent, plan, seed)))))
    }

    /// Advances by at most one leg: first those that cover the graph, then the agent's; the last
    /// one is cut.
    ///
    /// # Errors
    /// When the agent or a law fails, or the agent's leg is not legal.
    pub fn step<O: Observer>(&mut self, observer: &mut O) -> Result<Status, RunError> {
        self.step_while(|| false, observer)
    }

    /// Makes leg after leg while `go_on` is true after each.
    ///
    /// # Errors
    /// See [`step`](Self::step).
    pub fn step_while<O: Observer>(
        &mut self,
        go_on: impl FnMut() -> bool,
        observer: &mut O,
    ) -> Result<Status, RunError> {
        match &mut self.0 {
            Kind::Mapped(run) => run.step_while(go_on, observer),
            Kind::Changing(run) => run.step_while(go_on, observer),
        }
    }

    /// Makes leg after leg until one of `stops` is set, and records the agent's legs if wanted. It
    /// is compiled here, once, so that it is fast even if callers are not optimized.
    ///
    /// # Errors
    /// See [`step`](Self::step).
    pub fn walk_until(
        &mut self,
        stops: &[&AtomicBool],
        legs: Option<&mut Vec<Leg>>,
    ) -> Result<Status, RunError> {
        let go_on = || !stops.iter().any(|stop| stop.load(Ordering::Relaxed));
        match legs {
            None => self.step_while(go_on, &mut ()),
            Some(legs) => self.step_while(go_on, &mut Legs { legs, walked: None }),
        }
    }

    /// The totals of every node so far, initialization included.
    pub fn estimates(&self) -> &Estimates {
        match &self.0 {
            Kind::Mapped(run) => run.trajectory.estimates(),
            Kind::Changing(run) => run.estimates(),
        }
    }

    /// Runs to the end and returns the record.
    pub(super) fn finish<O: Observer>(
        mut self,
        go_on: impl FnMut() -> bool,
        observer: &mut O,
    ) -> Result<RunRecord, RunError> {
        match self.step_while(go_on, observer)? {
            Status::Going => Err(RunError::Stopped),
            Status::Ended => Ok(self.into_record()),
        }
    }

    /// The record so far.
    pub fn into_record(self) -> RunRecord {
        match self.0 {
            Kind::Mapped(run) => run.into_record(),
            Kind::Changing(run) => run.into_record(),
        }
    }
}

/// Records the agent's legs as far as the agent did not cut them.
struct Legs<'a> {
    legs: &'a mut Vec<Leg>,
    /// The visits made of the last leg, if it began here.
    walked: Option<u64>,
}

impl Observer for Legs<'_> {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Planned { leg, phase: Phase::Learn } => {
                if let (Some(walked), Some(last)) = (self.walked, self.legs.last_mut()) {
                    last.cut_after(walked);
                }
                self.legs.push(leg.clone());
                self.walked = Some(0);
            }
            Event::Visited(visit) => {
                self.walked = self.walked.map(|walked| walked + visit.sample.count);
            }
            _ => {}
        }
    }
}

impl<'a> MappedRoads<'a> {
    fn new(world: &'a World, agent: &'a mut dyn Agent, plan: &'a RunPlan, seed: Seed) -> Self {
        let stream = seed.child(label::AGENT).stream();
        let setting = Setting { start: plan.start, init: plan.init, stream };
        let field = Field::new(world.shared_graph());
        let stage = match plan.regret_from {
            RegretFrom::Cover => Stage::Covering,
            // The walker covers the graph by itself, in the window.
            RegretFrom::Start => Stage::Approaching(0),
        };
        Self {
            world,
            plan,
            trajectory: Trajectory::of(field, Walker::new(agent, setting)),
            payer: world.on_tape(&Tape::of_kind(seed, plan.tape)),
            init: InitRecord::default(),
            stage,
            made: 0,
        }
    }

    /// Makes leg after leg while `go_on` is true after each.
    fn step_while<O: Observer>(
        &mut self,
        mut go_on: impl FnMut() -> bool,
        observer: &mut O,
    ) -> Result<Status, RunError> {
        while matches!(self.stage, Stage::Covering | Stage::Approaching(_)) {
            self.step_before_window(observer)?;
            if !go_on() {
                return Ok(Status::Going);
            }
        }
        if let Stage::MeasuringTime(_) = self.stage {
            return self.step_by_time(go_on, observer);
        }
        let Stage::Measuring(meter) = &mut self.stage else { return Ok(Status::Going) };
        let mut heard = (&mut **meter, &mut *observer);
        while self.made < self.plan.steps {
            let most = self.plan.steps - self.made;
            self.made += self.trajectory.advance(most, &mut self.payer, &mut heard)?;
            if !go_on() {
                return Ok(Status::Going);
            }
        }
        let (field, walker) = self.trajectory.parts();
        observer.hear(&field.seen_from(walker.at(), &walker.clock), Event::Ended);
        Ok(Status::Ended)
    }

    /// Like [`step_while`](Self::step_while), on roads: no visit begins that would end beyond the
    /// window.
    fn step_by_time<O: Observer>(
        &mut self,
        mut go_on: impl FnMut() -> bool,
        observer: &mut O,
    ) -> Result<Status, RunError> {
        let Stage::MeasuringTime(meter) = &mut self.stage else { return Ok(Status::Going) };
        let mut heard = (&mut **meter, &mut *observer);
        loop {
            let (field, walker) = self.trajectory.parts();
            let left = heard.0.left(self.plan.steps, &walker.clock);
            // No visit takes less than one unit.
            if left >= 1.0 {
                walker.plan(field, &mut heard)?;
            }
            if walker.next_takes(field) > left {
                break;
            }
            // A road, or as much of a stay as there is time for.
            let is_stay = walker.order().path.is_empty();
            let most = if is_stay { left as u64 } else { 1 };
            self.trajectory.advance(most, &mut self.payer, &mut heard)?;
            if self.trajectory.walker().is_idle() && !go_on() {
                return Ok(Status::Going);
            }
        }
        let (field, walker) = self.trajectory.parts();
        heard.hear(&field.seen_from(walker.at(), &walker.clock), Event::Ended);
        Ok(Status::Ended)
    }

    #[cold]
    fn step_before_window<O: Observer>(&mut self, observer: &mut O) -> Result<(), RunError> {
        match self.stage {
            Stage::Covering => Ok(self.cover(observer)?),
            Stage::Approaching(left) if left > 0 => {
                let made = self.trajectory.advance(left, &mut self.payer, observer)?;
                self.stage = Stage::Approaching(left - made);
                Ok(())
            }
            Stage::Approaching(_) if self.world.graph().roads().is_some() => {
                let begin = *self.trajectory.walker().clock();
                let seen = self.trajectory.estimates();
                let origin = self.payer.origin();
                let mut meter = RoadMeter::new((self.world, self.plan), seen, begin, origin);
                if let Some(values) = self.compared()? {
                    meter.compare(values);
                }
                self.stage = Stage::MeasuringTime(Box::new(meter));
                Ok(())
            }
            Stage::Approaching(_) | Stage::Measuring(_) | Stage::MeasuringTime(_) => {
                let seen = self.trajectory.estimates();
                let mut meter = Meter::new(self.world, self.plan, seen, self.payer.origin());
                if let Some(values) = self.compared()? {
                    meter.compare(values);
                }
                // A leg counts if it has a visit in the window, so the current one does.
                let walker = self.trajectory.walker();
                if !walker.is_idle() && self.plan.steps > 0 {
                    meter.leg(walker.order().destination());
                }
                self.stage = Stage::Measuring(Box::new(meter));
                Ok(())
            }
        }
    }

    /// What regret is measured against, if not the best mean of every moment.
    fn compared(&self) -> Result<Option<Vec<f64>>, RunError> {
        let against = self.plan.against;
        if against == Against::Free {
            return Ok(None);
        }
        let walker = self.trajectory.walker();
        let time = Time(walker.clock().now().0 - self.payer.origin().0);
        let from = Beginning { world: self.world, at: walker.at(), time };
        Ok(Some(comparator::values(against, &from, &self.plan.checkpoints)?))
    }

    fn cover<O: Observer>(&mut self, observer: &mut O) -> Result<(), LegError> {
        let (field, walker) = self.trajectory.parts();
        if walker.plan_cover(field, observer) {
            self.trajectory.advance(u64::MAX, &mut self.payer, observer)?;
            return Ok(());
        }
        match self.plan.back {
            Return::Jump => walker.be_at(self.plan.start),
            Return::Walk => {
                let mut leg = Leg::default();
                let now = field.seen_from(walker.at(), &walker.clock);
                walker.cover.way_to(&now, self.plan.start, &mut leg);
                if leg.visits() > 0 {
                    walker.follow(field, leg, observer);
                    walker.advance(field, u64::MAX, &mut self.payer, observer)?;
                }
            }
        }
        walker.end_cover(field, observer);
        self.payer.begin(walker.clock.now());
        let seen = field.estimates();
        let travel = walker.clock.travel();
        let regret =
            regret_of(seen.samples(), self.world) + travel * self.world.best_mean().max(0.0);
        self.init = InitRecord { steps: seen.visits(), regret, travel };
        self.stage = Stage::Approaching(self.plan.skip);
        Ok(())
    }

    /// The record so far.
    fn into_record(self) -> RunRecord {
        let (meter, overshoot) = match self.stage {
            Stage::Measuring(meter) => (*meter, self.trajectory.walker().order().visits()),
            Stage::MeasuringTime(meter) => {
                (meter.meter(), self.trajectory.walker().order().visits())
            }
            Stage::Covering | Stage::Approaching(_) => {
                let (seen, origin) = (self.trajectory.estimates(), self.payer.origin());
                (Meter::new(self.world, self.plan, seen, origin), 0)
            }
        };
        meter.record(self.init, overshoot)
    }
}
