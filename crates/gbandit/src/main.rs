//! `gbandit`: bandits on graphs from the command line. It wires the rooms together and decides
//! nothing.

mod args;
mod chart;
mod conformance;
mod exit;
mod list;
mod number;
mod progress;
mod run;
mod table;

use args::{Args, Command};
use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Args::parse().command {
        Command::Run(options) => run::run(&options),
        Command::List => list::list(),
        Command::Conformance(options) => conformance::conformance(&options),
    };
    exit::code(result)
}
