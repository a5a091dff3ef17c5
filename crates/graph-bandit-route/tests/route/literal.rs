//! The optimal policy compared to a plain recursion over lists of weathers: no moves, keys, memory
//! or factoring.

use super::random_trip;
use graph_bandit::{NodeId, Seed};
use graph_bandit_route::{
    Directions, Exact, Optimistic, Road, Trip, Weather, mean_beforehand, mean_of,
};
use std::collections::BTreeMap;

/// A weather and its probability.
type Case = (Vec<bool>, f64);

/// All weathers that connect start and goal.
fn cases(trip: &Trip) -> Vec<Case> {
    let mut cases: Vec<Case> = vec![(Vec::new(), 1.0)];
    for road in trip.network().roads() {
        let longer = cases.iter().flat_map(|(open, probability)| {
            [(true, road.open), (false, 1.0 - road.open)].map(|(state, chance)| {
                let mut open = open.clone();
                open.push(state);
                (open, probability * chance)
            })
        });
        cases = longer.filter(|(_, probability)| *probability > 0.0).collect();
    }
    cases.retain(|(open, _)| Weather::new(trip, open.clone()).connects(trip));
    cases
}

/// The cases, split by the roads that are seen at a node.
fn seen_at(roads: &[Road], node: NodeId, cases: &[Case]) -> Vec<Vec<Case>> {
    let mut parts: BTreeMap<Vec<bool>, Vec<Case>> = BTreeMap::new();
    for case in cases {
        let at_node = roads.iter().zip(&case.0);
        let at_node = at_node.filter(|(road, _)| road.source == node || road.target == node);
        parts.entry(at_node.map(|(_, open)| *open).collect()).or_default().push(case.clone());
    }
    parts.into_values().collect()
}

/// The least total time over all cases, weighted by their probabilities. `trail` holds the nodes
/// since something new was seen: returning to one of them is useless.
fn least(trip: &Trip, place: NodeId, cases: &[Case], trail: &[NodeId]) -> f64 {
    if place == trip.goal() {
        return 0.0;
    }
    let roads = trip.network().roads();
    let weight: f64 = cases.iter().map(|(_, probability)| probability).sum();
    let mut best = f64::INFINITY;
    for (number, road) in roads.iter().enumerate() {
        let both = trip.network().directions() == Directions::Both;
        let to = match place {
            _ if !cases[0].0[number] => continue,
            _ if road.source == place => road.target,
            _ if road.target == place && both => road.source,
            _ => continue,
        };
        if trail.contains(&to) {
            continue;
        }
        let parts = seen_at(roads, to, cases);
        let longer = [trail, &[to]].concat();
        let trail = if parts.len() == 1 { longer } else { vec![to] };
        let rest: f64 = parts.iter().map(|part| least(trip, to, part, &trail)).sum();
        best = best.min(road.time * weight + rest);
    }
    best
}

fn least_mean(trip: &Trip) -> f64 {
    let cases = cases(trip);
    let weight: f64 = cases.iter().map(|(_, probability)| probability).sum();
    let parts = seen_at(trip.network().roads(), trip.start(), &cases);
    let total: f64 =
        parts.iter().map(|part| least(trip, trip.start(), part, &[trip.start()])).sum();
    total / weight
}

fn compare(directions: Directions) -> [u32; 3] {
    let mut stream = Seed(16).child(directions as u64).stream();
    let mut seen = [0; 3];
    for number in 0..600 {
        let size = (3 + number % 3, 5 + u64::from(number) % 4);
        let Some(trip) = random_trip(&mut stream, size, directions) else { continue };
        let mut exact = Exact::new(&trip).unwrap();
        let (found, expected) = (exact.mean(), least_mean(&trip));
        let near = |a: f64, b: f64| a == b || (a - b).abs() < 1e-9 * b.max(1.0);
        assert!(near(found, expected), "{number}: {found}, {expected}: {trip:?}");
        // The policy takes the time it predicts.
        let walked = mean_of(&trip, &mut exact).unwrap();
        assert!(near(walked, expected), "{number}: {walked}, {expected}: {trip:?}");
        let optimistic = mean_of(&trip, &mut Optimistic::new(&trip)).unwrap();
        let beforehand = mean_beforehand(&trip).unwrap();
        assert!(optimistic >= expected - 1e-9 && beforehand <= expected + 1e-9, "{trip:?}");
        seen[0] += u32::from(optimistic > expected + 1e-6);
        seen[1] += u32::from(beforehand < expected - 1e-6);
        seen[2] += u32::from(expected.is_infinite());
    }
    seen
}

#[test]
fn the_best_policy_equals_a_plain_recursion() {
    let [optimistic_loses, foresight_wins, stuck] = compare(Directions::Both);
    let seen = [optimistic_loses, foresight_wins, stuck];
    assert!(optimistic_loses >= 20 && foresight_wins >= 40 && stuck == 0, "{seen:?}");
}

#[test]
fn the_best_policy_may_get_stuck_on_one_way_roads() {
    let [_, foresight_wins, stuck] = compare(Directions::OneWay);
    assert!(foresight_wins >= 5 && stuck >= 3, "{foresight_wins} {stuck}");
}
