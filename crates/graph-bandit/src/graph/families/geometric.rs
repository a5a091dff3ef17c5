//! The random geometric graph: points of the unit square, joined when near.

use super::connected::{Edges, TRIES, first_connected, push_within_limit};
use super::erdos_renyi::enough_probability;
use super::{FamilyError, NODES, Size};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::random::Seed;
use crate::spec::{FamilyEntry, Number, Range};

impl Graph {
    /// Uniform points in the unit square, joined if within `radius` of each other, given that the
    /// graph is connected. The nodes keep their coordinates.
    ///
    /// # Errors
    /// When a parameter is out of range, there would be too many edges, or no draw is connected (a
    /// radius of `1.5 sqrt(ln n / (pi n))` is enough).
    ///
    /// # Complexity
    /// O(|S| + |E|) expected per draw: only points of adjacent cells are compared.
    pub fn geometric(nodes: usize, radius: f64, seed: Seed) -> Result<Self, FamilyError> {
        if !(radius.is_finite() && radius >= 0.0) {
            return Err(FamilyError::NotARadius { given: radius });
        }
        size(nodes, radius).check()?;
        first_connected(nodes, seed, |stream| {
            let places: Vec<_> = (0..nodes).map(|_| [stream.unit(), stream.unit()]).collect();
            Ok((geometric_edges(&places, radius)?, Some(places)))
        })?
        .ok_or_else(|| FamilyError::NeverConnected {
            nodes,
            what: "radius",
            given: radius,
            tries: TRIES,
            enough: enough_radius(nodes),
            formula: "1.5 sqrt(ln n / (pi n))",
        })
    }
}

fn size(nodes: usize, radius: f64) -> Size {
    // The probability that two points of the unit square are within r <= 1 of each other.
    let r = radius.min(1.0);
    let pi = std::f64::consts::PI;
    Size::of_pairs(nodes, r * r * (pi - 8.0 / 3.0 * r + r * r / 2.0))
}

/// One and a half times the threshold of large graphs: at the threshold itself, nodes near the
/// sides of the square are still isolated, and with a hundred nodes hardly one draw in a thousand
/// is connected.
pub(super) fn enough_radius(nodes: usize) -> f64 {
    1.5 * (enough_probability(nodes) / std::f64::consts::PI).sqrt()
}

pub(super) fn geometric_edges(places: &[[f64; 2]], radius: f64) -> Result<Edges, FamilyError> {
    // Cells are slightly wider than the radius, so that rounding cannot put two neighbours more
    // than one cell apart. There are no more cells than points.
    let side = ((0.999 / radius) as usize).clamp(1, places.len().isqrt());
    let cell_of = |&[x, y]: &[f64; 2]| {
        let index = |coordinate: f64| ((coordinate * side as f64) as usize).min(side - 1);
        (index(x), index(y))
    };
    let mut starts = vec![0_usize; side * side + 1];
    for place in places {
        let (column, row) = cell_of(place);
        starts[row * side + column + 1] += 1;
    }
    for cell in 0..side * side {
        starts[cell + 1] += starts[cell];
    }
    let mut free = starts.clone();
    let mut members = vec![0 as NodeId; places.len()];
    for (node, place) in places.iter().enumerate() {
        let (column, row) = cell_of(place);
        let slot = &mut free[row * side + column];
        members[*slot] = node as NodeId;
        *slot += 1;
    }

    let mut edges = Vec::new();
    for (a, place) in places.iter().enumerate() {
        let (column, row) = cell_of(place);
        let (left, right) = (column.saturating_sub(1), (column + 1).min(side - 1));
        for row in row.saturating_sub(1)..=(row + 1).min(side - 1) {
            // The cells of one row are adjacent in memory: one run of candidates.
            let candidates = starts[row * side + left]..starts[row * side + right + 1];
            for &b in &members[candidates] {
                let [x, y] = places[b as usize];
                let (dx, dy) = (x - place[0], y - place[1]);
                if b as usize > a && dx * dx + dy * dy <= radius * radius {
                    push_within_limit(&mut edges, (a as NodeId, b))?;
                }
            }
        }
    }
    Ok(edges)
}

const RADIUS: Number = Number {
    name: "radius",
    help: "The largest distance between two nodes that are joined",
    when: "For n nodes, 1.5 sqrt(ln n / (pi n)) is enough for a connected graph. A larger radius \
        makes paths shorter.",
    default: None,
    range: Range::ZERO_OR_MORE,
};

pub(super) static GEOMETRIC: FamilyEntry = FamilyEntry {
    name: "geometric",
    summary: "random points in the unit square, joined within RADIUS; drawn again until connected",
    about: "Nodes are random points in a square of side 1, joined if they are near each other: a \
        simple model of a map. If the graph is not connected, it is drawn again. The seed decides \
        the graph, and all runs use the same one.",
    example: "geometric:1000,0.06",
    separator: ',',
    parameters: &[&NODES, &RADIUS],
    size: |values| size(values.get(&NODES), values.get(&RADIUS)),
    check: |_values| Ok(()),
    build: |values, seed| Graph::geometric(values.get(&NODES), values.get(&RADIUS), seed),
    program_self_place: SelfPlace::Ascending,
};
