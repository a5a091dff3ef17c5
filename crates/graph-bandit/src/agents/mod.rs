//! The agents: one file each, with parameters, defaults and parts.

mod certified;
mod changing;
mod cusum_klucb;
mod direct_sp;
mod discounted_klucb;
mod discounted_ts;
mod discounted_ucb;
mod episodic;
mod epsilon_greedy;
mod exp3s;
mod exploration;
mod forgetful;
pub(crate) mod g_drift;
mod g_horizon;
mod g_imed;
mod g_klucb;
mod g_moss;
mod g_safe;
mod g_star;
mod g_sweep;
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
mod m_klucb;
mod oracle;
pub mod parameters;
mod q_learning;
mod ql_eps;
mod ql_ucb_h;
mod random;
mod restarting_klucb;
mod sw_klucb;
mod sw_ts;
mod sw_ucb;
mod traveller;
mod ucrl2;

pub use certified::{Certified, Epoch, SafeRule, confidence_exponent};
pub use episodic::Episodic;
pub use epsilon_greedy::EpsilonGreedy;
pub use exp3s::{Exp3Parameters, Exp3S};
pub use exploration::{Exploration, Explorer};
pub use forgetful::Forgetful;
pub use oracle::Oracle;
pub use q_learning::{Epsilon, QLearning, Update};
pub use random::RandomWalk;

use crate::spec::AgentEntry;
pub(crate) use g_star::{CAUTION, DOUBT, SLOW_GROWTH, STAY_PER_HOP};
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
    &g_safe::G_SAFE,
    &g_sweep::G_SWEEP,
    &g_horizon::G_HORIZON,
    &random::RANDOM,
    &epsilon_greedy::EPSILON_GREEDY,
    &g_drift::G_DRIFT,
    &klucb::KLUCB,
    &glr_klucb::GLR_KLUCB,
    &sw_klucb::SW_KLUCB,
    &cusum_klucb::CUSUM_KLUCB,
    &m_klucb::M_KLUCB,
    &discounted_klucb::DISCOUNTED_KLUCB,
    &discounted_ts::DISCOUNTED_TS,
    &discounted_ucb::DISCOUNTED_UCB,
    &sw_ucb::SW_UCB,
    &sw_ts::SW_TS,
    &exp3s::EXP3S,
    &restarting_klucb::RESTARTING_KLUCB,
];
