//! Shared parts of several tests.

pub(crate) mod agents;
pub(crate) mod edge_bound;
pub(crate) mod g_horizon;
pub(crate) mod g_star;
pub(crate) mod instances;
pub(crate) mod of_paper;
pub(crate) mod one_step;
pub(crate) mod plain;
pub(crate) mod same_draws;
pub(crate) mod trace;
pub(crate) mod worlds;
