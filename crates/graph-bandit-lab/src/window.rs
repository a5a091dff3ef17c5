//! Windows: which `T` steps of a run count. The lab has one, the first `T`; another crate can add
//! one as a [`WindowEntry`].

use crate::error::LabError;
use crate::found_best::FoundBest;
use graph_bandit::run::{Run, Status};
use graph_bandit::spec::UnknownName;
use graph_bandit::{Agent, Leg, RunError, RunPlan, RunRecord, Seed, World};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::{PoisonError, RwLock};

/// A finished run, for windows that are measured afterwards.
#[derive(Debug, Clone, Copy)]
pub struct FinishedRun<'a> {
    /// Its world.
    pub world: &'a World,
    /// Its plan.
    pub plan: &'a RunPlan,
    /// Its tape.
    pub seed: Seed,
    /// The record of its first `T` steps.
    pub record: &'a RunRecord,
    /// The agent's legs, in order. The last one is complete, although the run cut it at `T`.
    pub legs: &'a [Leg],
}

/// Measures a finished run until one of the flags is set; then returns [`RunError::Stopped`].
pub type MeasureAfterwards = fn(&FinishedRun<'_>, &[&AtomicBool]) -> Result<RunRecord, RunError>;

/// How a window is measured.
#[derive(Debug, Clone, Copy)]
pub enum Measure {
    /// During the run.
    Running,
    /// From the finished run.
    Afterwards(MeasureAfterwards),
}

/// The definition of a window.
#[derive(Debug, Clone, Copy)]
pub struct WindowEntry {
    /// Its name in files and on the command line.
    pub name: &'static str,
    /// Its meaning, in one sentence.
    pub help: &'static str,
    /// The steps that count, after "regret over" in an HTML paragraph.
    pub steps: &'static str,
    /// What a reader of its numbers must know.
    pub caution: Option<&'static str>,
    /// How a run is measured.
    pub measure: Measure,
}

static FIRST: WindowEntry = WindowEntry {
    name: "first",
    help: "The first T steps, beginning where `regret-from` says.",
    steps: "the first T steps after initialization",
    caution: None,
    measure: Measure::Running,
};

static ADDED: RwLock<Vec<Window>> = RwLock::new(Vec::new());

/// Which `T` steps of a run count.
#[derive(Clone, Copy)]
pub struct Window(&'static WindowEntry);

impl Window {
    /// The first `T` steps after initialization.
    pub const FIRST: Self = Self(&FIRST);

    /// The window of an entry; files and flags know it only after it is
    /// [registered](Self::register).
    pub const fn of(entry: &'static WindowEntry) -> Self {
        Self(entry)
    }

    /// All windows; added ones come last.
    pub fn all() -> Vec<Self> {
        let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
        [Self::FIRST].into_iter().chain(added.iter().copied()).collect()
    }

    /// Adds a window for the rest of the process: studies may ask for it from now on.
    ///
    /// # Errors
    /// When the name is taken.
    pub fn register(entry: &'static WindowEntry) -> Result<(), LabError> {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        let window = Self(entry);
        if window == Self::FIRST || added.contains(&window) {
            let reason = format!("there is a window {:?} already; choose another name", entry.name);
            return Err(LabError::setting("window", reason));
        }
        added.push(window);
        Ok(())
    }

    /// The window of that name.
    ///
    /// # Errors
    /// Lists the known names.
    pub fn of_name(name: &str) -> Result<Self, UnknownName> {
        let all = Self::all();
        all.iter().copied().find(|window| window.name() == name).ok_or_else(|| UnknownName {
            name: name.to_owned(),
            known: all.iter().map(|window| window.name()).collect(),
        })
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Its definition.
    pub fn entry(self) -> &'static WindowEntry {
        self.0
    }
}

/// The measurements of one run.
pub(crate) struct Measured {
    /// The records, by window.
    pub(crate) records: Vec<RunRecord>,
    /// The best node at the end of the first `T` steps.
    pub(crate) best: Option<FoundBest>,
}

/// Makes one run and measures it in all windows, until one of `stops` is set.
pub(crate) fn measure(
    windows: &[Window],
    (world, agent, plan, seed): (&World, &mut dyn Agent, &RunPlan, Seed),
    stops: &[&AtomicBool],
) -> Result<Measured, RunError> {
    let mut run = Run::new(world, agent, plan, seed)?;
    let mut legs = Vec::new();
    let is_running = |window: &Window| matches!(window.0.measure, Measure::Running);
    let wanted = (!windows.iter().all(is_running)).then_some(&mut legs);
    let status = run.walk_until(stops, wanted)?;
    if status == Status::Going {
        return Err(RunError::Stopped);
    }
    let best = FoundBest::of(world, run.estimates());
    let record = run.into_record();
    let planned: u64 = legs.iter().map(Leg::visits).sum();
    if !legs.is_empty() && planned != plan.steps + plan.skip + record.overshoot {
        return Err(RunError::CutLegs);
    }
    let made = FinishedRun { world, plan, seed, record: &record, legs: &legs };
    let in_window = |window: &Window| match window.0.measure {
        Measure::Running => Ok(record.clone()),
        Measure::Afterwards(measure) => measure(&made, stops),
    };
    let records = windows.iter().map(in_window).collect::<Result<_, _>>()?;
    Ok(Measured { records, best })
}

impl Default for Window {
    fn default() -> Self {
        Self::FIRST
    }
}

impl PartialEq for Window {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
    }
}

impl Eq for Window {}

impl fmt::Debug for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "window {}", self.name())
    }
}

impl fmt::Display for Window {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for Window {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl<'de> Deserialize<'de> for Window {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = Cow::<str>::deserialize(deserializer)?;
        Self::of_name(&name).map_err(|unknown| {
            let known: Vec<String> =
                unknown.known.iter().map(|known| format!("`{known}`")).collect();
            let name = unknown.name;
            D::Error::custom(format!("unknown variant `{name}`, expected {}", known.join(" or ")))
        })
    }
}

/// For the schema of study files.
#[cfg(feature = "report")]
impl schemars::JsonSchema for Window {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Window".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names: Vec<&str> = Self::all().into_iter().map(Self::name).collect();
        schemars::json_schema!({"type": "string", "enum": names})
    }
}
