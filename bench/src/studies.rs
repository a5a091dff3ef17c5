//! Studies: speed-up over the available cores, and memory against the number of runs.

use crate::Effort;
use crate::cpu_time::process_seconds;
use crate::memory::peak_bytes;
use crate::probe;
use anyhow::Result;
use graph_bandit::{Graph, Preset, RunPlan, Seed};
use graph_bandit_lab::statistics::median;
use graph_bandit_lab::{Entrant, Jobs, MeansSource, RoadChanges, Study, Window};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Instant;

/// The numbers of runs whose memory is compared.
const RUNS: [u64; 2] = [50, 500];

/// The section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Studies {
    /// Runs of the study that threads share.
    pub runs: u64,
    /// One entry per number of threads.
    pub threads: Vec<Threads>,
    /// One entry per number of runs.
    pub memory: Vec<Memory>,
}

/// One study on this many threads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Threads {
    /// The number of threads.
    pub threads: usize,
    /// The median time of the study.
    pub seconds: f64,
    /// How many times faster than on one thread.
    pub speed_up: f64,
    /// The average number of cores it had, if the system reports it. Fewer than threads means that
    /// other work used them, and the speed-up says little.
    pub cores_had: Option<f64>,
}

/// A study of this many runs, in its own process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    /// The number of runs.
    pub runs: u64,
    /// The peak memory of the process, in bytes, if the system reports it.
    pub peak_bytes: Option<u64>,
}

/// A measurement for another process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    runs: u64,
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, std::num::NonZero::get)
}

/// Measures.
///
/// # Errors
/// When a run or another process fails.
pub fn measure(effort: Effort) -> Result<Studies> {
    let runs = match effort {
        Effort::Quick => 200,
        Effort::Full => 2_000,
    };
    let study = study(runs)?;
    let threads = threads(&study, effort)?;
    let mut memory = Vec::new();
    for runs in RUNS {
        memory.push(serde_json::from_str(&probe::Probe::Study(Probe { runs }).launch()?)?);
    }
    Ok(Studies { runs, threads, memory })
}

/// Elapsed time: other work on the same cores makes the speed-up look smaller.
fn threads(study: &Study, effort: Effort) -> Result<Vec<Threads>> {
    let rounds = match effort {
        Effort::Quick => 3,
        Effort::Full => 7,
    };
    let mut times = vec![Vec::new(); cores()];
    let mut computed = vec![Some(0.0); cores()];
    for _ in 0..rounds {
        for (i, (times, computed)) in times.iter_mut().zip(&mut computed).enumerate() {
            let before = process_seconds();
            let begun = Instant::now();
            study.execute(Jobs::Exactly(i + 1), &|| {})?;
            times.push(begun.elapsed().as_secs_f64());
            let spent = process_seconds().zip(before).map(|(after, before)| after - before);
            *computed = computed.zip(spent).map(|(sum, spent)| sum + spent);
        }
    }
    let one = median(times[0].clone());
    let row = |(i, (times, computed)): (usize, (Vec<f64>, Option<f64>))| {
        let on_the_clock: f64 = times.iter().sum();
        let seconds = median(times);
        Threads {
            threads: i + 1,
            seconds,
            speed_up: one / seconds,
            cores_had: computed.map(|computed| computed / on_the_clock),
        }
    };
    Ok(times.into_iter().zip(computed).enumerate().map(row).collect())
}

fn study(runs: u64) -> Result<Study> {
    Ok(Study {
        graph: Arc::new(Graph::grid(10, 10)?),
        agents: Entrant::parse_list("g-ucb", Preset::Paper)?,
        preset: Preset::Paper,
        means: MeansSource::Drawn("uniform:0.5,9.5".parse()?),
        noise: "uniform:0.5".parse()?,
        plan: RunPlan::new(20_000, 20),
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs,
        seed: Seed(1),
    })
}

impl Probe {
    pub(crate) fn carry_out(&self) -> Result<Memory> {
        study(self.runs)?.execute(Jobs::All, &|| {})?;
        Ok(Memory { runs: self.runs, peak_bytes: peak_bytes() })
    }
}
