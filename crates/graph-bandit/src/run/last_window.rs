//! The last `T` steps of a run that ends with a whole leg, as the authors' program counts.
//!
//! Where that window begins is known only at the end. So the legs are written down, and the same way
//! is walked again on the same tape, measured from there on.

use super::stepper::{Run, Span};
use super::{RunError, RunPlan, RunRecord};
use crate::agent::{Agent, Phase, Situation};
use crate::leg::Leg;
use crate::raised::Raised;
use crate::random::{Seed, Stream};
use crate::trajectory::{Event, Observer};
use crate::world::World;

/// Runs `agent` in `world` on the tape of `seed` and measures both windows of the one trajectory,
/// first and last; the plan's own window is not asked.
///
/// # Errors
/// As [`run`](super::run).
pub fn run_both_windows(
    world: &World,
    agent: &mut dyn Agent,
    plan: &RunPlan,
    seed: Seed,
) -> Result<(RunRecord, RunRecord), RunError> {
    let (first, legs) = run_whole_legs(|| true, (world, agent, plan, seed))?;
    let last = if first.overshoot == 0 {
        first.clone()
    } else {
        measure_last(|| true, (world, plan, seed), (first.overshoot, legs), &mut ())?
    };
    Ok((RunRecord { overshoot: 0, ..first }, last))
}

pub(super) fn run_last<O: Observer>(
    mut go_on: impl FnMut() -> bool,
    (world, agent, plan, seed): (&World, &mut dyn Agent, &RunPlan, Seed),
    observer: &mut O,
) -> Result<RunRecord, RunError> {
    let (first, legs) = run_whole_legs(&mut go_on, (world, agent, plan, seed))?;
    measure_last(go_on, (world, plan, seed), (first.overshoot, legs), observer)
}

/// Whole legs until `T` steps are made or passed, and the agent's legs themselves.
fn run_whole_legs(
    go_on: impl FnMut() -> bool,
    (world, agent, plan, seed): (&World, &mut dyn Agent, &RunPlan, Seed),
) -> Result<(RunRecord, Vec<Leg>), RunError> {
    let mut legs = Legs::default();
    let run = Run::over(Span::WholeLegs, (world, agent, plan, seed))?;
    Ok((run.finish(go_on, &mut legs)?, legs.0))
}

/// Makes the same legs again and measures all but the first steps, as many as they overshot.
fn measure_last<O: Observer>(
    go_on: impl FnMut() -> bool,
    (world, plan, seed): (&World, &RunPlan, Seed),
    (overshoot, legs): (u64, Vec<Leg>),
    observer: &mut O,
) -> Result<RunRecord, RunError> {
    let mut again = Again(legs.into_iter());
    Run::over(Span::After(overshoot), (world, &mut again, plan, seed))?.finish(go_on, observer)
}

/// Writes down the agent's legs.
#[derive(Default)]
struct Legs(Vec<Leg>);

impl Observer for Legs {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        if let Event::Planned { leg, phase: Phase::Learn } = event {
            self.0.push(leg.clone());
        }
    }
}

/// Makes legs that were made before.
struct Again(std::vec::IntoIter<Leg>);

impl Agent for Again {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        *leg = self.0.next().unwrap_or_default();
        Ok(())
    }
}
