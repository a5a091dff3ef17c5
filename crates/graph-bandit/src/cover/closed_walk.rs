//! A closed walk through all nodes.

use super::{Cover, Init};
use crate::agent::Situation;
use crate::clock::Clock;
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::leg::{Leg, travel_time};
use crate::plan::FastestPath;

/// A closed walk through all nodes of a connected graph, from node 0: the nodes entered, in order,
/// of which the last is node 0.
///
/// It is the faster of two walks, a depth-first one (along roads: always to the nearest node not
/// yet visited) and a short tour, each back by the fastest path. A single node is entered once.
pub(crate) fn closed_walk(graph: &Graph) -> Vec<NodeId> {
    let proven = if graph.roads().is_none() { Init::DepthFirst } else { Init::Nearest };
    let (proven, tour) = (walk(graph, proven), walk(graph, Init::Tour));
    if travel_time(graph, 0, &tour) < travel_time(graph, 0, &proven) { tour } else { proven }
}

/// A cover walk from node 0, which counts as visited, and the fastest path back.
fn walk(graph: &Graph, init: Init) -> Vec<NodeId> {
    let home = 0;
    let mut cover = Cover::new(init);
    let mut estimates = Estimates::new(graph.len());
    estimates.push(home, 0.0);
    let clock = Clock::default();
    let (mut at, mut entered, mut leg) = (home, Vec::new(), Leg::default());
    while cover.next_leg(&Situation { graph, at, estimates: &estimates, clock: &clock }, &mut leg) {
        for node in leg.nodes(at) {
            estimates.push(node, 0.0);
            entered.push(node);
        }
        at = leg.destination(at);
    }
    FastestPath::default().append(graph, at, &[home], &mut entered);
    if entered.is_empty() {
        entered.push(home);
    }
    entered
}
