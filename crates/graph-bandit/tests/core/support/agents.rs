//! The agents that most tests can use.

use graph_bandit::{AgentSpec, Preset};

/// All agents that can walk any graph and know nothing in advance: all but EXP3.S and the oracle.
pub(crate) fn anywhere(preset: Preset) -> Vec<AgentSpec> {
    let is_free = |spec: &AgentSpec| !["exp3s", "restarting-klucb"].contains(&spec.name());
    AgentSpec::all(preset).into_iter().filter(is_free).collect()
}
