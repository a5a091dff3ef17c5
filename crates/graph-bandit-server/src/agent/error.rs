//! Why something cannot have happened to an agent, or cannot be had from a store.

use super::closing::has;
use super::curve::CurveError;
use super::event::Receipt;
use super::graph_source::GraphSourceError;
use super::place::{Ends, NoSuchNode, Spoken};
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::{
    ChangeError, ClosureError, DecisionError, Edge, EdgeError, FieldError, Graph, LegError,
    MAX_TRAVEL, MAX_VISITS, SpecError, StateError,
};
use thiserror::Error;

/// Why an event cannot have happened, or cannot be planned for; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum EventError {
    /// No visit at all.
    #[error("nothing was told; tell at least one reward")]
    NoVisit,
    /// More rewards than the leg has visits.
    #[error(
        "{rewards} rewards were told of a leg that has {visits} visits left; \
         say with `visits` where the others were paid"
    )]
    TooManyRewards {
        /// How many were told.
        rewards: usize,
        /// How many visits the leg had left.
        visits: u64,
    },
    /// More visits than one report may tell of.
    #[error(
        "{visits} visits are too many for one report; tell {most} at most, and the others next"
    )]
    ReportTooLong {
        /// How many were told.
        visits: usize,
        /// How many may be.
        most: usize,
    },
    /// A reward so large that its square is not a number.
    #[error("reward {reward} at {node} is not of magnitude at most {MAX_MAGNITUDE:e}")]
    RewardOutOfRange {
        /// The node.
        node: Spoken,
        /// The reward.
        reward: f64,
    },
    /// Nobody wants it any more.
    #[error("nobody waits for the report any more")]
    GivenUp,
    /// More visits than can be counted exactly.
    #[error("an agent makes at most {MAX_VISITS} visits")]
    TooManyVisits,
    /// More time on roads than can be counted.
    #[error("an agent spends at most {MAX_VISITS} visits' time on roads")]
    TooMuchTime,
    /// A node that there is not.
    #[error(transparent)]
    Node(#[from] NoSuchNode),
    /// The graph has no such edge.
    #[error("there is no {edge}")]
    NoSuchEdge {
        /// The edge.
        edge: Ends,
    },
    /// A one-way road was named against its direction.
    #[error(
        "there is no {edge}, only a {back}; name that one, or both directions (\"directions\": \"both\")"
    )]
    OtherWay {
        /// The road that is not there.
        edge: Ends,
        /// The one that is.
        back: Ends,
    },
    /// One direction of an edge that leads both ways.
    #[error(
        "the {edge} leads both ways and is blocked or open as a whole; leave `directions` out, or create the agent \
         with `roads`"
    )]
    LeadsBothWays {
        /// The edge.
        edge: Ends,
    },
    /// Not as many times as visits.
    #[error(
        "`took` has {times} numbers for {visits} visits; give one for each, null where it was not measured"
    )]
    OtherTimes {
        /// How many were told.
        times: usize,
        /// Of how many visits.
        visits: usize,
    },
    /// A time that no step takes.
    #[error(
        "`took` is {took} for the step to {node}; it counts travel and visit together, in units of one visit: give \
         a number from 1 to {}, or leave it out",
        1.0 + MAX_TRAVEL
    )]
    ImpossibleTook {
        /// Where the step led.
        node: Spoken,
        /// What was told.
        took: f64,
    },
    /// A rate at which no road reopens.
    #[error("`reopening_rate`: {0}, or leave it out")]
    ReopeningRate(ClosureError),
    /// The edge is blocked already, or open.
    #[error("the {edge} is {state} already")]
    EdgeIsSo {
        /// The edge.
        edge: Ends,
        /// Blocked or open.
        state: &'static str,
    },
    /// The graph would fall apart under an agent that cannot do without any node.
    #[error(
        "without the {edge} the graph falls apart: {cut_off} is cut off from {from}, and agent \
         {agent} cannot go on without it; report the leg as failed, or take an agent that plans, such as \
         g-star"
    )]
    Bridge {
        /// The edge.
        edge: Ends,
        /// A node that could not be reached any more.
        cut_off: Spoken,
        /// From where.
        from: Spoken,
        /// The agent.
        agent: &'static str,
    },
    /// An agent that remembers by edge.
    #[error(
        "agent {agent} remembers what it learned edge by edge and cannot go on with other edges; \
         report the leg as failed, or take an agent that plans, such as g-star"
    )]
    RemembersEdges {
        /// The agent.
        agent: &'static str,
    },
    /// The agent failed. Whoever let the event happen must have the agent from its log again.
    #[error("the agent failed: {reason}")]
    AgentFailed {
        /// What it says.
        reason: String,
    },
}

impl EventError {
    /// Why `agent` cannot go on with other edges of this map.
    pub(super) fn of_change(map: &Graph, agent: &'static str, error: ChangeError) -> Self {
        let ends = |edge: Edge| Ends::of(map, edge);
        match error {
            ChangeError::Agent(_) => Self::RemembersEdges { agent },
            ChangeError::Edge(EdgeError::NoSuchEdge { edge: (a, b) })
                if map.roads().is_some() && has(map, (b, a)) =>
            {
                Self::OtherWay { edge: ends((a, b)), back: ends((b, a)) }
            }
            ChangeError::Edge(EdgeError::NoSuchEdge { edge }) => {
                Self::NoSuchEdge { edge: ends(edge) }
            }
            ChangeError::Edge(EdgeError::AlreadyClosed { edge }) => {
                Self::EdgeIsSo { edge: ends(edge), state: "blocked" }
            }
            ChangeError::Edge(EdgeError::AlreadyOpen { edge }) => {
                Self::EdgeIsSo { edge: ends(edge), state: "open" }
            }
            ChangeError::Edge(EdgeError::CutsOff { edge, cut_off }) => Self::Bridge {
                edge: ends(edge),
                cut_off: Spoken::of(map, cut_off),
                from: Spoken::of(map, 0),
                agent,
            },
            other => Self::failed(other),
        }
    }

    pub(crate) fn failed(error: impl std::fmt::Display) -> Self {
        Self::AgentFailed { reason: error.to_string() }
    }
}

/// Why an agent cannot be had from what is stored of it.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The graph cannot be built any more.
    #[error(transparent)]
    Graph(#[from] GraphSourceError),
    /// The graph is drawn in another way than it was.
    #[error(
        "its graph is not the one that it was created on: {graph} has the fingerprint {there} now, \
         not {stored}; serve it with the version of the program that created it, or export it"
    )]
    OtherGraph {
        /// The graph as it was written.
        graph: String,
        /// The fingerprint it has now.
        there: String,
        /// The fingerprint it had.
        stored: String,
    },
    /// The first order is not one of this agent.
    #[error(transparent)]
    First(#[from] DecisionError),
    /// The agent cannot be built any more.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// The session is not one on this graph.
    #[error(transparent)]
    State(#[from] StateError),
    /// The start is not a node.
    #[error(transparent)]
    Start(#[from] FieldError),
    /// The agent cannot plan.
    #[error(transparent)]
    Plan(#[from] LegError),
    /// A curve that the rewards of the session cannot have.
    #[error(transparent)]
    Curve(#[from] CurveError),
}

/// Why a record cannot have been written to this log.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// It cannot have happened.
    #[error(transparent)]
    Event(#[from] EventError),
    /// It was answered in another way than what happened comes to.
    #[error("replayed it comes to {there:?}, not to {stored:?}")]
    Receipt {
        /// What it comes to.
        there: Receipt,
        /// What was answered.
        stored: Receipt,
    },
    /// What was ordered before cannot have been.
    #[error("the order before it: {0}")]
    Ordered(DecisionError),
}
