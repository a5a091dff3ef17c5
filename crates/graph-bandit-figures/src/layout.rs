//! Positions for the nodes of a graph without coordinates.
//!
//! Shapes with a well-known picture get it: complete graphs a circle, stars a hub, trees their
//! levels, brooms a handle. All others are laid out by springs whose lengths are hop counts (stress
//! majorization after Gansner, Koren and North), from a fixed start, so that the same graph always
//! looks the same. The rejected alternative, repelling forces after Fruchterman and Reingold, needs
//! a cooling schedule and folds long paths.

use graph_bandit::{Graph, NodeId};
use std::collections::VecDeque;
use std::f64::consts::{PI, TAU};

/// The layout of a graph, y downward, whatever its coordinates; see
/// [`places_of`](super::places_of).
///
/// # Complexity
/// O(|S| + |E|) for the shapes above, else O(p (|S| + |E|)) time and O(p |S|) memory per sweep with
/// p at most 128 pivots.
pub fn layout_of(graph: &Graph) -> Vec<[f64; 2]> {
    let nodes = graph.len();
    match Shape::of(graph) {
        Shape::Tree => Tree::of(graph).places(),
        Shape::Complete => (0..nodes).map(|i| on_circle(i as f64 / nodes as f64)).collect(),
        Shape::Other => springs(graph),
    }
}

/// The cost of [`layout_of`], in steps of a breadth-first search.
pub fn layout_work(graph: &Graph) -> u64 {
    let (nodes, size) = (graph.len(), graph.len() + graph.edge_count());
    match Shape::of(graph) {
        Shape::Tree | Shape::Complete => size as u64,
        Shape::Other => {
            let pivots = nodes.min(PIVOTS);
            let searches = pivots as u64 * size as u64;
            // About six terms of a sum take as long as a step.
            searches + sweeps(nodes) as u64 * (nodes * pivots) as u64 / 6
        }
    }
}

/// The shapes recognized by counting.
enum Shape {
    Tree,
    Complete,
    Other,
}

impl Shape {
    fn of(graph: &Graph) -> Self {
        let nodes = graph.len();
        if graph.edge_count() + 1 == nodes {
            Self::Tree
        } else if graph.edge_count() == nodes * (nodes - 1) / 2 {
            Self::Complete
        } else {
            Self::Other
        }
    }
}

/// A place on the unit circle, clockwise from the top.
fn on_circle(turn: f64) -> [f64; 2] {
    [libm::sin(TAU * turn), -libm::cos(TAU * turn)]
}

/// A tree rooted at node 0.
struct Tree {
    /// Children of each node, ascending.
    children: Vec<Vec<NodeId>>,
    depth: Vec<u32>,
    /// Nodes by depth.
    order: Vec<NodeId>,
}

impl Tree {
    fn of(graph: &Graph) -> Self {
        let depth = hops(graph, 0);
        let mut order: Vec<NodeId> = graph.nodes().collect();
        order.sort_by_key(|&node| (depth[node as usize], node));
        let below = |node: NodeId| {
            graph.neighbors(node).filter(|&v| depth[v as usize] > depth[node as usize]).collect()
        };
        let children = graph.nodes().map(below).collect();
        Self { children, depth, order }
    }

    fn places(&self) -> Vec<[f64; 2]> {
        let nodes = self.depth.len();
        if nodes > 2 && self.children[0].len() == nodes - 1 {
            let ring = |i: usize| on_circle((i - 1) as f64 / (nodes - 1) as f64);
            return (0..nodes).map(|i| if i == 0 { [0.0, 0.0] } else { ring(i) }).collect();
        }
        if let Some(places) = self.broom() {
            return places;
        }
        let (across, leaves) = self.across();
        let depth = |node: usize| f64::from(self.depth[node]);
        let deepest = self.depth.iter().copied().max().unwrap_or(0);
        let place = |node: usize| {
            if leaves > 24 {
                let [x, y] = on_circle(across[node] / leaves as f64);
                [x * depth(node), y * depth(node)]
            } else {
                // As high as wide, within limits.
                let level = (0.75 * leaves as f64 / f64::from(deepest.max(1))).clamp(0.8, 3.0);
                [across[node], level * depth(node)]
            }
        };
        (0..nodes).map(place).collect()
    }

    /// Leaves side by side, parents above the middle of their children.
    fn across(&self) -> (Vec<f64>, usize) {
        let mut across = vec![0.0; self.depth.len()];
        let mut leaves = 0;
        let mut stack: Vec<NodeId> = vec![0];
        while let Some(node) = stack.pop() {
            let children = &self.children[node as usize];
            if children.is_empty() {
                across[node as usize] = leaves as f64;
                leaves += 1;
            }
            stack.extend(children.iter().rev());
        }
        for &node in self.order.iter().rev() {
            if let [first, .., last] | [first @ last] = self.children[node as usize][..] {
                across[node as usize] = 0.5 * (across[first as usize] + across[last as usize]);
            }
        }
        (across, leaves)
    }

    /// A handle from left to right with bristles on an arc, if the tree has this shape.
    fn broom(&self) -> Option<Vec<[f64; 2]>> {
        let end = *self.order.iter().find(|&&node| self.children[node as usize].len() != 1)?;
        let bristles = &self.children[end as usize];
        if bristles.iter().any(|&node| !self.children[node as usize].is_empty()) {
            return None;
        }
        let handle = f64::from(self.depth[end as usize]);
        let mut places: Vec<[f64; 2]> = self.depth.iter().map(|&d| [f64::from(d), 0.0]).collect();
        let count = bristles.len() as f64;
        let reach = (count / PI).max(1.0);
        for (i, &node) in bristles.iter().enumerate() {
            let turn = 0.25 + 0.36 * ((i as f64 + 0.5) / count - 0.5);
            let [x, y] = on_circle(turn);
            places[node as usize] = [handle + reach * x, reach * y];
        }
        Some(places)
    }
}

fn hops(graph: &Graph, from: NodeId) -> Vec<u32> {
    let mut hops = vec![u32::MAX; graph.len()];
    hops[from as usize] = 0;
    let mut queue = VecDeque::from([from]);
    while let Some(node) = queue.pop_front() {
        for next in graph.neighbors(node) {
            if hops[next as usize] == u32::MAX {
                hops[next as usize] = hops[node as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    hops
}

fn farthest(hops: &[u32]) -> NodeId {
    (0..hops.len()).max_by_key(|&i| (hops[i], std::cmp::Reverse(i))).unwrap_or(0) as NodeId
}

const PIVOTS: usize = 128;
/// Work beyond which sweeps are cut short, in terms of a sum.
const EFFORT: usize = 200_000_000;

/// How often all nodes of a graph are moved.
fn sweeps(nodes: usize) -> usize {
    (EFFORT / (nodes * nodes.min(PIVOTS))).clamp(5, 150)
}

/// Every node moves to the weighted mean of the positions that the pivots and its neighbours want:
/// at its hop distance, in its current direction; weights are `1 / hops^2`.
fn springs(graph: &Graph) -> Vec<[f64; 2]> {
    let nodes = graph.len();
    let count = nodes.min(PIVOTS);
    let pivots: Vec<NodeId> = (0..count).map(|k| (k * nodes / count) as NodeId).collect();
    let wanted: Vec<Vec<u32>> = pivots.iter().map(|&pivot| hops(graph, pivot)).collect();

    // Begin with the distances from one end and from a node far to the side: such a drawing is
    // already unfolded, and at most bent.
    let one_end = farthest(&hops(graph, 0));
    let from_end = hops(graph, one_end);
    let other_end = hops(graph, farthest(&from_end));
    let imbalance = |i: usize| {
        (i64::from(from_end[i]) - i64::from(other_end[i])).abs() - i64::from(from_end[i])
    };
    let side = (0..nodes).min_by_key(|&i| (imbalance(i), i)).unwrap_or(0) as NodeId;
    let from_side = hops(graph, side);
    let mut places: Vec<[f64; 2]> = (0..nodes)
        .map(|i| {
            // A golden spiral keeps nodes with equal distances apart.
            let [x, y] = on_circle(0.381_966_011 * i as f64);
            [f64::from(from_end[i]) + 0.3 * x, f64::from(from_side[i]) + 0.3 * y]
        })
        .collect();

    for _ in 0..sweeps(nodes) {
        for i in 0..nodes {
            let mut pull = Pull::default();
            for (pivot, wanted) in pivots.iter().zip(&wanted) {
                pull.add(places[i], places[*pivot as usize], wanted[i]);
            }
            for next in graph.neighbors(i as NodeId) {
                pull.add(places[i], places[next as usize], 1);
            }
            places[i] = pull.mean(places[i]);
        }
    }
    upright(places)
}

#[derive(Default)]
struct Pull {
    sum: [f64; 2],
    weight: f64,
}

impl Pull {
    fn add(&mut self, from: [f64; 2], to: [f64; 2], hops: u32) {
        if hops == 0 {
            return;
        }
        let length = f64::from(hops);
        let weight = 1.0 / (length * length);
        let away = [from[0] - to[0], from[1] - to[1]];
        let stretch = length / (away[0] * away[0] + away[1] * away[1]).sqrt().max(1e-9);
        for (axis, sum) in self.sum.iter_mut().enumerate() {
            *sum += weight * (to[axis] + stretch * away[axis]);
        }
        self.weight += weight;
    }

    fn mean(&self, otherwise: [f64; 2]) -> [f64; 2] {
        if self.weight > 0.0 { self.sum.map(|sum| sum / self.weight) } else { otherwise }
    }
}

/// Rotates the places so that the longest direction is horizontal: panels are wider than high.
fn upright(places: Vec<[f64; 2]>) -> Vec<[f64; 2]> {
    let count = places.len() as f64;
    let mean = [0, 1].map(|axis| places.iter().map(|p| p[axis]).sum::<f64>() / count);
    let [mut xx, mut xy, mut yy] = [0.0; 3];
    for [x, y] in &places {
        let (x, y) = (x - mean[0], y - mean[1]);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let angle = 0.5 * libm::atan2(2.0 * xy, xx - yy);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let turn = |[x, y]: [f64; 2]| {
        let (x, y) = (x - mean[0], y - mean[1]);
        [x * cos + y * sin, y * cos - x * sin]
    };
    places.into_iter().map(turn).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::places_of;

    fn close(a: [f64; 2], b: [f64; 2]) -> bool {
        libm::hypot(a[0] - b[0], a[1] - b[1]) < 1e-9
    }

    #[test]
    fn shapes_by_hand() {
        let star = places_of(&Graph::star(5).unwrap());
        assert_eq!(star[0], [0.0, 0.0]);
        assert!(close(star[1], [0.0, -1.0]) && close(star[2], [1.0, 0.0]));
        let complete = places_of(&Graph::complete(4).unwrap());
        assert!(close(complete[2], [0.0, 1.0]));
        let tree = places_of(&Graph::tree(7, 2).unwrap());
        assert_eq!((tree[3][0], tree[1][0], tree[0][0]), (0.0, 0.5, 1.5));
        assert!(tree[0][1] < tree[1][1] && tree[1][1] < tree[3][1]);
        let broom = places_of(&Graph::broom(7, 4).unwrap());
        assert_eq!((broom[0], broom[3]), ([0.0, 0.0], [3.0, 0.0]));
        assert!(close(broom[5], [4.0, 0.0]), "{broom:?}");
        assert_eq!(places_of(&Graph::grid(2, 2).unwrap())[3], [1.0, 1.0]);
        assert_eq!(places_of(&Graph::from_edges(1, []).unwrap()).len(), 1);
    }

    #[test]
    fn springs_keep_hops_and_are_always_the_same() {
        let edges = (0..12_u32).map(|i| (i, (i + 1) % 12));
        let ring = Graph::from_edges(12, edges).unwrap();
        let places = places_of(&ring);
        assert_eq!(places, places_of(&ring));
        let distance = |a: usize, b: usize| {
            libm::hypot(places[a][0] - places[b][0], places[a][1] - places[b][1])
        };
        let sides: Vec<f64> = (0..12).map(|i| distance(i, (i + 1) % 12)).collect();
        assert!(sides.iter().all(|side| (0.7..1.3).contains(side)), "{sides:?}");
        assert!(distance(0, 6) > 3.0);
        let bells = places_of(&Graph::barbell(8, 3).unwrap());
        assert!(bells.iter().flatten().all(|v| v.is_finite()));
    }
    /// A grid without coordinates, of more nodes than pivots.
    #[test]
    fn neighbours_are_close() {
        let node = |row: u32, column: u32| 30 * row + column;
        let across = (0..20).flat_map(|r| (0..29).map(move |c| (node(r, c), node(r, c + 1))));
        let down = (0..19).flat_map(|r| (0..30).map(move |c| (node(r, c), node(r + 1, c))));
        let grid = Graph::from_edges(600, across.chain(down)).unwrap();
        let places = layout_of(&grid);
        let distance = |a: u32, b: u32| {
            let [a, b] = [a, b].map(|node| places[node as usize]);
            libm::hypot(a[0] - b[0], a[1] - b[1])
        };
        let longest = grid.edges().map(|(a, b)| distance(a, b)).fold(0.0, f64::max);
        assert!(distance(0, 599) > 12.0 * longest, "{} of {longest}", distance(0, 599));
    }
}
