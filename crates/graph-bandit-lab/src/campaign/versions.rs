//! Versions that make the same runs: one continues what another began.

use super::{Campaign, Cell};
use graph_bandit::{Graph, planner};
use serde_json::Value;

/// This version.
pub(super) const CURRENT: &str = env!("CARGO_PKG_VERSION");

/// Earlier versions whose runs equal those of this one, to the bit, the oldest first, except where a later
/// rule holds. A version that changes most trajectories starts with an empty list.
const SAME_RUNS: [&str; 1] = ["0.1.0"];

/// The agents that g-star plans for, at least at times.
const PLANNED_BY_G_STAR: [&str; 3] = ["g-star", "g-safe", "g-drift"];

/// The rule that the runs of a cell follow and those of earlier versions did not, if there is one. Teams are
/// led by no earlier version.
pub(super) fn later_rule(cell: &Cell, graph: &Graph) -> Option<&'static str> {
    let agent = cell.agent.split(':').next()?;
    let looks_nearby_first = PLANNED_BY_G_STAR.contains(&agent)
        && cell.team.is_none()
        && graph.len() >= planner::VAST
        && graph.roads().is_none();
    looks_nearby_first.then_some("g-star looks nearby first")
}

/// The place of a version among those that make the same runs, the oldest first; `None` for others.
fn rank(version: &str) -> Option<usize> {
    SAME_RUNS.iter().chain([&CURRENT]).position(|known| *known == version)
}

/// The version that a plan names.
fn named_in(plan: &Value) -> Option<&str> {
    plan.get("version").and_then(Value::as_str)
}

impl Campaign {
    /// Continues under the version that began a stored plan, if it makes the same runs.
    pub(crate) fn adopt_version_of(&mut self, stored: &Value) {
        if let Some(version) = named_in(stored).filter(|version| rank(version).is_some()) {
            version.clone_into(&mut self.version);
        }
    }

    /// Continues under the oldest version that began one of these parts, so that their order does not
    /// matter.
    pub(crate) fn adopt_oldest_version(&mut self, parts: &[String]) {
        let known = parts.iter().filter_map(|version| Some((rank(version)?, version)));
        if let Some((_, version)) = known.min() {
            version.clone_into(&mut self.version);
        }
    }

    /// Whether a stored plan is this campaign, begun by a version that makes the same runs.
    pub(super) fn is_planned_in(&self, stored: &Value) -> bool {
        let Some(stored_version) = named_in(stored) else { return false };
        let mut own = serde_json::to_value(self).unwrap_or_default();
        if rank(stored_version).is_some() && rank(&self.version).is_some() {
            own["version"] = stored_version.into();
        }
        own == *stored
    }
}
