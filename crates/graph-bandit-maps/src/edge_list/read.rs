//! Reading edge lists.

use super::{HEADERS, python};
use crate::draft::{Draft, DraftEdge};
use crate::error::Problem;
use crate::limits::Limits;
use crate::map::Attributes;
use crate::spelling::value_of;

/// Reads a draft from the text of a file.
pub(crate) fn read(text: &str, limits: Limits) -> Result<Draft, Problem> {
    let mut reader = Reader { draft: Draft::new(limits), columns: None, edges: 0 };
    match separator(text) {
        Separator::Blanks => reader.read_blanks(text)?,
        Separator::Byte(byte) => reader.read_fields(text, byte)?,
    }
    if reader.edges == 0 {
        let reason = "there are no edges; write one per line as source,target";
        return Err(Problem::in_file(reason));
    }
    reader.draft.is_list = true;
    Ok(reader.draft)
}

enum Separator {
    Byte(u8),
    Blanks,
}

/// The separator in the first line that is not a comment: a tab, a comma, or only blanks.
fn separator(text: &str) -> Separator {
    let mut lines = text.lines();
    let first = lines.find(|line| !line.trim().is_empty() && !line.starts_with('#'));
    let first = first.unwrap_or_default();
    let before = python::split_off(first).map_or(first, |(ends, _)| ends);
    match before {
        line if line.contains('\t') => Separator::Byte(b'\t'),
        line if line.contains(',') => Separator::Byte(b','),
        line if line.split_whitespace().count() > 1 => Separator::Blanks,
        _ => Separator::Byte(b','),
    }
}

struct Reader {
    draft: Draft,
    /// Names of the columns after the two ends, from the first line.
    columns: Option<Vec<String>>,
    edges: usize,
}

impl Reader {
    fn read_blanks(&mut self, text: &str) -> Result<(), Problem> {
        for (number, line) in text.lines().enumerate() {
            let at = number as u64 + 1;
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            match python::split_off(line) {
                Some((ends, dictionary)) => {
                    let fields: Vec<&str> = ends.split_whitespace().collect();
                    let &[source, target] = fields.as_slice() else {
                        return Err(wrong_count(at, fields.len(), 2));
                    };
                    let Some(attributes) = python::attributes_of(dictionary) else {
                        let reason = "the text in braces is not a dictionary such as {'weight': 3}";
                        return Err(Problem::at(at, reason));
                    };
                    self.add([source, target], attributes, at)?;
                }
                None => self.add_fields(&line.split_whitespace().collect::<Vec<_>>(), at)?,
            }
        }
        Ok(())
    }

    fn read_fields(&mut self, text: &str, separator: u8) -> Result<(), Problem> {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(separator)
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let mut lines = RecordLines::of(text);
        for record in reader.records() {
            let record = record.map_err(|error| {
                Problem::at(error.position().map(csv::Position::line), error.to_string())
            })?;
            let start = record.position().map_or(0, csv::Position::byte);
            let line = lines.of_record(start as usize);
            if record.len() == 1 && record[0].is_empty() {
                continue;
            }
            self.add_fields(&record.iter().collect::<Vec<_>>(), line)?;
        }
        Ok(())
    }

    fn add_fields(&mut self, fields: &[&str], line: u64) -> Result<(), Problem> {
        let Some(columns) = &self.columns else {
            if let Some(columns) = header(fields) {
                for (place, name) in columns.iter().enumerate() {
                    if columns[..place].contains(name) {
                        self.draft.repeated.push((name.clone(), line));
                    }
                }
                self.columns = Some(columns);
                return Ok(());
            }
            let columns = match fields.len() {
                3 => vec!["weight".to_owned()],
                _ => Vec::new(),
            };
            self.columns = Some(columns);
            return self.add_fields(fields, line);
        };
        if fields.len() != columns.len() + 2 {
            return Err(wrong_count(line, fields.len(), columns.len() + 2));
        }
        let mut attributes = Attributes::new();
        for (name, text) in columns.iter().zip(&fields[2..]) {
            if !text.is_empty() {
                attributes.insert(name.clone(), value_of(text));
            }
        }
        self.add([fields[0], fields[1]], attributes, line)
    }

    fn add(&mut self, ends: [&str; 2], attributes: Attributes, line: u64) -> Result<(), Problem> {
        if ends.iter().any(|end| end.is_empty()) {
            let reason = "an end of this edge is empty; give both source and target";
            return Err(Problem::at(line, reason));
        }
        self.edges += 1;
        let mut nodes = [0; 2];
        for (node, id) in nodes.iter_mut().zip(ends) {
            *node = self.draft.node(id)?;
            self.draft.nodes[*node].line.get_or_insert(line);
        }
        let [source, target] = nodes;
        if source == target && attributes.is_empty() {
            return Ok(());
        }
        let line = Some(line);
        self.draft.connect(DraftEdge { source, target, attributes, line, ..DraftEdge::default() })
    }
}

/// The further columns that a header names.
fn header(fields: &[&str]) -> Option<Vec<String>> {
    let is_header = HEADERS.iter().any(|header| {
        fields.len() >= 2
            && header.iter().zip(fields).all(|(name, field)| name.eq_ignore_ascii_case(field))
    });
    is_header.then(|| fields[2..].iter().map(|&name| name.to_owned()).collect())
}

fn wrong_count(line: u64, found: usize, wanted: usize) -> Problem {
    let reason = match wanted {
        2 => format!(
            "this line has {found} fields; an edge has two, source and target, separated by a comma, a \
             tab or blanks, unless the first line names further columns, as source,target,length"
        ),
        _ => format!("this line has {found} fields, but the first line has {wanted}"),
    };
    Problem::at(line, reason)
}

/// Counts lines. The CSV reader's own count is taken before it skips blank lines and comments, and
/// before the second half of a CRLF.
struct RecordLines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: u64,
}

impl<'a> RecordLines<'a> {
    fn of(text: &'a str) -> Self {
        Self { bytes: text.as_bytes(), at: 0, line: 1 }
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
        if let Some(byte) = self.bytes.get(self.at) {
            self.line += u64::from(*byte == b'\n');
        }
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::assemble::{Component, Reading};
    use serde_json::{Value, json};

    fn reading(text: &str) -> Reading {
        read(text, Limits::default()).unwrap().assemble(Component::Only).unwrap()
    }

    fn problem(text: &str) -> (Option<u64>, String) {
        let draft = read(text, Limits::default());
        let problem = draft.and_then(|draft| draft.assemble(Component::Only)).unwrap_err();
        (problem.line, problem.reason.to_string())
    }

    fn weight(text: &str) -> Option<Value> {
        reading(text).map.edges()[0].attributes.get("weight").cloned()
    }

    #[test]
    fn dialects() {
        let comma = reading("a,b\nb,c\n");
        for text in [
            "a\tb\nb\tc",
            "a b\nb  c\n",
            "Source,Target\r\na,b\r\nb,c\r\n",
            "# roads\nfrom,to\n\n a , b \nb,c\n",
            "source target\na b\nb c",
            "a,a\na,b\nb,c",
            "a b {}\nb c {}\n",
        ] {
            assert_eq!(reading(text), comma, "{text:?}");
        }
        let names = reading("\"a b\",\"c,d\"\n");
        assert_eq!(names.map.graph().names().unwrap(), ["a b", "c,d"]);
    }

    #[test]
    fn other_ids_are_names_in_order_of_appearance() {
        let five = reading("source,target\n5,7\n7,6\n");
        assert_eq!(five.map.graph().names().unwrap(), ["5", "7", "6"]);
        for text in ["0,1\n1,01\n", "0,1\n1,3\n"] {
            assert!(reading(text).map.graph().names().is_some(), "{text}");
        }
        assert!(reading("0.0,1.0\n1,2").map.graph().names().is_none());
    }

    #[test]
    fn further_columns() {
        let map = reading("source,target,length,name\na,b,2.5,High Street\nb,c,,\n").map;
        assert_eq!(map.edges()[0].length, Some(2.5));
        assert_eq!(map.edges()[0].attributes["name"], "High Street");
        assert_eq!((map.edges()[1].length, map.edges()[1].attributes.len()), (None, 0));
        for text in ["a,b,7\n", "a b 7\n", "source,target,weight\na,b,7", "a b {'weight': 7}"] {
            assert_eq!(weight(text), Some(json!(7)), "{text:?}");
        }
        assert_eq!(weight("a b {'weight': 1.5, 'x': (1, 'it\\'s', None)}\n"), Some(json!(1.5)));
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        assert_eq!(problem("").0, None);
        assert!(problem("# nothing\nsource,target\n").1.contains("there are no edges"));
        assert_eq!(problem("a,b\nb,c,d\n").0, Some(2));
        assert_eq!(problem("source,target,x\na,b,1\nb,c\n").0, Some(3));
        assert!(problem("a\n").1.contains("has 1 fields"));
        assert_eq!(problem("a b {'x': }\n").0, Some(1));
        assert_eq!(
            problem("a,b\n,c\n"),
            (Some(2), "an end of this edge is empty; give both source and target".to_owned())
        );
        let (line, reason) = problem("x,y\ny,x\nu,v\n");
        assert_eq!(line, Some(3));
        assert!(reason.contains("node \"u\" is cut off from node \"x\""), "{reason}");
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
}
