//! Initialization by road: the walk visits every node and is counted as walked.

use crate::roads::world;
use graph_bandit::run::run_observed;
use graph_bandit::{
    AgentSpec, Event, Init, NodeId, Observer, Phase, Preset, RunPlan, Seed, Situation,
};

/// Records the nodes of initialization, one per visit.
#[derive(Default)]
struct Walk {
    nodes: Vec<NodeId>,
    is_covered: bool,
}

impl Observer for Walk {
    fn hear(&mut self, _now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Visited(visit) => {
                assert_eq!((visit.phase, self.is_covered), (Phase::Cover, false));
                self.nodes.extend((0..visit.sample.count).map(|_| visit.node));
            }
            Event::Covered => self.is_covered = true,
            _ => {}
        }
    }
}

#[test]
fn every_cover_visits_every_node_by_road() {
    for seed in 0..20 {
        let world = world(100 + seed, 10, 1.5);
        let graph = world.graph();
        for init in [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::Tour] {
            let plan = RunPlan { init, start: (seed % 10) as NodeId, ..RunPlan::new(0, 0) };
            let mut agent = AgentSpec::parse("g-ucb", Preset::Paper).unwrap().build(graph).unwrap();
            let mut walk = Walk::default();
            let record =
                run_observed(&world, agent.as_mut(), &plan, Seed(1), &mut walk).unwrap().init;
            let nodes = &walk.nodes;
            assert!(walk.is_covered, "{init:?} {seed}");
            for node in graph.nodes() {
                assert!(nodes.contains(&node), "{init:?} {seed}: {node} not in {nodes:?}");
            }
            // It ends with the last missing node.
            let (last, before) = nodes.split_last().unwrap();
            assert!(!before.contains(last), "{init:?} {seed}: {nodes:?}");
            // Some orders visit the start first, others leave at once. After that no node is
            // visited twice in a row, and a road leads to each.
            let set_out = (nodes[0] != plan.start).then_some(plan.start);
            let places: Vec<NodeId> = set_out.into_iter().chain(nodes.iter().copied()).collect();
            assert!(places.windows(2).all(|pair| pair[0] != pair[1]), "{init:?} {seed}: {nodes:?}");
            let roads = places.windows(2).map(|pair| graph.travel(pair[0], pair[1]).unwrap());
            let travel: f64 = roads.sum();
            assert_eq!(record.steps, nodes.len() as u64, "{init:?} {seed}");
            assert_eq!(record.travel, travel, "{init:?} {seed}");
            let paid: f64 = nodes.iter().map(|&node| world.mean(node)).sum();
            let regret = world.best_mean() * (nodes.len() as f64 + travel) - paid;
            assert!((record.regret - regret).abs() < 1e-9 * regret, "{init:?} {seed}: {regret}");
        }
    }
}
