//! Ask and tell for a team: rewards come from outside, and every walker asks and tells on its own.
//!
//! There is no common step here: reports come when they come. So each walker has a clock of its own,
//! counted in its visits, and only agents that plan one walker at a time can lead
//! ([`Manner::Apart`]). Such an agent decides by the situation and its memory alone, so a team can be
//! stored and resumed bit for bit ([`TeamState`]), and decisions can be repeated without the agent
//! ([`TeamSession::decide`]).

mod edges;
mod learning;
mod state;

pub use state::{TeamState, TeamStateError};

use super::agent::{Manner, TeamAgent};
use super::post::Post;
use super::setup::{Draws, Member, SetupError, TeamSetup};
use super::share::Sharing;
use crate::agent::{Hearing, Phase};
use crate::clock::{Clock, Time};
use crate::estimates::Estimates;
use crate::field::{EdgeError, Field, FieldError};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::raised::Raised;
use crate::random::{Seed, Stream, label};
use crate::trajectory::{Decision, Order};
use learning::TeamTime;
use std::sync::Arc;
use thiserror::Error;

/// A walker of a session. Numbers are never used twice.
pub type WalkerId = u64;

/// Why a report or a question of a team was refused; nothing changed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SessionError {
    /// There is no such walker, or it has left.
    #[error("walker {walker} is not in the team; the walkers are {}", listed(known))]
    UnknownWalker {
        /// The walker.
        walker: WalkerId,
        /// Those in the team.
        known: Vec<WalkerId>,
    },
    /// The team is full.
    #[error("the team has {most} walkers, as many as it has room for; let one leave first")]
    Full {
        /// The most walkers.
        most: usize,
    },
    /// The team would have too many walkers if all of these joined.
    #[error(
        "the team would have {walkers} walkers, but it has room for at most {most}; let others leave first, or \
         make a team with more room"
    )]
    TooMany {
        /// The walkers that it would have.
        walkers: usize,
        /// The most walkers.
        most: usize,
    },
    /// The agent plans for all walkers at once, or listens to common steps.
    #[error(
        "the agent needs all walkers to step together, but reports come one by one; use an agent \
         that plans for each walker, such as g-star"
    )]
    StepsTogether,
    /// The walker may not be on this node.
    #[error(
        "walker {walker} may not be on node {node}; name one of its nodes, or let it leave and join \
         again with other nodes"
    )]
    Forbidden {
        /// The walker.
        walker: WalkerId,
        /// The node.
        node: NodeId,
    },
    /// The walker cannot join.
    #[error(transparent)]
    Member(#[from] SetupError),
    /// The node or the reward is not valid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The edge cannot be closed or opened.
    #[error(transparent)]
    Edge(#[from] EdgeError),
    /// The walker cannot follow this decision.
    #[error("walker {walker} cannot follow the leg {path:?} with a stay of {stay}: {reason}")]
    Decision {
        /// The walker.
        walker: WalkerId,
        /// The path.
        path: Vec<NodeId>,
        /// The further visits at its end.
        stay: u64,
        /// What is wrong.
        reason: String,
    },
    /// The agent failed.
    #[error("{0}")]
    Agent(Raised),
}

fn listed(walkers: &[WalkerId]) -> String {
    match walkers {
        [] => "none".to_owned(),
        all => all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
    }
}

/// A team whose rewards are reported.
///
/// ```
/// use graph_bandit::spec::TeamSpec;
/// use graph_bandit::team::{Member, Sharing, TeamSession};
/// use graph_bandit::{Graph, Preset, Seed};
/// let agent = TeamSpec::parse("g-star", Preset::Paper)?.build();
/// let mut team = TeamSession::new(Graph::grid(3, 3)?, agent, Sharing::equal(4), Seed(0))?;
/// let (first, second) = (team.join(Member::at(0))?, team.join(Member::at(8))?);
/// for _ in 0..100 {
///     let node = team.ask(first)?.node;
///     team.tell(first, node, 0.5)?;
/// }
/// team.fail(first)?;
/// assert_ne!(team.ask(first)?.destination(), team.ask(second)?.destination());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TeamSession {
    agent: Box<dyn TeamAgent + Send>,
    stream: Stream,
    field: Field,
    sharing: Arc<Sharing>,
    seats: usize,
    ids: Vec<WalkerId>,
    posts: Vec<Post>,
    /// The clock of each walker: its visits, and its time on roads.
    clocks: Vec<Clock>,
    /// Room for the legs that the agent plans; empty in between.
    legs: Vec<Leg>,
    /// The time of the team, and how far it is ahead of each walker's clock.
    time: TeamTime,
    /// For each node, the number of the last report, counted from 1.
    drawn: Vec<u64>,
    next: WalkerId,
}

impl TeamSession {
    /// A team without walkers on this graph, of at most as many as `sharing` is for.
    ///
    /// # Errors
    /// When the agent needs all walkers to step together, or the shares are for another graph.
    pub fn new(
        graph: impl Into<Arc<Graph>>,
        agent: Box<dyn TeamAgent + Send>,
        sharing: impl Into<Arc<Sharing>>,
        seed: Seed,
    ) -> Result<Self, SessionError> {
        let is_deaf = agent.hearing() == Hearing::EveryVisit && !agent.hears_reports();
        if agent.manner() == Manner::Together || is_deaf {
            return Err(SessionError::StepsTogether);
        }
        let field = Field::new(graph);
        let (sharing, nodes) = (sharing.into(), field.graph().len());
        if let Some(shares) = sharing.nodes().filter(|&shares| shares != nodes) {
            return Err(SetupError::ShareRows { shares, nodes }.into());
        }
        let drawn = vec![0; field.graph().len()];
        Ok(Self {
            agent,
            stream: seed.child(label::AGENT).stream(),
            field,
            sharing,
            seats: usize::MAX,
            ids: Vec::new(),
            posts: Vec::new(),
            clocks: Vec::new(),
            legs: Vec::new(),
            time: TeamTime::default(),
            drawn,
            next: 0,
        })
    }

    /// Sends at most this many walkers to one node, at least one.
    #[must_use]
    pub fn with_seats(mut self, seats: usize) -> Self {
        self.seats = seats.max(1);
        self
    }

    /// The walkers in the team, in the order in which they joined.
    pub fn walkers(&self) -> &[WalkerId] {
        &self.ids
    }

    /// All rewards so far.
    pub fn estimates(&self) -> &Estimates {
        self.field.estimates()
    }

    /// The graph without its closed edges.
    pub fn graph(&self) -> &Graph {
        self.field.graph()
    }

    /// Everything that is known.
    pub fn field(&self) -> &Field {
        &self.field
    }

    /// Where the walker is.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn at(&self, walker: WalkerId) -> Result<NodeId, SessionError> {
        Ok(self.posts[self.place(walker)?].at())
    }

    /// The number of visits that the walker told.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn visits(&self, walker: WalkerId) -> Result<u64, SessionError> {
        Ok(self.clocks[self.place(walker)?].visits())
    }

    /// The walker's clock: the visits that it told, and the time that the map says for the roads between
    /// them, at the walker's speed.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn time(&self, walker: WalkerId) -> Result<Time, SessionError> {
        Ok(self.clocks[self.place(walker)?].now())
    }

    /// The time of each step along `path` from where the walker is, travel and visit together, if roads run
    /// one way or take time.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn times(
        &self,
        walker: WalkerId,
        path: &[NodeId],
    ) -> Result<Option<Vec<f64>>, SessionError> {
        let post = &self.posts[self.place(walker)?];
        if self.field.map().roads().is_none() {
            return Ok(None);
        }
        let from = std::iter::once(post.at()).chain(path.iter().copied());
        Ok(Some(from.zip(path).map(|(from, &to)| 1.0 + self.on_road(post, from, to)).collect()))
    }

    /// The time on the road between two nodes, at the walker's speed; 0 if there is none. A road that was closed while
    /// the walker was on it counts, too.
    fn on_road(&self, post: &Post, from: NodeId, to: NodeId) -> f64 {
        self.field.map().travel(from, to).unwrap_or(0.0) / post.speed()
    }

    /// What several walkers on one node are worth.
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// The number of the walker that joins next.
    pub fn next_walker(&self) -> WalkerId {
        self.next
    }

    /// The most walkers at the same time.
    pub fn most(&self) -> usize {
        self.sharing.walkers()
    }

    /// What the time of roads is divided by for the walker.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn speed(&self, walker: WalkerId) -> Result<f64, SessionError> {
        Ok(self.posts[self.place(walker)?].speed())
    }

    /// Whether the walker may be on `node`, however it gets there.
    ///
    /// # Errors
    /// When it is not in the team, or the node does not exist.
    pub fn may_be(&self, walker: WalkerId, node: NodeId) -> Result<bool, SessionError> {
        self.field.check_node(node)?;
        Ok(self.posts[self.place(walker)?].may_be_on(node))
    }

    /// The nodes where the walker may be, ascending; `None` if it may be everywhere.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn nodes_of(&self, walker: WalkerId) -> Result<Option<Vec<NodeId>>, SessionError> {
        let allowed = self.posts[self.place(walker)?].allowed();
        Ok(allowed.map(|allowed| state::listed(allowed)))
    }

    /// The nodes to which the walker may be sent now, ascending; `None` if that is all.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn within_reach(&self, walker: WalkerId) -> Result<Option<Vec<NodeId>>, SessionError> {
        Ok(self.posts[self.place(walker)?].within().map(state::listed))
    }

    /// Whether the walker's next leg is still to be planned.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn is_idle(&self, walker: WalkerId) -> Result<bool, SessionError> {
        Ok(self.posts[self.place(walker)?].is_idle())
    }

    /// The rest of the walker's leg; no visits if the next leg is not planned yet.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn pending(&self, walker: WalkerId) -> Result<Order<&[NodeId]>, SessionError> {
        Ok(self.posts[self.place(walker)?].order())
    }

    /// The rest of the walker's leg as a decision. Right after [`ask`](Self::ask) planned, it holds
    /// everything that [`decide`](Self::decide) needs to restore this state.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn decision(&self, walker: WalkerId) -> Result<Decision, SessionError> {
        let Order { path, stay, phase, .. } = self.pending(walker)?;
        let (path, drawn) = (path.to_vec(), self.stream.position());
        Ok(Decision { path, stay, phase, drawn, trail: 0 })
    }

    /// Gives the walker this leg as if the agent had just planned it, without calling the agent.
    ///
    /// # Errors
    /// When the walker is not in the team or cannot follow the leg. Nothing changes then.
    pub fn decide(&mut self, walker: WalkerId, decision: &Decision) -> Result<(), SessionError> {
        let place = self.place(walker)?;
        let leg = Leg { path: decision.path.clone(), stay: decision.stay };
        let checked =
            super::executor::check(self.field.graph(), walker as usize, &self.posts[place], &leg);
        checked.map_err(|error| SessionError::Decision {
            walker,
            path: leg.path.clone(),
            stay: leg.stay,
            reason: error.to_string(),
        })?;
        self.stream.go_to(decision.drawn);
        self.posts[place].follow_in(decision.phase, &leg);
        Ok(())
    }

    /// Adds several walkers, and returns their numbers. If they do not all fit, none of them joins, and the
    /// error counts all of them.
    ///
    /// # Errors
    /// As [`join`](Self::join), with [`TooMany`](SessionError::TooMany) in place of [`Full`](SessionError::Full).
    pub fn join_all(&mut self, members: Vec<Member>) -> Result<Vec<WalkerId>, SessionError> {
        let (before, next) = (self.ids.len(), self.next);
        let wanted = before + members.len();
        for member in members {
            if let Err(error) = self.join(member) {
                self.ids.truncate(before);
                self.posts.truncate(before);
                self.clocks.truncate(before);
                self.legs.truncate(before);
                self.time.ahead.truncate(before);
                self.next = next;
                return Err(match error {
                    SessionError::Member(error) => error.of_so_many(wanted).into(),
                    SessionError::Full { most } => SessionError::TooMany { walkers: wanted, most },
                    other => other,
                });
            }
        }
        Ok(self.ids[before..].to_vec())
    }

    /// Adds a walker, and returns its number.
    ///
    /// # Errors
    /// When the team is full or the walker does not fit the graph.
    pub fn join(&mut self, member: Member) -> Result<WalkerId, SessionError> {
        let most = self.sharing.walkers();
        if self.ids.len() == most {
            return Err(SessionError::Full { most });
        }
        let post = Post::new(&member);
        let alone = TeamSetup {
            members: vec![member],
            sharing: Arc::new(Sharing::equal(1)),
            draws: Draws::Own,
            seats: None,
        };
        // Closed edges may open again, so the whole map counts.
        alone.check(self.field.map()).map_err(|error| error.of_walker(self.next as usize))?;
        let (walkers, nodes) = (self.ids.len() + 1, self.field.graph().len());
        if self.seats.saturating_mul(nodes) < walkers {
            return Err(SetupError::TooFewSeats { walkers, nodes, seats: self.seats }.into());
        }
        if !self.has_seat_with(&post) {
            return Err(SetupError::NoSeat { walkers, seats: self.seats }.into());
        }
        let id = self.next;
        self.next += 1;
        self.ids.push(id);
        self.posts.push(post);
        self.clocks.push(Clock::default());
        self.legs.push(Leg::default());
        self.time.join();
        self.confine(self.posts.len() - 1);
        Ok(id)
    }

    /// Removes a walker. What it reported stays.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn leave(&mut self, walker: WalkerId) -> Result<(), SessionError> {
        let place = self.place(walker)?;
        self.ids.remove(place);
        self.posts.remove(place);
        self.clocks.remove(place);
        self.legs.remove(place);
        self.time.ahead.remove(place);
        Ok(())
    }

    /// The walker's next order. The answer stays the same until it tells something, fails or is moved, or an edge closes or
    /// opens.
    ///
    /// # Errors
    /// When the walker is not in the team, or the agent fails.
    pub fn ask(&mut self, walker: WalkerId) -> Result<Order<&[NodeId]>, SessionError> {
        let place = self.place(walker)?;
        if self.posts[place].is_idle() {
            self.plan(place)?;
            let (post, leg) = (&mut self.posts[place], &self.legs[place]);
            super::executor::check(self.field.graph(), self.ids[place] as usize, post, leg)
                .map_err(|error| SessionError::Agent(error.into()))?;
            let is_unseen = self.field.estimates().count(leg.destination(post.at())) == 0;
            post.follow_in(if is_unseen { Phase::Cover } else { Phase::Learn }, leg);
            // A resumed team has no earlier legs to look at, so no team has.
            self.legs[place].clear();
        }
        Ok(self.posts[place].order())
    }

    /// Reports that the walker visited `node` and what that paid. If the node is not the next one of
    /// its leg, the rest of the leg is dropped: the walker is where it says. An agent for rewards that
    /// change may drop it, too, because of what this or an earlier report says.
    ///
    /// # Errors
    /// When the walker is not in the team or may not be on the node, the node does not exist, or the
    /// reward is invalid. If an agent that listens fails, the reward has been counted: do not continue then.
    pub fn tell(
        &mut self,
        walker: WalkerId,
        node: NodeId,
        reward: f64,
    ) -> Result<(), SessionError> {
        let place = self.place(walker)?;
        self.field.check_node(node)?;
        self.check_allowed(place, node)?;
        self.field.observe(node, reward)?;
        self.drawn[node as usize] = self.field.estimates().visits();
        let travel = self.on_road(&self.posts[place], self.posts[place].at(), node);
        self.clocks[place].pass(1);
        self.clocks[place].pass_on_road(travel);
        self.posts[place].visited(node);
        self.time.pass(place, self.clocks[place].now());
        self.learn(place, reward)?;
        self.confine_after_move(place);
        Ok(())
    }

    /// Records a reward that nobody in the team collected, such as that of a fixed sensor.
    ///
    /// # Errors
    /// When the node does not exist or the reward is invalid.
    pub fn observe(&mut self, node: NodeId, reward: f64) -> Result<(), SessionError> {
        self.field.observe(node, reward)?;
        self.drawn[node as usize] = self.field.estimates().visits();
        Ok(())
    }

    /// Drops the walker's leg: it failed, or was recalled. Its next order is planned from where it
    /// is.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn fail(&mut self, walker: WalkerId) -> Result<(), SessionError> {
        let place = self.place(walker)?;
        self.posts[place].abandon();
        Ok(())
    }

    /// Places the walker on `node`, however it got there. Its leg is dropped.
    ///
    /// # Errors
    /// When the walker is not in the team or may not be on the node, or the node does not exist.
    pub fn move_to(&mut self, walker: WalkerId, node: NodeId) -> Result<(), SessionError> {
        let place = self.place(walker)?;
        self.field.check_node(node)?;
        self.check_allowed(place, node)?;
        self.posts[place].be_at(node);
        self.confine_after_move(place);
        Ok(())
    }

    /// Refuses a node where the walker may not be.
    fn check_allowed(&self, place: usize, node: NodeId) -> Result<(), SessionError> {
        if self.posts[place].may_be_on(node) {
            return Ok(());
        }
        Err(SessionError::Forbidden { walker: self.ids[place], node })
    }

    /// The place of a walker in the lists.
    fn place(&self, walker: WalkerId) -> Result<usize, SessionError> {
        // Numbers only rise, so the walkers are in their order.
        let unknown = |_| SessionError::UnknownWalker { walker, known: self.ids.clone() };
        self.ids.binary_search(&walker).map_err(unknown)
    }
}
