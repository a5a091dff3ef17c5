//! One-way roads, and traps on them.

use graph_bandit::Seed;
use graph_bandit_route::{
    Comparison, Directions, Exact, Network, Optimistic, Policy, Road, Trip, Uct, UctOptions,
    Weather, mean_of, travel,
};

const fn road(source: u32, target: u32, time: f64, open: f64) -> Road {
    Road { source, target, time, open }
}

/// A short road into a trap that is open half the time, and a long path that is always open.
fn trap() -> Trip {
    let roads = vec![road(0, 1, 1.0, 1.0), road(1, 2, 1.0, 0.5), road(0, 2, 9.0, 1.0)];
    Trip::new(Network::new(3, roads, Directions::OneWay).unwrap(), 0, 2).unwrap()
}

#[test]
fn a_trap_is_entered_by_optimism_and_avoided_by_the_best() {
    let trip = trap();
    assert_eq!(Exact::new(&trip).unwrap().mean(), 9.0);
    assert_eq!(mean_of(&trip, &mut Optimistic::new(&trip)).unwrap(), f64::INFINITY);
    assert_eq!(mean_of(&trip, &mut Comparison::new(&trip)).unwrap(), f64::INFINITY);
    let closed = Weather::new(&trip, vec![true, false, true]);
    let options = UctOptions { rollouts: 200, ..UctOptions::default() };
    let policies: [(&mut dyn Policy, f64); 3] = [
        (&mut Uct::new(&trip, options, Seed(1)), 9.0),
        (&mut Optimistic::new(&trip), f64::INFINITY),
        (&mut Comparison::new(&trip), f64::INFINITY),
    ];
    for (policy, time) in policies {
        assert_eq!(travel(&trip, &closed, policy).time, time);
    }
}

/// The state of a one-way road is also seen at its end: the traveller learns at node 2 that the
/// road from 1 is closed.
#[test]
fn a_road_is_seen_at_both_ends() {
    let roads = vec![
        road(0, 2, 1.0, 1.0),
        road(2, 0, 1.0, 1.0),
        road(0, 1, 1.0, 1.0),
        road(1, 2, 0.0, 0.5),
        road(2, 3, 5.0, 0.5),
        road(1, 3, 1.0, 0.5),
    ];
    let trip = Trip::new(Network::new(4, roads, Directions::OneWay).unwrap(), 0, 3).unwrap();
    let weather = Weather::new(&trip, vec![true, true, true, false, true, true]);
    let journey = travel(&trip, &weather, &mut Optimistic::new(&trip));
    assert_eq!((journey.nodes, journey.time), (vec![0, 1, 3], 2.0));
    // Roads cannot be taken backwards.
    let weather = Weather::new(&trip, vec![true, true, true, true, true, false]);
    let journey = travel(&trip, &weather, &mut Optimistic::new(&trip));
    assert_eq!((journey.nodes, journey.time), (vec![0, 1, 2, 3], 6.0));
}

#[test]
fn ties_go_to_fewest_roads_and_then_to_the_lowest_next_node() {
    let tie = |roads: Vec<Road>| {
        let trip = Trip::new(Network::new(5, roads, Directions::Both).unwrap(), 0, 4).unwrap();
        let open = vec![true; trip.network().roads().len()];
        travel(&trip, &Weather::new(&trip, open), &mut Optimistic::new(&trip)).nodes
    };
    let long = [road(0, 1, 1.0, 0.5), road(1, 2, 1.0, 0.5), road(2, 4, 1.0, 0.5)];
    let short = [road(0, 3, 2.0, 0.5), road(3, 4, 1.0, 0.5)];
    assert_eq!(tie([&long[..], &short].concat()), [0, 3, 4]);
    let low = [road(0, 1, 1.0, 0.5), road(4, 1, 2.0, 0.5)];
    assert_eq!(tie([&short[..], &low].concat()), [0, 1, 4]);
    assert_eq!(tie([&low[..], &short].concat()), [0, 1, 4]);
}
