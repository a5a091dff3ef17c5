//! Landmarks: lower bounds on hop distances from two table rows.
//!
//! `l(u, v) >= |l(L, u) - l(L, v)|` for any node `L` (triangle inequality; Goldberg and Harrelson,
//! 2005). A few nodes at the ends of the graph make the best landmarks: the corners of a grid give
//! its distances exactly. The rows are interleaved by node, so that all bounds of a node are one
//! cache line: 32 distances of 16 bits, or 16 of 32 bits on graphs too long for that.

use super::{Graph, Hops, NodeId};

/// The most bytes in a node's row: one cache line.
const ROW_BYTES: usize = 64;

/// The number of landmarks doubles from here until bounds are exact between the probes.
const FEWEST: usize = 4;

/// This many landmarks show whether they help at all.
const ENOUGH_TO_JUDGE: usize = 8;

/// The number of nodes to try bounds between.
const PROBES: usize = 4;

/// Hop distances from every landmark to every node.
#[derive(Debug, Clone)]
pub(crate) struct Landmarks {
    table: Table,
    width: usize,
    /// Nodes that a guided search settled per hop of its path between the probes.
    nodes_per_hop: usize,
}

#[derive(Debug, Clone)]
enum Table {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Landmarks {
    /// Chooses landmarks, each where bounds are worst without it. `None` if guided searches would
    /// cost more than meeting searches on this graph.
    ///
    /// # Complexity
    /// At most 37 breadth-first searches and 64 bytes per node, plus about 160 bytes while
    /// choosing; 9 searches if a few landmarks are exact.
    pub(super) fn new(graph: &Graph) -> Option<Self> {
        let mut trial = Trial::new(graph);
        let most = ROW_BYTES / if u16::try_from(trial.longest).is_ok() { 2 } else { 4 };
        let mut width = FEWEST;
        loop {
            while trial.columns.len() < width {
                trial.add_landmark(graph);
            }
            let cost = trial.cost();
            let is_straight = cost.guided <= cost.hops;
            // A node costs about twice as much with bounds as without.
            if !is_straight && 2 * cost.guided > cost.meeting && width >= ENOUGH_TO_JUDGE {
                return None;
            }
            if width == most || is_straight {
                return Some(trial.finish());
            }
            width *= 2;
        }
    }

    /// Exactly this many landmarks, whether or not they help.
    pub(crate) fn with_width(graph: &Graph, width: usize) -> Self {
        let mut trial = Trial::new(graph);
        for _ in 0..width {
            trial.add_landmark(graph);
        }
        trial.finish()
    }

    /// Nodes that a guided search settled per hop of its path between the probes.
    pub(super) fn nodes_per_hop(&self) -> usize {
        self.nodes_per_hop
    }

    /// A lower bound on the hops between two nodes.
    #[inline]
    pub(crate) fn bound(&self, from: NodeId, to: NodeId) -> u32 {
        self.toward(to).bound(from)
    }

    /// The hops between a node and each landmark.
    pub(crate) fn distances(&self, node: NodeId) -> impl Iterator<Item = u32> + '_ {
        self.row(node).map(|place| match &self.table {
            Table::Short(table) => u32::from(table[place]),
            Table::Long(table) => table[place],
        })
    }

    /// The bounds to one node, ready for queries from many others.
    pub(super) fn toward(&self, node: NodeId) -> Toward<'_> {
        Toward { landmarks: self, node }
    }

    fn row(&self, node: NodeId) -> std::ops::Range<usize> {
        let start = node as usize * self.width;
        start..start + self.width
    }
}

/// Lower bounds on the hops to one node.
#[derive(Debug, Clone, Copy)]
pub(super) struct Toward<'a> {
    landmarks: &'a Landmarks,
    node: NodeId,
}

impl Toward<'_> {
    /// A lower bound on the hops from `from`. Between neighbours the bound differs by at most one.
    #[inline]
    pub(super) fn bound(&self, from: NodeId) -> u32 {
        let (here, there) = (self.landmarks.row(from), self.landmarks.row(self.node));
        match &self.landmarks.table {
            Table::Short(table) => u32::from(widest(&table[here], &table[there], u16::abs_diff)),
            Table::Long(table) => widest(&table[here], &table[there], u32::abs_diff),
        }
    }
}

/// The largest difference between two rows.
#[inline]
fn widest<T: Copy + Ord + Default>(a: &[T], b: &[T], difference: fn(T, T) -> T) -> T {
    a.iter().zip(b).map(|(&x, &y)| difference(x, y)).fold(T::default(), T::max)
}

impl Table {
    fn of(columns: &[Vec<u32>]) -> Self {
        let longest = columns.iter().flatten().copied().max().unwrap_or(0);
        if u16::try_from(longest).is_ok() {
            Self::Short(interleave(columns, |distance| distance as u16))
        } else {
            Self::Long(interleave(columns, |distance| distance))
        }
    }
}

fn interleave<T>(columns: &[Vec<u32>], entry: impl Fn(u32) -> T) -> Vec<T> {
    let nodes = columns.first().map_or(0, Vec::len);
    let mut table = Vec::with_capacity(nodes * columns.len());
    for node in 0..nodes {
        table.extend(columns.iter().map(|column| entry(column[node])));
    }
    table
}

/// Landmarks while they are chosen.
struct Trial {
    hops: Hops,
    columns: Vec<Vec<u32>>,
    /// The longest distance so far.
    longest: u32,
    /// The distance of each node to the nearest landmark; before the first, to node 0.
    nearest: Vec<u32>,
    /// Nodes to try the bounds on.
    probes: Vec<Probe>,
}

/// True distances to one node, and the bounds on them so far.
struct Probe {
    node: NodeId,
    truth: Vec<u32>,
    bound: Vec<u32>,
}

impl Trial {
    fn new(graph: &Graph) -> Self {
        let mut trial = Self {
            hops: Hops::default(),
            columns: Vec::new(),
            longest: 0,
            nearest: Vec::new(),
            probes: Vec::new(),
        };
        trial.nearest = trial.search(graph, 0);
        // Nodes spread over the graph: the golden ratio spreads their numbers.
        for i in 1..=PROBES {
            let fraction = 0.618_034 * i as f64 % 1.0;
            let node = (graph.len() as f64 * fraction) as NodeId;
            let truth = trial.search(graph, node);
            trial.probes.push(Probe { node, truth, bound: vec![0; graph.len()] });
        }
        // No distance is more than twice the longest from one node.
        trial.longest = trial.longest.saturating_mul(2);
        trial
    }

    fn search(&mut self, graph: &Graph, from: NodeId) -> Vec<u32> {
        self.hops.search(graph, [from], None);
        self.longest = self.longest.max(self.hops.farthest());
        graph.nodes().map(|node| self.hops.distance(node).unwrap_or(0)).collect()
    }

    fn add_landmark(&mut self, graph: &Graph) {
        let landmark = match self.columns.len() {
            // The corners of a grid are behind its worst bounds, but not the farthest apart. If
            // four are not enough, many work best when spread out.
            2 | 3 => self.behind_the_worst_bound(graph).unwrap_or_else(|| self.farthest(graph)),
            _ => self.farthest(graph),
        };
        let column = self.search(graph, landmark);
        if self.columns.is_empty() {
            self.nearest.clone_from(&column);
        }
        for (nearest, &distance) in self.nearest.iter_mut().zip(&column) {
            *nearest = distance.min(*nearest);
        }
        for probe in &mut self.probes {
            let own = column[probe.node as usize];
            for (bound, &distance) in probe.bound.iter_mut().zip(&column) {
                *bound = own.abs_diff(distance).max(*bound);
            }
        }
        self.columns.push(column);
    }

    /// The node farthest from all landmarks; ties go to the lowest number.
    fn farthest(&self, graph: &Graph) -> NodeId {
        graph.nodes().rev().max_by_key(|&node| self.nearest[node as usize]).unwrap_or(0)
    }

    /// A landmark behind a node, as seen from a probe, makes the bound between the two exact. The
    /// best is as far behind as possible, because it then serves many other nodes. `None` if all
    /// bounds are exact.
    fn behind_the_worst_bound(&self, graph: &Graph) -> Option<NodeId> {
        let slack =
            |probe: &Probe, node: NodeId| probe.truth[node as usize] - probe.bound[node as usize];
        let worst = |probe: &Probe| graph.nodes().rev().max_by_key(|&node| slack(probe, node));
        let pairs = self.probes.iter().filter_map(|probe| Some((probe, worst(probe)?)));
        let (probe, mut node) = pairs.max_by_key(|&(probe, node)| slack(probe, node))?;
        if slack(probe, node) == 0 {
            return None;
        }
        let hops = |node: NodeId| probe.truth[node as usize];
        while let Some(behind) = graph.neighbors(node).find(|&v| hops(v) > hops(node)) {
            node = behind;
        }
        Some(node)
    }

    /// Compares the nodes that searches between the probes would settle: nodes that may lie on a
    /// path of fewest hops according to the bounds, and nodes within half the distance of either
    /// end.
    fn cost(&self) -> Cost {
        let mut cost = Cost { guided: 0, meeting: 0, hops: 0 };
        for to in &self.probes {
            for from in &self.probes {
                let length = to.truth[from.node as usize];
                cost.hops += length as usize;
                for (&truth, &bound) in to.truth.iter().zip(&from.bound) {
                    cost.guided += usize::from(truth + bound < length);
                    cost.meeting += 2 * usize::from(truth <= length / 2);
                }
            }
        }
        cost
    }

    fn finish(self) -> Landmarks {
        let cost = self.cost();
        Landmarks {
            table: Table::of(&self.columns),
            width: self.columns.len(),
            nodes_per_hop: 1 + cost.guided / cost.hops.max(1),
        }
    }
}

/// Nodes that searches between all pairs of probes would settle.
struct Cost {
    guided: usize,
    meeting: usize,
    /// Hops of all paths together.
    hops: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_are_exact_on_a_grid_and_never_too_high() {
        let grid = Graph::grid(7, 12).unwrap();
        let maze =
            Graph::from_edges(9, [(0, 1), (1, 2), (2, 5), (5, 4), (4, 3), (3, 6), (6, 7), (7, 8)]);
        for (graph, is_exact) in
            [(grid, true), (maze.unwrap(), true), (Graph::circle(24).unwrap(), false)]
        {
            for width in [1, 2, 4, 8] {
                let landmarks = Landmarks::with_width(&graph, width);
                for v in graph.nodes() {
                    for u in graph.nodes() {
                        let (bound, truth) = (landmarks.toward(v).bound(u), graph.hops(u, v));
                        assert!(bound <= truth && (bound == truth || width < 4 || !is_exact));
                    }
                }
            }
        }
        assert_eq!(Landmarks::new(&Graph::grid(60, 80).unwrap()).unwrap().width, FEWEST);
    }

    #[test]
    fn distances_beyond_16_bits_keep_all_their_bits() {
        let nodes = 70_001;
        let circle = Graph::circle(2 * nodes).unwrap();
        let landmarks = Landmarks::with_width(&circle, 2);
        assert!(matches!(landmarks.table, Table::Long(_)));
        let toward = landmarks.toward(0);
        assert_eq!(toward.bound(nodes as NodeId), nodes as u32);
        assert_eq!(toward.bound(66_000), 66_000);
    }

    #[test]
    fn landmarks_that_do_not_help_are_not_kept() {
        let mut seed = 5_u64;
        let edges = (1..20_000_u32).flat_map(|v| {
            [0, 1].map(|_| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (v, (seed >> 33) as u32 % v)
            })
        });
        assert!(Landmarks::new(&Graph::from_edges(20_000, edges).unwrap()).is_none());
    }
}
