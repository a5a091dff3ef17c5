//! Where mean rewards come from: drawn anew for each run, or from the rows of a file.

use crate::error::{FileError, LabError};
use crate::text_file::read_text;
use graph_bandit::{MeansSpec, RewardSpec, Seed, SpecError};
use std::path::{Path, PathBuf};

/// Where each run's mean rewards come from.
#[derive(Debug, Clone, PartialEq)]
pub enum MeansSource {
    /// By a rule, drawn anew for each run where it is random.
    Drawn(MeansSpec),
    /// From a table: one row per run, used in turn.
    Table(MeansTable),
}

/// Rows of mean rewards, one number per node.
#[derive(Debug, Clone, PartialEq)]
pub struct MeansTable {
    rows: Vec<Vec<f64>>,
    /// The file and the line of each row, when it was read from one.
    origin: Option<(PathBuf, Vec<u64>)>,
}

impl MeansTable {
    /// A table of the given rows.
    pub fn new(rows: Vec<Vec<f64>>) -> Self {
        Self { rows, origin: None }
    }

    /// Reads comma-separated numbers, one row per line, no header.
    ///
    /// # Errors
    /// Names file and line when it cannot be read, is empty or ragged, or holds what is no finite
    /// number.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let error =
            |line: Option<u64>, reason: String| FileError { path: path.to_owned(), line, reason };
        let text = read_text(path, "comma-separated numbers")?;
        let mut table = Self::new(Vec::new());
        let mut lines = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            if line.trim().is_empty() {
                continue;
            }
            let row = line.split(',').map(str::trim).map(|field| match field.parse::<f64>() {
                Ok(mean) if mean.is_finite() => Ok(mean),
                _ => Err(error(
                    Some(number),
                    format!(
                        "{field:?} is no finite number; \
                             give comma-separated numbers, no header"
                    ),
                )),
            });
            let row: Vec<f64> = row.collect::<Result<_, _>>()?;
            if let Some(first) = table.rows.first()
                && first.len() != row.len()
            {
                let reason = format!(
                    "this row has {} numbers, the first has {}; all rows must be as long",
                    row.len(),
                    first.len()
                );
                return Err(error(Some(number), reason));
            }
            table.rows.push(row);
            lines.push(number);
        }
        if table.rows.is_empty() {
            return Err(error(None, "the file is empty; give one row of means per run".into()));
        }
        table.origin = Some((path.to_owned(), lines));
        Ok(table)
    }

    /// The rows.
    pub fn rows(&self) -> &[Vec<f64>] {
        &self.rows
    }

    fn error(&self, row: usize, reason: String) -> LabError {
        match &self.origin {
            Some((path, lines)) => {
                FileError { path: path.clone(), line: Some(lines[row]), reason }.into()
            }
            None => LabError::setting("means", format!("row {row}: {reason}")),
        }
    }

    fn row(&self, row: usize, nodes: usize) -> Result<&[f64], LabError> {
        let means = &self.rows[row];
        if means.len() == nodes {
            return Ok(means);
        }
        let reason = format!("this row has {} numbers, the graph {nodes} nodes", means.len());
        Err(self.error(row, reason))
    }
}

impl MeansSource {
    /// Reads `uniform:LO,HI`, `needle:LO,HI`, `fixed:..` or `file:CSV`; a relative path starts at `base`.
    ///
    /// # Errors
    /// When the text says neither, or the file is wrong.
    pub fn parse(text: &str, base: &Path) -> Result<Self, LabError> {
        if let Some(path) = text.strip_prefix("file:") {
            return Ok(Self::Table(MeansTable::read(&base.join(path))?));
        }
        let spec = text.parse().map_err(|error| match error {
            SpecError::Unknown { .. } => LabError::setting("means", format!("{error}; file:CSV")),
            other => LabError::setting("means", other),
        })?;
        Ok(Self::Drawn(spec))
    }

    /// The mean rewards of one run.
    ///
    /// # Errors
    /// When there is not one per node.
    pub fn of_run(&self, run: u64, nodes: usize, seed: Seed) -> Result<Vec<f64>, LabError> {
        match self {
            Self::Drawn(spec) => {
                spec.draw(nodes, seed).map_err(|error| LabError::setting("means", error))
            }
            Self::Table(table) => Ok(table.row(table.index(run), nodes)?.to_vec()),
        }
    }

    /// Whose mistake it is that the noise refuses the means of a run.
    pub(crate) fn blame(&self, run: u64, error: &SpecError) -> LabError {
        match self {
            Self::Drawn(_) => LabError::setting("noise", error),
            Self::Table(table) => table.error(table.index(run), error.to_string()),
        }
    }

    /// Checks that every run will have one mean per node, and one that the noise can have.
    ///
    /// # Errors
    /// Names the setting, or file and line.
    pub fn check(&self, nodes: usize, noise: &RewardSpec) -> Result<(), LabError> {
        match self {
            Self::Drawn(spec) => {
                self.of_run(0, nodes, Seed(0))?;
                // Laws that take both ends take all between.
                let (low, high) = spec.ends();
                let fits = noise.law(low).and_then(|_| noise.law(high));
                fits.map(|_| ()).map_err(|error| LabError::setting("noise", error))
            }
            Self::Table(table) => {
                for row in 0..table.rows.len() {
                    let means = table.row(row, nodes)?;
                    noise.laws(means).map_err(|error| table.error(row, error.to_string()))?;
                }
                Ok(())
            }
        }
    }
}

impl MeansTable {
    fn index(&self, run: u64) -> usize {
        (run % self.rows.len() as u64) as usize
    }
}
