//! A team of one is a walker alone.

use super::{equal, walk, world, world_on};
use graph_bandit::spec::TeamSpec;
use graph_bandit::team::Member;
use graph_bandit::{
    AgentSpec, Graph, Init, NodeId, Preset, RegretFrom, Road, RunPlan, Seed, World, run,
};

/// The same visits, and the same regret up to rounding: the team adds up other sums.
fn assert_same(world: &World, agent: &str, (start, seed): (NodeId, Seed)) {
    let steps = 4_000;
    let plan = RunPlan {
        start,
        init: Init::Nearest,
        regret_from: RegretFrom::Start,
        ..RunPlan::new(steps, 1)
    };
    let mut alone = AgentSpec::parse(agent, Preset::Paper).unwrap().build(world.graph()).unwrap();
    let alone = run(world, &mut alone, &plan, seed).unwrap();
    let team = TeamSpec::parse(agent, Preset::Paper).unwrap().build();
    let team = walk(world, team, &equal(vec![Member::at(start)]), (steps, seed));
    assert_eq!(team.visits, alone.visits, "{agent} from {start}");
    let (ours, theirs) = (team.checkpoints[1].regret, alone.checkpoints[0].regret);
    assert!((ours - theirs).abs() < 1e-8, "{ours} {theirs}");
}

#[test]
fn g_star_leads_a_team_of_one_as_it_walks_alone() {
    for (graph, start) in
        [("grid:7x7", 24), ("line:30", 11), ("star:20", 0), ("tree:40,3", 7), ("complete:12", 3)]
    {
        for seed in 0..4 {
            let world = world(graph, 0.5, Seed(seed));
            assert_same(&world, "g-star", (start, Seed(seed)));
            assert_same(&world, "g-star:caution=1,growth=0.2,horizon=4000", (start, Seed(seed)));
        }
    }
}

#[test]
fn also_on_roads_that_take_whole_units_and_run_one_way() {
    let road = |from, to, time| Road { from, to, time };
    let mut roads = Vec::new();
    for node in 0..12 {
        roads.push(road(node, (node + 1) % 12, f64::from(node % 3)));
        if node % 4 != 0 {
            roads.push(road((node + 1) % 12, node, 2.0));
        }
    }
    roads.push(road(2, 9, 1.0));
    for seed in 0..8 {
        let graph = Graph::from_roads(12, roads.clone()).unwrap();
        assert_same(&world_on(graph, 0.3, Seed(seed)), "g-star", (4, Seed(seed)));
    }
}
