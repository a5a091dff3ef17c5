//! Policies and the journeys they make.

use crate::belief::{Belief, Status};
use crate::network::{Directions, RoadId};
use crate::trip::Trip;
use crate::weather::Weather;
use graph_bandit::NodeId;

/// Decides which roads to take.
pub trait Policy {
    /// Fills in the roads to take from the belief's place, in order, all known to be open. An empty
    /// leg gives up: no path is left.
    fn plan(&mut self, belief: &Belief, leg: &mut Vec<RoadId>);
}

/// The outcome of a trip.
#[derive(Debug, Clone, PartialEq)]
pub struct Journey {
    /// The time it took; infinite if the traveller got stuck, which can happen only on one-way
    /// roads.
    pub time: f64,
    /// The nodes on the path, the start first.
    pub nodes: Vec<NodeId>,
}

/// Travels by a policy in a weather that connects start and goal.
///
/// # Panics
/// When the policy plans a road that does not begin where the traveller is, or that is not known to
/// be open.
pub fn travel(trip: &Trip, weather: &Weather, policy: &mut dyn Policy) -> Journey {
    let mut belief = Belief::at_start(trip, weather);
    let mut journey = Journey { time: 0.0, nodes: vec![belief.place()] };
    let mut leg = Vec::new();
    while belief.place() != trip.goal() {
        leg.clear();
        policy.plan(&belief, &mut leg);
        if leg.is_empty() {
            journey.time = f64::INFINITY;
            break;
        }
        for &road in &leg {
            assert_eq!(belief.status(road), Status::Open, "road {road} is not known to be open");
            let other = other_end(trip, belief.place(), road);
            let place = other
                .unwrap_or_else(|| panic!("road {road} does not begin at node {}", belief.place()));
            belief.put(place);
            belief.observe(trip, weather);
            journey.time += trip.network().time(road);
            journey.nodes.push(place);
        }
    }
    journey
}

/// The other end of a road.
fn other_end(trip: &Trip, node: NodeId, road: RoadId) -> Option<NodeId> {
    let network = trip.network();
    let ends = network.roads()[road as usize];
    match network.directions() {
        _ if ends.source == node => Some(ends.target),
        Directions::Both if ends.target == node => Some(ends.source),
        _ => None,
    }
}
