//! Drawings of graphs.

use super::Source;
use crate::error::LabError;
use crate::figure_request::{
    FigureEntry, FigureOption, FigureRequest, Legend, Needs, OptionKind, Plot,
};
use crate::graph_source::GraphSource;
use graph_bandit::{Preset, Seed};
use graph_bandit_figures::{Body, Ground, Network, Panel};
use graph_bandit_maps::{Map, System};

pub(super) static NETWORKS: FigureEntry = FigureEntry {
    kind: "networks",
    summary: "Drawings of the cases' graphs.",
    options: &[GRAPHS],
    needs: Needs::Runs,
    check: |_request, _study| Ok(()),
    draw,
};

const GRAPHS: FigureOption = FigureOption {
    name: "graphs",
    help: "Graphs to draw instead of those of the cases.",
    kind: OptionKind::Drawings,
};

fn draw(request: &FigureRequest, source: &Source<'_>) -> Result<Plot, LabError> {
    let base = &source.results.campaign.base;
    let panel = |title: &str, text: &str| {
        let graph = text.parse::<GraphSource>()?.below(base);
        let network = match &graph {
            GraphSource::Family(_) => {
                Network::of(&graph.load(Seed(source.study.seed), Preset::Paper)?)
            }
            GraphSource::File(file) => of_map(&file.read()?.map),
        };
        Ok(Panel::new(title, Body::Network(network)))
    };
    let drawings = request.drawings();
    let panels: Result<Vec<Panel>, LabError> = if drawings.is_empty() {
        request.shown(source.study).map(|case| panel(case.title(), &case.graph)).collect()
    } else {
        drawings.iter().map(|drawing| panel(&drawing.title, &drawing.graph)).collect()
    };
    Ok(Plot { panels: panels?, legend: Legend::None })
}

fn of_map(map: &Map) -> Network {
    match map.system() {
        Some(System::Geographic) => Network::on_ground(map.graph(), Ground::Degrees),
        Some(System::Plane) => Network::on_ground(map.graph(), Ground::Plane),
        None => Network::of(map.graph()),
    }
}
