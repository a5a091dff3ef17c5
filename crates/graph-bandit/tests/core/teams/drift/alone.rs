//! A team of one is g-drift alone; without changes, any team is g-star's.

use super::super::{equal, members, world, world_on};
use super::{at, changing, graph, team_agent, walked};
use graph_bandit::team::{Draws, TeamSetup};
use graph_bandit::{
    AgentSpec, Event, Field, Graph, Init, NodeId, Observer, Payer, Preset, Road, Seed, Setting,
    Situation, Tape, Time, Trajectory, World,
};

/// When each visit ended, and where.
#[derive(Default)]
struct Visits {
    at: Vec<(u64, NodeId)>,
    changes: usize,
}

impl Observer for Visits {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        if let Event::Visited(visit) = event {
            assert_eq!(visit.sample.count, 1);
            self.at.push((now.clock.now().0 as u64, visit.node));
        }
    }
}

/// The visits of the agent alone, and how many changes it found.
fn alone(world: &World, agent: &str, (start, steps, seed): (NodeId, u64, Seed)) -> Visits {
    let agent = AgentSpec::parse(agent, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let setting = Setting { start, init: Init::Nearest, stream: Seed(0).stream() };
    let mut walk = Trajectory::new(Field::new(world.shared_graph()), agent, setting).unwrap();
    let mut payer = world.on_tape(&Tape::new(seed));
    payer.begin(Time::START);
    let mut visits = Visits::default();
    while visits.at.last().is_none_or(|(time, _)| *time < steps) {
        walk.advance(1, &mut payer, &mut visits).unwrap();
        visits.changes += usize::from(walk.walker().agent().found_change());
    }
    visits
}

/// How many changes the agent alone has found, if both walk alike.
fn assert_same(world: &World, agent: &str, (start, steps, seed): (NodeId, u64, Seed)) -> usize {
    let alone = alone(world, agent, (start, steps, seed));
    let team = walked(world, team_agent(agent), at(&[start]), (steps, seed));
    let visits: Vec<(u64, NodeId)> =
        (1..).zip(&team).filter_map(|(step, nodes)| nodes[0].map(|node| (step, node))).collect();
    let expected: Vec<_> = alone.at.into_iter().take_while(|(time, _)| *time <= steps).collect();
    let differs = visits.iter().zip(&expected).position(|(a, b)| a != b);
    assert_eq!(differs, None, "{agent} from {start} with {seed:?}");
    assert_eq!(visits.len(), expected.len());
    alone.changes
}

#[test]
fn g_drift_leads_a_team_of_one_as_it_walks_alone() {
    let mut changes = 0;
    for (text, start) in
        [("grid:5x6", 24), ("line:20", 11), ("star:12", 0), ("tree:31,2", 7), ("complete:9", 3)]
    {
        for (means, deviation) in [
            ("redrawn:0.5,9.5,700", 0.5),
            ("one-at-a-time:0,1,60", 0.1),
            ("moving-best:0.2,0.9,900", 0.3),
            ("drift:0,1,0.05,50", 0.1),
            ("seasons:0.5,1,0.4,900", 0.1),
        ] {
            for seed in 0..2 {
                let world = changing(graph(text), means, (deviation, Seed(seed)));
                let plan = (start, 2_500, Seed(seed));
                for agent in ["g-drift", "g-drift:rate=0.0005,caution=1,growth=0.3"] {
                    changes += assert_same(&world, agent, plan);
                }
            }
        }
    }
    assert!(changes > 250, "{changes}");
}

#[test]
fn also_on_roads_that_take_whole_units_and_where_nodes_cost() {
    let road = |from, to, time| Road { from, to, time };
    let mut roads = Vec::new();
    for node in 0..12 {
        roads.push(road(node, (node + 1) % 12, f64::from(node % 3)));
        if node % 4 != 0 {
            roads.push(road((node + 1) % 12, node, 2.0));
        }
    }
    roads.push(road(2, 9, 1.0));
    let mut changes = [0, 0];
    for seed in 0..6 {
        let graph = Graph::from_roads(12, roads.clone()).unwrap();
        let world = changing(graph, "redrawn:0.5,9.5,900", (0.5, Seed(seed)));
        changes[0] += assert_same(&world, "g-drift", (4, 4_000, Seed(seed)));
        let costs = changing(Graph::grid(4, 5).unwrap(), "redrawn:-9,-1,900", (0.5, Seed(seed)));
        changes[1] += assert_same(&costs, "g-drift", (4, 4_000, Seed(seed)));
    }
    assert!(changes.iter().all(|&changes| changes > 10), "{changes:?}");
}

#[test]
fn without_changes_a_team_is_g_star_s() {
    for (text, walkers) in [("grid:6x6", 4), ("line:30", 2), ("star:20", 3), ("complete:12", 5)] {
        for seed in 0..4 {
            let world = world(text, 0.5, Seed(seed));
            for draws in [Draws::One, Draws::Own] {
                let setup = TeamSetup { draws, ..equal(members(&world, walkers, Seed(seed))) };
                let walk =
                    |agent| walked(&world, team_agent(agent), setup.clone(), (2_000, Seed(seed)));
                assert_eq!(walk("g-drift"), walk("g-star"), "{text} {seed}");
                assert_eq!(walk("g-drift:restarts=never"), walk("g-star"), "{text} {seed}");
            }
        }
    }
    let roads = (0..8).map(|node| Road { from: node, to: (node + 1) % 8, time: 1.0 });
    let world = world_on(Graph::from_roads(8, roads).unwrap(), 0.3, Seed(2));
    let walk = |agent| walked(&world, team_agent(agent), at(&[0, 4]), (1_000, Seed(2)));
    assert_eq!(walk("g-drift"), walk("g-star"));
}

/// Before the first change, the teams walk alike; after it, they do not.
#[test]
fn the_first_change_parts_the_two() {
    for seed in 0..5 {
        let world =
            changing(Graph::grid(5, 5).unwrap(), "redrawn:0.5,9.5,1500,regular", (0.5, Seed(seed)));
        let walk = |agent| walked(&world, team_agent(agent), at(&[0, 12, 24]), (4_000, Seed(seed)));
        let (drift, star) = (walk("g-drift"), walk("g-star"));
        let parted = drift.iter().zip(&star).position(|(a, b)| a != b).unwrap();
        assert!((1_500..1_600).contains(&parted), "{parted}");
    }
}
