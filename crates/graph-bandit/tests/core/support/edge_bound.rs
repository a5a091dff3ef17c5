//! An agent that cannot continue after edges change.

use graph_bandit::{
    Agent, AgentSpec, Graph, Leg, Preset, Raised, RemembersEdges, Situation, Stream,
};

/// G-UCB, with a memory of edges.
pub(crate) struct EdgeBound(Box<dyn Agent + Send>);

impl EdgeBound {
    pub(crate) fn new(graph: &Graph) -> Self {
        let spec = AgentSpec::parse("g-ucb", Preset::Paper).unwrap();
        Self(spec.build(graph).unwrap())
    }
}

impl Agent for EdgeBound {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.0.next_leg(now, stream, leg)
    }

    fn change_graph(&mut self, _graph: &Graph) -> Result<(), RemembersEdges> {
        Err(RemembersEdges)
    }
}
