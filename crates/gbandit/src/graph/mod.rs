//! `gbandit graph`: inspects, checks and converts maps.

mod args;
mod info;
mod roads;
mod validate;

pub(crate) use args::{GraphCommand, MapArgs};
pub(crate) use roads::tell_travel;
pub(crate) use validate::Refused;

use crate::number::with_commas;
use crate::progress::tell;
use args::ConvertArgs;
use graph_bandit::Seed;
use graph_bandit_lab::LabError;
use graph_bandit_maps::{Directions, LeftOut, Note, ReadOptions, Reading, Travel, write_file};
use std::io::{Write, stdout};

pub(crate) fn graph(command: &GraphCommand) -> anyhow::Result<()> {
    match command {
        GraphCommand::Info(args) => info::info(args),
        GraphCommand::Validate(args) => validate::validate(args),
        GraphCommand::Convert(args) => convert(args),
    }
}

/// Reads the map that `--graph` or an argument names; random families use seed 0.
fn read(text: &str, options: ReadOptions) -> Result<Reading, LabError> {
    args::source(text, options)?.read(Seed(0))
}

/// Notes on standard error what was left out or changed.
pub(crate) fn tell_notes(graph: &str, notes: &[Note]) {
    for note in notes {
        tell(&format!("note: {graph}: {note}"));
    }
}

fn convert(args: &ConvertArgs) -> anyhow::Result<()> {
    let options = args.map.options();
    let travel = if options.travel.is_asked() {
        options.travel.clone()
    } else {
        // Reads everything, so that nothing is lost needlessly.
        Travel { directions: Directions::Kept, ..Travel::default() }
    };
    let reading = read(&args.graph, ReadOptions { travel, ..options })?;
    let left_out = write_file(&reading.map, &args.out, args.to).map_err(LabError::from)?;
    tell_notes(&args.graph, &reading.notes);
    for loss in left_out {
        tell(&format!("note: {}: {loss}{}", args.out.display(), flag_of(&loss)));
    }
    let graph = reading.map.graph();
    let (nodes, edges) = (with_commas(graph.len() as u64), with_commas(graph.edge_count() as u64));
    let mut out = stdout().lock();
    write!(out, "{}: {nodes} nodes, {edges} edges", args.out.display())?;
    if reading.map.is_directed() {
        write!(out, ", {} roads", with_commas(reading.map.edges().len() as u64))?;
    }
    writeln!(out)?;
    Ok(())
}

/// The flag that keeps what a format could not hold, if there is one.
fn flag_of(loss: &LeftOut) -> &'static str {
    if loss.what == LeftOut::DIRECTIONS { " (--directed)" } else { "" }
}
