//! The yardstick: the paper's agents as a programmer would first write them.
//!
//! Rewards come one by one, every node is scored again for every leg, Dijkstra's method runs to the
//! end on adjacency lists with the standard heap, value iteration sweeps until it is done, and
//! every leg allocates what it needs. Nothing is slow on purpose: it does only the work in the
//! pseudocode. It uses the library's graph edges and tape, so that it walks exactly as the
//! library's agents do; `tests/same_walks.rs` checks this.

mod legs;
mod local;
mod q_learning;
mod search;
mod value_iteration;
mod walker;

pub use search::{Lists, adjacency_lists, dijkstra};
pub use walker::PlainRecord;

use graph_bandit::{Preset, RunPlan, Seed, World};
use walker::Walker;

/// An agent that has a plain implementation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlainAgent {
    /// G-UCB, preset paper.
    GUcb,
    /// Direct-SP, preset paper.
    DirectSp,
    /// UCRL2 as the paper prints it: unlimited value iteration.
    Ucrl2Paper,
    /// UCRL2 as in the authors' program: at most `sqrt(t)` sweeps.
    Ucrl2Program,
    /// Local UCB.
    LocalUcb,
    /// Local Thompson sampling.
    LocalTs,
    /// Epsilon-greedy Q-learning.
    QlEps,
    /// Q-learning with a Hoeffding bonus.
    QlUcbH,
}

impl PlainAgent {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::GUcb,
        Self::DirectSp,
        Self::Ucrl2Paper,
        Self::Ucrl2Program,
        Self::LocalUcb,
        Self::LocalTs,
        Self::QlEps,
        Self::QlUcbH,
    ];

    /// The same agent's name in the library.
    pub fn name(self) -> &'static str {
        match self {
            Self::GUcb => "g-ucb",
            Self::DirectSp => "direct-sp",
            Self::Ucrl2Paper | Self::Ucrl2Program => "ucrl2",
            Self::LocalUcb => "local-ucb",
            Self::LocalTs => "local-ts",
            Self::QlEps => "ql-eps",
            Self::QlUcbH => "ql-ucb-h",
        }
    }

    /// The preset of its parameters.
    pub fn preset(self) -> Preset {
        if self == Self::Ucrl2Program { Preset::Program } else { Preset::Paper }
    }
}

/// Runs `agent` from node 0 on the tape of `seed`; uses only the steps and checkpoints of the plan.
pub fn run(
    agent: PlainAgent,
    world: &World,
    near: &Lists,
    plan: &RunPlan,
    seed: Seed,
) -> PlainRecord {
    let mut walker = Walker::new(world, near, plan, seed);
    if matches!(agent, PlainAgent::QlEps | PlainAgent::QlUcbH) {
        walker.count_walks();
    }
    walker.initialize();
    match agent {
        PlainAgent::GUcb => legs::g_ucb(&mut walker),
        PlainAgent::DirectSp => legs::direct_sp(&mut walker),
        PlainAgent::Ucrl2Paper => legs::ucrl2_of_paper(&mut walker),
        PlainAgent::Ucrl2Program => legs::ucrl2_of_program(&mut walker),
        PlainAgent::LocalUcb => local::ucb(&mut walker),
        PlainAgent::LocalTs => local::thompson(&mut walker),
        PlainAgent::QlEps => q_learning::epsilon_greedy(&mut walker),
        PlainAgent::QlUcbH => q_learning::hoeffding(&mut walker),
    }
    walker.record()
}
