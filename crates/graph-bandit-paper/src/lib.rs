//! The paper, as a client of the library: its experiments, its claims about them, the figures that
//! its authors' program made, and the steps that program counts.
//!
//! It embodies one decision: **whatever exists only because of one paper lives here**. The library,
//! the lab and the Python package do not know claims, reference figures or the last window. This
//! crate adds them through the interfaces that any other crate can use: an entry of a window, a
//! ledger of a report, a campaign. The rejected alternative was a library flag for each: every
//! user's study carried them, and stored twice the numbers for it.
//!
//! [`register`] makes the window `last` and the graph family `town` known to files and flags.

pub mod change;
pub mod claims;
pub mod conformance;
pub mod experiments;
pub mod frontier;
pub mod last_window;
mod opening;
pub mod team_instances;
mod text;
mod town;

pub use claims::LEDGER;
pub use last_window::LAST;

use graph_bandit::GraphSpec;
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
        GraphSpec::register(&town::TOWN)
            .map_err(|error| LabError::setting("graph", error.to_string()))
    };
    REGISTERED.get_or_init(once).clone()
}
