//! Edge lists: one edge per line, `source,target`, separated by commas or tabs.
//!
//! A first line `source,target` (or `from,to`) is a header; lines that start with `#` are comments.
//! If the ids are exactly 0 to n - 1 they are the node numbers; any others are names, numbered in
//! order of appearance.

use crate::error::FileError;
use graph_bandit::{Graph, GraphError, NodeId};
use std::collections::HashMap;
use std::io::{self, Write};
use std::path::Path;

const HEADERS: [[&str; 2]; 2] = [["source", "target"], ["from", "to"]];

/// Reads a graph from a file.
///
/// # Errors
/// Names file and line when it cannot be read, is no text, is empty or ragged, or the graph is not
/// connected.
pub fn read_edge_list(path: &Path) -> Result<Graph, FileError> {
    let bytes = std::fs::read(path).map_err(|error| FileError {
        path: path.to_owned(),
        line: None,
        reason: error.to_string(),
    })?;
    parse_edge_list(&bytes).map_err(|problem| FileError {
        path: path.to_owned(),
        line: problem.line,
        reason: problem.reason,
    })
}

/// What is wrong with an edge list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeListProblem {
    /// The line, counted from 1, where it can be told.
    pub line: Option<u64>,
    /// What is wrong and what would be right.
    pub reason: String,
}

impl EdgeListProblem {
    fn at(line: u64, reason: impl Into<String>) -> Self {
        Self { line: Some(line), reason: reason.into() }
    }
}

/// Reads a graph from the bytes of an edge list.
///
/// # Errors
/// As [`read_edge_list`].
pub fn parse_edge_list(bytes: &[u8]) -> Result<Graph, EdgeListProblem> {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut ids = Ids::default();
    let mut edges = Vec::new();
    for (line, [source, target]) in rows(bytes)? {
        edges.push((line, ids.number(&source), ids.number(&target)));
    }
    if edges.is_empty() {
        let reason = "there are no edges; write one per line as source,target";
        return Err(EdgeListProblem { line: None, reason: reason.to_owned() });
    }
    ids.build(&edges)
}

/// The two fields of every edge with the line they are on.
fn rows(bytes: &[u8]) -> Result<Vec<(u64, [String; 2])>, EdgeListProblem> {
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(bytes))
        .comment(Some(b'#'))
        .trim(csv::Trim::All)
        .from_reader(bytes);
    let mut rows = Vec::new();
    let mut lines = Lines::of(bytes);
    let mut is_first = true;
    for record in reader.byte_records() {
        let record = record.map_err(|error| EdgeListProblem {
            line: error.position().map(csv::Position::line),
            reason: error.to_string(),
        })?;
        let start = record.position().map_or(0, csv::Position::byte);
        let line = lines.of_record(start as usize);
        if record.iter().all(<[u8]>::is_empty) && record.len() == 1 {
            continue;
        }
        let fields: Result<Vec<&str>, _> = record.iter().map(std::str::from_utf8).collect();
        let fields = fields.map_err(|_| {
            EdgeListProblem::at(line, "this is no text (not UTF-8); give an edge list")
        })?;
        let &[source, target] = fields.as_slice() else {
            let reason = format!(
                "this line has {} fields; an edge has two, source and target, \
                 separated by a comma or a tab",
                fields.len()
            );
            return Err(EdgeListProblem::at(line, reason));
        };
        let is_header = is_first && HEADERS.iter().any(|header| is_equal(header, &fields));
        is_first = false;
        if source.is_empty() || target.is_empty() {
            let reason = "an end of this edge is empty; give both source and target";
            return Err(EdgeListProblem::at(line, reason));
        }
        if !is_header {
            rows.push((line, [source.to_owned(), target.to_owned()]));
        }
    }
    Ok(rows)
}

/// Counts lines. The reader's own count stands before the blank lines and comments that it skips,
/// and before the second half of a CRLF.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    /// The line of the record that the reader began to look for at byte `start`, ascending.
    fn of_record(&mut self, start: usize) -> u64 {
        while self.at < start {
            self.step();
        }
        while let Some(b'\n' | b'\r' | b'#') = self.bytes.get(self.at) {
            if self.bytes[self.at] == b'#' {
                while !matches!(self.bytes.get(self.at), None | Some(b'\n')) {
                    self.step();
                }
            } else {
                self.step();
            }
        }
        self.line
    }

    fn step(&mut self) {
        self.line += u64::from(self.bytes[self.at] == b'\n');
        self.at += 1;
    }
}

fn is_equal(header: &[&str; 2], fields: &[&str]) -> bool {
    header.iter().zip(fields).all(|(name, field)| name.eq_ignore_ascii_case(field))
}

/// A tab where the first line that is no comment has one, else a comma.
fn delimiter(bytes: &[u8]) -> u8 {
    let mut lines = bytes.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"));
    if first.is_some_and(|line| line.contains(&b'\t')) { b'\t' } else { b',' }
}

/// Ids numbered in order of appearance.
#[derive(Default)]
struct Ids {
    numbers: HashMap<String, NodeId>,
    names: Vec<String>,
}

impl Ids {
    fn number(&mut self, id: &str) -> NodeId {
        if let Some(&number) = self.numbers.get(id) {
            return number;
        }
        let number = self.names.len() as NodeId;
        self.numbers.insert(id.to_owned(), number);
        self.names.push(id.to_owned());
        number
    }

    /// The node number that each id spells, if the ids are exactly 0 to n - 1.
    fn as_node_numbers(&self) -> Option<Vec<NodeId>> {
        let spelled = |name: &String| {
            let number: NodeId = name.parse().ok()?;
            // "007" and "+7" are names, not numbers.
            ((number as usize) < self.names.len() && number.to_string() == *name).then_some(number)
        };
        self.names.iter().map(spelled).collect()
    }

    fn build(self, edges: &[(u64, NodeId, NodeId)]) -> Result<Graph, EdgeListProblem> {
        let numbered = self.as_node_numbers();
        let number = |id: NodeId| numbered.as_ref().map_or(id, |numbers| numbers[id as usize]);
        let pairs = edges.iter().map(|&(_, a, b)| (number(a), number(b)));
        let label = |node: NodeId| match numbered {
            Some(_) => node.to_string(),
            None => self.names[node as usize].clone(),
        };
        let graph = Graph::from_edges(self.names.len(), pairs).map_err(|error| match error {
            GraphError::Disconnected { from, cut_off } => {
                let at = edges.iter().find(|&&(_, a, b)| [number(a), number(b)].contains(&cut_off));
                let reason = format!(
                    "node {:?} is cut off from node {:?}; a graph bandit needs a connected graph",
                    label(cut_off),
                    label(from)
                );
                EdgeListProblem { line: at.map(|&(line, ..)| line), reason }
            }
            other => EdgeListProblem { line: None, reason: other.to_string() },
        })?;
        match numbered {
            Some(_) => Ok(graph),
            None => graph
                .with_names(self.names)
                .map_err(|error| EdgeListProblem { line: None, reason: error.to_string() }),
        }
    }
}

/// Writes a graph as `source,target` lines with a header, names where it has them.
///
/// Reading the lines back numbers names in order of appearance. Where an edge would bring a node
/// forward, the self-loops of those before it are written first: they change nothing else, and the
/// numbers stay as they are.
///
/// # Errors
/// When writing fails.
pub fn write_edge_list(graph: &Graph, to: impl Write) -> io::Result<()> {
    let mut writer = csv::WriterBuilder::new().comment(Some(b'#')).from_writer(to);
    writer.write_record(HEADERS[0])?;
    let mut appeared: NodeId = 0;
    let mut write = |a: NodeId, b: NodeId| writer.write_record([graph.label(a), graph.label(b)]);
    for (a, b) in graph.edges() {
        let in_order = a == appeared && b == a + 1;
        if graph.names().is_some() && !in_order {
            for node in appeared..b {
                write(node, node)?;
            }
        }
        write(a, b)?;
        appeared = appeared.max(b + 1);
    }
    if graph.len() == 1 {
        write(0, 0)?;
    }
    writer.flush()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use proptest::test_runner::RngSeed;

    fn problem(text: &str) -> (Option<u64>, String) {
        let problem = parse_edge_list(text.as_bytes()).unwrap_err();
        (problem.line, problem.reason)
    }

    #[test]
    fn whole_numbers_from_zero_are_node_numbers() {
        let graph = parse_edge_list(b"2,1\n1,0\n").unwrap();
        assert_eq!(graph.names(), None);
        assert_eq!(graph.edges().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    }

    #[test]
    fn any_other_ids_are_names_in_order_of_appearance() {
        let graph = parse_edge_list(b"source,target\n5,7\n7,6\n").unwrap();
        assert_eq!(graph.names().unwrap(), ["5", "7", "6"]);
        for text in ["0,1\n1,01\n", "a b,\"c,d\"\n", "0,1\n1,3\n"] {
            assert!(parse_edge_list(text.as_bytes()).unwrap().names().is_some(), "{text}");
        }
    }

    #[test]
    fn dialects() {
        let comma = parse_edge_list(b"a,b\nb,c\n").unwrap();
        for text in [
            "a\tb\nb\tc",
            "\u{feff}Source,Target\r\na,b\r\nb,c\r\n",
            "# roads\nfrom,to\n\n a , b \nb,c\nc,b\n",
        ] {
            assert_eq!(parse_edge_list(text.as_bytes()).unwrap(), comma, "{text:?}");
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(problem("").0, None);
        assert!(problem("# nothing\nsource,target\n").1.contains("there are no edges"));
        assert_eq!(problem("a,b\nb,c,d\n").0, Some(2));
        assert!(problem("a b\n").1.contains("has 1 fields"));
        assert_eq!(
            problem("a,b\n,c\n"),
            (Some(2), "an end of this edge is empty; give both source and target".to_owned())
        );
        let (line, reason) = problem("x,y\ny,x\nu,v\n");
        assert_eq!(line, Some(3));
        assert!(reason.contains("node \"u\" is cut off from node \"x\""), "{reason}");
        let binary = parse_edge_list(b"a,b\nb,\xff\xfe\n").unwrap_err();
        assert_eq!(binary.line, Some(2));
    }

    #[test]
    fn blank_lines_comments_and_line_ends_do_not_shift_the_line() {
        for (text, line) in [
            ("a,b\n\n\n# x\nb,c,d\n", 5),
            ("a,b\r\nb,c,d\r\n", 2),
            ("a,b\r\n\r\n# x\r\nb,c,d\r\n", 4),
            ("# one\n\na,b\n  \t \nb\n", 5),
            ("\"a\n2\",b\nb\n", 3),
            ("a,b\r\n\r\nc,d", 3),
        ] {
            assert_eq!(problem(text).0, Some(line), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            cases: 500,
            failure_persistence: None,
            rng_seed: RngSeed::Fixed(0x5eed),
            ..ProptestConfig::default()
        })]

        #[test]
        fn no_bytes_make_the_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = parse_edge_list(&bytes);
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "([a-c0-3\",\\t#\\n\\r ]|source|target){0,60}") {
            let _ = parse_edge_list(text.as_bytes());
        }

        #[test]
        fn what_is_written_reads_back(
            names in proptest::collection::btree_set("[a-z,\"\\t #é]{1,6}[a-z]", 1..12),
            ends in proptest::collection::vec((0_u32..12, 0_u32..12), 0..30),
        ) {
            let nodes = names.len() as u32;
            let tree = (1..nodes).map(|v| (v * 5 / 7, v));
            let others = ends.into_iter().map(|(a, b)| (a % nodes, b % nodes));
            let names: Vec<String> = names.into_iter().map(|name| name.trim().to_owned()).collect();
            let graph = Graph::from_edges(nodes as usize, tree.chain(others)).unwrap();
            let Ok(graph) = graph.with_names(names) else { return Ok(()) };
            let mut file = Vec::new();
            write_edge_list(&graph, &mut file).unwrap();
            prop_assert_eq!(parse_edge_list(&file).unwrap(), graph);
        }
    }
}
