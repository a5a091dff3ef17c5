//! One run: a trajectory, a world that pays and a horizon; regret at checkpoints without storing
//! every step.
//!
//! Regret is counted over exactly `T` steps (units of time, on roads) after initialization and any
//! skipped steps; the last leg is cut there. Checkpoints are computed from visit counts and running
//! totals, so none depends on where the others are.

mod changing_roads;
pub mod comparator;
mod meter;
mod on_roads;
mod reach;
mod regret;
mod road_meter;
mod roads_of_run;
mod stepper;

pub use comparator::{Against, ComparatorError};
pub use meter::Checkpoint;
pub use on_roads::OnRoads;
pub use roads_of_run::RoadsOfRun;
pub use stepper::{Run, Status};

use crate::agent::Agent;
use crate::cover::Init;
use crate::estimates::MAX_VISITS;
use crate::graph::NodeId;
use crate::raised::Raised;
use crate::random::Seed;
use crate::trajectory::{ChangeError, LegError, Observer};
use crate::world::{TapeKind, World};
use serde::{Deserialize, Serialize};
use thiserror::Error;

crate::named! {
    /// How the agent gets from the end of initialization to its start.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub enum Return {
        /// It jumps there.
        ///
        /// It collects nothing on the way, as in the paper and its program.
        #[default]
        Jump = "jump",
        /// It walks there.
        ///
        /// The steps belong to initialization.
        Walk = "walk",
    }
}

crate::named! {
    /// The first step that counts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub enum RegretFrom {
        /// The first step after initialization.
        ///
        /// As in the paper.
        #[default]
        Cover = "cover",
        /// The first step of initialization.
        ///
        /// Steps, checkpoints and regret all count from there. Nobody jumps back to the start after
        /// initialization.
        Start = "start",
    }
}

/// How to run.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPlan {
    /// `T`, the number of steps that count; units of time if roads take time.
    pub steps: u64,
    /// Where the agent starts.
    pub start: NodeId,
    /// How initialization covers the graph.
    pub init: Init,
    /// How the agent gets back to its start after initialization.
    pub back: Return,
    /// The first step that counts.
    pub regret_from: RegretFrom,
    /// Steps made after initialization and before the `T` that count; they are not measured.
    pub skip: u64,
    /// How rewards are drawn.
    pub tape: TapeKind,
    /// What regret is measured against.
    pub against: Against,
    /// The steps to record, ascending, each from 1 to `steps`.
    pub checkpoints: Vec<u64>,
}

impl RunPlan {
    /// `steps` steps from node 0 by the paper's rules, recorded at `floor(steps k / count)` for k =
    /// 1 to `count`.
    pub fn new(steps: u64, count: u64) -> Self {
        Self {
            steps,
            start: 0,
            init: Init::default(),
            back: Return::default(),
            regret_from: RegretFrom::default(),
            skip: 0,
            tape: TapeKind::default(),
            against: Against::default(),
            checkpoints: evenly_spaced(steps, count),
        }
    }

    fn check(&self, world: &World) -> Result<(), RunError> {
        let nodes = world.graph().len();
        if self.start as usize >= nodes {
            return Err(RunError::StartOutside { start: self.start, last: nodes as NodeId - 1 });
        }
        let made = self.steps.saturating_add(self.skip);
        if made > MAX_VISITS {
            return Err(RunError::TooManySteps { steps: made });
        }
        let roads_change = world.closures().is_some() || world.travel().is_some();
        if self.skip > 0 && (roads_change || world.graph().roads().is_some()) {
            return Err(RunError::SkipsOnRoads { skip: self.skip });
        }
        if self.regret_from == RegretFrom::Start {
            if roads_change || world.timetable().is_some() {
                return Err(RunError::ChangesFromStart);
            }
            if self.skip > 0 {
                return Err(RunError::SkipsFromStart { skip: self.skip });
            }
        }
        if self.tape == TapeKind::Sums && world.timetable().is_some() {
            return Err(RunError::SumsOverTime);
        }
        if self.against != Against::Free && roads_change {
            return Err(ComparatorError::RoadsChange { against: self.against }.into());
        }
        let mut after = 0;
        for &t in &self.checkpoints {
            if t <= after || t > self.steps {
                return Err(RunError::Checkpoint { t, after, steps: self.steps });
            }
            after = t;
        }
        Ok(())
    }
}

/// `floor(steps k / count)` for k = 1 to `count`, without zero and without repeats.
pub fn evenly_spaced(steps: u64, count: u64) -> Vec<u64> {
    // More checkpoints than steps means every step; so at most `steps` are computed.
    let count = count.min(steps);
    let at = |k: u64| (u128::from(steps) * u128::from(k) / u128::from(count)) as u64;
    (1..=count).map(at).collect()
}

/// Why a run could not start or continue.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The start is not a node.
    #[error("start {start} is outside the graph; the nodes are 0 to {last}")]
    StartOutside {
        /// The start given.
        start: NodeId,
        /// The highest node number.
        last: NodeId,
    },
    /// There are more steps than can be counted exactly.
    #[error("{steps} steps are too many; the limit is {MAX_VISITS}")]
    TooManySteps {
        /// The steps given, including skipped ones.
        steps: u64,
    },
    /// Steps are skipped on roads.
    #[error(
        "steps cannot be skipped if roads run one way, take time or close; give 0 instead of {skip}"
    )]
    SkipsOnRoads {
        /// The number of skipped steps.
        skip: u64,
    },
    /// Regret counts from the start, and means or roads change.
    #[error(
        "regret from the start needs means and roads that do not change, because changes count \
         from the end of initialization; count regret from the end of initialization (regret-from `cover`)"
    )]
    ChangesFromStart,
    /// Regret counts from the start, and steps are skipped.
    #[error("regret from the start skips no steps; give 0 instead of {skip}")]
    SkipsFromStart {
        /// The number of skipped steps.
        skip: u64,
    },
    /// Rewards are drawn as sums, and means change.
    #[error(
        "the tape of sums needs means that do not change, because a sum has one mean; use the tape \
         one-by-one"
    )]
    SumsOverTime,
    /// The comparator of regret cannot be computed.
    #[error(transparent)]
    Against(#[from] ComparatorError),
    /// The agent cut one of its own legs, and a window of complete legs was asked for.
    #[error(
        "the agent cut one of its own legs, so its run has no window of complete legs; use the \
         window of the first steps"
    )]
    CutLegs,
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
    /// A road closed that the agent cannot do without.
    #[error(transparent)]
    Closed(#[from] ChangeError),
    /// The caller stopped the run.
    #[error("the run was stopped by its caller")]
    Stopped,
    /// The agent or a law failed, or the agent's leg was not legal.
    #[error(transparent)]
    Leg(#[from] LegError),
}

impl RunError {
    /// The error of your own agent or law, unchanged; any other error stays itself.
    pub fn into_raised(self) -> Raised {
        match self {
            Self::Leg(LegError::Agent(raised) | LegError::Payer(raised)) => raised,
            other => other.into(),
        }
    }
}

/// The cost of initialization.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct InitRecord {
    /// The number of steps.
    pub steps: u64,
    /// Expected regret of these steps, not part of the run's regret.
    pub regret: f64,
    /// Time spent on roads, beyond these steps.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub travel: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_zero(time: &f64) -> bool {
    *time == 0.0
}

/// The record of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The cost of initialization.
    pub init: InitRecord,
    /// The state at each checkpoint.
    pub checkpoints: Vec<Checkpoint>,
    /// Visits per node in the steps that count.
    pub visits: Vec<u64>,
    /// Legs per destination in the steps that count.
    pub destinations: Vec<u64>,
    /// Visits left in the last leg when the run ended.
    pub overshoot: u64,
}

/// Runs `agent` in `world` on the tape of `seed`.
///
/// # Errors
/// When the plan does not fit the graph, the agent or a law fails, or a leg is not legal.
pub fn run(
    world: &World,
    agent: &mut dyn Agent,
    plan: &RunPlan,
    seed: Seed,
) -> Result<RunRecord, RunError> {
    run_observed(world, agent, plan, seed, &mut ())
}

/// Like [`run`], with an observer.
///
/// # Errors
/// See [`run`].
pub fn run_observed<O: Observer>(
    world: &World,
    agent: &mut dyn Agent,
    plan: &RunPlan,
    seed: Seed,
    observer: &mut O,
) -> Result<RunRecord, RunError> {
    run_while(|| true, (world, agent, plan, seed), observer)
}

/// Like [`run_observed`], while `go_on` is true after each leg.
///
/// # Errors
/// See [`run`]; also [`RunError::Stopped`].
pub fn run_while<O: Observer>(
    go_on: impl FnMut() -> bool,
    (world, agent, plan, seed): (&World, &mut dyn Agent, &RunPlan, Seed),
    observer: &mut O,
) -> Result<RunRecord, RunError> {
    Run::new(world, agent, plan, seed)?.finish(go_on, observer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AgentSpec, Graph, Law, Preset, RewardSpec};

    /// Skipped steps are still made: the rest equals a run that measures them all.
    #[test]
    fn skipped_steps_are_made_and_not_measured() {
        let means: Vec<f64> = (0..20).map(|s| f64::from(s * 7 % 20)).collect();
        let laws = "uniform:0.5".parse::<RewardSpec>().unwrap().laws(&means).unwrap();
        let world = World::new(Graph::line(20).unwrap(), laws).unwrap();
        for spec in AgentSpec::all(Preset::Paper) {
            if spec.build(world.graph()).is_err() {
                continue;
            }
            let record = |steps, skip| {
                let mut agent = spec.build(world.graph()).unwrap();
                agent.reveal(&[]);
                let plan = RunPlan { skip, ..RunPlan::new(steps, 9) };
                run(&world, agent.as_mut(), &plan, Seed(5)).unwrap()
            };
            let (before, rest, whole) = (record(500, 0), record(277, 500), record(777, 0));
            let visits = before.visits.iter().zip(&rest.visits).map(|(a, b)| a + b);
            assert_eq!(visits.collect::<Vec<u64>>(), whole.visits, "{spec}");
            assert_eq!((rest.init, rest.overshoot), (whole.init, whole.overshoot), "{spec}");
            // The rest of a leg that was cut, and the next one from there.
            let cut = record(500 + before.overshoot, 0);
            assert_eq!(cut.overshoot, 0, "{spec}");
            assert_eq!(cut.checkpoints[8].legs, before.checkpoints[8].legs, "{spec}");
        }
    }

    #[test]
    fn more_steps_than_can_be_counted_are_refused() {
        let world =
            World::new(Graph::line(2).unwrap(), vec![Law::constant(1.0).unwrap(); 2]).unwrap();
        let run = |steps| {
            let mut agent = AgentSpec::parse("g-ucb", Preset::Paper).unwrap().build(world.graph());
            let tape = TapeKind::Sums;
            let plan = RunPlan { tape, ..RunPlan::new(steps, 2) };
            run(&world, agent.as_mut().unwrap().as_mut(), &plan, Seed(1))
        };
        assert_eq!(run(MAX_VISITS).unwrap().visits.iter().sum::<u64>(), MAX_VISITS);
        let steps = MAX_VISITS + 1;
        assert_eq!(run(steps), Err(RunError::TooManySteps { steps }));
        let mut agent = AgentSpec::parse("g-ucb", Preset::Paper).unwrap().build(world.graph());
        let plan = RunPlan { skip: MAX_VISITS, ..RunPlan::new(1, 1) };
        let refused = super::run(&world, agent.as_mut().unwrap().as_mut(), &plan, Seed(1));
        assert_eq!(refused, Err(RunError::TooManySteps { steps }));
    }

    #[test]
    fn checkpoints_are_floors() {
        assert_eq!(evenly_spaced(10, 4), [2, 5, 7, 10]);
        assert_eq!(evenly_spaced(3, 20), [1, 2, 3]);
        assert_eq!(evenly_spaced(0, 20), [0_u64; 0]);
        assert_eq!(evenly_spaced(u64::MAX, 2), [u64::MAX / 2, u64::MAX]);
    }
}
