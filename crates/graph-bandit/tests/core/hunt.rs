//! g-star on large graphs, where it does not price every node, makes the legs of pricing every
//! node, to the bit: on graphs of all families, whatever the ties, and after it was interrupted.

use crate::support::g_star::PlainGStar;
use crate::support::trace::Trace;
use crate::support::worlds;
use graph_bandit::agents::Episodic;
use graph_bandit::index::{ExpectedImprovement, Horizon, Noise, Variance};
use graph_bandit::planner::Bargain;
use graph_bandit::run::run_observed;
use graph_bandit::schedule::Amortized;
use graph_bandit::{
    Agent, Graph, Init, Law, Leg, NodeId, Preset, Raised, RunPlan, Seed, Situation, Stream, Visit,
    World,
};

/// The parameters of g-star.
pub(crate) struct Setting {
    pub(crate) variance: Variance,
    pub(crate) caution: f64,
    pub(crate) horizon: Horizon,
    pub(crate) stays: Amortized,
    pub(crate) scale: f64,
    pub(crate) doubt: f64,
    pub(crate) trust: f64,
    pub(crate) foresight: f64,
}

pub(crate) const USUAL: Setting = Setting {
    variance: Variance::Estimated,
    caution: 1.5,
    horizon: Horizon::Unknown,
    stays: Amortized { growth: 0.5, per_hop: 1.0 },
    scale: 0.5,
    doubt: 0.0,
    trust: 0.0,
    foresight: 0.0,
};

impl Setting {
    /// g-star that prices every node on graphs of fewer than `below` nodes.
    pub(crate) fn agent(&self, below: usize) -> Episodic<ExpectedImprovement, Bargain, Amortized> {
        let planner = Bargain::new(self.stays, self.horizon, self.scale);
        let noise = Noise::new(self.scale, self.variance).with_doubt(self.doubt);
        Episodic {
            index: ExpectedImprovement::new(noise, self.caution).with_trust(self.trust),
            planner: planner.with_foresight(self.foresight).with_every_node_below(below),
            schedule: self.stays,
        }
    }
}

/// The nodes visited, leg by leg.
pub(crate) fn legs(
    world: &World,
    agent: &mut dyn Agent,
    plan: &RunPlan,
    seed: Seed,
) -> Vec<Vec<NodeId>> {
    let mut trace = Trace::default();
    run_observed(world, agent, plan, seed, &mut trace).unwrap();
    trace.visits_by_leg()
}

/// Compares all legs; returns their number.
pub(crate) fn compare(
    world: &World,
    setting: &Setting,
    plan: &RunPlan,
    seed: Seed,
    what: &str,
) -> usize {
    let found = legs(world, &mut setting.agent(0), plan, seed);
    let every = legs(world, &mut setting.agent(usize::MAX), plan, seed);
    for (number, (found, every)) in found.iter().zip(&every).enumerate() {
        assert_eq!(found, every, "leg {number} {what} {seed:?}");
    }
    assert_eq!(found.len(), every.len(), "{what}");
    found.len()
}

const GRAPHS: [&str; 14] = [
    "line:1",
    "line:2",
    "line:60",
    "circle:50",
    "star:40",
    "tree:63",
    "tree:40,3",
    "grid:9x8",
    "complete:20",
    "broom:30,12",
    "barbell:10,6",
    "erdos-renyi:60,0.06",
    "geometric:80,0.2",
    "small-world:70,4,0.2",
];

/// Rewards with few values tie in every way; means far from zero hide the noise.
pub(crate) const LAWS: [(&str, &str); 7] = [
    ("uniform:0.5", "uniform:0.5,9.5"),
    ("uniform:0.5", "uniform:0,1"),
    ("gaussian:0.5", "uniform:-1,1"),
    ("bernoulli", "uniform:0,1"),
    ("bernoulli", "uniform:0.5,0.5"),
    ("constant", "uniform:0.5,0.5"),
    ("uniform:0.5", "uniform:1000000000,1000000001"),
];

#[test]
fn the_hunt_finds_what_pricing_every_node_finds() {
    let mut all = 0;
    for graph in GRAPHS {
        for (noise, means) in LAWS {
            for (seed, init) in [(1, Init::Lowest), (2, Init::DepthFirst), (3, Init::None)] {
                let seed = Seed(seed);
                let world = worlds::world(graph, noise, means, Preset::Paper, seed);
                let start = (seed.0 % world.graph().len() as u64) as NodeId;
                let plan = RunPlan { init, start, ..RunPlan::new(20_000, 1) };
                let what = format!("on {graph}, {noise} around {means}");
                all += compare(&world, &USUAL, &plan, seed, &what);
            }
        }
    }
    assert!(all > 20_000, "{all}");
}

/// Parameters at both ends of their ranges, each on its own.
pub(crate) const SETTINGS: [Setting; 18] = [
    Setting { variance: Variance::Pooled, ..USUAL },
    Setting { variance: Variance::Declared, ..USUAL },
    Setting { caution: 0.0, ..USUAL },
    Setting { caution: 1e100, ..USUAL },
    Setting { horizon: Horizon::Known(3_000.0), ..USUAL },
    Setting { stays: Amortized { growth: 0.0, per_hop: 0.0 }, ..USUAL },
    Setting { stays: Amortized { growth: 2.0, per_hop: 0.1 }, ..USUAL },
    Setting { caution: 1.2, doubt: 3.0, ..USUAL },
    Setting { doubt: 1e9, ..USUAL },
    Setting { trust: 0.9, ..USUAL },
    Setting { foresight: 1.0, ..USUAL },
    Setting { foresight: 2.5, ..USUAL },
    Setting { foresight: 1e9, ..USUAL },
    Setting { caution: 1.2, doubt: 3.0, trust: 1.0, ..USUAL },
    Setting { scale: 0.0, ..USUAL },
    Setting { scale: 1e-160, ..USUAL },
    Setting { scale: 1e-8, ..USUAL },
    Setting { scale: 1e100, ..USUAL },
];

#[test]
fn whatever_its_parameters() {
    let mut all = 0;
    for graph in ["grid:9x8", "tree:40,3", "geometric:80,0.2"] {
        for (noise, means) in LAWS {
            for (number, setting) in SETTINGS.iter().enumerate() {
                let seed = Seed(40 + number as u64);
                let world = worlds::world(graph, noise, means, Preset::Paper, seed);
                let what = format!("setting {number} on {graph}, {noise} around {means}");
                all += compare(&world, setting, &RunPlan::new(4_000, 1), seed, &what);
            }
        }
    }
    assert!(all > 20_000, "{all}");
}

/// The agent stands on a bad node between two equally good ones, and hardly any visits are left: it
/// costs much to enter the node again, and little to look elsewhere.
#[test]
fn where_the_way_back_leads_over_a_bad_node() {
    for (means, setting) in [
        ([0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], Setting { scale: 1e-8, ..USUAL }),
        (
            [0.0, 5.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0],
            Setting { horizon: Horizon::Known(8.0), ..USUAL },
        ),
    ] {
        let laws = means.map(|mean| Law::constant(mean).unwrap());
        let world = World::new(Graph::circle(8).unwrap(), laws.to_vec()).unwrap();
        for init in [Init::Lowest, Init::DepthFirst, Init::Nearest] {
            let plan = RunPlan { init, ..RunPlan::new(40, 1) };
            compare(&world, &setting, &plan, Seed(0), "on a circle of eight");
        }
    }
}

/// Larger graphs, with homes out of sight and tables repaired many times.
#[test]
fn on_graphs_with_long_ways_home() {
    for (graph, noise, means) in [
        ("grid:40x40", "uniform:0.5", "uniform:0.5,9.5"),
        ("grid:40x40", "uniform:2", "uniform:0,1"),
        ("grid:200x6", "uniform:0.5", "uniform:0.5,4.5"),
        ("geometric:1500,0.06", "uniform:0.5", "uniform:0.5,9.5"),
        ("tree:1200", "bernoulli", "uniform:0,1"),
        ("small-world:1500,4,0.05", "gaussian:0.5", "uniform:0.5,9.5"),
    ] {
        let seed = Seed(6);
        let world = worlds::world(graph, noise, means, Preset::Paper, seed);
        let plan = RunPlan { init: Init::DepthFirst, ..RunPlan::new(60_000, 1) };
        let legs = compare(&world, &USUAL, &plan, seed, graph);
        assert!(legs > 30, "{graph}: {legs}");
    }
}

#[test]
fn the_hunt_follows_the_eight_steps() {
    for graph in ["grid:7x7", "geometric:50,0.25", "circle:40", "complete:12"] {
        for (noise, means) in [("uniform:0.5", "uniform:0.5,9.5"), ("bernoulli", "uniform:0,1")] {
            let seed = Seed(8);
            let world = worlds::world(graph, noise, means, Preset::Paper, seed);
            let plan = RunPlan::new(10_000, 1);
            let mut plain = PlainGStar::DEFAULT;
            let plain = legs(&world, &mut plain, &plan, seed);
            assert_eq!(legs(&world, &mut USUAL.agent(0), &plan, seed), plain, "{graph} {noise}");
        }
    }
}

/// On vast graphs, a bargain nearby is enough; here, graphs are vast from one node on.
#[test]
fn a_bargain_nearby_is_enough_on_vast_graphs() {
    let mut changed = 0;
    for graph in ["grid:7x7", "geometric:50,0.25", "circle:40", "complete:12", "tree:45,3"] {
        for (noise, means) in [("uniform:0.5", "uniform:0.5,9.5"), ("bernoulli", "uniform:0,1")] {
            for near in [1, 2, 6, 20, 44, 1_000] {
                let seed = Seed(18);
                let world = worlds::world(graph, noise, means, Preset::Paper, seed);
                let plan = RunPlan::new(6_000, 1);
                let plain = &mut PlainGStar { near, ..PlainGStar::DEFAULT };
                let plain = legs(&world, plain, &plan, seed);
                let found = legs(&world, &mut nearby(&USUAL, near), &plan, seed);
                assert_eq!(found, plain, "{graph} {noise} {near}");
                changed += usize::from(found != legs(&world, &mut USUAL.agent(0), &plan, seed));
            }
        }
    }
    assert!(changed > 10, "{changed}");
}

/// An agent for which every graph is vast.
pub(crate) fn nearby(
    setting: &Setting,
    near: usize,
) -> Episodic<ExpectedImprovement, Bargain, Amortized> {
    let agent = setting.agent(0);
    Episodic { planner: agent.planner.with_nearby(0, near), ..agent }
}

/// An agent that forgets everything it kept, as after a restart, before every few legs.
pub(crate) struct Interrupted<'a> {
    pub(crate) setting: &'a Setting,
    pub(crate) near: usize,
    pub(crate) legs: usize,
    pub(crate) agent: Episodic<ExpectedImprovement, Bargain, Amortized>,
}

impl Agent for Interrupted<'_> {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        self.legs += 1;
        if self.legs.is_multiple_of(7) {
            self.agent = nearby(self.setting, self.near);
        }
        self.agent.next_leg(now, stream, leg)
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        // Some reports get lost, too.
        if self.legs % 5 == 3 { Ok(()) } else { self.agent.observe(now, visit) }
    }
}

#[test]
fn an_interrupted_agent_goes_on_as_if_nothing_had_happened() {
    for (graph, noise, means) in [
        ("grid:40x30", "uniform:0.5", "uniform:0.5,9.5"),
        ("geometric:1100,0.07", "bernoulli", "uniform:0,1"),
    ] {
        let seed = Seed(9);
        let world = worlds::world(graph, noise, means, Preset::Paper, seed);
        let plan = RunPlan { init: Init::DepthFirst, ..RunPlan::new(30_000, 1) };
        let trusting = Setting { trust: 0.9, ..USUAL };
        for (setting, near) in
            [(&USUAL, usize::MAX), (&USUAL, 60), (&trusting, usize::MAX), (&trusting, 60)]
        {
            let agent = nearby(setting, near);
            let mut interrupted = Interrupted { setting, near, legs: 0, agent };
            let found = legs(&world, &mut interrupted, &plan, seed);
            assert!(interrupted.legs > 20);
            let whole = legs(&world, &mut nearby(setting, near), &plan, seed);
            assert_eq!(found, whole, "{graph} {near} {}", setting.trust);
        }
    }
}
