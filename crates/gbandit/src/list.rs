//! `gbandit list`: what there is.

use crate::table::left_table;
use graph_bandit::Preset;
use graph_bandit::spec::{AgentSpec, GraphSpec, KindInfo, MeansSpec, RewardSpec};
use std::io::{Write, stdout};

pub(crate) fn list() -> anyhow::Result<()> {
    let agents = AgentSpec::all(Preset::Paper);
    let agents = agents.iter().map(|agent| {
        let parameters = agent.parameters().into_iter().map(|(key, value)| {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            format!("{key}={value}")
        });
        let parameters = parameters.collect::<Vec<_>>().join(" ");
        [agent.name().to_owned(), agent.summary().to_owned(), parameters]
    });
    let mut means = rows(MeansSpec::kinds());
    let file = ["file:CSV", "one row of means per run, used in turn", "file:means.csv"];
    means.push(file.map(str::to_owned));
    let mut out = stdout().lock();
    writeln!(out, "Agents (--agents), with the parameters of preset paper\n")?;
    writeln!(out, "{}", left_table(&agents.collect::<Vec<_>>()))?;
    writeln!(out, "Graphs (--graph), or the path of an edge-list file\n")?;
    writeln!(out, "{}", left_table(&rows(GraphSpec::families())))?;
    writeln!(out, "Mean rewards (--means)\n")?;
    writeln!(out, "{}", left_table(&means))?;
    writeln!(out, "Reward laws (--noise), around the mean of each node\n")?;
    write!(out, "{}", left_table(&rows(RewardSpec::kinds())))?;
    Ok(())
}

fn rows(kinds: &[KindInfo]) -> Vec<[String; 3]> {
    let row = |kind: &KindInfo| [kind.usage, kind.description, kind.example].map(str::to_owned);
    kinds.iter().map(row).collect()
}
