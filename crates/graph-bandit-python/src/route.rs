//! Routes on roads that may be closed.

use crate::errors::{of_lab, value_error};
use crate::registry::named;
use crate::study::watched;
use graph_bandit::{NodeId, Seed};
use graph_bandit_lab::{Jobs, LabError, RouteStudy, RouteTimes, Watch};
use graph_bandit_route::{Directions, Network, Road, RouteError, Trip, UctOptions};
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
    let road = |(source, target, time, open)| Road { source, target, time, open };
    let roads = roads.into_iter().map(road).collect();
    let directions = if directed { Directions::OneWay } else { Directions::Both };
    let network = Network::new(nodes, roads, directions).map_err(value_error)?;
    let runs = runs.map(|runs| at_most("runs", runs, RouteStudy::MOST_RUNS)).transpose()?;
    let rollouts = at_most("rollouts", rollouts, RouteStudy::MOST_ROLLOUTS.into())? as u32;
    let study = RouteStudy {
        trip: Trip::new(network, ends.0, ends.1).map_err(of_trip)?,
        policies: vec![named("policy", policy)?],
        runs,
        seed: Seed(seed),
        uct: UctOptions { rollouts, ..UctOptions::default() },
    };
    let work = |stop: &_| study.execute(Jobs::All, Watch { tick: &|| (), stop });
    let outcomes = watched(py, |_| Ok(()), work)?.map_err(|error| of_route(&error))?;
    let times = &outcomes[0].times;
    let each = match times {
        RouteTimes::Exact(_) => Vec::new(),
        RouteTimes::Simulated(times) => times.clone(),
    };
    Ok((times.mean(), times.standard_error(), each.into_pyarray(py)))
}

fn at_most(setting: &str, value: u64, most: u64) -> PyResult<u64> {
    if value > most {
        return Err(value_error(format!("{setting} is {value}; give at most {most}")));
    }
    Ok(value)
}

/// Nodes have labels in Python, so a message must not name them by number.
fn of_trip(error: RouteError) -> PyErr {
    match error {
        RouteError::Unreachable { .. } => value_error(
            "no path leads from start to goal, even if every road that may be open is open",
        ),
        other => value_error(other),
    }
}

/// The settings have the names of Python's arguments.
fn of_route(error: &LabError) -> PyErr {
    match error {
        LabError::Setting { setting, reason } if *setting == "to" => {
            value_error(format!("goal: {reason}"))
        }
        LabError::Setting { setting, reason } if *setting == "policy" => {
            value_error(format!("policy: {reason}; choose optimistic, comparison or uct"))
        }
        other => of_lab(other),
    }
}
