//! Multi-G-UCB in preset `program` against the curves that its authors stored.

use graph_bandit_lab::campaign::{Campaign, Presets};
use graph_bandit_lab::{Jobs, Moments};
use graph_bandit_paper::teams;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The most standard errors between two end values.
const LIMIT: f64 = 4.5;
/// The largest relative difference at a checkpoint.
const CLOSE: f64 = 0.05;

#[derive(Deserialize)]
struct Stored {
    stated_optimum_per_step: f64,
    #[serde(rename = "realized_cumulative_regret_against_stated_optimum")]
    curves: BTreeMap<String, Curve>,
}

#[derive(Deserialize)]
struct Curve {
    n: usize,
    t: Vec<u64>,
    mean: Vec<f64>,
    sd: Vec<f64>,
}

/// How far our runs are from the stored ones.
#[derive(Debug)]
struct Distance {
    /// The difference of the end values in standard errors.
    end: f64,
    /// The largest relative difference at a checkpoint.
    worst: f64,
}

impl Distance {
    fn is_close(&self) -> bool {
        self.end.abs() <= LIMIT && self.worst <= CLOSE
    }
}

/// Our realized regret against the stored one, of one rule of ending an episode.
fn distance((study, text): (&str, &str), rule: &str, agent: &str, runs: u64) -> Distance {
    graph_bandit_paper::register().unwrap();
    let stored: Stored = serde_json::from_str(text).unwrap();
    let curve = &stored.curves[rule];
    let mut file = teams::studies().into_iter().find(|known| known.name == study).unwrap();
    file.runs = runs;
    file.agents = vec![agent.to_owned()];
    file.baseline = None;
    let campaign = Campaign::new(vec![file], Presets::Own, PathBuf::new()).unwrap();
    let study = campaign.cells[0].prepare(&campaign.base, &campaign.graphs).unwrap();
    let optimum = study.optimum(0).unwrap();
    let record = study.execute(Jobs::All, &|| {}).unwrap();
    let made = &record.agents[0].runs;
    let at = |t: u64| {
        let place = made[0].checkpoints.iter().position(|point| point.t == t).unwrap();
        let against_stated = t as f64 * (stated(&stored) - optimum);
        let realized = |run: &graph_bandit_lab::study::RunOutcome| {
            run.checkpoints[place].realized_regret + against_stated
        };
        Moments::of(made.iter().map(realized))
    };
    let ours: Vec<Moments> = curve.t.iter().map(|&t| at(t)).collect();
    let last = ours.len() - 1;
    let error = |sd: f64, count: usize| sd * sd / count as f64;
    let errors = error(ours[last].sd.unwrap(), ours[last].count) + error(curve.sd[last], curve.n);
    let relative = |(ours, stored): (&Moments, &f64)| (ours.mean / stored - 1.0).abs();
    Distance {
        end: (ours[last].mean - curve.mean[last]) / errors.sqrt(),
        worst: ours.iter().zip(&curve.mean).map(relative).fold(0.0, f64::max),
    }
}

fn stated(stored: &Stored) -> f64 {
    stored.stated_optimum_per_step
}

const SMALL: (&str, &str) =
    ("teams-er100-5", include_str!("../../data/reference/teams/er100-5.json"));
const LARGE: (&str, &str) =
    ("teams-figure-2", include_str!("../../data/reference/teams/er300-20.json"));

#[test]
fn the_smaller_graph_agrees_at_every_checkpoint() {
    for (rule, agent, runs) in [
        ("original", "multi-g-ucb", 40),
        ("median", "multi-g-ucb:until=median", 20),
        ("max", "multi-g-ucb:until=most", 20),
    ] {
        let distance = distance(SMALL, rule, agent, runs);
        assert!(distance.is_close(), "{rule}: {distance:?}");
    }
}

#[test]
fn the_larger_graph_agrees_at_the_end() {
    let distance = distance(LARGE, "original", "multi-g-ucb", 4);
    assert!(distance.is_close(), "{distance:?}");
}

/// Each detail of the program matters enough that the test notices if it is wrong.
#[test]
fn wrong_details_are_noticed() {
    for wrong in ["multi-g-ucb:refresh=episodes", "multi-g-ucb:until=median"] {
        let distance = distance(SMALL, "original", wrong, 20);
        assert!(!distance.is_close(), "{wrong}: {distance:?}");
    }
}

/// Mean regret in a study of `number-of-walkers.toml`.
fn regret(case: &str, agent: &str) -> f64 {
    graph_bandit_paper::register().unwrap();
    let name = "teams-number-of-walkers";
    let mut file = teams::studies().into_iter().find(|known| known.name == name).unwrap();
    file.cases.retain(|known| known.title() == case);
    file.figures.clear();
    file.agents = vec![agent.to_owned()];
    let campaign = Campaign::new(vec![file], Presets::Own, PathBuf::new()).unwrap();
    let study = campaign.cells[0].prepare(&campaign.base, &campaign.graphs).unwrap();
    let record = study.execute(Jobs::All, &|| {}).unwrap();
    let ends = record.agents[0].runs.iter().map(|run| run.checkpoints.last().unwrap().regret);
    Moments::of(ends).mean
}

/// `experiments/teams/measured.csv` promises the numbers of these runs. Two cases stand for all:
/// large teams on both graphs, where a change of the agents shows first.
#[test]
fn measured_regret_is_that_of_these_runs() {
    let measured = include_str!("../../experiments/teams/measured.csv");
    for case in ["Grid, 10", "er100-5, 20"] {
        for agent in ["multi-g-ucb", "g-star"] {
            let of_row = format!("teams-number-of-walkers,\"{case}\",{agent},40,");
            let row = measured.lines().find_map(|line| line.strip_prefix(&of_row)).unwrap();
            let (told, now): (f64, f64) =
                (row.split(',').next().unwrap().parse().unwrap(), regret(case, agent));
            // The report adds the runs up in blocks, so the last digits may differ.
            assert!((now / told - 1.0).abs() < 1e-12, "{of_row}{told}: it is {now}");
        }
    }
}
