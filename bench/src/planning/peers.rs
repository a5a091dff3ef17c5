//! Petgraph on the same problem, asked in every way that suits it.
//!
//! The cost of an edge is that of the node entered, so no weights need be stored: searching outward
//! from the target, an edge costs what its source does. That spares petgraph memory and time.

use super::{Problem, is_same};
use crate::stopwatch::Stopwatch;
use anyhow::{Result, ensure};
use graph_bandit::NodeId;
use graph_bandit::plan::CheapestPaths;
use petgraph::algo::{bidirectional_dijkstra, dijkstra};
use petgraph::csr::Csr;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use std::hint::black_box;

/// The graph in both of petgraph's sparse forms.
pub struct Petgraph {
    lists: UnGraph<(), ()>,
    rows: Csr<(), (), petgraph::Directed, u32>,
}

/// How to ask for all distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum All {
    /// `dijkstra` on `UnGraph`.
    OnGraph,
    /// `dijkstra` on `Csr`.
    OnCsr,
}

/// How to ask for one distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum One {
    /// `dijkstra` with a goal on `UnGraph`.
    GoalOnGraph,
    /// `dijkstra` with a goal on `Csr`.
    GoalOnCsr,
    /// `bidirectional_dijkstra` on `UnGraph`.
    Bidirectional,
}

impl All {
    /// What petgraph calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnGraph => "UnGraph",
            Self::OnCsr => "Csr",
        }
    }
}

impl One {
    /// What petgraph calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::GoalOnGraph => "dijkstra to a goal, UnGraph",
            Self::GoalOnCsr => "dijkstra to a goal, Csr",
            Self::Bidirectional => "bidirectional_dijkstra, UnGraph",
        }
    }
}

impl Petgraph {
    /// The problem's graph.
    pub fn of(problem: &Problem) -> Self {
        let graph = &problem.graph;
        let mut lists = UnGraph::with_capacity(graph.len(), graph.edge_count());
        for _ in graph.nodes() {
            lists.add_node(());
        }
        for (a, b) in graph.edges() {
            lists.add_edge(NodeIndex::from(a), NodeIndex::from(b), ());
        }
        let sorted: Vec<(u32, u32)> =
            graph.nodes().flat_map(|a| graph.neighbors(a).map(move |b| (a, b))).collect();
        // Neighbours are listed in ascending order.
        let mut rows = Csr::from_sorted_edges(&sorted).unwrap_or_default();
        if rows.node_count() < graph.len() {
            rows.add_node(());
        }
        Self { lists, rows }
    }

    /// The distances of all nodes, added up; they come in a hash map.
    pub fn all(&self, problem: &Problem, how: All) -> f64 {
        let costs = &problem.costs;
        match how {
            All::OnGraph => {
                let start = NodeIndex::from(problem.target);
                let all = dijkstra(&self.lists, start, None, |e| costs[e.source().index()]);
                all[&start] + all.len() as f64
            }
            All::OnCsr => {
                let start = problem.target;
                let all = dijkstra(&self.rows, start, None, |e| costs[e.source() as usize]);
                all[&start] + all.len() as f64
            }
        }
    }

    /// The distance of one node.
    pub fn one(&self, problem: &Problem, start: NodeId, how: One) -> Option<f64> {
        let (costs, target) = (&problem.costs, problem.target);
        let (from, to) = (NodeIndex::from(target), NodeIndex::from(start));
        match how {
            One::GoalOnGraph => {
                let some = dijkstra(&self.lists, from, Some(to), |e| costs[e.source().index()]);
                some.get(&to).copied()
            }
            One::GoalOnCsr => {
                let some =
                    dijkstra(&self.rows, target, Some(start), |e| costs[e.source() as usize]);
                some.get(&start).copied()
            }
            // From a node to itself petgraph 0.8 answers with the cheapest round trip.
            One::Bidirectional if from == to => Some(0.0),
            One::Bidirectional => {
                bidirectional_dijkstra(&self.lists, from, to, |e| costs[e.source().index()])
            }
        }
    }

    /// The faster way to all distances, by one trial each.
    pub fn faster_for_all(&self, problem: &Problem) -> All {
        fastest([All::OnGraph, All::OnCsr], |how| self.all(problem, how))
    }

    /// The faster way to single distances, by some trials each.
    pub fn faster_for_one(&self, problem: &Problem) -> One {
        let ways = [One::GoalOnGraph, One::GoalOnCsr, One::Bidirectional];
        let starts = &problem.starts[..problem.starts.len().min(3)];
        fastest(ways, |how| starts.iter().filter_map(|&start| self.one(problem, start, how)).sum())
    }

    /// Whether every distance is the library's.
    ///
    /// # Errors
    /// Names the first node of which it is not.
    pub fn check(&self, problem: &Problem, paths: &CheapestPaths) -> Result<()> {
        let costs = &problem.costs;
        let start = problem.target;
        let all = dijkstra(&self.rows, start, None, |e| costs[e.source() as usize]);
        for node in problem.graph.nodes() {
            let (theirs, ours) = (all.get(&node).copied(), paths.cost(node));
            ensure!(
                theirs.is_some_and(|theirs| is_same(theirs, ours)),
                "{}: {theirs:?} instead of {ours} from node {node}",
                problem.name
            );
        }
        Ok(())
    }
}

fn fastest<W: Copy, const N: usize>(ways: [W; N], run: impl Fn(W) -> f64) -> W {
    let mut fastest = (ways[0], f64::INFINITY);
    for way in ways {
        let watch = Stopwatch::start();
        black_box(run(way));
        let seconds = watch.seconds();
        if seconds < fastest.1 {
            fastest = (way, seconds);
        }
    }
    fastest.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::plan::CheapestPath;

    #[test]
    fn all_ways_agree_with_the_library() {
        for name in ["grid:9x9", "geometric:300,0.15", "line:1", "star:5"] {
            let problem = Problem::on(name).unwrap();
            let petgraph = Petgraph::of(&problem);
            let mut path = CheapestPath::default();
            let mut paths = CheapestPaths::default();
            problem.policy(&mut paths);
            petgraph.check(&problem, &paths).unwrap();
            for how in [One::GoalOnGraph, One::GoalOnCsr, One::Bidirectional] {
                for round in 0..problem.starts.len() {
                    let theirs = petgraph.one(&problem, problem.start(round), how).unwrap();
                    let ours = problem.path(&mut path, round);
                    assert!(is_same(theirs, ours), "{name} {how:?}: {theirs} {ours}");
                }
            }
            for how in [All::OnGraph, All::OnCsr] {
                assert_eq!(petgraph.all(&problem, how), problem.graph.len() as f64);
            }
        }
    }
}
