//! Columns of text.

use crate::shown::{WIDEST, in_cell, in_line};
use std::io::stdout;

/// The widest text, in characters, also in a terminal that has room for more.
const WIDTH: usize = 100;

/// The width of the terminal that standard output is, if it is one.
#[cfg(unix)]
fn terminal() -> Option<usize> {
    // `terminal_size` does not see terminals that have no number of rows, such as those of `script`.
    let size = rustix::termios::tcgetwinsize(stdout()).ok()?;
    (size.ws_col > 0).then_some(usize::from(size.ws_col))
}

/// The width of the terminal that standard output is, if it is one.
#[cfg(not(unix))]
fn terminal() -> Option<usize> {
    let (terminal_size::Width(columns), _) = terminal_size::terminal_size_of(stdout())?;
    Some(usize::from(columns))
}

/// The room for tables and charts.
pub(crate) fn width() -> usize {
    terminal().unwrap_or(WIDTH)
}

/// The width of lines of text.
pub(crate) fn text_width() -> usize {
    width().min(WIDTH)
}

/// Rows below a heading, each column as wide as needed; the first column is aligned left, the
/// others right.
pub(crate) fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let rows = cells(rows);
    let widths = widths(heading, &rows);
    let line = |cells: Vec<&str>| {
        let cells = cells.into_iter().zip(&widths).enumerate().map(|(i, (cell, width))| match i {
            0 => format!("{cell:<width$}"),
            _ => format!("  {cell:>width$}"),
        });
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    let rule: String = widths.iter().map(|width| "─".repeat(*width)).collect::<Vec<_>>().join("──");
    let body = rows.iter().map(|row| line(row.iter().map(String::as_str).collect()));
    line(heading.to_vec()) + &rule + "\n" + &body.collect::<String>()
}

fn cells(rows: &[Vec<String>]) -> Vec<Vec<String>> {
    rows.iter().map(|row| row.iter().map(|cell| in_cell(cell)).collect()).collect()
}

fn widths(heading: &[&str], rows: &[Vec<String>]) -> Vec<usize> {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heading[column].chars().count()]).max().unwrap_or(0)
    };
    (0..heading.len()).map(width).collect()
}

/// A table without the first of its `spare` columns if it is wider than `most`, without the next
/// one if that is not enough, and so on. A line below says what was left out.
pub(crate) fn fitting_table(
    heading: &[&str],
    rows: &[Vec<String>],
    spare: &[&str],
    most: usize,
) -> String {
    let (mut heading, mut rows, mut left_out) = (heading.to_vec(), cells(rows), Vec::new());
    for name in spare {
        let widths = widths(&heading, &rows);
        let column = heading.iter().position(|other| other == name);
        let Some(column) =
            column.filter(|_| widths.iter().sum::<usize>() + 2 * (widths.len() - 1) > most)
        else {
            break;
        };
        heading.remove(column);
        for row in &mut rows {
            row.remove(column);
        }
        left_out.push(*name);
    }
    let note = match left_out.as_slice() {
        [] => String::new(),
        names => {
            format!("left out to fit into {most} columns: {}; --json has all\n", names.join(", "))
        }
    };
    table(&heading, &rows) + &note
}

/// The most of a last column, which may be sentences.
const LONGEST: usize = 1_000;

/// Indented rows, all columns aligned left.
pub(crate) fn left_table<const N: usize>(rows: &[[String; N]]) -> String {
    let most = |column: usize| if column + 1 < N { WIDEST } else { LONGEST };
    let cell = |(column, text): (usize, &String)| in_line(text, most(column));
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().enumerate().map(cell).collect()).collect();
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &Vec<String>| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("  {cell:<width$}"));
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// The widest first column with a description beside it; beside a wider one it would be too narrow.
const WIDEST_NAME: usize = 42;

/// Names, each with its description beside it.
pub(crate) fn described(rows: &[(String, String)]) -> String {
    described_within(rows, text_width())
}

fn described_within(rows: &[(String, String)], width: usize) -> String {
    let name = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let name = name.min(WIDEST_NAME);
    let mut text = String::new();
    for (written, description) in rows {
        for (i, line) in
            wrapped(description, width.saturating_sub(name + 4)).into_iter().enumerate()
        {
            let written = if i == 0 { written.as_str() } else { "" };
            text.extend([format!("  {written:<name$}  {line}\n")]);
        }
    }
    text
}

/// Breaks the lines of a text that are wider than the terminal, and indents what follows. A file gets
/// them whole.
pub(crate) fn folded(text: &str) -> String {
    terminal().map_or_else(|| text.to_owned(), |width| folded_within(text, width))
}

fn folded_within(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        if line.chars().count() <= width {
            lines.push(line.to_owned());
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        for (i, part) in wrapped(line, width.saturating_sub(indent + 2)).into_iter().enumerate() {
            lines.push(" ".repeat(if i == 0 { indent } else { indent + 2 }) + &part);
        }
    }
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Breaks a text between words; a line is wider than `width` only if one word is.
pub(crate) fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().filter(|line| {
            line.is_empty() || line.chars().count() + 1 + word.chars().count() <= width
        });
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrapped("one  two three", 7), ["one two", "three"]);
        assert_eq!(wrapped("incomprehensible, no", 4), ["incomprehensible,", "no"]);
        assert_eq!(wrapped("", 9), [""]);
        let rows = [("a".to_owned(), "word ".repeat(40)), ("bc".to_owned(), "x".to_owned())];
        for width in [100, 40] {
            let text = described_within(&rows, width);
            let widest = text.lines().map(str::len).max().unwrap();
            assert!(
                widest <= width && widest > width - 5 && text.ends_with("\n  bc  x\n"),
                "{text}"
            );
            assert_eq!(text.lines().nth(1).map(|line| line.find("word")), Some(Some(6)));
        }
    }

    #[test]
    fn wide_lines_are_folded() {
        let text = "  one two three four\n\nshort\n";
        assert_eq!(folded_within(text, 20), text);
        assert_eq!(folded_within(text, 13), "  one two\n    three\n    four\n\nshort\n");
    }

    #[test]
    fn spare_columns_make_room_one_by_one() {
        let heading = ["agent", "regret", "SD", "time"];
        let rows = [["g-star", "209", "172", "0.59 ms"].map(str::to_owned).to_vec()];
        let fit = |most| fitting_table(&heading, &rows, &["SD", "time"], most);
        assert_eq!(fit(28), table(&heading, &rows));
        let note = "left out to fit into 27 columns: SD; --json has all";
        assert_eq!(
            fit(27).lines().map(str::to_owned).collect::<Vec<_>>(),
            ["agent   regret     time", "───────────────────────", "g-star     209  0.59 ms", note]
        );
        assert!(
            fit(22).starts_with("agent   regret\n") && fit(22).contains("22 columns: SD, time;")
        );
    }

    #[test]
    fn columns_line_up() {
        let rows =
            vec![vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "23".to_owned()]];
        assert_eq!(table(&["x", "y"], &rows), "x     y\n───────\na     1\nbcd  23\n");
    }
}
