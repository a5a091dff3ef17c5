//! What the command line looks like.

mod bench;
mod campaign;
mod drone;
mod run;
mod serve;
mod values;

pub(crate) use bench::{BenchArgs, SectionArg};
pub(crate) use campaign::{
    CampaignArgs, ConformanceArgs, MergeArgs, PlotArgs, ReproduceArgs, StudyArgs,
};
pub(crate) use drone::{DroneArgs, TellArg};
pub(crate) use run::RunArgs;
pub(crate) use serve::{LogArg, ServeArgs, TokenArgs};
pub(crate) use values::whole;

use crate::graph::GraphCommand;
use clap::{Parser, Subcommand};
use clap_complete::Shell;
use std::path::PathBuf;

/// Bandits on graphs: an agent walks a graph, every node pays from an unknown law, and the total
/// over one long walk counts.
///
/// Without a command it reproduces the paper: the same as `gbandit reproduce`.
#[derive(Debug, Parser)]
#[command(version)]
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
    /// Show which agents, graphs, means and reward laws there are.
    List,
    /// Reproduce the paper: every experiment, every figure, and a verdict on every claim.
    Reproduce(ReproduceArgs),
    /// Carry out a study of your own from a TOML file; the paper's are in experiments/.
    Study(StudyArgs),
    /// Join the parts that --shard made into one result.
    Merge(MergeArgs),
    /// Draw the figures and the page of a result anew, without running.
    Plot(PlotArgs),
    /// Compare preset program with figures measured from the authors' own program: a Markdown table.
    Conformance(ConformanceArgs),
    /// Measure how fast this machine runs, plans and scales, against a plain implementation.
    Bench(BenchArgs),
    /// Look at a map, check it, or write it in another format.
    Graph {
        #[command(subcommand)]
        command: GraphCommand,
    },
    /// Answer robots over HTTP: where to go next, and nothing they tell is ever lost.
    Serve(ServeArgs),
    /// Make a token for `serve`: printed once, with the line to keep in its file.
    Token(TokenArgs),
    /// Play simulated robots against a service, and measure its rate.
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
