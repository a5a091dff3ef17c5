//! All integration tests of the crate in one program, so that shared code is compiled once.

mod bad_input;
mod literal;
mod one_way;
mod reference;
mod uct;
mod worst_case;

use graph_bandit::random::Stream;
use graph_bandit_route::{Directions, Network, Road, Trip};

const FILES: [(&str, &str); 5] = [
    ("ctp5-00", include_str!("../../../../examples/roads/ctp5-00.csv")),
    ("ctp5-01", include_str!("../../../../examples/roads/ctp5-01.csv")),
    ("ctp5-03", include_str!("../../../../examples/roads/ctp5-03.csv")),
    ("ctp20-00", include_str!("../../../../examples/roads/ctp20-00.csv")),
    ("ctp20-01", include_str!("../../../../examples/roads/ctp20-01.csv")),
];

/// A trip from node 0 to the last node of a file in `examples/roads`.
fn trip(name: &str) -> Trip {
    let (_, text) = FILES.iter().find(|(file, _)| *file == name).unwrap();
    let roads: Vec<Road> = text.lines().skip(1).map(road).collect();
    let last = roads.iter().map(|road| road.source.max(road.target)).max().unwrap();
    let network = Network::new(last as usize + 1, roads, Directions::Both).unwrap();
    Trip::new(network, 0, last).unwrap()
}

fn road(line: &str) -> Road {
    let fields: Vec<&str> = line.split(',').collect();
    Road {
        source: fields[0].parse().unwrap(),
        target: fields[1].parse().unwrap(),
        time: fields[2].parse().unwrap(),
        open: fields[3].parse().unwrap(),
    }
}

/// A random trip on this many nodes and roads, with ties, roads that take no time and certain
/// roads; `None` if nothing leads to the goal.
fn random_trip(
    stream: &mut Stream,
    (nodes, roads): (u32, u64),
    directions: Directions,
) -> Option<Trip> {
    let mut road = || {
        let source = stream.below(nodes.into()) as u32;
        let target = (source + 1 + stream.below(u64::from(nodes) - 1) as u32) % nodes;
        let open = [0.0, 1.0, 0.1, 0.5, stream.unit(), stream.unit()][stream.below(6) as usize];
        Road { source, target, time: stream.below(7) as f64, open }
    };
    let roads = (0..roads).map(|_| road()).collect();
    let network = Network::new(nodes as usize, roads, directions).unwrap();
    Trip::new(network, 0, nodes - 1).ok()
}
