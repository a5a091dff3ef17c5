//! Columns of text.

/// Rows below a heading, each column as wide as needed; the first column is aligned left, the
/// others right.
pub(crate) fn table(heading: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().map(|row| row[column].chars().count());
        cells.chain([heading[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..heading.len()).map(width).collect();
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

/// Indented rows, all columns aligned left.
pub(crate) fn left_table<const N: usize>(rows: &[[String; N]]) -> String {
    let width =
        |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..N).map(width).collect();
    let line = |row: &[String; N]| {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("  {cell:<width$}"));
        cells.collect::<String>().trim_end().to_owned() + "\n"
    };
    rows.iter().map(line).collect()
}

/// The width of texts, in characters.
pub(crate) const WIDTH: usize = 100;
/// The widest first column with a description beside it; beside a wider one it would be too narrow.
const WIDEST_NAME: usize = 42;

/// Names, each with its description beside it, in lines of [`WIDTH`].
pub(crate) fn described(rows: &[(String, String)]) -> String {
    let name = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let name = name.min(WIDEST_NAME);
    let mut text = String::new();
    for (written, description) in rows {
        for (i, line) in wrapped(description, WIDTH - name - 4).into_iter().enumerate() {
            let written = if i == 0 { written.as_str() } else { "" };
            text.extend([format!("  {written:<name$}  {line}\n")]);
        }
    }
    text
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
        let text = described(&rows);
        assert!(text.lines().all(|line| line.len() <= WIDTH) && text.ends_with("\n  bc  x\n"));
        assert_eq!(text.lines().nth(1).map(|line| line.find("word")), Some(Some(6)));
    }

    #[test]
    fn columns_line_up() {
        let rows =
            vec![vec!["a".to_owned(), "1".to_owned()], vec!["bcd".to_owned(), "23".to_owned()]];
        assert_eq!(table(&["x", "y"], &rows), "x     y\n───────\na     1\nbcd  23\n");
    }
}
