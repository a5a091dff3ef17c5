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
        let mut lines = Lines::of(&text);
        for record in reader.records() {
            let record = record.map_err(|error| {
                let line = error.position().map(|position| lines.line(position));
                wrong(line, error.to_string())
            })?;
            let line = record.position().map_or(1, |position| lines.line(position));
            if record.iter().all(str::is_empty) {
                continue;
            }
            let first = record.get(0).unwrap_or_default();
            if first.starts_with('#') {
                let reason =
                    "this line starts with #, but comments are not allowed here; remove it";
                return Err(wrong(Some(line), reason.to_owned()));
            }
            if first.contains(';') {
                let reason = format!(
                    "this line has semicolons, but fields must be separated by commas; write \
                     {FROM},0,1,2 and so on"
                );
                return Err(wrong(Some(line), reason));
            }
            if table.columns.is_empty() {
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
                    "this row has {}, the header has {}; give one mean per node",
                    counted(record.len(), "field"),
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
    /// Names the row, counted from 1, if a field is not a finite number.
    pub fn parse(text: &str) -> Result<Self, LabError> {
        let row = |(row, text): (usize, &str)| {
            let number = |field: &str| match field.trim().parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => {
                    let reason = format!(
                        "row {row}: {:?} is not a finite number; write \
                         rows:FROM,MEAN,MEAN,..;FROM,..",
                        field.trim()
                    );
                    Err(LabError::setting("means", reason))
                }
            };
            let mut numbers = text.split(',').map(number).collect::<Result<Vec<f64>, _>>()?;
            let means = numbers.split_off(1);
            Ok((numbers[0], means))
        };
        let rows = (1..).zip(text.split(';'));
        Ok(Self::new(rows.map(row).collect::<Result<_, LabError>>()?))
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

    /// An error about a row: with its line in the file, or else its number, counted from 1.
    fn wrong_row(&self, row: usize, reason: &str) -> LabError {
        match &self.origin {
            Some(origin) => self.wrong(Some(origin.lines[row]), reason.to_owned()),
            None => self.wrong(None, format!("row {}: {reason}", row + 1)),
        }
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
                let nodes = counted(nodes, "node");
                let reason =
                    format!("{column:?} is not a node of the graph, which has {nodes}{near}");
                return Err(self.wrong(header, reason));
            };
            if let Some(other) = place_of[node].replace(place) {
                let reason = two_columns(names, node, &self.columns[other], column);
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
                "this row has {}, but the graph has {}; give one mean per node",
                counted(self.rows[row].1.len(), "mean"),
                counted(nodes, "node")
            );
            return Err(self.wrong_row(row, &reason));
        }
        Timetable::of_rows(&self.rows).map_err(|error| {
            let reason = match &error {
                TimetableError::OutOfOrder { from, before } if from == before => {
                    format!("a second row begins at {from}; a moment may appear only once")
                }
                other => other.to_string(),
            };
            match self.row_of(&error) {
                Some(row) => self.wrong_row(row, &reason),
                None => self.wrong(None, reason),
            }
        })
    }

    /// The row that an error is about.
    fn row_of(&self, error: &TimetableError) -> Option<usize> {
        let mut moments = self.rows.iter().map(|(from, _)| *from);
        match error {
            TimetableError::LateStart { .. } => Some(0),
            TimetableError::OutOfOrder { .. } => {
                let follows = |before: f64, from: f64| from > before && from.is_finite();
                let mut pairs = moments.clone().zip(moments.skip(1));
                pairs.position(|(before, from)| !follows(before, from)).map(|before| before + 1)
            }
            TimetableError::NotFinite { from, .. } => moments.position(|moment| moment == *from),
            _ => None,
        }
    }

    /// Checks the table, and that the noise accepts every mean.
    pub(crate) fn check(&self, nodes: usize, noise: &RewardSpec) -> Result<(), LabError> {
        self.timetable(nodes)?;
        for (row, (_, means)) in self.rows.iter().enumerate() {
            let laws = noise.laws(means);
            laws.map_err(|error| self.wrong_row(row, &error.to_string()))?;
        }
        Ok(())
    }
}

/// The node with this name or number.
fn node_of(names: &[String], nodes: usize, text: &str) -> Option<usize> {
    let named = names.iter().position(|name| name == text);
    named.or_else(|| text.parse().ok().filter(|&node: &usize| node < nodes))
}

/// Why a node may not have two columns, named as in the header.
fn two_columns(names: &[String], node: usize, first: &str, second: &str) -> String {
    if first == second {
        return format!("node {first:?} has two columns; leave one");
    }
    let name = names.get(node);
    let is_named = name.is_some_and(|name| name == first || name == second);
    let how = if is_named { ", one by its name and one by its number" } else { "" };
    let name = name.cloned().unwrap_or_else(|| node.to_string());
    format!("columns {first:?} and {second:?} both mean node {name:?}{how}; leave one")
}

fn counted(count: usize, thing: &str) -> String {
    if count == 1 { format!("1 {thing}") } else { format!("{count} {thing}s") }
}

/// Counts the lines of a text up to places that come later and later.
struct Lines<'a> {
    text: &'a [u8],
    /// Up to here, lines are counted.
    end: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Self {
        Self { text: text.as_bytes(), end: 0, line: 1 }
    }

    /// The line of a record, counted from 1. The reader's own position may be before the end of the
    /// previous line, and before blank lines.
    fn line(&mut self, position: &csv::Position) -> u64 {
        let is_end = |byte: &&u8| matches!(byte, b'\r' | b'\n');
        let byte = position.byte() as usize;
        let ends = self.text.iter().skip(byte).take_while(is_end).count();
        let passed = self.text.get(self.end..byte + ends).unwrap_or_default();
        self.line += passed.split(|&byte| byte == b'\n').count() as u64 - 1;
        self.end += passed.len();
        self.line
    }
}
