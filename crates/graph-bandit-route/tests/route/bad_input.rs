//! Refused input, and the data in the errors.

use super::trip;
use graph_bandit::Seed;
use graph_bandit_route::{
    Directions, Exact, MOST_UNCERTAIN, Network, Optimistic, Road, RouteError, Trip, Weather,
    mean_of,
};

fn network(roads: &[(u32, u32, f64, f64)]) -> Result<Network, RouteError> {
    let road = |&(source, target, time, open)| Road { source, target, time, open };
    Network::new(3, roads.iter().map(road).collect(), Directions::Both)
}

#[test]
fn bad_roads_are_refused() {
    for time in [-1.0, f64::INFINITY, f64::NAN, -f64::MIN_POSITIVE] {
        let error = network(&[(0, 1, 1.0, 1.0), (1, 2, time, 0.5)]).unwrap_err();
        let RouteError::Time { road: 1, time: given } = error else { panic!("{error}") };
        assert_eq!(given.to_bits(), time.to_bits());
    }
    for open in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        let error = network(&[(0, 1, 1.0, open)]).unwrap_err();
        assert!(matches!(error, RouteError::Probability { road: 0, .. }), "{error}");
    }
    let error = network(&[(0, 3, 1.0, 0.5)]).unwrap_err();
    assert_eq!(error, RouteError::RoadEnd { road: 0, node: 3, nodes: 3 });
    assert_eq!(error.to_string(), "road 0 ends at node 3; the nodes are 0 to 2");
    assert_eq!(network(&[(1, 1, 1.0, 0.5)]), Err(RouteError::Loop { road: 0, node: 1 }));
    assert_eq!(network(&[(0, 1, 1e308, 0.5), (1, 2, 1e308, 0.5)]), Err(RouteError::Overflow));
    assert!(matches!(Network::new(0, vec![], Directions::Both), Err(RouteError::Size { .. })));
}

#[test]
fn bad_trips_are_refused() {
    let roads = || network(&[(0, 1, 1.0, 0.5), (1, 2, 1.0, 0.0)]).unwrap();
    assert_eq!(Trip::new(roads(), 0, 7).unwrap_err(), RouteError::Node { node: 7, nodes: 3 });
    assert_eq!(Trip::new(roads(), 3, 1).unwrap_err(), RouteError::Node { node: 3, nodes: 3 });
    assert_eq!(
        Trip::new(roads(), 0, 2).unwrap_err(),
        RouteError::Unreachable { start: 0, goal: 2 }
    );
    let trip = Trip::new(roads(), 2, 2).unwrap();
    assert_eq!(Exact::new(&trip).unwrap().mean(), 0.0);
    assert_eq!(mean_of(&trip, &mut Optimistic::new(&trip)).unwrap(), 0.0);
}

#[test]
fn too_many_uncertain_roads_are_counted() {
    let trip = trip("ctp20-00");
    let error = Exact::new(&trip).unwrap_err();
    assert_eq!(error, RouteError::TooManyUncertain { uncertain: 49, most: MOST_UNCERTAIN });
    assert_eq!(mean_of(&trip, &mut Optimistic::new(&trip)).unwrap_err(), error);
}

#[test]
fn a_goal_that_is_hardly_ever_connected_is_an_error_not_an_endless_search() {
    let trip = Trip::new(network(&[(0, 1, 1.0, 1e-9), (1, 2, 1.0, 1e-9)]).unwrap(), 0, 2).unwrap();
    let error = Weather::draw(&trip, Seed(0)).unwrap_err();
    assert!(matches!(error, RouteError::TooRarelyConnected { .. }), "{error}");
    // The exact mean does not depend on luck.
    assert_eq!(Exact::new(&trip).unwrap().mean(), 2.0);
}
