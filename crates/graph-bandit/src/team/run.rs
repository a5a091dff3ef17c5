//! One run of a team: regret against the best static allocation, at checkpoints.

use super::account::Earned;
use super::agent::TeamAgent;
use super::best_static::BestStaticError;
use super::executor::{Team, TeamError};
use super::observer::TeamObserver;
use super::over_time::{AtOneMoment, EarnedOverTime, moment};
use super::post::Post;
use super::setup::{SetupError, TeamSetup};
use crate::clock::Time;
use crate::estimates::{Estimates, MAX_VISITS};
use crate::exact::exact;
use crate::random::{Seed, label};
use crate::reward::Course;
use crate::run::{Checkpoint, InitRecord, RegretFrom, RunRecord, Status};
use crate::trajectory::Payer;
use crate::world::{OnTape, Tape, TapeKind, World};
use std::sync::atomic::{AtomicBool, Ordering};
use thiserror::Error;

/// How a team runs.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamRunPlan {
    /// The number of steps that count.
    pub steps: u64,
    /// The steps to record, ascending, each from 1 to `steps`.
    pub checkpoints: Vec<u64>,
    /// The first step that counts.
    pub regret_from: RegretFrom,
    /// How rewards are drawn.
    pub tape: TapeKind,
    /// What the best static allocation earns per step, in expectation. If means change, the run finds
    /// out itself, step by step.
    pub optimum: f64,
    /// What regret is measured against at each checkpoint, if not the best static allocation of every
    /// step.
    pub against: Option<Vec<f64>>,
}

/// Why the run of a team could not start or continue.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TeamRunError {
    /// The team cannot walk this graph.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// There are more steps than can be counted exactly.
    #[error("{steps} steps of {walkers} walkers are too many; the limit is {MAX_VISITS} visits")]
    TooManySteps {
        /// The steps.
        steps: u64,
        /// The walkers.
        walkers: usize,
    },
    /// A checkpoint is out of order or out of range.
    #[error("checkpoint {t} must be above {after} and at most {steps}")]
    Checkpoint {
        /// The checkpoint.
        t: u64,
        /// The previous one, or zero.
        after: u64,
        /// The horizon.
        steps: u64,
    },
    /// Roads close at random.
    #[error(
        "teams need roads that stay open: which walkers would know of a closed road, and when, is not \
         modelled; leave closures out, or let one walker walk alone"
    )]
    RoadsClose,
    /// Drives take other times than the map says.
    #[error(
        "teams need travel times as mapped, because all walkers make the same steps; leave travel \
         noise out, or let one walker walk alone"
    )]
    TimesDiffer,
    /// Rewards are drawn as sums, and means change.
    #[error(
        "the tape of sums needs means that do not change, because a sum has one mean; use the tape \
         one-by-one"
    )]
    SumsOverTime,
    /// The best static allocation is not known.
    #[error(transparent)]
    Best(#[from] BestStaticError),
    /// A step failed.
    #[error(transparent)]
    Team(#[from] TeamError),
}

/// One run of one team.
pub struct TeamRun<'a> {
    world: &'a World,
    plan: &'a TeamRunPlan,
    team: Team<Box<dyn TeamAgent + Send>>,
    payer: AtOneMoment<OnTape<&'a World>>,
    /// If means change: what was earned so far.
    over_time: Option<Box<EarnedOverTime>>,
    /// When the moments of the laws begin.
    origin: Time,
    /// The window, once it has begun.
    window: Option<Window>,
    /// All lower nodes have a draw.
    covered: usize,
    recorded: Vec<Checkpoint>,
}

/// What had happened when the window began.
struct Window {
    step: u64,
    earned: Earned,
    /// What the best static allocation had earned.
    best: f64,
    legs: u64,
    visits: Vec<u64>,
}

impl<'a> TeamRun<'a> {
    /// A run that has not begun.
    ///
    /// # Errors
    /// When the plan or the team does not fit the world.
    pub fn new(
        world: &'a World,
        agent: Box<dyn TeamAgent + Send>,
        (setup, plan): (TeamSetup, &'a TeamRunPlan),
        seed: Seed,
    ) -> Result<Self, TeamRunError> {
        if world.closures().is_some() {
            return Err(TeamRunError::RoadsClose);
        }
        if world.travel().is_some() {
            return Err(TeamRunError::TimesDiffer);
        }
        if plan.tape == TapeKind::Sums && world.timetable().is_some() {
            return Err(TeamRunError::SumsOverTime);
        }
        let (steps, walkers) = (plan.steps, setup.walkers());
        if steps.saturating_mul(2 * walkers as u64) > MAX_VISITS {
            return Err(TeamRunError::TooManySteps { steps, walkers });
        }
        let mut after = 0;
        for &t in &plan.checkpoints {
            if t <= after || t > steps {
                return Err(TeamRunError::Checkpoint { t, after, steps });
            }
            after = t;
        }
        let tape = world.on_tape(&Tape::of_kind(seed, plan.tape));
        let tape = if agent.reads_squares() { tape } else { tape.without_squares() };
        let origin = tape.origin();
        let is_changing = world.course() == Course::Changing;
        let over_time = is_changing.then(|| Box::new(EarnedOverTime::new(world, &setup)));
        let stream = seed.child(label::AGENT).stream();
        let team = Team::new(world.shared_graph(), agent, setup, stream)?;
        let mut run = Self {
            world,
            plan,
            team,
            payer: AtOneMoment::new(tape, is_changing),
            over_time,
            origin,
            window: None,
            covered: 0,
            recorded: Vec::with_capacity(plan.checkpoints.len()),
        };
        if plan.regret_from == RegretFrom::Start {
            run.begin();
        }
        Ok(run)
    }

    /// Begins the window; moments that count from its beginning begin, too.
    fn begin(&mut self) {
        if self.world.timetable().is_some() {
            self.origin = moment(self.team.step(), Time::START);
            self.payer.begin(self.origin);
        }
        let (earned, best) = self.earned();
        self.window = Some(Window {
            step: self.team.step(),
            earned,
            best,
            legs: self.team.legs_begun(),
            visits: self.team.steps_by_node().collect(),
        });
    }

    /// What the team and the best static allocation have earned.
    fn earned(&self) -> (Earned, f64) {
        let earned = self.team.earned(self.world.means());
        match &self.over_time {
            None => (earned, exact(self.team.step()) * self.plan.optimum),
            Some(over_time) => {
                let totals = over_time.totals();
                (Earned { expected: totals.expected, ..earned }, totals.best)
            }
        }
    }

    /// Makes at most this many steps, but not past a change of means.
    fn advance<O: TeamObserver>(
        &mut self,
        most: u64,
        observer: &mut O,
    ) -> Result<(), TeamRunError> {
        let Some(over_time) = &mut self.over_time else {
            self.team.advance_far(most, &mut self.payer, observer)?;
            return Ok(());
        };
        let now = moment(self.team.step(), self.origin);
        let most = most.min(over_time.steady_steps(self.world, now)?);
        let made = self.team.advance_watched(most, &mut self.payer, observer)?;
        over_time.pass(self.world, (self.team.posts(), made), now)?;
        Ok(())
    }

    /// Begins the window if every node has a draw.
    fn begin_if_covered(&mut self) {
        let samples = &self.team.estimates().samples()[self.covered..];
        self.covered += samples.iter().take_while(|sample| sample.count > 0).count();
        if self.covered == self.world.graph().len() {
            self.begin();
        }
    }

    /// Makes step after step until the end, or until one of `stops` is set.
    ///
    /// # Errors
    /// When the agent or a law fails, or a leg is not legal.
    pub fn walk_until(&mut self, stops: &[&AtomicBool]) -> Result<Status, TeamRunError> {
        self.walk(stops, &mut ())
    }

    /// As [`walk_until`](Self::walk_until), with somebody who watches. Watching changes nothing.
    ///
    /// # Errors
    /// As [`walk_until`](Self::walk_until).
    pub fn walk_watched(
        &mut self,
        stops: &[&AtomicBool],
        mut observer: &mut dyn TeamObserver,
    ) -> Result<Status, TeamRunError> {
        self.walk(stops, &mut observer)
    }

    fn walk<O: TeamObserver>(
        &mut self,
        stops: &[&AtomicBool],
        observer: &mut O,
    ) -> Result<Status, TeamRunError> {
        loop {
            if stops.iter().any(|stop| stop.load(Ordering::Relaxed)) {
                return Ok(Status::Going);
            }
            let Some(window) = &self.window else {
                // Stays may be long; the window begins at the first step after the last cover.
                self.advance(1, observer)?;
                self.begin_if_covered();
                continue;
            };
            let made = self.team.step() - window.step;
            let next = self.plan.checkpoints.get(self.recorded.len()).copied();
            let until = next.unwrap_or(self.plan.steps);
            if made == until {
                match next {
                    Some(t) => self.record(t),
                    None => return Ok(Status::Ended),
                }
                continue;
            }
            self.advance(until - made, observer)?;
        }
    }

    /// Records the state at step `t` of the window.
    fn record(&mut self, t: u64) {
        let Some(window) = &self.window else { return };
        let (now, best) = self.earned();
        let usual = match &self.over_time {
            None => exact(t) * self.plan.optimum,
            Some(_) => best - window.best,
        };
        let against = self.plan.against.as_ref();
        let best = against.and_then(|values| values.get(self.recorded.len()).copied());
        let best = best.unwrap_or(usual);
        let reward = now.reward - window.earned.reward;
        self.recorded.push(Checkpoint {
            t,
            regret: best - (now.expected - window.earned.expected),
            realized_regret: best - reward,
            reward,
            legs: self.team.legs_begun() - window.legs,
            destination: self.team.posts().first().map_or(0, Post::destination),
        });
    }

    /// All draws so far.
    pub fn estimates(&self) -> &Estimates {
        self.team.estimates()
    }

    /// The team.
    pub fn team(&self) -> &Team<Box<dyn TeamAgent + Send>> {
        &self.team
    }

    /// The record so far.
    pub fn into_record(self) -> RunRecord {
        let nodes = self.world.graph().len();
        let (init, before) = match self.window {
            Some(window) if self.plan.regret_from == RegretFrom::Cover => {
                let regret = window.best - window.earned.expected;
                (InitRecord { steps: window.step, regret, travel: 0.0 }, window.visits)
            }
            Some(window) => (InitRecord::default(), window.visits),
            None => (InitRecord::default(), vec![0; nodes]),
        };
        let visits = self.team.steps_by_node().zip(before).map(|(now, before)| now - before);
        let mut destinations = vec![0; nodes];
        for post in self.team.posts() {
            destinations[post.destination() as usize] += 1;
        }
        RunRecord {
            init,
            checkpoints: self.recorded,
            visits: visits.collect(),
            destinations,
            overshoot: 0,
        }
    }
}
