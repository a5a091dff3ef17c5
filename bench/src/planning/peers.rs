//! Petgraph on the same problem, called in every way that suits it.
//!
//! The cost of an edge is that of the node entered, so no weights need to be stored: searching
//! outward from the target, an edge costs its source. This saves petgraph memory and time. If roads
//! take time, an edge holds that time; the search goes against the roads, so edges are stored from
//! end to start.

use super::{Problem, Task, is_same};
use crate::measure::{Budget, Contestant, in_turns};
use anyhow::{Result, ensure};
use graph_bandit::plan::CheapestPaths;
use petgraph::algo::{bidirectional_dijkstra, dijkstra};
use petgraph::csr::Csr;
use petgraph::graph::{DiGraph, EdgeReference, NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use std::hint::black_box;
use std::time::Duration;

/// How long to try the methods before choosing one.
const TRIAL: Budget =
    Budget { time: Duration::from_millis(300), least_rounds: 1, most_rounds: 200 };

/// The graph in both of petgraph's sparse forms.
pub struct Petgraph {
    lists: Lists,
    rows: Rows,
}

/// A graph of lists; edges of roads are reversed and hold their times.
enum Lists {
    Edges(UnGraph<(), ()>),
    Roads(DiGraph<(), f64>),
}

/// The same as compressed rows.
enum Rows {
    Edges(Csr<(), (), petgraph::Directed, u32>),
    Roads(Csr<(), f64, petgraph::Directed, u32>),
}

/// How to compute all distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum All {
    /// `dijkstra` on `Graph`.
    OnGraph,
    /// `dijkstra` on `Csr`.
    OnCsr,
}

/// How to compute one distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum One {
    /// `dijkstra` with a goal on `Graph`.
    GoalOnGraph,
    /// `dijkstra` with a goal on `Csr`.
    GoalOnCsr,
    /// `bidirectional_dijkstra` on `Graph`.
    Bidirectional,
}

impl All {
    /// Petgraph's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::OnGraph => "Graph",
            Self::OnCsr => "Csr",
        }
    }
}

impl One {
    /// Petgraph's name for it.
    pub fn name(self) -> &'static str {
        match self {
            Self::GoalOnGraph => "dijkstra to a goal, Graph",
            Self::GoalOnCsr => "dijkstra to a goal, Csr",
            Self::Bidirectional => "bidirectional_dijkstra, Graph",
        }
    }
}

impl Petgraph {
    /// The problem's graph.
    pub fn of(problem: &Problem) -> Self {
        if problem.graph.roads().is_some() {
            Self::of_roads(problem)
        } else {
            Self::of_edges(problem)
        }
    }

    fn of_edges(problem: &Problem) -> Self {
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
        Self { lists: Lists::Edges(lists), rows: Rows::Edges(rows) }
    }

    fn of_roads(problem: &Problem) -> Self {
        let graph = &problem.graph;
        let mut lists = DiGraph::with_capacity(graph.len(), graph.road_count());
        for _ in graph.nodes() {
            lists.add_node(());
        }
        let mut turned: Vec<(u32, u32, f64)> =
            graph.all_roads().map(|road| (road.to, road.from, road.time)).collect();
        turned.sort_unstable_by_key(|&(to, from, _)| (to, from));
        for &(to, from, time) in &turned {
            lists.add_edge(NodeIndex::from(to), NodeIndex::from(from), time);
        }
        let rows = Csr::from_sorted_edges(&turned).unwrap_or_default();
        Self { lists: Lists::Roads(lists), rows: Rows::Roads(rows) }
    }

    /// The number of distances in the task of a round; they come in a hash map.
    pub fn all(&self, problem: &Problem, round: usize, how: All) -> f64 {
        let &Task { ref costs, target, time } = problem.task(round);
        let start = NodeIndex::from(target);
        match (how, &self.lists, &self.rows) {
            (All::OnGraph, Lists::Edges(lists), _) => {
                let all = dijkstra(lists, start, None, |e| costs[e.source().index()]);
                all[&start] + all.len() as f64
            }
            (All::OnGraph, Lists::Roads(lists), _) => {
                let cost =
                    |e: EdgeReference<'_, f64>| costs[e.source().index()] + time * e.weight();
                let all = dijkstra(lists, start, None, cost);
                all[&start] + all.len() as f64
            }
            (All::OnCsr, _, Rows::Edges(rows)) => {
                let all = dijkstra(rows, target, None, |e| costs[e.source() as usize]);
                all[&target] + all.len() as f64
            }
            (All::OnCsr, _, Rows::Roads(rows)) => {
                let task = problem.task(round);
                let all = dijkstra(rows, target, None, |e| task.road(e.source(), *e.weight()));
                all[&target] + all.len() as f64
            }
        }
    }

    /// The distance of the round's start in its task.
    pub fn one(&self, problem: &Problem, round: usize, how: One) -> Option<f64> {
        let &Task { ref costs, target, time } = problem.task(round);
        let start = problem.start(round);
        let (from, to) = (NodeIndex::from(target), NodeIndex::from(start));
        let edge = |source: NodeIndex| costs[source.index()];
        let road = |e: EdgeReference<'_, f64>| costs[e.source().index()] + time * e.weight();
        match (how, &self.lists, &self.rows) {
            (One::GoalOnGraph, Lists::Edges(lists), _) => {
                dijkstra(lists, from, Some(to), |e| edge(e.source())).get(&to).copied()
            }
            (One::GoalOnGraph, Lists::Roads(lists), _) => {
                dijkstra(lists, from, Some(to), road).get(&to).copied()
            }
            (One::GoalOnCsr, _, Rows::Edges(rows)) => {
                let some = dijkstra(rows, target, Some(start), |e| costs[e.source() as usize]);
                some.get(&start).copied()
            }
            (One::GoalOnCsr, _, Rows::Roads(rows)) => {
                let task = problem.task(round);
                let cost = |end, time: &f64| task.road(end, *time);
                let some = dijkstra(rows, target, Some(start), |e| cost(e.source(), e.weight()));
                some.get(&start).copied()
            }
            // From a node to itself, petgraph 0.8 returns the cheapest round trip.
            (One::Bidirectional, ..) if from == to => Some(0.0),
            (One::Bidirectional, Lists::Edges(lists), _) => {
                bidirectional_dijkstra(lists, from, to, |e| edge(e.source()))
            }
            (One::Bidirectional, Lists::Roads(lists), _) => {
                bidirectional_dijkstra(lists, from, to, road)
            }
        }
    }

    /// The faster method for all distances.
    pub fn faster_for_all(&self, problem: &Problem) -> All {
        fastest([All::OnGraph, All::OnCsr], |how, round| {
            black_box(self.all(problem, round, how));
        })
    }

    /// The faster method for single distances.
    pub fn faster_for_one(&self, problem: &Problem) -> One {
        fastest([One::GoalOnGraph, One::GoalOnCsr, One::Bidirectional], |how, round| {
            black_box(self.one(problem, round, how));
        })
    }

    /// Checks that every distance in the task of a round equals the library's.
    ///
    /// # Errors
    /// When one differs; the error names the first such node.
    pub fn check(&self, problem: &Problem, round: usize, paths: &CheapestPaths) -> Result<()> {
        let task = problem.task(round);
        let all = match &self.rows {
            Rows::Edges(rows) => {
                dijkstra(rows, task.target, None, |e| task.costs[e.source() as usize])
            }
            Rows::Roads(rows) => {
                dijkstra(rows, task.target, None, |e| task.road(e.source(), *e.weight()))
            }
        };
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

impl Task {
    /// The cost of a road for the search against it: entering its end, and its time.
    fn road(&self, end: u32, time: f64) -> f64 {
        self.costs[end as usize] + self.time * time
    }
}

/// The method of lowest median time, after a warm-up, over the rounds that are measured later.
fn fastest<W: Copy, const N: usize>(ways: [W; N], run: impl Fn(W, usize)) -> W {
    let run = &run;
    let mut contestants = ways.map(|way| Box::new(move |round| run(way, round)) as Contestant<'_>);
    let medians = in_turns(TRIAL, &mut contestants);
    let timed = ways.into_iter().zip(medians);
    timed.min_by(|a, b| a.1.total_cmp(&b.1)).map_or(ways[0], |(way, _)| way)
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::plan::CheapestPath;

    #[test]
    fn all_ways_agree_with_the_library() {
        let named = ["grid:9x9", "geometric:300,0.15", "line:1", "star:5"].map(Problem::on);
        for problem in named.into_iter().chain([Problem::town(400)]) {
            let problem = problem.unwrap();
            let name = &problem.name;
            let petgraph = Petgraph::of(&problem);
            let mut path = CheapestPath::default();
            let mut paths = CheapestPaths::default();
            for round in 0..problem.tasks.len() {
                problem.policy(&mut paths, round);
                petgraph.check(&problem, round, &paths).unwrap();
            }
            for how in [One::GoalOnGraph, One::GoalOnCsr, One::Bidirectional] {
                for round in 0..problem.starts.len() {
                    let theirs = petgraph.one(&problem, round, how).unwrap();
                    let ours = problem.path(&mut path, round);
                    assert!(is_same(theirs, ours), "{name} {how:?}: {theirs} {ours}");
                }
            }
            for how in [All::OnGraph, All::OnCsr] {
                assert_eq!(petgraph.all(&problem, 1, how), problem.graph.len() as f64);
            }
        }
    }
}
