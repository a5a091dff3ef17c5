//! Offline planning: what to do if the mean rewards are known (Section III, Appendix D).

mod bellman_ford;
mod bucket_search;
mod cheapest_path;
mod cheapest_paths;
mod counted_steps;
mod fastest_path;
mod finite_horizon;
mod highest;
mod kinetic_sweeps;
mod node_set;
mod policy;
mod price_buckets;
mod price_queue;

mod ring_paths;

mod road_path;
mod road_search;
mod stepwise_search;
mod sweeps;
mod value_iteration;

pub use bellman_ford::bellman_ford;
pub use cheapest_path::CheapestPath;
pub use cheapest_paths::{CheapestPaths, shortest_path};
pub use counted_steps::StepsOnly;
pub(crate) use fastest_path::FastestPath;
pub use finite_horizon::{FiniteHorizon, finite_horizon, horizon_losses, sufficient_horizon};
pub(crate) use highest::highest;
pub use kinetic_sweeps::KineticSweeps;
pub use policy::{Policy, PolicyError};
pub(crate) use price_buckets::PriceBuckets;
pub(crate) use price_queue::PriceQueue;
pub(crate) use ring_paths::RingPaths;
pub(crate) use road_search::Row;
pub use road_search::{Heading, RoadCosts};
pub use sweeps::Sweeps;
#[cfg(test)]
pub(crate) use sweeps::tests::literal as sweeps_by_the_letter;
pub(crate) use value_iteration::best_neighbor;
pub use value_iteration::{ValueIterationError, ValueIterationPlan, value_iteration};

use crate::graph::Graph;

/// Panics unless there is one value per node: a wrong length is a bug in the calling program.
fn assert_one_per_node(graph: &Graph, values: &[f64]) {
    assert_eq!(values.len(), graph.len(), "one value per node");
}

/// `c_s = mu* - mu_s`, the cost of entering each node.
fn costs(means: &[f64]) -> Vec<f64> {
    let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    means.iter().map(|mean| best - mean).collect()
}
