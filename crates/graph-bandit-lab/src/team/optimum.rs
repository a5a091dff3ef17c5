//! What the best static allocation earns per step.

use crate::error::LabError;
use graph_bandit::World;
use graph_bandit::team::TeamSetup;
use graph_bandit::team::planning::{Matching, Seats, best_allocation};

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
