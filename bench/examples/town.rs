//! What it is worth to know how long roads take: agents on a town's map, with times and without.
//!
//! `town FILE [RUNS [STEPS]]`, FILE a map with `travel_time`, such as `scripts/town.py` writes. Prints a table in
//! Markdown: for several lengths of a visit the mean regret of each agent after STEPS units of time, with its
//! standard error, and its multiple of G-UCB's. All agents meet the same means and rewards.

use anyhow::{Context, Result};
use graph_bandit::{
    Agent, AgentSpec, Footing, Graph, Leg, Preset, Raised, Road, RunPlan, Seed, Situation, Stream,
    World, run,
};
use graph_bandit::{Init, MeansSpec, RewardSpec};
use graph_bandit_maps::{ReadOptions, Travel, read_file};
use std::path::Path;

const AGENTS: [(&str, Told); 4] = [
    ("g-ucb", Told::Times),
    ("g-ucb", Told::Equal),
    ("g-star:noise-scale=0.5", Told::Times),
    ("g-star:noise-scale=0.5", Told::Equal),
];
/// How long a visit takes, in seconds.
const VISITS: [f64; 3] = [30.0, 5.0, 1.0];

/// What an agent is told of the roads.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Times,
    /// That all take as long as they do on average.
    Equal,
}

/// An agent that is shown another graph than the one it walks.
struct Shown {
    agent: Box<dyn Agent + Send>,
    graph: Graph,
}

impl Agent for Shown {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.agent.next_leg(&Situation { graph: &self.graph, ..*now }, stream, leg)
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &graph_bandit::Visit) -> Result<(), Raised> {
        self.agent.observe(&Situation { graph: &self.graph, ..*now }, visit)
    }

    fn footing(&self) -> Footing {
        Footing::SameNodes
    }
}

/// The same roads, all of which take as long as they do on average.
fn equal(graph: &Graph) -> Result<Graph> {
    let mean = graph.all_roads().map(|road| road.time).sum::<f64>() / graph.road_count() as f64;
    let roads = graph.all_roads().map(|road| Road { time: mean, ..road });
    Ok(Graph::from_roads(graph.len(), roads)?)
}

fn town(file: &Path, visit_time: f64) -> Result<Graph> {
    let travel = Travel {
        times: Some("travel_time".to_owned()),
        visit_time: Some(visit_time),
        ..Travel::default()
    };
    let options = ReadOptions { travel, ..ReadOptions::default() };
    Ok(read_file(file, &options)?.map.graph().clone())
}

/// The regret of one run.
fn regret(graph: &Graph, (agent, told): (&str, Told), steps: u64, seed: Seed) -> Result<f64> {
    let means = "uniform:0.5,9.5".parse::<MeansSpec>()?.draw(graph.len(), seed)?;
    let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
    let world = World::new(graph.clone(), laws)?;
    let shown = match told {
        Told::Times => graph.clone(),
        Told::Equal => equal(graph)?,
    };
    let agent = AgentSpec::parse(agent, Preset::Paper)?.build(&shown)?;
    let mut agent = Shown { agent, graph: shown };
    let plan = RunPlan { init: Init::Nearest, ..RunPlan::new(steps, 1) };
    Ok(run(&world, &mut agent, &plan, seed)?.checkpoints[0].regret)
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().context("usage: town FILE [RUNS [STEPS]]")?;
    let number = |place: usize, default: u64| match args.get(place) {
        Some(text) => text.parse().with_context(|| format!("{text} is not a whole number")),
        None => Ok(default),
    };
    let (runs, steps) = (number(1, 100)?, number(2, 100_000)?);
    println!("| a visit takes | roads take | agent | told | regret | of G-UCB's |");
    println!("|--:|--:|---|---|--:|--:|");
    for visit_time in VISITS {
        let graph = town(Path::new(file), visit_time)?;
        let longest = graph.all_roads().map(|road| road.time).fold(0.0, f64::max);
        let mut of_g_ucb = f64::NAN;
        for (agent, told) in AGENTS {
            let values =
                (0..runs).map(|k| regret(&graph, (agent, told), steps, Seed(2_026).child(k)));
            let values = values.collect::<Result<Vec<f64>>>()?;
            let (mean, error) = mean_and_error(&values);
            if of_g_ucb.is_nan() {
                of_g_ucb = mean;
            }
            let name = agent.split(':').next().unwrap_or(agent);
            let told = if told == Told::Times { "times" } else { "all equal" };
            let share = mean / of_g_ucb;
            println!(
                "| {visit_time} s | up to {longest:.1} | `{name}` | {told} | {mean:.0} ± {error:.0} | {share:.3} |"
            );
        }
    }
    Ok(())
}
