//! Conformance: preset `program` against values measured from the authors' own program.
//!
//! Every pair of agent and graph has 1,000 runs on the reference's mean rewards: ten tapes for each
//! of its 100 instances. At each of 20 checkpoints and in both windows, z is the difference of the
//! means in combined standard errors. Where the reference has each run's final regret, the
//! differences by instance give a far sharper z, since most of the spread is between instances.

use crate::last_window::LAST;
use graph_bandit::{AgentSpec, Preset, RunPlan, Seed};
use graph_bandit_lab::{
    GraphSource, Jobs, LabError, MeansSource, MeansTable, Moments, RoadChanges, Study, Window,
    paired_difference,
};
use serde::Deserialize;
use std::sync::Arc;

const UNIFORMS: &str = include_str!("../data/reference/uniforms.csv");
const FIGURES: &str = include_str!("../data/reference/figures.json");

/// The reference's horizon.
const STEPS: u64 = 20_000;
/// The reference's runs, one per instance.
const INSTANCES: usize = 100;
/// No z may be further from zero. With some 2,000 values, chance alone exceeds it once in a hundred
/// tables.
pub const LIMIT: f64 = 4.5;

/// The results of the authors' program with one agent on one graph.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReferencePair {
    /// The graph's text.
    pub graph: String,
    /// The agent's name.
    pub agent: String,
    first: ReferenceWindow,
    last: ReferenceWindow,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceWindow {
    mean: Vec<f64>,
    sd: Vec<f64>,
    finals: Option<Vec<f64>>,
}

/// How one agent on one graph compares with the reference in one window.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// The window.
    pub window: Window,
    /// Our mean regret at the horizon.
    pub ours: f64,
    /// The reference's mean regret.
    pub reference: f64,
    /// z at each checkpoint.
    pub z: Vec<f64>,
    /// z of the paired differences at the horizon, if the reference has them.
    pub paired_z: Option<f64>,
}

impl Comparison {
    /// The z furthest from zero.
    pub fn worst(&self) -> f64 {
        let all = self.z.iter().copied().chain(self.paired_z);
        all.fold(0.0, |worst: f64, z| if z.abs() > worst.abs() { z } else { worst })
    }
}

/// Both windows of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct PairReport {
    /// The graph's text.
    pub graph: String,
    /// The agent's name.
    pub agent: String,
    /// First and last window.
    pub windows: [Comparison; 2],
}

/// All pairs in the reference.
///
/// # Panics
/// Never: the figures are part of this crate and tested.
pub fn reference_pairs() -> Vec<ReferencePair> {
    serde_json::from_str(FIGURES).expect("the figures of this crate are well formed")
}

/// Makes the runs of one pair and compares them; `runs` should be a multiple of 100.
///
/// # Errors
/// When a run fails.
pub fn compare(pair: &ReferencePair, runs: u64, jobs: Jobs) -> Result<PairReport, LabError> {
    let study = study(pair, runs)?;
    let regrets = study.regrets_in(&[Window::FIRST, LAST], &study.agents[0], jobs)?;
    let windows = [(Window::FIRST, &pair.first), (LAST, &pair.last)];
    let compared = |i: usize| {
        let (window, reference) = windows[i];
        comparison(window, &regrets[i], reference)
    };
    Ok(PairReport {
        graph: pair.graph.clone(),
        agent: pair.agent.clone(),
        windows: [compared(0), compared(1)],
    })
}

fn study(pair: &ReferencePair, runs: u64) -> Result<Study, LabError> {
    let preset = Preset::Program;
    let graph = pair.graph.parse::<GraphSource>()?.load(Seed(0), preset)?;
    let agent = AgentSpec::parse(&pair.agent, preset)
        .map_err(|error| LabError::setting("agents", error))?;
    let spread = if pair.graph.starts_with("complete") { 1.0 } else { 9.0 };
    Ok(Study {
        graph: Arc::new(graph),
        agents: vec![agent.into()],
        preset,
        means: MeansSource::Table(instances(spread)),
        noise: "uniform:0.5".parse().map_err(|error| LabError::setting("noise", error))?,
        plan: RunPlan::new(STEPS, 20),
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs,
        seed: Seed(0),
    })
}

/// The mean rewards of the reference's instances.
fn instances(spread: f64) -> MeansTable {
    let number =
        |field: &str| field.parse::<f64>().expect("the uniforms of this crate are numbers");
    let row = |line: &str| line.split(',').map(|field| 0.5 + spread * number(field)).collect();
    MeansTable::new(UNIFORMS.lines().map(row).collect())
}

/// `ours[run][k]` is the regret of a run at checkpoint `k`.
fn comparison(window: Window, ours: &[Vec<f64>], reference: &ReferenceWindow) -> Comparison {
    let at = |k: usize| ours.iter().map(move |run| run[k]);
    let moments: Vec<Moments> = (0..20).map(|k| Moments::of(at(k))).collect();
    let z = |(k, moments): (usize, &Moments)| {
        let of_reference = reference.sd[k] * reference.sd[k] / INSTANCES as f64;
        let of_ours = moments.standard_error().map_or(0.0, |error| error * error);
        (moments.mean - reference.mean[k]) / (of_reference + of_ours).sqrt()
    };
    let paired_z = reference.finals.as_ref().map(|finals| {
        let by_instance = by_instance(&at(19).collect::<Vec<f64>>());
        let difference = paired_difference(&by_instance, finals);
        difference.mean / difference.standard_error().unwrap_or(f64::INFINITY)
    });
    Comparison {
        window,
        ours: moments[19].mean,
        reference: reference.mean[19],
        z: moments.iter().enumerate().map(z).collect(),
        paired_z,
    }
}

/// The mean over all tapes of each instance; run `i` is on instance `i mod 100`.
fn by_instance(regrets: &[f64]) -> Vec<f64> {
    let of = |instance: usize| {
        Moments::of(regrets.iter().copied().skip(instance).step_by(INSTANCES)).mean
    };
    (0..INSTANCES).map(of).collect()
}
