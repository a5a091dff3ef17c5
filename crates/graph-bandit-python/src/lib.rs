//! The Python extension: graphs, sessions, studies and planners of the Rust crates as Python
//! classes.
//!
//! It makes no decisions. Conversions, frames and figures are written in Python, in
//! `python/graph_bandit`, which imports this as `graph_bandit._core`. Only code that must be fast, or
//! that holds Rust values, is compiled. Errors become exceptions with the library's own messages.

// Python passes arguments by value, and counts stay below 2^53.
#![allow(clippy::needless_pass_by_value, clippy::cast_possible_wrap)]

mod bayes;
mod best_node;
mod campaign;
mod command;
mod errors;
mod figures;
mod graph;
mod imported;
mod labels;
mod map_options;
mod node_estimates;
mod notes;
mod own_agent;
mod own_rewards;
mod plan;
mod registry;
mod road_changes;
mod roads;
mod route;
mod session;
mod stored_result;
mod study;
mod team;
mod team_session;
mod team_trace;
mod team_walk;
mod team_walks;
mod theory;
mod trace;
mod walk;
mod walks;
mod ways;

use pyo3::prelude::*;

/// The compiled part of `graph_bandit`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use crate::bayes::bayes;
    #[pymodule_export]
    use crate::campaign::{Campaign, merge};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::errors::{IllegalMoveError, UnknownNodeError};
    #[pymodule_export]
    use crate::figures::{layout, palette_of_figures, spread, styles_of, ticks};
    #[pymodule_export]
    use crate::graph::Graph;
    #[pymodule_export]
    use crate::node_estimates::node_estimates;
    #[pymodule_export]
    use crate::own_agent::{Sample, Situation, Visit};
    #[pymodule_export]
    use crate::plan::{finite_horizon, shortest_path, value_iteration};
    #[pymodule_export]
    use crate::registry::{
        agent_label, cannot_walk, check_means, check_noise, registry, student, team_label,
    };
    #[pymodule_export]
    use crate::route::route;
    #[pymodule_export]
    use crate::session::{Leg, Session};
    #[pymodule_export]
    use crate::stored_result::{StoredCurves, read_back};
    #[pymodule_export]
    use crate::study::{Runs, Study};
    #[pymodule_export]
    use crate::team_session::TeamSession;
    #[pymodule_export]
    use crate::team_trace::{TeamTrace, team_trace};
    #[pymodule_export]
    use crate::team_walks::TeamWalks;
    #[pymodule_export]
    use crate::theory::{
        gap_bound, least_regret_rate, minimax_bound, noise_floor, regret_floor, safe_bound,
        team_bound, travel_floor,
    };
    #[pymodule_export]
    use crate::trace::{Trace, trace};
    #[pymodule_export]
    use crate::walks::Walks;

    use super::{Bound, PyModule, PyModuleMethods, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        // Registers the paper's window, `last`, for every study.
        graph_bandit_paper::register().map_err(|error| crate::errors::of_lab(&error))?;
        // Studies in TOML may name agents and rewards by import path.
        graph_bandit_lab::imported::register(Box::new(crate::imported::PythonImporter));
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
