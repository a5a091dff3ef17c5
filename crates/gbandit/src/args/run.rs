//! Arguments of `gbandit run`.

use super::team::TeamArgs;
#[cfg(feature = "report")]
use super::values::parquet_file;
use super::values::{integer, jobs, named, window};
use crate::graph::MapArgs;
use clap::Args as ClapArgs;
use graph_bandit::run::{Against, RegretFrom};
use graph_bandit::{AgentSpec, Init, MAX_VISITS, Preset, Return, TapeKind};
use graph_bandit_lab::Window;

const RUN_EXAMPLES: &str = "Examples:
  gbandit run --graph grid:10x10
  gbandit run --graph grid:10x10 --agents g-ucb,ucrl2,local-ts,frontier
  gbandit run --graph roads.csv --agents g-ucb:bonus=0.5,g-ucb \\
    --noise gaussian:1
  gbandit run --graph grid:10x10 --closures 0.01,0.1
  gbandit run --graph grid:10x10 --walkers 5 --agents g-star,multi-g-ucb
  gbandit run --graph star:30 --means uniform:0,1 --noise bernoulli \\
    --steps 100000 --json

`gbandit list` shows agents, graphs and reward laws; `gbandit list g-star` explains one.";

/// The help of `--agents` names the few to choose from.
fn agents_help() -> String {
    let few: Vec<_> = AgentSpec::recommended().iter().map(|entry| entry.name).collect();
    format!(
        "The agents, separated by commas, such as {}; `gbandit list --all` shows all others. Write \
         parameters as in g-ucb:bonus=0.5. `paper` stands for all agents of the paper, `frontier` for \
         those that go beyond it, `changing` for those made for rewards that change, `baseline` for \
         random, epsilon-greedy and the oracle, which knows the means",
        few.join(", ")
    )
}

#[derive(Debug, ClapArgs)]
#[command(after_help = RUN_EXAMPLES, allow_negative_numbers = true)]
pub(crate) struct RunArgs {
    /// The graph: FAMILY:SIZE, such as grid:10x10, or a map file: .graphml, .geojson, .csv (an edge
    /// list: source,target) or .osm.pbf.
    #[arg(long, value_name = "FAMILY:SIZE|FILE")]
    pub(crate) graph: String,

    #[command(flatten)]
    pub(crate) map: MapArgs,

    #[arg(long, value_name = "AGENT,..", default_value = "g-star", help = agents_help())]
    pub(crate) agents: String,

    /// Mean rewards: drawn for each run, as in uniform:0.5,9.5, or read from a file, one row per
    /// run in turn, as in `file:means.csv`. Means that change: redrawn:0.5,9.5,4000 and the like, or
    /// read from a table, as in `changes:table.csv` (columns: `from` and one per node; each row
    /// holds from step `from` on).
    #[arg(long, value_name = "MEANS", default_value = "uniform:0.5,9.5")]
    pub(crate) means: String,

    /// The noise around the means: uniform:0.5, bernoulli, gaussian:1 and so on.
    #[arg(long, value_name = "NOISE", default_value = "uniform:0.5")]
    pub(crate) noise: String,

    /// Steps that count. They begin where `--regret-from` says.
    #[arg(long, value_name = "T", default_value_t = 20_000, value_parser = integer(1..=MAX_VISITS))]
    pub(crate) steps: u64,

    /// Runs per agent.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = integer(1..=u64::MAX))]
    pub(crate) runs: u64,

    /// The seed of all randomness.
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = integer(0..=u64::MAX))]
    pub(crate) seed: u64,

    /// Which details to follow where the paper and its authors' program differ.
    #[arg(long, value_parser = named::<Preset>(), default_value_t = Preset::Paper)]
    pub(crate) preset: Preset,

    /// Which steps count: the first T, or the last T of a run that ends with a complete leg. Use
    /// `last` only to compare with the paper's published figures.
    #[arg(long, value_parser = window(), default_value_t = Window::FIRST)]
    pub(crate) window: Window,

    /// Roads close and reopen at random, as in 0.01,0.1: the rate at which an open road closes,
    /// then the rate at which a closed road reopens, per unit of time. With a reopening rate of 0,
    /// roads close for good. Agents see a road's state at either end. Regret is measured against
    /// the best reachable node. `map` takes the rates of each road from the map: `closing_rate` and
    /// `reopening_rate`.
    #[arg(long, value_name = "RATE,RATE|map", allow_hyphen_values = true)]
    pub(crate) closures: Option<String>,

    /// Noise of travel times: the standard deviation as a multiple of the road's mean, which is the
    /// map's time. Agents learn travel times from their drives.
    #[arg(long, value_name = "SCALE")]
    pub(crate) travel_noise: Option<f64>,

    #[command(flatten)]
    pub(crate) team: TeamArgs,

    /// The start node, by name or number. Default: 0. With `--walkers`, use `--starts`.
    #[arg(long, value_name = "NODE")]
    pub(crate) start: Option<String>,

    /// How initialization covers the graph. Agents that lead teams have their own way.
    #[arg(long, value_parser = named::<Init>(), default_value_t = Init::Lowest)]
    pub(crate) init: Init,

    /// How the agent returns to its start after initialization.
    #[arg(
        long = "return",
        value_name = "RETURN",
        conflicts_with = "walkers",
        value_parser = named::<Return>(),
        default_value_t = Return::Jump
    )]
    pub(crate) back: Return,

    /// The first step that counts: `--steps`, checkpoints and regret all count from there. Default:
    /// `cover` for one walker, `start` for teams.
    #[arg(long, value_parser = named::<RegretFrom>())]
    pub(crate) regret_from: Option<RegretFrom>,

    /// How rewards are drawn; `sums` is for legs of a thousand visits and more.
    #[arg(long, value_parser = named::<TapeKind>(), default_value_t = TapeKind::OneByOne)]
    pub(crate) tape: TapeKind,

    /// What regret is measured against.
    #[arg(long, value_parser = named::<Against>(), default_value_t = Against::Free)]
    pub(crate) against: Against,

    /// How many times to record regret: at t = floor(T k / K) for k = 1 to K.
    #[arg(long, value_name = "K", default_value_t = 20, value_parser = integer(1..=1_000_000))]
    pub(crate) checkpoints: u64,

    /// Number of threads. Default: one per core. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Also write every visit of every run to a Parquet file, whose name must end in .parquet: run,
    /// agent, t, node, reward, leg, phase; for teams also walker and draw. This repeats the runs.
    #[cfg(feature = "report")]
    #[arg(long, value_name = "FILE", value_parser = parquet_file())]
    pub(crate) trajectories: Option<std::path::PathBuf>,

    /// Print one JSON object instead of the table and the curves.
    #[arg(long)]
    pub(crate) json: bool,
}
