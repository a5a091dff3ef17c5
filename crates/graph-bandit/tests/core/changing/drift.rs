//! g-drift: g-star while nothing changes, and soon at the new best place when something does.

use graph_bandit::conformance::check_all;
use graph_bandit::{
    Agent, AgentSpec, AskTell, Course, Field, Graph, Init, Law, Leg, Memory, NodeId, OwnLaw,
    Preset, Raised, RewardSpec, RunPlan, Seed, SessionPlan, Setting, Situation, Tape, Time,
    Trajectory, World, run,
};
use std::sync::Arc;

fn agent(text: &str, graph: &Graph) -> Box<dyn Agent + Send> {
    AgentSpec::parse(text, Preset::Paper).unwrap().build(graph).unwrap()
}

fn graphs() -> [Graph; 5] {
    [
        Graph::line(20).unwrap(),
        Graph::grid(5, 5).unwrap(),
        Graph::star(12).unwrap(),
        Graph::complete(9).unwrap(),
        Graph::tree(15, 2).unwrap(),
    ]
}

/// Means between 0.5 and 9.5 in a fixed order, with noise of scale 1/2.
fn still(graph: &Graph, noise: &str) -> World {
    let means: Vec<f64> = graph.nodes().map(|s| 0.5 + 9.0 * f64::from(s * 7 % 23) / 23.0).collect();
    let laws = noise.parse::<RewardSpec>().unwrap().laws(&means).unwrap();
    World::new(graph.clone(), laws).unwrap()
}

#[test]
fn without_changes_it_is_g_star_to_the_bit() {
    for graph in graphs() {
        let world = still(&graph, "uniform:0.5");
        let plan = RunPlan { init: Init::Nearest, ..RunPlan::new(4_000, 10) };
        for seed in 0..5 {
            let record = |text| run(&world, agent(text, &graph).as_mut(), &plan, Seed(seed));
            let expected = record("g-star:growth=0.4").unwrap();
            assert_eq!(record("g-drift:growth=0.4,restarts=never").unwrap(), expected);
            assert_eq!(record("g-drift:growth=0.4").unwrap(), expected);
        }
    }
}

/// Without noise, sums of rewards such as 0.1 are not exact: rounding must not pass for a change.
#[test]
fn rounding_is_not_a_change() {
    let graph = Graph::line(3).unwrap();
    let session =
        |text| AskTell::new(graph.clone(), agent(text, &graph), SessionPlan::default()).unwrap();
    let (mut drift, mut star) = (session("g-drift:noise-scale=0"), session("g-star:noise-scale=0"));
    for visit in 0..400 {
        let node = drift.ask().unwrap().node;
        assert_eq!(node, star.ask().unwrap().node, "visit {visit}");
        let reward = [0.1, 0.7, 0.3][node as usize];
        drift.tell(node, reward).unwrap();
        star.tell(node, reward).unwrap();
        assert!(!drift.found_change(), "visit {visit}");
    }
    // A real change is found at once.
    let node = drift.ask().unwrap().node;
    assert_eq!(node, 1);
    drift.tell(node, 0.2).unwrap();
    assert!(drift.found_change());
}

/// With restarts switched off it is g-star even where means change.
#[test]
fn with_restarts_off_it_is_g_star_to_the_bit_in_any_world() {
    let world = moving(Graph::grid(4, 4).unwrap(), 300.0);
    let record = |text: &str| {
        run(&world, agent(text, world.graph()).as_mut(), &RunPlan::new(2_000, 10), Seed(3)).unwrap()
    };
    let star = record("g-star");
    assert_eq!(record("g-drift:restarts=never"), star);
    assert_ne!(record("g-drift"), star);
}

/// The mean of a node where the best place moves at every `every` units of time.
#[derive(Debug)]
struct Moving {
    node: NodeId,
    nodes: u32,
    every: f64,
}

impl OwnLaw for Moving {
    fn draw(&self, tape: Seed, k: u64, at: Time) -> Result<f64, Raised> {
        Ok(self.mean(at) + tape.unit(k) - 0.5)
    }

    fn mean(&self, at: Time) -> f64 {
        let best = (at.0 / self.every) as u32 * 7 % self.nodes;
        if self.node == best {
            9.0
        } else {
            1.0 + 3.0 * f64::from(self.node) / f64::from(self.nodes)
        }
    }

    fn course(&self) -> Course {
        Course::Changing
    }

    fn variance(&self) -> f64 {
        1.0 / 12.0
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.5
    }
}

fn moving(graph: Graph, every: f64) -> World {
    let nodes = graph.len() as u32;
    let law = |node| Law::own(Arc::new(Moving { node, nodes, every })).unwrap();
    let laws = graph.nodes().map(law).collect();
    World::new(graph, laws).unwrap()
}

#[test]
fn it_follows_the_best_place() {
    for graph in graphs() {
        let world = moving(graph, 1_000.0);
        let regret = |text: &str| {
            let regrets = (0..4).map(|seed| {
                let mut agent = agent(text, world.graph());
                agent.reveal(&(1..10).map(|k| 1_000.0 * f64::from(k)).collect::<Vec<_>>());
                let plan = RunPlan::new(10_000, 1);
                run(&world, agent.as_mut(), &plan, Seed(seed)).unwrap().checkpoints[0].regret
            });
            regrets.sum::<f64>() / 4.0
        };
        let (ours, star, oracle) =
            (regret("g-drift"), regret("g-star"), regret("g-ucb:restarts=oracle"));
        let nodes = world.graph().len();
        assert!(ours < 0.2 * star && ours < oracle, "{nodes} nodes: {ours} {star} {oracle}");
    }
}

/// A fresh agent that recalls a memory makes the same plans and learns the same from then on.
#[test]
fn a_recalled_agent_continues_as_the_one_that_stored() {
    let world = moving(Graph::grid(4, 4).unwrap(), 150.0);
    let fresh = || agent("g-drift", world.graph());
    let tape = Tape::new(Seed(8));
    let mut payer = world.on_tape(&tape);
    let setting = Setting { start: 0, init: Init::Nearest, stream: Seed(1).stream() };
    let field = Field::new(world.shared_graph());
    let mut walk = Trajectory::new(field, fresh(), setting.clone()).unwrap();
    let plan_of = |agent: &mut dyn Agent, now: &Situation<'_>| {
        let mut leg = Leg::default();
        agent.next_leg(now, &mut Seed(1).stream(), &mut leg).unwrap();
        leg
    };
    let mut restarted = 0;
    for _ in 0..600 {
        walk.advance(3, &mut payer, &mut ()).unwrap();
        let memory = walk.agent_mut().memory();
        restarted += usize::from(memory.counts[0] == 1);
        let mut recalled = fresh();
        recalled.recall(&memory).unwrap();
        assert_eq!(recalled.memory(), memory);
        let (estimates, clock) = (walk.estimates().clone(), *walk.walker().clock());
        let now =
            Situation { graph: world.graph(), at: walk.at(), estimates: &estimates, clock: &clock };
        let expected = plan_of(walk.agent_mut().as_mut(), &now);
        assert_eq!(plan_of(recalled.as_mut(), &now), expected);
        assert_eq!(walk.agent_mut().memory(), memory, "planning learns nothing");
        // Goes on with the recalled agent.
        *walk.agent_mut() = recalled;
    }
    assert!(restarted > 400, "{restarted}");
    // The same walk without any exchange of agents.
    let field = Field::new(world.shared_graph());
    let mut straight = Trajectory::new(field, fresh(), setting).unwrap();
    let mut payer = world.on_tape(&tape);
    for _ in 0..600 {
        straight.advance(3, &mut payer, &mut ()).unwrap();
    }
    assert_eq!(straight.estimates(), walk.estimates());
    assert_eq!(straight.agent_mut().memory(), walk.agent_mut().memory());
}

#[test]
fn damaged_memories_are_refused() {
    let graph = Graph::line(3).unwrap();
    let mut fresh = agent("g-drift", &graph);
    let own = fresh.memory();
    for (values, counts) in [(0, 1), (1, 0)] {
        let mut memory = own.clone();
        memory.values.extend(vec![0.0; values]);
        memory.counts.extend(vec![0; counts]);
        assert!(fresh.recall(&memory).is_err());
    }
    // Whether there was a change and whether its mean was found again, the blocks of node 0, whether
    // it was restarted, and the visits that count.
    for position in 0..5 {
        let mut memory = own.clone();
        memory.counts[position] = 1 << 40;
        assert!(fresh.recall(&memory).is_err(), "{position}");
    }
    assert!(fresh.recall(&Memory::default()).is_err());
    assert_eq!(fresh.memory(), own);
}

/// It raises false alarms within the stated probability, and would not if noise were larger than
/// declared.
#[test]
fn false_alarms_are_as_rare_as_stated() {
    let graph = Graph::complete(4).unwrap();
    let alarms = |noise: &str, delta: f64| {
        let world = still(&graph, noise);
        let plan = RunPlan::new(3_000, 1);
        let runs = (0..100).filter(|&seed| {
            let mut agent = agent(&format!("g-drift:delta={delta},noise-scale=0.5"), &graph);
            run(&world, agent.as_mut(), &plan, Seed(seed)).unwrap();
            // Whether there is a latest change or any was counted.
            let memory = agent.memory();
            memory.counts[0] > 0 || memory.values[1] > 0.0
        });
        runs.count()
    };
    for noise in ["gaussian:0.5", "uniform:0.5"] {
        assert!(alarms(noise, 0.05) <= 5 && alarms(noise, 0.5) <= 50, "{noise}");
    }
    assert!(alarms("gaussian:2", 0.05) > 90);
}

#[test]
fn it_keeps_the_contract_with_other_parameters() {
    for text in ["g-drift:rate=0.01", "g-drift:noise-scale=0.01", "g-drift:horizon=300,delta=0.5"] {
        check_all(|graph| agent(text, graph)).unwrap_or_else(|broken| panic!("{text}\n{broken}"));
    }
}

/// Rewards in other units, by a power of two so that rounding does not differ, lead the same way.
#[test]
fn the_unit_of_rewards_does_not_matter() {
    let graph = Graph::grid(4, 4).unwrap();
    let visits = |unit: f64| {
        let nodes = graph.len() as u32;
        let law = |node| {
            let law = Moving { node, nodes, every: 300.0 };
            Law::own(Arc::new(Scaled { law, unit })).unwrap()
        };
        let world = World::new(graph.clone(), graph.nodes().map(law).collect()).unwrap();
        let mut agent = agent(&format!("g-drift:noise-scale={}", 0.5 * unit), &graph);
        run(&world, agent.as_mut(), &RunPlan::new(3_000, 1), Seed(4)).unwrap().visits
    };
    let expected = visits(1.0);
    assert_eq!([visits(1024.0), visits(1.0 / 64.0)], [expected.clone(), expected]);
}

#[derive(Debug)]
struct Scaled {
    law: Moving,
    unit: f64,
}

impl OwnLaw for Scaled {
    fn draw(&self, tape: Seed, k: u64, at: Time) -> Result<f64, Raised> {
        Ok(self.unit * self.law.draw(tape, k, at)?)
    }

    fn mean(&self, at: Time) -> f64 {
        self.unit * self.law.mean(at)
    }

    fn course(&self) -> Course {
        Course::Changing
    }

    fn variance(&self) -> f64 {
        self.unit * self.unit / 12.0
    }

    fn sub_gaussian_scale(&self) -> f64 {
        0.5 * self.unit
    }
}
