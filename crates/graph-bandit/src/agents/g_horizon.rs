//! g-horizon: for runs whose length is known. It makes few trips: it stays on a rival until it
//! knows whether that rival is better, and knows its best node well before it leaves it.

use super::g_star::CAUTION;
use super::parameters::{HORIZON, NOISE_SCALE, VARIANCE};
use crate::agent::{Agent, Footing, Phase, RemembersEdges, Situation, Visit};
use crate::clock::{Reading, Visits};
use crate::estimates::Sample;
use crate::graph::{Graph, NodeId};
use crate::index::{ExpectedImprovement, Horizon, Index, Noise};
use crate::leg::Leg;
use crate::node_scores::NodeScores;
use crate::planner::{Care, Expedition};
use crate::raised::Raised;
use crate::random::Stream;
use crate::spec::{AgentEntry, Dash, Look, Number, Origin, Range, Standing};

const CAUTION_ON_RIVALS: Number = Number {
    help: "Factor by which the agent multiplies the variance of rewards when it decides whether to \
        stay on a node that may be better than the best node so far; `steady` raises it by up to a \
        third",
    when: "Raise it if the agent gives up a good node after bad luck: it then stays longer on each \
        such node. Lower it towards 1 to explore less.",
    ..CAUTION
};
const STEADY: Number = Number {
    name: "steady",
    help: "How much the agent explores to make very bad runs rarer: from 0 (least mean regret) to 1 \
        (explores most)",
    when: "Set it to 0.5 if very bad runs matter more to you than a little regret in each run. Larger \
        values do not always make them rarer. Set it to 1 only if each trip is costly and there is \
        time for few of them, as in a short run on few nodes, or if a trial on your own graph shows \
        that it helps.",
    default: Some(0.0),
    range: Range::PROBABILITY,
};
const LENGTH: Number = Number {
    when: "Always set it: the agent is made for runs whose length you know. Count initialization, \
        too. If you are unsure, set it too high rather than too low. Without it, the agent always \
        assumes that three quarters of the run are still to come.",
    ..HORIZON
};

pub(super) static G_HORIZON: AgentEntry = AgentEntry {
    name: "g-horizon",
    summary: "g-horizon: for a known number of visits; few trips, and longer looks",
    about: "Tell it how many visits the run has. Like g-star, it asks how much better than \
        the best node so far each node is expected to be over the remaining visits, and what it \
        costs to go there and look. But it plans to travel less. Before it leaves the best node \
        so far, it visits that node often enough to know it well. It then goes to all nodes that \
        are worth a look, one after the other, before it comes back: near nodes first, and nodes \
        on the way back later. On each of them it stays until it knows whether that node is better. \
        If no node is worth a look, it stays on the best node so far. It draws no random numbers.",
    origin: Origin::Frontier,
    standing: Standing::Recommended,
    look: Some(Look { slot: 2, dash: Dash::Dotted }),
    parameters: &[&NOISE_SCALE, &VARIANCE, &LENGTH, &CAUTION_ON_RIVALS, &STEADY],
    program: "",
    noise_scale: |values| Some(values.get(&NOISE_SCALE)),
    build: |values, _graph| {
        let scale = values.get(&NOISE_SCALE);
        let noise = Noise::new(scale, values.get(&VARIANCE));
        let horizon = Horizon::of_parameter(values.get(&LENGTH));
        let care = Care::new(values.get(&CAUTION_ON_RIVALS), values.get(&STEADY));
        Ok(Box::new(Voyager {
            improvements: ExpectedImprovement::new(noise, care.trip_caution),
            expedition: Expedition::new(scale, horizon, care),
        }))
    },
};

/// The agent. Between legs it keeps only scratch memory and values that the estimates can
/// reproduce.
#[derive(Debug, Clone)]
struct Voyager {
    improvements: ExpectedImprovement,
    expedition: Expedition,
}

impl Voyager {
    fn prepare(&mut self, now: &Situation<'_>) {
        self.improvements.prepare(now, Visits::of(now));
    }
}

impl Agent for Voyager {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.prepare(now);
        self.expedition.plan(now, &self.improvements, leg);
        Ok(())
    }

    fn observe(&mut self, _now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.improvements.visited(visit);
        Ok(())
    }

    fn change_graph(&mut self, _graph: &Graph) -> Result<(), RemembersEdges> {
        self.improvements.forget_visits();
        self.expedition.forget_graph();
        Ok(())
    }

    fn footing(&self) -> Footing {
        Footing::AnyGraph
    }

    fn scores(&mut self, now: &Situation<'_>, _stream: &mut Stream) -> Option<Vec<f64>> {
        self.prepare(now);
        let score = |node| self.improvements.of(now.estimates, node);
        Some(now.graph.nodes().map(score).collect())
    }

    fn node_scores(&mut self, now: &Situation<'_>, _stream: &mut Stream) -> Option<NodeScores> {
        self.prepare(now);
        Some(NodeScores::improvements(&self.improvements))
    }

    fn overheard(&mut self, now: &Situation<'_>, node: NodeId) {
        // Only the number of visits and the node count.
        let sample = Sample { count: 1, ..Sample::default() };
        self.improvements.visited(&Visit { from: now.at, node, sample, phase: Phase::Learn });
    }
}
