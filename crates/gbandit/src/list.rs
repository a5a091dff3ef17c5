//! `gbandit list`: what there is.

use crate::table::left_table;
use graph_bandit::Preset;
use graph_bandit::spec::{AgentSpec, Entry, GraphSpec, MeansSpec, RewardSpec};
use std::io::{Write, stdout};

pub(crate) fn list() -> anyhow::Result<()> {
    let agents = AgentSpec::all(Preset::Paper);
    let agents = agents.iter().map(|agent| {
        let parameters = agent
            .parameters()
            .into_iter()
            .map(|(key, value)| format!("{key}={}", value.in_label()));
        let parameters = parameters.collect::<Vec<_>>().join(" ");
        [agent.name().to_owned(), agent.summary().to_owned(), parameters]
    });
    let mut means = rows(MeansSpec::entries());
    let file = ["file:CSV", "one row of means per run, used in turn", "file:means.csv"];
    means.push(file.map(str::to_owned));
    let mut out = stdout().lock();
    writeln!(out, "Agents (--agents), with the parameters of preset paper\n")?;
    writeln!(out, "{}", left_table(&agents.collect::<Vec<_>>()))?;
    writeln!(
        out,
        "Graphs (--graph), or the file of a map: GraphML, GeoJSON, edge list, DOT, .osm.pbf\n"
    )?;
    writeln!(out, "{}", left_table(&rows(GraphSpec::entries())))?;
    writeln!(out, "Mean rewards (--means)\n")?;
    writeln!(out, "{}", left_table(&means))?;
    writeln!(out, "Reward laws (--noise), around the mean of each node\n")?;
    let mut noises = rows(RewardSpec::entries());
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

fn rows<E: Entry>(entries: Vec<&'static E>) -> Vec<[String; 3]> {
    let row = |entry: &E| [entry.usage(), entry.summary().into(), entry.example().into()];
    entries.into_iter().map(row).collect()
}
