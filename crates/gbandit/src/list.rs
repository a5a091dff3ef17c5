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
    writeln!(
        out,
        "Graphs (--graph), or the file of a map: GraphML, GeoJSON, edge list, DOT, .osm.pbf\n"
    )?;
    writeln!(out, "{}", left_table(&rows(GraphSpec::families())))?;
    writeln!(out, "Mean rewards (--means)\n")?;
    writeln!(out, "{}", left_table(&means))?;
    writeln!(out, "Reward laws (--noise), around the mean of each node\n")?;
    let mut noises = rows(RewardSpec::kinds());
    let several = [
        [
            "NOISE|NOISE|..",
            "each node one of them at random, anew for every run",
            "uniform:0.1|uniform:0.5",
        ],
        [
            "best=NOISE|NOISE",
            "the first on the best node, the second on all others",
            "best=uniform:0.5|uniform:0.1",
        ],
    ];
    noises.extend(several.map(|row| row.map(str::to_owned)));
    write!(out, "{}", left_table(&noises))?;
    Ok(())
}

fn rows(kinds: &[KindInfo]) -> Vec<[String; 3]> {
    let row = |kind: &KindInfo| [kind.usage, kind.description, kind.example].map(str::to_owned);
    kinds.iter().map(row).collect()
}
