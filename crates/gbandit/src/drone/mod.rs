//! `gbandit drone`: simulated robots, for demonstrations and to measure a service.

mod client;
mod covered;
mod flight;
mod graph_json;
mod schedule;

use crate::args::DroneArgs;
use crate::number::{counted, rounded, with_commas};
use crate::progress;
use crate::table::table;
use client::Client;
use flight::{Flight, Log, NewAgents, Trip, fly};
use graph_bandit::{AgentSpec, Preset, RunPlan, Seed};
use graph_bandit_lab::{LabError, MeansSource, RoadChanges, Study, Window};
use graph_bandit_maps::RoadRates;
use serde_json::json;
use std::io::{Write, stdout};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The default limit on threads: a service accepts this many connections from one address.
const MOST_THREADS: u64 = 400;
/// The share of the requested rate below which it was not kept.
const KEPT: f64 = 0.98;

pub(crate) fn drone(args: &DroneArgs) -> anyhow::Result<()> {
    let study = study(args)?;
    let agent = AgentSpec::parse(&args.agent, Preset::Paper);
    let agent = agent.map_err(|error| LabError::setting("agent", error))?;
    if let Some(server) = args.servers.iter().find(|server| !server.starts_with("http://")) {
        let reason = format!("{server:?} is not an address; write http://HOST:PORT");
        return Err(LabError::setting("server", reason).into());
    }
    let clients: Vec<Client> = args.servers.iter().map(|server| Client::new(server)).collect();
    for client in &clients {
        client.find()?;
    }
    let new_agents = NewAgents {
        study: &study,
        agent: &agent,
        visit_time: args.map.travel.visit_time,
        covered: args.covered,
    };
    let threads = args.threads.unwrap_or(MOST_THREADS).min(args.drones);
    // Each thread has its own connections, which its drones share.
    let prepared = together(threads, |thread| {
        let clients: Vec<Client> = clients.iter().map(Client::apart).collect();
        let numbers = (thread..args.drones).step_by(threads as usize);
        let prepare = |number: u64| {
            let client = &clients[(number % clients.len() as u64) as usize];
            let id = format!("{}-{number}", args.name);
            Flight::prepare(client.clone(), &new_agents, (id, number))
        };
        numbers.map(prepare).collect::<anyhow::Result<Vec<Flight>>>()
    })?;
    let bar = progress::bar(args.drones.saturating_mul(args.reports), "reports");
    let start = Instant::now();
    let trip = Trip {
        reports: args.reports,
        tell: args.tell,
        drones: args.drones,
        rate: args.rate,
        start,
        tick: &|| bar.inc(1),
    };
    let prepared: Vec<Mutex<Vec<Flight>>> = prepared.into_iter().map(Mutex::new).collect();
    let logs = together(threads, |thread| {
        let of_thread = prepared[thread as usize].lock();
        fly(std::mem::take(&mut *of_thread.unwrap_or_else(PoisonError::into_inner)), &trip)
    });
    let took = start.elapsed();
    bar.finish_and_clear();
    let logs: Vec<Log> = logs?.into_iter().flatten().collect();
    report(args, took, &logs)
}

/// Runs `threads` threads and collects their results in order.
fn together<T: Send>(
    threads: u64,
    work: impl Fn(u64) -> anyhow::Result<T> + Sync,
) -> anyhow::Result<Vec<T>> {
    std::thread::scope(|scope| {
        let work = &work;
        let working: Vec<_> =
            (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
        let done = working.into_iter().map(std::thread::ScopedJoinHandle::join);
        done.map(|done| done.unwrap_or_else(|_| Err(anyhow::anyhow!("a drone crashed")))).collect()
    })
}

/// The drones fly in the worlds of a study, so a drone meets the same rewards as `run`.
fn study(args: &DroneArgs) -> Result<Study, LabError> {
    let seed = Seed(args.seed);
    let graph = args.map.source(&args.graph)?.load(seed, Preset::Paper)?;
    let means = MeansSource::parse(&args.means, Path::new(""))?;
    if means.changes() {
        let reason = format!(
            "{} changes over time, and drones need means that do not; use `gbandit run`",
            args.means
        );
        return Err(LabError::setting("means", reason));
    }
    Ok(Study {
        means: means.in_order_of(graph.names(), graph.len())?,
        graph: Arc::new(graph),
        agents: Vec::new(),
        preset: Preset::Paper,
        noise: args.noise.parse().map_err(|error| LabError::setting("noise", error))?,
        plan: RunPlan::new(1, 1),
        window: Window::FIRST,
        roads: RoadChanges::of(None, args.travel_noise, &RoadRates::new())?,
        team: None,
        runs: args.drones,
        seed,
    })
}

fn report(args: &DroneArgs, took: Duration, logs: &[Log]) -> anyhow::Result<()> {
    let rewards: u64 = logs.iter().map(|log| log.rewards).sum();
    let collected: f64 = logs.iter().map(|log| log.collected).sum();
    let best: f64 = logs.iter().map(|log| log.best * log.rewards as f64).sum();
    let reports = args.drones.saturating_mul(args.reports);
    let conflicts: u64 = logs.iter().map(|log| log.conflicts).sum();
    let late: u64 = logs.iter().map(|log| log.late).sum();
    let seconds = took.as_secs_f64();
    // In units of one visit; if no road takes time, this is the number of visits.
    let time: f64 = logs.iter().map(|log| log.time).sum();
    let asks = Latencies::of(logs.iter().flat_map(|log| &log.asks));
    let tells = Latencies::of(logs.iter().flat_map(|log| &log.tells));
    let orders = Latencies::of(logs.iter().flat_map(|log| &log.orders));
    let mut out = stdout().lock();
    if args.json {
        let latencies = |of: &Latencies| json!({"median": of.median, "p99": of.p99, "max": of.max});
        let summary = json!({
            "drones": args.drones, "reports": reports, "rewards": rewards, "seconds": seconds,
            "reports_per_second": reports as f64 / seconds,
            "rewards_per_second": rewards as f64 / seconds,
            "ask_seconds": latencies(&asks), "tell_seconds": latencies(&tells),
            "next_order_seconds": latencies(&orders),
            "rate": args.rate, "late": late,
            "conflicts": conflicts,
            "retries": logs.iter().map(|log| log.retries).sum::<u64>(),
            "mean_reward": collected / rewards as f64, "best_mean": best / rewards as f64,
            "time": time, "reward_per_time": collected / time,
        });
        writeln!(out, "{summary}")?;
        return Ok(());
    }
    writeln!(
        out,
        "{} made {} of {} in {} s: {} reports/s, {} rewards/s",
        counted(args.drones, "drone"),
        counted(reports, "report"),
        counted(rewards, "reward"),
        rounded(seconds),
        rounded(reports as f64 / seconds),
        rounded(rewards as f64 / seconds),
    )?;
    if let Some(rate) = args.rate {
        let kept = if (reports as f64) < KEPT * rate as f64 * seconds { "was not" } else { "was" };
        writeln!(
            out,
            "the rate of {} reports/s {kept} kept; {} had to wait for the previous one",
            with_commas(rate),
            counted(late, "report"),
        )?;
    }
    if conflicts > 0 {
        let refused = counted(conflicts, "report");
        writeln!(out, "{refused} did not count: other robots reported for the same agents (409)")?;
    }
    writeln!(
        out,
        "mean reward {}; staying on the best node pays {}",
        rounded(collected / rewards as f64),
        rounded(best / rewards as f64),
    )?;
    if time > rewards as f64 {
        let (all, per_unit) = (rounded(time), rounded(collected / time));
        writeln!(
            out,
            "including travel: {all} units of time, mean reward {per_unit} per unit of time"
        )?;
    }
    writeln!(out)?;
    let row = |name: &str, of: &Latencies| {
        let times = [of.median, of.p99, of.max].map(|seconds| rounded(seconds * 1e3));
        [vec![name.to_owned()], times.to_vec()].concat()
    };
    let heading = ["milliseconds", "median", "p99", "max"];
    let rows = [row("ask", &asks), row("tell", &tells), row("next order", &orders)];
    write!(out, "{}", table(&heading, &rows))?;
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
