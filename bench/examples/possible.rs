//! How far agents are from the least possible regret on tiny graphs with rewards of 0 and 1, as CSV: the file
//! `experiments/frontier/tiny-graphs.csv` of graph-bandit-paper. Takes a minute, or less with fewer runs.
//!
//!     cargo run --release -p graph-bandit-bench --example possible -- [RUNS]

use anyhow::{Context, Result};
use graph_bandit::bayes::{BayesProblem, Keep, Seen};
use graph_bandit::run::RegretFrom;
use graph_bandit::{AgentSpec, Graph, GraphSpec, Init, Preset, RewardSpec, Road, RunPlan, Seed};
use graph_bandit_lab::{Entrant, Jobs, MeansSource, RoadChanges, Study, StudySummary, Window};
use std::io::stdout;
use std::path::Path;
use std::sync::Arc;

/// The graph, the time of its road if it is one, and the steps.
const TINY: [(&str, u32, u64); 7] = [
    ("line:3", 0, 20),
    ("line:3", 0, 60),
    ("complete:3", 0, 20),
    ("complete:3", 0, 60),
    ("line:2", 0, 200),
    ("line:2", 2, 200),
    ("line:2", 8, 200),
];
/// Agents with parameters that a section of the page is about, or that know that rewards are 0 or 1.
const VARIANTS: [&str; 8] = [
    "g-star:variance=declared",
    "g-star:caution=1.2,doubt=3",
    "g-star:trust=0.9",
    "g-star:foresight=1",
    "g-horizon:horizon=T",
    "g-horizon:horizon=T,steady=1",
    "g-ts:rewards=bernoulli",
    "g-klucb:rewards=bernoulli",
];
const SEED: Seed = Seed(1);
/// Enough for all of these graphs.
const MEMORY: u64 = 8 << 30;

fn main() -> Result<()> {
    let runs = std::env::args().nth(1).map_or(Ok(10_000), |runs| runs.parse());
    let runs = runs.context("usage: possible [RUNS]")?;
    let mut out = csv::Writer::from_writer(stdout().lock());
    out.write_record([
        "graph",
        "road_time",
        "steps",
        "least_possible_regret",
        "agent",
        "ratio_to_least_possible",
    ])?;
    for (family, time, steps) in TINY {
        let graph = match time {
            0 => family.parse::<GraphSpec>()?.build(SEED)?,
            _ => Graph::from_roads(
                2,
                [(0, 1), (1, 0)].map(|(from, to)| Road { from, to, time: time.into() }),
            )?,
        };
        let problem = BayesProblem::new(&graph, 0, steps)?;
        let least = solved(&problem)?.1;
        let covered = problem.expected_best_mean() * steps as f64
            - after_initialization(&graph, time, steps)?;
        let mut row = |agent: &str, regret: f64| {
            let (time, steps) = (time.to_string(), steps.to_string());
            let numbers = [format!("{least:.3}"), format!("{:.2}", regret / least)];
            out.write_record([family, &time, &steps, &numbers[0], agent, &numbers[1]])
        };
        row("the best after initialization", covered)?;
        for (agent, regret) in measured(graph.clone(), steps, runs)? {
            row(&agent, regret)?;
        }
    }
    Ok(out.flush()?)
}

/// The greatest expected reward of a walk, and its regret.
fn solved(problem: &BayesProblem<'_>) -> Result<(f64, f64)> {
    let optimum = problem.solve(Keep::First(1), MEMORY, &mut |_| true)?;
    Ok((optimum.value(), optimum.regret()))
}

/// The greatest expected reward of a walk that first visits every node once, in order.
fn after_initialization(graph: &Graph, time: u32, steps: u64) -> Result<f64> {
    let nodes = graph.len();
    let left = steps - nodes as u64 - (nodes as u64 - 1) * u64::from(time);
    let mut total = 0.0;
    for rewards in 0_u32..1 << nodes {
        let seen = (0..nodes).map(|node| rewards >> node & 1);
        let seen: Vec<Seen> = seen.map(|ones| Seen { ones, zeros: 1 - ones }).collect();
        let rest = BayesProblem::new(graph, nodes as u32 - 1, left)?.after(seen)?;
        total += f64::from(rewards.count_ones()) + solved(&rest)?.0;
    }
    Ok(total / f64::from(1_u32 << nodes))
}

/// The mean regret of all agents that walk every graph, each with its label.
fn measured(graph: Graph, steps: u64, runs: u64) -> Result<Vec<(String, f64)>> {
    let line = Graph::line(3)?;
    let named = AgentSpec::names().into_iter().filter(|name| {
        AgentSpec::named(name, Preset::Paper).is_some_and(|agent| agent.build(&line).is_ok())
    });
    // `g-horizon` is there with its horizon.
    let labels: Vec<&str> = named.filter(|name| *name != "g-horizon").chain(VARIANTS).collect();
    let told = labels.iter().map(|label| label.replace("=T", &format!("={steps}")));
    let agents =
        told.map(|agent| Entrant::parse(&agent, Preset::Paper)).collect::<Result<_, _>>()?;
    let study = Study {
        graph: Arc::new(graph),
        agents,
        preset: Preset::Paper,
        means: MeansSource::parse("uniform:0,1", Path::new(""))?,
        noise: "bernoulli".parse::<RewardSpec>()?.into(),
        plan: RunPlan {
            regret_from: RegretFrom::Start,
            init: Init::Lowest,
            ..RunPlan::new(steps, 1)
        },
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs,
        seed: SEED,
    };
    let summary = StudySummary::of(&study, &study.execute(Jobs::All, &|| ())?);
    let regrets = summary.agents.iter().map(|agent| agent.regret_mean[0]);
    Ok(labels.into_iter().map(str::to_owned).zip(regrets).collect())
}
