//! The team of a study, as Python describes it.

use crate::errors::{of_lab, value_error};
use crate::graph::Graph;
use crate::registry::named;
use graph_bandit::spec::TeamSpec;
use graph_bandit::{NodeId, Preset, Seed, SpecError};
use graph_bandit_lab::{Entrant, ShareSource, ShareTable, Starts, TeamStudy};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use std::path::Path;

/// The arguments of a team.
#[derive(FromPyObject)]
pub(crate) struct TeamArgument<'py> {
    walkers: usize,
    /// Labels of nodes; drawn for every run if there are none.
    starts: Option<Vec<Bound<'py, PyAny>>>,
    share: ShareArgument<'py>,
    draws: String,
    seats: Option<usize>,
    /// One per walker, or none if all have the speed of the map.
    speeds: Vec<f64>,
    /// One per walker, or none if all may be everywhere.
    nodes: Vec<Option<Vec<Bound<'py, PyAny>>>>,
}

/// Shares by their text, or one row per node.
#[derive(FromPyObject)]
pub(crate) enum ShareArgument<'py> {
    Text(String),
    Rows(PyReadonlyArray2<'py, f64>),
}

impl ShareArgument<'_> {
    pub(crate) fn source(&self) -> PyResult<ShareSource> {
        match self {
            Self::Text(text) => {
                ShareSource::parse(text, Path::new("")).map_err(|error| of_lab(&error))
            }
            Self::Rows(rows) => {
                let rows = rows.as_array();
                let rows = rows.rows().into_iter().map(|row| row.to_vec()).collect();
                Ok(ShareSource::Table(ShareTable::new(rows)))
            }
        }
    }
}

/// The team that the arguments describe.
pub(crate) fn team_of(graph: &Graph, argument: &TeamArgument<'_>) -> PyResult<TeamStudy> {
    let numbers = |nodes: &Vec<Bound<'_, PyAny>>| -> PyResult<Vec<NodeId>> {
        nodes.iter().map(|label| graph.labels.number(label)).collect()
    };
    let mut team = TeamStudy::sized(argument.walkers).map_err(|error| of_lab(&error))?;
    if let Some(nodes) = &argument.starts {
        team.starts = Starts::Nodes(numbers(nodes)?);
    }
    team.share = argument.share.source()?;
    team.draws = named("draws", &argument.draws)?;
    team.seats = argument.seats;
    team.speeds.clone_from(&argument.speeds);
    team.allowed = argument
        .nodes
        .iter()
        .map(|nodes| nodes.as_ref().map(numbers).transpose())
        .collect::<PyResult<_>>()?;
    Ok(team)
}

/// Checks that the walkers of a run can walk the graph; an error uses the user's node labels.
pub(crate) fn check_walkers(
    py: Python<'_>,
    graph: &Graph,
    team: &TeamStudy,
    run: Seed,
) -> PyResult<()> {
    if team.walkers == 0 {
        // The study says what is wrong with that.
        return Ok(());
    }
    let setup = team.described(graph.core.len(), run).map_err(|error| of_lab(&error))?;
    setup.check(&graph.core).map_err(|error| {
        value_error(format!("walkers: {}", error.named(|node| graph.labels.repr(py, node))))
    })
}

/// Reads an agent for a team, or for a walker alone.
pub(crate) fn entrant_of(
    text: &str,
    preset: Preset,
    team: Option<&TeamStudy>,
) -> PyResult<Entrant> {
    let leaders = TeamSpec::names();
    let Some(team) = team else {
        return Entrant::parse(text, preset).map_err(|error| match &error {
            SpecError::Unknown { name, .. } if leaders.contains(&name.as_str()) => value_error(
                format!("{name} leads a team; say how many walkers it has, as in walkers=5"),
            ),
            _ => value_error(error),
        });
    };
    Entrant::parse_for_team(text, preset, team.walkers_that_are_led()).map_err(
        |error| match error {
            SpecError::Unknown { .. } => {
                value_error(format!("{error}; {} lead teams", leaders.join(", ")))
            }
            other => value_error(other),
        },
    )
}
