//! The paper, as a client of the library: its experiments, its claims about them, the figures that
//! its authors' program made, and the steps that program counts.
//!
//! It embodies one decision: **whatever exists only because of one paper lives here**. The library,
//! the lab and the Python package do not know claims, reference figures or the last window. This
//! crate adds them through the interfaces that any other crate can use: an entry of a window, a
//! ledger of a report, a campaign. The rejected alternative was a library flag for each: every
//! user's study carried them, and stored twice the numbers for it.
//!
//! [`register`] makes the window `last`, the graph family `town`, and the graphs, means and share of the
//! sequel known to files and flags.

pub mod change;
pub mod claims;
pub mod conformance;
pub mod experiments;
pub mod frontier;
pub mod last_window;
mod opening;
mod sequel;
pub mod team_instances;
pub mod teams;
mod text;
mod town;

pub use claims::LEDGER;
pub use last_window::LAST;
pub use sequel::STATED_OPTIMUM;

use graph_bandit::spec::ShareSpec;
use graph_bandit::{GraphSpec, MeansSpec};
use graph_bandit_lab::{LabError, Window};
use std::sync::OnceLock;

/// Registers what this crate adds, for the rest of the process. Calling it again changes nothing.
///
/// # Errors
/// When another crate has taken one of its names.
pub fn register() -> Result<(), LabError> {
    static REGISTERED: OnceLock<Result<(), LabError>> = OnceLock::new();
    let once = || {
        Window::register(LAST.entry())?;
        for family in [&town::TOWN, &sequel::SMALL_GRAPH, &sequel::LARGE_GRAPH] {
            GraphSpec::register(family).map_err(|error| LabError::setting("graph", error))?;
        }
        for means in [&sequel::SMALL_MEANS, &sequel::LARGE_MEANS] {
            MeansSpec::register(means).map_err(|error| LabError::setting("means", error))?;
        }
        ShareSpec::register(&sequel::SHARE).map_err(|error| LabError::setting("share", error))
    };
    REGISTERED.get_or_init(once).clone()
}
