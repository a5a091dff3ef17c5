//! Routes on roads that may be closed.

use crate::errors::{of_lab, value_error};
use graph_bandit::route::{Directions, Network, Road, Trip, UctOptions};
use graph_bandit::spec::Named;
use graph_bandit::{NodeId, Seed};
use graph_bandit_lab::{Jobs, RoutePolicy, RouteStudy, RouteTimes};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

/// A road by the numbers of its ends, its time, and the probability that it is open.
type RoadParts = (NodeId, NodeId, f64, f64);
/// The mean, its standard error, and one time per weather; exact means have no weathers.
type Times<'py> = (f64, Option<f64>, Bound<'py, PyArray1<f64>>);

/// The travel times of one policy.
#[pyfunction]
#[pyo3(signature = (nodes, roads, ends, policy, *, directed, runs, seed, rollouts))]
#[expect(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn route<'py>(
    py: Python<'py>,
    nodes: usize,
    roads: Vec<RoadParts>,
    ends: (NodeId, NodeId),
    policy: &str,
    directed: bool,
    runs: Option<u64>,
    seed: u64,
    rollouts: u64,
) -> PyResult<Times<'py>> {
    let policy =
        RoutePolicy::of_name(policy).map_err(|error| value_error(format!("policy: {error}")))?;
    let road = |(source, target, time, open)| Road { source, target, time, open };
    let roads = roads.into_iter().map(road).collect();
    let directions = if directed { Directions::OneWay } else { Directions::Both };
    let network = Network::new(nodes, roads, directions).map_err(value_error)?;
    let trip = Trip::new(network, ends.0, ends.1).map_err(value_error)?;
    let rollouts = u32::try_from(rollouts)
        .map_err(|_| value_error(format!("rollouts is {rollouts}; give at most {}", u32::MAX)))?;
    let uct = UctOptions { rollouts, ..UctOptions::default() };
    let study = RouteStudy { trip, policies: vec![policy], runs, seed: Seed(seed), uct };
    let outcomes =
        py.detach(|| study.execute(Jobs::All, &|| ())).map_err(|error| of_lab(&error))?;
    let times = &outcomes[0].times;
    let each = match times {
        RouteTimes::Exact(_) => Vec::new(),
        RouteTimes::Simulated(times) => times.clone(),
    };
    Ok((times.mean(), times.standard_error(), each.into_pyarray(py)))
}
