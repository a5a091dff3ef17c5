//! Campaigns: several studies carried out together. Runs that they share are made once, and
//! checkpoints on disk make sure that nothing finished runs again.
//!
//! ```text
//! StudyFile.. ─> Campaign (cells) ─> engine ─> Store (blocks of runs on disk) ─> Results
//! ```

mod cell;
mod cell_travel;
mod engine;
mod fingerprint;
mod key_that_helps;
mod results;
mod store;
mod texts;
mod tidy;
mod windows;

pub use cell::{Cell, GraphCache, Row};
pub use cell_travel::CellTravel;
pub use engine::{End, Progress, Shard, execute};
pub(crate) use fingerprint::fingerprint;
pub(crate) use results::for_each_row;
pub use results::{CurveStats, Results};
pub use store::{Block, Store, StoreError};
pub(crate) use tidy::write_tables;

use crate::error::LabError;
use crate::means::MeansSource;
use crate::study_file::{Case, StudyFile};
use crate::window::Window;
use graph_bandit::Preset;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use texts::AgentText;

/// Which presets a campaign runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Presets {
    /// Each study's own.
    Own,
    /// Both, so that claims can be judged in either.
    Both,
}

/// What to carry out: everything that determines the results, and nothing else.
#[derive(Debug, Serialize, Deserialize)]
pub struct Campaign {
    /// The version that began it: other versions may give other results.
    pub version: String,
    /// The studies.
    pub studies: Vec<StudyFile>,
    /// Which presets are run.
    pub presets: Presets,
    /// The windows that every run is measured in, in the order of the rows.
    pub windows: Vec<Window>,
    /// All runs that the studies need, each once.
    pub cells: Vec<Cell>,
    /// A fingerprint of each graph, by its text: its file may change.
    pub graph_hashes: BTreeMap<String, String>,
    /// A fingerprint of each file of means, by its text.
    pub means_hashes: BTreeMap<String, String>,
    /// A fingerprint of the code behind each import path: other code gives another result.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub code_hashes: BTreeMap<String, String>,
    /// A fingerprint of each team's files, by their texts.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub team_hashes: BTreeMap<String, String>,
    /// The directory that relative paths in the studies start from.
    #[serde(skip)]
    pub base: PathBuf,
    /// The graphs in use.
    #[serde(skip)]
    pub graphs: GraphCache,
}

/// One agent on one case of one study.
#[derive(Debug, Clone, Copy)]
pub struct Entry<'a> {
    /// The study.
    pub study: &'a StudyFile,
    /// The case.
    pub case: &'a Case,
    /// Which preset the agent follows.
    pub preset: Preset,
    /// The number of the cell with its runs.
    pub cell: usize,
}

impl Campaign {
    /// Collects what the studies need. Relative paths in them start at `base`.
    ///
    /// # Errors
    /// Names the study and what is wrong in it.
    pub fn new(studies: Vec<StudyFile>, presets: Presets, base: PathBuf) -> Result<Self, LabError> {
        let mut campaign = Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            studies: Vec::new(),
            presets,
            windows: Vec::new(),
            cells: Vec::new(),
            graph_hashes: BTreeMap::new(),
            means_hashes: BTreeMap::new(),
            code_hashes: BTreeMap::new(),
            team_hashes: BTreeMap::new(),
            base,
            graphs: GraphCache::default(),
        };
        for study in studies {
            campaign.add(study)?;
        }
        Ok(campaign)
    }

    fn add(&mut self, mut study: StudyFile) -> Result<(), LabError> {
        let named = |reason: String| LabError::Study { study: study.name.clone(), reason };
        check_names(&study, &self.studies).map_err(named)?;
        check_size(&study).map_err(named)?;
        for preset in self.presets_of(&study) {
            for case in &study.cases {
                let in_case = |reason: String| named(of_case(&study, case, reason));
                for agent in agents(&study, case) {
                    let cell = Cell::of(&study, case, agent, preset).map_err(in_case)?;
                    if !self.cells.contains(&cell) {
                        let prepared = cell
                            .prepare(&self.base, &self.graphs)
                            .map_err(|error| in_case(key_that_helps::with_key(&error)))?;
                        let hash = fingerprint::of_graph(
                            &prepared.graph,
                            prepared.roads.closures.as_ref(),
                        );
                        self.graph_hashes.insert(cell.graph_text(), hash);
                        if let MeansSource::Table(table) = &prepared.means {
                            let hash = fingerprint::of_means(table);
                            self.means_hashes.insert(cell.means.clone(), hash);
                        }
                        if let MeansSource::Changes(table) = &prepared.means {
                            let hash = fingerprint::of_changes(table);
                            self.means_hashes.insert(cell.means.clone(), hash);
                        }
                        if let Some(team) = &prepared.team {
                            let only_first = study.measured_in() == [Window::FIRST];
                            if !only_first {
                                return Err(in_case(format!(
                                    "window: teams are measured over their first steps; use {}",
                                    Window::FIRST
                                )));
                            }
                            self.team_hashes.extend(fingerprint::of_team(&cell, team));
                        }
                        self.code_hashes.extend(cell.code().map_err(in_case)?);
                        self.cells.push(cell);
                    }
                }
            }
        }
        // From here on the campaign holds the windows, and the study does not: a study that asks
        // for fewer windows must have the same plan.
        self.measure_in(&study.measured_in());
        study.windows.clear();
        self.studies.push(study);
        Ok(())
    }

    /// The presets under which a study is run.
    pub fn presets_of(&self, study: &StudyFile) -> Vec<Preset> {
        match self.presets {
            Presets::Own => vec![study.preset],
            Presets::Both => vec![Preset::Paper, Preset::Program],
        }
    }

    /// Everything the studies show, in their order.
    pub fn entries(&self) -> Vec<Entry<'_>> {
        let mut entries = Vec::new();
        for study in &self.studies {
            for preset in self.presets_of(study) {
                for case in &study.cases {
                    let cells = agents(study, case)
                        .filter_map(|agent| self.cell(study, case, agent, preset));
                    entries.extend(cells.map(|cell| Entry { study, case, preset, cell }));
                }
            }
        }
        entries
    }

    /// The cell of one agent on one case of a study.
    pub fn cell(
        &self,
        study: &StudyFile,
        case: &Case,
        agent: &str,
        preset: Preset,
    ) -> Option<usize> {
        let wanted = Cell::of(study, case, agent, preset).ok()?;
        self.cells.iter().position(|cell| *cell == wanted)
    }

    /// All runs of all cells.
    pub fn runs(&self) -> u64 {
        self.cells.iter().map(|cell| cell.runs).sum()
    }
}

/// The agents of a case.
pub fn agents<'a>(study: &'a StudyFile, case: &'a Case) -> impl Iterator<Item = &'a str> {
    case.agents.as_ref().unwrap_or(&study.agents).iter().map(String::as_str)
}

/// A mistake in a case, with its title if there are several cases.
fn of_case(study: &StudyFile, case: &Case, reason: String) -> String {
    if study.cases.len() < 2 {
        return reason;
    }
    format!("case {:?}: {reason}", case.title())
}

/// What is wrong with an agent's text on this case, if anything. Agents that lead teams need walkers to lead.
fn mistake_in(study: &StudyFile, case: &Case, agent: &str) -> Option<String> {
    let team = study.team_of(case).ok()?;
    AgentText::parse(agent, study.preset, texts::Walking::of(team.as_ref())).err()
}

fn check_names(study: &StudyFile, others: &[StudyFile]) -> Result<(), String> {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if study.name.is_empty() || !study.name.chars().all(is_plain) {
        return Err(format!(
            "the name {:?} must consist of lower-case letters, digits and dashes: files are named after it",
            study.name
        ));
    }
    if others.iter().any(|other| other.name == study.name) {
        return Err("another study has the same name".to_owned());
    }
    if study.cases.is_empty() && study.figures.iter().any(|figure| figure.drawings().is_empty()) {
        return Err("there are no cases; give at least one [[cases]] with a graph".to_owned());
    }
    for (i, case) in study.cases.iter().enumerate() {
        if study.cases[..i].iter().any(|other| other.title() == case.title()) {
            return Err(format!("two cases have the title {:?}; titles must differ", case.title()));
        }
        let named: Vec<&str> = agents(study, case).collect();
        if named.is_empty() {
            return Err(format!("{:?} has no agents; name at least one", case.title()));
        }
        let in_case = |reason: String| of_case(study, case, reason);
        study.team_of(case).map_err(in_case)?;
        for (i, agent) in named.iter().enumerate() {
            if let Some(reason) = mistake_in(study, case, agent) {
                // What is wrong with an agent in all cases is not a mistake of this one.
                let is_everywhere = case.agents.is_none()
                    && study.cases.iter().all(|case| mistake_in(study, case, agent).is_some());
                return Err(if is_everywhere { reason } else { in_case(reason) });
            }
            if named[..i].contains(agent) {
                return Err(format!("{:?} has {agent} twice", case.title()));
            }
        }
    }
    for figure in &study.figures {
        for title in &figure.cases {
            if !study.cases.iter().any(|case| case.title() == title) {
                let known: Vec<&str> = study.cases.iter().map(Case::title).collect();
                let known = known.join(", ");
                return Err(format!(
                    "a figure shows {title:?}, but there is no such case; the cases are {known}"
                ));
            }
        }
        (figure.entry().check)(figure, study)?;
    }
    windows::check(study)?;
    check_baseline(study)
}

/// The baseline must run on every case that is measured against it.
fn check_baseline(study: &StudyFile) -> Result<(), String> {
    let Some(baseline) = &study.baseline else { return Ok(()) };
    match study.cases.iter().find(|case| !agents(study, case).any(|agent| agent == baseline)) {
        Some(case) => Err(format!("{:?} does not have the baseline {baseline}", case.title())),
        None => Ok(()),
    }
}

/// The most runs per agent and case: more than anyone waits for, and blocks still fit into memory.
pub const MOST_RUNS: u64 = 100_000_000;

/// The most checkpoints: more than any figure shows, and one row still fits into memory.
const MOST_CHECKPOINTS: u64 = 1_000_000;

fn check_size(study: &StudyFile) -> Result<(), String> {
    let most = study.cases.iter().filter_map(|case| case.runs).fold(study.runs, u64::max);
    if most > MOST_RUNS {
        return Err(format!("runs: {most} are too many; the limit is {MOST_RUNS}"));
    }
    if !(1..=MOST_CHECKPOINTS).contains(&study.checkpoints) {
        let asked = study.checkpoints;
        return Err(format!("checkpoints: {asked} is not from 1 to {MOST_CHECKPOINTS}"));
    }
    Ok(())
}
