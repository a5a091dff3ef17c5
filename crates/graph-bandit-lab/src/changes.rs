//! Mean rewards that change, as a table: from when each row holds, and one mean per node.

use crate::error::{FileError, LabError};
use crate::text_file::read_text;
use graph_bandit::{RewardSpec, Timetable, TimetableError, nearest_name};
use std::path::{Path, PathBuf};

/// The name of the column that says from when a row holds.
const FROM: &str = "from";

/// A table of means over time: the same for every run.
#[derive(Debug, Clone, PartialEq)]
pub struct ChangesTable {
    rows: Vec<(f64, Vec<f64>)>,
    /// The names of the columns after `from`; empty if they are in the order of the nodes.
    columns: Vec<String>,
    origin: Option<Origin>,
}

/// Where a table was read.
#[derive(Debug, Clone, PartialEq)]
struct Origin {
    path: PathBuf,
    header: u64,
    lines: Vec<u64>,
}

impl ChangesTable {
    /// A table of rows, each with the moment from which it holds and one mean per node.
    pub fn new(rows: Vec<(f64, Vec<f64>)>) -> Self {
        Self { rows, columns: Vec::new(), origin: None }
    }

    /// Reads comma-separated values: a header of `from` and the nodes, by number or name, then one
    /// row per change.
    ///
    /// # Errors
    /// Names file and line if the file cannot be read, has no header or no rows, or a row has a gap
    /// or something other than finite numbers.
    pub fn read(path: &Path) -> Result<Self, FileError> {
        let wrong =
            |line: Option<u64>, reason: String| FileError { path: path.to_owned(), line, reason };
        let text = read_text(path, "comma-separated numbers")?;
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let mut table = Self::new(Vec::new());
        let mut origin = Origin { path: path.to_owned(), header: 1, lines: Vec::new() };
        for record in reader.records() {
            let record = record.map_err(|error| {
                wrong(error.position().map(csv::Position::line), error.to_string())
            })?;
            let line = record.position().map_or(1, csv::Position::line);
            if record.iter().all(str::is_empty) {
                continue;
            }
            if table.columns.is_empty() {
                let first = record.get(0).unwrap_or_default();
                if first != FROM || record.len() < 2 {
                    let reason = format!(
                        "{first:?} is not \"{FROM}\"; begin with the header {FROM},0,1,2 and so on, \
                         or with the names of the nodes"
                    );
                    return Err(wrong(Some(line), reason));
                }
                table.columns = record.iter().skip(1).map(str::to_owned).collect();
                origin.header = line;
                continue;
            }
            if record.len() != table.columns.len() + 1 {
                let reason = format!(
                    "this row has {} fields, the header has {}; give one mean per node",
                    record.len(),
                    table.columns.len() + 1
                );
                return Err(wrong(Some(line), reason));
            }
            let names = std::iter::once(FROM).chain(table.columns.iter().map(String::as_str));
            let number = |(field, name): (&str, &str)| match field.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ if field.is_empty() => Err(wrong(
                    Some(line),
                    format!("column {name:?} is empty; every row needs all means"),
                )),
                _ => Err(wrong(
                    Some(line),
                    format!("{field:?} in column {name:?} is not a finite number"),
                )),
            };
            let mut numbers =
                record.iter().zip(names).map(number).collect::<Result<Vec<f64>, _>>()?;
            let means = numbers.split_off(1);
            table.rows.push((numbers[0], means));
            origin.lines.push(line);
        }
        if table.rows.is_empty() {
            let reason = "there are no rows; give a row of means that holds from 0";
            return Err(wrong(None, reason.to_owned()));
        }
        table.origin = Some(origin);
        Ok(table)
    }

    /// Reads `0,0.3,0.5;1000,0.3,0.2`: rows separated by semicolons, each with the moment from which
    /// it holds and one mean per node.
    ///
    /// # Errors
    /// When a field is not a finite number.
    pub fn parse(text: &str) -> Result<Self, LabError> {
        let row = |text: &str| {
            let number = |field: &str| match field.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => {
                    let reason = format!(
                        "{:?} is not a finite number; write rows:FROM,MEAN,MEAN,..;FROM,..",
                        field.trim()
                    );
                    Err(LabError::setting("means", reason))
                }
            };
            let mut numbers = text.split(',').map(number).collect::<Result<Vec<f64>, _>>()?;
            let means = numbers.split_off(1);
            Ok((numbers[0], means))
        };
        Ok(Self::new(text.split(';').map(row).collect::<Result<_, LabError>>()?))
    }

    /// The rows.
    pub fn rows(&self) -> &[(f64, Vec<f64>)] {
        &self.rows
    }

    fn wrong(&self, line: Option<u64>, reason: String) -> LabError {
        match &self.origin {
            Some(origin) => FileError { path: origin.path.clone(), line, reason }.into(),
            None => LabError::setting("means", reason),
        }
    }

    fn line(&self, row: usize) -> Option<u64> {
        self.origin.as_ref().map(|origin| origin.lines[row])
    }

    /// Puts the columns into the order of this many nodes, which may have names.
    pub(crate) fn in_order_of(mut self, names: &[String], nodes: usize) -> Result<Self, LabError> {
        if self.columns.is_empty() {
            return Ok(self);
        }
        let header = self.origin.as_ref().map(|origin| origin.header);
        let mut place_of: Vec<Option<usize>> = vec![None; nodes];
        for (place, column) in self.columns.iter().enumerate() {
            let Some(node) = node_of(names, nodes, column) else {
                let near = nearest_name(column, names.iter().map(String::as_str));
                let near = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
                let reason =
                    format!("{column:?} is not a node of the graph, which has {nodes} nodes{near}");
                return Err(self.wrong(header, reason));
            };
            if place_of[node].replace(place).is_some() {
                let reason = format!("node {column:?} has two columns; leave one");
                return Err(self.wrong(header, reason));
            }
        }
        if let Some(missing) = place_of.iter().position(Option::is_none) {
            let name = names.get(missing).cloned().unwrap_or_else(|| missing.to_string());
            let reason = format!("node {name:?} has no column; add one");
            return Err(self.wrong(header, reason));
        }
        for (_, means) in &mut self.rows {
            *means = place_of.iter().flatten().map(|&place| means[place]).collect();
        }
        self.columns.clear();
        Ok(self)
    }

    /// The means over time for a graph with this many nodes.
    pub(crate) fn timetable(&self, nodes: usize) -> Result<Timetable, LabError> {
        if let Some(row) = self.rows.iter().position(|(_, means)| means.len() != nodes) {
            let reason = format!(
                "the row has {} means, but the graph has {nodes} nodes; give one mean per node",
                self.rows[row].1.len()
            );
            return Err(self.wrong(self.line(row), reason));
        }
        Timetable::of_rows(&self.rows).map_err(|error| {
            let moment = match &error {
                TimetableError::LateStart { from }
                | TimetableError::OutOfOrder { from, .. }
                | TimetableError::NotFinite { from, .. } => Some(*from),
                _ => None,
            };
            // Of two rows with one moment, the later one is out of order.
            let row = self.rows.iter().rposition(|(from, _)| Some(*from) == moment);
            let line = row.and_then(|row| self.line(row));
            self.wrong(line, error.to_string())
        })
    }

    /// Checks the table, and that the noise accepts every mean.
    pub(crate) fn check(&self, nodes: usize, noise: &RewardSpec) -> Result<(), LabError> {
        self.timetable(nodes)?;
        for (row, (_, means)) in self.rows.iter().enumerate() {
            let laws = noise.laws(means);
            laws.map_err(|error| self.wrong(self.line(row), error.to_string()))?;
        }
        Ok(())
    }
}

/// The node with this name or number.
fn node_of(names: &[String], nodes: usize, text: &str) -> Option<usize> {
    let named = names.iter().position(|name| name == text);
    named.or_else(|| text.parse().ok().filter(|&node: &usize| node < nodes))
}
