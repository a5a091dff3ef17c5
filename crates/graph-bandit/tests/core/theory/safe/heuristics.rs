//! Heuristics for the certificate: good ones, bad ones, and a spy on them.

use graph_bandit::{
    Agent, AgentSpec, Footing, Leg, NodeId, Preset, Raised, Situation, Stream, Visit, World,
};
use std::cell::RefCell;
use std::rc::Rc;

/// Where an adversary wants to be.
#[derive(Debug, Clone, Copy)]
pub(super) enum Goal {
    /// On this node.
    Node(NodeId),
    /// As far away as possible, wherever it is.
    Farthest,
}

/// How long an adversary wants to stay.
#[derive(Debug, Clone, Copy)]
pub(super) enum Patience {
    /// For an eighth of the visits so far.
    Some,
    /// For good.
    Endless,
}

/// A heuristic that wants to do harm: it goes to a node and stays.
pub(super) struct Adversary(pub(super) Goal, pub(super) Patience);

impl Agent for Adversary {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let target = match self.0 {
            Goal::Node(node) => node,
            Goal::Farthest => {
                let times = now.graph.times_from(now.at);
                let farther =
                    |a: &NodeId, b: &NodeId| times[*a as usize].total_cmp(&times[*b as usize]);
                now.graph.nodes().max_by(farther).unwrap()
            }
        };
        let times = now.graph.times_to(target);
        leg.path.clear();
        let mut at = now.at;
        while at != target {
            let after = |node: NodeId| {
                1.0 + now.graph.travel(at, node).unwrap_or(0.0) + times[node as usize]
            };
            let others = now.graph.neighborhood(at).iter().copied().filter(|&node| node != at);
            at = others.min_by(|&a, &b| after(a).total_cmp(&after(b))).unwrap();
            leg.path.push(at);
        }
        leg.stay = match self.1 {
            Patience::Some => 1 + now.estimates.count(target) / 8,
            Patience::Endless => u64::MAX,
        };
        Ok(())
    }

    fn footing(&self) -> Footing {
        Footing::AnyGraph
    }
}

/// An agent that writes down every leg it proposes.
pub(super) struct Spy {
    pub(super) agent: Box<dyn Agent>,
    pub(super) proposed: Rc<RefCell<Leg>>,
}

impl Agent for Spy {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.agent.next_leg(now, stream, leg)?;
        self.proposed.borrow_mut().clone_from(leg);
        Ok(())
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.agent.observe(now, visit)
    }
}

/// A node of the largest gap.
pub(super) fn worst(world: &World) -> NodeId {
    world.graph().nodes().max_by(|&a, &b| world.gap(a).total_cmp(&world.gap(b))).unwrap()
}

/// The heuristics, as trait objects; none for sweeping alone.
pub(super) fn heuristics(world: &World) -> Vec<(&'static str, Option<Box<dyn Agent>>)> {
    let named = |name| -> Option<Box<dyn Agent>> {
        let spec = AgentSpec::named(name, Preset::Paper).unwrap();
        Some(spec.build(world.graph()).unwrap())
    };
    let adversary =
        |goal| -> Option<Box<dyn Agent>> { Some(Box::new(Adversary(goal, Patience::Some))) };
    vec![
        ("none", None),
        ("g-star", named("g-star")),
        ("random", named("random")),
        ("worst", adversary(Goal::Node(worst(world)))),
        ("farthest", adversary(Goal::Farthest)),
    ]
}
