//! One agent on one graph under one protocol: the unit that studies share.

use super::cell_travel::CellTravel;
use super::texts::{self, AgentText, Walking};
use crate::closure_source::ClosureSource;
use crate::error::LabError;
use crate::graph_source::{GraphSource, Loaded};
use crate::means::MeansSource;
use crate::node_name::NodeName;
use crate::road_changes::RoadChanges;
use crate::study::Study;
use crate::study_file::is_free;
use crate::study_file::{Case, StudyFile, TeamKeys};
use crate::team::TeamStudy;
use crate::window::Window;
use graph_bandit::run::{Against, InitRecord, RegretFrom};
use graph_bandit::{Checkpoint, Graph, Init, Preset, Return, RunPlan, RunRecord, Seed, TapeKind};
use graph_bandit_maps::{Component, ReadOptions, RoadRates};
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// Everything that decides the runs of one agent on one graph.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Cell {
    /// The graph's text.
    pub graph: String,
    /// Which directions and times of its map count; left out if none do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travel: Option<CellTravel>,
    /// Whether to take the largest part of its map.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub largest_component: bool,
    /// Which roads close at random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub closures: Option<ClosureSource>,
    /// The scale of the noise of travel times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub travel_noise: Option<f64>,
    /// The agent's label in its preset.
    pub agent: String,
    /// Which preset it follows.
    pub preset: Preset,
    /// The text of its means.
    pub means: String,
    /// The text of its noise.
    pub noise: String,
    /// `T`.
    pub steps: u64,
    /// How often regret is recorded.
    pub checkpoints: u64,
    /// Its start node.
    pub start: NodeName,
    /// How it covers the graph.
    pub init: Init,
    /// How it returns to its start.
    pub back: Return,
    /// How its rewards are drawn.
    pub tape: TapeKind,
    /// What its regret is measured against.
    #[serde(default, skip_serializing_if = "is_free")]
    pub against: Against,
    /// The team, if several walkers share the graph.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub team: Option<TeamKeys>,
    /// The first step that counts; left out if the number of walkers decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub regret_from: Option<RegretFrom>,
    /// How many runs it makes.
    pub runs: u64,
    /// Its seed.
    pub seed: u64,
}

impl Cell {
    /// The cell of one agent on one case.
    pub(super) fn of(
        study: &StudyFile,
        case: &Case,
        agent: &str,
        preset: Preset,
    ) -> Result<Self, String> {
        let team = study.team_of(case)?;
        let agent = AgentText::parse(agent, preset, Walking::of(team.as_ref()))?;
        let of_program = case.program_means.as_ref().filter(|_| preset == Preset::Program);
        let means = of_program.or(case.means.as_ref());
        Ok(Self {
            graph: case.graph.clone(),
            travel: CellTravel::of(&case.travel()),
            largest_component: case.largest_component,
            closures: case.closures,
            travel_noise: case.travel_noise,
            agent: agent.label(preset),
            preset,
            means: means.unwrap_or(&study.means).clone(),
            noise: case.noise.as_ref().unwrap_or(&study.noise).clone(),
            steps: case.steps.unwrap_or(study.steps),
            checkpoints: study.checkpoints,
            start: case.start.as_ref().unwrap_or(&study.start).clone(),
            init: study.init,
            back: study.back,
            tape: study.tape,
            against: study.against,
            team,
            regret_from: study.regret_from,
            runs: case.runs.unwrap_or(study.runs),
            seed: study.seed,
        })
    }

    /// The study of this one agent, ready to run. Relative paths start at `base`.
    ///
    /// # Errors
    /// Names the setting or the file that is wrong.
    pub fn prepare(&self, base: &Path, graphs: &GraphCache) -> Result<Study, LabError> {
        let wrong = |setting| move |reason: String| LabError::setting(setting, reason);
        let loaded = graphs.get(self, base)?;
        let team = self.team.as_ref().map(|team| team.read(base, &loaded.graph)).transpose()?;
        let walking =
            team.as_ref().map_or(Walking::Alone, |team| Walking::Team(team.walkers_that_are_led()));
        let agent = AgentText::parse(&self.agent, self.preset, walking).map_err(wrong("agents"))?;
        let usual = team.as_ref().map_or(RegretFrom::Cover, TeamStudy::usual_regret_from);
        let study = Study {
            graph: Arc::clone(&loaded.graph),
            agents: vec![agent.entrant(&loaded.graph).map_err(wrong("agents"))?],
            preset: self.preset,
            means: MeansSource::parse(&self.means, base)?
                .in_order_of(loaded.graph.names(), loaded.graph.len())?,
            noise: texts::noise(&self.noise, &loaded.graph).map_err(wrong("noise"))?,
            plan: RunPlan {
                start: self.start.find_start(&loaded.graph)?,
                init: self.init,
                back: self.back,
                tape: self.tape,
                against: self.against,
                regret_from: self.regret_from.unwrap_or(usual),
                ..RunPlan::new(self.steps, self.checkpoints)
            },
            window: Window::FIRST,
            roads: RoadChanges::of(self.closures, self.travel_noise, &loaded.rates)?,
            team,
            runs: self.runs,
            seed: Seed(self.seed),
        };
        study.check()?;
        Ok(study)
    }

    /// Distinguishes its graph from those of other cells: the text, the part taken, and its roads.
    pub fn graph_text(&self) -> String {
        let part = self.largest_component.then(|| "largest-component".to_owned());
        let travel = self.travel.as_ref().map(ToString::to_string);
        // The rates come from the map's file, which may change.
        let closures =
            (self.closures == Some(ClosureSource::Map)).then(|| "closures=map".to_owned());
        let all = [Some(self.graph.clone()), part, travel, closures];
        all.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// Your own code that it runs, by import path, with its fingerprint.
    pub(super) fn code(&self) -> Result<Vec<(String, String)>, String> {
        texts::code_of((&self.agent, Walking::of(self.team.as_ref())), self.preset, &self.noise)
    }

    /// The steps at which regret is recorded.
    pub fn checkpoints(&self) -> Vec<u64> {
        graph_bandit::run::evenly_spaced(self.steps, self.checkpoints)
    }
}

/// The graphs in use, each loaded once.
#[derive(Debug, Default)]
pub struct GraphCache {
    loaded: Mutex<Vec<LoadedGraph>>,
}

#[derive(Debug)]
struct LoadedGraph {
    text: String,
    seed: u64,
    preset: Preset,
    roads: KnownRoads,
}

/// A graph, and how often its roads close according to its file.
#[derive(Debug, Clone)]
struct KnownRoads {
    graph: Arc<Graph>,
    rates: Arc<RoadRates>,
}

impl GraphCache {
    fn get(&self, cell: &Cell, base: &Path) -> Result<KnownRoads, LabError> {
        let text = cell.graph_text();
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        let known = loaded.iter().find(|known| {
            known.text == text && known.seed == cell.seed && known.preset == cell.preset
        });
        if let Some(known) = known {
            return Ok(known.roads.clone());
        }
        let travel = cell.travel.as_ref().map(CellTravel::travel).unwrap_or_default();
        let component = if cell.largest_component { Component::Largest } else { Component::Only };
        let options = ReadOptions { component, ..ReadOptions::default() };
        let source = cell.graph.parse::<GraphSource>()?.with_options(options).below(base);
        let source = source.with_travel(travel)?.with_closures(cell.closures)?;
        let Loaded { graph, rates, .. } = source.load_with_travel(Seed(cell.seed), cell.preset)?;
        let roads = KnownRoads { graph: Arc::new(graph), rates: Arc::new(rates) };
        loaded.push(LoadedGraph {
            text,
            seed: cell.seed,
            preset: cell.preset,
            roads: roads.clone(),
        });
        Ok(roads)
    }
}

/// The stored numbers of one run: each window of its campaign, one after the other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    numbers: &'a [f64],
    checkpoints: usize,
}

/// Numbers of a row before its curves: init steps, init regret, overshoot.
const HEAD: usize = 3;
/// Numbers per checkpoint and window: regret, realized regret, reward, legs.
const PER_POINT: usize = 4;

impl<'a> Row<'a> {
    /// How many numbers a row has.
    pub fn length(checkpoints: usize, windows: usize) -> usize {
        HEAD + windows * PER_POINT * checkpoints
    }

    /// Views stored numbers as a row with this many checkpoints.
    pub fn new(numbers: &'a [f64], checkpoints: usize) -> Self {
        Self { numbers, checkpoints }
    }

    /// Appends a run's numbers to `numbers`, from its record in each window.
    pub(super) fn push(numbers: &mut Vec<f64>, records: &[RunRecord]) {
        let Some(first) = records.first() else { return };
        let InitRecord { steps, regret, travel } = first.init;
        numbers.extend([steps as f64 + travel, regret, first.overshoot as f64]);
        for point in records.iter().flat_map(|record| &record.checkpoints) {
            let Checkpoint { regret, realized_regret, reward, legs, .. } = *point;
            numbers.extend([regret, realized_regret, reward, legs as f64]);
        }
    }

    /// How many checkpoints the row has.
    pub fn checkpoints(&self) -> usize {
        self.checkpoints
    }

    /// Expected regret, realized regret, reward and legs at checkpoint `k`, in the window at this
    /// [place](super::Campaign::place_of).
    pub fn point(&self, window: usize, k: usize) -> [f64; PER_POINT] {
        let start = HEAD + PER_POINT * (window * self.checkpoints + k);
        std::array::from_fn(|i| self.numbers[start + i])
    }

    /// Expected regret at every checkpoint.
    pub fn regret(&self, window: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.checkpoints()).map(move |k| self.point(window, k)[0])
    }

    /// Realized regret at every checkpoint.
    pub fn realized_regret(&self, window: usize) -> impl Iterator<Item = f64> + '_ {
        (0..self.checkpoints()).map(move |k| self.point(window, k)[1])
    }

    /// Steps of initialization.
    pub fn init_steps(&self) -> f64 {
        self.numbers[0]
    }

    /// Expected regret of initialization.
    pub fn init_regret(&self) -> f64 {
        self.numbers[1]
    }

    /// Visits left of the last leg at the horizon.
    pub fn overshoot(&self) -> f64 {
        self.numbers[2]
    }
}
