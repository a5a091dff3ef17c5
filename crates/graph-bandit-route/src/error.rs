//! Errors of networks, trips and queries.

use crate::network::RoadId;
use graph_bandit::NodeId;
use thiserror::Error;

/// Why a network, trip or query is invalid.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RouteError {
    /// A travel time is negative, infinite or not a number.
    #[error("road {road} takes {time}; a travel time is a finite number of at least 0")]
    Time {
        /// The road, by its number.
        road: RoadId,
        /// The time given.
        time: f64,
    },
    /// The sum of all times overflows.
    #[error(
        "the travel times of all roads add up to more than a number can hold; use a larger unit"
    )]
    Overflow,
    /// A probability is not in `[0, 1]`.
    #[error("road {road} is open with probability {open}; a probability is from 0 to 1")]
    Probability {
        /// The road, by its number.
        road: RoadId,
        /// The probability given.
        open: f64,
    },
    /// A road ends at a node that does not exist.
    #[error("road {road} ends at node {node}; the nodes are 0 to {}", .nodes - 1)]
    RoadEnd {
        /// The road, by its number.
        road: RoadId,
        /// The node given.
        node: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// A road leads from a node to itself.
    #[error("road {road} leads from node {node} to itself; leave it out")]
    Loop {
        /// The road, by its number.
        road: RoadId,
        /// The node.
        node: NodeId,
    },
    /// There are too many nodes or roads, or no node.
    #[error(
        "a network has 1 to {most} nodes and at most {most} roads; this one has {nodes} nodes and \
         {roads} roads"
    )]
    Size {
        /// The number of nodes given.
        nodes: usize,
        /// The number of roads given.
        roads: usize,
        /// The limit.
        most: usize,
    },
    /// The start or the goal does not exist.
    #[error("there is no node {node}; the nodes are 0 to {}", .nodes - 1)]
    Node {
        /// The node given.
        node: NodeId,
        /// The number of nodes.
        nodes: usize,
    },
    /// No weather connects start and goal.
    #[error(
        "no path leads from node {start} to node {goal}, even if every road that may be open is open"
    )]
    Unreachable {
        /// The start.
        start: NodeId,
        /// The goal.
        goal: NodeId,
    },
    /// There are too many beliefs or weathers to enumerate.
    #[error("{uncertain} roads are uncertain; exact means are computed for at most {most}")]
    TooManyUncertain {
        /// The number of roads that may be open or closed.
        uncertain: usize,
        /// The limit.
        most: usize,
    },
    /// Start and goal are so rarely connected that no such weather was found.
    #[error("start and goal were not connected in any of {tried} weathers")]
    TooRarelyConnected {
        /// The number of weathers drawn.
        tried: u64,
    },
}
