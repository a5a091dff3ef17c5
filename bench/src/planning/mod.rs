//! Planning: cheapest paths to one node on large graphs, compared to petgraph.
//!
//! The problem is Algorithm 1: entering a node costs its shortfall from the best, and the result is
//! either the whole policy or only the path from one node. In towns, roads run one way and take
//! time, which costs too.

mod export;
mod peers;
mod problem;

use export::export;
pub use peers::Petgraph;
pub use problem::{Problem, SIZES, Task};

use crate::Effort;
use crate::measure::{Against, Budget, in_turns};
use anyhow::{Result, ensure};
use graph_bandit::plan::{CheapestPath, CheapestPaths};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

/// The section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Planning {
    /// One entry per graph.
    pub rows: Vec<Row>,
}

/// One graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The graph, as for `--graph`.
    pub graph: String,
    /// `|S|`.
    pub nodes: usize,
    /// `|E|`, without self-loops.
    pub edges: usize,
    /// Seconds for the policy of all nodes, with memory reused.
    pub policy: f64,
    /// Seconds for the path of one node, a random one each round.
    pub path: f64,
    /// Petgraph's distances for all nodes, on its faster graph type.
    pub petgraph: Against,
    /// Petgraph's faster graph type.
    pub petgraph_graph: String,
    /// Petgraph's distance of the same node, by its faster method.
    pub petgraph_path: Against,
    /// Petgraph's faster method for one node.
    pub petgraph_path_method: String,
    /// How many times faster the library finds one path than petgraph finds all distances.
    pub path_ratio_to_petgraph_all: f64,
}

fn sizes(effort: Effort) -> &'static [usize] {
    match effort {
        Effort::Quick => &SIZES[..3],
        Effort::Full => &SIZES,
    }
}

fn budget(effort: Effort) -> Budget {
    match effort {
        Effort::Quick => {
            Budget { time: Duration::from_millis(300), least_rounds: 3, most_rounds: 200 }
        }
        Effort::Full => Budget { time: Duration::from_secs(3), least_rounds: 3, most_rounds: 1000 },
    }
}

/// Measures, and writes each problem and its solutions to a directory, if there is one.
///
/// # Errors
/// When the library and petgraph disagree, or a file cannot be written.
pub fn measure(effort: Effort, directory: Option<&Path>) -> Result<Planning> {
    let mut rows = Vec::new();
    for &nodes in sizes(effort) {
        for problem in [Problem::grid(nodes)?, Problem::geometric(nodes)?, Problem::town(nodes)?] {
            rows.push(row(&problem, effort)?);
            directory.map_or(Ok(()), |directory| export(&problem, directory))?;
        }
    }
    Ok(Planning { rows })
}

fn row(problem: &Problem, effort: Effort) -> Result<Row> {
    let petgraph = Petgraph::of(problem);
    let mut paths = CheapestPaths::default();
    let mut one_path = CheapestPath::default();
    problem.policy(&mut paths, 0);
    petgraph.check(problem, 0, &paths)?;
    let all = petgraph.faster_for_all(problem);
    let one = petgraph.faster_for_one(problem);
    for round in 0..problem.starts.len().min(4) {
        let theirs = petgraph.one(problem, round, one);
        let ours = problem.path(&mut one_path, round);
        ensure!(
            theirs.is_some_and(|theirs| is_same(theirs, ours)),
            "{}: {theirs:?} instead of {ours} from node {}",
            problem.name,
            problem.start(round)
        );
    }
    let medians = in_turns(
        budget(effort),
        &mut [
            Box::new(|round| problem.policy(&mut paths, round)),
            Box::new(|round| {
                black_box(petgraph.all(problem, round, all));
            }),
            Box::new(|round| {
                black_box(problem.path(&mut one_path, round));
            }),
            Box::new(|round| {
                black_box(petgraph.one(problem, round, one));
            }),
        ],
    );
    let [policy, petgraph_all, path, petgraph_one] = medians[..] else {
        unreachable!("as many medians as contestants")
    };
    Ok(Row {
        graph: problem.name.clone(),
        nodes: problem.graph.len(),
        edges: problem.graph.edge_count(),
        policy,
        path,
        petgraph: Against::new(petgraph_all, policy),
        petgraph_graph: all.name().to_owned(),
        petgraph_path: Against::new(petgraph_one, path),
        petgraph_path_method: one.name().to_owned(),
        path_ratio_to_petgraph_all: petgraph_all / path,
    })
}

/// Equal up to rounding: the same costs may be added in another order.
pub(crate) fn is_same(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs()))
}
