//! The agents that the paper describes, and that can therefore be transcribed.

use graph_bandit::{AgentSpec, Preset};

/// The nine, by their names in the registry.
const NAMES: [&str; 9] = [
    "g-ucb",
    "direct-sp",
    "ucrl2",
    "g-ucb-ucrl2-bound",
    "g-ucb-ucrl2-doubling",
    "local-ucb",
    "local-ts",
    "ql-eps",
    "ql-ucb-h",
];

/// The paper's agents with a preset's parameters.
pub(crate) fn agents_of_paper(preset: Preset) -> Vec<AgentSpec> {
    NAMES.map(|name| AgentSpec::named(name, preset).unwrap()).to_vec()
}
