//! Repaired tables are compared with searches of the whole graph.

use super::*;
use crate::agent::Situation;
use crate::clock::Clock;
use crate::graph::Road;
use crate::plan::{CheapestPaths, RoadCosts};
use crate::random::{Seed, Stream};

/// Rewards of few levels, so that many paths cost the same; of many; and so large that the cost
/// of a step is lost in rounding.
fn reward(kind: usize, stream: &mut Stream) -> f64 {
    match kind {
        0 => stream.below(3) as f64,
        1 => stream.unit(),
        _ => 1e9 * stream.below(4) as f64,
    }
}

/// The same edges as roads with times of few values, some of them one way.
fn by_road(graph: &Graph, stream: &mut Stream) -> Graph {
    let nodes = graph.len() as NodeId;
    let ring = (0..nodes).map(|from| Road { from, to: (from + 1) % nodes, time: 1.0 });
    let mut roads: Vec<Road> = ring.collect();
    for road in graph.all_roads().filter(|road| road.to != (road.from + 1) % nodes) {
        if stream.below(4) > 0 {
            roads.push(Road { time: [0.0, 0.5, 2.0][stream.below(3) as usize], ..road });
        }
    }
    Graph::from_roads(graph.len(), roads).unwrap()
}

/// The costs of all paths home.
fn search_all(paths: &mut CheapestPaths, graph: &Graph, home: &Leader, estimates: &Estimates) {
    let entry = |node| home.gap(estimates, node) + 1e-9;
    if graph.roads().is_some() {
        let costs = RoadCosts { entry, time: home.mean };
        paths.search_all_roads((graph, Heading::There), &costs, [home.node]);
    } else {
        paths.search(graph, entry, [home.node], None);
    }
}

#[test]
fn repaired_costs_are_those_of_a_new_search() {
    let mut stream = Seed(14).stream();
    let (mut paths, mut repaired, mut known) = (CheapestPaths::default(), 0, 0);
    let (mut near, mut old) = (0, [0, 0]);
    for case in 0..240 {
        let graph = match case % 4 {
            0 => Graph::grid(12, 9),
            1 => Graph::geometric(90, 0.2, Seed(case)),
            2 => Graph::tree(80, 3),
            _ => Graph::circle(70),
        };
        let (mut graph, kind) = (graph.unwrap(), case as usize / 4 % 3);
        let is_by_road = case >= 120;
        if is_by_road {
            graph = by_road(&graph, &mut stream);
        }
        let mut estimates = Estimates::new(graph.len());
        for node in graph.nodes() {
            estimates.push(node, reward(kind, &mut stream));
        }
        let home = stream.below(graph.len() as u64) as NodeId;
        estimates.push(home, 1e10);
        let leader = Leader { node: home, mean: estimates.estimate(home).mean };
        let mut costs = HomeCosts::new(1e-9);
        let (mut log, mut is_current) = (Vec::new(), true);
        for round in 0..30 {
            let at = stream.below(graph.len() as u64) as NodeId;
            let clock = Clock::default();
            let now = Situation { graph: &graph, at, estimates: &estimates, clock: &clock };
            let reach = |straight: f64| [1.0, 1.4, 6.0][case as usize % 3] * straight;
            if round % 10 == 0 {
                let radius = [f64::INFINITY, 2.0][round / 10 % 2];
                costs.search(&now, &leader, &mut paths, (radius, log.len()), reach);
                assert!(radius < f64::INFINITY || costs.of(at) < f64::INFINITY);
                assert!(costs.is_for(&leader));
                is_current = true;
            }
            search_all(&mut paths, &graph, &leader, &estimates);
            for node in graph.nodes().filter(|_| is_current) {
                let cost = paths.cost(node);
                let expected = if cost <= costs.radius() { cost } else { f64::INFINITY };
                assert_eq!(costs.of(node).to_bits(), expected.to_bits(), "{case} {round}");
                known += usize::from(expected < f64::INFINITY);
            }
            let mut visited: Vec<NodeId> = Vec::new();
            for _ in 0..=stream.below(8) {
                visited.push(stream.below(graph.len() as u64) as NodeId);
            }
            visited.retain(|&node| node != home);
            for &node in &visited {
                estimates.push(node, reward(kind, &mut stream));
            }
            repaired += visited.len();
            log.extend(visited);
            costs.doubt(&estimates, &log);
            search_all(&mut paths, &graph, &leader, &estimates);
            for node in graph.nodes() {
                let (least, cost) = (costs.at_least(node), paths.cost(node));
                assert!(least <= cost, "{case} {round}: {least} {cost}");
                near += usize::from(least > 0.9 * cost && cost > 0.0);
                let was = costs.was_at_least(node);
                assert!(was <= cost, "{case} {round}: {was} {cost}");
                old[usize::from(is_by_road)] +=
                    usize::from(costs.of(node) == f64::INFINITY && was > least);
            }
            if stream.below(3) > 0 {
                let share = [0.2, 0.7, f64::INFINITY][stream.below(3) as usize];
                let limit = share * (paths.cost(at) + 1e-9);
                costs.repair(&graph, &estimates, &log, limit);
            }
            is_current = costs.seen == log.len();
        }
    }
    assert!(repaired > 10_000 && known > 100_000, "{repaired} {known}");
    assert!(near > 10_000 && old.iter().all(|&old| old > 1_000), "{near} {old:?}");
}
