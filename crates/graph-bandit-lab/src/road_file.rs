//! Reads roads that may be closed from a file: `source,target,time,open_probability`, one road per
//! line.

use crate::error::{FileError, LabError};
use crate::text_file::read_text;
use graph_bandit::{NodeId, nearest_name};
use graph_bandit_route::{Directions, Network, Road, RouteError};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const WANTED: &str = "a first line source,target,time,open_probability and one road per line";
const SOURCES: [&str; 2] = ["source", "from"];
const TARGETS: [&str; 2] = ["target", "to"];
const TIMES: [&str; 1] = ["time"];
const OPEN: [&str; 1] = ["open_probability"];

/// A network, with the names of its nodes in the file.
#[derive(Debug, Clone, PartialEq)]
pub struct RoadFile {
    /// The roads, one per line.
    pub network: Network,
    /// The names of the nodes, by number.
    pub names: Vec<String>,
    /// The ignored columns.
    pub unused: Vec<String>,
}

impl RoadFile {
    /// Reads a file. Nodes whose names are all integers are numbered in their order, others in
    /// order of appearance.
    ///
    /// # Errors
    /// Names file, line and value, and the remedy.
    pub fn read(path: &Path, directions: Directions) -> Result<Self, FileError> {
        let text = read_text(path, WANTED)?;
        let mut reader = Reader { path, directions, seen: BTreeMap::new(), roads: Vec::new() };
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_content(line));
        let Some((first, header)) = lines.next() else {
            return Err(reader.wrong(None, format!("there are no roads; write {WANTED}")));
        };
        let separator = if header.contains('\t') { b'\t' } else { b',' };
        let columns = Columns::of(&fields(header, separator))
            .map_err(|reason| reader.wrong(Some(first), reason))?;
        for (line, text) in lines {
            reader.add(line, &fields(text, separator), &columns)?;
        }
        reader.finish(columns.unused)
    }

    /// The node that a flag names.
    ///
    /// # Errors
    /// When no node has that name; the message suggests a similar name.
    pub fn node(&self, setting: &'static str, name: &str) -> Result<NodeId, LabError> {
        let found = self.names.iter().position(|known| known == name.trim());
        found.map(|node| node as NodeId).ok_or_else(|| {
            let near = nearest_name(name, self.names.iter().map(String::as_str));
            let remedy = match near {
                Some(near) => format!("did you mean {near:?}?"),
                None => format!("write the name of a node, such as {:?}", self.names[0]),
            };
            LabError::setting(setting, format!("{name:?} is not a node of the roads; {remedy}"))
        })
    }
}

fn is_content(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

/// The fields of one line, quoted as in CSV files.
fn fields(line: &str, separator: u8) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new();
    reader.has_headers(false).flexible(true).delimiter(separator).trim(csv::Trim::All);
    let reader = reader.buffer_capacity(line.len().max(64)).from_reader(line.as_bytes());
    let record = reader.into_records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

/// Where the columns are.
struct Columns {
    count: usize,
    source: usize,
    target: usize,
    time: usize,
    open: Option<usize>,
    unused: Vec<String>,
}

impl Columns {
    fn of(names: &[String]) -> Result<Self, String> {
        let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
        let find = |wanted: &[&str]| {
            let mut found =
                (0..names.len()).filter(|&column| wanted.contains(&names[column].as_str()));
            match (found.next(), found.next()) {
                (Some(first), Some(second)) => Err(format!(
                    "columns {} and {} both give the {}; keep one of them",
                    first + 1,
                    second + 1,
                    wanted[0]
                )),
                (found, _) => Ok(found),
            }
        };
        let need = |wanted: &[&str]| {
            find(wanted)?
                .ok_or_else(|| format!("there is no column {:?}; give {WANTED}", wanted[0]))
        };
        let (source, target, time) = (need(&SOURCES)?, need(&TARGETS)?, need(&TIMES)?);
        let open = find(&OPEN)?;
        let used = [Some(source), Some(target), Some(time), open];
        let unused: Vec<String> = (0..names.len())
            .filter(|&column| !used.contains(&Some(column)))
            .map(|column| names[column].clone())
            .collect();
        // A misspelled column name would make every road certain.
        if open.is_none()
            && let Some(slip) = unused.iter().find(|name| nearest_name(name, OPEN).is_some())
        {
            return Err(format!("there is no column {slip:?}; did you mean {:?}?", OPEN[0]));
        }
        Ok(Self { count: names.len(), source, target, time, open, unused })
    }
}

struct Reader<'a> {
    path: &'a Path,
    directions: Directions,
    /// The line of each road, by its ends.
    seen: BTreeMap<[String; 2], u64>,
    roads: Vec<Line>,
}

struct Line {
    number: u64,
    ends: [String; 2],
    time: f64,
    open: f64,
}

impl Reader<'_> {
    fn wrong(&self, line: Option<u64>, reason: String) -> FileError {
        FileError { path: PathBuf::from(self.path), line, reason }
    }

    fn add(&mut self, number: u64, fields: &[String], columns: &Columns) -> Result<(), FileError> {
        let wrong = |reason: String| Err(self.wrong(Some(number), reason));
        if fields.len() != columns.count {
            return wrong(format!(
                "this line has {} fields, but the first line has {}",
                fields.len(),
                columns.count
            ));
        }
        let ends = [fields[columns.source].clone(), fields[columns.target].clone()];
        if ends.iter().any(String::is_empty) {
            return wrong("an end of this road is empty; give both source and target".to_owned());
        }
        if ends[0] == ends[1] {
            return wrong(format!("this road leads from {:?} to itself; remove it", ends[0]));
        }
        let time = match fields[columns.time].parse::<f64>() {
            Ok(time) if time.is_finite() && time >= 0.0 => time,
            _ => {
                let given = &fields[columns.time];
                return wrong(format!(
                    "time {given:?} is not a finite number of at least 0; write one"
                ));
            }
        };
        let open = columns.open.map_or("1", |column| fields[column].as_str());
        let open = match open.parse::<f64>() {
            Ok(open) if (0.0..=1.0).contains(&open) => open,
            _ => {
                let reason = format!("open_probability {open:?} is not a number from 0 to 1");
                return wrong(reason + "; write one");
            }
        };
        let mut key = ends.clone();
        if self.directions == Directions::Both {
            key.sort_unstable();
        }
        if let Some(first) = self.seen.get(&key) {
            let [source, target] = &ends;
            let remedy = match self.directions {
                Directions::Both => "keep one line: roads go both ways",
                Directions::OneWay => "keep one line",
            };
            return wrong(format!(
                "the road from {source:?} to {target:?} is already in line {first}; {remedy}"
            ));
        }
        self.seen.insert(key, number);
        self.roads.push(Line { number, ends, time, open });
        Ok(())
    }

    fn finish(self, unused: Vec<String>) -> Result<RoadFile, FileError> {
        if self.roads.is_empty() {
            return Err(self.wrong(None, format!("there are no roads; write {WANTED}")));
        }
        let names = names(&self.roads);
        let numbers: BTreeMap<&str, NodeId> = names.iter().map(String::as_str).zip(0..).collect();
        let road = |line: &Line| {
            let [source, target] = line.ends.each_ref().map(|end| numbers[end.as_str()]);
            Road { source, target, time: line.time, open: line.open }
        };
        let roads = self.roads.iter().map(road).collect();
        let network = Network::new(names.len(), roads, self.directions).map_err(|error| {
            // Lines were checked one by one. The longest time is most likely the mistake.
            let longest = self.roads.iter().max_by(|a, b| a.time.total_cmp(&b.time));
            if let (RouteError::Overflow, Some(road)) = (&error, longest) {
                let reason = format!("time {:e} is too long: {error}", road.time);
                return self.wrong(Some(road.number), reason);
            }
            self.wrong(None, error.to_string())
        })?;
        Ok(RoadFile { network, names, unused })
    }
}

/// The names of all nodes: in numerical order if all are integers, otherwise in order of
/// appearance.
fn names(roads: &[Line]) -> Vec<String> {
    let mut known = BTreeMap::new();
    for end in roads.iter().flat_map(|road| &road.ends) {
        let appeared = known.len();
        known.entry(end.as_str()).or_insert(appeared);
    }
    let mut names: Vec<(&str, usize)> = known.into_iter().collect();
    let numbers: Option<Vec<u64>> = names.iter().map(|(name, _)| name.parse().ok()).collect();
    match numbers {
        Some(_) => names.sort_by_key(|(name, _)| (name.parse::<u64>().ok(), *name)),
        None => names.sort_by_key(|(_, appeared)| *appeared),
    }
    names.into_iter().map(|(name, _)| name.to_owned()).collect()
}
