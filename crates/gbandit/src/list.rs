//! `gbandit list`: what there is, in a line or two each, or one entry in full.

use crate::table::{described, text_width, wrapped};
use graph_bandit::agents::Oracle;
use graph_bandit::spec::{
    AgentEntry, AgentSpec, Entry, FamilyEntry, MeansEntry, MeansSpec, Named, NoiseEntry,
    RewardSpec, ShareEntry, ShareSpec, Spec, TeamEntry, TeamSpec, TextForm,
};
use graph_bandit::{Graph, GraphSpec, Origin, Preset, nearest_name};
use std::fmt;
use std::io::{Write, stdout};

pub(crate) fn list(name: Option<&str>, all: bool) -> anyhow::Result<()> {
    let text = match name {
        None => names(all),
        Some(name) => pages(name)?,
    };
    write!(stdout().lock(), "{text}")?;
    Ok(())
}

/// No entry has this name.
#[derive(Debug)]
pub(crate) struct Unknown {
    name: String,
    near: Option<&'static str>,
}

impl fmt::Display for Unknown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no {:?}; ", self.name)?;
        match self.near {
            Some(near) => write!(f, "did you mean {near}?"),
            None => f.write_str("`gbandit list --all` shows all names"),
        }
    }
}

impl std::error::Error for Unknown {}

/// Means that a file contains.
struct OfFile {
    name: &'static str,
    summary: &'static str,
    about: &'static str,
    /// A file for the example, and what it contains.
    file: &'static str,
    content: &'static [&'static str],
}

const OF_FILES: [OfFile; 2] = [
    OfFile {
        name: "file",
        summary: "one row of means per run, used in turn",
        about: "Each line of the file has one mean per node, separated by commas. The first run \
                uses the first line, the second run the second, and so on; after the last line it \
                starts again. A header may have the names of the nodes.",
        file: "means.csv",
        content: &["0.3,0.5,0.9", "0.8,0.1,0.4"],
    },
    OfFile {
        name: "changes",
        summary: "a table of means that change, the same in every run",
        about: "The file is a table, separated by commas. Its header is `from` and then the nodes, \
                by number or name. Each row holds from its time on, until the next row. Time counts \
                from the first step after initialization. The first row begins at 0. Comments are \
                not allowed.",
        file: "town.csv",
        content: &["from,0,1,2", "0,0.3,0.5,0.9", "1000,0.3,0.8,0.1"],
    },
];

impl OfFile {
    fn page(&self) -> String {
        let Self { name, about, file, .. } = self;
        let content = format!("  {}\n", self.content.join("\n  "));
        format!(
            "{name}: a {} (--means)\n\n{}\nWritten {name}:FILE, as in {name}:{file}\n\n\
             A file for three nodes\n\n{content}\n\
             Example\n\n  gbandit run --graph line:3 --means {name}:{file}\n",
            MeansEntry::KIND,
            paragraph(about)
        )
    }
}

/// The agents of a group, each with its summary.
fn members(group: Origin) -> Vec<(String, String)> {
    let of_group = AgentSpec::entries().into_iter().filter(|entry| entry.origin == group);
    let mut rows = summaries(of_group);
    if group == Origin::Baseline {
        rows.push((Oracle::NAME.to_owned(), Oracle::SUMMARY.to_owned()));
    }
    rows
}

fn summaries<E: Entry>(entries: impl IntoIterator<Item = &'static E>) -> Vec<(String, String)> {
    let of = |entry: &E| (entry.name().to_owned(), entry.summary().to_owned());
    entries.into_iter().map(of).collect()
}

/// A group of agents, and a command that runs all of them.
fn group_page(group: Origin) -> String {
    let about = format!("{} In --agents, {group} stands for all of these:", group.help());
    // Some agents of this group need a complete graph, and rewards from 0 to 1.
    let world = if group == Origin::Changing {
        "--graph complete:10 --means redrawn:0.1,0.9,4000 --noise bernoulli"
    } else {
        "--graph grid:10x10"
    };
    format!(
        "{group}: a group of agents (--agents)\n\n{}\n{}\n{}",
        paragraph(&about),
        described(&members(group)),
        run_with(&format!("{world} --agents {group}"))
    )
}

/// All names, or only the few agents to choose from.
fn names(all: bool) -> String {
    let few = AgentSpec::recommended();
    let mut text = String::new();
    let mut more = 0;
    for &origin in Origin::ALL {
        let members = members(origin);
        more += members.len();
        if all {
            let heading = format!("Agents (--agents), group {origin}. {}", origin.help());
            text.extend([format!("{}\n{}\n", paragraph(&heading), described(&members))]);
        }
    }
    more -= few.len();
    if !all {
        text.extend([format!("Agents (--agents)\n\n{}\n", described(&summaries(few)))]);
    }
    let heading = "Agents (--agents) that lead teams (--walkers). With any other agent, every walker \
        learns by itself.";
    let leaders = described(&summaries(TeamSpec::entries()));
    text.extend([format!("{}\n{leaders}\n", paragraph(heading))]);
    text += "Graphs (--graph), or a map file: GraphML, GeoJSON, edge list, .osm.pbf\n\n";
    text += &described(&rows(&GraphSpec::entries()));
    text += "\nMean rewards (--means)\n\n";
    let mut means = rows(&MeansSpec::entries());
    means.extend(OF_FILES.map(|OfFile { name, summary, file, .. }| {
        row(&format!("{name}:FILE"), summary, &format!("{name}:{file}"))
    }));
    text += &described(&means);
    text += "\nReward laws (--noise), around the mean of each node\n\n";
    let mut noises = rows(&RewardSpec::entries());
    let several = "each node one of them at random, drawn again for every run";
    let best = "the first on the best node, the second on all others";
    noises.push(row("NOISE|NOISE|..", several, "uniform:0.1|uniform:0.5"));
    noises.push(row("best=NOISE|NOISE", best, "best=uniform:0.5|uniform:0.1"));
    text += &described(&noises);
    text += "\nShares (--share): what several walkers on one node are worth\n\n";
    let mut shares = rows(&ShareSpec::entries());
    let of_file = "one row per node, f(1),f(2),.., without a header";
    shares.push(row("file:FILE", of_file, "file:shares.csv"));
    text += &described(&shares);
    text += "\n`gbandit list NAME` explains one of them, and when to change its parameters.\n";
    if !all {
        text.extend([format!("There are {more} more agents: `gbandit list --all` shows them.\n")]);
    }
    text
}

fn row(written: &str, summary: &str, example: &str) -> (String, String) {
    (written.to_owned(), format!("{summary}, as in {example}"))
}

fn rows<E: Entry>(entries: &[&'static E]) -> Vec<(String, String)> {
    entries.iter().map(|entry| row(&entry.usage(), entry.summary(), entry.example())).collect()
}

/// A graph for the example of an agent; some need a complete one.
fn example_graph(agent: &str) -> &'static str {
    let spec = AgentSpec::named(agent, Preset::Paper);
    let walks_grids = Graph::grid(2, 2).ok().zip(spec);
    let walks_grids = walks_grids.is_some_and(|(grid, spec)| spec.build(&grid).is_ok());
    if walks_grids { "grid:10x10" } else { "complete:10" }
}

/// Every entry of that name, in full: a law and a kind of means may share a name.
fn pages(text: &str) -> Result<String, Unknown> {
    let name = text.split_once(':').map_or(text, |(name, _)| name).trim();
    let found: Vec<String> = [
        page::<AgentEntry>(name, "--agents", |entry| {
            let parameter = entry.parameters().first();
            let first = parameter.and_then(|first| Some((first.name(), first.default()?)));
            let mut set = first.map(|(name, value)| format!(":{name}={value}")).unwrap_or_default();
            if entry.name == "g-horizon" {
                // 20,000 steps and those of initialization; without a horizon, the run would warn.
                set += ",horizon=20181";
            }
            let graph = example_graph(entry.name);
            format!("--graph {graph} --agents {}{set}", entry.name)
        }),
        page::<TeamEntry>(name, "--agents, with --walkers", |entry| {
            format!("--graph grid:10x10 --walkers 3 --agents {}", entry.name)
        }),
        page::<ShareEntry>(name, "--share", |entry| {
            format!("--graph grid:10x10 --walkers 3 --share {}", entry.example)
        }),
        page::<FamilyEntry>(name, "--graph", |entry| format!("--graph {}", entry.example)),
        page::<MeansEntry>(name, "--means", |entry| {
            // Means of the same name as a graph are for this graph.
            let own = GraphSpec::entries().iter().any(|family| family.name == entry.name);
            let graph = if own { entry.name } else { "line:3" };
            format!("--graph {graph} --means {}", entry.example)
        }),
        page::<NoiseEntry>(name, "--noise", |entry| {
            format!("--graph line:3 --means needle:.1,.9 --noise {} --agents g-ucb", entry.example)
        }),
    ]
    .into_iter()
    .flatten()
    .collect();
    if name == Oracle::NAME {
        let (about, example) =
            (paragraph(Oracle::ABOUT), "--graph grid:10x10 --agents oracle,g-star");
        return Ok(format!(
            "{name}: an agent (--agents)\n\n{about}\nWritten {name}\n\n{}",
            run_with(example)
        ));
    }
    if let Some(means) = OF_FILES.iter().find(|means| means.name == name) {
        return Ok(means.page());
    }
    if let Ok(group) = Origin::of_name(name) {
        return Ok(group_page(group));
    }
    if found.is_empty() {
        let families = GraphSpec::names().into_iter().chain(MeansSpec::names());
        let known = AgentSpec::names().into_iter().chain(families).chain(RewardSpec::names());
        let known = known.chain(TeamSpec::names()).chain(ShareSpec::names());
        let known = known.chain([Oracle::NAME]).chain(OF_FILES.map(|means| means.name));
        let known = known.chain(Origin::ALL.iter().map(|group| group.name()));
        return Err(Unknown { name: name.to_owned(), near: nearest_name(name, known) });
    }
    Ok(found.join("\n"))
}

/// An entry's purpose, its syntax, its parameters, and a command that uses it.
fn page<E: Entry>(name: &str, flag: &str, example: fn(&E) -> String) -> Option<String> {
    let entry = Spec::<E>::entries().into_iter().find(|entry| entry.name() == name)?;
    let kind = E::KIND;
    let mut page = format!("{name}: {} {kind} ({flag})\n\n", article(kind));
    page += &paragraph(entry.about());
    page.extend(["\n".to_owned(), paragraph(&format!("Written {}", written(entry)))]);
    if !entry.parameters().is_empty() {
        page += "\nParameters\n";
    }
    for parameter in entry.parameters() {
        let default = parameter.default();
        let default = default.map_or("no default".to_owned(), |value| format!("default: {value}"));
        let need = parameter.kind().need();
        let help = format!("{}: {}", parameter.name(), parameter.help());
        page.extend([format!("\n  {}", indented(&help).trim_start())]);
        page += &indented(&format!("{default}; {need}"));
        page += &indented(&format!("When to change it: {}", parameter.when()));
    }
    Some(page + "\n" + &run_with(&example(entry)))
}

fn article(kind: &str) -> &'static str {
    if kind.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn written<E: Entry>(entry: &E) -> String {
    match E::TEXT {
        TextForm::ByName if entry.parameters().is_empty() => entry.name().to_owned(),
        TextForm::ByName => {
            format!("{0}, or {0}:NAME=VALUE,.. with any of the parameters below", entry.name())
        }
        TextForm::InOrder => format!("{}, as in {}", entry.usage(), entry.example()),
    }
}

/// A command as an example; in a narrow terminal, broken as a shell reads it.
fn run_with(flags: &str) -> String {
    let command = format!("gbandit run {flags}");
    let fits = command.chars().count() + 2 <= text_width();
    // Beside the words: four spaces before them, and the mark behind them.
    let room = if fits { usize::MAX } else { text_width().saturating_sub(6) };
    format!("Example\n\n  {}\n", wrapped(&command, room).join(" \\\n    "))
}

fn paragraph(text: &str) -> String {
    wrapped(text, text_width()).into_iter().map(|line| line + "\n").collect()
}

fn indented(text: &str) -> String {
    wrapped(text, text_width().saturating_sub(4))
        .into_iter()
        .map(|line| "    ".to_owned() + &line + "\n")
        .collect()
}
