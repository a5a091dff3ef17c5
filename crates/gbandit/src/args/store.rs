//! Arguments of `gbandit store`.

use crate::limits::keep_history;
use clap::{Args as ClapArgs, Subcommand};
use graph_bandit_server::fleet::KeepHistory;
use std::path::PathBuf;

const EXAMPLES: &str = "Examples:
  gbandit store backup sqlite://fleet.db fleet-monday.db
  gbandit store verify fleet-monday.db
  gbandit store export sqlite://fleet.db > fleet.jsonl
  PGPASSWORD=secret gbandit store import \\
    postgres://gbandit@db.example.org/gbandit fleet.jsonl
  gbandit store stats sqlite://fleet.db

docs/guides/service-in-production.md explains how to restore a backup.";

#[derive(Debug, ClapArgs)]
#[command(after_help = EXAMPLES)]
pub(crate) struct StoreArgs {
    #[command(subcommand)]
    pub(crate) command: StoreCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum StoreCommand {
    /// Copy a SQLite store into one file, even while a service writes to it.
    Backup(BackupArgs),
    /// Check a store or a backup: every seal (a fingerprint), every log, and that each log replays
    /// to its stored state.
    Verify(VerifyArgs),
    /// Write agents as lines of JSON, to import into another store. Includes agents that cannot be
    /// loaded.
    Export(ExportArgs),
    /// Read the output of `export` into a store of any kind.
    Import(ImportArgs),
    /// Show what a store holds and how large it is.
    Stats(StatsArgs),
    /// Remove old records from a store that no service uses now; estimates and orders stay exact.
    Compact(CompactArgs),
}

#[derive(Debug, ClapArgs)]
pub(crate) struct BackupArgs {
    /// The store: `sqlite://FILE`, or the file.
    #[arg(value_name = "URL")]
    pub(crate) store: String,

    /// The file to write.
    pub(crate) file: PathBuf,

    /// Replace the file if it exists.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct VerifyArgs {
    /// The store: `sqlite://FILE`, `postgres://USER@HOST/DATABASE`, or a file.
    #[arg(value_name = "URL|FILE")]
    pub(crate) store: String,

    /// Check only seals and record numbers, without replaying logs.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ExportArgs {
    /// The store: `sqlite://FILE`, `postgres://USER@HOST/DATABASE`, or a file.
    #[arg(value_name = "URL|FILE")]
    pub(crate) store: String,

    /// An agent to export; may be repeated. Default: all.
    #[arg(long = "agent", value_name = "ID")]
    pub(crate) agents: Vec<String>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ImportArgs {
    /// The store, created if absent: `sqlite://FILE`, `postgres://USER@HOST/DATABASE`, or a file.
    #[arg(value_name = "URL|FILE")]
    pub(crate) store: String,

    /// The output of `gbandit store export`; `-` is standard input.
    pub(crate) file: PathBuf,

    /// Skip agents whose names the store already has, and list those that differ from the export.
    #[arg(long)]
    pub(crate) skip_existing: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StatsArgs {
    /// The store: `sqlite://FILE`, `postgres://USER@HOST/DATABASE`, or a file.
    #[arg(value_name = "URL|FILE")]
    pub(crate) store: String,

    /// Print one JSON object.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct CompactArgs {
    /// The store: `sqlite://FILE`, `postgres://USER@HOST/DATABASE`, or a file.
    #[arg(value_name = "URL|FILE")]
    pub(crate) store: String,

    /// How much history to keep of each agent: a time such as 30d, or a number of records.
    #[arg(long, value_name = "TIME|COUNT", value_parser = keep_history)]
    pub(crate) keep_history: KeepHistory,
}
