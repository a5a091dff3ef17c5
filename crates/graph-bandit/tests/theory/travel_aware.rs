//! The parts of the agent of Theorem 3: where it goes and how long it stays.

use graph_bandit::index::Index;
use graph_bandit::plan::CheapestPaths;
use graph_bandit::planner::Planner;
use graph_bandit::schedule::Schedule;
use graph_bandit::{Graph, Leg, NodeId, Situation, Stream};

/// Leads to the node of highest `score - A / t`, `A` the cheapest way there, by that way. Entering a
/// node costs what its mean is below the best; the destination is not paid for.
#[derive(Debug, Default)]
pub(crate) struct TravelAware {
    paths: CheapestPaths,
    next: Vec<NodeId>,
}

impl Planner for TravelAware {
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream) {
        let t = now.estimates.visits() as f64;
        let mean = |s| now.estimates.sample(s).mean();
        let best = now.graph.nodes().map(mean).fold(f64::NEG_INFINITY, f64::max);
        // Costs lie on nodes, so the cheapest way back is the cheapest way there.
        self.paths.search(now.graph, |s| best - mean(s), [now.at], None);
        let mut to = (f64::NEG_INFINITY, now.at);
        for v in now.graph.nodes() {
            let worth = index.score(now.estimates, v, stream) - self.paths.cost(v) / t;
            if worth > to.0 {
                to = (worth, v);
            }
        }
        self.next.resize(now.graph.len(), 0);
        let mut node = to.1;
        self.next[node as usize] = node;
        while node != now.at {
            let before = self.paths.next(node);
            self.next[before as usize] = node;
            node = before;
        }
    }

    fn next(&self, _graph: &Graph, node: NodeId) -> NodeId {
        self.next[node as usize]
    }
}

/// Visits the destination `max(1, floor(growth n + per_hop hops))` times, the arrival counted.
#[derive(Debug)]
pub(crate) struct Amortized {
    pub(crate) growth: f64,
    pub(crate) per_hop: f64,
}

impl Schedule for Amortized {
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg) {
        let mut node = now.at;
        while planner.next(now.graph, node) != node {
            node = planner.next(now.graph, node);
            leg.path.push(node);
        }
        let hops = leg.path.len();
        let visits = self.growth * now.estimates.count(node) as f64 + self.per_hop * hops as f64;
        leg.stay = (visits.floor() as u64).max(1) - u64::from(hops > 0);
    }
}
