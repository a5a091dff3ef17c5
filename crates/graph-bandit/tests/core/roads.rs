//! Roads that run one way and take time: compared to subdivided graphs, petgraph, and brute force.

use crate::support::agents::anywhere;
use crate::support::instances::every_policy;
use graph_bandit::plan::{CheapestPaths, Heading, RoadCosts, bellman_ford, shortest_path};
use graph_bandit::run::{Checkpoint, run, run_observed};
use graph_bandit::{
    AgentSpec, Event, Graph, Law, NodeId, Observer, Preset, Road, RunPlan, Seed, Situation, Stream,
    World,
};
use petgraph::algo::dijkstra;
use petgraph::graph::{DiGraph, NodeIndex};

/// A strongly connected graph: a cycle through all nodes and more roads at random. Times are whole
/// numbers below `longest`.
fn some_roads(stream: &mut Stream, nodes: u64, longest: u64) -> Vec<Road> {
    let mut order: Vec<NodeId> = (0..nodes as NodeId).collect();
    for i in (1..order.len()).rev() {
        order.swap(i, stream.below(i as u64 + 1) as usize);
    }
    let next = order.iter().cycle().skip(1);
    let round: Vec<(NodeId, NodeId)> = order.iter().copied().zip(next.copied()).collect();
    let more = stream.below(2 * nodes + 1);
    let more = (0..more).map(|_| (stream.below(nodes) as NodeId, stream.below(nodes) as NodeId));
    let ends: Vec<_> = round.into_iter().chain(more).collect();
    let ends = ends.into_iter().filter(|&(from, to)| from != to || nodes == 1);
    ends.map(|(from, to)| Road { from, to, time: stream.below(longest) as f64 }).collect()
}

fn eighths(stream: &mut Stream, nodes: usize) -> Vec<f64> {
    (0..nodes).map(|_| stream.below(9) as f64 / 8.0).collect()
}

fn best(means: &[f64]) -> f64 {
    means.iter().copied().fold(f64::NEG_INFINITY, f64::max)
}

/// Replaces every road of time `k` by a chain of `k` additional nodes that pay nothing, each
/// entered in one step.
fn subdivided(graph: &Graph, means: &[f64]) -> (Graph, Vec<f64>) {
    let mut means = means.to_vec();
    let mut roads = Vec::new();
    for Road { from, to, time } in graph.all_roads() {
        let mut at = from;
        for _ in 0..time as u64 {
            let between = means.len() as NodeId;
            means.push(0.0);
            roads.push(Road { from: at, to: between, time: 0.0 });
            at = between;
        }
        roads.push(Road { from: at, to, time: 0.0 });
    }
    (Graph::from_roads(means.len(), roads).unwrap(), means)
}

#[test]
fn cheapest_paths_equal_those_of_the_subdivided_graph() {
    let mut stream = Seed(1).stream();
    let mut longer = 0;
    for case in 0..300 {
        let nodes = 1 + case % 14;
        let roads = some_roads(&mut stream, nodes, 5);
        let graph = Graph::from_roads(nodes as usize, roads).unwrap();
        let means = eighths(&mut stream, graph.len());
        if best(&means) == 0.0 {
            // The nodes in between then pay as much as the best.
            continue;
        }
        let (fine, fine_means) = subdivided(&graph, &means);
        let (policy, cost) = shortest_path(&graph, &means);
        let (_, fine_cost) = shortest_path(&fine, &fine_means);
        assert_eq!(cost, fine_cost[..graph.len()]);
        let (_, by_sweeps) = bellman_ford(&graph, &means);
        assert_eq!(cost, by_sweeps);
        for s in graph.nodes() {
            assert_eq!(policy.long_run_cost_by_road(&graph, &means, s), cost[s as usize]);
        }
        longer += usize::from(fine.len() > graph.len());
    }
    assert!(longer > 200);
}

#[test]
fn no_policy_has_a_lower_long_run_cost() {
    let mut stream = Seed(2).stream();
    for case in 0..120 {
        let nodes = 2 + case % 4;
        let roads = some_roads(&mut stream, nodes, 3);
        let graph = Graph::from_roads(nodes as usize, roads).unwrap();
        let means = eighths(&mut stream, graph.len());
        let (_, cost) = shortest_path(&graph, &means);
        let mut least = vec![f64::INFINITY; graph.len()];
        every_policy(&graph, |policy| {
            for s in graph.nodes() {
                let cost = policy.long_run_cost_by_road(&graph, &means, s);
                least[s as usize] = least[s as usize].min(cost);
            }
        });
        assert_eq!(cost, least);
    }
}

/// Times from and to every node by petgraph: a road takes a visit and its own time.
fn times_by_petgraph(graph: &Graph, node: NodeId, heading: Heading) -> Vec<f64> {
    let mut roads = DiGraph::<(), f64>::new();
    let at: Vec<NodeIndex> = graph.nodes().map(|_| roads.add_node(())).collect();
    for Road { from, to, time } in graph.all_roads() {
        let (from, to) = match heading {
            Heading::FromHere => (from, to),
            Heading::There => (to, from),
        };
        roads.add_edge(at[from as usize], at[to as usize], 1.0 + time);
    }
    let found = dijkstra(&roads, at[node as usize], None, |road| *road.weight());
    at.iter().map(|at| found.get(at).copied().unwrap_or(f64::INFINITY)).collect()
}

#[test]
fn times_equal_petgraph_s_in_both_directions() {
    let mut stream = Seed(3).stream();
    let mut asymmetric = 0;
    for case in 0..60 {
        let nodes = 1 + 7 * (case % 12);
        let roads = some_roads(&mut stream, nodes, 6);
        let roads = roads.into_iter().map(|road| Road { time: road.time / 4.0, ..road });
        let graph = Graph::from_roads(nodes as usize, roads).unwrap();
        let mut diameter = 0.0_f64;
        for node in graph.nodes() {
            let (to, from) = (graph.times_to(node), graph.times_from(node));
            assert_eq!(to, times_by_petgraph(&graph, node, Heading::There));
            assert_eq!(from, times_by_petgraph(&graph, node, Heading::FromHere));
            asymmetric += usize::from(to != from);
            diameter = from.iter().copied().fold(diameter, f64::max);
        }
        assert_eq!(graph.time_diameter(), diameter);
    }
    assert!(asymmetric > 1_000, "{asymmetric}");
}

#[test]
fn costs_scale_with_times_and_with_means() {
    let mut stream = Seed(4).stream();
    for _ in 0..40 {
        let roads = some_roads(&mut stream, 12, 5);
        let graph = Graph::from_roads(12, roads.clone()).unwrap();
        let doubled = roads.iter().map(|&road| Road { time: 2.0 * road.time, ..road });
        let doubled = Graph::from_roads(12, doubled).unwrap();
        let (mut one, mut two) = (CheapestPaths::default(), CheapestPaths::default());
        let free = |time| RoadCosts { entry: |_: NodeId| 0.0, time };
        one.search_roads((&graph, Heading::There), &free(1.0), [3], |_| false);
        two.search_roads((&doubled, Heading::There), &free(1.0), [3], |_| false);
        for s in graph.nodes() {
            assert_eq!(2.0 * one.cost(s), two.cost(s));
            assert_eq!(one.next(s), two.next(s));
        }
        let means = eighths(&mut stream, 12);
        let fourfold: Vec<f64> = means.iter().map(|mean| 4.0 * mean).collect();
        let ((policy, cost), (same, costly)) =
            (shortest_path(&graph, &means), shortest_path(&graph, &fourfold));
        assert_eq!(policy, same);
        assert!(cost.iter().zip(&costly).all(|(cost, costly)| 4.0 * cost == *costly));
    }
}

pub(crate) fn world(seed: u64, nodes: u64, unit: f64) -> World {
    let mut stream = Seed(seed).stream();
    let roads = some_roads(&mut stream, nodes, 5);
    let roads = roads.into_iter().map(|road| Road { time: unit * road.time, ..road });
    let graph = Graph::from_roads(nodes as usize, roads).unwrap();
    let mean = |_| 0.5 + 4.0 * stream.unit();
    let laws = graph.nodes().map(mean).map(|mean| Law::uniform(mean - 0.5, mean + 0.5).unwrap());
    let laws = laws.collect();
    World::new(graph, laws).unwrap()
}

/// Records when each visit ended and the mean of its node.
#[derive(Default)]
struct Ends {
    begin: f64,
    visits: Vec<(f64, NodeId)>,
    at: Option<NodeId>,
}

impl Observer for Ends {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Covered => *self = Self { begin: now.clock.now().0, ..Self::default() },
            Event::Visited(visit) => {
                let count = visit.sample.count;
                let end = now.clock.now().0 - self.begin;
                // Roads take the map's times, stays one unit each.
                if let (Some(from), true) = (self.at, visit.from != visit.node) {
                    let last = self.visits.last().map_or(0.0, |&(end, _)| end);
                    let road = now.graph.travel(from, visit.node).unwrap();
                    assert!((end - last - 1.0 - road).abs() < 1e-6, "{last} {end} {road}");
                }
                self.at = Some(visit.node);
                for back in (0..count).rev() {
                    self.visits.push((end - back as f64, visit.node));
                }
            }
            _ => {}
        }
    }
}

/// `mu* t` minus the means of the visits that have ended by then.
fn regret_by_definition(world: &World, ends: &Ends, point: &Checkpoint) -> f64 {
    let t = point.t as f64;
    let ended = ends.visits.iter().filter(|&&(end, _)| end <= t);
    let paid: f64 = ended.map(|&(_, node)| world.mean(node)).sum();
    world.best_mean() * t - paid
}

#[test]
fn regret_at_a_moment_counts_the_visits_that_have_ended() {
    for (seed, unit) in [(5, 1.0), (6, 0.375), (7, 2.75)] {
        let world = world(seed, 15, unit);
        for spec in anywhere(Preset::Paper) {
            let plan = RunPlan { start: 3, ..RunPlan::new(700, 97) };
            let mut agent = spec.build(world.graph()).unwrap();
            let mut ends = Ends::default();
            let record =
                run_observed(&world, agent.as_mut(), &plan, Seed(seed), &mut ends).unwrap();
            assert_eq!(record.checkpoints.len(), plan.checkpoints.len(), "{spec}");
            for (point, &t) in record.checkpoints.iter().zip(&plan.checkpoints) {
                assert_eq!(point.t, t);
                let expected = regret_by_definition(&world, &ends, point);
                assert!(
                    (point.regret - expected).abs() < 1e-6,
                    "{spec} at {t}: {point:?} {expected}"
                );
            }
            assert!(ends.visits.iter().all(|&(end, _)| end <= 700.0), "{spec}");
            assert_eq!(record.visits.iter().sum::<u64>(), ends.visits.len() as u64, "{spec}");
            let last = ends.visits.last().unwrap().0;
            assert!(record.checkpoints.windows(2).all(|pair| pair[0].reward <= pair[1].reward));
            assert!(last > 690.0 - 12.0 * unit, "{spec}: {last}");
        }
    }
}

#[test]
fn the_same_run_whatever_the_checkpoints() {
    let world = world(8, 12, 0.7);
    for spec in anywhere(Preset::Paper) {
        let record = |count| {
            let mut agent = spec.build(world.graph()).unwrap();
            run(&world, agent.as_mut(), &RunPlan::new(900, count), Seed(2)).unwrap()
        };
        let (few, many) = (record(1), record(900));
        assert_eq!(few.visits, many.visits, "{spec}");
        let (end, same) = (few.checkpoints[0], many.checkpoints[899]);
        assert_eq!((end.regret, end.legs), (same.regret, same.legs), "{spec}");
    }
}

#[test]
fn good_agents_find_the_best_node_by_road() {
    let sampling = ["g-ucb", "g-star", "g-ts", "g-moss", "g-imed", "g-klucb", "direct-sp", "ucrl2"];
    for spec in
        sampling.into_iter().chain(["g-safe", "g-sweep", "g-horizon", "g-horizon:horizon=20000"])
    {
        let mut stays = 0;
        for seed in 0..5 {
            let world = world(40 + seed, 20, 1.0);
            let mut agent =
                AgentSpec::parse(spec, Preset::Paper).unwrap().build(world.graph()).unwrap();
            let record = run(&world, agent.as_mut(), &RunPlan::new(20_000, 4), Seed(seed)).unwrap();
            let on_best = record.visits[world.best_node() as usize];
            stays += on_best;
        }
        assert!(stays >= 50_000, "{spec}: {stays}");
    }
}

#[test]
fn travel_does_not_pay() {
    let roads = [(0, 1, 1.0), (1, 0, 1.0)].map(|(from, to, time)| Road { from, to, time });
    let graph = Graph::from_roads(2, roads).unwrap();
    let below = vec![Law::constant(-1.0).unwrap(), Law::constant(-0.5).unwrap()];
    let refused = World::new(graph.clone(), below).unwrap_err().to_string();
    assert!(refused.contains("-0.5") && refused.contains("at least 0"), "{refused}");
    let zero = vec![Law::constant(-1.0).unwrap(), Law::constant(0.0).unwrap()];
    assert!(World::new(graph, zero).is_ok());
}
