//! Roads that close and drives whose times differ from the map, from Python arguments.

use crate::errors::{of_lab, value_error};
use crate::graph::Graph;
use graph_bandit::{ClosureRates, Closures, Edge};
use graph_bandit_lab::{ClosureSource, RoadChanges};
use graph_bandit_maps::RoadRates;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;

/// Two rates for all roads, as numbers or as on the command line, or the rates of single roads.
#[derive(FromPyObject)]
pub(crate) enum ClosuresArgument<'py> {
    Text(String),
    All(f64, f64),
    Roads(Vec<(Bound<'py, PyAny>, Bound<'py, PyAny>, f64, f64)>),
}

/// The changes on the roads of a graph.
pub(crate) fn road_changes(
    graph: &Graph,
    closures: Option<ClosuresArgument<'_>>,
    travel_noise: Option<f64>,
) -> PyResult<RoadChanges> {
    let mut changes =
        RoadChanges::of(None, travel_noise, &RoadRates::new()).map_err(|error| of_lab(&error))?;
    let wrong = |error: &dyn std::fmt::Display| value_error(format!("closures: {error}"));
    let rates =
        |closing, reopening| ClosureRates::new(closing, reopening).map_err(|error| wrong(&error));
    changes.closures = match closures {
        None => None,
        Some(ClosuresArgument::All(closing, reopening)) => {
            Some(Closures::All(rates(closing, reopening)?))
        }
        Some(ClosuresArgument::Text(text)) => match text.parse() {
            Ok(ClosureSource::All(rates)) => Some(Closures::All(rates)),
            Ok(ClosureSource::Map) => {
                return Err(PyValueError::new_err(
                    "closures: a graph does not keep the rates of its map; give them road by road, \
                     as a mapping {(\"a\", \"b\"): (0.01, 0.1)}",
                ));
            }
            Err(error) => return Err(wrong(&error)),
        },
        Some(ClosuresArgument::Roads(roads)) => {
            let mut given: BTreeMap<Edge, ClosureRates> = BTreeMap::new();
            for (from, to, closing, reopening) in roads {
                let (a, b) = (graph.labels.number(&from)?, graph.labels.number(&to)?);
                let road = if graph.core.roads().is_some() { (a, b) } else { (a.min(b), a.max(b)) };
                if a == b || !graph.core.allows(a, b) {
                    return Err(PyValueError::new_err(format!(
                        "closures: there is no road from {} to {}",
                        from.repr()?,
                        to.repr()?
                    )));
                }
                let rates = rates(closing, reopening)?;
                if given.insert(road, rates).is_some_and(|before| before != rates) {
                    return Err(PyValueError::new_err(format!(
                        "closures: the edge between {} and {} closes in both directions, and has \
                         two different pairs of rates; give one",
                        from.repr()?,
                        to.repr()?
                    )));
                }
            }
            Some(Closures::Some(given))
        }
    };
    Ok(changes)
}
