//! The value of knowing how long roads take: agents on a town's map, with and without times.
//!
//! `town FILE [RUNS [STEPS [FIGURE]]]`, where FILE is a map with `travel_time`, as written by
//! `scripts/town.py`. Prints a Markdown table: for several lengths of a visit, the mean regret of
//! each agent after STEPS units of time, with its standard error, and as a multiple of G-UCB's. All
//! agents get the same means and rewards. FIGURE, a PNG file, shows the curves.

use anyhow::{Context, Result};
use graph_bandit::{
    Agent, AgentSpec, Footing, Graph, Leg, Preset, Raised, Road, RunPlan, Seed, Situation, Stream,
    World, run,
};
use graph_bandit::{Init, MeansSpec, RewardSpec};
use graph_bandit_figures::palette::style_of;
use graph_bandit_figures::{
    Axis, Body, Curves, Dash, Figure, Panel, Series, Style, Theme, draw_svg, render_png,
};
use graph_bandit_maps::{ReadOptions, Travel, read_file};
use std::path::Path;

const AGENTS: [(&str, Told); 4] = [
    ("g-ucb", Told::Times),
    ("g-ucb", Told::Equal),
    ("g-star:noise-scale=0.5", Told::Times),
    ("g-star:noise-scale=0.5", Told::Equal),
];
/// How often the regret is recorded.
const CHECKPOINTS: u64 = 200;
/// How long a visit takes, in seconds.
const VISITS: [f64; 3] = [30.0, 5.0, 1.0];

/// What an agent knows about the roads.
#[derive(Clone, Copy, PartialEq)]
enum Told {
    Times,
    /// All roads take the average time.
    Equal,
}

/// An agent that sees another graph than the one it walks.
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

/// The same roads, all with the average time.
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

/// The regret of one run at every checkpoint.
fn regrets(graph: &Graph, (agent, told): (&str, Told), steps: u64, seed: Seed) -> Result<Vec<f64>> {
    let means = "uniform:0.5,9.5".parse::<MeansSpec>()?.draw(graph.len(), seed)?;
    let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
    let world = World::new(graph.clone(), laws)?;
    let shown = match told {
        Told::Times => graph.clone(),
        Told::Equal => equal(graph)?,
    };
    let agent = AgentSpec::parse(agent, Preset::Paper)?.build(&shown)?;
    let mut agent = Shown { agent, graph: shown };
    let plan = RunPlan { init: Init::Nearest, ..RunPlan::new(steps, CHECKPOINTS) };
    let checkpoints = run(&world, &mut agent, &plan, seed)?.checkpoints;
    Ok(checkpoints.iter().map(|checkpoint| checkpoint.regret).collect())
}

fn mean_and_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (squares / (n - 1.0) / n).sqrt())
}

/// The measurements of one agent at one length of a visit: at every checkpoint, the mean regret and
/// its standard error.
fn measure(
    graph: &Graph,
    entrant: (&str, Told),
    (runs, steps): (u64, u64),
) -> Result<Vec<(f64, f64)>> {
    let all = (0..runs).map(|k| regrets(graph, entrant, steps, Seed(2_026).child(k)));
    let all = all.collect::<Result<Vec<_>>>()?;
    let at = |place: usize| all.iter().map(|run| run[place]).collect::<Vec<_>>();
    Ok((0..CHECKPOINTS as usize).map(|place| mean_and_error(&at(place))).collect())
}

fn curve((agent, told): (&str, Told), steps: u64, measured: &[(f64, f64)]) -> Series {
    let name = name_of(agent);
    let (label, dash) = match told {
        Told::Times => (format!("{name}, knows the times"), Dash::Solid),
        Told::Equal => (format!("{name}, told all are equal"), Dash::Dashed),
    };
    let at = |place: usize| (steps * (place as u64 + 1) / CHECKPOINTS) as f64;
    let points = measured.iter().enumerate().map(|(place, &(mean, _))| [at(place), mean]);
    Series::new(label, Style { dash, ..style_of(name) }, points.collect())
}

fn name_of(agent: &str) -> &str {
    agent.split(':').next().unwrap_or(agent)
}

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let file = args.first().context("usage: town FILE [RUNS [STEPS [FIGURE]]]")?;
    let number = |place: usize, default: u64| match args.get(place) {
        Some(text) => text.parse().with_context(|| format!("{text} is not a whole number")),
        None => Ok(default),
    };
    let (runs, steps) = (number(1, 100)?, number(2, 100_000)?);
    println!("| a visit takes | roads take | agent | told | regret | of G-UCB's |");
    println!("|--:|--:|---|---|--:|--:|");
    let mut panels = Vec::new();
    for visit_time in VISITS {
        let graph = town(Path::new(file), visit_time)?;
        let longest = graph.all_roads().map(|road| road.time).fold(0.0, f64::max);
        let mut of_g_ucb = f64::NAN;
        let mut series = Vec::new();
        for entrant in AGENTS {
            let measured = measure(&graph, entrant, (runs, steps))?;
            let &(mean, error) = measured.last().context("there are checkpoints")?;
            if of_g_ucb.is_nan() {
                of_g_ucb = mean;
            }
            let (name, told) = (name_of(entrant.0), entrant.1);
            let told = if told == Told::Times { "times" } else { "all equal" };
            let share = mean / of_g_ucb;
            println!(
                "| {visit_time} s | up to {longest:.1} | `{name}` | {told} | {mean:.0} ± {error:.0} | {share:.3} |"
            );
            series.push(curve(entrant, steps, &measured));
        }
        let (x, y) = (Axis::linear("time, in visits"), Axis::log("regret"));
        let title = format!("a visit takes {visit_time} s, roads up to {longest:.1} visits");
        panels.push(Panel::new(title, Body::Curves(Curves { x, y, series })));
    }
    if let Some(png) = args.get(3) {
        let figure = Figure::new("town", "Regret in a town of one-way streets", panels);
        let svg = draw_svg(&figure.with_columns(VISITS.len()).with_legend(), Theme::Light);
        std::fs::write(png, render_png(&svg, 1_800)?).with_context(|| png.clone())?;
    }
    Ok(())
}
