//! What the best static allocation earns per step.

use crate::error::LabError;
use graph_bandit::team::TeamSetup;
use graph_bandit::team::planning::{
    JointProblem, MatchingError, Seats, best_allocation, confined_seats,
};
use graph_bandit::{Roads, World};

/// The expected reward per step of the best static allocation.
///
/// # Errors
/// When walkers may not be everywhere and shares are not concave: then it is hard to find.
pub(super) fn best_static(world: &World, setup: &TeamSetup) -> Result<f64, LabError> {
    let means = world.means();
    let differ = setup.members.iter().any(|member| member.allowed.is_some());
    let refuse = |error: &dyn std::fmt::Display| LabError::setting("walkers", error.to_string());
    if !differ {
        let seats = setup.seats.map_or(Seats::Unlimited, Seats::Each);
        let best = best_allocation(&setup.sharing, means, seats);
        return Ok(best.map_err(|error| refuse(&error))?.value);
    }
    if !setup.sharing.is_concave() || means.iter().any(|mean| *mean < 0.0) {
        let reason = "with walkers that may not be everywhere, the best static allocation is known \
            only for shares that rise ever less and means from 0 on; let all walkers go everywhere, \
            or use such shares and means";
        return Err(LabError::setting("walkers", reason));
    }
    let may_be = |walker: usize, node: u32| {
        setup.members[walker].allowed.as_ref().is_none_or(|allowed| allowed[node as usize])
    };
    let seats = setup.most_on_a_node();
    let found = confined_seats(&setup.sharing, means, seats, (setup.walkers(), may_be));
    let found = found.map_err(|error| match error {
        MatchingError::Impossible { row } => refuse(&format!(
            "walker {row} finds no seat on the nodes where it may be; allow more nodes or seats"
        )),
        other => refuse(&other),
    })?;
    Ok(found.value)
}

/// What the best joint walk from the starts earns in so many steps, for a team that knows the means.
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
        let reason =
            format!("the best walks of {t} steps earn {least} to {most}, not more exactly");
        Err(refuse(reason))
    };
    found.iter().enumerate().map(exact).collect()
}
