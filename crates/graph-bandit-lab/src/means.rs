//! The source of mean rewards: drawn for each run, or read from the rows of a file.

use crate::changes::ChangesTable;
use crate::error::{FileError, LabError};
use crate::text_file::{fields_of, read_text};
use graph_bandit::spec::Span;
use graph_bandit::{MeansSpec, RewardSpec, Seed, SpecError, Timetable, nearest_name};
use std::path::{Path, PathBuf};

/// Where each run's mean rewards come from.
#[derive(Debug, Clone, PartialEq)]
pub enum MeansSource {
    /// A rule; if it is random, means are drawn for each run.
    Drawn(MeansSpec),
    /// A table: one row per run, used in turn.
    Table(MeansTable),
    /// A table of means that change, the same in every run.
    Changes(ChangesTable),
}

/// Rows of mean rewards, one number per node.
#[derive(Debug, Clone, PartialEq)]
pub struct MeansTable {
    rows: Vec<Vec<f64>>,
    /// The file and the line of each row, if read from a file.
    origin: Option<(PathBuf, Vec<u64>)>,
    /// The fields of the file's first line, which may be the names of the nodes.
    first: Vec<String>,
    /// Its line number.
    first_line: u64,
    /// Whether the first line is a header.
    header: Header,
}

impl MeansTable {
    /// A table of the given rows.
    pub fn new(rows: Vec<Vec<f64>>) -> Self {
        Self { rows, origin: None, first: Vec::new(), first_line: 1, header: Header::Perhaps }
    }

    /// Reads comma-separated numbers, one row per line. The first line may contain the names of the
    /// nodes; [`MeansSource::in_order_of`] puts the columns in their order.
    ///
    /// # Errors
    /// Names file and line if the file cannot be read, is empty or ragged, or contains something
    /// other than finite numbers.
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
            let fields = fields_of(line).map_err(|reason| error(Some(number), reason))?;
            if table.first.is_empty() {
                (table.first, table.first_line) = (fields.clone(), number);
                if !table.first.iter().any(|field| field.parse::<f64>().is_ok()) {
                    table.header = Header::Surely;
                    continue;
                }
            }
            let row = fields.iter().map(|field| match field.parse::<f64>() {
                Ok(mean) if mean.is_finite() => Ok(mean),
                _ => Err(error(
                    Some(number),
                    format!(
                        "{field:?} is not a finite number; \
                             give comma-separated numbers"
                    ),
                )),
            });
            let row: Vec<f64> = row.collect::<Result<_, _>>()?;
            if let Some(first) = table.rows.first()
                && first.len() != row.len()
            {
                let reason = format!(
                    "this row has {} numbers, the first has {}; all rows must have the same length",
                    row.len(),
                    first.len()
                );
                return Err(error(Some(number), reason));
            }
            table.rows.push(row);
            lines.push(number);
        }
        if let (true, Some(field)) = (table.rows.is_empty(), table.first.first()) {
            let reason = format!("{field:?} is not a finite number; give comma-separated numbers");
            return Err(error(Some(table.first_line), reason));
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
        let reason =
            format!("this row has {} numbers, but the graph has {nodes} nodes", means.len());
        Err(self.error(row, reason))
    }
}

/// Whether the first line of a file is a row of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Header {
    /// It is: no field is a number.
    Surely,
    /// It is if its fields are the names of the nodes, which may be numbers.
    Perhaps,
}

/// Whether the row contains the numbers that `names` spell, in any order.
fn are_same(row: &[f64], names: &[String]) -> bool {
    let numbers = names.iter().map(|name| name.parse::<f64>()).collect::<Result<Vec<_>, _>>();
    let sorted = |mut numbers: Vec<f64>| {
        numbers.sort_by(f64::total_cmp);
        numbers
    };
    numbers.is_ok_and(|numbers| sorted(numbers) == sorted(row.to_vec()))
}

impl MeansTable {
    /// Puts the columns of a table with a header into the order of the nodes.
    fn in_order_of(mut self, names: &[String]) -> Result<Self, LabError> {
        let Some((path, _)) = &self.origin else { return Ok(self) };
        let all_named = !names.is_empty() && names.iter().all(|name| self.first.contains(name));
        if self.header == Header::Perhaps {
            if !all_named || self.first.len() != names.len() || self.rows.len() < 2 {
                return Ok(self);
            }
            // If every row consists of the names as numbers, like ranks, the first row is data.
            if self.rows.iter().all(|row| are_same(row, names)) {
                return Ok(self);
            }
            // Its names are numbers, so they were read as the first row.
            self.rows.remove(0);
            if let Some((_, lines)) = &mut self.origin {
                lines.remove(0);
            }
        } else {
            let line = Some(self.first_line);
            let wrong = |reason: String| FileError { path: path.clone(), line, reason };
            if names.is_empty() {
                let reason = "this is a header, but the nodes of the graph do not have names; leave it \
                              out, and give numbers in the order of the nodes";
                return Err(wrong(reason.to_owned()).into());
            }
            if let Some(unknown) = self.first.iter().find(|field| !names.contains(field)) {
                let near = nearest_name(unknown, names.iter().map(String::as_str));
                let near = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
                return Err(wrong(format!("{unknown:?} is not a node of the graph{near}")).into());
            }
            if let Some(missing) = names.iter().find(|name| !self.first.contains(name)) {
                return Err(wrong(format!("node {missing:?} has no column; add one")).into());
            }
            if self.first.len() > names.len() {
                return Err(wrong("a node has two columns; leave one".to_owned()).into());
            }
        }
        let place = |name: &String| self.first.iter().position(|field| field == name);
        let places: Vec<usize> = names.iter().filter_map(place).collect();
        for row in &mut self.rows {
            if row.len() == places.len() {
                *row = places.iter().map(|&place| row[place]).collect();
            }
        }
        self.header = Header::Perhaps;
        self.first.clear();
        Ok(self)
    }
}

impl MeansSource {
    /// Puts the columns of a file with a header into the order of this many nodes, which may have
    /// names.
    ///
    /// # Errors
    /// When the header does not contain all nodes; names file and line.
    pub fn in_order_of(self, names: Option<&[String]>, nodes: usize) -> Result<Self, LabError> {
        let names = names.unwrap_or_default();
        match self {
            Self::Table(table) => Ok(Self::Table(table.in_order_of(names)?)),
            Self::Changes(table) => Ok(Self::Changes(table.in_order_of(names, nodes)?)),
            drawn @ Self::Drawn(_) => Ok(drawn),
        }
    }

    /// Reads the text of a kind of means, such as `uniform:0.5,9.5`, a file of one row per run
    /// (`file:FILE`), or a table of means that change (`changes:FILE`, or
    /// `rows:FROM,MEAN,..;FROM,..` in place). A relative path starts at `base`.
    ///
    /// # Errors
    /// When the text is none of these, or the file is wrong.
    pub fn parse(text: &str, base: &Path) -> Result<Self, LabError> {
        if let Some(path) = text.strip_prefix("file:") {
            return Ok(Self::Table(MeansTable::read(&base.join(path))?));
        }
        if let Some(path) = text.strip_prefix("changes:") {
            if path.trim().is_empty() {
                let reason = "changes: names no file; write changes:FILE, as in changes:town.csv";
                return Err(LabError::setting("means", reason));
            }
            return Ok(Self::Changes(ChangesTable::read(&base.join(path))?));
        }
        if let Some(rows) = text.strip_prefix("rows:") {
            return Ok(Self::Changes(ChangesTable::parse(rows)?));
        }
        let spec = text.parse().map_err(|error| match error {
            SpecError::Unknown { .. } => {
                let of_files = "file:FILE; changes:FILE; rows:FROM,MEAN,..;FROM,..";
                LabError::setting("means", format!("{error}; {of_files}"))
            }
            other => LabError::setting("means", other),
        })?;
        Ok(Self::Drawn(spec))
    }

    /// Whether all runs have the same means.
    pub fn is_fixed(&self) -> bool {
        match self {
            // A random law may still have only one possible value.
            Self::Drawn(spec) => spec.name() == "fixed" || spec.ends().0 == spec.ends().1,
            Self::Table(table) => table.rows.len() == 1,
            Self::Changes(_) => true,
        }
    }

    /// Whether means change during a run.
    pub fn changes(&self) -> bool {
        match self {
            Self::Drawn(spec) => spec.changes(),
            Self::Table(_) => false,
            Self::Changes(_) => true,
        }
    }

    /// The means over the time of a run; `None` if they do not change.
    ///
    /// # Errors
    /// When the table is not valid for this many nodes, or has too many changes.
    pub fn over_time(&self, span: &Span) -> Result<Option<Timetable>, LabError> {
        match self {
            Self::Drawn(spec) => {
                spec.over_time(span).map_err(|error| LabError::setting("means", error))
            }
            Self::Table(_) => Ok(None),
            Self::Changes(table) => table.timetable(span.nodes).map(Some),
        }
    }

    /// The mean rewards of one run, at its start if they change.
    ///
    /// # Errors
    /// When there is not one per node.
    pub fn of_run(&self, run: u64, nodes: usize, seed: Seed) -> Result<Vec<f64>, LabError> {
        match self {
            Self::Drawn(spec) => {
                spec.draw(nodes, seed).map_err(|error| LabError::setting("means", error))
            }
            Self::Table(table) => Ok(table.row(table.index(run), nodes)?.to_vec()),
            Self::Changes(table) => {
                table.timetable(nodes)?;
                Ok(table.rows()[0].1.clone())
            }
        }
    }

    /// Attributes the error if the noise refuses the means of a run.
    pub(crate) fn blame(&self, run: u64, error: &SpecError) -> LabError {
        match self {
            Self::Drawn(_) | Self::Changes(_) => LabError::setting("noise", error),
            Self::Table(table) => table.error(table.index(run), error.to_string()),
        }
    }

    /// Checks that every run has one mean per node, and that the noise accepts it.
    ///
    /// # Errors
    /// Names the setting, or file and line.
    pub fn check(&self, nodes: usize, noise: &RewardSpec) -> Result<(), LabError> {
        match self {
            Self::Drawn(spec) => {
                self.of_run(0, nodes, Seed(0))?;
                // Laws that accept both ends accept everything between.
                let (low, high) = spec.ends();
                let fits = noise.law(low).and_then(|_| noise.law(high));
                fits.map(|_| ()).map_err(|error| LabError::setting("noise", error))
            }
            Self::Changes(table) => table.check(nodes, noise),
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
