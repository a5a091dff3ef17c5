//! Arguments of `gbandit bayes`.

use super::values::{integer, jobs, named, positive};
use crate::graph::MapArgs;
use clap::Args as ClapArgs;
use graph_bandit::{Init, MAX_VISITS};

const BAYES_EXAMPLES: &str = "Examples:
  gbandit bayes --graph line:3 --steps 10
  gbandit bayes --graph line:3 --steps 10 --json
  gbandit bayes --graph line:3 --steps 8 --start 1 --seen 0=2/3,1=0/1
  gbandit bayes --graph complete:3 --steps 60 --agents g-star,g-ucb --runs 1000

Every node pays 1 with an unknown probability, uniform between 0 and 1, and otherwise 0. The walker
begins at the start node and has visited nothing. In each step it stays or takes a road, and then
collects the reward of its node. Regret is measured against the expected mean of the best node.";

#[derive(Debug, ClapArgs)]
#[command(after_help = BAYES_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct BayesArgs {
    /// The graph: FAMILY:SIZE, such as line:3, or a map file. It must be tiny: three nodes allow
    /// some 80 steps, two nodes some 700.
    #[arg(long, value_name = "FAMILY:SIZE|FILE")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    /// Steps of the walk; units of time if roads take time.
    #[arg(long, value_name = "T", value_parser = integer(1..=MAX_VISITS))]
    pub(crate) steps: u64,

    /// The start node, by name or number. Default: 0.
    #[arg(long, value_name = "NODE")]
    pub(crate) start: Option<String>,

    /// Rewards seen before the first step, as ONES/VISITS of a node: `0=2/3,1=0/1`. Default:
    /// nothing was seen.
    #[arg(long, value_name = "NODE=ONES/VISITS,..", conflicts_with = "agents")]
    pub(crate) seen: Option<String>,

    /// Also measure these agents in worlds drawn from the prior, and compare their regret with the
    /// least possible. Names and groups as in `gbandit run`.
    #[arg(long, value_name = "AGENT,..")]
    pub(crate) agents: Option<String>,

    /// Runs per agent.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = integer(1..=u64::MAX))]
    pub(crate) runs: u64,

    /// How agents cover the graph before they decide; these steps count, too.
    #[arg(long, value_parser = named::<Init>(), default_value_t = Init::Lowest)]
    pub(crate) init: Init,

    /// The seed of all randomness.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = integer(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// The most memory that the computed values may take, in GiB.
    #[arg(long, value_name = "GIB", default_value_t = 2.0, value_parser = positive())]
    pub(crate) memory: f64,

    /// Number of threads for the runs of agents. Default: one per core. The results do not depend on
    /// it.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Print one JSON object instead of tables.
    #[arg(long)]
    pub(crate) json: bool,
}
