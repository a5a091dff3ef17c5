//! Cheapest paths to one node of a large graph.

use anyhow::{Context, Result};
use graph_bandit::plan::{CheapestPath, CheapestPaths};
use graph_bandit::{Graph, GraphSpec, MeansSpec, NodeId, Seed};

/// Numbers of nodes, about.
pub const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];

/// How many starts rounds take in turn.
const STARTS: u64 = 32;

/// A graph, what it costs to enter its nodes, and where to go.
pub struct Problem {
    /// The graph, as `--graph` has it.
    pub name: String,
    /// The graph.
    pub graph: Graph,
    /// `max mu - mu_s`.
    pub costs: Vec<f64>,
    /// The node that costs nothing.
    pub target: NodeId,
    /// Nodes to find a path from.
    pub starts: Vec<NodeId>,
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

    /// On the graph of that name, with means uniform between 0.5 and 9.5.
    ///
    /// # Errors
    /// When there is no such graph.
    pub fn on(name: &str) -> Result<Self> {
        let seed = Seed(1);
        let spec: GraphSpec = name.parse().with_context(|| name.to_owned())?;
        let graph = spec.build(seed)?;
        let means = MeansSpec::Uniform { low: 0.5, high: 9.5 }.draw(graph.len(), seed)?;
        let best = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let costs: Vec<f64> = means.iter().map(|mean| best - mean).collect();
        let target = costs.iter().position(|&cost| cost == 0.0).context("there is a best node")?;
        let mut stream = seed.stream();
        let starts = (0..STARTS).map(|_| stream.below(graph.len() as u64) as NodeId).collect();
        Ok(Self { name: name.to_owned(), graph, costs, target: target as NodeId, starts })
    }

    /// The start of a round.
    pub fn start(&self, round: usize) -> NodeId {
        self.starts[round % self.starts.len()]
    }

    /// Finds the way from every node.
    pub fn policy(&self, paths: &mut CheapestPaths) {
        paths.search(&self.graph, |s| self.costs[s as usize], [self.target], None);
    }

    /// Finds the way from the start of a round only, and answers its cost.
    pub fn path(&self, path: &mut CheapestPath, round: usize) -> f64 {
        let start = self.start(round);
        path.find(&self.graph, |s| self.costs[s as usize], [self.target], start);
        path.cost(start)
    }
}
