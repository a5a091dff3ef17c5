//! `gbandit bayes`: the Bayes-optimal agent on a tiny graph, and how far other agents are from it.

use crate::args::BayesArgs;
use crate::graph::{tell_notes, tell_travel};
use crate::groups;
use crate::number::{rounded, with_commas};
use crate::progress;
use crate::table::{left_table, table};
use graph_bandit::bayes::{BayesError, BayesOptimum, BayesProblem, Keep, Seen};
use graph_bandit::{Graph, NodeId, Preset, RegretFrom, RunPlan, Seed};
use graph_bandit_lab::study::check_memory;
use graph_bandit_lab::{
    AgentSummary, Jobs, LabError, Loaded, MeansSource, NodeName, RoadChanges, Study, StudySummary,
    Window,
};
use serde::Serialize;
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;

/// The moves that are shown without `--json`: three visits and what may come of the first two.
const SHOWN: usize = 3;
/// The prior, as `gbandit run` writes it.
const MEANS: &str = "uniform:0,1";
/// The rewards, as `gbandit run` writes them.
const NOISE: &str = "bernoulli";

pub(crate) fn bayes(args: &BayesArgs) -> anyhow::Result<()> {
    let source = args.map.source(&args.graph)?;
    let Loaded { graph, notes, travel, .. } =
        source.load_with_travel(Seed(args.seed), Preset::Paper)?;
    tell_notes(&args.graph, &notes);
    if let Some(travel) = &travel {
        tell_travel(&args.graph, travel);
    }
    let graph = Arc::new(graph);
    let start = match args.start.as_deref() {
        Some(text) => NodeName::from(text).find_start(&graph)?,
        None => 0,
    };
    // Everything that can be wrong, before the work begins.
    let study = args.agents.as_deref().map(|agents| study(args, agents, &graph, start));
    let study = study.transpose()?;
    progress::warn(study.as_slice());
    let problem = BayesProblem::new(&graph, start, args.steps).map_err(|error| refused(&error))?;
    let problem = problem.after(seen(args, &graph)?).map_err(|error| refused(&error))?;
    let optimum = solve(args, &problem)?;
    let measured = study.as_ref().map(|study| measure(args, study)).transpose()?;
    let mut out = stdout().lock();
    if args.json {
        let answer = answer(args, &graph, &optimum, measured.as_ref());
        serde_json::to_writer(&mut out, &answer).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report(args, &graph, &optimum, measured.as_ref()))?;
    }
    Ok(())
}

/// The optimum, with a bar that counts millions of states.
fn solve(args: &BayesArgs, problem: &BayesProblem<'_>) -> Result<BayesOptimum, LabError> {
    const MILLION: f64 = 1e6;
    let size = problem.size().map_err(|error| refused(&error))?;
    let bar = progress::bar((size.states / MILLION) as u64, "million states");
    let mut advance = |done: f64| {
        bar.set_position((done / MILLION) as u64);
        true
    };
    let allowed = (args.memory * f64::from(1 << 30)) as u64;
    let optimum = problem.solve(Keep::First(SHOWN), allowed, &mut advance);
    bar.finish_and_clear();
    optimum.map_err(|error| refused(&error))
}

/// The error with the flag that it is about, and the one that helps.
fn refused(error: &BayesError) -> LabError {
    match error {
        BayesError::TooManyNodes { .. } => LabError::setting("graph", error),
        BayesError::StartOutside { .. } => LabError::setting("start", error),
        BayesError::TooManySeen { .. } => LabError::setting("seen", error),
        BayesError::TooMuchMemory { .. } => {
            LabError::setting("steps", format!("{error} (--memory)"))
        }
        _ => LabError::setting("steps", error),
    }
}

/// Reads `0=2/3,1=0/1`: two ones in three visits to node 0, and so on.
fn seen(args: &BayesArgs, graph: &Graph) -> Result<Vec<Seen>, LabError> {
    let mut seen = vec![None; graph.len()];
    for part in args.seen.iter().flat_map(|text| text.split(',')) {
        let wrong = |reason: &str| {
            let form = "write NODE=ONES/VISITS, as in 0=2/3";
            LabError::setting("seen", format!("{part:?} {reason}; {form}"))
        };
        let (name, counts) = part.trim().rsplit_once('=').ok_or_else(|| wrong("has no ="))?;
        let (ones, visits) = counts.split_once('/').ok_or_else(|| wrong("has no /"))?;
        let number = |text: &str| text.trim().parse::<u32>().ok();
        let counts = number(ones).zip(number(visits)).ok_or_else(|| wrong("is not two numbers"))?;
        let (ones, visits) = counts;
        let zeros = visits.checked_sub(ones).ok_or_else(|| wrong("has more ones than visits"))?;
        let node = NodeName::from(name.trim()).find_start(graph);
        let node = node.ok().filter(|&node| (node as usize) < graph.len());
        let node = node.ok_or_else(|| wrong("does not begin with a node of the graph"))?;
        if seen[node as usize].replace(Seen { ones, zeros }).is_some() {
            return Err(wrong("repeats a node"));
        }
    }
    Ok(seen.into_iter().map(Option::unwrap_or_default).collect())
}

/// The study of other agents under the prior.
fn study(
    args: &BayesArgs,
    agents: &str,
    graph: &Arc<Graph>,
    start: NodeId,
) -> Result<Study, LabError> {
    let agents = groups::agents(agents, Preset::Paper, graph)?;
    check_memory(args.runs, agents.len() as u64, 1)?;
    let study = Study {
        means: MeansSource::parse(MEANS, Path::new(""))?.in_order_of(graph.names(), graph.len())?,
        graph: Arc::clone(graph),
        agents,
        preset: Preset::Paper,
        noise: NOISE.parse().map_err(|error| LabError::setting("noise", error))?,
        plan: RunPlan {
            start,
            init: args.init,
            regret_from: RegretFrom::Start,
            ..RunPlan::new(args.steps, 1)
        },
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs: args.runs,
        seed: Seed(args.seed),
    };
    study.check()?;
    Ok(study)
}

fn measure(args: &BayesArgs, study: &Study) -> Result<StudySummary, LabError> {
    let bar = progress::bar(study.runs * study.agents.len() as u64, "runs");
    let record = study.execute(Jobs::from_flag(args.jobs), &|| bar.inc(1));
    bar.finish_and_clear();
    Ok(StudySummary::of(study, &record?))
}

/// Half the width of the 95% interval, if there is one.
fn half_width(agent: &AgentSummary) -> Option<f64> {
    let [low, high] = agent.regret_ci95[0];
    Some((high? - low?) / 2.0)
}

/// What `--json` prints, in this order.
#[derive(Serialize)]
struct Answer {
    value: f64,
    regret: f64,
    /// The best first visit, if rewards were given.
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    agents: Option<Vec<MeasuredAgent>>,
}

#[derive(Serialize)]
struct MeasuredAgent {
    agent: String,
    regret: f64,
    ci95: [Option<f64>; 2],
    /// Absent where even the optimum has no regret.
    of_optimum: Option<f64>,
    runs: u64,
}

fn answer(
    args: &BayesArgs,
    graph: &Graph,
    optimum: &BayesOptimum,
    measured: Option<&StudySummary>,
) -> Answer {
    let agent = |agent: &AgentSummary, runs: u64| MeasuredAgent {
        agent: agent.agent.clone(),
        regret: agent.regret_mean[0],
        ci95: agent.regret_ci95[0],
        of_optimum: of_optimum(agent.regret_mean[0], optimum),
        runs,
    };
    Answer {
        value: optimum.value(),
        regret: optimum.regret(),
        next: args.seen.as_ref().map(|_| graph.label(optimum.first_move())),
        agents: measured
            .map(|summary| summary.agents.iter().map(|one| agent(one, summary.runs)).collect()),
    }
}

fn report(
    args: &BayesArgs,
    graph: &Graph,
    optimum: &BayesOptimum,
    measured: Option<&StudySummary>,
) -> String {
    let unit = if graph.roads().is_some() { "units of time" } else { "steps" };
    let seen = args.seen.as_ref().map_or_else(|| "nothing".to_owned(), Clone::clone);
    let heading = format!(
        "{}: {} nodes\n{} {unit} from node {}, rewards 0 or 1, means uniform beforehand, seen: {seen}\n",
        args.graph,
        with_commas(graph.len() as u64),
        with_commas(args.steps),
        graph.label(optimum.start()),
    );
    let numbers = left_table(&[
        ["value".to_owned(), format!("{:.6}", optimum.value()), "expected total reward".to_owned()],
        [
            "regret".to_owned(),
            format!("{:.6}", optimum.regret()),
            format!("{} x {:.6} (expected best mean) - value", args.steps, optimum.best_mean()),
        ],
    ]);
    let agents = measured.map(|measured| format!("\n{}", agents_table(optimum, measured)));
    format!(
        "{heading}\n{numbers}\n{}\nthe best moves\n{}{}",
        first_moves(graph, optimum),
        left_table(&tree(graph, optimum)),
        agents.unwrap_or_default(),
    )
}

/// Every first visit, and what it costs compared with the best.
fn first_moves(graph: &Graph, optimum: &BayesOptimum) -> String {
    let rows: Vec<Vec<String>> = optimum
        .first()
        .iter()
        .map(|choice| {
            vec![
                go(graph, optimum.start(), choice.node),
                format!("{:.6}", choice.value),
                format!("{:.6}", (optimum.value() - choice.value).max(0.0)),
            ]
        })
        .collect();
    table(&["first move", "value", "loss"], &rows)
}

fn go(graph: &Graph, from: NodeId, to: NodeId) -> String {
    let verb = if from == to { "stay on" } else { "go to" };
    format!("{verb} {}", graph.label(to))
}

/// The first moves, by the rewards before them.
fn tree(graph: &Graph, optimum: &BayesOptimum) -> Vec<[String; 3]> {
    let mut rows = Vec::new();
    let mut open = vec![(String::new(), optimum.start(), 0.0, vec![Seen::default(); graph.len()])];
    for step in 1..=SHOWN {
        let mut later = Vec::new();
        for (rewards, at, travel, since) in open {
            let Some(to) = optimum.next(at, travel, &since) else { continue };
            let told = if rewards.is_empty() {
                String::new()
            } else {
                format!("after {}", rewards.trim())
            };
            rows.push([format!("step {step}"), told, go(graph, at, to)]);
            let travel = travel + graph.travel(at, to).unwrap_or(0.0);
            for reward in [1, 0] {
                let mut since = since.clone();
                let seen = &mut since[to as usize];
                if reward == 1 {
                    seen.ones += 1;
                } else {
                    seen.zeros += 1;
                }
                later.push((format!("{rewards} {reward}"), to, travel, since));
            }
        }
        open = later;
    }
    rows
}

/// A regret as a multiple of the optimum's, if that is more than rounding errors.
fn of_optimum(regret: f64, optimum: &BayesOptimum) -> Option<f64> {
    let least = optimum.regret();
    (least > 1e-9).then_some(regret / least)
}

/// Every agent's regret, and as a multiple of the optimum's.
fn agents_table(optimum: &BayesOptimum, measured: &StudySummary) -> String {
    let least = optimum.regret();
    let mut rows = vec![
        ["Bayes-optimal".to_owned(), rounded(least), "exact".to_owned(), "1.00".to_owned()]
            .to_vec(),
    ];
    rows.extend(measured.agents.iter().map(|agent| {
        let interval =
            half_width(agent).map_or("-".to_owned(), |half| format!("± {}", rounded(half)));
        let regret = agent.regret_mean[0];
        let multiple =
            of_optimum(regret, optimum).map_or("-".to_owned(), |multiple| format!("{multiple:.2}"));
        vec![agent.agent.clone(), rounded(regret), interval, multiple]
    }));
    let runs = with_commas(measured.runs);
    let heading = format!("mean regret of {runs} runs in worlds drawn from the prior\n");
    heading + &table(&["agent", "regret", "95%", "of the optimum"], &rows)
}
