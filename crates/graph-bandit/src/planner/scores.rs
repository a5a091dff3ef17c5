//! The destinations of a plan, and the costs of the nodes on the way.

use super::rewards::Rewards;
use super::tournament::Tournament;
use crate::agent::{Situation, Visit};
use crate::estimates::Estimates;
use crate::graph::NodeId;
use crate::index::Index;
use crate::random::Stream;

/// From this many nodes on, bounds are computed on demand and a tournament finds the highest;
/// below, one pass over all nodes is faster.
const FEWEST_FOR_TOURNAMENT: usize = 1_000;

/// Which of several nodes of equal highest score a plan may lead to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Destinations {
    /// Any of them, whichever is nearest.
    #[default]
    AllBest,
    /// Only the lowest number, as in the authors' program.
    FirstBest,
}

/// The nodes of highest score, and how far the others fall short.
#[derive(Debug, Clone, Default)]
pub(super) struct Scores {
    destinations: Destinations,
    kept: Kept,
    rewards: Rewards,
    tournament: Tournament,
    targets: Vec<NodeId>,
}

/// How scores are stored.
#[derive(Debug, Clone, Copy, Default)]
enum Kept {
    /// As a list.
    #[default]
    Listed,
    /// As bounds, computed from the estimates on demand.
    Bounds { reach: f64, best: f64 },
    /// Only whether a bound is infinite, as for unvisited nodes.
    Infinite,
}

impl Scores {
    pub(super) fn new(destinations: Destinations) -> Self {
        Self { destinations, ..Self::default() }
    }

    /// Records visits.
    #[inline]
    pub(super) fn visited(&mut self, visit: &Visit) {
        self.tournament.visited(visit.node, visit.sample.count);
    }

    /// Forgets all visits.
    pub(super) fn forget_visits(&mut self) {
        self.tournament = Tournament::default();
    }

    /// Forgets all nodes.
    pub(super) fn forget_graph(&mut self) {
        self.tournament = Tournament::default();
    }

    /// Finds the nodes of highest score.
    pub(super) fn find<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        self.targets.clear();
        match index.reach() {
            Some(reach) if now.graph.len() >= FEWEST_FOR_TOURNAMENT => {
                self.play(now.estimates, reach);
            }
            _ => {
                self.rewards.score(now, index, stream);
                self.kept = Kept::Listed;
                let all_best = self.rewards.best_nodes();
                match self.destinations {
                    Destinations::AllBest => self.targets.extend(all_best),
                    Destinations::FirstBest => self.targets.extend(all_best.take(1)),
                }
            }
        }
    }

    fn play(&mut self, estimates: &Estimates, reach: f64) {
        let (first, best) = self.tournament.play(estimates, reach);
        self.kept =
            if best == f64::INFINITY { Kept::Infinite } else { Kept::Bounds { reach, best } };
        match self.destinations {
            Destinations::AllBest => {
                self.tournament.all_best(estimates, best, &mut self.targets);
            }
            Destinations::FirstBest => self.targets.push(first),
        }
    }

    /// The only node of highest score, if known to be the only one.
    #[inline]
    pub(super) fn only_best(&self) -> Option<NodeId> {
        match (self.destinations, &self.targets[..]) {
            (Destinations::AllBest, &[best]) => Some(best),
            _ => None,
        }
    }

    /// The nodes that the plan may lead to, ascending.
    pub(super) fn targets(&self) -> &[NodeId] {
        &self.targets
    }

    /// The price of a unit of travel time: the highest score, or zero if that is negative.
    pub(super) fn price_of_time(&self) -> f64 {
        match self.kept {
            Kept::Listed => self.rewards.best.max(0.0),
            Kept::Bounds { best, .. } => best.max(0.0),
            // If nodes differ only in being visited or not, a unit of travel costs as much as a
            // visit.
            Kept::Infinite => 1.0,
        }
    }

    /// How far a node falls short of the best: zero only for the best.
    #[inline]
    pub(super) fn cost(&self, estimates: &Estimates, node: NodeId) -> f64 {
        match self.kept {
            Kept::Listed => self.rewards.best - self.rewards.of[node as usize],
            Kept::Bounds { reach, best } => best - estimates.estimate(node).bound(reach),
            Kept::Infinite => f64::from(u8::from(estimates.estimate(node).mean < f64::INFINITY)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::Episodic;
    use crate::clock::Visits;
    use crate::cover::Init;
    use crate::graph::Graph;
    use crate::index::Ucb;
    use crate::planner::{FewestHops, Planner, ShortestPath};
    use crate::random::Seed;
    use crate::reward::Law;
    use crate::run::{RunPlan, RunRecord, run};
    use crate::schedule::{DoubleAtDestination, Doubling};
    use crate::world::World;

    /// The same bounds without the line form, so that they are listed and scanned.
    struct Scanned(Ucb);

    impl Index for Scanned {
        type Clock = Visits;

        fn prepare(&mut self, now: &Situation<'_>, t: Visits) {
            self.0.prepare(now, t);
        }

        fn score(&self, estimates: &Estimates, node: NodeId, stream: &mut Stream) -> f64 {
            self.0.score(estimates, node, stream)
        }
    }

    fn record<I: Index, P: Planner>(index: I, planner: P, world: &World, init: Init) -> RunRecord {
        let schedule = DoubleAtDestination::new(Doubling::Exact);
        let plan = RunPlan { init, ..RunPlan::new(30_000, 20) };
        run(world, &mut Episodic { index, planner, schedule }, &plan, Seed(8)).unwrap()
    }

    #[test]
    fn runs_on_large_graphs_equal_those_of_a_scan() {
        let mut stream = Seed(7).stream();
        let graphs =
            [Graph::grid(40, 30), Graph::tree(1_500, 3), Graph::geometric(1_000, 0.07, Seed(1))];
        for graph in graphs.map(Result::unwrap) {
            let mean = |_| stream.unit();
            let means: Vec<f64> = graph.nodes().map(mean).collect();
            let bernoulli = means.iter().map(|&mean| Law::bernoulli(mean).unwrap()).collect();
            let uniform =
                means.iter().map(|&mean| Law::uniform(mean, mean + 1.0).unwrap()).collect();
            for laws in [bernoulli, uniform] {
                let world = World::new(graph.clone(), laws).unwrap();
                for (destinations, init) in [
                    (Destinations::AllBest, Init::DepthFirst),
                    (Destinations::FirstBest, Init::DepthFirst),
                    (Destinations::AllBest, Init::None),
                ] {
                    let paths = || ShortestPath::new(destinations);
                    let hops = || FewestHops::new(destinations);
                    let (known, scanned) = (|| Ucb::new(1.0), || Scanned(Ucb::new(1.0)));
                    let by_paths = record(known(), paths(), &world, init);
                    assert_eq!(by_paths, record(scanned(), paths(), &world, init));
                    let by_hops = record(known(), hops(), &world, init);
                    assert_eq!(by_hops, record(scanned(), hops(), &world, init));
                }
            }
        }
    }
}
