//! A stored team: everything that graph, agent and shares cannot reproduce.

use super::{SessionError, TeamSession, WalkerId};
use crate::agent::Phase;
use crate::clock::Clock;
use crate::estimates::{Estimates, MAX_VISITS};
use crate::field::{Edge, EdgeError, Field};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::random::{Seed, Stream};
use crate::team::post::Post;
use crate::team::{Member, SetupError, Sharing, TeamAgent};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::sync::Arc;
use thiserror::Error;

/// A stored team. With the same graph and shares and a fresh agent of the same spec, it continues as
/// if it had never stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TeamState {
    stream: Stream,
    estimates: Estimates,
    /// For each node, the number of the last report, counted from 1.
    drawn: Vec<u64>,
    /// The number of the next walker.
    next: WalkerId,
    walkers: Vec<WalkerState>,
    /// The closed edges.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    closed: BTreeSet<Edge>,
    /// The most walkers sent to one node, if there is a limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    seats: Option<usize>,
    /// What an agent that listens has learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    learned: Option<Learned>,
}

/// What an agent has learned that listens to reports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Learned {
    /// The time of the team.
    time: f64,
    memory: Memory,
}

/// A stored walker.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkerState {
    walker: WalkerId,
    at: NodeId,
    /// Its clock; a plain number of visits if no road took time.
    #[serde(rename = "visits")]
    clock: Clock,
    speed: f64,
    /// The nodes where it may be, ascending, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    nodes: Option<Vec<NodeId>>,
    /// The rest of its leg.
    leg: Leg,
    /// Whether the leg leads to a node that nobody had visited when it was planned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    covers: bool,
    /// Whether the leg ends with the next report.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    outdated: bool,
    /// How far the team's time is ahead of its clock, if the agent listens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    behind: Option<f64>,
}

/// Why a state does not fit this graph.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TeamStateError {
    /// The graph has another size.
    #[error("the team was on a graph of {stored} nodes; this graph has {nodes}")]
    OtherGraph {
        /// The number of nodes of the team's graph.
        stored: usize,
        /// The number of nodes of this graph.
        nodes: usize,
    },
    /// The graph does not have this node.
    #[error("the stored team names node {node}; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node.
        node: NodeId,
        /// The highest node number there is.
        last: NodeId,
    },
    /// The walkers are not numbered in the order in which they joined.
    #[error("the stored team has walker {walker} out of order; the next number is {next}")]
    Numbers {
        /// The walker.
        walker: WalkerId,
        /// The number of the next walker.
        next: WalkerId,
    },
    /// No further walker could get a number.
    #[error(
        "the stored team says that its next walker has number {next}; the highest is {MAX_VISITS}"
    )]
    Next {
        /// The number of the next walker.
        next: WalkerId,
    },
    /// The stored visits or reports do not fit each other.
    #[error("the stored team counts {counted} reports, but has {visits} rewards")]
    Counts {
        /// The number claimed.
        counted: u64,
        /// The number of rewards.
        visits: u64,
    },
    /// A walker cannot be in this team.
    #[error("walker {walker} of the stored team: {error}")]
    Walker {
        /// The walker.
        walker: WalkerId,
        /// What is wrong.
        error: SetupError,
    },
    /// A walker cannot follow its leg.
    #[error("walker {walker} of the stored team cannot follow its leg {path:?} from node {at}")]
    IllegalLeg {
        /// The walker.
        walker: WalkerId,
        /// Where it is.
        at: NodeId,
        /// The rest of its path.
        path: Vec<NodeId>,
    },
    /// A time is negative or not a number.
    #[error("the stored team has time {time}; it must be a number of at least 0")]
    Time {
        /// The time.
        time: f64,
    },
    /// The memory does not fit the agent.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// Edges that cannot be closed.
    #[error("closed edges: {0}")]
    Edge(#[from] EdgeError),
    /// The agent or the shares cannot lead a team on this graph.
    #[error(transparent)]
    Session(#[from] SessionError),
}

impl TeamState {
    /// The walkers of the team, in the order in which they joined.
    pub fn walkers(&self) -> impl Iterator<Item = WalkerId> + '_ {
        self.walkers.iter().map(|walker| walker.walker)
    }

    /// All rewards so far.
    pub fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    /// The closed edges.
    pub fn closed(&self) -> &BTreeSet<Edge> {
        &self.closed
    }
}

impl TeamSession {
    /// The current state, without the graph and the shares.
    pub fn state(&self) -> TeamState {
        let listens = self.listens();
        let stored = |(place, (id, post)): (usize, (&WalkerId, &Post))| WalkerState {
            walker: *id,
            at: post.at(),
            clock: self.clocks[place],
            speed: post.speed(),
            nodes: post.allowed().map(|allowed| listed(allowed)),
            leg: Leg { path: post.ahead().to_vec(), stay: post.stay() },
            covers: post.phase() == Phase::Cover,
            outdated: post.is_outdated(),
            behind: listens.then(|| self.time.ahead[place]),
        };
        TeamState {
            stream: self.stream.clone(),
            estimates: self.field.estimates().clone(),
            drawn: self.drawn.clone(),
            next: self.next,
            walkers: self.ids.iter().zip(&self.posts).enumerate().map(stored).collect(),
            closed: self.field.closed().clone(),
            seats: (self.seats != usize::MAX).then_some(self.seats),
            learned: listens.then(|| Learned { time: self.time.now, memory: self.agent.memory() }),
        }
    }

    /// Resumes a stored team; `agent` is a fresh agent of the same spec, and `sharing` has the shares
    /// that the team had.
    ///
    /// # Errors
    /// When the state does not belong to this graph, agent and shares.
    pub fn resume(
        graph: impl Into<Arc<Graph>>,
        agent: Box<dyn TeamAgent + Send>,
        sharing: impl Into<Arc<Sharing>>,
        state: TeamState,
    ) -> Result<Self, TeamStateError> {
        let graph = graph.into();
        state.check(&graph)?;
        let mut team = Self::new(Arc::clone(&graph), agent, sharing, Seed(0))?;
        if let Some(seats) = state.seats {
            team = team.with_seats(seats);
        }
        for walker in &state.walkers {
            let error = |error| TeamStateError::Walker { walker: walker.walker, error };
            team.next = walker.walker;
            team.join(walker.member(graph.len())).map_err(|refused| match refused {
                SessionError::Member(refused) => error(refused),
                other => other.into(),
            })?;
        }
        team.field = Field::seen(graph, state.estimates);
        let roads = team.field.closing_all(&state.closed)?;
        team.field.change_roads(roads);
        for (place, walker) in state.walkers.into_iter().enumerate() {
            let WalkerState { walker, at, clock, leg, covers, outdated, behind, .. } = walker;
            team.confine(place);
            let phase = if covers { Phase::Cover } else { Phase::Learn };
            team.posts[place].follow_in(phase, &leg);
            if !team.can_follow(&team.posts[place]) {
                return Err(TeamStateError::IllegalLeg { walker, at, path: leg.path });
            }
            if outdated {
                team.posts[place].outdate();
            }
            team.clocks[place] = clock;
            team.time.ahead[place] = behind.unwrap_or_default();
        }
        if let Some(Learned { time, memory }) = state.learned {
            team.time.now = time;
            team.agent.recall(team.field.map(), &memory)?;
        }
        (team.stream, team.drawn, team.next) = (state.stream, state.drawn, state.next);
        Ok(team)
    }
}

impl WalkerState {
    fn member(&self, nodes: usize) -> Member {
        let flags = |allowed: &Vec<NodeId>| {
            let mut flags = vec![false; nodes];
            for &node in allowed {
                flags[node as usize] = true;
            }
            Arc::new(flags)
        };
        Member { start: self.at, speed: self.speed, allowed: self.nodes.as_ref().map(flags) }
    }
}

impl TeamState {
    fn check(&self, graph: &Graph) -> Result<(), TeamStateError> {
        let nodes = graph.len();
        for stored in [self.estimates.samples().len(), self.drawn.len()] {
            if stored != nodes {
                return Err(TeamStateError::OtherGraph { stored, nodes });
            }
        }
        let of_walker = |walker: &WalkerState| {
            let allowed = walker.nodes.iter().flatten().copied();
            walker.leg.path.iter().copied().chain(allowed).chain([walker.at]).collect::<Vec<_>>()
        };
        let mut named = self.walkers.iter().flat_map(of_walker);
        if let Some(node) = named.find(|&node| node as usize >= nodes) {
            return Err(TeamStateError::UnknownNode { node, last: nodes as NodeId - 1 });
        }
        if self.next > MAX_VISITS {
            return Err(TeamStateError::Next { next: self.next });
        }
        let mut least = 0;
        for walker in self.walkers() {
            if walker < least || walker >= self.next {
                return Err(TeamStateError::Numbers { walker, next: self.next });
            }
            least = walker + 1;
        }
        let behind = self.walkers.iter().filter_map(|walker| walker.behind);
        let mut times = self.learned.iter().map(|learned| learned.time).chain(behind);
        if let Some(time) = times.find(|time| !(*time >= 0.0 && time.is_finite())) {
            return Err(TeamStateError::Time { time });
        }
        let visits = self.estimates.visits();
        let made =
            self.walkers.iter().fold(0, |sum: u64, it| sum.saturating_add(it.clock.visits()));
        let latest = self.drawn.iter().copied().max().unwrap_or(0);
        if let Some(counted) = [made, latest].into_iter().find(|&counted| counted > visits) {
            return Err(TeamStateError::Counts { counted, visits });
        }
        Ok(())
    }
}

/// The allowed nodes, ascending.
pub(super) fn listed(allowed: &[bool]) -> Vec<NodeId> {
    (0..).zip(allowed).filter_map(|(node, &is_allowed)| is_allowed.then_some(node)).collect()
}
