//! Reads a complete result back: every run of every agent on every case, in numbers.

use super::manifest::Manifest;
use super::names::{CURVES_TABLE, RUNS_TABLE};
use crate::campaign::{Campaign, Entry};
use crate::error::LabError;
use crate::window::Window;
use graph_bandit::Preset;
use parquet::column::reader::get_typed_column_reader;
use parquet::data_type::{DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use std::fs::File;
use std::path::Path;

/// The most rows of `curves.parquet` to read into memory, about four gigabytes.
const MOST_ROWS: usize = 100_000_000;

/// A complete result.
#[derive(Debug)]
pub struct StoredResult {
    /// What was carried out.
    pub campaign: Campaign,
    /// All runs of one agent on one case in one window, in the order of [`Campaign::entries`] and,
    /// within each, of the campaign's windows.
    pub curves: Vec<StoredCurves>,
}

/// All runs of one agent on one case in one window. Curves are by run, then by checkpoint.
#[derive(Debug, Clone, PartialEq)]
pub struct StoredCurves {
    /// The name of the study.
    pub study: String,
    /// The title of the case.
    pub case: String,
    /// The agent's label in its preset.
    pub agent: String,
    /// Which preset it followed.
    pub preset: Preset,
    /// Which steps were counted.
    pub window: Window,
    /// The steps at which regret was recorded.
    pub t: Vec<u64>,
    /// Expected regret.
    pub regret: Vec<f64>,
    /// Regret of the rewards paid.
    pub realized_regret: Vec<f64>,
    /// Rewards collected.
    pub reward: Vec<f64>,
    /// Legs begun.
    pub legs: Vec<f64>,
    /// The steps of initialization, by run.
    pub init_steps: Vec<f64>,
    /// Expected regret of initialization, by run.
    pub init_regret: Vec<f64>,
}

/// Reads a complete result from its directory.
///
/// # Errors
/// When the directory does not hold one, or its tables do not match its manifest.
pub fn read_back(directory: &Path) -> Result<StoredResult, LabError> {
    let Some(manifest) = Manifest::read(directory)? else {
        let reason = format!(
            "{} does not hold a complete result; run its study again, which continues from the stored runs",
            directory.display()
        );
        return Err(LabError::Store { reason });
    };
    let campaign = serde_json::from_value::<Campaign>(manifest.spec).map_err(|cause| {
        LabError::Store { reason: format!("{}: manifest.json: {cause}", directory.display()) }
    })?;
    let points = Table::open(directory, CURVES_TABLE)?;
    let runs = Table::open(directory, RUNS_TABLE)?;
    let mut expected = Rows::default();
    for Entry { cell, .. } in campaign.entries() {
        let cell = &campaign.cells[cell];
        // A changed manifest may contain any number.
        let here = (cell.runs as usize).saturating_mul(campaign.windows.len());
        expected.runs = expected.runs.saturating_add(here);
        let points = here.saturating_mul(cell.checkpoints().len());
        expected.points = expected.points.saturating_add(points);
    }
    points.check(expected.points)?;
    runs.check(expected.runs)?;
    let columns = Columns {
        windows: campaign.windows.len(),
        t: points.integers("t")?,
        points: [
            points.numbers("regret")?,
            points.numbers("realized_regret")?,
            points.numbers("reward")?,
            points.numbers("legs")?,
        ],
        init: [runs.numbers("init_steps")?, runs.numbers("init_regret")?],
    };
    let mut curves = Vec::new();
    let mut from = Rows::default();
    for entry in campaign.entries() {
        let cell = &campaign.cells[entry.cell];
        let t = cell.checkpoints();
        for (number, &window) in campaign.windows.iter().enumerate() {
            let at = Place { from, window: number, runs: cell.runs as usize, t: &t };
            let [regret, realized_regret, reward, legs] = columns.curves(&at);
            if !columns.are_at(&at) {
                return Err(points.damaged("its rows are not in the order of the study"));
            }
            let [init_steps, init_regret] = columns.of_runs(&at);
            curves.push(StoredCurves {
                study: entry.study.name.clone(),
                case: entry.case.title().to_owned(),
                agent: cell.agent.clone(),
                preset: entry.preset,
                window,
                t: t.clone(),
                regret,
                realized_regret,
                reward,
                legs,
                init_steps,
                init_regret,
            });
        }
        let here = cell.runs as usize * campaign.windows.len();
        from = Rows { runs: from.runs + here, points: from.points + here * t.len() };
    }
    Ok(StoredResult { campaign, curves })
}

/// Rows of the two tables.
#[derive(Debug, Clone, Copy, Default)]
struct Rows {
    runs: usize,
    points: usize,
}

/// One window of one entry: rows are ordered by run, then by window, then by checkpoint.
struct Place<'a> {
    from: Rows,
    window: usize,
    runs: usize,
    t: &'a [u64],
}

struct Columns {
    windows: usize,
    t: Vec<i64>,
    points: [Vec<f64>; 4],
    init: [Vec<f64>; 2],
}

impl Columns {
    /// Where the checkpoints of each run are.
    fn of_run(&self, at: &Place<'_>) -> impl Iterator<Item = std::ops::Range<usize>> {
        let (points, window, windows) = (at.t.len(), at.window, self.windows);
        let first = at.from.points;
        (0..at.runs).map(move |run| {
            let start = first + (run * windows + window) * points;
            start..start + points
        })
    }

    fn curves(&self, at: &Place<'_>) -> [Vec<f64>; 4] {
        self.points
            .each_ref()
            .map(|column| self.of_run(at).flat_map(|rows| column[rows].iter().copied()).collect())
    }

    fn are_at(&self, at: &Place<'_>) -> bool {
        let t: Vec<i64> = at.t.iter().map(|t| t.cast_signed()).collect();
        self.of_run(at).all(|rows| self.t[rows] == t)
    }

    fn of_runs(&self, at: &Place<'_>) -> [Vec<f64>; 2] {
        self.init.each_ref().map(|column| {
            (0..at.runs).map(|run| column[at.from.runs + run * self.windows + at.window]).collect()
        })
    }
}

/// A Parquet file of required columns.
struct Table {
    name: String,
    reader: SerializedFileReader<File>,
}

impl Table {
    fn open(directory: &Path, name: &str) -> Result<Self, LabError> {
        let path = directory.join(name);
        let failed =
            |cause: String| LabError::Store { reason: format!("{}: {cause}", path.display()) };
        let file = File::open(&path).map_err(|cause| failed(cause.to_string()))?;
        let reader = SerializedFileReader::new(file).map_err(|cause| failed(cause.to_string()))?;
        Ok(Self { name: path.display().to_string(), reader })
    }

    fn damaged(&self, reason: &str) -> LabError {
        LabError::Store {
            reason: format!("{}: {reason}; the file is damaged, run its study again", self.name),
        }
    }

    /// Refuses a table with a wrong number of rows, or with too many.
    fn check(&self, expected: usize) -> Result<(), LabError> {
        let rows = self.reader.metadata().file_metadata().num_rows();
        if usize::try_from(rows).ok() != Some(expected) {
            return Err(self.damaged(&format!("it has {rows} rows instead of {expected}")));
        }
        if expected > MOST_ROWS {
            let reason = format!(
                "{}: {rows} rows do not fit into memory; read the file piece by piece, as polars \
                 and pyarrow do",
                self.name
            );
            return Err(LabError::Store { reason });
        }
        Ok(())
    }

    fn numbers(&self, column: &str) -> Result<Vec<f64>, LabError> {
        self.column::<DoubleType>(column)
    }

    fn integers(&self, column: &str) -> Result<Vec<i64>, LabError> {
        self.column::<Int64Type>(column)
    }

    fn column<T: DataType>(&self, name: &str) -> Result<Vec<T::T>, LabError> {
        let failed = |cause: ParquetError| self.damaged(&cause.to_string());
        let schema = self.reader.metadata().file_metadata().schema_descr();
        let place = schema.columns().iter().position(|column| {
            column.name() == name
                && column.physical_type() == T::get_physical_type()
                && column.max_def_level() == 0
        });
        let place = place.ok_or_else(|| self.damaged(&format!("it has no column {name}")))?;
        let mut values = Vec::new();
        for group in 0..self.reader.num_row_groups() {
            let group = self.reader.get_row_group(group).map_err(failed)?;
            let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
            let mut reader =
                get_typed_column_reader::<T>(group.get_column_reader(place).map_err(failed)?);
            let wanted = values.len() + rows;
            while values.len() < wanted {
                let left = wanted - values.len();
                let (read, ..) =
                    reader.read_records(left, None, None, &mut values).map_err(failed)?;
                if read == 0 {
                    return Err(self.damaged(&format!("column {name} is too short")));
                }
            }
        }
        Ok(values)
    }
}
