//! What an agent is: it answers with a leg, and may watch what its visits paid.

use crate::clock::Clock;
use crate::estimates::{Estimates, Sample};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::raised::Raised;
use crate::random::Stream;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// All that an agent may look at when it decides.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The graph as it is known: without its closed edges. What its roads take may change from leg to leg.
    pub graph: &'a Graph,
    /// The node the agent stands on.
    pub at: NodeId,
    /// Every reward so far, whoever collected it.
    pub estimates: &'a Estimates,
    /// What time it is for the agent.
    pub clock: &'a Clock,
}

/// Consecutive visits to one node, and what they paid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// The node the agent came from, equal to `node` when it stayed.
    pub from: NodeId,
    /// The node visited.
    pub node: NodeId,
    /// The rewards of these visits alone.
    pub sample: Sample,
    /// Whose idea the visit was.
    pub phase: Phase,
}

/// Whether a visit belongs to initialization or to the agent's own legs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Initialization: every node is to be visited once.
    Cover,
    /// The agent decides.
    Learn,
}

/// In which pieces an agent hears of its visits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hearing {
    /// Consecutive visits to one node together.
    #[default]
    Blocks,
    /// Every visit by itself.
    EveryVisit,
}

/// What graph an agent can go on with after [`Agent::change_graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Footing {
    /// One with the same nodes, every one of which can be reached.
    #[default]
    SameNodes,
    /// Any connected graph: it remembers nothing of nodes by their number, and so may have them numbered
    /// anew.
    AnyGraph,
    /// One with the same nodes, some of which may not be reached from where it stands.
    Parts,
}

/// An agent that learns edge by edge cannot go on when edges change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the agent remembers what it learned edge by edge and cannot go on with other edges")]
pub struct RemembersEdges;

/// A learner on a graph.
///
/// The module `conformance`, behind the feature of that name, holds an agent of your own to all that
/// is promised here.
pub trait Agent {
    /// Fills in the next leg: a legal walk of at least one visit. `leg` holds whatever it was used for
    /// before; both of its parts are to be set.
    ///
    /// # Errors
    /// Whatever goes wrong; whoever asked for the leg gets the error as it is.
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised>;

    /// Hears what visits paid, for agents that remember more than `now.estimates` holds. `now` is
    /// the situation after them.
    ///
    /// # Errors
    /// Whatever goes wrong; whoever made the visits gets the error as it is.
    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        let _ = (now, visit);
        Ok(())
    }

    /// In which pieces the agent wants to hear of its visits; asked once, before the first.
    fn hearing(&self) -> Hearing {
        Hearing::default()
    }

    /// How promising every node looks now, by number: the scores the next plan would be made of.
    /// `None` for agents that have no such numbers. What is random in them is read off `stream`,
    /// a copy of the agent's own, so that looking changes nothing.
    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        let _ = (now, stream);
        None
    }

    /// Edges were closed or opened, or roads take time that took none: forgets what followed from the edges before. `graph` has the
    /// same nodes, unless the agent's [`footing`](Self::footing) is [`Footing::AnyGraph`].
    ///
    /// # Errors
    /// When the agent cannot go on with other edges; it is unchanged then.
    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        let _ = graph;
        Ok(())
    }

    /// What graph it can go on with when edges change. An edge without which nodes could not be reached any
    /// more is not closed under an agent that needs them all; [`Confined`](crate::Confined) gives any agent
    /// that can go on with any graph the part where it stands.
    fn footing(&self) -> Footing {
        Footing::default()
    }

    /// What the agent remembers beyond the estimates: nothing, if it does not learn in
    /// [`observe`](Self::observe). Planning does not change it, because decisions are facts: who
    /// has a leg from a log takes it as it is, and asks nobody.
    fn memory(&self) -> Memory {
        Memory::default()
    }

    /// Takes back what [`memory`](Self::memory) gave; a fresh agent that does goes on as the one
    /// that gave it would have.
    ///
    /// # Errors
    /// When the memory is not one of such an agent; the agent is unchanged then.
    fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
        memory.expect(0, 0).map(|_| ())
    }
}

macro_rules! agent_behind {
    ($pointer:ty) => {
        impl<A: Agent + ?Sized> Agent for $pointer {
            #[inline]
            fn next_leg(
                &mut self,
                now: &Situation<'_>,
                stream: &mut Stream,
                leg: &mut Leg,
            ) -> Result<(), Raised> {
                (**self).next_leg(now, stream, leg)
            }

            #[inline]
            fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
                (**self).observe(now, visit)
            }

            fn hearing(&self) -> Hearing {
                (**self).hearing()
            }

            fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
                (**self).scores(now, stream)
            }

            fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
                (**self).change_graph(graph)
            }

            fn footing(&self) -> Footing {
                (**self).footing()
            }

            fn memory(&self) -> Memory {
                (**self).memory()
            }

            fn recall(&mut self, memory: &Memory) -> Result<(), MemoryError> {
                (**self).recall(memory)
            }
        }
    };
}

agent_behind!(&mut A);
agent_behind!(Box<A>);
