//! The test worlds: a small graph, its rewards, and how initialization covers it.

use super::{Build, Verdict};
use crate::ask_tell::{AskTell, SessionPlan};
use crate::clock::Time;
use crate::cover::Init;
use crate::graph::{Graph, NodeId, Road};
use crate::random::Seed;
use crate::spec::{GraphSpec, MeansSpec, RewardSpec};
use crate::trajectory::Order;
use crate::world::{Tape, World};
use std::fmt::{self, Debug};

pub(super) const SEED: Seed = Seed(9);
/// Longer values are cut in messages.
const MOST_SHOWN: usize = 300;

/// One graph of every family, and the smallest graphs.
const GRAPHS: [&str; 16] = [
    "line:1",
    "line:2",
    "line:6",
    "circle:5",
    "star:6",
    "tree:7",
    "grid:3x3",
    "complete:5",
    "broom:8,4",
    "arkansas",
    "barbell:3,2",
    "erdos-renyi:9,0.4",
    "geometric:9,0.6",
    "small-world:9,4,0.3",
    ONE_WAY_RING,
    TOWN,
];
/// One direction only, and some roads take time.
const ONE_WAY_RING: &str = "a ring of one-way roads";
/// Two-way streets whose directions differ, and one-way streets.
const TOWN: &str = "a town of roads that take time";
const REWARDS: [(&str, &str); 3] = [
    ("uniform:0.5", "uniform:0.5,3.5"),
    ("bernoulli", "uniform:0,1"),
    ("gaussian:1", "uniform:-1,1"),
];
const INITS: [(Init, &str); 5] = [
    (Init::None, "not covered"),
    (Init::Lowest, "covered by number"),
    (Init::Nearest, "covered by distance"),
    (Init::DepthFirst, "covered depth first"),
    (Init::Tour, "covered by a tour"),
];

pub(super) struct Scene {
    graph: &'static str,
    pub(super) world: World,
    pub(super) init: Init,
    covered: &'static str,
}

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "on {} {}", self.graph, self.covered)
    }
}

impl Scene {
    /// Every graph with every cover order.
    pub(super) fn all() -> Result<Vec<Self>, String> {
        let mut scenes = Vec::new();
        for (graph, (noise, means)) in GRAPHS.into_iter().zip(REWARDS.into_iter().cycle()) {
            for (init, covered) in INITS {
                let world = world(graph, noise, means).map_err(|error| error.to_string())?;
                scenes.push(Self { graph, world, init, covered });
            }
        }
        Ok(scenes)
    }

    /// In the middle, so that no end is special.
    pub(super) fn start(&self) -> NodeId {
        self.world.graph().len() as NodeId / 2
    }

    pub(super) fn plan(&self) -> SessionPlan {
        SessionPlan { start: self.start(), init: self.init, seed: SEED }
    }

    /// A session with a fresh agent.
    pub(super) fn session(&self, build: Build<'_>) -> Result<AskTell, String> {
        let agent = build(self.world.graph());
        AskTell::new(self.world.shared_graph(), agent, self.plan())
            .map_err(|error| error.to_string())
    }

    /// The reward of the next visit to `node`.
    pub(super) fn pay(&self, session: &AskTell, node: NodeId) -> Result<f64, String> {
        let (tape, k) = (Tape::new(SEED).node(node), session.estimates().count(node));
        self.world.law(node).draw(tape, k, Time::START).map_err(|error| error.to_string())
    }

    /// Visits a node one step away.
    pub(super) fn visit(&self, session: &mut AskTell, node: NodeId) -> Verdict {
        let reward = self.pay(session, node)?;
        let visits = session.estimates().visits();
        session.tell(node, reward).map_err(|error| after(visits, &error))
    }

    /// Makes the visit that the session orders.
    pub(super) fn obey(&self, session: &mut AskTell) -> Result<Order, String> {
        let order = ordered(session)?;
        self.visit(session, order.node)?;
        Ok(order)
    }
}

fn world(graph: &str, noise: &str, means: &str) -> Result<World, Box<dyn std::error::Error>> {
    let road = |(from, to, time)| Road { from, to, time };
    let graph = match graph {
        ONE_WAY_RING => {
            Graph::from_roads(5, (0..5).map(|s| road((s, (s + 1) % 5, f64::from(s) / 2.0))))?
        }
        TOWN => {
            let blocks =
                (0..9).flat_map(|s| [(s, (s + 1) % 9), (s, (s + 3) % 9), ((s + 4) % 9, s)]);
            Graph::from_roads(
                9,
                blocks.zip(0..).map(|((a, b), k)| road((a, b, f64::from(k % 5) / 4.0))),
            )?
        }
        family => family.parse::<GraphSpec>()?.build(SEED)?,
    };
    let means = means.parse::<MeansSpec>()?.draw(graph.len(), SEED)?;
    Ok(World::new(graph, noise.parse::<RewardSpec>()?.laws(&means)?)?)
}

/// The next order.
pub(super) fn ordered(session: &mut AskTell) -> Result<Order, String> {
    let visits = session.estimates().visits();
    session.ask().map(Order::kept).map_err(|error| after(visits, &error))
}

/// Compares two agents, or one agent run in two ways.
pub(super) fn same<T: PartialEq + Debug>(
    visits: u64,
    what: &str,
    got: &T,
    expected: &T,
) -> Verdict {
    if got == expected {
        return Ok(());
    }
    let found = format!("{what}: expected {}, got {}", shown(expected), shown(got));
    Err(after(visits, &found))
}

pub(super) fn after(visits: u64, found: &impl ToString) -> String {
    format!("after {visits} visits: {}", found.to_string())
}

fn shown(value: &impl Debug) -> String {
    let text = format!("{value:?}");
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text,
    }
}
