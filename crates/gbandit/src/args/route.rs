//! Arguments of `gbandit route`.

use super::values::{integer, jobs};
use clap::Args as ClapArgs;
use graph_bandit_lab::RouteStudy;
use std::path::PathBuf;

const ROUTE_EXAMPLES: &str = "Examples:
  gbandit route roads.csv --from 0 --to 4
  gbandit route roads.csv --from 0 --to 4 --policy exact --json
  gbandit route town.csv --from station --to harbour \\
    --policy optimistic,uct --runs 200 --rollouts 2000

The file has the columns source,target,time,open_probability; `time` is the whole travel time. Among
routes of equal cost, policies prefer fewer roads, then the lowest next node. Means are conditional
on start and goal being connected.";

#[derive(Debug, ClapArgs)]
#[command(after_help = ROUTE_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct RouteArgs {
    /// The roads: a file with the columns source, target, time and `open_probability` (default: 1).
    #[arg(value_name = "ROADS.csv")]
    pub(crate) roads: PathBuf,

    /// The node to start from.
    #[arg(long, value_name = "NODE")]
    pub(crate) from: String,

    /// The node to reach.
    #[arg(long, value_name = "NODE")]
    pub(crate) to: String,

    /// The policies to compare, separated by commas: exact (the optimum, for few uncertain roads),
    /// optimistic (takes the cheapest route not known to be closed), comparison (turns back when
    /// the goal is farther from here than from the start), uct (looks ahead by rollouts), or all.
    #[arg(long, value_name = "POLICY,..", default_value = "all")]
    pub(crate) policy: String,

    /// Make roads one-way, from source to target. A road's state is visible at both ends.
    #[arg(long)]
    pub(crate) directed: bool,

    /// How many weathers to simulate; a weather says which roads are open. Default: 1000. If few
    /// roads are uncertain, the default for optimistic and comparison is to compute exact means.
    #[arg(long, value_name = "N", value_parser = integer(1..=RouteStudy::MOST_RUNS))]
    pub(crate) runs: Option<u64>,

    /// Rollouts of uct per decision.
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = integer(1..=u64::from(RouteStudy::MOST_ROLLOUTS)))]
    pub(crate) rollouts: u64,

    /// The seed of all randomness.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = integer(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Number of threads. Default: one per core. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Print JSON instead of a table: one object, or a list of them for several policies.
    #[arg(long)]
    pub(crate) json: bool,
}

const _: () = assert!(RouteStudy::DEFAULT_RUNS == 1_000, "the help states this default");
