//! `gbandit route`: a route through roads that may be closed.

use crate::args::RouteArgs;
use crate::number::with_commas;
use crate::progress::{self, tell};
use crate::table::table;
use graph_bandit::Seed;
use graph_bandit::spec::Named;
use graph_bandit_lab::{
    FileError, Jobs, LabError, RoadFile, RouteOutcome, RoutePolicy, RouteStudy, RouteTimes, Watch,
    paired_difference,
};
use graph_bandit_route::{Directions, MOST_UNCERTAIN, Network, RouteError, Trip, UctOptions};
use serde_json::{Value, json};
use std::io::{Write, stdout};
use std::sync::atomic::AtomicBool;

/// Stands for all policies.
const ALL: &str = "all";

pub(crate) fn route(args: &RouteArgs) -> anyhow::Result<()> {
    let study = study(args)?;
    let bar = progress::bar(study.weathers(), "weathers");
    let watch = Watch { tick: &|| bar.inc(1), stop: &AtomicBool::new(false) };
    let outcomes = study.execute(Jobs::from_flag(args.jobs), watch);
    bar.finish_and_clear();
    let outcomes = outcomes?;
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", answer(&study, &outcomes))?;
    } else {
        write!(out, "{}\n{}", heading(args, &study), times_table(&outcomes))?;
    }
    drop(out);
    for outcome in outcomes.iter().filter(|outcome| outcome.times.mean() == f64::INFINITY) {
        tell(&format!("warning: {}", stuck(outcome)));
    }
    Ok(())
}

/// The study that the flags ask for.
fn study(args: &RouteArgs) -> Result<RouteStudy, LabError> {
    let directions = if args.directed { Directions::OneWay } else { Directions::Both };
    let policies = policies(&args.policy)?;
    let file = RoadFile::read(&args.roads, directions)?;
    for column in &file.unused {
        tell(&format!("note: {}: ignored column {column:?}", args.roads.display()));
    }
    let (start, goal) = (file.node("from", &args.from)?, file.node("to", &args.to)?);
    let policies = policies.unwrap_or_else(|| all_for(&file.network));
    let trip = Trip::new(file.network, start, goal).map_err(|error| match error {
        RouteError::Unreachable { .. } => {
            let (from, to) = (&args.from, &args.to);
            let turn = if args.directed { "; without --directed, roads go both ways" } else { "" };
            let reason =
                format!("no route leads from {from:?} to {to:?}, even if every road that can be open is open{turn}");
            LabError::from(FileError { path: args.roads.clone(), line: None, reason })
        }
        other => LabError::setting("to", other),
    })?;
    let uct = UctOptions { rollouts: args.rollouts as u32, ..UctOptions::default() };
    Ok(RouteStudy { trip, policies, runs: args.runs, seed: Seed(args.seed), uct })
}

/// Reads a list of policies; `None` means all.
fn policies(text: &str) -> Result<Option<Vec<RoutePolicy>>, LabError> {
    if text.trim() == ALL {
        return Ok(None);
    }
    let policies = text.split(',').map(|name| RoutePolicy::of_name(name.trim()));
    let policies = policies.collect::<Result<_, _>>().map_err(|error| {
        LabError::setting("policy", format!("{error}; {ALL} stands for all of them"))
    })?;
    Ok(Some(policies))
}

/// All policies, without the exact one if it is too expensive.
fn all_for(network: &Network) -> Vec<RoutePolicy> {
    let is_small = network.uncertain() <= MOST_UNCERTAIN;
    let can = |policy: &RoutePolicy| is_small || *policy != RoutePolicy::Exact;
    RoutePolicy::ALL.iter().copied().filter(can).collect()
}

/// One object for one policy, otherwise a list with the yardstick last.
fn answer(study: &RouteStudy, outcomes: &[RouteOutcome]) -> Value {
    let object = |outcome: &RouteOutcome| {
        json!({
            "policy": outcome.policy,
            // JSON has no infinity; serde writes null.
            "mean": outcome.times.mean(),
            "se": outcome.times.standard_error(),
            "runs": outcome.times.runs(),
        })
    };
    match study.policies.len() {
        1 => object(&outcomes[0]),
        _ => outcomes.iter().map(object).collect(),
    }
}

fn heading(args: &RouteArgs, study: &RouteStudy) -> String {
    let network = study.trip.network();
    let runs = match study.weathers() {
        0 => String::new(),
        weathers => format!(", {} weathers, seed {}", with_commas(weathers), args.seed),
    };
    let rollouts = if study.policies.contains(&RoutePolicy::Uct) {
        format!(", {} rollouts per decision", with_commas(args.rollouts))
    } else {
        String::new()
    };
    format!(
        "{}: {} nodes, {} {}roads, {} uncertain\nfrom {} to {}{runs}{rollouts}\n",
        args.roads.display(),
        with_commas(network.nodes() as u64),
        with_commas(network.roads().len() as u64),
        if args.directed { "one-way " } else { "" },
        with_commas(network.uncertain() as u64),
        args.from,
        args.to,
    )
}

fn times_table(outcomes: &[RouteOutcome]) -> String {
    let first = &outcomes[0];
    let against = format!("vs {}", first.policy);
    let rows: Vec<Vec<String>> = outcomes
        .iter()
        .enumerate()
        .map(|(number, outcome)| {
            let difference = match number {
                0 => String::new(),
                _ => difference(&outcome.times, &first.times),
            };
            let mean = with_error(outcome.times.mean(), outcome.times.standard_error());
            vec![outcome.policy.to_owned(), mean, difference]
        })
        .collect();
    table(&["policy", "mean time ± SE", &against], &rows)
}

/// How much longer than `other`: over the same weathers if both were simulated.
fn difference(times: &RouteTimes, other: &RouteTimes) -> String {
    if let (RouteTimes::Simulated(times), RouteTimes::Simulated(other)) = (times, other) {
        let moments = paired_difference(times, other);
        return with_error(moments.mean, moments.standard_error());
    }
    let squares = [times, other].map(|times| times.standard_error().map(|error| error * error));
    let error = squares.into_iter().sum::<Option<f64>>().map(f64::sqrt);
    with_error(times.mean() - other.mean(), error)
}

/// A number with as many digits as its error allows.
fn with_error(mean: f64, error: Option<f64>) -> String {
    match error {
        _ if !mean.is_finite() => "∞".to_owned(),
        Some(0.0) => format!("{mean:.4}"),
        Some(error) if error.is_finite() => {
            let decimals = if error < 0.1 { 3 } else { 1 };
            format!("{mean:.decimals$} ± {error:.decimals$}")
        }
        _ => format!("{mean:.1}"),
    }
}

fn stuck(outcome: &RouteOutcome) -> String {
    let policy = outcome.policy;
    let remedy = "its mean is infinite; one-way roads can be traps, which exact avoids if it can";
    match &outcome.times {
        RouteTimes::Exact(_) => format!("{policy} may get stuck, so {remedy}"),
        RouteTimes::Simulated(times) => {
            let stuck = times.iter().filter(|time| time.is_infinite()).count() as u64;
            let runs = with_commas(times.len() as u64);
            format!("{policy} got stuck in {} of {runs} weathers, so {remedy}", with_commas(stuck))
        }
    }
}
