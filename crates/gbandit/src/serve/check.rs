//! `gbandit serve --check`: whether the service could start as it is told to, without starting it.

use super::{allowed, tokens};
use crate::args::ServeArgs;
use anyhow::bail;
use graph_bandit_server::ServeOptions;
use graph_bandit_server::store::{Inspection, StoreError, Tables, inspect};
use std::io::{self, Write, stdout};
use std::net::TcpListener;

/// Prints what was found, line by line; fails when something is not in order, after all was looked at.
pub(super) fn check(args: &ServeArgs, mut options: ServeOptions) -> anyhow::Result<()> {
    let mut findings = Findings { wrong: 0 };
    let read = tokens(args);
    let unread = read.is_err();
    findings.say(
        "tokens",
        match &read {
            Ok(Some(tokens)) => Ok(format!("{} in the file", tokens.len())),
            Ok(None) => Ok("none, so this machine only".to_owned()),
            Err(error) => Err(error.to_string()),
        },
    )?;
    options.tokens = read.unwrap_or_default();
    let listen = args.listen;
    match allowed(&options) {
        // Nobody knows who would be let in.
        Err(_) if unread => {}
        Err(error) => findings.say("listen", Err(error.to_string()))?,
        Ok(()) => findings.say(
            "listen",
            match TcpListener::bind(listen) {
                Ok(_) => Ok(format!("{listen} is free")),
                Err(error) => Err(format!("{listen}: {error}")),
            },
        )?,
    }
    findings.say(
        "store",
        match inspect(&args.store) {
            Ok(found) => Ok(told(&found)),
            Err(StoreError::Failed { reason }) => Err(reason),
            Err(error) => Err(error.to_string()),
        },
    )?;
    match findings.wrong {
        0 => Ok(()),
        1 => bail!("the service could not start so: one thing is not in order"),
        more => bail!("the service could not start so: {more} things are not in order"),
    }
}

fn told(found: &Inspection) -> String {
    match found {
        Inspection::Memory => "in memory; it ends with the service".to_owned(),
        Inspection::Absent { place } => format!("{place} is not there; the service creates it"),
        Inspection::There { place, tables, encrypted } => {
            let by = encrypted.as_ref().map(|how| format!(", by {how}")).unwrap_or_default();
            let (version, upgraded) = match tables {
                Tables::Current { version } => (version, ""),
                Tables::Earlier { version } => (version, ", which the service upgrades"),
            };
            format!("{place} can be written{by}; tables of version {version}{upgraded}")
        }
        _ => "can be opened".to_owned(),
    }
}

/// How many things were not in order.
struct Findings {
    wrong: usize,
}

impl Findings {
    fn say(&mut self, what: &str, found: Result<String, String>) -> io::Result<()> {
        match found {
            Ok(found) => writeln!(stdout(), "ok: {what}: {found}"),
            Err(found) => {
                self.wrong += 1;
                writeln!(stdout(), "wrong: {what}: {found}")
            }
        }
    }
}
