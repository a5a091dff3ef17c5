//! Who walks: a number of equal walkers, or a file with one row per walker.

use super::TeamStudy;
use super::starts::Starts;
use crate::error::{FileError, LabError};
use crate::node_name::NodeName;
use crate::text_file::read_text;
use graph_bandit::{Graph, NodeId};
use std::path::Path;

/// The most walkers of a team.
const MOST_WALKERS: usize = 100_000;
const COLUMNS: [&str; 3] = ["start", "speed", "nodes"];

impl TeamStudy {
    /// A team of so many walkers, otherwise by default.
    ///
    /// # Errors
    /// When there are none or too many.
    pub fn sized(walkers: usize) -> Result<Self, LabError> {
        if (1..=MOST_WALKERS).contains(&walkers) {
            return Ok(Self::of(walkers));
        }
        let reason = format!("{walkers} walkers are not a team; give 1 to {MOST_WALKERS}");
        Err(LabError::setting("walkers", reason))
    }

    /// Reads who walks: a whole number, or a CSV file with a header and one row per walker. Its
    /// columns, all optional, are `start` (a node), `speed` (divides the time of roads) and `nodes`
    /// (where it may be, separated by spaces; empty for everywhere).
    ///
    /// # Errors
    /// When the text is neither, or the file is wrong; names file and line.
    pub fn parse(text: &str, base: &Path, graph: &Graph) -> Result<Self, LabError> {
        if let Ok(walkers) = text.trim().parse::<usize>() {
            return Self::sized(walkers);
        }
        let path = base.join(text);
        if !path.exists() {
            let reason = format!(
                "{text:?} is neither a whole number nor a file; write how many walkers there are, \
                 or name a CSV file with the columns start, speed and nodes"
            );
            return Err(LabError::setting("walkers", reason));
        }
        read(&path, graph)
    }
}

fn read(path: &Path, graph: &Graph) -> Result<TeamStudy, LabError> {
    let text = read_text(path, "a header and one row per walker")?;
    let wrong = |line: usize, reason: String| -> LabError {
        FileError { path: path.to_owned(), line: Some(line as u64), reason }.into()
    };
    let mut lines = text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty());
    let Some((header, first)) = lines.next() else {
        return Err(wrong(1, "the file is empty; give a header and one row per walker".to_owned()));
    };
    let header: Vec<&str> = header.split(',').map(str::trim).collect();
    for (i, name) in header.iter().enumerate() {
        if !COLUMNS.contains(name) || header[..i].contains(name) {
            let known = COLUMNS.join(", ");
            return Err(wrong(
                first,
                format!("column {name:?} is unknown or repeated; the columns are {known}"),
            ));
        }
    }
    let column = |name: &str| header.iter().position(|other| *other == name);
    let mut team = TeamStudy::of(0);
    let mut starts = Vec::new();
    for (row, line) in lines {
        let fields: Vec<&str> = row.split(',').map(str::trim).collect();
        if fields.len() != header.len() {
            let (given, wanted) = (fields.len(), header.len());
            return Err(wrong(
                line,
                format!("{given} fields for {wanted} columns; give one for each"),
            ));
        }
        let field = |name| column(name).map(|place| fields[place]).filter(|text| !text.is_empty());
        let node = |text: &str| {
            NodeName::from(text).find_start(graph).map_err(|error| match error {
                LabError::Setting { reason, .. } => wrong(line, reason),
                other => other,
            })
        };
        match field("start") {
            Some(text) => starts.push(node(text)?),
            None if column("start").is_some() => {
                return Err(wrong(
                    line,
                    "a start is missing; name a node, or drop the column".to_owned(),
                ));
            }
            None => {}
        }
        let speed = match field("speed") {
            Some(text) => text
                .parse::<f64>()
                .ok()
                .filter(|speed| *speed > 0.0 && speed.is_finite())
                .ok_or_else(|| {
                    wrong(line, format!("the speed is {text}; give a positive number"))
                })?,
            None => 1.0,
        };
        let allowed: Option<Result<Vec<NodeId>, LabError>> =
            field("nodes").map(|text| text.split_whitespace().map(node).collect());
        team.speeds.push(speed);
        team.allowed.push(allowed.transpose()?);
        team.walkers += 1;
    }
    if team.walkers == 0 {
        return Err(wrong(first, "there are no walkers; give one row for each".to_owned()));
    }
    if column("start").is_some() {
        team.starts = Starts::Nodes(starts);
    }
    Ok(team)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<TeamStudy, String> {
        let folder = std::env::temp_dir().join(format!("gb-walkers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!(
            "{:x}.csv",
            text.len() * 31 + text.bytes().map(usize::from).sum::<usize>()
        ));
        std::fs::write(&path, text).unwrap();
        let graph = Graph::line(5).unwrap();
        let read = TeamStudy::parse(path.to_str().unwrap(), Path::new(""), &graph);
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_gives_every_walker_its_own() {
        let team = parsed("start,speed,nodes\n0,1,0 1 2\n4,0.5,\n").unwrap();
        assert_eq!((team.walkers, team.starts), (2, Starts::Nodes(vec![0, 4])));
        assert_eq!(team.speeds, [1.0, 0.5]);
        assert_eq!(team.allowed, [Some(vec![0, 1, 2]), None]);
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, part) in [
            ("start,pace\n0,1\n", "column \"pace\" is unknown"),
            ("start,speed\n0\n", "1 fields for 2 columns"),
            ("start,speed\n0,-1\n", "the speed is -1"),
            ("start\n9\n", ""),
            ("start,speed\n", "there are no walkers"),
        ] {
            let error = parsed(text);
            if part.is_empty() {
                // The study checks numbers against the graph.
                assert!(error.is_ok());
            } else {
                assert!(error.as_ref().unwrap_err().contains(part), "{text}: {error:?}");
            }
        }
        let graph = Graph::line(5).unwrap();
        let of =
            |text: &str| TeamStudy::parse(text, Path::new(""), &graph).unwrap_err().to_string();
        assert!(of("0").contains("0 walkers are not a team"));
        assert!(of("few").contains("neither a whole number nor a file"));
    }
}
