//! What is written of simulated robots.

use super::values::whole;
use crate::graph::MapArgs;
use clap::{Args as ClapArgs, ValueEnum};

const DRONE_EXAMPLES: &str = "Examples:
  gbandit drone --graph grid:10x10
  gbandit drone --server http://127.0.0.1:8080 --drones 100 --reports 1000 --tell reward --rate 3000
  gbandit drone --graph town.graphml --times travel_time --visit-time 30

On a map whose roads take time, drones tell how long their steps took.

A token is read from the environment: GBANDIT_TOKEN.";

#[derive(Debug, ClapArgs)]
#[command(after_help = DRONE_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct DroneArgs {
    /// The service. May be given several times: each drone uses one of its processes.
    #[arg(long = "server", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) servers: Vec<String>,

    /// The graph they fly: FAMILY:SIZE, such as grid:10x10, or the file of a map.
    #[arg(long, value_name = "FAMILY:SIZE|FILE", default_value = "grid:10x10")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The agent that sends them.
    #[arg(long, value_name = "AGENT", default_value = "g-star")]
    pub(crate) agent: String,

    /// Mean rewards, as for `gbandit run`.
    #[arg(long, value_name = "MEANS", default_value = "uniform:0.5,9.5")]
    pub(crate) means: String,

    /// The noise around the means.
    #[arg(long, value_name = "NOISE", default_value = "uniform:0.5")]
    pub(crate) noise: String,

    /// Noise of the time that drives take, as for `gbandit run`: its standard deviation as a multiple of the road's
    /// mean. Drones tell how long their steps took, and agents learn from it.
    #[arg(long, value_name = "SCALE", allow_hyphen_values = true)]
    pub(crate) travel_noise: Option<f64>,

    /// How many fly at the same time, each with an agent and a world of its own.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=100_000))]
    pub(crate) drones: u64,

    /// How many threads fly them. Default: one for each drone, at most 400.
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000))]
    pub(crate) threads: Option<u64>,

    /// How many reports each makes.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(1..=u64::MAX))]
    pub(crate) reports: u64,

    /// What a report holds.
    #[arg(long, value_enum, default_value_t = TellArg::Leg)]
    pub(crate) tell: TellArg,

    /// How many reports all drones together make in a second, whether answered or not: times are
    /// then counted from when a report was due. Default: as many as are answered.
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000))]
    pub(crate) rate: Option<u64>,

    /// What their agents are called, a number after it; where such are, they are flown on.
    #[arg(long, value_name = "NAME", default_value = "drone")]
    pub(crate) name: String,

    /// Where all randomness comes from.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = whole(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Print one JSON object instead of a table; times are in seconds.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TellArg {
    /// A whole leg.
    Leg,
    /// One reward.
    Reward,
}
