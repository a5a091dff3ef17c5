//! Cheapest paths to one node of a large graph.
//!
//! Every round has other costs. Asked the same question again and again, a processor learns the
//! turns of a small search by heart, and times then tell of its memory; an agent never asks twice.

use anyhow::{Context, Result};
use graph_bandit::plan::{CheapestPath, CheapestPaths, Heading, RoadCosts};
use graph_bandit::{Graph, GraphSpec, MeansSpec, NodeId, Road, Seed};

/// Numbers of nodes, about.
pub const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// How many starts rounds take in turn.
const STARTS: u64 = 32;

/// How many tasks rounds take in turn where graphs are small.
const TASKS: usize = 64;

/// The most costs that the tasks of a problem have together, and what the largest graphs have: there
/// nothing is learned by heart.
const ALL_COSTS: usize = 1_000_000;
const FEWEST_TASKS: usize = 2;

/// A graph on which ways are asked for.
pub struct Problem {
    /// The graph, as `--graph` has it.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// What rounds ask for in turn.
    pub tasks: Vec<Task>,
    /// Nodes to find a path from.
    pub starts: Vec<NodeId>,
}

/// What it costs to enter the nodes of a graph, and where to go.
pub struct Task {
    /// `max mu - mu_s`.
    pub costs: Vec<f64>,
    /// The node that costs nothing.
    pub target: NodeId,
    /// What a unit of travel time costs: the highest mean.
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
    /// On a square grid of about so many nodes.
    ///
    /// # Errors
    /// When there is no such grid.
    pub fn grid(nodes: usize) -> Result<Self> {
        let side = (nodes as f64).sqrt().round() as usize;
        Self::on(&format!("grid:{side}x{side}"))
    }

    /// On a random geometric graph of so many nodes, dense enough to be connected.
    ///
    /// # Errors
    /// When there is no such graph.
    pub fn geometric(nodes: usize) -> Result<Self> {
        let n = nodes as f64;
        let radius = 1.5 * (libm::log(n) / (std::f64::consts::PI * n)).sqrt();
        Self::on(&format!("geometric:{nodes},{radius:.5}"))
    }

    /// On a town of about so many crossings: streets along a grid that take up to two visits' time, other times
    /// in either direction, and every other street from east to west runs one way.
    ///
    /// # Errors
    /// When there is no such town.
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

    /// On the graph of that name.
    ///
    /// # Errors
    /// When there is no such graph.
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

    /// Finds the way from every node in the task of a round.
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

    /// Finds the way from the start of a round only, and answers its cost.
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
