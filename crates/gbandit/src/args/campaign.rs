//! What is written of experiments: reproduction, studies, and what is made of their results.

use super::values::{jobs, named, whole, window};
use clap::Args as ClapArgs;
use graph_bandit::Preset;
use graph_bandit_lab::Window;
use graph_bandit_lab::campaign::{MOST_RUNS, Shard};
use std::path::PathBuf;

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct ReproduceArgs {
    /// Only these experiments, separated by commas.
    #[arg(long, value_name = "NAME,..", value_delimiter = ',')]
    pub(crate) only: Vec<String>,

    /// A look in seconds: 10 runs of everything, or less where runs are long. The page says so beside every
    /// verdict.
    #[arg(long)]
    pub(crate) quick: bool,

    /// Instead of the paper's experiments, those of the agents that go beyond it: tables and figures
    /// of their regret against G-UCB's.
    #[arg(long)]
    pub(crate) frontier: bool,

    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct StudyArgs {
    /// The study, in TOML.
    pub(crate) file: PathBuf,

    #[command(flatten)]
    pub(crate) campaign: CampaignArgs,
}

#[derive(Debug, Clone, ClapArgs)]
pub(crate) struct CampaignArgs {
    /// Where the results go. Default: report, report-quick, report-frontier, report-frontier-quick,
    /// or report-NAME of a study.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Whose details the figures show, where the paper and its authors' program differ.
    #[arg(long, value_parser = named::<Preset>())]
    pub(crate) preset: Option<Preset>,

    /// Which steps the figures show.
    #[arg(long, value_parser = window())]
    pub(crate) window: Option<Window>,

    /// Runs per agent and case, instead of each study's own number.
    #[arg(long, value_name = "N", value_parser = whole(1..=MOST_RUNS))]
    pub(crate) runs: Option<u64>,

    /// Where all randomness comes from, instead of each study's own seed.
    #[arg(long, value_name = "SEED")]
    pub(crate) seed: Option<u64>,

    /// Threads. Default: one per core. The results are the same for any number.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,

    /// Go on with what an interrupted run left in the directory.
    #[arg(long)]
    pub(crate) resume: bool,

    /// Start over, whatever an earlier run left in the directory.
    #[arg(long, conflicts_with = "resume")]
    pub(crate) force: bool,

    /// Make only part K of N; `gbandit merge` joins the parts.
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub(crate) shard: Option<Shard>,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct MergeArgs {
    /// The directories of the parts.
    #[arg(required = true, value_name = "DIR")]
    pub(crate) parts: Vec<PathBuf>,

    /// Where the joined result goes.
    #[arg(long, value_name = "DIR", default_value = "report")]
    pub(crate) out: PathBuf,

    /// Start over, whatever an earlier run left in the directory.
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
    /// Runs per pair of agent and graph, over 100 instances in turn.
    #[arg(long, value_name = "N", default_value_t = 1_000, value_parser = whole(200..=1_000_000))]
    pub(crate) runs: u64,

    /// Threads. Default: one per core. The results are the same for any number.
    #[arg(long, value_name = "N", value_parser = jobs())]
    pub(crate) jobs: Option<u16>,
}

/// Reads `K/N`, part K of N.
fn shard(text: &str) -> Result<Shard, String> {
    let parts =
        text.split_once('/').and_then(|(part, of)| Some((part.parse().ok()?, of.parse().ok()?)));
    match parts {
        Some((part, of)) if (1..=of).contains(&part) => Ok(Shard { part, of }),
        _ => Err("write K/N, part K of N, as in 2/8".to_owned()),
    }
}
