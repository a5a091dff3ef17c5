//! How a team is set up: who walks, what a node pays several of them, and what may not be.

use super::share::Sharing;
use crate::graph::{Graph, NodeId, Road, Roads};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use thiserror::Error;

crate::named! {
    /// What walkers on one node draw.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
    pub enum Draws {
        /// One draw per node and step, which all walkers on the node share.
        ///
        /// The team gets `f(c)` times the draw.
        #[default]
        One = "one",
        /// One draw per walker.
        ///
        /// The team gets `f(c) / c` times the sum of the draws.
        Own = "own",
    }
}

/// One walker of a team.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Where it starts.
    pub start: NodeId,
    /// The time of a road is divided by this.
    pub speed: f64,
    /// Whether it may be on each node; `None` allows all.
    pub allowed: Option<Arc<Vec<bool>>>,
}

impl Member {
    /// A walker that may go everywhere, at the speed of the map.
    pub fn at(start: NodeId) -> Self {
        Self { start, speed: 1.0, allowed: None }
    }
}

/// How a team is set up.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamSetup {
    /// The walkers, at least one.
    pub members: Vec<Member>,
    /// What a node pays several walkers.
    pub sharing: Arc<Sharing>,
    /// What walkers on one node draw.
    pub draws: Draws,
    /// The most walkers that may be sent to one node; `None` sets no limit.
    pub seats: Option<usize>,
}

/// The most steps that a road may take.
const MOST_STEPS: f64 = 1e6;

/// Why a team cannot walk.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SetupError {
    /// There are no walkers.
    #[error("a team needs at least one walker")]
    NoWalkers,
    /// The shares are for another number of walkers.
    #[error("the shares are for {shares} walkers, but there are {walkers}")]
    OtherShares {
        /// The number of walkers of the shares.
        shares: usize,
        /// The number of walkers.
        walkers: usize,
    },
    /// A start is not a node.
    #[error("walker {walker} starts on node {start}, outside the graph; the nodes are 0 to {last}")]
    StartOutside {
        /// The walker.
        walker: usize,
        /// Its start.
        start: NodeId,
        /// The highest node number.
        last: NodeId,
    },
    /// There are not enough seats.
    #[error(
        "{walkers} walkers do not fit on {nodes} nodes with at most {seats} on each; allow more \
         per node, or send fewer walkers"
    )]
    TooFewSeats {
        /// The number of walkers.
        walkers: usize,
        /// The number of nodes.
        nodes: usize,
        /// The most walkers on one node.
        seats: usize,
    },
    /// Some walkers have too few seats where they may be.
    #[error(
        "{walkers} walkers do not all have a seat where they may be, with at most {seats} on each \
         node; allow more per node, or allow the walkers on more nodes"
    )]
    NoSeat {
        /// The number of walkers.
        walkers: usize,
        /// The most walkers on one node.
        seats: usize,
    },
    /// A speed is not a positive number.
    #[error("walker {walker} has speed {speed}; give a positive number")]
    Speed {
        /// The walker.
        walker: usize,
        /// The speed.
        speed: f64,
    },
    /// A walker needs too many steps for a road.
    #[error(
        "walker {walker} has speed {speed}, too slow for the road from node {from} to node {to}; \
         it must take at most {MOST_STEPS} steps"
    )]
    TooSlow {
        /// The walker.
        walker: usize,
        /// Its speed.
        speed: f64,
        /// Where the road begins.
        from: NodeId,
        /// Where it ends.
        to: NodeId,
    },
    /// The shares are for another number of nodes.
    #[error("the shares are for {shares} nodes, but there are {nodes}")]
    ShareRows {
        /// The number of nodes of the shares.
        shares: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// The list of allowed nodes does not have one entry per node.
    #[error("walker {walker} has {given} allowed flags for {nodes} nodes; give one per node")]
    AllowedCount {
        /// The walker.
        walker: usize,
        /// The number given.
        given: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// A walker may not be where it starts.
    #[error("walker {walker} starts on node {start}, where it may not be; allow it there")]
    StartForbidden {
        /// The walker.
        walker: usize,
        /// Its start.
        start: NodeId,
    },
    /// A walker cannot reach one of its nodes, or cannot get back.
    #[error(
        "walker {walker} may be on node {node}, but its allowed nodes do not connect node {node} \
         with its start {start}; allow a way between them, or leave node {node} out"
    )]
    CutOff {
        /// The walker.
        walker: usize,
        /// The node.
        node: NodeId,
        /// The walker's start.
        start: NodeId,
    },
}

impl SetupError {
    /// The same of another walker: one that joins is checked alone, but has its own number.
    pub(super) fn of_walker(mut self, number: usize) -> Self {
        match &mut self {
            Self::StartOutside { walker, .. }
            | Self::Speed { walker, .. }
            | Self::TooSlow { walker, .. }
            | Self::AllowedCount { walker, .. }
            | Self::StartForbidden { walker, .. }
            | Self::CutOff { walker, .. } => *walker = number,
            Self::NoWalkers
            | Self::OtherShares { .. }
            | Self::TooFewSeats { .. }
            | Self::NoSeat { .. }
            | Self::ShareRows { .. } => {}
        }
        self
    }

    /// The same of this many walkers: several that join are checked one by one, but asked for together.
    pub(super) fn of_so_many(mut self, number: usize) -> Self {
        if let Self::TooFewSeats { walkers, .. } | Self::NoSeat { walkers, .. } = &mut self {
            *walkers = number;
        }
        self
    }

    /// The same message, with the names of nodes instead of their numbers.
    pub fn named(&self, name: impl Fn(NodeId) -> String) -> String {
        match self {
            Self::TooSlow { walker, speed, from, to } => format!(
                "walker {walker} has speed {speed}, too slow for the road from node {} to node {}; it \
                 must take at most {MOST_STEPS} steps",
                name(*from),
                name(*to)
            ),
            Self::StartForbidden { walker, start } => format!(
                "walker {walker} starts on node {}, where it may not be; allow it there",
                name(*start)
            ),
            Self::CutOff { walker, node, start } => {
                let (node, start) = (name(*node), name(*start));
                format!(
                    "walker {walker} may be on node {node}, but its allowed nodes do not connect node \
                     {node} with its start {start}; allow a way between them, or leave node {node} out"
                )
            }
            other => other.to_string(),
        }
    }
}

impl TeamSetup {
    /// The number of walkers.
    pub fn walkers(&self) -> usize {
        self.members.len()
    }

    /// The most walkers on one node.
    pub fn most_on_a_node(&self) -> usize {
        self.seats.unwrap_or(usize::MAX).min(self.walkers())
    }

    /// Checks that the team can walk this graph.
    ///
    /// # Errors
    /// Names the walker and what is wrong with it.
    pub fn check(&self, graph: &Graph) -> Result<(), SetupError> {
        let (walkers, nodes) = (self.walkers(), graph.len());
        if walkers == 0 {
            return Err(SetupError::NoWalkers);
        }
        if self.sharing.walkers() != walkers {
            return Err(SetupError::OtherShares { shares: self.sharing.walkers(), walkers });
        }
        if let Some(seats) = self.seats.filter(|seats| seats.saturating_mul(nodes) < walkers) {
            return Err(SetupError::TooFewSeats { walkers, nodes, seats });
        }
        if let Some(shares) = self.sharing.nodes().filter(|&shares| shares != nodes) {
            return Err(SetupError::ShareRows { shares, nodes });
        }
        let last = nodes as NodeId - 1;
        for (walker, member) in self.members.iter().enumerate() {
            let start = member.start;
            if start > last {
                return Err(SetupError::StartOutside { walker, start, last });
            }
            if !(member.speed > 0.0 && member.speed.is_finite()) {
                return Err(SetupError::Speed { walker, speed: member.speed });
            }
            let is_slow = |road: &Road| road.time / member.speed > MOST_STEPS;
            let roads = graph.roads().map(|_| graph.all_roads());
            if let Some(Road { from, to, .. }) = roads.into_iter().flatten().find(is_slow) {
                return Err(SetupError::TooSlow { walker, speed: member.speed, from, to });
            }
            if let Some(allowed) = &member.allowed {
                if allowed.len() != nodes {
                    return Err(SetupError::AllowedCount { walker, given: allowed.len(), nodes });
                }
                if !allowed[start as usize] {
                    return Err(SetupError::StartForbidden { walker, start });
                }
                if let Some(node) = cut_off(graph, start, allowed) {
                    return Err(SetupError::CutOff { walker, node, start });
                }
            }
        }
        Ok(())
    }
}

/// The lowest allowed node that is not connected with `start`.
fn cut_off(graph: &Graph, start: NodeId, allowed: &[bool]) -> Option<NodeId> {
    let connected = connected(graph, start, allowed);
    graph.nodes().find(|&node| allowed[node as usize] && !connected[node as usize])
}

/// Whether each node can be reached from `start` over allowed nodes, and such a way leads back.
pub(super) fn connected(graph: &Graph, start: NodeId, allowed: &[bool]) -> Vec<bool> {
    let there = reached(graph, start, allowed);
    let Some(roads) = graph.roads() else { return there };
    let back = reaching(roads, start, allowed);
    there.into_iter().zip(back).map(|(there, back)| there && back).collect()
}

/// The nodes from which allowed nodes lead to `end`.
fn reaching(roads: &Roads, end: NodeId, allowed: &[bool]) -> Vec<bool> {
    let mut reaching = vec![false; allowed.len()];
    reaching[end as usize] = true;
    let mut waiting = vec![end];
    while let Some(to) = waiting.pop() {
        for (from, _) in roads.into(to) {
            if allowed[from as usize] && !reaching[from as usize] {
                reaching[from as usize] = true;
                waiting.push(from);
            }
        }
    }
    reaching
}

/// The nodes reached from `start` over allowed nodes.
fn reached(graph: &Graph, start: NodeId, allowed: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; graph.len()];
    reached[start as usize] = true;
    let mut waiting = vec![start];
    while let Some(from) = waiting.pop() {
        for &to in graph.neighborhood(from) {
            if allowed[to as usize] && !reached[to as usize] {
                reached[to as usize] = true;
                waiting.push(to);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn team(members: Vec<Member>) -> TeamSetup {
        let sharing = Arc::new(Sharing::equal(members.len()));
        TeamSetup { members, sharing, draws: Draws::One, seats: None }
    }

    #[test]
    fn impossible_teams_are_refused() {
        let line = Graph::line(4).unwrap();
        let complaint = |setup: TeamSetup| setup.check(&line).unwrap_err().to_string();
        assert!(team(vec![Member::at(0), Member::at(3)]).check(&line).is_ok());
        assert_eq!(complaint(team(vec![])), "a team needs at least one walker");
        assert!(complaint(team(vec![Member::at(0), Member::at(4)])).starts_with("walker 1 starts"));
        let allowed = Some(Arc::new(vec![true, false, true, true]));
        let cut = Member { allowed, ..Member::at(0) };
        assert_eq!(
            complaint(team(vec![cut])),
            "walker 0 may be on node 2, but its allowed nodes do not connect node 2 with its start \
             0; allow a way between them, or leave node 2 out"
        );
        let by_number = |node: NodeId| node.to_string();
        for error in [
            SetupError::CutOff { walker: 1, node: 2, start: 0 },
            SetupError::StartForbidden { walker: 1, start: 2 },
            SetupError::TooSlow { walker: 0, speed: 0.5, from: 3, to: 4 },
            SetupError::NoWalkers,
        ] {
            assert_eq!(error.named(by_number), error.to_string());
        }
        let slow = Member { speed: f64::NAN, ..Member::at(0) };
        assert_eq!(complaint(team(vec![slow])), "walker 0 has speed NaN; give a positive number");
        let crowd = TeamSetup { seats: Some(1), ..team(vec![Member::at(0); 5]) };
        assert!(complaint(crowd).starts_with("5 walkers do not fit on 4 nodes with at most 1"));
    }

    #[test]
    fn one_way_roads_must_lead_back() {
        let road = |from, to| Road { from, to, time: 0.0 };
        let ring = Graph::from_roads(3, [road(0, 1), road(1, 2), road(2, 0)]).unwrap();
        let on = |allowed: [bool; 3]| {
            let member = Member { allowed: Some(Arc::new(allowed.to_vec())), ..Member::at(0) };
            team(vec![member]).check(&ring)
        };
        assert!(on([true; 3]).is_ok());
        assert!(matches!(on([true, true, false]), Err(SetupError::CutOff { node: 1, .. })));
    }
}
