//! The options for reading a map file, as Python keyword arguments.

use graph_bandit_maps::{Component, Directions, ReadOptions, Travel, Ways};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The keyword arguments of `read_map`.
#[derive(FromPyObject)]
pub(crate) struct MapOptions {
    largest_component: bool,
    format: Option<String>,
    ways: String,
    directed: bool,
    times: Option<String>,
    speed: Option<f64>,
    visit_time: Option<f64>,
}

impl MapOptions {
    /// How to read the file, without its roads.
    pub(crate) fn reading(&self) -> PyResult<ReadOptions> {
        let ways = match self.ways.as_str() {
            "walk" => Ways::Walkable,
            "drive" => Ways::Drivable,
            other => {
                return Err(PyValueError::new_err(format!(
                    "ways is {other:?}; give \"walk\" or \"drive\""
                )));
            }
        };
        let format = self.format.as_deref().map(str::parse).transpose();
        Ok(ReadOptions {
            format: format.map_err(PyValueError::new_err)?,
            component: if self.largest_component { Component::Largest } else { Component::Only },
            ways,
            ..ReadOptions::default()
        })
    }

    /// Which of the file's directions and times to use.
    pub(crate) fn travel(&self) -> Travel {
        Travel {
            directions: if self.directed { Directions::OneWay } else { Directions::LeftOut },
            times: self.times.clone(),
            speed: self.speed,
            visit_time: self.visit_time,
        }
    }
}
