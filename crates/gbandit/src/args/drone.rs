//! Arguments of `gbandit drone`.

use super::values::integer;
use crate::graph::MapArgs;
use clap::{Args as ClapArgs, ValueEnum};

const DRONE_EXAMPLES: &str = "Examples:
  gbandit drone --graph grid:10x10
  gbandit drone --server http://127.0.0.1:8080 --drones 100 --reports 1000 \\
    --tell reward --rate 3000
  gbandit drone --name large --graph grid:316x316 --covered
  gbandit drone --name town --graph town.graphml \\
    --times travel_time --visit-time 30

On a map whose roads take time, drones report how long their steps took.

If the service needs a token, set the environment variable GBANDIT_TOKEN.";

#[derive(Debug, ClapArgs)]
#[command(after_help = DRONE_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct DroneArgs {
    /// The URL of the service. Repeat it for several processes of a service: each drone uses one of
    /// them.
    #[arg(long = "server", value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) servers: Vec<String>,

    /// The graph to fly: FAMILY:SIZE, such as grid:10x10, or a map file.
    #[arg(long, value_name = "FAMILY:SIZE|FILE", default_value = "grid:10x10")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// The agent that guides the drones.
    #[arg(long, value_name = "AGENT", default_value = "g-star")]
    pub(crate) agent: String,

    /// Mean rewards that do not change, as for `gbandit run`.
    #[arg(long, value_name = "MEANS", default_value = "uniform:0.5,9.5")]
    pub(crate) means: String,

    /// The noise around the means.
    #[arg(long, value_name = "NOISE", default_value = "uniform:0.5")]
    pub(crate) noise: String,

    /// Noise of travel times, as for `gbandit run`: the standard deviation as a multiple of the
    /// road's mean. Drones report how long their steps took, and agents learn from it.
    #[arg(long, value_name = "SCALE", allow_hyphen_values = true)]
    pub(crate) travel_noise: Option<f64>,

    /// Before the drones fly, show every agent one reward of each node that it has not seen, as if
    /// others had collected it. For large graphs: agents then decide from the first report on.
    #[arg(long)]
    pub(crate) covered: bool,

    /// How many drones fly at the same time, each with its own agent and world.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = integer(1..=100_000))]
    pub(crate) drones: u64,

    /// Number of threads. Default: one per drone, at most 400.
    #[arg(long, value_name = "N", value_parser = integer(1..=1_000))]
    pub(crate) threads: Option<u64>,

    /// How many reports each drone makes.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = integer(1..=u64::MAX))]
    pub(crate) reports: u64,

    /// What a report contains.
    #[arg(long, value_enum, default_value_t = TellArg::Leg)]
    pub(crate) tell: TellArg,

    /// How many reports per second all drones together should make, even if answers are slow.
    /// Latency then counts from the moment a report was due. Default: as many as the service
    /// answers.
    #[arg(long, value_name = "N", value_parser = integer(1..=1_000_000))]
    pub(crate) rate: Option<u64>,

    /// The agents are called NAME-0, NAME-1 and so on. Agents that already exist continue where
    /// they left off.
    #[arg(long, value_name = "NAME", default_value = "drone")]
    pub(crate) name: String,

    /// The seed of all randomness.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = integer(0..=u64::MAX))]
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
