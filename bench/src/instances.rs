//! The benchmarks: the paper's seven graphs and the agents with a plain counterpart.

use anyhow::{Context, Result};
use graph_bandit::{GraphSpec, MeansSpec, Preset, RewardSpec, Seed, World};

/// A graph of the paper and the law of its means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Instance {
    /// The paper's name.
    pub title: &'static str,
    /// The graph, as for `--graph`.
    pub graph: &'static str,
    /// The means, as for `--means`.
    pub means: &'static str,
}

const fn instance(title: &'static str, graph: &'static str) -> Instance {
    Instance { title, graph, means: "uniform:0.5,9.5" }
}

/// The six benchmarks of Section V-A and the robot's map of Section V-B.
pub const INSTANCES: [Instance; 7] = [
    instance("line", "line:100"),
    instance("circle", "circle:100"),
    instance("grid", "grid:10x10"),
    instance("tree", "tree:100"),
    instance("star", "star:100"),
    Instance { title: "complete", graph: "complete:100", means: "uniform:0.5,1.5" },
    instance("robot", "arkansas"),
];

impl Instance {
    /// A world on this graph, with neighbourhoods in the preset's order and rewards uniform within
    /// 0.5 of the means.
    ///
    /// # Errors
    /// When the texts of the instance are invalid.
    pub fn world(&self, preset: Preset, seed: Seed) -> Result<World> {
        let spec: GraphSpec = self.graph.parse().context(self.graph)?;
        let mut graph = spec.build(seed)?;
        if preset == Preset::Program {
            graph = graph.with_self_place(spec.program_self_place());
        }
        let means = self.means.parse::<MeansSpec>().context(self.means)?;
        let means = means.draw(graph.len(), seed)?;
        let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
        Ok(World::new(graph, laws)?)
    }
}
