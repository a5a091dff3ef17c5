//! The grid (Section V-A).

use super::{FamilyError, Size};
use crate::graph::{Graph, MAX_NODES, NodeId, SelfPlace};
use crate::spec::{Count, FamilyEntry};

impl Graph {
    /// The grid numbered row by row, drawn with the first row at y = 0.
    ///
    /// # Errors
    /// When there are no nodes or too many.
    pub fn grid(rows: usize, columns: usize) -> Result<Self, FamilyError> {
        size(rows, columns).check()?;
        let (nodes, width) = (rows * columns, columns as NodeId);
        let edges = (0..nodes as NodeId).flat_map(|v| {
            let left = (v % width != 0).then(|| (v - 1, v));
            let above = (v >= width).then(|| (v - width, v));
            left.into_iter().chain(above)
        });
        let graph = Self::from_edges(nodes, edges)?;
        let place = |v| [f64::from(v % width), f64::from(v / width)];
        let places = graph.nodes().map(place).collect();
        Ok(graph.with_coordinates(places)?)
    }
}

const ROWS: Count = Count {
    name: "rows",
    help: "The number of rows",
    when: "More nodes take longer to explore, and cause more regret.",
    default: None,
    least: 1,
    most: MAX_NODES,
};
const COLUMNS: Count = Count {
    name: "columns",
    help: "The number of columns",
    when: "More nodes take longer to explore, and cause more regret.",
    ..ROWS
};

fn size(rows: usize, columns: usize) -> Size {
    let across = rows.saturating_mul(columns.saturating_sub(1));
    let down = columns.saturating_mul(rows.saturating_sub(1));
    Size { nodes: rows.saturating_mul(columns), edges: across.saturating_add(down) }
}

pub(super) static GRID: FamilyEntry = FamilyEntry {
    name: "grid",
    summary: "a rectangle numbered row by row",
    about: "A rectangle of nodes, each joined to the nodes left, right, above and below. Nodes \
        are numbered row by row from 0.",
    example: "grid:10x10",
    separator: 'x',
    parameters: &[&ROWS, &COLUMNS],
    size: |values| size(values.get(&ROWS), values.get(&COLUMNS)),
    check: |_values| Ok(()),
    build: |values, _seed| Graph::grid(values.get(&ROWS), values.get(&COLUMNS)),
    program_self_place: SelfPlace::Last,
};
