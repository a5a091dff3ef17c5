//! Score, plan, commit: the loop of every agent except the Q-learners.

use crate::agent::{Agent, Footing, RemembersEdges, Situation, Visit};
use crate::clock::Reading;
use crate::graph::Graph;
use crate::index::Index;
use crate::leg::Leg;
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
}
