//! The paper, as a client of the library: its experiments, what it claims of them, the figures that its
//! authors' program made, and the steps which that program counts.
//!
//! It embodies one decision: **what is there only because of one paper is here**. The library, the lab
//! and the Python package know nothing of claims, of reference figures or of the last window; this crate
//! brings them by the doors that are open to any other: an entry of a window, a ledger of a report, a
//! campaign. The alternative, a flag of the library for each, was rejected: every user's study carried
//! them, and stored twice the numbers for it.
//!
//! [`register`] makes the window `last` known to files and flags.

pub mod claims;
pub mod conformance;
pub mod experiments;
pub mod frontier;
pub mod last_window;
mod opening;
mod text;

pub use claims::LEDGER;
pub use last_window::LAST;

use graph_bandit_lab::{LabError, Window};
use std::sync::OnceLock;

/// Makes known what this crate brings, for the rest of the process. To say it again changes nothing.
///
/// # Errors
/// When another crate has taken one of its names.
pub fn register() -> Result<(), LabError> {
    static REGISTERED: OnceLock<Result<(), LabError>> = OnceLock::new();
    REGISTERED.get_or_init(|| Window::register(LAST.entry())).clone()
}
