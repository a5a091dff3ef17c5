//! Who decides where to go, and who goes there.

use super::belief::{Belief, Status};
use super::network::{Directions, RoadId};
use super::trip::Trip;
use super::weather::Weather;
use crate::graph::NodeId;

/// Decides which roads to take.
pub trait Policy {
    /// Fills in the roads to take from the place of the belief, one after the other, all known to be open. An empty leg
    /// gives up: no way is left.
    fn plan(&mut self, belief: &Belief, leg: &mut Vec<RoadId>);
}

/// How a trip went.
#[derive(Debug, Clone, PartialEq)]
pub struct Journey {
    /// The time it took, infinite where the traveller got stuck. That can happen only on one-way roads.
    pub time: f64,
    /// The nodes on the way, the start first.
    pub nodes: Vec<NodeId>,
}

/// Travels by a policy in a weather that connects start and goal.
///
/// # Panics
/// When the policy plans a road that does not leave from where the traveller is, or that is not known to be open.
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

/// Where a road leads from a node.
fn other_end(trip: &Trip, node: NodeId, road: RoadId) -> Option<NodeId> {
    let network = trip.network();
    let ends = network.roads()[road as usize];
    match network.directions() {
        _ if ends.source == node => Some(ends.target),
        Directions::Both if ends.target == node => Some(ends.source),
        _ => None,
    }
}
