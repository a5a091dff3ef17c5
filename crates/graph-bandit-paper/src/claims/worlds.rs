//! Synthetic results for tests: a world as the paper describes it, and its opposites.

use super::WINDOWS;
use graph_bandit_lab::campaign::{Campaign, Cell, CurveStats, Presets, Results};
use graph_bandit_lab::study_file::StudyFile;
use std::path::PathBuf;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// Everything is as the paper says.
    AsPrinted,
    /// Everything is the opposite.
    Reversed,
    /// Regret keeps rising with the number of nodes and with smaller gaps.
    Steep,
    /// No agent has any regret.
    AllZero,
}

/// Regret at the end, and the ratio of the second half to the first.
struct Shape {
    regret: f64,
    ratio: f64,
}

/// The paper's campaign with `runs` runs of the studies to keep.
pub(super) fn campaign(runs: u64, presets: Presets, keep: impl Fn(&str) -> bool) -> Campaign {
    let studies = crate::experiments::studies().into_iter().filter(|study| keep(&study.name));
    let studies = studies.map(|study| StudyFile { runs, ..study }).collect();
    let mut campaign = Campaign::new(studies, presets, PathBuf::new()).unwrap();
    campaign.measure_in(&WINDOWS);
    campaign
}

/// Results in this world.
pub(super) fn results(campaign: &Campaign, world: World) -> Results<'_> {
    let stats = campaign.cells.iter().enumerate().map(|(i, cell)| {
        let stats = curve(cell, i, world);
        vec![stats.clone(), stats]
    });
    Results { campaign, stats: stats.collect() }
}

fn curve(cell: &Cell, number: usize, world: World) -> CurveStats {
    let Shape { regret, ratio } = match world {
        World::AsPrinted => as_printed(cell),
        World::Reversed => reversed(cell),
        World::Steep => steep(cell),
        World::AllZero => Shape { regret: 0.0, ratio: 0.0 },
    };
    // Instances differ by about 100, the same for all agents; luck adds almost nothing.
    let of_run = |run: u64| {
        let instance = if run.is_multiple_of(2) { 100.0 } else { -100.0 };
        // The second and fourth quarters of the runs have the sign of the cell's parity.
        let luck = if (run / 2 + number as u64).is_multiple_of(2) { 0.01 } else { -0.01 };
        if world == World::AllZero { 0.0 } else { regret + instance + luck }
    };
    let finals: Vec<f64> = (0..cell.runs).map(of_run).collect();
    let halfway = finals.iter().map(|end| end / (1.0 + ratio)).collect();
    CurveStats {
        t: cell.checkpoints(),
        mean: Vec::new(),
        sd: Vec::new(),
        ci95: Vec::new(),
        finals,
        halfway,
        reward_mean: 0.0,
        legs_mean: 0.0,
        overshoot_mean: 0.0,
    }
}

fn family(cell: &Cell) -> &str {
    cell.graph.split(':').next().unwrap_or_default()
}

/// The numbers in the graph's text: the size of a star, the size and handle of a broom.
fn sizes(cell: &Cell) -> Vec<f64> {
    let (_, sizes) = cell.graph.split_once(':').unwrap_or_default();
    sizes.split(',').filter_map(|size| size.parse().ok()).collect()
}

/// The difference between the two ends of the line.
fn gap(cell: &Cell) -> f64 {
    let ends: Vec<f64> = cell.means[6..].split(',').map(|mean| mean.parse().unwrap()).collect();
    (ends[0] - ends[9]).abs()
}

fn as_printed(cell: &Cell) -> Shape {
    let shape = |regret, ratio| Shape { regret, ratio };
    let family = family(cell);
    if cell.steps == 1_000 {
        return match family {
            "star" => shape(1e4 * sizes(cell)[0].min(600.0).sqrt(), 0.1),
            "broom" => shape(1e3 * sizes(cell)[1].min(46.0), 0.1),
            _ => shape(1e4 - 1e3 * gap(cell).max(0.1), 0.1),
        };
    }
    match (family, cell.agent.as_str()) {
        ("complete", "local-ucb" | "local-ts") => shape(1_500.0, 0.5),
        ("line" | "circle", "ucrl2") => shape(2_050.0, 0.2),
        (_, "ucrl2") => shape(2_250.0, 0.2),
        (_, "g-ucb-ucrl2-bound") => shape(2_300.0, 0.2),
        ("tree", "g-ucb-ucrl2-doubling") => shape(2_150.0, 0.1),
        ("line" | "circle" | "grid", "direct-sp") => shape(2_050.0, 0.1),
        (_, "local-ucb" | "local-ts") => shape(6_000.0, 0.95),
        (_, "ql-eps" | "ql-ucb-h") => shape(5_500.0, 0.5),
        _ => shape(2_000.0, 0.1),
    }
}

fn reversed(cell: &Cell) -> Shape {
    let shape = |regret, ratio| Shape { regret, ratio };
    let family = family(cell);
    if cell.steps == 1_000 {
        return match family {
            "star" => shape(1e7 / sizes(cell)[0], 0.1),
            "broom" if sizes(cell)[1] > 46.0 => shape(1e6, 0.1),
            "broom" => shape(1e5 / sizes(cell)[1], 0.1),
            _ => shape(1e4 * gap(cell), 0.1),
        };
    }
    match (family, cell.agent.as_str()) {
        ("complete", "local-ucb" | "local-ts") => shape(40_000.0, 0.5),
        (_, "ucrl2" | "g-ucb-ucrl2-doubling") => shape(20_000.0, 0.2),
        (_, "g-ucb-ucrl2-bound") => shape(25_000.0, 0.2),
        (_, "direct-sp") => shape(15_000.0, 0.95),
        (_, "local-ucb" | "local-ts") => shape(5_000.0, 0.3),
        (_, "ql-eps" | "ql-ucb-h") => shape(5_000.0, 1.0),
        _ => shape(30_000.0, 1.0),
    }
}

fn steep(cell: &Cell) -> Shape {
    let regret = match family(cell) {
        "star" if cell.steps == 1_000 => sizes(cell)[0] * sizes(cell)[0],
        "line" if cell.steps == 1_000 => 1.0 / gap(cell),
        _ => 1_000.0,
    };
    Shape { regret: 1e4 * regret, ratio: 0.5 }
}
