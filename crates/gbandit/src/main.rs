//! `gbandit`: bandits on graphs from the command line. It wires the rooms together and decides
//! nothing.

mod args;
mod bench;
mod campaign;
mod chart;
mod comparison;
mod conformance;
mod drone;
mod exit;
mod graph;
mod groups;
mod limits;
mod list;
mod manual;
mod number;
mod progress;
mod run;
mod serve;
mod table;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Args::parse().chosen() {
        Command::Run(options) => run::run(&options),
        Command::List => list::list(),
        Command::Reproduce(options) => campaign::reproduce(&options),
        Command::Study(options) => campaign::study(&options),
        Command::Merge(options) => campaign::merge(&options),
        Command::Plot(options) => campaign::plot(&options),
        Command::Conformance(options) => conformance::conformance(&options),
        Command::Bench(options) => bench::bench(&options),
        Command::Graph { command } => graph::graph(&command),
        Command::Serve(options) => serve::serve(&options),
        Command::Token(options) => serve::token(&options),
        Command::Drone(options) => drone::drone(&options),
        Command::Schema => manual::schema(),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man { directory } => manual::pages(&directory),
    };
    exit::code(result)
}
