//! What it is worth to learn together where rewards change: the regret of a team that g-drift leads, over the regret of
//! walkers that each run g-drift by themselves. Prints one line per case, and the geometric mean of each group.
//!
//!     cargo run --release -p graph-bandit-lab --example team_or_alone

use graph_bandit::run::RegretFrom;
use graph_bandit::{AgentSpec, GraphSpec, Preset, RewardSpec, RunPlan, Seed};
use graph_bandit_lab::{
    Entrant, Jobs, MeansSource, RoadChanges, ShareSource, Study, TeamStudy, Window,
};
use std::error::Error;
use std::path::Path;

const GRAPHS: [&str; 5] = ["grid:9x9", "line:30", "tree:40", "star:20", "complete:36"];
const MEANS: [&str; 5] = [
    "redrawn:0.5,9.5,2500",
    "one-at-a-time:0.5,9.5,100",
    "moving-best:0.5,9.5,2500",
    "drift:0.5,9.5,0.2,100",
    "seasons:3,7,2.5,5000",
];
const STEPS: u64 = 10_000;
const RUNS: u64 = 10;

fn main() -> Result<(), Box<dyn Error>> {
    for share in ["equal", "log:0.5"] {
        for walkers in [2, 5] {
            let (mut logs, mut cases) = (0.0_f64, 0.0_f64);
            for graph in GRAPHS {
                for means in MEANS {
                    let (team, alone) = regrets(graph, means, (walkers, share))?;
                    println!(
                        "{share}, {walkers} walkers, {means} on {graph}: {team:.0} / {alone:.0} = {:.3}",
                        team / alone
                    );
                    logs += (team / alone).ln();
                    cases += 1.0;
                }
            }
            let mean = (logs / cases).exp();
            println!("{share}, {walkers} walkers: geometric mean of {cases} cases {mean:.3}");
        }
    }
    Ok(())
}

/// The mean regrets of the team and of walkers by themselves.
fn regrets(
    graph: &str,
    means: &str,
    (walkers, share): (usize, &str),
) -> Result<(f64, f64), Box<dyn Error>> {
    let seed = Seed(1);
    let alone = AgentSpec::parse("g-drift", Preset::Paper)?;
    let alone = Entrant::own("by themselves", move |graph, _| Ok(alone.build(graph)?));
    let share = ShareSource::parse(share, Path::new(""))?;
    let study = Study {
        graph: graph.parse::<GraphSpec>()?.build(seed)?.into(),
        agents: vec![Entrant::parse_for_team("g-drift", Preset::Paper, walkers)?, alone],
        preset: Preset::Paper,
        means: MeansSource::parse(means, Path::new(""))?,
        noise: "uniform:0.5".parse::<RewardSpec>()?.into(),
        plan: RunPlan { regret_from: RegretFrom::Start, ..RunPlan::new(STEPS, 1) },
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: Some(TeamStudy { share, ..TeamStudy::of(walkers) }),
        runs: RUNS,
        seed,
    };
    let made = study.execute(Jobs::default(), &|| ())?;
    let mean = |agent: usize| made.agents[agent].regrets(0).iter().sum::<f64>() / RUNS as f64;
    Ok((mean(0), mean(1)))
}
