//! One walk directed from outside.

use graph_bandit::run::{OnRoads, RoadsOfRun};
use graph_bandit::{
    Agent, Clock, Course, Event, Field, Init, Leg, LegError, NodeId, Observer, Payer, Raised, Seed,
    Setting, Situation, Stream, Time, Trajectory, World,
};
use graph_bandit_lab::{LabError, Study as LabStudy};
use std::sync::Arc;

/// A walker that is directed from outside.
#[derive(Clone)]
pub(crate) struct Directed;

impl Agent for Directed {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        _leg: &mut Leg,
    ) -> Result<(), Raised> {
        Err(Raised::new("this walker is directed from outside and cannot plan"))
    }
}

/// The state of one walk.
#[derive(Clone)]
pub(crate) struct Walk {
    payer: OnRoads<Arc<World>>,
    roads: RoadsOfRun<Arc<World>>,
    pub(crate) trajectory: Trajectory<Directed>,
    pub(crate) regret: f64,
    /// If roads close or means change: for how many units of time regret counts the best node within reach.
    units: u64,
    /// Whether time ran out during a move.
    is_cut: bool,
}

/// The outcome of one step.
#[derive(Clone, Copy, Default)]
pub(crate) struct Step {
    pub(crate) node: NodeId,
    pub(crate) reward: f64,
    pub(crate) is_over: bool,
    pub(crate) is_illegal: bool,
    pub(crate) regret: f64,
    pub(crate) time: f64,
}

/// The last reward.
#[derive(Default)]
struct Paid(f64);

impl Observer for Paid {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        if let Event::Visited(visit) = event {
            self.0 = visit.sample.sum;
        }
    }
}

impl Walk {
    pub(crate) fn new(study: &LabStudy, run: u64) -> Result<Self, LabError> {
        let seed = study.run_seed(run);
        let world = Arc::new(study.world(run)?);
        let roads = RoadsOfRun::new(Arc::clone(&world), seed);
        let mut payer = OnRoads::new(world, seed, study.plan.tape);
        // There is no initialization, so the moments of changing means begin at once.
        payer.begin(Time::START);
        let field = Field::new(Arc::clone(&study.graph));
        let setting =
            Setting { start: study.plan.start, init: Init::None, stream: Seed(0).stream() };
        let trajectory = Trajectory::new(field, Directed, setting)
            .map_err(|error| LabError::setting("start", error))?;
        Ok(Self { payer, roads, trajectory, regret: 0.0, units: 0, is_cut: false })
    }

    pub(crate) fn world(&self) -> &World {
        self.payer.world()
    }

    /// The nodes that one step along open roads leads to now, including the walker's own.
    pub(crate) fn steps(&mut self) -> Vec<NodeId> {
        let (at, now) = (self.trajectory.at(), self.clock().now());
        let Self { roads, trajectory, .. } = self;
        let is_open = |&to: &NodeId| to == at || !roads.is_closed((at, to), now);
        trajectory.field().map().neighborhood(at).iter().copied().filter(is_open).collect()
    }

    /// Goes to `to` if one step leads there, else stays; either is a visit that pays, if there is
    /// time for it. If not, the walk is over and the walker stays where it was.
    pub(crate) fn step(&mut self, to: NodeId, horizon: u64) -> Result<Step, LegError> {
        let (at, before) = (self.trajectory.at(), self.clock().now());
        let is_closed = to != at && self.roads.is_closed((at, to), before);
        let is_illegal = is_closed || !self.trajectory.graph().allows(at, to);
        let node = if is_illegal { at } else { to };
        let mapped = || self.trajectory.graph().travel(at, node).unwrap_or(0.0);
        let told = if node == at { None } else { self.payer.drive_ahead((at, node)) };
        let road = told.unwrap_or_else(mapped);
        let best = self.world().best_mean();
        let end = Time::START.after(horizon);
        let mut paid = Paid::default();
        if before.after(1).later(road) > end {
            self.is_cut = true;
            self.count(at, end, best * (end.0 - before.0));
            return Ok(self.seen(0.0, is_illegal, horizon));
        }
        self.trajectory.go(node, &mut self.payer, &mut paid)?;
        if self.counts_units() {
            self.count(node, self.clock().now(), 0.0);
            self.regret -= self.world().mean_at(node, before.later(road));
        } else {
            self.regret += self.world().gap(node);
            if road > 0.0 {
                self.regret += best * road;
            }
        }
        if self.is_over(horizon) {
            // The rest is too short for a visit and pays nothing.
            self.count(node, end, best * (end.0 - self.clock().now().0));
        }
        Ok(self.seen(paid.0, is_illegal, horizon))
    }

    /// Whether the best mean may change from one unit of time to the next.
    fn counts_units(&self) -> bool {
        self.roads.close() || self.world().course() == Course::Changing
    }

    /// Adds the best node's rewards up to a moment: if roads close or means change, the best within
    /// reach of `place` for every unit that begins by then, else `otherwise`.
    fn count(&mut self, place: NodeId, until: Time, otherwise: f64) {
        if !self.counts_units() {
            self.regret += otherwise;
            return;
        }
        while Time::START.after(self.units) < until {
            self.regret += self.roads.best_mean(place, Time::START.after(self.units));
            self.units += 1;
        }
    }

    fn seen(&self, reward: f64, is_illegal: bool, horizon: u64) -> Step {
        let (is_over, time) = (self.is_over(horizon), self.time(horizon));
        Step { node: self.trajectory.at(), reward, is_over, is_illegal, regret: self.regret, time }
    }

    fn clock(&self) -> &Clock {
        self.trajectory.walker().clock()
    }

    /// Whether no further visit can end by the horizon.
    pub(crate) fn is_over(&self, horizon: u64) -> bool {
        self.is_cut || self.clock().now().after(1) > Time::START.after(horizon)
    }

    /// The time that has passed; the whole horizon once the walk is over.
    pub(crate) fn time(&self, horizon: u64) -> f64 {
        let end = Time::START.after(horizon);
        if self.is_over(horizon) { end.0 } else { self.clock().now().0 }
    }
}
