//! The command line: commands and their arguments.

mod bayes;
#[cfg(feature = "report")]
mod campaign;
#[cfg(feature = "serve")]
mod drone;
#[cfg(not(all(feature = "play", feature = "report", feature = "serve")))]
mod left_out;
#[cfg(feature = "play")]
mod play;
mod route;
mod run;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod store;
mod team;
mod values;

pub(crate) use bayes::BayesArgs;
#[cfg(feature = "report")]
pub(crate) use campaign::{
    CampaignArgs, ConformanceArgs, MergeArgs, PlotArgs, ReproduceArgs, StudyArgs,
};
#[cfg(feature = "serve")]
pub(crate) use drone::{DroneArgs, TellArg};
#[cfg(not(feature = "play"))]
use left_out::LeftOut as PlayArgs;
#[cfg(not(feature = "serve"))]
use left_out::{
    LeftOut as DroneArgs, LeftOut as ReadyArgs, LeftOut as ServeArgs, LeftOut as StoreArgs,
    LeftOut as TokenArgs,
};
#[cfg(not(feature = "report"))]
use left_out::{
    LeftOut as ConformanceArgs, LeftOut as MergeArgs, LeftOut as PlotArgs,
    LeftOut as ReproduceArgs, LeftOut as StudyArgs,
};
#[cfg(feature = "play")]
pub(crate) use play::PlayArgs;
pub(crate) use route::RouteArgs;
pub(crate) use run::RunArgs;
#[cfg(feature = "serve")]
pub(crate) use serve::{LogArg, ReadyArgs, ServeArgs, TokenArgs};
#[cfg(feature = "serve")]
pub(crate) use store::{
    BackupArgs, CompactArgs, ExportArgs, ImportArgs, StatsArgs, StoreArgs, StoreCommand, VerifyArgs,
};
pub(crate) use team::TeamArgs;
#[cfg(feature = "serve")]
pub(crate) use values::integer;
pub(crate) use values::positive;

use crate::graph::GraphCommand;
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// The commands that `-h` does not show.
const FOR_OPERATORS: &str = "For operators and tests:
  drone        Load a service with simulated robots, and measure its throughput";

/// Bandits on graphs: an agent walks a graph, and every node pays random rewards from an unknown
/// law. What counts is the total reward of one long walk.
///
/// Without a command, gbandit reproduces the paper, like `gbandit reproduce`.
#[derive(Debug, Parser)]
#[command(version, after_long_help = FOR_OPERATORS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

impl Args {
    /// The command given, or `reproduce` with all its defaults.
    pub(crate) fn chosen(self) -> Command {
        self.command.unwrap_or_else(|| Self::parse_from(["gbandit", "reproduce"]).chosen())
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Compare agents on one graph: a table of regret with confidence intervals, and the curves.
    Run(RunArgs),
    /// Watch agents race in the browser: pick or draw a graph, press play, close roads, ask why.
    Play(PlayArgs),
    /// List the agents, graphs, means and reward laws, or explain one of them.
    List {
        /// What to explain: its use, its parameters and when to change them. Default: list names.
        name: Option<String>,

        /// List all agents, not only the few to choose from.
        #[arg(long, conflicts_with = "name")]
        all: bool,
    },
    /// Reproduce the paper: every experiment, every figure, and a verdict on every claim.
    Reproduce(ReproduceArgs),
    /// Run a study of your own from a TOML file, such as those in
    /// crates/graph-bandit-paper/experiments.
    Study(StudyArgs),
    /// Join the parts from --shard into one result.
    Merge(MergeArgs),
    /// Redraw the figures and the page of a result, without running anything.
    Plot(PlotArgs),
    /// Compare preset `program` with values measured from the authors' own program, as a Markdown
    /// table.
    Conformance(ConformanceArgs),
    /// Inspect a map, check it, or convert it to another format.
    Graph {
        #[command(subcommand)]
        command: GraphCommand,
    },
    /// Compare policies by their mean travel time over roads that may be closed.
    Route(RouteArgs),
    /// Compute the least regret that any agent can have on a tiny graph, and compare agents with it.
    Bayes(BayesArgs),
    /// Serve decisions to robots over HTTP: where to go next. No acknowledged report is lost.
    Serve(ServeArgs),
    /// Check whether a service can store reports now: exit code 0 if it can, 1 if not.
    Ready(ReadyArgs),
    /// Create a token for `serve`: printed once, with the line to keep in the token file.
    Token(TokenArgs),
    /// Maintain a store of `serve`: back it up, check it, move it, show what it holds.
    Store(StoreArgs),
    /// Load a service with simulated robots, and measure its throughput: a load test for operators.
    #[command(hide = true)]
    Drone(DroneArgs),
    /// Print the JSON Schema of study files.
    Schema,
    /// Print completions for a shell.
    Completions {
        /// The shell.
        shell: Shell,
    },
    /// Write the manual pages into a directory.
    Man {
        /// The directory.
        directory: PathBuf,
    },
}
