//! A run on roads that close at random or whose times differ from the map.
//!
//! The walker sees the roads that begin or end where it stands whenever it is about to plan or to
//! set out. That is as good as watching them all the time: given a road's current state, its past
//! says nothing about its future. When it sees a change, it plans again. A road that is closed for
//! good leaves the graph. A road that reopens stays in the graph and takes longer by its expected
//! wait, so that the cheapest path chooses between waiting and a detour. A walker whose path enters
//! a closed road stays for a visit and decides again. If a road closes while the walker is on it,
//! the walker drives on.

use super::meter::Meter;
use super::on_roads::OnRoads;
use super::reach::Reach;
use super::regret::regret_of;
use super::road_meter::RoadMeter;
use super::{InitRecord, Return, RunError, RunPlan, RunRecord, Status};
use crate::agent::Agent;
use crate::closures::RoadStates;
use crate::confined::Confined;
use crate::estimates::Estimates;
use crate::field::Field;
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::random::{Seed, label};
use crate::sightings::Sightings;
use crate::trajectory::{Event, Observer, Payer, Setting, Trajectory, Walker};
use crate::world::World;

pub(super) struct ChangingRoads<'a> {
    world: &'a World,
    plan: &'a RunPlan,
    seed: Seed,
    trajectory: Trajectory<Confined<&'a mut dyn Agent>>,
    payer: OnRoads<&'a World>,
    sightings: Option<Sightings>,
    init: InitRecord,
    stage: Stage<'a>,
}

enum Stage<'a> {
    Covering,
    /// On the way back to the start.
    Returning,
    Measuring(Box<RoadMeter<'a>>),
}

/// What the walker did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Progress {
    Moved,
    /// There is nothing left to do, or no time to do it.
    Stopped,
}

impl<'a> ChangingRoads<'a> {
    /// A run that has not begun; the plan must fit the world.
    pub(super) fn new(
        world: &'a World,
        agent: &'a mut dyn Agent,
        plan: &'a RunPlan,
        seed: Seed,
    ) -> Self {
        let stream = seed.child(label::AGENT).stream();
        let setting = Setting { start: plan.start, init: plan.init, stream };
        let mut field = Field::new(world.shared_graph());
        field.ensure_roads();
        let states = |closures| RoadStates::new(world.graph(), closures, seed);
        Self {
            world,
            plan,
            seed,
            trajectory: Trajectory::of(field, Walker::new(Confined::new(agent), setting)),
            payer: OnRoads::new(world, seed, plan.tape),
            sightings: world.closures().map(states).map(Sightings::new),
            init: InitRecord::default(),
            stage: Stage::Covering,
        }
    }

    /// Makes leg after leg while `go_on` is true after each.
    pub(super) fn step_while<O: Observer>(
        &mut self,
        mut go_on: impl FnMut() -> bool,
        observer: &mut O,
    ) -> Result<Status, RunError> {
        loop {
            let made = match std::mem::replace(&mut self.stage, Stage::Covering) {
                Stage::Covering => self.cover(observer)?,
                Stage::Returning => self.return_to_start(observer)?,
                Stage::Measuring(mut meter) => {
                    let left = meter.left(self.plan.steps, self.trajectory.walker().clock());
                    let mut heard = (&mut *meter, &mut *observer);
                    let made = self.step_within(left, &mut heard);
                    if matches!(made, Ok(Progress::Stopped)) {
                        let (field, walker) = self.trajectory.parts();
                        heard.hear(&field.seen_from(walker.at(), &walker.clock), Event::Ended);
                    }
                    self.stage = Stage::Measuring(meter);
                    if made? == Progress::Stopped {
                        return Ok(Status::Ended);
                    }
                    Progress::Moved
                }
            };
            let is_between_legs = self.trajectory.walker().is_idle();
            if made == Progress::Moved && is_between_legs && !go_on() {
                return Ok(Status::Going);
            }
        }
    }

    /// Makes a step of the cover walk through the reachable nodes; then the way back begins.
    fn cover<O: Observer>(&mut self, observer: &mut O) -> Result<Progress, RunError> {
        self.stage = Stage::Covering;
        self.look()?;
        let (field, walker) = self.trajectory.parts();
        if walker.is_idle() && !walker.plan_cover(field, observer) {
            self.stage = Stage::Returning;
            return Ok(Progress::Stopped);
        }
        self.walk(None, observer)
    }

    /// Makes a step of the way back to the start; then the window begins.
    fn return_to_start<O: Observer>(&mut self, observer: &mut O) -> Result<Progress, RunError> {
        self.stage = Stage::Returning;
        let start = self.plan.start;
        if self.plan.back == Return::Walk && self.trajectory.at() != start {
            self.look()?;
            let (field, walker) = self.trajectory.parts();
            if walker.is_idle() && field.graph().within_reach(walker.at()).contains(&start) {
                let mut leg = Leg::default();
                let now = field.seen_from(walker.at(), &walker.clock);
                walker.cover.way_to(&now, start, &mut leg);
                walker.follow(field, leg, observer);
            }
            if !self.trajectory.walker().is_idle() {
                return self.walk(None, observer);
            }
        }
        self.begin_window(observer);
        Ok(Progress::Stopped)
    }

    fn begin_window<O: Observer>(&mut self, observer: &mut O) {
        let (field, walker) = self.trajectory.parts();
        if self.plan.back == Return::Jump {
            walker.be_at(self.plan.start);
        }
        walker.end_cover(field, observer);
        self.payer.begin(walker.clock.now());
        if !field.graph().is_connected() {
            // From its start, the walker may reach unvisited nodes that were out of reach before.
            walker.cover_again();
        }
        let (seen, begin, at) = (field.estimates(), *walker.clock(), walker.at());
        let travel = begin.travel();
        let regret =
            regret_of(seen.samples(), self.world) + travel * self.world.best_mean().max(0.0);
        self.init = InitRecord { steps: seen.visits(), regret, travel };
        let closures = self.world.closures();
        let states = closures.map(|all| RoadStates::new(self.world.graph(), all, self.seed));
        let reach = states.map(|states| Reach::new(self.world, states));
        let origin = self.payer.origin();
        let meter = RoadMeter::new((self.world, self.plan), seen, begin, origin);
        self.stage = Stage::Measuring(Box::new(meter.against(reach, at)));
    }

    /// Makes a step of the agent's own, unless its visit would not end within the time `left`.
    fn step_within<O: Observer>(
        &mut self,
        left: f64,
        observer: &mut O,
    ) -> Result<Progress, RunError> {
        // No visit takes less than one unit.
        if left < 1.0 {
            return Ok(Progress::Stopped);
        }
        self.look()?;
        let (field, walker) = self.trajectory.parts();
        walker.plan(field, observer)?;
        self.walk(Some(left), observer)
    }

    /// Looks at the surrounding roads, unless the walker stays where it is.
    fn look(&mut self) -> Result<(), RunError> {
        let Some(sightings) = &mut self.sightings else { return Ok(()) };
        let walker = self.trajectory.walker();
        let is_staying = !walker.is_idle() && walker.order().path.is_empty();
        if !is_staying {
            sightings.look(&mut self.trajectory, self.world.graph())?;
        }
        Ok(())
    }

    /// Sets out on the next road of the leg, waits before it, or stays where the leg ends.
    fn walk<O: Observer>(
        &mut self,
        left: Option<f64>,
        observer: &mut O,
    ) -> Result<Progress, RunError> {
        let (_, walker) = self.trajectory.parts();
        let mut most = left.map_or(u64::MAX, |left| left as u64);
        if let Some(&next) = walker.order().path.first() {
            let road = (walker.at(), next);
            if self.sightings.as_ref().is_some_and(|seen| seen.is_closed(self.world.graph(), road))
            {
                walker.wait();
            } else if left.is_some_and(|left| 1.0 + self.travel_ahead(road) > left) {
                return Ok(Progress::Stopped);
            } else {
                most = 1;
            }
        }
        self.trajectory.advance(most, &mut self.payer, observer)?;
        Ok(Progress::Moved)
    }

    /// How long the road will take beyond the visit.
    fn travel_ahead(&self, road: (NodeId, NodeId)) -> f64 {
        let told = self.payer.drive_ahead(road);
        told.unwrap_or_else(|| self.trajectory.graph().travel(road.0, road.1).unwrap_or(0.0))
    }

    /// The totals of every node so far.
    pub(super) fn estimates(&self) -> &Estimates {
        self.trajectory.estimates()
    }

    /// The record so far.
    pub(super) fn into_record(self) -> RunRecord {
        match self.stage {
            Stage::Measuring(meter) => {
                meter.meter().record(self.init, self.trajectory.walker().order().visits())
            }
            Stage::Covering | Stage::Returning => {
                Meter::new(self.world, self.plan, self.trajectory.estimates(), self.payer.origin())
                    .record(self.init, 0)
            }
        }
    }
}
