//! What the best static allocation earns per step.

use crate::error::LabError;
use graph_bandit::World;
use graph_bandit::team::TeamSetup;
use graph_bandit::team::planning::{JointProblem, Matching, Seats, best_allocation};

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
    // Each node has one seat per walker, worth what the next walker there adds. Shares are concave,
    // so a best matching takes the seats of a node in order.
    let seats = setup.most_on_a_node();
    let mut costs = Vec::with_capacity(setup.walkers() * means.len() * seats);
    for member in &setup.members {
        for (node, mean) in means.iter().enumerate() {
            let may = member.allowed.as_ref().is_none_or(|allowed| allowed[node]);
            for taken in 0..seats {
                let gain = setup.sharing.marginal(node as u32, taken) * mean;
                costs.push(if may { -gain } else { f64::INFINITY });
            }
        }
    }
    let mut matching = Matching::default();
    matching.find(means.len() * seats, &costs).map_err(|error| refuse(&error))?;
    Ok(-matching.total())
}

/// What the best joint walk from the starts earns in so many steps, for one who knows the means.
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
