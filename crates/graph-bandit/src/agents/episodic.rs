//! Score, plan, commit: the loop of every agent except the Q-learners.

use crate::agent::{Agent, Footing, Phase, RemembersEdges, Situation, Visit};
use crate::clock::Reading;
use crate::estimates::Sample;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::leg::Leg;
use crate::node_scores::NodeScores;
use crate::planner::Planner;
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::Schedule;

/// An agent composed of an index, a planner and a schedule.
///
/// Between legs it keeps only scratch memory and values that the estimates can reproduce.
#[derive(Debug, Clone)]
pub struct Episodic<I, P, S> {
    /// Scores the nodes.
    pub index: I,
    /// Plans the path.
    pub planner: P,
    /// Decides how long to follow the plan.
    pub schedule: S,
}

impl<I: Index, P: Planner, S: Schedule> Agent for Episodic<I, P, S> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.index.prepare(now, I::Clock::of(now));
        self.planner.plan(now, &self.index, stream);
        leg.clear();
        self.schedule.commit(now, &self.planner, leg);
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.index.visited(visit);
        self.planner.visited(visit);
        Ok(())
    }

    fn change_graph(&mut self, _graph: &Graph) -> Result<(), RemembersEdges> {
        self.index.forget_visits();
        self.planner.forget_graph();
        Ok(())
    }

    fn footing(&self) -> Footing {
        Footing::AnyGraph
    }

    fn scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<Vec<f64>> {
        self.index.prepare(now, I::Clock::of(now));
        let score = |node| self.index.score(now.estimates, node, stream);
        Some(now.graph.nodes().map(score).collect())
    }

    fn node_scores(&mut self, now: &Situation<'_>, stream: &mut Stream) -> Option<NodeScores> {
        self.index.prepare(now, I::Clock::of(now));
        Some(NodeScores::find(now, &self.index, stream))
    }

    fn overheard(&mut self, now: &Situation<'_>, node: NodeId) {
        // Index and planner only need to know that the estimate of this node has changed.
        let sample = Sample { count: 1, ..Sample::default() };
        let visit = Visit { from: now.at, node, sample, phase: Phase::Learn };
        self.index.visited(&visit);
        self.planner.visited(&visit);
    }
}
