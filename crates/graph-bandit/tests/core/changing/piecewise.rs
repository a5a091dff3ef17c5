//! Worlds whose means are constant between changes, for tests.

use graph_bandit::{AgentSpec, Preset};
use graph_bandit::{Course, Graph, Law, OwnLaw, Raised, RunPlan, Sample, Seed, Time, World, run};
use std::sync::Arc;

/// Means that hold from a moment on, counted from the end of initialization.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) steps: u64,
    pub(crate) segments: Vec<(f64, Vec<f64>)>,
}

/// Five segments of equal length.
pub(crate) fn pb1(steps: u64) -> Problem {
    let means =
        [[0.3, 0.5, 0.9], [0.3, 0.2, 0.9], [0.3, 0.2, 0.1], [0.7, 0.2, 0.1], [0.7, 0.5, 0.1]];
    Problem::new(steps, means.into_iter().zip([0.0, 0.2, 0.4, 0.6, 0.8]))
}

/// One half without a change, then four segments of an eighth.
pub(crate) fn pb4(steps: u64) -> Problem {
    let means =
        [[0.1, 0.5, 0.9], [0.3, 0.4, 0.1], [0.5, 0.3, 0.2], [0.7, 0.4, 0.3], [0.1, 0.5, 0.2]];
    Problem::new(steps, means.into_iter().zip([0.0, 0.5, 0.625, 0.75, 0.875]))
}

impl Problem {
    pub(crate) fn new<const K: usize>(
        steps: u64,
        segments: impl IntoIterator<Item = ([f64; K], f64)>,
    ) -> Self {
        let from = |(means, share): ([f64; K], f64)| (share * steps as f64, means.to_vec());
        Self { steps, segments: segments.into_iter().map(from).collect() }
    }

    /// The moments at which some mean changes.
    pub(crate) fn changes(&self) -> Vec<f64> {
        self.segments.iter().skip(1).map(|(from, _)| *from).collect()
    }

    pub(crate) fn nodes(&self) -> usize {
        self.segments[0].1.len()
    }

    /// The world on the complete graph.
    pub(crate) fn world(&self) -> World {
        let nodes = self.nodes();
        let laws = (0..nodes).map(|node| {
            let means = self.segments.iter().map(|(from, means)| (*from, means[node])).collect();
            Law::own(Arc::new(Piecewise { means, cover: nodes as f64 })).unwrap()
        });
        World::new(Graph::complete(nodes).unwrap(), laws.collect()).unwrap()
    }

    /// The dynamic regret of many runs of an agent.
    pub(crate) fn regrets(&self, agent: &str, runs: u64) -> Sample {
        let world = self.world();
        let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
        let plan = RunPlan::new(self.steps, 1);
        let mut regrets = Sample::default();
        for seed in 0..runs {
            let mut agent = spec.build(world.graph()).unwrap();
            agent.reveal(&self.changes());
            let record = run(&world, agent.as_mut(), &plan, Seed(seed)).unwrap();
            regrets.push(record.checkpoints[0].regret);
        }
        regrets
    }
}

/// 0 or 1 with a mean that depends on the time.
#[derive(Debug)]
struct Piecewise {
    means: Vec<(f64, f64)>,
    /// The length of initialization, which the law's time includes.
    cover: f64,
}

impl OwnLaw for Piecewise {
    fn draw(&self, tape: Seed, k: u64, at: Time) -> Result<f64, Raised> {
        Ok(f64::from(u8::from(tape.unit(k) < self.mean(at))))
    }

    fn mean(&self, at: Time) -> f64 {
        let time = at.0 - self.cover;
        let segment = self.means.partition_point(|(from, _)| *from <= time).max(1);
        self.means[segment - 1].1
    }

    fn course(&self) -> Course {
        Course::Changing
    }

    fn variance(&self) -> f64 {
        0.25
    }

    fn range(&self) -> (f64, f64) {
        (0.0, 1.0)
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.5
    }
}

/// A world whose means stand still.
pub(crate) fn still(graph: &Graph) -> World {
    let mean = |node: u32| f64::from(node * 7 % 10) / 10.0;
    let law = |node| Law::uniform(mean(node) - 0.5, mean(node) + 0.5).unwrap();
    World::new(graph.clone(), graph.nodes().map(law).collect()).unwrap()
}
