//! The [`TeamAgent`] trait: it answers with a leg for every walker that has none.

use super::post::Post;
use super::setup::Draws;
use super::share::Sharing;
use crate::agent::Hearing;
use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::raised::Raised;
use crate::random::Stream;
use std::sync::Arc;

/// Everything a team's agent may look at when it decides.
#[derive(Debug, Clone, Copy)]
pub struct TeamSituation<'a> {
    /// The graph.
    pub graph: &'a Graph,
    /// Where the walkers are and what they still have to do.
    pub posts: &'a [Post],
    /// The walkers without a leg, ascending.
    pub idle: &'a [usize],
    /// All draws so far, whoever was there.
    pub estimates: &'a Estimates,
    /// The step of the last draw of every node, counted from 1; 0 if there is none.
    pub drawn: &'a [u64],
    /// The number of steps so far; in a session, the visits of the walker that is planned for.
    pub step: u64,
    /// The time that has passed for the team, in units of one visit. It never goes back.
    pub time: Time,
    /// What a node pays several walkers.
    pub sharing: &'a Arc<Sharing>,
    /// Whether walkers on one node share a draw.
    pub draws: Draws,
    /// The most walkers that may be sent to one node.
    pub seats: usize,
}

impl TeamSituation<'_> {
    /// The number of walkers.
    pub fn walkers(&self) -> usize {
        self.posts.len()
    }

    /// Whether `walker` may be on `node`.
    #[inline]
    pub fn allows(&self, walker: usize, node: NodeId) -> bool {
        self.posts[walker].may_enter(node)
    }
}

/// How an agent plans for its walkers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// Each walker when its own leg ends; the legs of the others count as settled.
    Apart,
    /// All walkers at the same time: their legs end together.
    #[default]
    Together,
}

/// Whether draws end the leg of a walker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cut {
    /// They do not.
    #[default]
    No,
    /// They do: the walker has drawn itself, and plans again.
    Now,
    /// The leg is out of date: it ends with the walker's own draw, now or next, because nobody turns on a
    /// road. A leg to a node without a draw does not end before somebody has drawn there.
    WithOwnDraw,
}

/// A learner that leads a team.
pub trait TeamAgent {
    /// Fills in the legs of all idle walkers: legal walks of at least one visit. `legs` has one leg
    /// per walker, and those of the idle ones still hold their previous contents. The legs of other
    /// walkers must not change.
    ///
    /// # Errors
    /// Any error the agent meets. The caller gets it unchanged.
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised>;

    /// Observes draws: for each walker, the draws of its node that it was there for; none if it is
    /// on a road. `now` is the situation after them. Implement it if the agent remembers more than
    /// `now.estimates`.
    ///
    /// # Errors
    /// Any error the agent meets. The caller gets it unchanged.
    fn observe(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) -> Result<(), Raised> {
        let _ = (now, seen);
        Ok(())
    }

    /// Whether the last draws end the leg of this walker. Asked for every walker after
    /// [`observe`](Self::observe).
    fn cuts(&self, walker: usize) -> Cut {
        let _ = walker;
        Cut::No
    }

    /// Whether the last draws showed a change of rewards that those found before do not explain.
    fn found_change(&self) -> bool {
        false
    }

    /// The draws that still count, if the agent has forgotten some of `all` draws.
    fn remembered(&self, all: &Estimates) -> Option<Estimates> {
        let _ = all;
        None
    }

    /// Whether [`observe`](Self::observe) also works where reports come one by one, each of one walker
    /// and one draw. If it is called at all, sessions need this.
    fn hears_reports(&self) -> bool {
        false
    }

    /// What the agent remembers beyond the estimates. Empty if it does not learn in
    /// [`observe`](Self::observe). Planning never changes it.
    fn memory(&self) -> Memory {
        Memory::default()
    }

    /// Restores a [`memory`](Self::memory) on this graph. A fresh agent then continues exactly as the
    /// agent that stored it would have.
    ///
    /// # Errors
    /// When the memory does not fit this agent. The agent is then unchanged.
    fn recall(&mut self, graph: &Graph, memory: &Memory) -> Result<(), MemoryError> {
        let _ = graph;
        memory.expect(0, 0).map(|_| ())
    }

    /// Whether it reads the sums of squares of `now.estimates`, or variances. If not, a
    /// [`TeamRun`](super::TeamRun) on a tape of sums does not draw them for Gaussian rewards: they
    /// are NaN then, and the run takes less time.
    fn reads_squares(&self) -> bool {
        true
    }

    /// How it plans for its walkers.
    fn manner(&self) -> Manner {
        Manner::default()
    }

    /// How draws are grouped for [`observe`](Self::observe). With [`Hearing::Blocks`], it is not
    /// called at all.
    fn hearing(&self) -> Hearing {
        Hearing::default()
    }
}

impl<T: TeamAgent + ?Sized> TeamAgent for Box<T> {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        (**self).plan(now, stream, legs)
    }

    fn observe(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) -> Result<(), Raised> {
        (**self).observe(now, seen)
    }

    fn cuts(&self, walker: usize) -> Cut {
        (**self).cuts(walker)
    }

    fn found_change(&self) -> bool {
        (**self).found_change()
    }

    fn remembered(&self, all: &Estimates) -> Option<Estimates> {
        (**self).remembered(all)
    }

    fn hears_reports(&self) -> bool {
        (**self).hears_reports()
    }

    fn memory(&self) -> Memory {
        (**self).memory()
    }

    fn recall(&mut self, graph: &Graph, memory: &Memory) -> Result<(), MemoryError> {
        (**self).recall(graph, memory)
    }

    fn hearing(&self) -> Hearing {
        (**self).hearing()
    }

    fn manner(&self) -> Manner {
        (**self).manner()
    }

    fn reads_squares(&self) -> bool {
        (**self).reads_squares()
    }
}
