//! Versions that make the same runs: one continues what another began.

use super::Campaign;
use serde_json::Value;

/// This version.
pub(super) const CURRENT: &str = env!("CARGO_PKG_VERSION");

/// Earlier versions whose runs equal those of this one, to the bit, the oldest first. A version that
/// changes trajectories starts with an empty list.
const SAME_RUNS: [&str; 1] = ["0.1.0"];

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
