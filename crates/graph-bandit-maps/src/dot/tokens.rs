//! The tokens of a file, one at a time, with one token of lookahead.

use super::lexer::{Lexer, Token};
use crate::error::Problem;

pub(super) struct Tokens<'a> {
    lexer: Lexer<'a>,
    next: Option<(Token, u64)>,
    line: u64,
}

impl<'a> Tokens<'a> {
    pub(super) fn new(text: &'a str) -> Result<Self, Problem> {
        let mut lexer = Lexer::new(text);
        let next = lexer.next()?;
        Ok(Self { lexer, next, line: 1 })
    }

    /// The next token, not taken yet.
    pub(super) fn next(&self) -> Option<&Token> {
        self.next.as_ref().map(|(token, _)| token)
    }

    /// The line of the last token taken.
    pub(super) fn line(&self) -> u64 {
        self.line
    }

    /// Takes the next token.
    pub(super) fn take(&mut self) -> Result<Option<Token>, Problem> {
        let next = self.lexer.next()?;
        let taken = std::mem::replace(&mut self.next, next);
        Ok(taken.map(|(token, line)| {
            self.line = line;
            token
        }))
    }

    /// Whether this sign is next.
    pub(super) fn is_sign(&self, sign: u8) -> bool {
        matches!(self.next, Some((Token::Sign(next), _)) if next == sign)
    }

    /// Whether this keyword is next, in upper or lower case.
    pub(super) fn is_keyword(&self, keyword: &str) -> bool {
        matches!(&self.next, Some((Token::Word(word), _)) if word.eq_ignore_ascii_case(keyword))
    }

    /// Takes this sign if it is next; returns whether it was.
    pub(super) fn eat(&mut self, sign: u8) -> Result<bool, Problem> {
        let is_there = self.is_sign(sign);
        if is_there {
            self.take()?;
        }
        Ok(is_there)
    }

    /// Takes this sign, which must be next.
    pub(super) fn expect(&mut self, sign: u8) -> Result<(), Problem> {
        if self.eat(sign)? { Ok(()) } else { Err(self.unexpected(&format!("'{}'", sign as char))) }
    }

    /// The error if something other than `wanted` is next.
    pub(super) fn unexpected(&self, wanted: &str) -> Problem {
        match &self.next {
            Some((token, line)) => {
                let found = token.shown();
                Problem::at(*line, format!("expected {wanted}, found {found}"))
            }
            None => Problem::at(self.line, format!("expected {wanted}, but the file ends; add it")),
        }
    }

    /// Takes a name, which must be next.
    pub(super) fn id(&mut self, wanted: &str) -> Result<String, Problem> {
        if !matches!(self.next, Some((Token::Word(_) | Token::Text(_), _))) {
            return Err(self.unexpected(wanted));
        }
        Ok(match self.take()? {
            Some(Token::Word(text) | Token::Text(text)) => text,
            _ => String::new(),
        })
    }
}
