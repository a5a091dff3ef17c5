//! Who walks: a number of equal walkers, or a file with one row per walker.

use super::TeamStudy;
use super::starts::Starts;
use crate::error::{FileError, LabError};
use crate::node_name::NodeName;
use crate::text_file::{fields_of, read_text};
use graph_bandit::{Graph, NodeId};
use std::path::Path;

/// The most walkers of a team.
const MOST_WALKERS: usize = 100_000;
const COLUMNS: [&str; 3] = ["start", "speed", "nodes"];
/// In the column `nodes`, all nodes.
const EVERYWHERE: &str = "*";
/// Separates names that may have spaces.
const SEPARATOR: char = ';';

impl TeamStudy {
    /// A team of this many walkers, otherwise by default.
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
    /// (where it may be, separated by spaces, or by semicolons if there is one; empty or `*` for
    /// everywhere).
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
    let is_blank = |line: &str| line.trim().is_empty();
    let mut lines = text.lines().zip(1..).skip_while(|(line, _)| is_blank(line));
    let Some((header, first)) = lines.next() else {
        return Err(wrong(1, "the file is empty; give a header and one row per walker".to_owned()));
    };
    let header = fields_of(header).map_err(|reason| wrong(first, reason))?;
    for (i, name) in header.iter().enumerate() {
        if !COLUMNS.contains(&name.as_str()) || header[..i].contains(name) {
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
        if is_blank(row) {
            // With one column, it could be a walker without a value.
            if let [only] = &header[..] {
                return Err(wrong(line, blank_row(only)));
            }
            continue;
        }
        let fields = fields_of(row).map_err(|reason| wrong(line, reason))?;
        if fields.len() != header.len() {
            let (given, wanted) = (fields.len(), header.len());
            return Err(wrong(
                line,
                format!("{given} fields for {wanted} columns; give one for each"),
            ));
        }
        let field =
            |name| column(name).map(|place| fields[place].as_str()).filter(|text| !text.is_empty());
        let node = |text: &str| {
            let found = NodeName::from(text).find_start(graph).map_err(|error| match error {
                LabError::Setting { reason, .. } => wrong(line, reason),
                other => other,
            })?;
            let last = graph.len() - 1;
            if found as usize > last {
                let reason = format!("node {text} is outside the graph; its nodes are 0 to {last}");
                return Err(wrong(line, reason));
            }
            Ok(found)
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
            field("nodes").filter(|text| *text != EVERYWHERE).map(|text| {
                let names = separated(text);
                names.iter().map(|name| node(name)).collect::<Result<_, _>>().map_err(|error| {
                    match error {
                        LabError::File(error) if is_split_at_spaces(text, graph) => {
                            let FileError { path, line, reason } = error;
                            let reason = format!(
                                "in {text:?}, {reason}{} separate names that have spaces by \
                                 semicolons",
                                if reason.ends_with('?') { " Also," } else { ";" }
                            );
                            FileError { path, line, reason }.into()
                        }
                        other => other,
                    }
                })
            });
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

/// The names in the column `nodes`.
fn separated(text: &str) -> Vec<&str> {
    if text.contains(SEPARATOR) {
        return text.split(SEPARATOR).map(str::trim).filter(|name| !name.is_empty()).collect();
    }
    text.split_whitespace().collect()
}

/// Whether a name with spaces may have been taken apart.
fn is_split_at_spaces(text: &str, graph: &Graph) -> bool {
    let names = graph.names().unwrap_or_default();
    !text.contains(SEPARATOR) && names.iter().any(|name| name.contains(char::is_whitespace))
}

/// What is wrong with an empty line of a file with one column.
fn blank_row(column: &str) -> String {
    let remedy = match column {
        "nodes" => "write * for a walker that may be everywhere",
        "speed" => "write 1 for a walker with the speed of the map",
        _ => "name the node where the walker starts",
    };
    format!("the line is empty; {remedy}, or delete the line")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Result<TeamStudy, String> {
        parsed_on(&Graph::line(5).unwrap(), text)
    }

    fn parsed_on(graph: &Graph, text: &str) -> Result<TeamStudy, String> {
        let folder = std::env::temp_dir().join(format!("gb-walkers-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join(format!(
            "{:x}.csv",
            text.len() * 31 + text.bytes().map(usize::from).sum::<usize>()
        ));
        std::fs::write(&path, text).unwrap();
        let read = TeamStudy::parse(path.to_str().unwrap(), Path::new(""), graph);
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
    fn fields_may_be_quoted() {
        let quoted = "\"start\",\"speed\",\"nodes\"\n\"0\",\"1\",\"0 1 2\"\n4,\"0.5\",\"\"\n";
        let plain = "start,speed,nodes\n0,1,0 1 2\n4,0.5,\n";
        assert_eq!(parsed(quoted).unwrap(), parsed(plain).unwrap());
        let names = ["hall, main", "attic"].map(str::to_owned).to_vec();
        let rooms = Graph::line(2).unwrap().with_names(names).unwrap();
        let team =
            parsed_on(&rooms, "start,nodes\n\"hall, main\",\"hall, main; attic\"\n").unwrap();
        assert_eq!((team.starts, team.allowed), (Starts::Nodes(vec![0]), vec![Some(vec![0, 1])]));
    }

    #[test]
    fn a_star_stands_for_all_nodes() {
        let team = parsed("nodes\n0 1\n*\n").unwrap();
        assert_eq!((team.walkers, team.allowed), (2, vec![Some(vec![0, 1]), None]));
        // With several columns, an empty line cannot be a walker.
        assert_eq!(parsed("\nstart,nodes\n\n0,\n\n4,*\n").unwrap().allowed, [None, None]);
    }

    #[test]
    fn names_with_spaces_are_separated_by_semicolons() {
        let names = ["main hall", "attic", "side door"].map(str::to_owned).to_vec();
        let rooms = Graph::line(3).unwrap().with_names(names).unwrap();
        let team = parsed_on(&rooms, "nodes\nmain hall; attic\nside door;\nattic\n").unwrap();
        assert_eq!(team.allowed, [Some(vec![0, 1]), Some(vec![2]), Some(vec![1])]);
        let error = parsed_on(&rooms, "nodes\nmain hall attic\n").unwrap_err();
        let split = ":2: in \"main hall attic\", \"main\" is not a node of the graph; ";
        assert!(error.contains(split), "{error}");
        let remedy = "write the name of a node, such as \"main hall\"; separate names that have \
             spaces by semicolons";
        assert!(error.ends_with(remedy), "{error}");
        let error = parsed_on(&rooms, "nodes\nmain hal\n").unwrap_err();
        assert!(error.contains("separate names that have spaces by semicolons"), "{error}");
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        for (text, part) in [
            ("start,pace\n0,1\n", "column \"pace\" is unknown"),
            ("start,speed\n0\n", "1 fields for 2 columns"),
            ("start,speed\n0,-1\n", "the speed is -1"),
            ("start\n9\n", ":2: node 9 is outside the graph; its nodes are 0 to 4"),
            ("start,nodes\n0,0 7\n", "node 7 is outside the graph"),
            ("nodes\n0 1\n\n2\n", ":3: the line is empty; write * for a walker"),
            ("speed\n\n", ":2: the line is empty; write 1"),
            ("start,speed\n", "there are no walkers"),
            ("start,speed\n\"0,1\n", ":2: a field begins with a quote (\") and does not end"),
        ] {
            let error = parsed(text);
            assert!(error.as_ref().unwrap_err().contains(part), "{text}: {error:?}");
        }
        let graph = Graph::line(5).unwrap();
        let of =
            |text: &str| TeamStudy::parse(text, Path::new(""), &graph).unwrap_err().to_string();
        assert!(of("0").contains("0 walkers are not a team"));
        assert!(of("few").contains("neither a whole number nor a file"));
    }
}
