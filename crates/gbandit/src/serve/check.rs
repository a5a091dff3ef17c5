//! `gbandit serve --check`: whether the service could start with these flags, without starting it.

use super::{allowed, store_message, tokens};
use crate::args::ServeArgs;
use anyhow::bail;
use graph_bandit_server::ServeOptions;
use graph_bandit_server::store::{Inspection, Tables, inspect};
use std::io::{self, Write, stdout};
use std::net::TcpListener;

/// Prints every finding, then fails if any of them is a problem.
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
    let listen = args.address();
    // Without tokens it is unknown whether this address is allowed; the token error is printed
    // already.
    let open_to_all = allowed(&options).err().filter(|_| !unread);
    findings.say(
        "listen",
        match (open_to_all, TcpListener::bind(listen)) {
            (Some(reason), _) => Err(reason),
            (None, Ok(_)) => Ok(format!("{listen} is free")),
            (None, Err(error)) => Err(format!("{listen}: {error}")),
        },
    )?;
    findings.say(
        "store",
        inspect(&args.store).map(|found| description(&found)).map_err(store_message),
    )?;
    match findings.wrong {
        0 => Ok(()),
        1 => bail!("the service could not start: 1 problem"),
        more => bail!("the service could not start: {more} problems"),
    }
}

fn description(found: &Inspection) -> String {
    match found {
        Inspection::Memory => "in memory; its content is lost when the service ends".to_owned(),
        Inspection::Absent { place } => format!("{place} does not exist; the service creates it"),
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

/// Counts the problems.
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
