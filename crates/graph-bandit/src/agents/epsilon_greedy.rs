//! Epsilon-greedy: now and then to a random node by the shortest path, else to the node of highest
//! mean.

use super::Epsilon;
use super::parameters::{EPSILON, WARMUP};
use crate::agent::{Agent, Footing, RemembersEdges, Situation, Visit};
use crate::clock::{Reading, Visits};
use crate::estimates::Estimates;
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::leg::Leg;
use crate::planner::{Planner, ShortestPath};
use crate::raised::Raised;
use crate::random::Stream;
use crate::schedule::{Arrival, Schedule};
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Standing};

/// The target: a random node or the best one.
#[derive(Debug, Clone, Copy)]
enum Aim {
    /// All other nodes score the same, so the shortest path is the fastest.
    At(NodeId),
    /// The highest mean; unvisited nodes come first.
    Best,
}

impl Index for Aim {
    type Clock = Visits;

    fn prepare(&mut self, _now: &Situation<'_>, _t: Visits) {}

    fn score(&self, estimates: &Estimates, node: NodeId, _stream: &mut Stream) -> f64 {
        match self {
            Self::At(chosen) => f64::from(u8::from(*chosen == node)),
            Self::Best if estimates.count(node) == 0 => f64::INFINITY,
            Self::Best => estimates.sample(node).mean(),
        }
    }
}

/// With probability `epsilon` at time `t` it goes to a random node, else to the node of highest
/// mean. It makes one visit there and decides again.
#[derive(Debug, Clone)]
pub struct EpsilonGreedy {
    epsilon: Epsilon,
    planner: ShortestPath,
}

impl EpsilonGreedy {
    /// An agent with this exploration probability.
    pub fn new(epsilon: Epsilon) -> Self {
        Self { epsilon, planner: ShortestPath::default() }
    }
}

impl Agent for EpsilonGreedy {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let nodes = now.graph.len();
        let explore = self.epsilon.at(nodes, Visits::of(now).0);
        let aim = if stream.unit() < explore {
            Aim::At(stream.below(nodes as u64) as NodeId)
        } else {
            Aim::Best
        };
        self.planner.plan(now, &aim, stream);
        leg.clear();
        Arrival.commit(now, &self.planner, leg);
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.planner.visited(visit);
        Ok(())
    }

    fn change_graph(&mut self, _graph: &Graph) -> Result<(), RemembersEdges> {
        self.planner.forget_graph();
        Ok(())
    }

    fn footing(&self) -> Footing {
        Footing::AnyGraph
    }
}

const FULL_EPSILON: Number = Number { default: Some(1.0), ..EPSILON };
const SHORT_WARMUP: Number = Number { default: Some(1.0), ..WARMUP };

pub(super) static EPSILON_GREEDY: AgentEntry = AgentEntry {
    name: "epsilon-greedy",
    summary: "Epsilon-greedy: goes to a random node with falling probability, else to the highest \
            mean",
    about: "The plainest agent that learns. Before each leg it tosses a coin. With probability \
            epsilon_t it takes the fastest path to a random node. Otherwise it takes the cheapest \
            path to the node with the highest mean so far. It makes one visit there and tosses \
            again. The probability epsilon_t falls like 1 / t, so the agent explores less and \
            less. When it chooses a node, it ignores the cost of the trip.",
    origin: Origin::Baseline,
    standing: Standing::Other,
    look: Some(Look { slot: 15, dash: Dash::Dashed }),
    parameters: &[&FULL_EPSILON, &SHORT_WARMUP],
    program: "",
    noise_scale: |_values| None,
    build: |values, _graph| {
        let (scale, warmup) = (values.get(&FULL_EPSILON), values.get(&SHORT_WARMUP));
        Ok(Box::new(EpsilonGreedy::new(Epsilon { scale, warmup })))
    },
};
