//! A trip: network, start and goal.

use crate::belief::Status;
use crate::connected::Reach;
use crate::error::RouteError;
use crate::network::Network;
use graph_bandit::NodeId;

/// A network with a start and a goal that some weather connects.
#[derive(Debug, Clone, PartialEq)]
pub struct Trip {
    network: Network,
    start: NodeId,
    goal: NodeId,
}

impl Trip {
    /// The trip from `start` to `goal`.
    ///
    /// # Errors
    /// When one of them does not exist, or no path leads to the goal even if every road that may be
    /// open is open.
    pub fn new(network: Network, start: NodeId, goal: NodeId) -> Result<Self, RouteError> {
        let nodes = network.nodes();
        if let Some(node) = [start, goal].into_iter().find(|&node| node as usize >= nodes) {
            return Err(RouteError::Node { node, nodes });
        }
        let trip = Self { network, start, goal };
        let can_be_open = |road: usize| trip.network.roads()[road].open > 0.0;
        if !Reach::default().connects(&trip, can_be_open) {
            return Err(RouteError::Unreachable { start, goal });
        }
        Ok(trip)
    }

    /// The network.
    pub fn network(&self) -> &Network {
        &self.network
    }

    /// The start.
    pub fn start(&self) -> NodeId {
        self.start
    }

    /// The goal.
    pub fn goal(&self) -> NodeId {
        self.goal
    }

    /// The known state of every road before anything is seen.
    pub(crate) fn told(&self) -> Vec<Status> {
        let status = |open: f64| match open {
            0.0 => Status::Closed,
            1.0 => Status::Open,
            _ => Status::Unknown,
        };
        self.network.roads().iter().map(|road| status(road.open)).collect()
    }
}
