//! One run of a team: regret against the best static allocation, at checkpoints.

use super::account::Earned;
use super::agent::TeamAgent;
use super::executor::{Team, TeamError};
use super::observer::TeamObserver;
use super::post::Post;
use super::setup::{SetupError, TeamSetup};
use crate::estimates::{Estimates, MAX_VISITS};
use crate::exact::exact;
use crate::random::{Seed, label};
use crate::run::{Checkpoint, InitRecord, RegretFrom, RunRecord, Status};
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
    /// What the best static allocation earns per step, in expectation.
    pub optimum: f64,
    /// What regret is measured against at each checkpoint, if not the best static allocation.
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
    /// Means or roads change.
    #[error("teams need means that do not change and roads as mapped")]
    WorldChanges,
    /// A step failed.
    #[error(transparent)]
    Team(#[from] TeamError),
}

/// One run of one team.
pub struct TeamRun<'a> {
    world: &'a World,
    plan: &'a TeamRunPlan,
    team: Team<Box<dyn TeamAgent + Send>>,
    payer: OnTape<&'a World>,
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
        let changes = world.closures().is_some() || world.travel().is_some();
        if changes || world.timetable().is_some() {
            return Err(TeamRunError::WorldChanges);
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
        let payer = if agent.reads_squares() { tape } else { tape.without_squares() };
        let stream = seed.child(label::AGENT).stream();
        let team = Team::new(world.shared_graph(), agent, setup, stream)?;
        let mut run = Self {
            world,
            plan,
            team,
            payer,
            window: None,
            covered: 0,
            recorded: Vec::with_capacity(plan.checkpoints.len()),
        };
        if plan.regret_from == RegretFrom::Start {
            run.begin();
        }
        Ok(run)
    }

    /// Begins the window.
    fn begin(&mut self) {
        self.window = Some(Window {
            step: self.team.step(),
            earned: self.team.earned(self.world.means()),
            legs: self.team.legs_begun(),
            visits: self.team.steps_by_node().collect(),
        });
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
                self.team.advance_watched(1, &mut self.payer, observer)?;
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
            self.team.advance_watched(until - made, &mut self.payer, observer)?;
        }
    }

    /// Records the state at step `t` of the window.
    fn record(&mut self, t: u64) {
        let Some(window) = &self.window else { return };
        let now = self.team.earned(self.world.means());
        let usual = exact(t) * self.plan.optimum;
        let against = self.plan.against.as_ref();
        let best = against.and_then(|values| values.get(self.recorded.len()).copied());
        let best = best.unwrap_or(usual);
        let reward = now.reward - window.earned.reward;
        self.recorded.push(Checkpoint {
            t,
            regret: best - (now.expected - window.earned.expected),
            realized_regret: best - reward,
            reward,
            episodes: self.team.legs_begun() - window.legs,
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
                let best = exact(window.step) * self.plan.optimum;
                let regret = best - window.earned.expected;
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
