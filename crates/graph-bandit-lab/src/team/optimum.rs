//! What the best static allocation earns per step.

use crate::error::LabError;
use graph_bandit::team::planning::{JointProblem, Seats};
use graph_bandit::team::{BestStatic, BestStaticError, TeamSetup};
use graph_bandit::{Roads, World};

/// The expected reward per step of the best static allocation; if means change, of those at the start.
///
/// # Errors
/// When walkers are confined to some nodes, and shares are not concave or a mean is negative: then it is hard to find.
pub(super) fn best_static(world: &World, setup: &TeamSetup) -> Result<f64, LabError> {
    let value = BestStatic::new(setup).value(world.means());
    let named = |error: BestStaticError| error.named(|node| world.graph().label(node), None);
    value.map_err(|error| LabError::BestStatic(named(error)))
}

/// What the best joint walk from the starts earns in this many steps, for a team that knows the means.
///
/// # Errors
/// When it cannot be computed exactly: for walkers that differ, roads that take time, shares that
/// are not concave, means below 0, or too many nodes.
pub(super) fn best_walks(
    world: &World,
    setup: &TeamSetup,
    steps: &[u64],
) -> Result<Vec<f64>, LabError> {
    let refuse = |reason: String| LabError::setting("against", format!("{reason}; use free"));
    if setup.members.iter().any(|member| member.allowed.is_some() || member.speed != 1.0) {
        return Err(refuse("planning needs walkers that are all alike".to_owned()));
    }
    if world.graph().roads().is_some_and(Roads::take_time) {
        return Err(refuse("planning needs roads that take no time".to_owned()));
    }
    let starts: Vec<u32> = setup.members.iter().map(|member| member.start).collect();
    let seats = setup.seats.map_or(Seats::Unlimited, Seats::Each);
    let shares = (&*setup.sharing, seats);
    let problem = JointProblem::new(world.graph(), shares, world.means(), &starts);
    let problem = problem.map_err(|error| refuse(error.to_string()))?;
    let found = problem.value_by_horizon(steps).map_err(|error| refuse(error.to_string()))?;
    let exact = |(k, (least, most)): (usize, &(f64, f64))| {
        if most - least <= 1e-6 * most.abs().max(1.0) {
            return Ok(*least);
        }
        let t = steps[k];
        let reason = format!(
            "the reward of the best walks of {t} steps is known only to lie between {least} and {most}"
        );
        Err(refuse(reason))
    };
    found.iter().enumerate().map(exact).collect()
}
