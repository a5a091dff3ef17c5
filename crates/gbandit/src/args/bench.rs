//! Arguments of `gbandit bench`.

use clap::{Args as ClapArgs, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, ClapArgs)]
pub(crate) struct BenchArgs {
    /// Measure only these sections. Default: all.
    #[arg(value_enum)]
    pub(crate) sections: Vec<SectionArg>,

    /// Take seconds instead of minutes: fewer rounds, smaller graphs.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Print one JSON object instead of tables; times are in seconds.
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write the JSON object to this file.
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Write the problems of section planning and their solutions to this directory, for
    /// bench/peers.
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) export: Option<PathBuf>,

    /// Carry out one measurement that needs its own process.
    #[arg(long, value_name = "JSON", hide = true)]
    pub(crate) probe: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SectionArg {
    /// Every agent on the paper's graphs, against its plain implementation.
    Runs,
    /// Shortest paths on large graphs, against petgraph.
    Planning,
    /// Time and memory against the number of nodes.
    Scale,
    /// Many runs on many cores.
    Studies,
    /// Runs and plans of teams.
    Teams,
}
