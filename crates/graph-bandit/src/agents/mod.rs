//! The agents: one file each, with its parameters, their defaults, and its parts.

mod direct_sp;
mod episodic;
mod g_imed;
mod g_klucb;
mod g_moss;
mod g_star;
mod g_ts;
mod g_ucb;
mod g_ucb_ucrl2_bound;
mod g_ucb_ucrl2_doubling;
mod hoeffding;
mod local_ts;
mod local_ucb;
mod q_learning;
mod ql_eps;
mod ql_ucb_h;
mod traveller;
mod ucrl2;

pub use direct_sp::DirectSp;
pub use episodic::Episodic;
pub use g_imed::GImed;
pub use g_klucb::GKlUcb;
pub use g_moss::GMoss;
pub use g_star::GStar;
pub use g_ts::GTs;
pub use g_ucb::GUcb;
pub use g_ucb_ucrl2_bound::GUcbUcrl2Bound;
pub use g_ucb_ucrl2_doubling::GUcbUcrl2Doubling;
pub use local_ts::LocalTs;
pub use local_ucb::LocalUcb;
pub use q_learning::{Epsilon, QLearning, Update};
pub use ql_eps::QlEps;
pub use ql_ucb_h::QlUcbH;
pub use traveller::Traveller;
pub use ucrl2::Ucrl2;

use crate::agent::Agent;
use crate::digits::Digits;
use crate::graph::Graph;
use crate::reward::MAX_MAGNITUDE;
use thiserror::Error;

/// A parameter outside its range.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("{parameter} = {} is out of range; it must be {range}", Digits(*value))]
pub struct ParameterError {
    /// The parameter's name.
    pub parameter: &'static str,
    /// The value given.
    pub value: f64,
    /// What would be right.
    pub range: &'static str,
}

/// The parameters of an agent, and how to build it from them. The defaults are the paper's, if it
/// has the agent.
pub trait Recipe: Default {
    /// What the agent is, in one line.
    const SUMMARY: &'static str;

    /// The parameters of the authors' program; the defaults where it has no such agent.
    fn program() -> Self {
        Self::default()
    }

    /// Checks that every parameter is in its range.
    ///
    /// # Errors
    /// Names the first that is not.
    fn check(&self) -> Result<(), ParameterError>;

    /// The sub-Gaussian scale of the noise that the agent is told of; `None` where it is told of none, or
    /// does not listen.
    fn noise_scale(&self) -> Option<f64> {
        None
    }

    /// A fresh agent for `graph`.
    fn build(&self, graph: &Graph) -> Box<dyn Agent + Send>;
}

/// `Ok` if `holds`, else an error that names the parameter and its range.
fn require(
    holds: bool,
    parameter: &'static str,
    value: f64,
    range: &'static str,
) -> Result<(), ParameterError> {
    if holds { Ok(()) } else { Err(ParameterError { parameter, value, range }) }
}

/// A size that may be zero, and whose square is a number.
fn require_size(parameter: &'static str, value: f64) -> Result<(), ParameterError> {
    let holds = (0.0..=MAX_MAGNITUDE).contains(&value);
    require(holds, parameter, value, "zero or a positive number, at most 1e100")
}

fn require_bonus(bonus: f64) -> Result<(), ParameterError> {
    require(bonus >= 0.0 && bonus.is_finite(), "bonus", bonus, "zero or a positive number")
}

fn require_delta(delta: f64) -> Result<(), ParameterError> {
    require(delta > 0.0 && delta <= 1.0, "delta", delta, "above 0 and at most 1")
}

fn require_exploration(gamma: f64, epsilon: f64, warmup: f64) -> Result<(), ParameterError> {
    require(gamma > 0.0 && gamma < 1.0, "gamma", gamma, "strictly between 0 and 1")?;
    require(
        epsilon >= 0.0 && epsilon.is_finite(),
        "epsilon",
        epsilon,
        "zero or a positive number",
    )?;
    require(warmup >= 0.0 && warmup.is_finite(), "warmup", warmup, "zero or a positive number")
}
