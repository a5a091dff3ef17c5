//! The words and signs of DOT.

use super::text::unescaped;
use crate::error::Problem;
use crate::lines::line_ends;

#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A word without quotes, which may be a keyword.
    Word(String),
    /// Anything quoted.
    Text(String),
    /// `{ } [ ] ; , = :`
    Sign(u8),
    /// `--`
    Line,
    /// `->`
    Arrow,
}

impl Token {
    /// Its name in messages.
    pub(super) fn shown(&self) -> String {
        match self {
            Self::Word(text) | Self::Text(text) => format!("{text:?}"),
            Self::Sign(byte) => format!("'{}'", *byte as char),
            Self::Line => "'--'".to_owned(),
            Self::Arrow => "'->'".to_owned(),
        }
    }
}

/// Reads token after token.
#[derive(Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u64,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, at: 0, line: 1 }
    }

    /// The next token and its line; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<(Token, u64)>, Problem> {
        self.skip_blanks()?;
        let line = self.line;
        let rest = &self.text[self.at..];
        let bytes = rest.as_bytes();
        let Some(&first) = bytes.first() else { return Ok(None) };
        let token = match first {
            b'{' | b'}' | b'[' | b']' | b';' | b',' | b'=' | b':' => {
                self.pass(1);
                Token::Sign(first)
            }
            b'"' => Token::Text(self.joined()?),
            b'<' => Token::Text(self.html()?),
            b'-' if bytes.get(1) == Some(&b'-') => {
                self.pass(2);
                Token::Line
            }
            b'-' if bytes.get(1) == Some(&b'>') => {
                self.pass(2);
                Token::Arrow
            }
            _ => {
                let is_inside = |(place, character): (usize, char)| {
                    character.is_ascii_alphanumeric()
                        || matches!(character, '_' | '.')
                        || !character.is_ascii()
                        || (place == 0 && character == '-')
                };
                let word = rest.char_indices().find(|&pair| !is_inside(pair));
                let length = word.map_or(rest.len(), |(place, _)| place);
                if length == 0 || &rest[..length] == "-" {
                    let reason = format!("{:?} has no meaning here", first as char);
                    return Err(Problem::at(
                        line,
                        reason + "; put names with other characters in quotes",
                    ));
                }
                let word = rest[..length].to_owned();
                self.pass(length);
                Token::Word(word)
            }
        };
        Ok(Some((token, line)))
    }

    fn pass(&mut self, bytes: usize) {
        self.line += line_ends(&self.text.as_bytes()[self.at..self.at + bytes]);
        self.at += bytes;
    }

    fn skip_blanks(&mut self) -> Result<(), Problem> {
        loop {
            let rest = &self.text[self.at..];
            let is_line_start = self.at == 0 || self.text.as_bytes()[self.at - 1] == b'\n';
            let blanks = rest.len() - rest.trim_start().len();
            if blanks > 0 {
                self.pass(blanks);
            } else if rest.starts_with("//") || (rest.starts_with('#') && is_line_start) {
                self.pass(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                let Some(end) = rest.find("*/") else {
                    return Err(Problem::at(self.line, "this comment has no end; add */"));
                };
                self.pass(end + 2);
            } else {
                return Ok(());
            }
        }
    }

    /// Quoted texts joined by `+` are one text.
    fn joined(&mut self) -> Result<String, Problem> {
        let mut text = self.quoted()?;
        loop {
            let (at, line) = (self.at, self.line);
            self.skip_blanks()?;
            if self.text[self.at..].starts_with('+') {
                self.pass(1);
                self.skip_blanks()?;
                if self.text[self.at..].starts_with('"') {
                    text += &self.quoted()?;
                    continue;
                }
                return Err(Problem::at(self.line, "a text in quotes must follow +"));
            }
            (self.at, self.line) = (at, line);
            return Ok(text);
        }
    }

    fn quoted(&mut self) -> Result<String, Problem> {
        let rest = &self.text.as_bytes()[self.at + 1..];
        let mut end = 0;
        loop {
            match rest.get(end) {
                Some(b'\\') => end += 2,
                Some(b'"') => break,
                Some(_) => end += 1,
                None => return Err(Problem::at(self.line, "this text has no end; add a quote")),
            }
        }
        let text = unescaped(&self.text[self.at + 1..self.at + 1 + end]);
        self.pass(end + 2);
        Ok(text)
    }

    /// Markup between angle brackets, including the brackets.
    fn html(&mut self) -> Result<String, Problem> {
        let mut depth = 0_usize;
        for (place, byte) in self.text.as_bytes()[self.at..].iter().enumerate() {
            match byte {
                b'<' => depth += 1,
                b'>' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                let text = self.text[self.at..=self.at + place].to_owned();
                self.pass(place + 1);
                return Ok(text);
            }
        }
        Err(Problem::at(self.line, "this markup has no end; add >"))
    }
}
