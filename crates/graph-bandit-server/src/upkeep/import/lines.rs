//! The lines of an export, one by one.

use super::super::UpkeepError;
use super::super::line::{FORMAT, Line};
use crate::store::other_version;
use std::io::BufRead;

/// An export whose first line was read.
pub struct Export<'a> {
    from: &'a mut dyn BufRead,
    /// How many lines were read.
    number: u64,
}

impl<'a> Export<'a> {
    /// Reads the first line of an export. Do this before you open the store, so that a wrong file leaves no new
    /// store behind.
    ///
    /// # Errors
    /// When it cannot be read, or is not an export that this version reads.
    pub fn begin(from: &'a mut dyn BufRead) -> Result<Self, UpkeepError> {
        let mut export = Self { from, number: 0 };
        let text = export.text()?;
        match serde_json::from_str(&text) {
            Ok(Line::Store { format: FORMAT }) => Ok(export),
            Ok(Line::Store { format }) => {
                Err(export.wrong(other_version("format", format.into(), FORMAT.into())))
            }
            _ => Err(UpkeepError::NotAnExport),
        }
    }

    fn text(&mut self) -> Result<String, UpkeepError> {
        let mut text = String::new();
        self.number += 1;
        self.from.read_line(&mut text).map_err(UpkeepError::Stream)?;
        Ok(text)
    }

    pub(super) fn next(&mut self) -> Result<Line, UpkeepError> {
        let text = self.text()?;
        if text.is_empty() {
            return Err(self.wrong("the export is cut off here".to_owned()));
        }
        serde_json::from_str(&text).map_err(|error| self.wrong(error.to_string()))
    }

    /// Reads to the end of an agent.
    pub(super) fn pass_over(&mut self) -> Result<(), UpkeepError> {
        loop {
            match self.next()? {
                Line::Record(_) | Line::Base { .. } | Line::Snapshot { .. } => {}
                Line::Complete { .. } | Line::Damaged { .. } => return Ok(()),
                _ => return Err(self.wrong("the agent before is incomplete".to_owned())),
            }
        }
    }

    pub(super) fn wrong(&self, reason: String) -> UpkeepError {
        UpkeepError::Line { line: self.number, reason }
    }
}
