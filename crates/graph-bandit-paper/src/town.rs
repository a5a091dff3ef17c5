//! A town with road times, for experiments that need one without a map file: roads take whole units
//! of time, and a river leaves few ways across.

use graph_bandit::graph::{FamilyError, Graph, NodeId, Road, SelfPlace, Size};
use graph_bandit::spec::{Count, FamilyEntry};

/// Every such street is a main street.
const MAIN: NodeId = 4;
/// Time beyond a visit on the next stretch of a side street.
const SIDE_STREET: f64 = 1.0;
/// Time beyond a visit on a bridge.
const BRIDGE: f64 = 2.0;

pub(crate) static TOWN: FamilyEntry = FamilyEntry {
    name: "town",
    summary: "streets in a rectangle, with road times and a river",
    about: "Crossings in a rectangle, numbered row by row. Every fourth street is a main street, \
        where the next crossing is one step away. On side streets, that step takes one unit of \
        time longer. A river runs between two rows in the middle. Only main streets have bridges, \
        and a bridge takes two units longer.",
    example: "town:9x9",
    separator: 'x',
    parameters: &[&ROWS, &COLUMNS],
    size: |values| size(values.get(&ROWS), values.get(&COLUMNS)),
    check: |_values| Ok(()),
    build: |values, _seed| town(values.get(&ROWS), values.get(&COLUMNS)),
    program_self_place: SelfPlace::Ascending,
};

const ROWS: Count = Count {
    name: "rows",
    help: "The number of streets that run from left to right",
    when: "More crossings take longer to explore, and cause more regret.",
    default: None,
    least: 2,
    most: 10_000,
};
const COLUMNS: Count =
    Count { name: "columns", help: "The number of streets that run from top to bottom", ..ROWS };

fn size(rows: usize, columns: usize) -> Size {
    let along = rows * (columns - 1) + columns * (rows - 2);
    Size { nodes: rows * columns, edges: along + columns.div_ceil(MAIN as usize) }
}

fn town(rows: usize, columns: usize) -> Result<Graph, FamilyError> {
    size(rows, columns).check()?;
    let (height, width) = (rows as NodeId, columns as NodeId);
    // The last row north of the river.
    let bank = height / 2 - 1;
    let on_street = |street: NodeId| if street.is_multiple_of(MAIN) { 0.0 } else { SIDE_STREET };
    let node = |row: NodeId, column: NodeId| row * width + column;
    let mut roads = Vec::new();
    let mut both_ways = |from: NodeId, to: NodeId, time: f64| {
        roads.extend([Road { from, to, time }, Road { from: to, to: from, time }]);
    };
    for row in 0..height {
        for column in 0..width {
            if column + 1 < width {
                both_ways(node(row, column), node(row, column + 1), on_street(row));
            }
            let is_main = column.is_multiple_of(MAIN);
            match row {
                _ if row + 1 == height => {}
                _ if row == bank && is_main => {
                    both_ways(node(row, column), node(row + 1, column), BRIDGE);
                }
                _ if row == bank => {}
                _ => both_ways(node(row, column), node(row + 1, column), on_street(column)),
            }
        }
    }
    let graph = Graph::from_roads(rows * columns, roads)?;
    let places = graph.nodes().map(|v| [f64::from(v % width), f64::from(v / width)]).collect();
    Ok(graph.with_coordinates(places)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_main_streets_cross_the_river() {
        let graph = town(6, 6).unwrap();
        assert_eq!((graph.len(), graph.edge_count()), (36, size(6, 6).edges));
        // Rows 2 and 3 are the banks; columns 0 and 4 have bridges.
        let across = (0..6).map(|column| graph.travel(12 + column, 18 + column));
        let expected = [Some(2.0), None, None, None, Some(2.0), None];
        assert_eq!(across.collect::<Vec<_>>(), expected);
        assert_eq!((graph.travel(0, 1), graph.travel(6, 7)), (Some(0.0), Some(1.0)));
        assert_eq!((graph.travel(6, 0), graph.travel(7, 1)), (Some(0.0), Some(1.0)));
    }

    #[test]
    fn every_size_is_connected() {
        for (rows, columns) in [(2, 2), (2, 9), (3, 5), (17, 2), (9, 9), (30, 33)] {
            let graph = town(rows, columns).unwrap();
            assert_eq!(graph.edge_count(), size(rows, columns).edges, "{rows}x{columns}");
            assert!(graph.all_roads().all(|road| road.time.fract() == 0.0));
        }
    }
}
