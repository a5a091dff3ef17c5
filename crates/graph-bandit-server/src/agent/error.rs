//! Why something cannot have happened to an agent, or cannot be had from a store.

use super::closing::has;
use super::curve::CurveError;
use super::event::Receipt;
use super::graph_source::GraphSourceError;
use super::place::{Ends, NoSuchNode, Spoken};
use super::stamps::{Last, Short};
use super::team::{MOST_CONFINED, TeamRefused, WalkerName};
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::team::{SessionError, TeamStateError};
use graph_bandit::{
    ChangeError, ClosureError, DecisionError, Edge, EdgeError, FieldError, Graph, LegError,
    MAX_TRAVEL, MAX_VISITS, SpecError, StateError,
};
use thiserror::Error;

/// Why an event is refused; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum EventError {
    /// The report has no visits.
    #[error("nothing was told; tell at least one reward")]
    NoVisit,
    /// More rewards than the leg has visits.
    #[error(
        "{rewards} rewards were told of a leg that has {visits} visits left; \
         report the others with `visits`, which names their nodes"
    )]
    TooManyRewards {
        /// How many were reported.
        rewards: usize,
        /// How many visits the leg had left.
        visits: u64,
    },
    /// More visits than one report may have.
    #[error(
        "{visits} visits are too many for one report; tell at most {most}, and the others in the next report"
    )]
    ReportTooLong {
        /// How many were reported.
        visits: usize,
        /// How many may be.
        most: usize,
    },
    /// A reward whose square is not finite.
    #[error(
        "reward {} at {node} is too large; give one of magnitude at most {MAX_MAGNITUDE:e}",
        Short(*reward)
    )]
    RewardOutOfRange {
        /// The node.
        node: Spoken,
        /// The reward.
        reward: f64,
    },
    /// The client is gone.
    #[error("no client waits for the report any more")]
    GivenUp,
    /// More visits than can be counted exactly.
    #[error("an agent makes at most {MAX_VISITS} visits")]
    TooManyVisits,
    /// More time on roads than can be counted.
    #[error("an agent spends at most {MAX_VISITS} visits' time on roads")]
    TooMuchTime,
    /// There is no such node.
    #[error(transparent)]
    Node(#[from] NoSuchNode),
    /// There is no such edge.
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
        /// The road that is.
        back: Ends,
    },
    /// One direction was named of an edge that leads both ways.
    #[error(
        "the {edge} leads both ways and is blocked or opened in both; leave `directions` out, or create the agent \
         with `roads`"
    )]
    LeadsBothWays {
        /// The edge.
        edge: Ends,
    },
    /// The number of times differs from the number of visits.
    #[error(
        "`took` has {times} numbers for {visits} visits; give one for each, null where it was not measured"
    )]
    OtherTimes {
        /// How many were reported.
        times: usize,
        /// Of how many visits.
        visits: usize,
    },
    /// A time that no step can take.
    #[error(
        "`took` is {} for the step to {node}; it counts travel and visit together, in units of one visit: give \
         a number from 1 to {}, or leave it out",
        Short(*took),
        1.0 + MAX_TRAVEL
    )]
    ImpossibleTook {
        /// Where the step led.
        node: Spoken,
        /// The reported time.
        took: f64,
    },
    /// Times were reported to a clock that counts.
    #[error(
        "`time` is {}, but the clock of this agent counts visits; say how long the step took with `took`, or \
         create the agent with \"clock\": \"stamps\"",
        Short(*time)
    )]
    TimeToCount {
        /// The reported time.
        time: f64,
    },
    /// A visit has both.
    #[error(
        "a visit has both `time`, {}, and `took`, {}; give only `time` if the agent's clock is \"stamps\", \
         and only `took` if it counts",
        Short(*time),
        Short(*took)
    )]
    TimeAndTook {
        /// When it ended.
        time: f64,
        /// How long it took.
        took: f64,
    },
    /// A duration was reported to a clock that follows times.
    #[error(
        "`took` is {}, but the clock of this agent is \"stamps\"; give `time` instead, when the visit ended, in \
         units of one visit ({last})",
        Short(*took)
    )]
    TookToStamps {
        /// The reported duration.
        took: f64,
        /// The last time.
        last: Last,
    },
    /// A visit has no time.
    #[error(
        "visit {visit} of the report has no `time`, and the clock of this agent is \"stamps\"; give the number at \
         which each visit ended, in units of one visit ({last})"
    )]
    NoTime {
        /// Which visit of the report, from 1.
        visit: usize,
        /// The last time.
        last: Last,
    },
    /// A visit has no time, and the report has a text.
    #[error(
        "`time` is the text {text:?}, but the clock of this agent is \"stamps\" and needs a number; as `time` of \
         visit {visit}, give the number at which it ended, in units of one visit ({last})"
    )]
    TextAsTime {
        /// The text.
        text: String,
        /// Which visit of the report, from 1.
        visit: usize,
        /// The last time.
        last: Last,
    },
    /// The visits have times, and the report has a text beside them.
    #[error(
        "`time` of the report is the text {text:?}, but its visits have numbers, the last of them {}; the history \
         has room for one of the two, so leave the text out",
        Short(*time)
    )]
    TextBesideTimes {
        /// The text.
        text: String,
        /// When the last visit ended.
        time: f64,
    },
    /// The time is not a number that can be counted exactly.
    #[error(
        "`time` of visit {visit} is {}; give a number of magnitude at most {MAX_VISITS}, in units of one visit \
         ({last})",
        Short(*time)
    )]
    TimeOutOfRange {
        /// Which visit of the report, from 1.
        visit: usize,
        /// The reported time.
        time: f64,
        /// The last time.
        last: Last,
    },
    /// The visit ended less than one visit after the one before.
    #[error(
        "`time` of visit {visit} is {}, and the last time was {}; a visit takes 1, so give at least {}, and \
         check that the clock counts in units of one visit",
        Short(*time),
        Short(*last),
        Short(*last + 1.0)
    )]
    TooEarly {
        /// Which visit of the report, from 1.
        visit: usize,
        /// The reported time.
        time: f64,
        /// The time before it.
        last: f64,
    },
    /// The visit ended too long after the one before.
    #[error(
        "`time` of visit {visit} is {}, and the last time was {}; the limit for one step, travel and visit \
         together, is {} units of one visit, so check that the clock counts in such units and still has the same \
         origin",
        Short(*time),
        Short(*last),
        1.0 + MAX_TRAVEL
    )]
    TooLate {
        /// Which visit of the report, from 1.
        visit: usize,
        /// The reported time.
        time: f64,
        /// The time before it.
        last: f64,
    },
    /// The number of times differs from the number of visits.
    #[error("`time` has {times} numbers for {visits} visits; give one for each")]
    OtherStamps {
        /// How many were reported.
        times: usize,
        /// Of how many visits.
        visits: usize,
    },
    /// The rate is not a positive number.
    #[error("`reopening_rate`: {0}, or leave it out")]
    ReopeningRate(ClosureError),
    /// The edge is already blocked, or already open.
    #[error("the {edge} is {state} already")]
    EdgeUnchanged {
        /// The edge.
        edge: Ends,
        /// Blocked or open.
        state: &'static str,
    },
    /// The graph would fall apart, and the agent needs all nodes.
    #[error(
        "without the {edge} the graph falls apart: {cut_off} is cut off from {from}, and agent \
         {agent} cannot go on without it; report the leg as failed, or take an agent that plans, such as \
         g-star"
    )]
    Bridge {
        /// The edge.
        edge: Ends,
        /// A node that would be cut off.
        cut_off: Spoken,
        /// The node it would be cut off from.
        from: Spoken,
        /// The agent.
        agent: &'static str,
    },
    /// The agent learns by edge.
    #[error(
        "agent {agent} learns edge by edge and cannot go on when edges change; \
         report the leg as failed, or take an agent that plans, such as g-star"
    )]
    RemembersEdges {
        /// The agent.
        agent: &'static str,
    },
    /// A report to an agent alone names a walker, or is about one.
    #[error(
        "this agent leads one robot and is not a team; leave `walker` out, or create a team with `walkers`"
    )]
    NotATeam,
    /// Nobody is named whose order a team is asked for.
    #[error(
        "the agent is a team; say which walker asks, with `?walker=` (the walkers are {known})"
    )]
    AsksWithoutWalker {
        /// Walkers of the team.
        known: String,
    },
    /// A report to a team does not name its walker.
    #[error(
        "the agent is a team; say which walker reports with `walker` (the walkers are {known})"
    )]
    NoWalker {
        /// Walkers of the team.
        known: String,
    },
    /// No walker has this number or name.
    #[error(
        "there is no walker {walker} in the team; {}",
        near.as_ref().map_or_else(
            || format!("the walkers are {known}"),
            |near| format!("did you mean {near:?}?"),
        )
    )]
    UnknownWalker {
        /// The walker.
        walker: WalkerName,
        /// The name that was probably meant.
        near: Option<String>,
        /// Walkers of the team.
        known: String,
    },
    /// The walker has left the team.
    #[error(
        "walker {walker} has left the team, and its number and name are not used again; report for one of \
         {known}, or join as a new walker"
    )]
    WalkerLeft {
        /// The walker.
        walker: WalkerName,
        /// Walkers of the team.
        known: String,
    },
    /// The walker may not be on the node.
    #[error(
        "walker {walker} may not be on {node}; report one of its nodes, or let it leave and join as a new walker \
         with other nodes"
    )]
    MayNotBe {
        /// The walker's name or number.
        walker: String,
        /// The node.
        node: Spoken,
    },
    /// The walker cannot join.
    #[error("{0}")]
    Team(TeamRefused),
    /// Another walker has the name, or it has other settings.
    #[error(
        "walker {name:?} is in the team already, with other settings; repeat its exact settings, or choose a \
         name that no walker had before"
    )]
    OtherWalker {
        /// The name.
        name: String,
    },
    /// A join without a name, which could not be repeated.
    #[error("a walker that joins needs a `name`, so that a repeated request is recognized")]
    JoinsWithoutName,
    /// Teams do not learn the times of roads.
    #[error(
        "`took` is {}, but a team does not learn how long roads take; leave it out",
        Short(*took)
    )]
    TookToTeam {
        /// The reported time.
        took: f64,
    },
    /// The clocks of a team's walkers count visits.
    #[error(
        "`time` is {}, but the clocks of a team's walkers count visits; leave it out, or give the time as text",
        Short(*time)
    )]
    TimeToTeam {
        /// The reported time.
        time: f64,
    },
    /// Teams do not wait for roads to reopen.
    #[error(
        "`reopening_rate` is {}, but a team does not wait for roads to reopen; leave it out, and report the road \
         when it is open",
        Short(*rate)
    )]
    TeamDoesNotWait {
        /// The reported rate.
        rate: f64,
    },
    /// The team is too large to go on in parts.
    #[error(
        "without the {edge} the graph falls apart: {cut_off} is cut off, and a team of {walkers} walkers cannot go \
         on in parts; the limit for that is {MOST_CONFINED} walkers. Report the leg as failed, or let walkers leave"
    )]
    TeamBridge {
        /// The edge.
        edge: Ends,
        /// A node that would be cut off.
        cut_off: Spoken,
        /// The number of walkers.
        walkers: usize,
    },
    /// The agent failed. The caller must load the agent from its log again.
    #[error("the agent failed: {reason}")]
    AgentFailed {
        /// The agent's error.
        reason: String,
    },
}

impl EventError {
    /// Why `agent` cannot go on after this change of the map.
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
                Self::EdgeUnchanged { edge: ends(edge), state: "blocked" }
            }
            ChangeError::Edge(EdgeError::AlreadyOpen { edge }) => {
                Self::EdgeUnchanged { edge: ends(edge), state: "open" }
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

/// Why an agent cannot be restored from the store.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The graph cannot be built any more.
    #[error(transparent)]
    Graph(#[from] GraphSourceError),
    /// The random graph is no longer drawn as it was.
    #[error(
        "its graph is not the one that it was created on: {graph} has the fingerprint {there} now, \
         not {stored}; serve it with the version of the program that created it, or export it"
    )]
    OtherGraph {
        /// The graph in the client's words.
        graph: String,
        /// The fingerprint it has now.
        there: String,
        /// The fingerprint it had.
        stored: String,
    },
    /// The first order does not fit this agent.
    #[error(transparent)]
    First(#[from] DecisionError),
    /// The agent cannot be built any more.
    #[error(transparent)]
    Agent(#[from] SpecError),
    /// The session does not fit this graph.
    #[error(transparent)]
    State(#[from] StateError),
    /// The start is not a node.
    #[error(transparent)]
    Start(#[from] FieldError),
    /// The agent cannot plan.
    #[error(transparent)]
    Plan(#[from] LegError),
    /// The curve does not fit the rewards of the session.
    #[error(transparent)]
    Curve(#[from] CurveError),
    /// The snapshot of a team for an agent alone, or the other way round.
    #[error("the definition is that of a team and the snapshot is not, or the other way round")]
    OtherKind,
    /// The team cannot be built any more.
    #[error(transparent)]
    Team(#[from] TeamRefused),
    /// The stored team does not fit this graph.
    #[error(transparent)]
    TeamState(#[from] TeamStateError),
    /// A walker of the team cannot be given its order.
    #[error(transparent)]
    TeamPlan(#[from] SessionError),
    /// The changes do not fit the visits of the session.
    #[error("the {count} changes that the agent found do not fit its visits")]
    Found {
        /// How many were stored.
        count: u64,
    },
    /// The times of last visits do not fit the graph or the clock.
    #[error("the times at which nodes were last visited do not fit its graph and its clock")]
    Seen,
    /// The time of the last visit does not fit the clock.
    #[error(
        "its `last_time` is {}; only an agent whose clock is \"stamps\" has one, of magnitude at most {MAX_VISITS}",
        Short(*time)
    )]
    LastTime {
        /// The stored time.
        time: f64,
    },
}

/// Why a record does not belong to this log.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The event cannot have happened.
    #[error(transparent)]
    Event(#[from] EventError),
    /// The replayed receipt differs from the stored one.
    #[error("replaying it gives {there:?}, but the log has {stored:?}")]
    Receipt {
        /// The replayed receipt.
        there: Box<Receipt>,
        /// The stored receipt.
        stored: Box<Receipt>,
    },
    /// The time of a clock that follows times is not a number.
    #[error("its time is {time:?}, which is not a number")]
    Time {
        /// The stored time.
        time: Option<String>,
    },
}
