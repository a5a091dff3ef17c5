//! Arguments of the commands that run experiments and process their results.

use super::values::{integer, jobs, named, window};
use clap::Args as ClapArgs;
use graph_bandit::Preset;
use graph_bandit_lab::Window;
use graph_bandit_lab::campaign::{MOST_RUNS, Shard};
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ReproduceArgs {
    /// Run only these experiments, separated by commas.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// Take a quick look: 10 runs of everything; with --frontier, --change or --teams, fewer where runs are
    /// long. The page says so beside every verdict.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Run the experiments of the agents that go beyond the paper, instead of the paper's own:
    /// tables and figures of their regret against G-UCB's.
    #[arg(long)]
    pub(crate) frontier: bool,

    /// Run the experiments with rewards that change, instead of the paper's own: tables and figures
    /// of g-drift against agents that forget in other ways, and against G-UCB with restarts.
    #[arg(long, conflicts_with = "frontier")]
    pub(crate) change: bool,

    /// Run the experiments with teams, instead of the paper's own: Figure 2 of the paper on
    /// teams, with a ledger of its claims, and g-star for teams against Multi-G-UCB.
    #[arg(long, conflicts_with_all = ["frontier", "change"])]
    pub(crate) teams: bool,

    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StudyArgs {
    /// The study file, in TOML.
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct CampaignArgs {
    /// Write the results to this directory. Default: report-NAME for a study; otherwise report,
    /// followed by -frontier, -change, -teams and -quick if you give those flags.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Which preset the figures show. The paper and its authors' program differ in details.
    /// Default: each study's own.
    #[arg(long, value_parser = named::<Preset>())]
    pub(crate) preset: Option<Preset>,

    /// Which steps the figures count. Default: each study's own.
    #[arg(long, value_parser = window())]
    pub(crate) window: Option<Window>,

    /// Runs per agent and case. Default: each study's own number.
    #[arg(long, value_name = "N", value_parser = integer(1..=MOST_RUNS))]
    pub(crate) runs: Option<u64>,

    /// The seed of all randomness. Default: each study's own seed.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Number of threads. Default: one per core. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Continue an interrupted run in the --out directory, or make again what is damaged in its result.
    #[arg(long)]
    pub(crate) resume: bool,

    /// Start over, even if the directory holds an earlier run.
    #[arg(long, conflicts_with = "resume")]
    pub(crate) force: bool,

    /// Run only part K of N; `gbandit merge` joins the parts.
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// The directories of the parts.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) parts: Vec<PathBuf>,

    /// Write the joined result to this directory.
    #[arg(long, value_name = "DIR", default_value = "report")]
    pub(crate) out: PathBuf,

    /// Start over, even if the --out directory holds an earlier run.
    #[arg(long)]
    pub(crate) force: bool,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct PlotArgs {
    /// The directory of a complete result.
    pub(crate) directory: PathBuf,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ConformanceArgs {
    /// Runs per pair of agent and graph; they cycle through 100 instances.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = integer(200..=1_000_000))]
    pub(crate) runs: u64,

    /// Number of threads. Default: one per core. The results do not depend on it.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,
}

/// Reads `K/N`, part K of N.
fn shard(text: &str) -> Result<Shard, String> {
    let parts =
        text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err("write K/N for part K of N, for example 2/8".to_owned()),
    }
}
