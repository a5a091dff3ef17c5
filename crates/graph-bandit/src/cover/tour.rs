//! A short round tour through all nodes, improved until no small change shortens it.
//!
//! Distances are fastest travel times, so any node can follow any other. The tour starts as the
//! greedy one, which always goes to the nearest node not yet on it. Then pieces are moved elsewhere
//! as long as that shortens the tour (Or-opt). If travel times are symmetric, pieces are reversed
//! as well (2-opt).

use crate::graph::{Graph, NodeId};

/// The most nodes for which all distances are stored.
pub(super) const MOST_NODES: usize = 2_048;

/// The longest piece that is moved.
const LONGEST_PIECE: usize = 24;

/// The most improvement passes over the tour; hardly any tour needs as many.
const MOST_PASSES: usize = 200;

/// A smaller improvement is rounding.
const SHORTER: f64 = 1e-9;

/// A round tour: the nodes in order, and the position of each.
#[derive(Debug, Clone)]
pub(super) struct Tour {
    order: Vec<NodeId>,
    place: Vec<u32>,
}

impl Tour {
    /// A short tour of a connected graph.
    ///
    /// # Complexity
    /// O(|S| |E| log |S|) for the distances, then O(|S|^2) for every pass.
    pub(super) fn of(graph: &Graph) -> Self {
        let distances = Distances::of(graph);
        let mut order = by_nearest(&distances);
        for _ in 0..MOST_PASSES {
            let moved = move_pieces(&mut order, &distances);
            let turned = distances.is_symmetric && turn_pieces(&mut order, &distances);
            if !(moved || turned) {
                break;
            }
        }
        let mut place = vec![0; order.len()];
        for (at, &node) in (0..).zip(&order) {
            place[node as usize] = at;
        }
        Self { order, place }
    }

    /// The first node after `at` that is wanted.
    pub(super) fn after(&self, at: NodeId, wanted: impl Fn(NodeId) -> bool) -> Option<NodeId> {
        let (before, after) = self.order.split_at(self.place[at as usize] as usize);
        after.iter().chain(before).copied().find(|&node| wanted(node))
    }
}

/// The fastest travel times between all nodes.
struct Distances {
    nodes: usize,
    times: Vec<f64>,
    is_symmetric: bool,
}

impl Distances {
    fn of(graph: &Graph) -> Self {
        let times = graph.nodes().flat_map(|from| graph.times_from(from)).collect();
        let mut distances = Self { nodes: graph.len(), times, is_symmetric: true };
        let nodes = graph.nodes();
        distances.is_symmetric = graph.roads().is_none()
            || nodes.clone().all(|a| {
                nodes.clone().all(|b| (distances.time(a, b) - distances.time(b, a)).abs() < SHORTER)
            });
        distances
    }

    #[inline]
    fn time(&self, from: NodeId, to: NodeId) -> f64 {
        self.times[from as usize * self.nodes + to as usize]
    }
}

fn by_nearest(distances: &Distances) -> Vec<NodeId> {
    let mut left: Vec<NodeId> = (1..distances.nodes as NodeId).collect();
    let mut order = vec![0];
    let mut at = 0;
    while !left.is_empty() {
        let nearer = |&a: &usize, &b: &usize| {
            let time = |place: usize| distances.time(at, left[place]);
            time(a).total_cmp(&time(b)).then(left[a].cmp(&left[b]))
        };
        let Some(next) = (0..left.len()).min_by(nearer) else { break };
        at = left.swap_remove(next);
        order.push(at);
    }
    order
}

/// Moves pieces of up to [`LONGEST_PIECE`] nodes to where they cost least; returns whether any
/// moved.
fn move_pieces(order: &mut [NodeId], distances: &Distances) -> bool {
    let nodes = order.len();
    let mut moved = false;
    for first in 0..nodes {
        // The tour is rotated so that each piece begins at its head and none runs over its end.
        order.rotate_left(first % nodes);
        for length in 1..=LONGEST_PIECE.min(nodes.saturating_sub(2)) {
            let (head, tail) = (order[0], order[length - 1]);
            let (before, after) = (order[nodes - 1], order[length]);
            let saved = distances.time(before, head) + distances.time(tail, after)
                - distances.time(before, after);
            let rest = &order[length..];
            let added = rest.windows(2).map(|pair| {
                distances.time(pair[0], head) + distances.time(tail, pair[1])
                    - distances.time(pair[0], pair[1])
            });
            let Some((gap, added)) = added.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)) else {
                continue;
            };
            if added < saved - SHORTER {
                order[..=length + gap].rotate_left(length);
                moved = true;
                break;
            }
        }
        order.rotate_right(first % nodes);
    }
    moved
}

/// Reverses pieces where that shortens the tour; returns whether any was reversed.
fn turn_pieces(order: &mut [NodeId], distances: &Distances) -> bool {
    let nodes = order.len();
    let mut turned = false;
    for first in 1..nodes {
        for last in first + 1..nodes {
            let (before, after) = (order[first - 1], order[(last + 1) % nodes]);
            let (head, tail) = (order[first], order[last]);
            let saved = distances.time(before, head) + distances.time(tail, after);
            let added = distances.time(before, tail) + distances.time(head, after);
            if added < saved - SHORTER {
                order[first..=last].reverse();
                turned = true;
            }
        }
    }
    turned
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;
    use crate::random::Seed;

    fn length(order: &[NodeId], distances: &Distances) -> f64 {
        let next = order.iter().cycle().skip(1);
        order.iter().zip(next).map(|(&a, &b)| distances.time(a, b)).sum()
    }

    /// The shortest of all round tours, by brute force.
    fn by_trying(rest: &mut Vec<NodeId>, tour: &mut Vec<NodeId>, distances: &Distances) -> f64 {
        if rest.is_empty() {
            return length(tour, distances);
        }
        let mut least = f64::INFINITY;
        for place in 0..rest.len() {
            tour.push(rest.remove(place));
            least = least.min(by_trying(rest, tour, distances));
            rest.insert(place, tour.pop().unwrap_or_default());
        }
        least
    }

    #[test]
    fn tours_are_near_the_shortest() {
        let mut stream = Seed(5).stream();
        let (mut excess, mut shortest, mut improved) = (0.0, 0.0, 0);
        for _ in 0..60 {
            let nodes = 7;
            let round = (0..nodes).map(|s| (s, (s + 1) % nodes));
            let more: Vec<_> =
                (0..9).map(|_| (stream.below(7) as NodeId, stream.below(7) as NodeId)).collect();
            let roads: Vec<Road> = round
                .chain(more)
                .map(|(from, to)| Road { from, to, time: stream.below(6) as f64 })
                .collect();
            let graph = Graph::from_roads(nodes as usize, roads).unwrap();
            let distances = Distances::of(&graph);
            let tour = Tour::of(&graph);
            let best = by_trying(&mut (1..nodes).collect(), &mut vec![0], &distances);
            let found = length(&tour.order, &distances);
            assert!(found >= best - 1e-9);
            excess += found - best;
            shortest += best;
            improved += usize::from(found < length(&by_nearest(&distances), &distances) - 1e-9);
        }
        assert!(excess < 0.03 * shortest, "{excess} of {shortest}");
        assert!(improved > 10, "{improved}");
    }

    #[test]
    fn a_grid_tour_has_hardly_any_detour() {
        let grid = Graph::grid(6, 4).unwrap();
        let tour = Tour::of(&grid);
        let distances = Distances::of(&grid);
        assert!(length(&tour.order, &distances) <= 28.0, "{:?}", tour.order);
        assert_eq!(tour.after(tour.order[5], |node| node == tour.order[4]), Some(tour.order[4]));
        assert_eq!(tour.after(3, |_| false), None);
    }
}
