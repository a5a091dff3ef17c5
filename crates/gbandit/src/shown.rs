//! Texts from files, as a terminal may show them.

use std::fmt::Write;

/// Longer texts are cut in tables: columns stay readable, and formatting has a limit of 65,535.
pub(crate) const WIDEST: usize = 120;

/// The text with control characters escaped, such as those that colour, erase or reverse what a terminal shows.
/// Lines may end.
pub(crate) fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_harmless = c == '\n' || !(c.is_control() || reorders(c));
        // Writing to a string cannot fail.
        let _ =
            if is_harmless { shown.write_char(c) } else { write!(shown, "{}", c.escape_unicode()) };
    }
    shown
}

/// The text as a cell of a table.
pub(crate) fn in_cell(text: &str) -> String {
    in_line(text, WIDEST)
}

/// The text in one line, cut if it has more than `most` characters.
pub(crate) fn in_line(text: &str, most: usize) -> String {
    let text = shown(text).replace('\n', "\\n");
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Whether a character changes the direction of others.
fn reorders(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_a_terminal_obeys_is_left() {
        assert_eq!(
            shown("a\x1b[31mb\x07\x7f\u{9b}2J\u{202e}c\n"),
            r"a\u{1b}[31mb\u{7}\u{7f}\u{9b}2J\u{202e}c".to_owned() + "\n"
        );
        assert_eq!(shown("Zürich ─ 東京"), "Zürich ─ 東京");
        assert_eq!(in_cell("a\nb"), r"a\nb");
        assert_eq!(in_cell(&"é".repeat(121)), "é".repeat(120) + "…");
        assert_eq!(in_cell(&"é".repeat(120)), "é".repeat(120));
    }
}
