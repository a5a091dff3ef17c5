//! Measures, and prints the tables of `bench/measured`:
//! `cargo run --release -p graph-bandit-bench -- [SECTION].. [--quick]`.

use anyhow::{Context, Result};
use clap::{Parser, ValueEnum};
use graph_bandit::Preset;
use graph_bandit_bench::probe::Probe;
use graph_bandit_bench::stopwatch::Stopwatch;
use graph_bandit_bench::{Effort, Report, planning, runs, scale, studies, teams};
use std::io::stdout;
use std::path::PathBuf;

/// Above this share of waiting, times are too long.
const BUSY: f64 = 0.1;

/// How fast graph-bandit is on this machine.
#[derive(Debug, Parser)]
struct Args {
    /// Measure only these sections. Default: all.
    #[arg(value_enum)]
    sections: Vec<Section>,

    /// Take seconds instead of minutes: fewer rounds, smaller graphs.
    #[arg(long)]
    quick: bool,

    /// Print one JSON object instead of CSV; times are in seconds.
    #[arg(long)]
    json: bool,

    /// Write the problems of section planning and their solutions to this directory, for
    /// bench/peers.
    #[arg(long, value_name = "DIR")]
    export: Option<PathBuf>,

    /// Carry out one measurement that needs its own process.
    #[arg(long, value_name = "JSON", hide = true)]
    probe: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Section {
    /// Every agent on the paper's graphs, against its plain implementation.
    Runs,
    /// Shortest paths on large graphs, against petgraph.
    Planning,
    /// Time and memory against the number of nodes.
    Scale,
    /// Many runs on many cores.
    Studies,
    /// Runs and plans of teams.
    Teams,
}

fn main() -> Result<()> {
    let args = Args::parse();
    if let Some(probe) = &args.probe {
        println!("{}", serde_json::from_str::<Probe>(probe)?.carry_out()?);
        return Ok(());
    }
    if let Some(directory) = &args.export {
        std::fs::create_dir_all(directory)
            .with_context(|| format!("cannot make {}", directory.display()))?;
    }
    let report = measure(&args)?;
    if let Some(waited) = report.waited.filter(|&waited| waited > BUSY) {
        eprintln!(
            "other work kept the cores busy: the measuring thread waited {:.0}% of the time. \
             Waiting is subtracted, but shared caches still make the times longer",
            100.0 * waited
        );
    }
    if args.json {
        println!("{}", serde_json::to_string(&report)?);
        return Ok(());
    }
    print(&report)
}

fn measure(args: &Args) -> Result<Report> {
    let effort = if args.quick { Effort::Quick } else { Effort::Full };
    let watch = Stopwatch::start();
    let mut report = Report::new(effort);
    let is_wanted = |section| args.sections.is_empty() || args.sections.contains(section);
    for section in Section::value_variants().iter().filter(|section| is_wanted(section)) {
        match section {
            Section::Runs => report.runs = Some(runs::measure(effort)?),
            Section::Planning => {
                report.planning = Some(planning::measure(effort, args.export.as_deref())?);
            }
            Section::Scale => report.scale = Some(scale::measure(effort)?),
            Section::Studies => report.studies = Some(studies::measure(effort)?),
            Section::Teams => report.teams = Some(teams::measure(effort)?),
        }
    }
    report.waited = watch.elapsed().share_waited();
    Ok(report)
}

fn print(report: &Report) -> Result<()> {
    if let Some(runs) = &report.runs {
        let columns = ["agent", "graph", "microseconds_per_run", "times_plain_implementation"];
        let row = |row: &runs::Row| {
            let agent = in_preset(&row.agent, row.preset);
            [agent, row.graph.clone(), micro(row.seconds_per_run), rounded(row.plain.ratio)]
        };
        csv(columns, runs.rows.iter().map(row))?;
    }
    if let Some(planning) = &report.planning {
        let columns = [
            "graph",
            "edges",
            "policy_microseconds",
            "petgraph_policy_microseconds",
            "policy_ratio",
            "path_microseconds",
            "petgraph_path_microseconds",
            "path_ratio",
            "path_to_full_search_ratio",
        ];
        let row = |row: &planning::Row| {
            [
                row.graph.clone(),
                row.edges.to_string(),
                micro(row.policy),
                micro(row.petgraph.seconds),
                rounded(row.petgraph.ratio),
                micro(row.path),
                micro(row.petgraph_path.seconds),
                rounded(row.petgraph_path.ratio),
                rounded(row.path_ratio_to_petgraph_all),
            ]
        };
        csv(columns, planning.rows.iter().map(row))?;
    }
    if let Some(scale) = &report.scale {
        let columns = [
            "agent",
            "nodes",
            "build_microseconds",
            "initialization_microseconds",
            "first_50_legs_microseconds",
            "legs_after",
            "microseconds_per_leg",
            "peak_mib",
        ];
        let row = |agent: &str, point: &scale::Point| {
            [
                agent.to_owned(),
                point.nodes.to_string(),
                micro(point.build),
                micro(point.init),
                micro(point.preparation),
                point.legs.to_string(),
                micro(point.leg),
                mebibytes(point.peak_bytes),
            ]
        };
        let rows = scale
            .curves
            .iter()
            .flat_map(|curve| curve.points.iter().map(move |point| row(&curve.agent, point)));
        csv(columns, rows)?;
    }
    if let Some(studies) = &report.studies {
        let row = |row: &studies::Threads| {
            let cores = row.cores_had.map_or(String::new(), rounded);
            [row.threads.to_string(), rounded(1e3 * row.seconds), rounded(row.speed_up), cores]
        };
        let columns = ["threads", "milliseconds", "speed_up", "cores_had"];
        csv(columns, studies.threads.iter().map(row))?;
        let row = |row: &studies::Memory| [row.runs.to_string(), mebibytes(row.peak_bytes)];
        csv(["runs", "peak_mib"], studies.memory.iter().map(row))?;
    }
    if let Some(teams) = &report.teams {
        let run = |row: &teams::RunRow| {
            let task = format!("{} steps on {}", row.steps, row.instance);
            [task, format!("{}, --tape {}", row.agent, row.tape), micro(row.seconds_per_run)]
        };
        let plan = |row: &teams::PlanRow| {
            let task = format!("legs of {} of {} on {}", row.legs, row.walkers, row.graph);
            [task, in_preset(&row.agent, row.preset), micro(row.seconds)]
        };
        let rows = teams.runs.iter().map(run).chain(teams.plans.iter().map(plan));
        csv(["task", "program", "microseconds"], rows)?;
    }
    Ok(())
}

/// Prints a table, and an empty line after it.
fn csv<const N: usize>(columns: [&str; N], rows: impl Iterator<Item = [String; N]>) -> Result<()> {
    let mut writer = csv::Writer::from_writer(stdout());
    writer.write_record(columns)?;
    for row in rows {
        writer.write_record(row)?;
    }
    writer.flush()?;
    println!();
    Ok(())
}

fn in_preset(agent: &str, preset: Preset) -> String {
    match preset {
        Preset::Paper => agent.to_owned(),
        Preset::Program => format!("{agent} (program)"),
    }
}

/// To three digits.
fn rounded(x: f64) -> String {
    format!("{x:.2e}").parse().map_or(String::new(), |x: f64| x.to_string())
}

fn micro(seconds: f64) -> String {
    rounded(1e6 * seconds)
}

fn mebibytes(bytes: Option<u64>) -> String {
    bytes.map_or(String::new(), |bytes| rounded(bytes as f64 / 1_048_576.0))
}
