//! `gbandit graph validate`.

use super::args::ValidateArgs;
use super::read;
use crate::exit::with_flag;
use crate::shown::shown;
use graph_bandit_lab::LabError;
use graph_bandit_maps::{Component, Note, ReadOptions};
use serde_json::{Value, json};
use std::fmt;
use std::io::{Write, stdout};

/// A map that cannot be used as it is; the findings have been printed.
#[derive(Debug)]
pub(crate) struct Refused {
    graph: String,
    findings: usize,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.findings == 1 { "" } else { "s" };
        write!(f, "{}: {} finding{s}", self.graph, self.findings)
    }
}

impl std::error::Error for Refused {}

/// One finding about a map.
struct Finding {
    is_error: bool,
    line: Option<u64>,
    text: String,
}

pub(crate) fn validate(args: &ValidateArgs) -> anyhow::Result<()> {
    let findings = findings(args)?;
    let refused = findings.iter().filter(|finding| finding.is_error || args.strict).count();
    let mut out = stdout().lock();
    if args.json {
        let list: Vec<Value> = findings.iter().map(Finding::json).collect();
        let object = json!({"graph": args.graph, "valid": refused == 0, "findings": list});
        writeln!(out, "{object}")?;
    } else {
        for finding in &findings {
            let line = finding.line.map_or(String::new(), |line| format!(":{line}"));
            let severity = finding.severity();
            writeln!(out, "{}{line}: {severity}: {}", args.graph, shown(&finding.text))?;
        }
        if findings.is_empty() {
            writeln!(out, "{}: no findings", args.graph)?;
        }
    }
    if refused > 0 {
        return Err(Refused { graph: args.graph.clone(), findings: refused }.into());
    }
    Ok(())
}

fn findings(args: &ValidateArgs) -> Result<Vec<Finding>, LabError> {
    let rates = args.rates.rates();
    let options = ReadOptions { rates, ..args.map.options() };
    let mut findings = Vec::new();
    let mut reading = read(&args.graph, options);
    if let Err(error) = reading {
        let (line, text) = match error {
            LabError::Map(error) => {
                (error.line, with_flag(error.reason.to_string(), &error.reason))
            }
            LabError::File(error) => (error.line, error.reason),
            other => return Err(other),
        };
        findings.push(Finding { is_error: true, line, text });
        // A finding about a part holds for the whole.
        let options = ReadOptions { component: Component::Largest, rates, ..args.map.options() };
        reading = read(&args.graph, options);
    }
    let is_whole = findings.is_empty();
    let notes = reading.map(|reading| reading.notes).unwrap_or_default();
    let notes = notes.iter().filter(|note| is_whole || !matches!(note, Note::SmallerParts { .. }));
    findings.extend(notes.map(|note| Finding {
        is_error: false,
        line: None,
        text: note.to_string(),
    }));
    Ok(findings)
}

impl Finding {
    fn severity(&self) -> &'static str {
        if self.is_error { "error" } else { "note" }
    }

    fn json(&self) -> Value {
        json!({"severity": self.severity(), "line": self.line, "text": self.text})
    }
}
