//! Lower bounds on the time of trips, from the map alone.
//!
//! On roads that run one way or take time, every landmark `L` gives two (triangle inequality): a
//! trip from `a` to `b` takes at least `time(L, b) - time(L, a)` and `time(a, L) - time(b, L)`. In
//! short, at least `x(b) - x(a)`, with `x(v) = time(L, v)` or `x(v) = -time(v, L)`.

use crate::graph::{Graph, Landmarks, NodeId};
use crate::plan::{CheapestPaths, Heading, RoadCosts};

/// The number of landmarks.
const LANDMARKS: usize = 4;

/// How far rounding may move a bound, as a share of both of its terms.
const ROUNDING: f64 = 2e-7;

/// Lower bounds on the time of trips: their hops and the time of their roads.
#[derive(Debug, Clone)]
pub(super) enum Distances {
    /// Roads lead both ways and take no time.
    Hops(Landmarks),
    /// Roads run one way or take time.
    Times(Times),
}

/// What landmarks say on roads that run one way or take time.
#[derive(Debug, Clone)]
pub(super) struct Times {
    /// All `x` of the first node, then all of the second, and so on.
    rows: Vec<f32>,
    /// Whether times may change: then the bounds are on hops.
    pub(super) may_change: bool,
}

/// The `x` of a node: two for each landmark.
const WIDTH: usize = 2 * LANDMARKS;

impl Distances {
    /// Searches from landmarks, each far from the others. Every node must reach every other.
    pub(super) fn of(graph: &Graph) -> Self {
        if graph.roads().is_none() {
            return Self::Hops(Landmarks::with_width(graph, LANDMARKS));
        }
        Self::Times(Times::of(graph))
    }

    /// Whether these are bounds on this graph, which has the edges of the one they were made for.
    pub(super) fn hold_on(&self, graph: &Graph) -> bool {
        match self {
            Self::Hops(_) => true,
            Self::Times(times) => times.may_change == graph.is_believed(),
        }
    }

    /// A lower bound on the time of a trip.
    #[inline]
    pub(super) fn bound(&self, from: NodeId, to: NodeId) -> f64 {
        match self {
            Self::Hops(landmarks) => f64::from(landmarks.bound(from, to)),
            Self::Times(times) => {
                let (here, there) = (times.row(from).iter(), times.row(to).iter());
                here.zip(there).map(|(&a, &b)| apart(a.into(), b.into())).fold(0.0, f64::max)
            }
        }
    }

    /// Numbers `x` such that a trip from `a` to `b` takes at least [`apart`]`(x(a), x(b))`; as many
    /// for every node.
    pub(super) fn coordinates(&self, node: NodeId) -> Vec<f64> {
        match self {
            Self::Hops(landmarks) => {
                let hops = landmarks.distances(node).map(f64::from);
                hops.flat_map(|hops| [hops, -hops]).collect()
            }
            Self::Times(times) => times.row(node).iter().copied().map(f64::from).collect(),
        }
    }
}

/// A lower bound on the time of a trip between nodes with these coordinates.
#[inline]
pub(super) fn apart(from: f64, to: f64) -> f64 {
    to - from - ROUNDING * (from.abs() + to.abs())
}

impl Times {
    fn of(graph: &Graph) -> Self {
        let may_change = graph.is_believed();
        let mut rows = vec![0.0; WIDTH * graph.len()];
        let mut paths = CheapestPaths::default();
        let costs = RoadCosts { entry: |_| 1.0, time: if may_change { 0.0 } else { 1.0 } };
        // The cost of a path leaves out the visit at its end.
        let mut times = |heading, landmark| -> Vec<f64> {
            paths.search_all_roads((graph, heading), &costs, [landmark]);
            let time = |node| if node == landmark { 0.0 } else { paths.cost(node) + 1.0 };
            graph.nodes().map(time).collect()
        };
        // The time of a round trip to the nearest landmark; before the first, to node 0.
        let mut nearest = vec![f64::INFINITY; graph.len()];
        let mut landmark = 0;
        for number in 0..=LANDMARKS {
            let (from, to) = (times(Heading::FromHere, landmark), times(Heading::There, landmark));
            let first = if number == 1 { f64::INFINITY } else { 0.0 };
            for (place, nearest) in nearest.iter_mut().enumerate() {
                *nearest = nearest.max(first).min(from[place] + to[place]);
                if number > 0 {
                    let column = WIDTH * place + 2 * (number - 1);
                    rows[column] = from[place] as f32;
                    rows[column + 1] = -to[place] as f32;
                }
            }
            let farthest = graph
                .nodes()
                .rev()
                .max_by(|&a, &b| nearest[a as usize].total_cmp(&nearest[b as usize]));
            landmark = farthest.unwrap_or(0);
        }
        Self { rows, may_change }
    }

    #[inline]
    fn row(&self, node: NodeId) -> &[f32] {
        &self.rows[WIDTH * node as usize..][..WIDTH]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;
    use crate::random::Seed;

    #[test]
    fn no_trip_takes_less_time_than_the_bound() {
        let mut stream = Seed(31).stream();
        let mut close = 0;
        for case in 0..12 {
            let nodes = 150;
            let mut roads = Vec::new();
            for from in 0..nodes {
                let far = stream.below(nodes.into()) as NodeId;
                for to in [(from + 1) % nodes, (from + 12) % nodes, far] {
                    let time = [0.0, 3.0 * stream.unit(), 1e6][stream.below(3 - case % 2) as usize];
                    roads.push(Road { from, to, time });
                }
            }
            roads.retain(|road| road.from != road.to);
            let mut graph = Graph::from_roads(nodes as usize, roads).unwrap();
            if case % 3 == 2 {
                graph = graph.believed();
            }
            let distances = Distances::of(&graph);
            if case % 3 == 2 {
                for road in graph.all_roads().collect::<Vec<_>>() {
                    graph.believe((road.from, road.to), stream.unit());
                }
            }
            assert!(distances.hold_on(&graph));
            assert_eq!(distances.hold_on(&graph.believed()), case % 3 == 2);
            for from in graph.nodes().step_by(7) {
                let here = distances.coordinates(from);
                for (to, time) in graph.nodes().zip(graph.times_from(from)) {
                    let bound = distances.bound(from, to);
                    assert!((0.0..=time).contains(&bound), "{case} {from} {to} {bound} {time}");
                    close += usize::from(bound > 0.5 * time);
                    let there = distances.coordinates(to);
                    assert!(here.iter().zip(&there).all(|(&a, &b)| apart(a, b) <= bound));
                }
            }
        }
        assert!(close > 3_000, "{close}");
    }
}
