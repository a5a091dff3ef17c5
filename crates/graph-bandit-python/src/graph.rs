//! Graphs with the user's labels.

use crate::errors::{of_lab, value_error};
use crate::labels::Labels;
use crate::map_options::MapOptions;
use crate::roads::{self, named};
use crate::ways;
use graph_bandit::graph::Roads;
use graph_bandit::{Graph as CoreGraph, NodeId, Preset, Seed, SelfPlace};
use graph_bandit_lab::GraphSource;
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::str::FromStr;
use std::sync::Arc;

/// A connected graph. Staying on a node is always allowed. Either its edges lead both ways and take no
/// time beyond the visit, or it has roads, which may run one way and take time.
///
/// `graph_bandit.graph` makes one from many sources.
#[pyclass(frozen, module = "graph_bandit", weakref)]
pub(crate) struct Graph {
    pub(crate) core: Arc<CoreGraph>,
    pub(crate) labels: Arc<Labels>,
    /// How preset `program` lists neighbourhoods.
    program_self_place: SelfPlace,
}

impl Graph {
    /// With neighbourhoods listed as the preset does.
    pub(crate) fn in_preset(&self, preset: Preset) -> Arc<CoreGraph> {
        match (preset, self.program_self_place) {
            (Preset::Program, place @ (SelfPlace::First | SelfPlace::Last)) => {
                Arc::new((*self.core).clone().with_self_place(place))
            }
            _ => Arc::clone(&self.core),
        }
    }

    /// The graph of a study in TOML, with the labels that `load` gives. Your own agents see
    /// neighbourhoods in ascending order in every preset.
    pub(crate) fn of_lab(py: Python<'_>, graph: &Arc<CoreGraph>) -> PyResult<Self> {
        let names = graph.names().map(|names| PyList::new(py, names)).transpose()?;
        let graph = (**graph).clone().with_self_place(SelfPlace::Ascending);
        Self::of(py, graph, names.as_ref(), SelfPlace::Ascending)
    }

    fn of(
        py: Python<'_>,
        graph: CoreGraph,
        labels: Option<&Bound<'_, PyList>>,
        program_self_place: SelfPlace,
    ) -> PyResult<Self> {
        let labels = Arc::new(Labels::new(py, graph.len(), labels)?);
        Ok(Self { core: Arc::new(graph), labels, program_self_place })
    }
}

#[pymethods]
impl Graph {
    /// A graph with `nodes` nodes from an array of edges, one row of two node numbers for each.
    #[new]
    #[pyo3(signature = (nodes, edges, labels=None, coordinates=None))]
    fn new(
        py: Python<'_>,
        nodes: usize,
        edges: &Bound<'_, PyArray2<i64>>,
        labels: Option<&Bound<'_, PyList>>,
        coordinates: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Self> {
        let edges = edges.readonly();
        let edges = edges.as_array();
        if edges.ncols() != 2 {
            return Err(PyValueError::new_err(format!(
                "edges have {} columns; give two node numbers per row",
                edges.ncols()
            )));
        }
        let mut pairs = Vec::with_capacity(edges.nrows());
        for row in edges.rows() {
            pairs.push((endpoint(row[0], nodes)?, endpoint(row[1], nodes)?));
        }
        let built = py.detach(|| CoreGraph::from_edges(nodes, pairs));
        let graph = placed(built.map_err(|error| named(&error, labels))?, coordinates)?;
        Self::of(py, graph, labels, SelfPlace::Ascending)
    }

    /// A graph with `nodes` nodes from an array of roads, which run one way: one row of two node numbers
    /// for each. `times` says how long each takes beyond the visit at its end, in units of one visit.
    #[staticmethod]
    #[pyo3(signature = (nodes, roads, times, labels=None, coordinates=None))]
    fn from_roads(
        py: Python<'_>,
        nodes: usize,
        roads: PyReadonlyArray2<'_, i64>,
        times: PyReadonlyArray1<'_, f64>,
        labels: Option<&Bound<'_, PyList>>,
        coordinates: Option<PyReadonlyArray2<'_, f64>>,
    ) -> PyResult<Self> {
        let roads = roads::read(nodes, &roads, &times)?;
        let built = py.detach(|| CoreGraph::from_roads(nodes, roads));
        let graph = placed(built.map_err(|error| named(&error, labels))?, coordinates)?;
        Self::of(py, graph, labels, SelfPlace::Ascending)
    }

    /// A graph from its rows: how many neighbours you list for each node, and the listed neighbours of all
    /// nodes one after another. Each edge may be listed once, or from both ends.
    #[staticmethod]
    #[pyo3(signature = (degrees, neighbors, labels=None))]
    fn from_rows(
        py: Python<'_>,
        degrees: PyReadonlyArray1<'_, i64>,
        neighbors: PyReadonlyArray1<'_, i64>,
        labels: Option<&Bound<'_, PyList>>,
    ) -> PyResult<Self> {
        let (degrees, neighbors) = (degrees.as_array(), neighbors.as_array());
        let nodes = degrees.len();
        let listed: i128 = degrees.iter().map(|&degree| i128::from(degree)).sum();
        if degrees.iter().any(|&degree| degree < 0) || listed != neighbors.len() as i128 {
            return Err(PyValueError::new_err(format!(
                "degrees add up to {listed}, but there are {} neighbours; give as many neighbours as degrees",
                neighbors.len()
            )));
        }
        let mut pairs = Vec::with_capacity(neighbors.len());
        let mut entries = neighbors.iter();
        for (node, &degree) in degrees.iter().enumerate() {
            for &other in entries.by_ref().take(usize::try_from(degree).unwrap_or(0)) {
                let other = endpoint(other, nodes)?;
                pairs.push((node as NodeId, other));
            }
        }
        let built = py.detach(|| CoreGraph::from_edges(nodes, pairs));
        let graph = built.map_err(|error| named(&error, labels))?;
        Self::of(py, graph, labels, SelfPlace::Ascending)
    }

    /// A graph from `text`: a family with its size, as in `grid:10x10`, or the path of a map file. `seed`
    /// is for random families. Returns the graph, and notes from reading the file.
    #[staticmethod]
    #[pyo3(signature = (text, seed=0, options=None))]
    fn load(
        py: Python<'_>,
        text: &str,
        seed: u64,
        options: Option<MapOptions>,
    ) -> PyResult<(Self, Vec<String>)> {
        let mut source = GraphSource::from_str(text).map_err(|error| of_lab(&error))?;
        if let Some(options) = options {
            source = source.with_options(options.reading()?);
            source = source.with_travel(options.travel()).map_err(|error| of_lab(&error))?;
        }
        let loaded = py.detach(|| source.load_noted(Seed(seed), Preset::Paper));
        let (graph, notes) = loaded.map_err(|error| of_lab(&error))?;
        let place = match &source {
            GraphSource::Family(spec) => spec.program_self_place(),
            GraphSource::File(_) => SelfPlace::Ascending,
        };
        let names = graph.names().map(|names| PyList::new(py, names)).transpose()?;
        let notes = notes.iter().map(ToString::to_string).collect();
        Ok((Self::of(py, graph, names.as_ref(), place)?, notes))
    }

    fn __len__(&self) -> usize {
        self.core.len()
    }

    fn __repr__(&self) -> String {
        let nodes = counted(self.core.len() as u64, "node");
        let roads = counted(self.core.road_count() as u64, "road");
        match self.core.roads() {
            None => {
                format!("<Graph of {nodes}, {}>", counted(self.core.edge_count() as u64, "edge"))
            }
            Some(all) if all.take_time() => format!("<Graph of {nodes}, {roads} with times>"),
            Some(_) => format!("<Graph of {nodes}, {roads}>"),
        }
    }

    fn __contains__(&self, node: &Bound<'_, PyAny>) -> bool {
        self.labels.number(node).is_ok()
    }

    /// How many edges there are, without self-loops; roads between the same two nodes count once.
    #[getter]
    fn edge_count(&self) -> usize {
        self.core.edge_count()
    }

    /// The labels of all nodes, by number.
    #[getter]
    fn nodes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let all: Vec<NodeId> = self.core.nodes().collect();
        self.labels.tuple(py, &all)
    }

    /// Your labels, by node number; `None` if the nodes have only numbers.
    #[getter]
    fn labels<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyList>>> {
        self.labels.own(py)
    }

    /// The edges as an array of node numbers, each edge once, the lower number first.
    fn edge_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let ends: Vec<i64> =
            self.core.edges().flat_map(|(a, b)| [i64::from(a), i64::from(b)]).collect();
        ends.into_pyarray(py).reshape([self.core.edge_count(), 2])
    }

    /// Whether some road has no road back, or one that takes a different time.
    #[getter]
    fn directed(&self) -> bool {
        roads::are_directed(&self.core)
    }

    /// Whether some road takes time beyond the visit at its end.
    #[getter]
    fn takes_time(&self) -> bool {
        self.core.roads().is_some_and(Roads::take_time)
    }

    /// Whether some road runs one way or takes time; then walks count units of time.
    #[getter]
    fn has_roads(&self) -> bool {
        self.core.roads().is_some()
    }

    /// How many roads there are; a road in both directions counts twice.
    #[getter]
    fn road_count(&self) -> usize {
        self.core.road_count()
    }

    /// The roads as an array of node numbers, from and to, ascending; an edge that leads both ways has
    /// two rows.
    fn road_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        roads::ends(py, &self.core)
    }

    /// The times of the roads beyond the visit at their end, in the order of `road_array`.
    fn road_times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        roads::times(py, &self.core)
    }

    /// How long the road from `a` to `b` takes beyond the visit; 0 for staying, `None` if there is no
    /// road.
    fn travel(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<Option<f64>> {
        Ok(self.core.travel(self.labels.number(a)?, self.labels.number(b)?))
    }

    /// The least time from `node` to every node, by number, including visits on the way and at the end.
    fn times_from<'py>(
        &self,
        py: Python<'py>,
        node: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let node = self.labels.number(node)?;
        Ok(py.detach(|| self.core.times_from(node)).into_pyarray(py))
    }

    /// The least time from every node, by number, to `node`, including visits on the way and at the end.
    fn times_to<'py>(
        &self,
        py: Python<'py>,
        node: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let node = self.labels.number(node)?;
        Ok(py.detach(|| self.core.times_to(node)).into_pyarray(py))
    }

    /// The time of the longest of all fastest ways, including visits; the diameter, if no road takes
    /// time.
    fn time_diameter(&self, py: Python<'_>) -> f64 {
        py.detach(|| self.core.time_diameter())
    }

    /// The coordinates of the nodes, one row each; `None` if the graph has none.
    #[getter]
    fn coordinates<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let Some(places) = self.core.coordinates() else { return Ok(None) };
        let flat: Vec<f64> = places.iter().flatten().copied().collect();
        flat.into_pyarray(py).reshape([places.len(), 2]).map(Some)
    }

    /// The number of the node with this label.
    fn number(&self, node: &Bound<'_, PyAny>) -> PyResult<NodeId> {
        self.labels.number(node)
    }

    /// The label of the node with this number.
    fn label<'py>(&self, py: Python<'py>, number: i64) -> PyResult<Bound<'py, PyAny>> {
        let number = endpoint(number, self.core.len())?;
        self.labels.label(py, number)
    }

    /// The nodes that one step can reach, including the node itself.
    fn neighborhood<'py>(
        &self,
        py: Python<'py>,
        node: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let number = self.labels.number(node)?;
        self.labels.tuple(py, self.core.neighborhood(number))
    }

    /// The nodes that one step can reach, without the node itself.
    fn neighbors<'py>(
        &self,
        py: Python<'py>,
        node: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let number = self.labels.number(node)?;
        let others: Vec<NodeId> = self.core.neighbors(number).filter(|&v| v != number).collect();
        self.labels.tuple(py, &others)
    }

    /// The fewest steps from `a` to `b`.
    fn hops(&self, a: &Bound<'_, PyAny>, b: &Bound<'_, PyAny>) -> PyResult<u32> {
        Ok(self.core.hops(self.labels.number(a)?, self.labels.number(b)?))
    }

    /// The fewest steps from `node` to every node, by number.
    fn hops_from<'py>(
        &self,
        py: Python<'py>,
        node: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let node = self.labels.number(node)?;
        Ok(py.detach(|| ways::hops_from(&self.core, node)).into_pyarray(py))
    }

    /// The fastest way from `a` to `b`, or the one with the fewest steps if roads take no time: the nodes
    /// after `a`, up to `b`. Of equal ways it is the one whose next node has the lowest number.
    fn path<'py>(
        &self,
        py: Python<'py>,
        a: &Bound<'py, PyAny>,
        b: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let ends = (self.labels.number(a)?, self.labels.number(b)?);
        let path = py.detach(|| ways::fastest(&self.core, ends));
        self.labels.tuple(py, &path)
    }

    /// The numbers of the nodes that one step can reach from node `number`, including itself.
    fn neighborhood_numbers<'py>(
        &self,
        py: Python<'py>,
        number: i64,
    ) -> PyResult<Bound<'py, PyArray1<i64>>> {
        let number = endpoint(number, self.core.len())?;
        let row = self.core.neighborhood(number).iter().map(|&node| i64::from(node));
        Ok(row.collect::<Vec<_>>().into_pyarray(py))
    }

    /// The longest of all shortest paths, in hops.
    fn diameter(&self, py: Python<'_>) -> u32 {
        py.detach(|| self.core.diameter())
    }

    /// The graph itself: it never changes, and a copy of a label may not equal the label.
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    /// The graph itself: it never changes, and a copy of a label may not equal the label.
    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'py, PyAny>) -> Bound<'py, Self> {
        slf
    }

    /// The parts from which pickle makes the graph again.
    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyTuple>> {
        let py = slf.py();
        let this = slf.get();
        let module = py.import("graph_bandit.graphs")?;
        let (nodes, labels, places) = (this.core.len(), this.labels(py)?, this.coordinates(py)?);
        if this.core.roads().is_some() {
            let (ends, times) = (this.road_array(py)?, this.road_times(py));
            let parts = (nodes, ends, times, labels, places);
            return (module.getattr("_unpickle_roads")?, parts).into_pyobject(py);
        }
        let parts = (nodes, this.edge_array(py)?, labels, places, this.program_self_place());
        (module.getattr("_unpickle")?, parts).into_pyobject(py)
    }

    /// How preset `program` lists neighbourhoods.
    #[getter(_program_self_place)]
    fn program_self_place(&self) -> &'static str {
        match self.program_self_place {
            SelfPlace::Ascending => "ascending",
            SelfPlace::First => "first",
            SelfPlace::Last => "last",
        }
    }

    /// The same graph with another order of neighbourhoods in preset `program`.
    fn _with_program_self_place(&self, place: &str) -> PyResult<Self> {
        let program_self_place = match place {
            "ascending" => SelfPlace::Ascending,
            "first" => SelfPlace::First,
            "last" => SelfPlace::Last,
            other => {
                return Err(PyValueError::new_err(format!(
                    "there is no place {other:?}; the places are ascending, first and last"
                )));
            }
        };
        let (core, labels) = (Arc::clone(&self.core), Arc::clone(&self.labels));
        Ok(Self { core, labels, program_self_place })
    }
}

/// Sets the coordinates, if an array is given.
fn placed(graph: CoreGraph, coordinates: Option<PyReadonlyArray2<'_, f64>>) -> PyResult<CoreGraph> {
    let Some(places) = coordinates else { return Ok(graph) };
    let places = places.as_array();
    if places.ncols() != 2 {
        return Err(PyValueError::new_err(format!(
            "coordinates have {} columns; give two numbers per node",
            places.ncols()
        )));
    }
    let places = places.rows().into_iter().map(|row| [row[0], row[1]]).collect();
    graph.with_coordinates(places).map_err(value_error)
}

/// A number of things: "1 edge", "2 edges".
pub(crate) fn counted(number: u64, thing: &str) -> String {
    format!("{number} {thing}{}", if number == 1 { "" } else { "s" })
}

/// The node of this number, if it exists.
pub(crate) fn endpoint(number: i64, nodes: usize) -> PyResult<NodeId> {
    let node = usize::try_from(number).ok().filter(|&node| node < nodes);
    let unknown = || {
        crate::errors::UnknownNodeError::new_err(format!(
            "there is no node number {number}; the numbers are 0 to {}",
            nodes.saturating_sub(1)
        ))
    };
    node.map(|node| node as NodeId).ok_or_else(unknown)
}
