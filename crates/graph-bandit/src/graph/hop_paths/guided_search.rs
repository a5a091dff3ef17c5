//! Fewest hops by landmarks: a search from the targets towards the start, then the way back.
//!
//! 1. A* from the targets (Hart, Nilsson and Raphael, 1968): nodes in the order of `l(v, targets)`
//!    plus the landmarks' bound on `l(v, start)`, last in first out among equals, until the start
//!    is reached after `k` hops. If bounds are exact, this is one straight walk.
//! 2. From the start, depth first, lowest-numbered neighbours first, to the targets in `k` hops.
//!    For nodes settled by the first search the distance is known. Any other node lies on a path of
//!    `k` hops only if its bound to the start equals its depth, so no node is entered twice.

use super::landmarks::{Landmarks, Toward};
use super::wave::Budget;
use super::{FEW_TARGETS, NodeId, Query, descend};

const UNKNOWN: u32 = u32::MAX;

/// The two searches, with reused memory.
#[derive(Debug, Clone, Default)]
pub(super) struct GuidedSearch {
    /// The fewest hops to the targets found so far.
    found: Vec<u32>,
    /// Nodes whose `found` is final, or from which the way back cannot continue.
    closed: Vec<bool>,
    touched: Vec<NodeId>,
    /// The open nodes with their hops, by expected length modulo 3: one hop changes the hops and
    /// the bound by one each.
    open: [Vec<(NodeId, u32)>; 3],
    /// Targets by their bound to the start, the nearest last.
    targets: Vec<(u32, NodeId)>,
    /// The way back: nodes, and how many of their neighbours were tried.
    trail: Vec<(NodeId, usize)>,
}

/// When the first search stops.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Until {
    /// When it reaches the start.
    Start,
    /// When all nodes are settled that may lie on a path of this length.
    Length(u32),
}

impl GuidedSearch {
    /// Appends the path of fewest hops; `None` if the budget runs out first, and then nothing is
    /// appended.
    pub(super) fn path(
        &mut self,
        query: &Query<'_>,
        landmarks: &Landmarks,
        budget: &mut Budget,
        path: &mut Vec<NodeId>,
    ) -> Option<()> {
        let start = landmarks.toward(query.from);
        self.begin(query, start);
        let mut length = self.targets.last()?.0;
        self.settle(query, start, &mut length, Until::Start, budget)?;
        let possible = query.targets.iter().filter(|&&t| start.bound(t) <= length);
        let mut possible = possible.map(|&t| landmarks.toward(t));
        let mut few = [start; FEW_TARGETS];
        let places = few.iter_mut().zip(&mut possible);
        let count = places.map(|(place, target)| *place = target).count();
        if possible.next().is_none() {
            let way = WayBack { query, start, targets: &few[..count], length };
            let kept = path.len();
            self.walk_back(&way, budget, path).or_else(|| {
                path.truncate(kept);
                None
            })
        } else {
            let whole = length;
            self.settle(query, start, &mut length, Until::Length(whole), budget)?;
            descend(query, path, |node| Some(self.found[node as usize]));
            Some(())
        }
    }

    fn begin(&mut self, query: &Query<'_>, start: Toward<'_>) {
        let nodes = query.graph.len();
        if self.found.len() == nodes {
            for node in self.touched.drain(..) {
                self.found[node as usize] = UNKNOWN;
                self.closed[node as usize] = false;
            }
        } else {
            self.found = vec![UNKNOWN; nodes];
            self.closed = vec![false; nodes];
            self.touched.clear();
        }
        self.open.iter_mut().for_each(Vec::clear);
        self.targets.clear();
        for &target in query.targets {
            if self.found[target as usize] == UNKNOWN {
                self.found[target as usize] = 0;
                self.touched.push(target);
                self.targets.push((start.bound(target), target));
            }
        }
        self.targets.sort_unstable_by(|a, b| b.cmp(a));
    }

    /// Settles nodes of expected length `length` and up, and updates `length` to where it stopped.
    fn settle(
        &mut self,
        query: &Query<'_>,
        start: Toward<'_>,
        length: &mut u32,
        until: Until,
        budget: &mut Budget,
    ) -> Option<()> {
        loop {
            while let Some(&(bound, target)) = self.targets.last()
                && bound <= *length
            {
                self.targets.pop();
                self.open[(bound % 3) as usize].push((target, 0));
            }
            while let Some((node, hops)) = self.open[(*length % 3) as usize].pop() {
                let place = node as usize;
                // A shorter path to the node was found after it was queued here.
                if self.found[place] != hops || self.closed[place] {
                    continue;
                }
                self.closed[place] = true;
                if until == Until::Start && node == query.from {
                    // Its neighbours remain to be searched if the search continues.
                    self.closed[place] = false;
                    self.open[(*length % 3) as usize].push((node, hops));
                    return Some(());
                }
                self.look_around(query, start, (node, hops), budget)?;
            }
            if until == Until::Length(*length) {
                return Some(());
            }
            *length = if self.open.iter().all(Vec::is_empty) {
                self.targets.last()?.0
            } else {
                *length + 1
            };
        }
    }

    #[inline]
    fn look_around(
        &mut self,
        query: &Query<'_>,
        start: Toward<'_>,
        (node, hops): (NodeId, u32),
        budget: &mut Budget,
    ) -> Option<()> {
        let row = query.graph.neighborhood(node);
        budget.spend(row.len())?;
        let beyond = hops + 1;
        for &neighbor in row {
            let found = &mut self.found[neighbor as usize];
            if *found > beyond {
                if *found == UNKNOWN {
                    self.touched.push(neighbor);
                }
                *found = beyond;
                let length = beyond + start.bound(neighbor);
                self.open[(length % 3) as usize].push((neighbor, beyond));
            }
        }
        Some(())
    }

    /// The second search.
    fn walk_back(
        &mut self,
        way: &WayBack<'_>,
        budget: &mut Budget,
        path: &mut Vec<NodeId>,
    ) -> Option<()> {
        self.trail.clear();
        self.trail.push((way.query.from, 0));
        while let Some((node, tried)) = self.trail.pop() {
            let depth = self.trail.len() as u32;
            let left = way.length - depth;
            if left == 0 {
                let entered = self.trail.drain(..).map(|(node, _)| node).skip(1);
                path.extend(entered);
                if way.length > 0 {
                    path.push(node);
                }
                return Some(());
            }
            let row = way.query.graph.neighborhood(node);
            let next = row[tried..].iter().position(|&v| self.may_lead(way, v, depth + 1));
            budget.spend(next.map_or(row.len() - tried, |skipped| skipped + 1))?;
            if let Some(skipped) = next {
                let next = row[tried + skipped];
                self.trail.push((node, tried + skipped + 1));
                self.trail.push((next, 0));
            } else {
                self.touched.push(node);
                self.closed[node as usize] = true;
            }
        }
        None
    }

    /// Whether a path of the full length may lead through `node` after `depth` hops.
    #[inline]
    fn may_lead(&self, way: &WayBack<'_>, node: NodeId, depth: u32) -> bool {
        let (left, found) = (way.length - depth, self.found[node as usize]);
        // Fewer hops than are left are impossible: the path would be shorter than the shortest.
        found <= left
            || left > 0
                && !self.closed[node as usize]
                && way.start.bound(node) == depth
                && way.targets.iter().any(|target| target.bound(node) <= left)
    }
}

/// The goal of the way back.
struct WayBack<'a> {
    query: &'a Query<'a>,
    start: Toward<'a>,
    targets: &'a [Toward<'a>],
    length: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::{Graph, Hops, SmallWorld};
    use crate::random::{Seed, Stream};

    fn plain(query: &Query<'_>) -> Vec<NodeId> {
        let mut hops = Hops::default();
        hops.search(query.graph, query.targets.iter().copied(), Some(query.from));
        let (mut node, mut path) = (query.from, Vec::new());
        while hops.distance(node) != Some(0) {
            node = hops.next(query.graph, node);
            path.push(node);
        }
        path
    }

    /// A grid in which most nodes are joined to only one of their lower neighbours; `both` percent
    /// of them keep both.
    fn maze(stream: &mut Stream, side: u32, both: u64) -> Graph {
        let mut edges = Vec::new();
        for v in 1..side * side {
            let (left, up) = ((v % side > 0).then(|| v - 1), v.checked_sub(side));
            let mut lower: Vec<u32> = [left, up].into_iter().flatten().collect();
            if lower.len() == 2 && stream.below(100) >= both {
                lower.swap_remove(stream.below(2) as usize);
            }
            edges.extend(lower.into_iter().map(|u| (u, v)));
        }
        Graph::from_edges((side * side) as usize, edges).unwrap()
    }

    fn graphs(stream: &mut Stream) -> Vec<Graph> {
        let seed = Seed(stream.below(1 << 40));
        let small_world = SmallWorld { nodes: 150, neighbors: 4, rewiring: 0.1 };
        vec![
            Graph::grid(9, 13).unwrap(),
            Graph::circle(51).unwrap(),
            Graph::complete(9).unwrap(),
            Graph::star(12).unwrap(),
            Graph::barbell(7, 9).unwrap(),
            Graph::tree(60, 3).unwrap(),
            Graph::erdos_renyi(120, 0.06, seed).unwrap(),
            Graph::geometric(150, 0.2, seed).unwrap(),
            Graph::small_world(small_world, seed).unwrap(),
            maze(stream, 12, 0),
            maze(stream, 12, 10),
            maze(stream, 12, 60),
        ]
    }

    #[test]
    fn equals_a_search_from_the_targets_however_poor_the_bounds() {
        let mut stream = Seed(31).stream();
        let mut search = GuidedSearch::default();
        for _ in 0..12 {
            for graph in graphs(&mut stream) {
                let landmarks = Landmarks::with_width(&graph, 1 + stream.below(5) as usize);
                for round in 0..60 {
                    let mut draw = || stream.below(graph.len() as u64) as NodeId;
                    let from = draw();
                    let mut targets: Vec<NodeId> = (0..=round % 9).map(|_| draw()).collect();
                    targets.retain(|&target| target != from);
                    if targets.is_empty() {
                        continue;
                    }
                    let query = Query { graph: &graph, from, targets: &targets };
                    // A budget that is too small leaves nothing behind.
                    let (mut path, mut budget) = (vec![7], Budget::new(stream.below(200) as usize));
                    if search.path(&query, &landmarks, &mut budget, &mut path).is_none() {
                        assert_eq!(path, [7]);
                        let mut endless = Budget::ENDLESS;
                        let found = search.path(&query, &landmarks, &mut endless, &mut path);
                        assert!(found.is_some());
                    }
                    assert_eq!(path[1..], plain(&query));
                }
            }
        }
    }
}
