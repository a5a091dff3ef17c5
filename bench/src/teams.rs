//! Teams: runs of Multi-G-UCB on the largest instance of its paper, and the time to plan for many
//! walkers. `bench/peers/teams_plain.py` measures the yardstick of the runs.

use crate::Effort;
use crate::measure::{Budget, in_turns};
use crate::stopwatch::Stopwatch;
use anyhow::{Context, Result};
use graph_bandit::spec::{ShareSpec, TeamSpec};
use graph_bandit::team::{Draws, Member, Post, Team, TeamAgent, TeamRun, TeamRunPlan, TeamSetup};
use graph_bandit::{
    Graph, MeansSpec, NodeId, Payer, Preset, RegretFrom, RewardSpec, Seed, Tape, TapeKind, World,
};
use graph_bandit_lab::statistics::median;
use graph_bandit_paper::team_instances::ER300_20;
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Duration;

/// The number of seeds that rounds use in turn: the time of a run depends on its luck.
const SEEDS: u64 = 8;
/// The agents whose plans are measured.
const PLANNERS: [(&str, Preset); 3] =
    [("multi-g-ucb", Preset::Program), ("multi-g-ucb", Preset::Paper), ("g-star", Preset::Paper)];
/// The walkers of a large team.
const WALKERS: usize = 100;
/// The side of its square grid.
const SIDE: usize = 100;

/// The section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Teams {
    /// Whole runs, one entry per way to draw rewards.
    pub runs: Vec<RunRow>,
    /// Plans of large teams, one entry per agent.
    pub plans: Vec<PlanRow>,
}

/// Runs of the authors' program, initialization included.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRow {
    /// The instance.
    pub instance: String,
    /// The agent, with the parameters of the authors' program.
    pub agent: String,
    /// How rewards are drawn.
    pub tape: TapeKind,
    /// Nodes.
    pub nodes: usize,
    /// Walkers.
    pub walkers: usize,
    /// Steps of each run, from the first of initialization.
    pub steps: u64,
    /// The median time of a run.
    pub seconds_per_run: f64,
    /// The mean realized regret of the runs, against the optimum from the means.
    pub regret: f64,
    /// The mean number of legs of a walker. Every step of the initial search is a leg, too.
    pub legs: f64,
}

/// The time to plan after every node has been seen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PlanRow {
    /// The agent.
    pub agent: String,
    /// The preset of its parameters.
    pub preset: Preset,
    /// The graph.
    pub graph: String,
    /// Walkers.
    pub walkers: usize,
    /// The median time of the legs of all walkers, if they plan together; otherwise of one leg.
    pub seconds: f64,
    /// How many walkers get a leg in that time.
    pub legs: usize,
    /// The number of plans measured.
    pub plans: usize,
}

/// Measures.
///
/// # Errors
/// When a run fails.
pub fn measure(effort: Effort) -> Result<Teams> {
    let mut runs = Vec::new();
    for tape in [TapeKind::OneByOne, TapeKind::Sums] {
        runs.push(run_row(tape, effort)?);
    }
    let mut plans = Vec::new();
    for (agent, preset) in PLANNERS {
        plans.push(plan_row(agent, preset, effort)?);
    }
    Ok(Teams { runs, plans })
}

/// Multi-G-UCB on the instance, ready to run.
pub struct Setting {
    world: World,
    spec: TeamSpec,
    plan: TeamRunPlan,
    /// The team of each seed. Its shares are part of the instance, as they are for the yardstick.
    teams: Vec<TeamSetup>,
}

/// The outcome of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Outcome {
    /// Realized regret at the end.
    pub regret: f64,
    /// Legs of one walker.
    pub legs: f64,
}

impl Setting {
    /// The authors' program, with rewards drawn this way.
    ///
    /// # Errors
    /// When the agent is unknown.
    pub fn new(tape: TapeKind) -> Result<Self> {
        let steps = ER300_20.published().steps;
        let plan = TeamRunPlan {
            steps,
            checkpoints: vec![steps],
            regret_from: RegretFrom::Start,
            tape,
            optimum: ER300_20.optimum(),
            against: None,
        };
        let spec = TeamSpec::named("multi-g-ucb", Preset::Program).context("multi-g-ucb")?;
        let teams = (0..SEEDS).map(|seed| ER300_20.team(Seed(seed))).collect();
        Ok(Self { world: ER300_20.world(), spec, plan, teams })
    }

    /// One run, initialization included.
    ///
    /// # Errors
    /// When the run fails.
    pub fn run(&self, round: usize) -> Result<Outcome> {
        let seed = Seed(round as u64 % SEEDS);
        let setup = self.teams[seed.0 as usize].clone();
        let walkers = setup.walkers();
        let mut run = TeamRun::new(&self.world, self.spec.build(), (setup, &self.plan), seed)?;
        run.walk_until(&[])?;
        let record = run.into_record();
        let end = record.checkpoints.last().context("a run records its end")?;
        Ok(Outcome { regret: end.realized_regret, legs: end.legs as f64 / walkers as f64 })
    }
}

fn run_row(tape: TapeKind, effort: Effort) -> Result<RunRow> {
    let setting = Setting::new(tape)?;
    let outcomes = (0..SEEDS as usize).map(|round| setting.run(round));
    let outcomes = outcomes.collect::<Result<Vec<Outcome>>>()?;
    let mean = |of: fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / SEEDS as f64;
    let budget = match effort {
        Effort::Quick => Budget { time: Duration::ZERO, least_rounds: 3, most_rounds: 3 },
        Effort::Full => {
            Budget { time: Duration::from_secs(4), least_rounds: SEEDS as usize, most_rounds: 200 }
        }
    };
    // The same runs succeeded above.
    let medians = in_turns(budget, &mut [Box::new(|round| drop(black_box(setting.run(round))))]);
    Ok(RunRow {
        instance: ER300_20.name.to_owned(),
        agent: setting.spec.label(Preset::Program),
        tape,
        nodes: setting.world.graph().len(),
        walkers: ER300_20.published().agents,
        steps: setting.plan.steps,
        seconds_per_run: medians[0],
        regret: mean(|outcome| outcome.regret),
        legs: mean(|outcome| outcome.legs),
    })
}

fn plan_row(name: &str, preset: Preset, effort: Effort) -> Result<PlanRow> {
    let seed = Seed(1);
    let graph = Graph::grid(SIDE, SIDE)?;
    let means = "uniform:0.25,0.75".parse::<MeansSpec>()?.draw(graph.len(), seed)?;
    let laws = "gaussian:0.06".parse::<RewardSpec>()?.laws(&means)?;
    let world = World::new(graph, laws)?;
    let mut stream = seed.stream();
    let mut start = || Member::at(stream.below(world.graph().len() as u64) as NodeId);
    let setup = TeamSetup {
        members: (0..WALKERS).map(|_| start()).collect(),
        sharing: Arc::new("log:1".parse::<ShareSpec>()?.sharing(WALKERS)?),
        draws: Draws::One,
        seats: None,
    };
    let agent = TeamSpec::named(name, preset).context("there is no such agent")?.build();
    let mut team = Team::new(world.shared_graph(), agent, setup, seed.child(1).stream())?;
    let mut payer = world.on_tape(&Tape::of_kind(seed, TapeKind::OneByOne));
    while team.estimates().samples().iter().any(|sample| sample.count == 0) {
        team.advance(1, &mut payer)?;
    }
    let wanted = match effort {
        Effort::Quick => 5,
        Effort::Full => 41,
    };
    let mut times = Vec::new();
    let mut together = true;
    // The first plan builds tables that later ones reuse.
    for round in 0..=wanted {
        let idle = next_idle(&mut team, &mut payer)?;
        let watch = Stopwatch::start();
        team.plan()?;
        let seconds = watch.seconds();
        if round > 0 {
            together &= idle == WALKERS;
            times.push((seconds, idle));
        }
    }
    let of_legs = |&(seconds, idle): &(f64, usize)| {
        if together { seconds } else { seconds / idle as f64 }
    };
    Ok(PlanRow {
        agent: name.to_owned(),
        preset,
        graph: format!("grid:{SIDE}x{SIDE}"),
        walkers: WALKERS,
        seconds: median(times.iter().map(of_legs).collect()),
        legs: if together { WALKERS } else { 1 },
        plans: times.len(),
    })
}

/// Walks until some walkers have no leg, and returns their number.
fn next_idle<A: TeamAgent, P: Payer>(team: &mut Team<A>, payer: &mut P) -> Result<usize> {
    loop {
        let idle = team.posts().iter().filter(|post: &&Post| post.is_idle()).count();
        if idle > 0 {
            return Ok(idle);
        }
        team.advance(u64::MAX, payer)?;
    }
}
