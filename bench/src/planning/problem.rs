//! Cheapest paths to one node of a large graph.
//!
//! Every round has different costs. If the same search ran again and again, the processor would
//! learn the branches of a small search, and times would measure its branch prediction; an agent
//! never searches twice with the same costs.

use anyhow::{Context, Result};
use graph_bandit::plan::{CheapestPath, CheapestPaths, Heading, RoadCosts};
use graph_bandit::{Graph, GraphSpec, MeansSpec, NodeId, Road, Seed};

/// Approximate numbers of nodes.
pub const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// The number of starts that rounds use in turn.
const STARTS: u64 = 32;

/// The number of tasks that rounds use in turn on small graphs.
const TASKS: usize = 64;

/// The most costs of all tasks of a problem together, and the number of tasks on the largest
/// graphs, where nothing can be learned.
const ALL_COSTS: usize = 1_000_000;
const FEWEST_TASKS: usize = 2;

/// A graph and the searches on it.
pub struct Problem {
    /// The graph, as for `--graph`.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// The tasks that rounds use in turn.
    pub tasks: Vec<Task>,
    /// Nodes to find a path from.
    pub starts: Vec<NodeId>,
}

/// The entry costs of a graph's nodes, and the target.
pub struct Task {
    /// `max mu - mu_s`.
    pub costs: Vec<f64>,
    /// The node that costs nothing.
    pub target: NodeId,
    /// The cost of a unit of travel time: the highest mean.
    pub time: f64,
}

impl Task {
    /// Means uniform between 0.5 and 9.5.
    fn draw(nodes: usize, seed: Seed) -> Result<Self> {
        let means = "uniform:0.5,9.5".parse::<MeansSpec>()?.draw(nodes, seed)?;
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let costs: Vec<f64> = means.iter().map(|mean| best - mean).collect();
        let target = costs.iter().position(|&cost| cost == 0.0).context("there is a best node")?;
        Ok(Self { costs, target: target as NodeId, time: best })
    }
}

impl Problem {
    /// On a square grid of about this many nodes.
    ///
    /// # Errors
    /// When the grid cannot be built.
    pub fn grid(nodes: usize) -> Result<Self> {
        let side = (nodes as f64).sqrt().round() as usize;
        Self::on(&format!("grid:{side}x{side}"))
    }

    /// On a random geometric graph of this many nodes, dense enough to be connected.
    ///
    /// # Errors
    /// When the graph cannot be built.
    pub fn geometric(nodes: usize) -> Result<Self> {
        let n = nodes as f64;
        let radius = 1.5 * (libm::log(n) / (std::f64::consts::PI * n)).sqrt();
        Self::on(&format!("geometric:{nodes},{radius:.5}"))
    }

    /// On a town of about this many crossings: streets along a grid that take up to two visits'
    /// time, with different times in each direction; every other street from east to west runs one
    /// way.
    ///
    /// # Errors
    /// When the town cannot be built.
    pub fn town(nodes: usize) -> Result<Self> {
        let side = (nodes as f64).sqrt().round() as NodeId;
        let mut stream = Seed(7).stream();
        let mut roads = Vec::new();
        let mut street = |a: NodeId, b: NodeId, two_way: bool| {
            roads.push(Road { from: a, to: b, time: 2.0 * stream.unit() });
            if two_way {
                roads.push(Road { from: b, to: a, time: 2.0 * stream.unit() });
            }
        };
        for y in 0..side {
            for x in 0..side {
                let at = y * side + x;
                if y + 1 < side {
                    street(at, at + side, true);
                }
                if x + 1 < side {
                    let (a, b) = if y % 4 < 2 { (at, at + 1) } else { (at + 1, at) };
                    street(a, b, y % 2 == 0);
                }
            }
        }
        let graph = Graph::from_roads((side * side) as usize, roads)?;
        Self::of(format!("town:{side}x{side}"), graph, Seed(1))
    }

    /// On the graph of this name.
    ///
    /// # Errors
    /// When the graph cannot be built.
    pub fn on(name: &str) -> Result<Self> {
        let seed = Seed(1);
        let spec: GraphSpec = name.parse().with_context(|| name.to_owned())?;
        Self::of(name.to_owned(), spec.build(seed)?, seed)
    }

    fn of(name: String, graph: Graph, seed: Seed) -> Result<Self> {
        let count = (ALL_COSTS / graph.len()).clamp(FEWEST_TASKS, TASKS) as u64;
        let tasks = (0..count).map(|task| Task::draw(graph.len(), seed.child(task)));
        let tasks = tasks.collect::<Result<_>>()?;
        let mut stream = seed.stream();
        let starts = (0..STARTS).map(|_| stream.below(graph.len() as u64) as NodeId).collect();
        Ok(Self { name, graph, tasks, starts })
    }

    /// The start of a round.
    pub fn start(&self, round: usize) -> NodeId {
        self.starts[round % self.starts.len()]
    }

    /// The task of a round.
    pub fn task(&self, round: usize) -> &Task {
        &self.tasks[round % self.tasks.len()]
    }

    /// Finds the paths from all nodes in the task of a round.
    pub fn policy(&self, paths: &mut CheapestPaths, round: usize) {
        let &Task { ref costs, target, time } = self.task(round);
        let entry = |s: NodeId| costs[s as usize];
        if self.graph.roads().is_some() {
            let there = (&self.graph, Heading::There);
            paths.search_all_roads(there, &RoadCosts { entry, time }, [target]);
        } else {
            paths.search(&self.graph, entry, [target], None);
        }
    }

    /// Finds the path from the start of a round only, and returns its cost.
    pub fn path(&self, path: &mut CheapestPath, round: usize) -> f64 {
        let (&Task { ref costs, target, time }, start) = (self.task(round), self.start(round));
        let entry = |s: NodeId| costs[s as usize];
        if self.graph.roads().is_some() {
            path.find_by_road(&self.graph, &RoadCosts { entry, time }, [target], start);
        } else {
            path.find(&self.graph, entry, [target], start);
        }
        path.cost(start)
    }
}
