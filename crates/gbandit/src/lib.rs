//! `gbandit`: bandits on graphs from the command line. It connects the other crates and decides
//! nothing itself. It is a library so that the Python package offers the same command without a
//! second copy of the code.

mod args;
mod bayes;
mod best_node;
mod chart;
mod exit;
mod graph;
mod groups;
mod ink;
mod list;
mod manual;
mod number;
mod progress;
mod route;
mod run;
mod shown;
mod table;

#[cfg(feature = "report")]
mod campaign;
#[cfg(feature = "report")]
mod campaign_progress;
#[cfg(feature = "report")]
mod comparison;
#[cfg(feature = "report")]
mod conformance;

#[cfg(feature = "play")]
mod play;

#[cfg(feature = "serve")]
mod drone;
#[cfg(feature = "serve")]
mod limits;
#[cfg(feature = "serve")]
mod log;
#[cfg(feature = "serve")]
mod ready;
#[cfg(feature = "serve")]
mod serve;
#[cfg(feature = "serve")]
mod store;

use args::{Args, Command};
use clap::Parser;
use std::ffi::OsString;
use std::io::{Write, stdout};

/// Carries out the command in these arguments, without the program's name, and returns the exit
/// code.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let result = carry_out(arguments);
    // A host program may not flush standard output when it ends.
    exit::code(result.and_then(|()| Ok(stdout().flush()?)))
}

fn carry_out(arguments: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    // Before flags are read: they also know the paper's window.
    #[cfg(feature = "report")]
    graph_bandit_paper::register()?;
    // Help and errors say `gbandit`, however the program was found.
    match Args::parse_from(std::iter::once("gbandit".into()).chain(arguments)).chosen() {
        Command::Run(options) => run::run(&options),
        Command::Route(options) => route::route(&options),
        Command::Bayes(options) => bayes::bayes(&options),
        Command::List { name, all } => list::list(name.as_deref(), all),
        Command::Graph { command } => graph::graph(&command),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { directory } => manual::pages(&directory),

        #[cfg(feature = "report")]
        Command::Reproduce(options) => campaign::reproduce(&options),
        #[cfg(feature = "report")]
        Command::Study(options) => campaign::study(&options),
        #[cfg(feature = "report")]
        Command::Merge(options) => campaign::merge(&options),
        #[cfg(feature = "report")]
        Command::Plot(options) => campaign::plot(&options),
        #[cfg(feature = "report")]
        Command::Conformance(options) => conformance::conformance(&options),
        #[cfg(feature = "report")]
        Command::Schema => manual::schema(),
        #[cfg(not(feature = "report"))]
        Command::Reproduce(_)
        | Command::Study(_)
        | Command::Merge(_)
        | Command::Plot(_)
        | Command::Conformance(_)
        | Command::Schema => Err(exit::LeftOut("report").into()),

        #[cfg(feature = "play")]
        Command::Play(options) => play::play(&options),
        #[cfg(not(feature = "play"))]
        Command::Play(_) => Err(exit::LeftOut("play").into()),

        #[cfg(feature = "serve")]
        Command::Serve(options) => serve::serve(&options),
        #[cfg(feature = "serve")]
        Command::Ready(options) => ready::ready(&options),
        #[cfg(feature = "serve")]
        Command::Token(options) => serve::token(&options),
        #[cfg(feature = "serve")]
        Command::Store(options) => store::store(&options.command),
        #[cfg(feature = "serve")]
        Command::Drone(options) => drone::drone(&options),
        #[cfg(not(feature = "serve"))]
        Command::Serve(_)
        | Command::Ready(_)
        | Command::Token(_)
        | Command::Store(_)
        | Command::Drone(_) => Err(exit::LeftOut("serve").into()),
    }
}
