//! Every way of a search is taken. That the legs are right, `tests/core/hunt.rs` compares.

use super::*;
use crate::clock::{Clock, Reading, Visits};
use crate::estimates::Estimates;
use crate::index::{Index, Noise, Variance};
use crate::random::Seed;

/// A walk of some legs: how often it went far away after the trip there was checked.
fn checked_trips(graph: &Graph, legs: usize, seed: Seed) -> usize {
    let mut stream = seed.stream();
    let means: Vec<f64> = graph.nodes().map(|_| 0.5 + 9.0 * stream.unit()).collect();
    let mut estimates = Estimates::new(graph.len());
    let mut reward = |node: NodeId| means[node as usize] + stream.unit() - 0.5;
    graph.nodes().for_each(|node| estimates.push(node, reward(node)));
    let stays = Amortized { growth: 0.5, per_hop: 1.0 };
    let mut scores = ExpectedImprovement::new(Noise::new(0.5, Variance::Estimated), 1.5);
    let mut hunt = Hunt::new(stays, Horizon::Unknown, 0.5);
    let map = Map::of(graph);
    let (mut at, mut checked, mut path) = (0, 0, Vec::new());
    for _ in 0..legs {
        let clock = Clock::after(estimates.visits());
        let now = Situation { graph, at, estimates: &estimates, clock: &clock };
        scores.prepare(&now, Visits::of(&now));
        hunt.catch_up(&now, &scores, &map);
        path.clear();
        let end = match hunt.choose(&now, &scores, &map) {
            Choice::Trip(node) => {
                checked += usize::from(hunt.search.has_checked());
                hunt.search.out.follow(node, &mut path);
                node
            }
            Choice::Home => {
                hunt.homes.straight().follow(scores.leader().node, &mut path);
                scores.leader().node
            }
        };
        // Long stays at home would take long, and change little.
        let stay = stays.visits(estimates.count(end), path.len() as f64).min(100);
        for node in path.drain(..).filter(|&node| node != at) {
            estimates.push(node, reward(node));
            hunt.visited(node, 1);
        }
        (0..stay).for_each(|_| estimates.push(end, reward(end)));
        hunt.visited(end, stay);
        at = end;
    }
    checked
}

#[test]
fn trips_to_far_bargains_are_checked() {
    let graph = Graph::grid(80, 80).unwrap();
    let checked: usize = (0..4).map(|seed| checked_trips(&graph, 150, Seed(seed))).sum();
    assert!(checked > 10, "{checked}");
}
