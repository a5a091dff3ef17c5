//! What is written of measurements.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Only these sections. Default: all of them.
    #[arg(value_enum)]
    pub(crate) sections: Vec<SectionArg>,

    /// A look in seconds: fewer rounds, smaller graphs.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object instead of tables; times are in seconds.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the JSON object into this file as well.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write the problems of section planning and their solutions into this directory, for
    /// bench/peers.
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) export: Option<PathBuf>,

    /// Carry out one measurement that wants a process of its own.
    #[arg(long, value_name = "JSON", hide = true)]
    pub(crate) probe: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SectionArg {
    /// Every agent on the paper's graphs, and its plain implementation.
    Runs,
    /// Shortest paths on large graphs, and petgraph's.
    Planning,
    /// Time and memory against the number of nodes.
    Scale,
    /// Many runs on many cores.
    Studies,
}
