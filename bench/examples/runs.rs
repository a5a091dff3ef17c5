//! Makes R equal runs of one agent on one graph, for counting instructions: `runs AGENT GRAPH R
//! [plain]`, where AGENT is a name, with `:program` for that preset, and GRAPH the paper's name of
//! the graph. `bench/callgrind` calls it.

use anyhow::{Context, Result};
use graph_bandit::Preset;
use graph_bandit_bench::instances::INSTANCES;
use graph_bandit_bench::plain::PlainAgent;
use graph_bandit_bench::runs::Setting;
use std::hint::black_box;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [agent, graph, runs, rest @ ..] = &args[..] else {
        anyhow::bail!("usage: runs AGENT[:program] GRAPH RUNS [plain]");
    };
    let (name, preset) = match agent.split_once(':') {
        Some((name, "program")) => (name, Preset::Program),
        _ => (agent.as_str(), Preset::Paper),
    };
    let mut agents = PlainAgent::ALL.into_iter();
    let agent = agents
        .find(|a| a.name() == name && a.preset() == preset)
        .context("there is no such agent")?;
    let instance = INSTANCES.iter().find(|i| i.title == graph).context("there is no such graph")?;
    let setting = Setting::new(agent, instance, 1)?;
    for _ in 0..runs.parse::<u64>().context("RUNS must be a whole number")? {
        if rest.is_empty() {
            black_box(setting.library(0)?);
        } else {
            black_box(setting.plain(0));
        }
    }
    Ok(())
}
