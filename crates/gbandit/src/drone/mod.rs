//! `gbandit drone`: robots that are not there, for demonstrations and to measure a service.

mod client;
mod flight;
mod schedule;

use crate::args::DroneArgs;
use crate::number::{rounded, whole};
use crate::progress;
use crate::table::table;
use client::Client;
use flight::{Flight, Log, Trip};
use graph_bandit::{AgentSpec, Preset, RunPlan, Seed};
use graph_bandit_lab::{GraphSource, LabError, MeansSource, Study, Window};
use schedule::Schedule;
use serde_json::json;
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The share of a rate below which it was not kept.
const KEPT: f64 = 0.98;

pub(crate) fn drone(args: &DroneArgs) -> anyhow::Result<()> {
    let study = study(args)?;
    let agent = AgentSpec::parse(&args.agent, Preset::Paper);
    let agent = agent.map_err(|error| LabError::setting("agent", error))?;
    if !args.server.starts_with("http://") {
        let wanted = format!("{:?} is no address; write http://HOST:PORT", args.server);
        return Err(LabError::setting("server", wanted).into());
    }
    let client = Client::new(&args.server);
    client.find()?;
    let mut flights = Vec::new();
    for number in 0..args.drones {
        let id = format!("{}-{number}", args.name);
        flights.push(Flight::prepare(client.apart(), &study, (id, number), &agent)?);
    }
    let bar = progress::bar(args.drones.saturating_mul(args.reports), "reports");
    let start = Instant::now();
    let logs: anyhow::Result<Vec<Log>> = std::thread::scope(|scope| {
        let fly = |(number, flight): (u64, Flight)| {
            let bar = &bar;
            let schedule = Schedule::of(args.rate, start, (number, args.drones));
            scope.spawn(move || {
                let (reports, tell) = (args.reports, args.tell);
                flight.fly(&Trip { reports, tell, schedule, tick: &|| bar.inc(1) })
            })
        };
        let flying: Vec<_> = (0..).zip(flights).map(fly).collect();
        let landed = flying.into_iter().map(std::thread::ScopedJoinHandle::join);
        landed.map(|log| log.unwrap_or_else(|_| Err(anyhow::anyhow!("a drone crashed")))).collect()
    });
    let took = start.elapsed();
    bar.finish_and_clear();
    report(args, took, &logs?)
}

/// The worlds they fly in are those of a study, so that a drone meets the same rewards as `run` does.
fn study(args: &DroneArgs) -> Result<Study, LabError> {
    let seed = Seed(args.seed);
    let source = args.graph.parse::<GraphSource>()?.with_options(args.map.options());
    let graph = source.load(seed, Preset::Paper)?;
    Ok(Study {
        means: MeansSource::parse(&args.means, Path::new(""))?,
        graph: Arc::new(graph),
        agents: Vec::new(),
        preset: Preset::Paper,
        noise: args.noise.parse().map_err(|error| LabError::setting("noise", error))?,
        plan: RunPlan::new(1, 1),
        window: Window::FIRST,
        runs: args.drones,
        seed,
    })
}

fn report(args: &DroneArgs, took: Duration, logs: &[Log]) -> anyhow::Result<()> {
    let rewards: u64 = logs.iter().map(|log| log.rewards).sum();
    let collected: f64 = logs.iter().map(|log| log.collected).sum();
    let best: f64 = logs.iter().map(|log| log.best * log.rewards as f64).sum();
    let reports = args.drones.saturating_mul(args.reports);
    let late: u64 = logs.iter().map(|log| log.late).sum();
    let seconds = took.as_secs_f64();
    let asks = Latencies::of(logs.iter().flat_map(|log| &log.asks));
    let tells = Latencies::of(logs.iter().flat_map(|log| &log.tells));
    let mut out = stdout().lock();
    if args.json {
        let latencies = |of: &Latencies| json!({"median": of.median, "p99": of.p99, "max": of.max});
        let summary = json!({
            "drones": args.drones, "reports": reports, "rewards": rewards, "seconds": seconds,
            "reports_per_second": reports as f64 / seconds,
            "rewards_per_second": rewards as f64 / seconds,
            "ask_seconds": latencies(&asks), "tell_seconds": latencies(&tells),
            "rate": args.rate, "late": late,
            "retries": logs.iter().map(|log| log.retries).sum::<u64>(),
            "mean_reward": collected / rewards as f64, "best_mean": best / rewards as f64,
        });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} drones made {} reports of {} rewards in {} s: {} reports/s, {} rewards/s",
        args.drones,
        whole(reports),
        whole(rewards),
        rounded(seconds),
        rounded(reports as f64 / seconds),
        rounded(rewards as f64 / seconds),
    )?;
    if let Some(rate) = args.rate {
        let kept = if (reports as f64) < KEPT * rate as f64 * seconds { "was not" } else { "was" };
        writeln!(
            out,
            "the rate of {} reports/s {kept} kept; {} reports had to wait for the one before them",
            whole(rate),
            whole(late),
        )?;
    }
    writeln!(
        out,
        "mean reward {}; staying on the best node pays {}\n",
        rounded(collected / rewards as f64),
        rounded(best / rewards as f64),
    )?;
    let row = |name: &str, of: &Latencies| {
        let times = [of.median, of.p99, of.max].map(|seconds| rounded(seconds * 1e3));
        [vec![name.to_owned()], times.to_vec()].concat()
    };
    let heading = ["milliseconds", "median", "p99", "max"];
    write!(out, "{}", table(&heading, &[row("ask", &asks), row("tell", &tells)]))?;
    Ok(())
}

/// How long answers took, in seconds.
struct Latencies {
    median: f64,
    p99: f64,
    max: f64,
}

impl Latencies {
    fn of<'a>(all: impl Iterator<Item = &'a Duration>) -> Self {
        let mut all: Vec<f64> = all.map(Duration::as_secs_f64).collect();
        all.sort_by(f64::total_cmp);
        let at = |share: f64| {
            let place = (all.len() as f64 * share) as usize;
            all.get(place.min(all.len().saturating_sub(1))).copied().unwrap_or(0.0)
        };
        Self { median: at(0.5), p99: at(0.99), max: at(1.0) }
    }
}
