//! `2k + 1`: the comparison rule's guarantee, where it is attained, and where optimism does far
//! worse.

use super::random_trip;
use graph_bandit::Seed;
use graph_bandit_route::{
    Comparison, Directions, Network, Optimistic, Policy, Road, Trip, Weather, time_beforehand,
    travel,
};

fn road(source: u32, target: u32, time: f64) -> Road {
    Road { source, target, time, open: 0.5 }
}

/// The ratio of a policy's time to the optimum if the roads in `closed` are closed.
fn ratio(trip: &Trip, closed: impl Fn(&Road) -> bool, policy: &mut dyn Policy) -> f64 {
    let open = trip.network().roads().iter().map(|road| !closed(road)).collect();
    let weather = Weather::new(trip, open);
    travel(trip, &weather, policy).time / time_beforehand(trip, &weather)
}

/// Westphal's family: `k + 1` paths of equal length; the last road of the first `k` is closed.
fn disjoint_ways(k: u32, last: f64) -> Trip {
    let ways = 2..k + 3;
    let roads = ways.flat_map(|middle| [road(0, middle, 1.0), road(middle, 1, last)]).collect();
    Trip::new(Network::new(k as usize + 3, roads, Directions::Both).unwrap(), 0, 1).unwrap()
}

#[test]
fn the_bound_is_attained_on_its_worst_case_family_and_never_exceeded() {
    const LAST: f64 = 1e-6;
    for k in 1..=20 {
        let trip = disjoint_ways(k, LAST);
        let is_closed = |road: &Road| road.target == 1 && road.source < k + 2;
        let found = ratio(&trip, is_closed, &mut Comparison::new(&trip));
        let bound = f64::from(2 * k + 1);
        assert!(found <= bound && found > bound * (1.0 - 2.0 * LAST), "{k}: {found}");
        // If the last road takes no time, the bound is attained to the bit.
        let trip = disjoint_ways(k, 0.0);
        assert_eq!(ratio(&trip, is_closed, &mut Comparison::new(&trip)), bound);
    }
}

/// A chain away from the start on which going on is always slightly shorter than going back:
/// optimism takes nearly `2^(k+1) - 1` times the optimum (Xu et al., 2009).
fn lure(k: u32) -> Trip {
    let goal = k + 1;
    let mut roads = vec![road(0, goal, 1.0)];
    for node in 1..=k {
        let far = f64::from(1 << (node - 1)) * (1.0 - 1e-6);
        roads.extend([road(node - 1, node, far), road(node, goal, 0.0)]);
    }
    Trip::new(Network::new(k as usize + 2, roads, Directions::Both).unwrap(), 0, goal).unwrap()
}

#[test]
fn optimism_is_lured_away_and_comparison_is_not() {
    for k in 1..=20 {
        let trip = lure(k);
        let is_closed = |road: &Road| road.target == k + 1 && road.source > 0;
        let lured = ratio(&trip, is_closed, &mut Optimistic::new(&trip));
        let worst = f64::from(2_u32 << k) - 1.0;
        assert!(lured > worst * (1.0 - 1e-5) && lured <= worst, "{k}: {lured}");
        let found = ratio(&trip, is_closed, &mut Comparison::new(&trip));
        assert!(found <= f64::from(2 * k + 1), "{k}: {found}");
    }
}

#[test]
fn the_bound_holds_on_random_graphs() {
    let mut stream = Seed(17).stream();
    let mut turned_back = 0;
    for number in 0..3_000 {
        let Some(trip) = random_trip(&mut stream, (9, 16), Directions::Both) else { continue };
        let Ok(weather) = Weather::draw(&trip, Seed(number)) else { continue };
        let roads = 0..trip.network().roads().len() as u32;
        let k = roads.filter(|&road| !weather.is_open(road)).count();
        let best = time_beforehand(&trip, &weather);
        let journey = travel(&trip, &weather, &mut Comparison::new(&trip));
        let bound = (2 * k + 1) as f64 * best;
        assert!(journey.time <= bound + 1e-9, "{number}: {} > {bound}: {trip:?}", journey.time);
        let other = travel(&trip, &weather, &mut Optimistic::new(&trip));
        turned_back += u32::from(journey.nodes != other.nodes);
    }
    assert!(turned_back >= 10, "{turned_back}");
}
