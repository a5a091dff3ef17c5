//! g-star on large graphs whose roads run one way or take time: it does not price every node, and
//! makes the legs of pricing every node, to the bit.

use crate::hunt::{Interrupted, LAWS, SETTINGS, USUAL, compare, legs, nearby};
use graph_bandit::{
    AskTell, Graph, GraphSpec, Init, MeansSpec, NodeId, Paid, RewardSpec, Road, RunPlan, Seed,
    SessionPlan, Stream, World,
};
use std::sync::Arc;

/// How long roads take.
#[derive(Debug, Clone, Copy)]
enum Times {
    /// As long as visits, more or less.
    Any,
    /// One of few values, so that many trips tie; some roads are free.
    Few,
    /// None, but some roads run one way.
    Never,
    /// Some take very long: there is another way back.
    Long,
}

const TIMES: [Times; 4] = [Times::Any, Times::Few, Times::Never, Times::Long];

impl Times {
    fn draw(self, stream: &mut Stream) -> f64 {
        match self {
            Self::Any => 2.0 * stream.unit(),
            Self::Few => [0.0, 0.5, 1.0, 2.0][stream.below(4) as usize],
            Self::Never => 0.0,
            Self::Long => [0.1, 40.0 * stream.unit()][usize::from(stream.below(5) == 0)],
        }
    }
}

/// The graph of this spec with such roads, a share of them one way, where every node reaches every
/// other: a ring through all nodes is kept.
fn town(spec: &str, times: Times, one_way: u64, seed: Seed) -> Graph {
    let graph = spec.parse::<GraphSpec>().unwrap().build(seed).unwrap();
    let nodes = graph.len() as NodeId;
    let mut stream = seed.child(7).stream();
    let mut roads = Vec::new();
    for (a, b) in graph.edges() {
        let (a, b) = if stream.below(2) == 0 { (a, b) } else { (b, a) };
        roads.push(Road { from: a, to: b, time: times.draw(&mut stream) });
        if stream.below(100) >= one_way {
            roads.push(Road { from: b, to: a, time: times.draw(&mut stream) });
        }
    }
    for from in 0..nodes {
        let road = Road { from, to: (from + 1) % nodes, time: times.draw(&mut stream) };
        let is_new = !roads.iter().any(|other| (other.from, other.to) == (road.from, road.to));
        if is_new && road.from != road.to {
            roads.push(road);
        }
    }
    Graph::from_roads(graph.len(), roads).unwrap()
}

fn world(graph: Graph, noise: &str, means: &str, seed: Seed) -> World {
    let means = means.parse::<MeansSpec>().unwrap().draw(graph.len(), seed).unwrap();
    let laws = noise.parse::<RewardSpec>().unwrap().laws(&means).unwrap();
    World::new(graph, laws).unwrap()
}

const GRAPHS: [&str; 7] = [
    "line:40",
    "star:30",
    "tree:40,3",
    "grid:9x8",
    "complete:15",
    "geometric:80,0.2",
    "small-world:70,4,0.2",
];

#[test]
fn the_hunt_finds_what_pricing_every_node_finds() {
    let mut all = 0;
    for graph in GRAPHS {
        for (noise, means) in LAWS {
            for (number, times) in (1..).zip(TIMES) {
                let seed = Seed(number);
                let one_way = [0, 30, 60, 90][stream_of(graph, number).below(4) as usize];
                let world = world(town(graph, times, one_way, seed), noise, means, seed);
                let init = [Init::Lowest, Init::DepthFirst, Init::None][number as usize % 3];
                let start = (seed.0 % world.graph().len() as u64) as NodeId;
                let plan = RunPlan { init, start, ..RunPlan::new(10_000, 1) };
                let what = format!("on {graph}, {times:?}, {noise} around {means}");
                all += compare(&world, &USUAL, &plan, seed, &what);
            }
        }
    }
    assert!(all > 10_000, "{all}");
}

fn stream_of(graph: &str, number: u64) -> Stream {
    Seed(number).child(graph.len() as u64).stream()
}

#[test]
fn whatever_its_parameters() {
    let mut all = 0;
    for (graph, times) in
        [("grid:9x8", Times::Any), ("tree:40,3", Times::Few), ("geometric:80,0.2", Times::Long)]
    {
        for (noise, means) in LAWS {
            for (number, setting) in SETTINGS.iter().enumerate() {
                let seed = Seed(40 + number as u64);
                let world = world(town(graph, times, 40, seed), noise, means, seed);
                let what = format!("setting {number} on {graph}, {noise} around {means}");
                all += compare(&world, setting, &RunPlan::new(4_000, 1), seed, &what);
            }
        }
    }
    assert!(all > 10_000, "{all}");
}

/// Larger towns, with homes far away and tables repaired many times.
#[test]
fn on_graphs_with_long_ways_home() {
    for (graph, times, noise, means) in [
        ("grid:40x40", Times::Any, "uniform:0.5", "uniform:0.5,9.5"),
        ("grid:40x40", Times::Few, "uniform:2", "uniform:0,1"),
        ("grid:200x6", Times::Long, "uniform:0.5", "uniform:0.5,4.5"),
        ("geometric:1500,0.06", Times::Never, "uniform:0.5", "uniform:0.5,9.5"),
        ("tree:1200", Times::Any, "bernoulli", "uniform:0,1"),
        ("small-world:1500,4,0.05", Times::Any, "gaussian:0.5", "uniform:0.5,9.5"),
    ] {
        let seed = Seed(6);
        let world = world(town(graph, times, 30, seed), noise, means, seed);
        let plan = RunPlan { init: Init::DepthFirst, ..RunPlan::new(60_000, 1) };
        let legs = compare(&world, &USUAL, &plan, seed, graph);
        assert!(legs > 30, "{graph}: {legs}");
    }
}

/// Nowhere is a bargain nearby enough: agents on roads have always looked everywhere.
#[test]
fn vast_graphs_are_searched_whole() {
    for (graph, times) in [("grid:9x8", Times::Any), ("geometric:80,0.2", Times::Few)] {
        let seed = Seed(18);
        let world = world(town(graph, times, 30, seed), "uniform:0.5", "uniform:0.5,9.5", seed);
        let plan = RunPlan::new(6_000, 1);
        let found = legs(&world, &mut nearby(&USUAL, 6), &plan, seed);
        assert_eq!(found, legs(&world, &mut USUAL.agent(usize::MAX), &plan, seed), "{graph}");
    }
}

#[test]
fn an_interrupted_agent_goes_on_as_if_nothing_had_happened() {
    for (graph, times, noise, means) in [
        ("grid:40x30", Times::Any, "uniform:0.5", "uniform:0.5,9.5"),
        ("geometric:1100,0.07", Times::Few, "bernoulli", "uniform:0,1"),
    ] {
        let seed = Seed(9);
        let world = world(town(graph, times, 30, seed), noise, means, seed);
        let plan = RunPlan { init: Init::DepthFirst, ..RunPlan::new(30_000, 1) };
        let (setting, near) = (&USUAL, usize::MAX);
        let agent = nearby(setting, near);
        let mut interrupted = Interrupted { setting, near, legs: 0, agent };
        let found = legs(&world, &mut interrupted, &plan, seed);
        assert!(interrupted.legs > 20);
        let every = legs(&world, &mut setting.agent(usize::MAX), &plan, seed);
        assert_eq!(found, every, "{graph}");
    }
}

/// Drives take longer or shorter than the map says, others report rewards, and roads close and
/// reopen, also the only road to some nodes.
#[test]
fn while_roads_and_what_is_known_about_them_change() {
    let (mut asked, mut learned, mut closed, mut cut_off) = (0, 0, 0, 0);
    for case in 0..8 {
        let seed = Seed(70 + case);
        let graph = match case % 4 {
            0 => town("grid:9x8", Times::Any, 30, seed),
            1 => town("geometric:80,0.2", Times::Few, 60, seed),
            2 => town("tree:60,3", Times::Never, 0, seed),
            // Roads that take no time until a drive does.
            _ => "grid:9x8".parse::<GraphSpec>().unwrap().build(seed).unwrap(),
        };
        let (graph, mut whim) = (Arc::new(graph), seed.stream());
        let roads = graph.closable();
        let plan = SessionPlan { init: Init::DepthFirst, seed, ..SessionPlan::default() };
        let mut sessions = [0, usize::MAX].map(|below| {
            let agent = Box::new(USUAL.agent(below));
            AskTell::new(Arc::clone(&graph), agent, plan).unwrap()
        });
        for round in 0..4_000 {
            let [hunting, every] = &mut sessions;
            let order = every.ask().map(|order| (order.path.to_vec(), order.stay)).unwrap();
            let found = hunting.ask().map(|order| (order.path.to_vec(), order.stay)).unwrap();
            assert_eq!(found, order, "case {case}, round {round}");
            asked += 1;
            let node = hunting.ask().unwrap().node;
            let is_drive = case >= 4 && node != hunting.at() && whim.below(3) == 0;
            let took = is_drive.then(|| 1.0 + 3.0 * whim.unit());
            learned += usize::from(took.is_some());
            let reward = f64::from(node % 7) + whim.unit();
            let overheard = (whim.below(40) == 0).then(|| whim.below(graph.len() as u64) as NodeId);
            let change = whim.below(150) == 0;
            let road = roads[whim.below(roads.len() as u64) as usize];
            for session in &mut sessions {
                session.tell(node, Paid { reward, took }).unwrap();
                if let Some(node) = overheard {
                    session.observe(node, f64::from(node % 7)).unwrap();
                }
                if change {
                    let all = session.field().closed().iter().copied().collect::<Vec<_>>();
                    match all.first().filter(|_| all.len() > 3) {
                        Some(&first) => session.open(first).unwrap(),
                        None => closed += usize::from(session.close(road).is_ok()),
                    }
                }
            }
            cut_off += usize::from(!sessions[0].graph().is_connected());
        }
    }
    assert!(asked > 30_000 && learned > 150, "{asked} {learned}");
    assert!(closed > 80 && cut_off > 100, "{closed} {cut_off}");
}
