//! `gbandit run`: compares agents on one graph.

use crate::args::{RunArgs, TeamArgs};
use crate::best_node;
use crate::chart::{Curve, chart};
use crate::graph::{tell_notes, tell_travel};
use crate::groups;
use crate::number::{counted, rounded, with_commas};
use crate::progress;
use crate::table::{fitting_table, folded, width};
use graph_bandit::run::{Against, RegretFrom};
use graph_bandit::team::Draws;
use graph_bandit::{Graph, RunPlan, Seed};
use graph_bandit_lab::study::check_memory;
use graph_bandit_lab::{
    ClosureSource, Jobs, LabError, Loaded, MeansSource, Moments, NodeName, RoadChanges,
    ShareSource, Starts, Study, StudyRecord, StudySummary, TeamStudy, TeamSummary,
    paired_difference,
};
use graph_bandit_maps::{Note, TravelReport};
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;
#[cfg(feature = "report")]
use {graph_bandit_lab::Watch, std::sync::atomic::AtomicBool};

pub(crate) fn run(args: &RunArgs) -> anyhow::Result<()> {
    let (study, map_notes) = study(args)?;
    tell_notes(&args.graph, &map_notes.notes);
    if let Some(travel) = &map_notes.travel {
        tell_travel(&args.graph, travel);
    }
    progress::warn(std::slice::from_ref(&study));
    #[cfg(feature = "report")]
    if args.trajectories.is_some() {
        study.check()?;
        study.check_trajectories()?;
    }
    let bar = progress::bar(study.runs * study.agents.len() as u64, "runs");
    let record = study.execute(Jobs::from_flag(args.jobs), &|| bar.inc(1));
    bar.finish_and_clear();
    let record = record?;
    #[cfg(feature = "report")]
    if let Some(path) = &args.trajectories {
        write_trajectories(args, &study, path)?;
    }
    let summary = StudySummary::of(&study, &record);
    let mut out = stdout().lock();
    if args.json {
        serde_json::to_writer(&mut out, &summary).map_err(std::io::Error::from)?;
        writeln!(out)?;
    } else {
        write!(out, "{}", report(args, &record, &summary))?;
    }
    Ok(())
}

/// Repeats the runs and writes every visit to a file.
#[cfg(feature = "report")]
fn write_trajectories(args: &RunArgs, study: &Study, path: &Path) -> anyhow::Result<()> {
    let bar = progress::bar(study.runs * study.agents.len() as u64, "trajectories");
    let watch = Watch { tick: &|| bar.inc(1), stop: &AtomicBool::new(false) };
    let written = study.write_trajectories(path, Jobs::from_flag(args.jobs), watch);
    bar.finish_and_clear();
    Ok(written?)
}

/// What to print about a map.
struct MapNotes {
    notes: Vec<Note>,
    travel: Option<TravelReport>,
}

/// The study that the flags ask for, and notes about its map.
fn study(args: &RunArgs) -> Result<(Study, MapNotes), LabError> {
    if let (Some(start), Some(_)) = (&args.start, &args.team.walkers) {
        let reason = format!("it is for one walker; with --walkers, write --starts {start}");
        return Err(LabError::setting("start", reason));
    }
    let preset = args.preset;
    let noise = args.noise.parse().map_err(|error| LabError::setting("noise", error))?;
    let seed = Seed(args.seed);
    let closures = args.closures.as_deref().map(str::parse).transpose();
    let closures: Option<ClosureSource> =
        closures.map_err(|error| LabError::setting("closures", error))?;
    let source = args.map.source(&args.graph)?.with_closures(closures)?;
    let Loaded { graph, notes, travel, rates } = source.load_with_travel(seed, preset)?;
    let graph = Arc::new(graph);
    let team = team(&args.team, &graph)?;
    let agents = match &team {
        Some(team) => groups::agents_of_team(&args.agents, preset, team.walkers_that_are_led())?,
        None => groups::agents(&args.agents, preset, &graph)?,
    };
    check_memory(args.runs, agents.len() as u64, args.checkpoints.min(args.steps))?;
    let usual = team.as_ref().map_or(RegretFrom::Cover, TeamStudy::usual_regret_from);
    let study = Study {
        means: MeansSource::parse(&args.means, Path::new(""))?
            .in_order_of(graph.names(), graph.len())?,
        graph: Arc::clone(&graph),
        agents,
        preset,
        noise,
        plan: RunPlan {
            start: match args.start.as_deref() {
                Some(text) => NodeName::from(text).find_start(&graph)?,
                None => 0,
            },
            init: args.init,
            back: args.back,
            tape: args.tape,
            against: args.against,
            regret_from: args.regret_from.unwrap_or(usual),
            ..RunPlan::new(args.steps, args.checkpoints)
        },
        window: args.window,
        roads: RoadChanges::of(closures, args.travel_noise, &rates)?,
        team,
        runs: args.runs,
        seed,
    };
    Ok((study, MapNotes { notes, travel }))
}

/// The team that the flags ask for.
fn team(args: &TeamArgs, graph: &Graph) -> Result<Option<TeamStudy>, LabError> {
    let Some(walkers) = &args.walkers else { return Ok(None) };
    let mut team = TeamStudy::parse(walkers, Path::new(""), graph)?;
    if let Some(text) = &args.starts {
        if team.starts != Starts::Random {
            let reason = "the file of walkers has a column start; leave one of the two out";
            return Err(LabError::setting("starts", reason));
        }
        team.starts = Starts::parse(text, graph)?;
    }
    if let Some(text) = &args.share {
        team.share = ShareSource::parse(text, Path::new(""))?;
    }
    team.draws = args.draws.unwrap_or_default();
    team.seats = args.seats.map(|seats| seats as usize);
    Ok(Some(team))
}

/// Heading, table and curves.
fn report(args: &RunArgs, record: &StudyRecord, summary: &StudySummary) -> String {
    let curves: Vec<Curve> = summary
        .agents
        .iter()
        .map(|agent| Curve {
            label: agent.agent.clone(),
            points: agent
                .checkpoints
                .iter()
                .map(|&t| t as f64)
                .zip(agent.regret_mean.iter().copied())
                .collect(),
        })
        .collect();
    format!(
        "{}\n{}{}{}\nmean regret against {}\n{}",
        folded(&heading(args, summary)),
        regret_table(record, summary),
        if summary.regret_from.is_some() { String::new() } else { initialization(summary) },
        folded(&best_node::section(summary)),
        if summary.graph.roads.is_some() { "time" } else { "steps" },
        chart(&curves)
    )
}

fn heading(args: &RunArgs, summary: &StudySummary) -> String {
    let graph = &summary.graph;
    let too_expensive = || "too expensive to compute".to_owned();
    let diameter = graph.diameter.map_or_else(too_expensive, with_commas);
    let (ways, unit) = match &graph.roads {
        None => {
            (format!("{} edges, diameter {diameter}", with_commas(graph.edges as u64)), "steps")
        }
        Some(roads) => {
            let time = roads.time_diameter.map_or_else(too_expensive, rounded);
            let (count, one_way) =
                (with_commas(roads.count as u64), with_commas(roads.one_way as u64));
            let ways = format!("{count} roads, {one_way} of them one way, time diameter {time}");
            (ways, "units of time")
        }
    };
    let mut heading = format!(
        "{}: {} nodes, {ways}\n\
         {} {unit}, {}, seed {}, means {}, noise {}\n",
        args.graph,
        with_commas(graph.nodes as u64),
        with_commas(summary.steps),
        counted(summary.runs, "run"),
        summary.seed,
        args.means,
        args.noise,
    );
    heading.extend(args.closures.iter().map(|rates| match rates.trim() {
        "map" => "roads close and reopen at the rates of the map\n".to_owned(),
        rates => format!("roads close and reopen at rates {rates}\n"),
    }));
    let noise = args.travel_noise.iter();
    heading.extend(noise.map(|scale| format!("travel times have noise of scale {scale}\n")));
    if let Some(against) = summary.against {
        let than = match against {
            Against::Free if summary.team.is_some() => "the best static allocation of every step",
            Against::Free => "the best mean of every moment",
            Against::Planning if summary.team.is_some() => {
                "the best walks of a team that knows the means"
            }
            Against::Planning => "the best walk of an agent that knows all means over time",
            Against::Causal => "the walk of an agent that knows the present means",
        };
        heading.extend([format!("regret against {against}: {than}\n")]);
    }
    if let Some(team) = &summary.team {
        let changes = summary.against == Some(Against::Free);
        heading.extend([team_line(team, if changes { " at the start" } else { "" })]);
    }
    if summary.regret_from == Some(RegretFrom::Start) {
        heading.push_str("regret counts from the first step of initialization\n");
    }
    let caution = summary.window.entry().caution;
    heading.extend(caution.map(|caution| format!("window {}: {caution}\n", summary.window)));
    heading
}

/// The team in one line; `when` the best static allocation is meant.
fn team_line(team: &TeamSummary, when: &str) -> String {
    let draws = match team.draws {
        Draws::One => "one draw per node",
        Draws::Own => "one draw per walker",
    };
    let walkers =
        if team.walkers == 1 { "1 walker".to_owned() } else { format!("{} walkers", team.walkers) };
    let seats = team.seats.map(|seats| format!(", at most {seats} on a node")).unwrap_or_default();
    format!(
        "{walkers}, share {}, {draws}{seats}; the best static allocation earns {} per step{when}\n",
        team.share,
        rounded(team.optimum_mean)
    )
}

/// What initialization cost: the same for all agents, since they do not control it.
fn initialization(summary: &StudySummary) -> String {
    let agent = &summary.agents[0];
    let steps = rounded(agent.init_steps_mean);
    let took = match agent.init_travel_mean {
        None => format!("{steps} steps"),
        Some(travel) => format!("{steps} visits and {} on roads", rounded(travel)),
    };
    format!(
        "initialization, not counted above: {took}, regret {}\n",
        rounded(agent.init_regret_mean)
    )
}

fn regret_table(record: &StudyRecord, summary: &StudySummary) -> String {
    let last = summary.agents[0].checkpoints.len() - 1;
    let first = record.agents[0].regrets(last);
    let compares = summary.agents.len() > 1;
    let against = format!("vs {}", summary.agents[0].agent);
    let rows: Vec<Vec<String>> = record
        .agents
        .iter()
        .zip(&summary.agents)
        .enumerate()
        .map(|(i, (record, agent))| {
            let difference = match i {
                0 => String::new(),
                _ => with_interval(&paired_difference(&record.regrets(last), &first)),
            };
            let difference = compares.then_some(difference);
            let regret = [
                agent.agent.clone(),
                rounded(agent.regret_mean[last]),
                interval(agent.regret_ci95[last]),
                agent.regret_sd[last].map_or("-".to_owned(), rounded),
            ];
            let others = [
                rounded(agent.reward_mean),
                rounded(agent.legs_mean),
                format!("{:.2} ms", 1e3 * agent.seconds_per_run_median),
            ];
            regret.into_iter().chain(difference).chain(others).collect()
        })
        .collect();
    let heading: Vec<&str> = ["agent", "regret", "95% CI", "SD"]
        .into_iter()
        .chain(compares.then_some(against.as_str()))
        .chain(["reward", "legs", "time/run"])
        .collect();
    fitting_table(&heading, &rows, &["SD", "time/run"], width())
}

fn with_interval(difference: &Moments) -> String {
    match difference.ci95() {
        Some((_, high)) => {
            let half = rounded(high - difference.mean);
            format!("{} ± {half}", rounded(difference.mean))
        }
        None => rounded(difference.mean),
    }
}

fn interval(ends: [Option<f64>; 2]) -> String {
    match ends {
        [Some(low), Some(high)] => format!("{} .. {}", rounded(low), rounded(high)),
        _ => "-".to_owned(),
    }
}
