//! Small studies for the gallery: the same worlds for every agent, one run after another.

use crate::Outcome;
use graph_bandit::spec::MeansSpec;
use graph_bandit::{AgentSpec, Graph, Preset, RewardSpec, RunPlan, Seed, World, run};
use graph_bandit_figures::Series;
use graph_bandit_figures::palette::styles_of;
use std::sync::Arc;
use std::time::Instant;

/// The graph, the agents, the steps and the number of runs.
pub(crate) struct Runs {
    pub(crate) graph: Arc<Graph>,
    /// As on the command line.
    pub(crate) agents: &'static str,
    /// The least mean; the greatest is 9.5.
    pub(crate) lowest: f64,
    pub(crate) steps: u64,
    pub(crate) count: u64,
}

/// The results of one agent's runs.
pub(crate) struct Regrets {
    pub(crate) label: String,
    pub(crate) steps: Vec<f64>,
    /// By run, at each of the steps.
    pub(crate) runs: Vec<Vec<f64>>,
    pub(crate) seconds: Vec<f64>,
}

impl Runs {
    pub(crate) fn new(graph: Graph, agents: &'static str, steps: u64, count: u64) -> Self {
        Self { graph: Arc::new(graph), agents, lowest: 0.5, steps, count }
    }

    pub(crate) fn world(&self, run: u64) -> Outcome<World> {
        let means: MeansSpec = format!("uniform:{},9.5", self.lowest).parse()?;
        let laws =
            "uniform:0.5".parse::<RewardSpec>()?.laws(&means.draw(self.graph.len(), seed(run))?)?;
        Ok(World::new(Arc::clone(&self.graph), laws)?)
    }

    pub(crate) fn made(&self) -> Outcome<Vec<Regrets>> {
        let agents = AgentSpec::parse_list(self.agents, Preset::Paper)?;
        agents.iter().map(|agent| self.of_agent(agent)).collect()
    }

    fn of_agent(&self, agent: &AgentSpec) -> Outcome<Regrets> {
        let plan = RunPlan::new(self.steps, 100);
        let (mut runs, mut seconds) = (Vec::new(), Vec::new());
        for number in 0..self.count {
            let (world, mut built) = (self.world(number)?, agent.build(&self.graph)?);
            let start = Instant::now();
            let record = run(&world, built.as_mut(), &plan, seed(number))?;
            seconds.push(start.elapsed().as_secs_f64());
            runs.push(record.checkpoints.iter().map(|checkpoint| checkpoint.regret).collect());
        }
        let steps = plan.checkpoints.iter().map(|&t| t as f64).collect();
        Ok(Regrets { label: agent.label(Preset::Paper), steps, runs, seconds })
    }
}

fn seed(run: u64) -> Seed {
    Seed(7).child(run)
}

impl Regrets {
    pub(crate) fn means(&self) -> Vec<f64> {
        self.over_runs(|values| values.iter().sum::<f64>() / values.len() as f64)
    }

    pub(crate) fn deviations(&self) -> Vec<f64> {
        self.over_runs(|values| {
            let count = values.len() as f64;
            let mean = values.iter().sum::<f64>() / count;
            let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
            (squares / (count - 1.0).max(1.0)).sqrt()
        })
    }

    fn over_runs(&self, of: impl Fn(&[f64]) -> f64) -> Vec<f64> {
        let at = |k: usize| self.runs.iter().map(|run| run[k]).collect::<Vec<f64>>();
        (0..self.steps.len()).map(|k| of(&at(k))).collect()
    }

    pub(crate) fn traces(&self) -> Vec<Vec<[f64; 2]>> {
        let trace = |run: &Vec<f64>| self.steps.iter().zip(run).map(|(&t, &r)| [t, r]).collect();
        self.runs.iter().map(trace).collect()
    }
}

/// The mean curves of agents in one figure, with bands of about 95%.
pub(crate) fn curves(agents: &[Regrets]) -> Vec<Series> {
    let styles = styles_of(agents.iter().map(|agent| agent.label.as_str()));
    let series = |(agent, style): (&Regrets, _)| {
        let means = agent.means();
        let points = agent.steps.iter().zip(&means).map(|(&t, &mean)| [t, mean]).collect();
        let root = (agent.runs.len() as f64).sqrt();
        let half = agent.deviations().into_iter().map(|sd| 1.96 * sd / root);
        let band = means.iter().zip(half).map(|(mean, half)| [mean - half, mean + half]);
        Series::new(&agent.label, style, points).with_band(band.collect())
    };
    agents.iter().zip(styles).map(series).collect()
}
