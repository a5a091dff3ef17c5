//! `gbandit store`: backs up, checks, describes, moves and compacts stores.

mod show;

use crate::args::{
    BackupArgs, CompactArgs, ExportArgs, ImportArgs, StatsArgs, StoreCommand, VerifyArgs,
};
use crate::number::{counted, with_commas};
use crate::progress::tell;
use anyhow::{Context, bail};
use graph_bandit_server::store::{open, open_to_read};
use graph_bandit_server::upkeep::{
    self, Damage, Depth, Different, Export, IfExists, IfNameTaken, Imported, UpkeepError, backup,
    export, import,
};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write, stdin, stdout};
use std::path::Path;

pub(crate) fn store(command: &StoreCommand) -> anyhow::Result<()> {
    match command {
        StoreCommand::Backup(args) => back_up(args),
        StoreCommand::Verify(args) => verify(args),
        StoreCommand::Export(args) => export_agents(args),
        StoreCommand::Import(args) => import_agents(args),
        StoreCommand::Stats(args) => stats(args),
        StoreCommand::Compact(args) => compact_logs(args),
    }
}

/// The URL of a store; a plain path is an `SQLite` file.
fn url(store: &str) -> String {
    if store.contains("://") || store == "memory:" {
        store.to_owned()
    } else {
        format!("sqlite://{store}")
    }
}

fn back_up(args: &BackupArgs) -> anyhow::Result<()> {
    let if_exists = if args.force { IfExists::Replace } else { IfExists::Refuse };
    backup(&url(&args.store), &args.file, if_exists).map_err(|error| match error {
        UpkeepError::FileExists { .. } => {
            anyhow::anyhow!("{error}; choose another name, or --force to replace it")
        }
        other => other.into(),
    })?;
    let bytes = std::fs::metadata(&args.file)?.len();
    writeln!(stdout(), "{}: {} bytes", args.file.display(), with_commas(bytes))?;
    Ok(())
}

fn verify(args: &VerifyArgs) -> anyhow::Result<()> {
    let depth = if args.quick { Depth::Seals } else { Depth::Replay };
    let verified = upkeep::verify(&url(&args.store), depth)?;
    if args.json {
        writeln!(stdout(), "{}", serde_json::to_string(&verified)?)?;
    } else {
        write!(stdout(), "{}", show::verified(&verified))?;
    }
    if !verified.is_undamaged() {
        bail!("the store is damaged");
    }
    if !verified.unfinished.is_empty() {
        let unfinished = counted(verified.unfinished.len() as u64, "agent");
        bail!("an import was not finished: {unfinished}");
    }
    Ok(())
}

fn export_agents(args: &ExportArgs) -> anyhow::Result<()> {
    let agents = args.agents.iter().cloned().collect();
    let mut into = BufWriter::new(stdout().lock());
    let exported = export(&url(&args.store), &agents, &mut into).map_err(closed_pipe)?;
    let (agents, records) =
        (counted(exported.agents, "agent"), counted(exported.records, "record"));
    tell(&format!("exported {agents} with {records}"));
    refuse_damaged(&exported.damaged)
}

fn import_agents(args: &ImportArgs) -> anyhow::Result<()> {
    let mut from: Box<dyn BufRead> = if args.file == Path::new("-") {
        Box::new(stdin().lock())
    } else {
        let file = File::open(&args.file);
        let file = file.with_context(|| format!("cannot read {}", args.file.display()))?;
        Box::new(BufReader::new(file))
    };
    let if_name_taken = if args.skip_existing { IfNameTaken::Skip } else { IfNameTaken::Refuse };
    // Checked before a store is created in vain.
    let export = Export::begin(&mut *from).map_err(|error| match error {
        UpkeepError::NotAnExport => anyhow::anyhow!("{}: {error}", args.file.display()),
        other => other.into(),
    })?;
    let store = open(&url(&args.store))?;
    let imported = import(&store, export, if_name_taken).map_err(|error| match error {
        UpkeepError::AgentExists { .. } => anyhow::anyhow!("{error} (--skip-existing)"),
        other => other.into(),
    })?;
    let Imported { agents, records, skipped, different, damaged } = imported;
    let (agents, records) = (counted(agents, "agent"), counted(records, "record"));
    writeln!(stdout(), "imported {agents} with {records}, skipped {}", with_commas(skipped))?;
    for Different { agent, how } in &different {
        tell(&format!(
            "agent {agent} in the store differs from the exported one and was kept: {how}; delete it \
             and import again, or import into another store"
        ));
    }
    refuse_damaged(&damaged)?;
    match different.len() as u64 {
        0 => Ok(()),
        one_or_more => {
            bail!(
                "not imported because the store has other agents of the same name: {}",
                counted(one_or_more, "agent")
            )
        }
    }
}

fn stats(args: &StatsArgs) -> anyhow::Result<()> {
    let stats = upkeep::stats(&url(&args.store))?;
    if args.json {
        writeln!(stdout(), "{}", serde_json::to_string(&stats)?)?;
    } else {
        write!(stdout(), "{}", show::stats(&stats))?;
    }
    Ok(())
}

fn compact_logs(args: &CompactArgs) -> anyhow::Result<()> {
    let url = url(&args.store);
    // Does not create an absent store only to compact it.
    drop(open_to_read(&url)?);
    let report = upkeep::compact(&open(&url)?, args.keep_history)?;
    let (agents, records) = (counted(report.agents, "agent"), counted(report.records, "record"));
    writeln!(stdout(), "removed {records} of {agents}")?;
    Ok(())
}

/// Names the damaged agents; fails if there are any.
fn refuse_damaged(damaged: &[Damage]) -> anyhow::Result<()> {
    for Damage { agent, reason } in damaged {
        tell(&format!("agent {agent} is damaged: {reason}"));
    }
    match damaged.len() {
        0 => Ok(()),
        1 => bail!("1 agent is damaged"),
        more => bail!("{more} agents are damaged"),
    }
}

/// A closed pipe is reported by the exit code only.
fn closed_pipe(error: UpkeepError) -> anyhow::Error {
    match error {
        UpkeepError::Stream(error) => error.into(),
        other => other.into(),
    }
}
