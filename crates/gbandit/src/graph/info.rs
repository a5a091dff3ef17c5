//! `gbandit graph info`.

use super::args::InfoArgs;
use super::{read, roads};
use crate::number::{rounded, with_commas};
use crate::shown::in_cell;
use crate::table::left_table;
use graph_bandit_maps::{AttributeSummary, Component, ReadOptions, Reading, Summary};
use serde_json::json;
use std::io::{Write, stdout};

/// Longer lists of parts are cut off.
const LISTED: usize = 10;

pub(crate) fn info(args: &InfoArgs) -> anyhow::Result<()> {
    // Several parts are not an error here: `info` describes them too.
    let rates = args.rates.rates();
    let options = ReadOptions { component: Component::Largest, rates, ..args.map.options() };
    let reading = read(&args.graph, options)?;
    let summary = Summary::of(&reading.map);
    let mut out = stdout().lock();
    if args.json {
        let mut object = serde_json::to_value(&summary)?;
        object["graph"] = json!(args.graph);
        object["travel"] = serde_json::to_value(&reading.travel)?;
        object["parts"] = serde_json::to_value(&reading.parts)?;
        let said = |note: &graph_bandit_maps::Note| -> serde_json::Result<_> {
            let mut value = serde_json::to_value(note)?;
            value["text"] = json!(note.to_string());
            Ok(value)
        };
        object["notes"] = reading.notes.iter().map(said).collect::<Result<_, _>>()?;
        writeln!(out, "{object}")?;
    } else {
        write!(out, "{}\n{}", args.graph, left_table(&rows(&reading, &summary)))?;
    }
    Ok(())
}

fn rows(reading: &Reading, summary: &Summary) -> Vec<[String; 2]> {
    let graph = reading.map.graph();
    let mut rows = Vec::new();
    let mut row = |name: &str, text: String| rows.push([name.to_owned(), text]);
    let strong = if reading.travel.directed { " connected in both directions" } else { "" };
    if reading.parts.len() > 1 {
        let more = reading.parts.len().saturating_sub(LISTED);
        let list = reading.parts.iter().take(LISTED).map(ToString::to_string);
        let list = list.chain((more > 0).then(|| format!("and {more} smaller")));
        let list = list.collect::<Vec<_>>().join("; ");
        row("parts", format!("{}{strong} ({list}); the largest has:", reading.parts.len()));
    } else if reading.travel.directed {
        row("parts", format!("1{strong}"));
    }
    let names = if summary.named {
        format!(", such as {}", in_cell(&format!("{:?}", graph.label(0))))
    } else {
        String::new()
    };
    row("nodes", with_commas(summary.nodes as u64) + &names);
    row("edges", with_commas(summary.edges as u64));
    let [least, most] = summary.degrees;
    row("degrees", format!("{least} to {most}, mean {}", rounded(summary.mean_degree)));
    let [low, high] = summary.diameter;
    let diameter = if low == high { low.to_string() } else { format!("{low} to {high}") };
    if graph.roads().is_some() {
        row("diameter", format!("{diameter} if all roads were two-way"));
        if let Some(time) = summary.time_diameter {
            row("", format!("by road, in units of one visit: {}", rounded(time)));
        }
    } else {
        row("diameter", diameter);
    }
    if let (Some(system), Some([[left, bottom], [right, top]])) =
        (summary.coordinates, summary.bounds)
    {
        row("coordinates", format!("{system}, {left} {bottom} to {right} {top}"));
    }
    if summary.lengths > 0 {
        let total = rounded(summary.total_length);
        row(
            "lengths",
            format!("of {} edges, together {total}", with_commas(summary.lengths as u64)),
        );
    }
    if summary.bent_edges > 0 {
        row("shapes", format!("of {} edges", with_commas(summary.bent_edges as u64)));
    }
    rows.extend(roads::rows(&reading.travel));
    let mut row = |name: &str, text: String| rows.push([name.to_owned(), text]);
    for (name, attributes) in
        [("of nodes", &summary.node_attributes), ("of edges", &summary.edge_attributes)]
    {
        if !attributes.is_empty() {
            row(name, counted(attributes));
        }
    }
    for (name, value) in &summary.attributes {
        row("of the map", format!("{name} = {value}"));
    }
    for note in &reading.notes {
        row("note", note.to_string());
    }
    rows
}

fn counted(attributes: &[AttributeSummary]) -> String {
    let list = attributes.iter().map(|attribute| {
        format!("{} ({})", in_cell(&attribute.name), with_commas(attribute.count as u64))
    });
    list.collect::<Vec<_>>().join(", ")
}
