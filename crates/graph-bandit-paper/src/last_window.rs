//! The last `T` steps of a run that ends with a complete leg, as the authors' program counts.
//!
//! **For comparison with the paper's published figures only**: for every agent that makes long
//! legs, that program drops the first, costliest steps of learning, as many as the last leg
//! overshoots.
//!
//! Only the end of a run shows where this window begins. So the same walk is repeated on the same
//! tape, with its last leg completed, and measured from there on.

use graph_bandit::run::{Run, Status};
use graph_bandit::{
    Agent, Leg, LegError, MAX_VISITS, Raised, RunError, RunPlan, RunRecord, Situation, Stream,
};
use graph_bandit_lab::window::{FinishedRun, Measure, Window, WindowEntry};
use std::sync::atomic::AtomicBool;

/// The last `T` steps, up to the end of a complete leg.
pub const LAST: Window = Window::of(&ENTRY);

static ENTRY: WindowEntry = WindowEntry {
    name: "last",
    help: "The last T steps of a run that goes on until its last leg is complete; flatters agents that make long legs.",
    steps: "the last T steps of complete legs (as in the paper's published figures; \
            the costliest steps of learning are left out)",
    caution: Some(
        "the first, costliest steps of learning are left out, as in the paper's published figures; \
         do not compare agents by it",
    ),
    measure: Measure::Afterwards(measure),
};

fn measure(made: &FinishedRun<'_>, stops: &[&AtomicBool]) -> Result<RunRecord, RunError> {
    let overshoot = made.record.overshoot;
    if overshoot == 0 {
        return Ok(made.record.clone());
    }
    if let Some(visits) = made.legs.last().map(Leg::visits).filter(|&visits| visits > MAX_VISITS) {
        let endless = format!(
            "the agent's leg of {visits} visits has no end; the last window needs complete legs"
        );
        return Err(RunError::Leg(LegError::Agent(Raised::new(endless))));
    }
    let plan = RunPlan { skip: overshoot, ..made.plan.clone() };
    let mut again = Repeated(made.legs);
    let mut run = Run::new(made.world, &mut again, &plan, made.seed)?;
    match run.walk_until(stops, None)? {
        Status::Going => Err(RunError::Stopped),
        Status::Ended => Ok(RunRecord { overshoot, ..run.into_record() }),
    }
}

/// An agent that repeats recorded legs.
struct Repeated<'a>(&'a [Leg]);

impl Agent for Repeated<'_> {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        // There is always a next leg: the legs end where the run does.
        if let Some((next, later)) = self.0.split_first() {
            leg.clone_from(next);
            self.0 = later;
        } else {
            *leg = Leg::default();
        }
        Ok(())
    }
}
