//! The [`Agent`] trait: an agent answers with a leg and may observe the rewards of its visits.

use crate::clock::Clock;
use crate::estimates::{Estimates, Sample};
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::memory::{Memory, MemoryError};
use crate::node_scores::NodeScores;
use crate::raised::Raised;
use crate::random::Stream;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use thiserror::Error;

/// Everything an agent may look at when it decides.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// The graph without its closed edges. The time its roads take may change between legs.
    pub graph: &'a Graph,
    /// The node the agent stands on.
    pub at: NodeId,
    /// Every reward so far, no matter which walker collected it.
    pub estimates: &'a Estimates,
    /// The agent's current time.
    pub clock: &'a Clock,
}

/// Consecutive visits to one node, and their rewards.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Visit {
    /// The node the agent came from, equal to `node` when it stayed.
    pub from: NodeId,
    /// The node visited.
    pub node: NodeId,
    /// The rewards of these visits only.
    pub sample: Sample,
    /// Who chose the visit: initialization or the agent.
    pub phase: Phase,
}

/// Who decides on visits: initialization or the agent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Initialization, which visits every node at least once.
    Cover,
    /// The agent decides.
    Learn,
}

/// How visits are grouped when an agent observes them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Hearing {
    /// Consecutive visits to one node arrive together.
    #[default]
    Blocks,
    /// Every visit arrives by itself.
    EveryVisit,
}

/// Which graphs an agent can continue on after [`Agent::change_graph`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Footing {
    /// A graph with the same nodes, all of them reachable.
    #[default]
    SameNodes,
    /// Any connected graph. The agent remembers nothing by node number, so nodes may be renumbered.
    AnyGraph,
    /// A graph with the same nodes, some of which may be unreachable from where the agent stands.
    Parts,
}

/// The error of an agent that learns edge by edge and cannot continue when edges change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("the agent learns edge by edge and cannot continue after edges change")]
pub struct RemembersEdges;

/// A learner on a graph.
///
/// To check your own agent against everything this trait promises, use the module `conformance`
/// (feature `conformance`).
pub trait Agent {
    /// Fills in the next leg: a legal walk of at least one visit. `leg` still holds its previous
    /// contents, so set both of its fields.
    ///
    /// # Errors
    /// Any error the agent meets. The caller gets it unchanged.
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised>;

    /// Observes the rewards of visits. Implement it if the agent remembers more than
    /// `now.estimates`. `now` is the situation after the visits.
    ///
    /// # Errors
    /// Any error the agent meets. The caller gets it unchanged.
    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        let _ = (now, visit);
        Ok(())
    }

    /// How visits are grouped for [`observe`](Self::observe). Called once, before the first visit.
    fn hearing(&self) -> Hearing {
        Hearing::default()
    }

    /// Whether the visit observed last ends the leg, such as when a change of its node's mean was
    /// detected. The rest of the leg is then dropped, and the agent plans again. Asked after each
    /// visit of the agent's own legs, and only if [`hearing`](Self::hearing) is
    /// [`Hearing::EveryVisit`].
    fn cuts(&self) -> bool {
        false
    }

    /// Whether the visit observed last showed that rewards have changed: a detector found a change
    /// of its node's mean, or of all means. What was forgotten for another reason, such as its age,
    /// is not a change.
    fn found_change(&self) -> bool {
        false
    }

    /// Tells an oracle the moments at which some mean changes, ascending, counted from the end of
    /// initialization. Called once, before the first visit, by runs in a simulated world. All other
    /// agents ignore it.
    fn reveal(&mut self, changes: &[f64]) {
        let _ = changes;
    }

    /// Whether the agent has all it needs to plan. An oracle does not, before
    /// [`reveal`](Self::reveal).
    ///
    /// # Errors
    /// When it does not; says what is missing.
    fn ready(&self) -> Result<(), Raised> {
        Ok(())
    }

    /// How promising each node looks now, by number: the scores from which the agent would plan
    /// next. `None` for agents without scores. Random scores draw from `stream`, a copy of the
    /// agent's own stream, so looking changes nothing.
    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        let _ = (now, stream);
        None
    }

    /// The same scores, for a caller that looks at few nodes. Only agents that can do without a
    /// list of all scores need to implement this.
    fn node_scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<NodeScores> {
        self.scores(now, stream).map(NodeScores::from)
    }

    /// Somebody else collected a reward on `node`; it is in `now.estimates` already. This is for
    /// agents that keep what follows from the estimates. It must not change their legs: after a
    /// restart, an agent gets the same estimates without these calls.
    fn overheard(&mut self, now: &Situation<'_>, node: NodeId) {
        let _ = (now, node);
    }

    /// What the agent still remembers of its rewards, for every node of `now.graph`. `None`, the
    /// default, if that is `now.estimates`: everything. A node whose rewards are all forgotten
    /// counts as unvisited. Must not depend on whether the agent has planned since the last visit:
    /// a replay does not plan.
    fn remembered(&self, now: &Situation<'_>) -> Option<Cow<'_, Estimates>> {
        let _ = now;
        None
    }

    /// Forgets everything derived from the old edges. Called when edges close or open, or when
    /// roads that took no time start to take some. `graph` has the same nodes unless the agent's
    /// [`footing`](Self::footing) is [`Footing::AnyGraph`].
    ///
    /// # Errors
    /// When the agent cannot continue after edges change. The agent is then unchanged.
    fn change_graph(&mut self, graph: &Graph) -> Result<(), RemembersEdges> {
        let _ = graph;
        Ok(())
    }

    /// Which graphs the agent can continue on when edges change. If the agent needs every node,
    /// closing an edge that would cut nodes off is refused. [`Confined`](crate::Confined) shows
    /// any agent with [`Footing::AnyGraph`] only the part it can reach.
    fn footing(&self) -> Footing {
        Footing::default()
    }

    /// What the agent remembers beyond the estimates. Empty if it does not learn in
    /// [`observe`](Self::observe). Planning never changes it: a replay takes legs from a log and
    /// does not plan them again.
    fn memory(&self) -> Memory {
        Memory::default()
    }

    /// Restores a [`memory`](Self::memory). A fresh agent then continues exactly as the agent that
    /// stored it would have.
    ///
    /// # Errors
    /// When the memory does not fit this agent. The agent is then unchanged.
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

            #[inline]
            fn cuts(&self) -> bool {
                (**self).cuts()
            }

            fn found_change(&self) -> bool {
                (**self).found_change()
            }

            fn reveal(&mut self, changes: &[f64]) {
                (**self).reveal(changes);
            }

            fn ready(&self) -> Result<(), Raised> {
                (**self).ready()
            }

            fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
                (**self).scores(now, stream)
            }

            fn node_scores(
                &mut self,
                now: &Situation<'_>,
                stream: &mut Stream,
            ) -> Option<NodeScores> {
                (**self).node_scores(now, stream)
            }

            fn overheard(&mut self, now: &Situation<'_>, node: NodeId) {
                (**self).overheard(now, node);
            }

            fn remembered(&self, now: &Situation<'_>) -> Option<Cow<'_, Estimates>> {
                (**self).remembered(now)
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
