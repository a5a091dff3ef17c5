//! Set-ups for the tests.

use graph_bandit_play::setup::SetupGraph;
use graph_bandit_play::{Progress, Race, Setup};
use serde_json::{Value, from_value, json};

/// A set-up of some agents on a graph of a family.
pub(crate) fn setup(graph: &str, agents: &[&str], steps: u64) -> Setup {
    Setup {
        graph: SetupGraph::Family(graph.to_owned()),
        agents: agents.iter().map(|&agent| agent.to_owned()).collect(),
        means: "uniform:0.5,9.5".to_owned(),
        noise: "uniform:0.5".to_owned(),
        steps,
        seed: 7,
        start: 0,
        changes: Vec::new(),
    }
}

/// A one-way ring of roads, with short cuts that take time.
pub(crate) fn roads() -> Value {
    let mut roads: Vec<Value> =
        (0..12).map(|s| json!([s, (s + 1) % 12, 0.25 * f64::from(s % 3)])).collect();
    roads.extend([json!([0, 6, 2.5]), json!([6, 0, 1.75]), json!([9, 3, 0.5]), json!([3, 9])]);
    json!({ "nodes": 12, "roads": roads })
}

/// A set-up on a listed graph.
pub(crate) fn listed(graph: Value, agents: &[&str], steps: u64) -> Setup {
    Setup { graph: from_value(graph).unwrap(), ..setup("line:2", agents, steps) }
}

/// The whole race, advanced in pieces of these sizes, repeated.
pub(crate) fn film(setup: &Setup, pieces: &[u64]) -> Vec<Progress> {
    let mut race = Race::new(setup).unwrap();
    let mut heard = vec![race.tell()];
    let mut sizes = pieces.iter().cycle();
    while race.t() < setup.steps {
        let until = race.t() + sizes.next().unwrap();
        race.advance(until, || true);
        heard.push(race.tell());
    }
    heard
}

/// What racer number `racer` did, visit by visit: the node, and when the visit ended.
pub(crate) fn visits(film: &[Progress], racer: usize) -> Vec<(u32, f64)> {
    let moves = film.iter().flat_map(|part| &part.racers[racer].moves);
    let each = moves.flat_map(|&(node, times, end)| {
        (0..times).rev().map(move |back| (node, end - back as f64))
    });
    each.collect()
}

/// Regret of racer number `racer` at every recorded moment.
pub(crate) fn points(film: &[Progress], racer: usize) -> Vec<f64> {
    film.iter().flat_map(|part| part.racers[racer].points.iter().copied()).collect()
}
