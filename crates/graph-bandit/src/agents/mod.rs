//! The agents: one file each, with parameters, defaults and parts.

mod changing;
mod direct_sp;
mod episodic;
mod epsilon_greedy;
mod exploration;
mod forgetful;
mod g_drift;
mod g_imed;
mod g_klucb;
mod g_moss;
mod g_star;
mod g_ts;
mod g_ucb;
mod g_ucb_ucrl2_bound;
mod g_ucb_ucrl2_doubling;
mod glr_klucb;
mod hoeffding;
mod klucb;
mod lessons;
mod local_ts;
mod local_ucb;
mod oracle;
pub mod parameters;
mod q_learning;
mod ql_eps;
mod ql_ucb_h;
mod random;
mod sw_klucb;
mod traveller;
mod ucrl2;

pub use episodic::Episodic;
pub use epsilon_greedy::EpsilonGreedy;
pub use exploration::{Exploration, Explorer};
pub use forgetful::Forgetful;
pub use oracle::Oracle;
pub use q_learning::{Epsilon, QLearning, Update};
pub use random::RandomWalk;

use crate::spec::AgentEntry;
use traveller::Traveller;

/// All agents of this crate, in listing order.
// Not a macro that also declares the modules: rustfmt would skip their files.
pub(crate) const BUILT_IN: &[&AgentEntry] = &[
    &g_ucb::G_UCB,
    &direct_sp::DIRECT_SP,
    &ucrl2::UCRL2,
    &g_ucb_ucrl2_bound::G_UCB_UCRL2_BOUND,
    &g_ucb_ucrl2_doubling::G_UCB_UCRL2_DOUBLING,
    &local_ucb::LOCAL_UCB,
    &local_ts::LOCAL_TS,
    &ql_eps::QL_EPS,
    &ql_ucb_h::QL_UCB_H,
    &g_star::G_STAR,
    &g_ts::G_TS,
    &g_moss::G_MOSS,
    &g_imed::G_IMED,
    &g_klucb::G_KLUCB,
    &random::RANDOM,
    &epsilon_greedy::EPSILON_GREEDY,
    &g_drift::G_DRIFT,
    &klucb::KLUCB,
    &glr_klucb::GLR_KLUCB,
    &sw_klucb::SW_KLUCB,
];
