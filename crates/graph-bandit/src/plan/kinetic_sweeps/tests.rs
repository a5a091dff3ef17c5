//! Event by event compared to sweep by sweep.

use super::*;
use crate::graph::{SelfPlace, SmallWorld};
use crate::plan::sweeps::tests::literal;
use crate::plan::{best_neighbor, shortest_path, value_iteration};
use crate::random::{Seed, Stream};

/// Small graphs of every family, with the node itself listed at every position.
pub(crate) fn graphs(stream: &mut Stream, rounds: usize) -> Vec<Graph> {
    let mut graphs = Vec::new();
    for _ in 0..rounds {
        let mut size = |least: u64, most: u64| (least + stream.below(most - least + 1)) as usize;
        let small_world = SmallWorld { nodes: size(6, 30), neighbors: 4, rewiring: 0.25 };
        let mut round = vec![
            Graph::line(size(2, 40)),
            Graph::circle(size(3, 40)),
            Graph::star(size(2, 30)),
            Graph::tree(size(2, 40), size(2, 3)),
            Graph::grid(size(1, 6), size(2, 6)),
            Graph::complete(size(2, 12)),
            Graph::broom(size(8, 30), size(2, 6)),
            Graph::barbell(size(3, 6), size(1, 10)),
        ];
        let seed = Seed(stream.bits());
        round.push(Graph::erdos_renyi(15, 0.3, seed));
        round.push(Graph::geometric(30, 0.4, seed));
        round.push(Graph::small_world(small_world, seed));
        for graph in round {
            let place = [SelfPlace::Ascending, SelfPlace::First, SelfPlace::Last];
            graphs.push(graph.unwrap().with_self_place(place[stream.below(3) as usize]));
        }
    }
    graphs
}

pub(crate) fn real_means(stream: &mut Stream, nodes: usize) -> Vec<f64> {
    (0..nodes).map(|_| 0.5 + 9.0 * stream.unit()).collect()
}

/// Asserts that plan and literal sweeps agree on the number of sweeps and both policies; returns
/// the values of the literal sweeps and their last change.
fn assert_same_plan(graph: &Graph, means: &[f64], tolerance: f64) -> (Vec<f64>, (f64, f64)) {
    let (sweeps, change, [values, previous]) = literal(graph, means, tolerance, u64::MAX);
    let mut kinetic = KineticSweeps::default();
    assert_eq!(kinetic.run(graph, means, tolerance), sweeps, "{means:?} {tolerance}");
    for s in graph.nodes() {
        let last = best_neighbor(graph, s, |v| -kinetic.last_loss(v));
        assert_eq!(last, best_neighbor(graph, s, |v| values[v as usize]));
        let before = best_neighbor(graph, s, |v| -kinetic.previous_loss(v));
        assert_eq!(before, best_neighbor(graph, s, |v| previous[v as usize]));
    }
    (values, change)
}

#[test]
fn equal_to_plain_sweeps_if_those_do_not_round() {
    let mut stream = Seed(2).stream();
    for graph in graphs(&mut stream, 400) {
        // Few levels make many ties; sixteenths and these tolerances add up without rounding.
        let levels = [2, 5, 40, 160][stream.below(4) as usize];
        let means: Vec<f64> = graph.nodes().map(|_| stream.below(levels) as f64 / 16.0).collect();
        let tolerance = libm::scalbn(1.0, 2 - stream.below(10) as i32);
        let (values, change) = assert_same_plan(&graph, &means, tolerance);
        let plan = value_iteration(&graph, &means, tolerance).unwrap();
        assert_eq!((plan.values, plan.average_reward), (values, change));
    }
}

#[test]
fn same_sweeps_and_policy_as_plain_sweeps_on_any_means() {
    let mut stream = Seed(3).stream();
    for graph in graphs(&mut stream, 100) {
        let means = real_means(&mut stream, graph.len());
        let tolerance = 0.5 * stream.unit() * stream.unit();
        let (values, (lowest, highest)) = assert_same_plan(&graph, &means, tolerance);
        let plan = value_iteration(&graph, &means, tolerance).unwrap();
        let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * plan.sweeps as f64 * 10.0;
        assert!(values.iter().zip(&plan.values).all(|(&a, &b)| close(a, b)));
        assert!(close(plan.average_reward.0, lowest) && close(plan.average_reward.1, highest));
    }
}

#[test]
fn memory_is_reused_without_a_trace() {
    let mut stream = Seed(4).stream();
    let mut kinetic = KineticSweeps::default();
    for graph in graphs(&mut stream, 10) {
        let means = real_means(&mut stream, graph.len());
        let plan = value_iteration(&graph, &means, 0.01).unwrap();
        assert_eq!(kinetic.run(&graph, &means, 0.01), plan.sweeps);
        assert_eq!((kinetic.values(), kinetic.change()), (plan.values, plan.average_reward));
    }
}

#[test]
fn one_sweep_if_there_is_nothing_to_gain() {
    let one = Graph::from_edges(1, []).unwrap();
    let pair = Graph::line(2).unwrap();
    let line = Graph::line(9).unwrap();
    for (graph, means, tolerance) in [
        (&one, vec![-3.5], 1e-300),
        (&pair, vec![0.25; 2], f64::MIN_POSITIVE),
        (&line, vec![1e300; 9], 1.0),
        (&line, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], 8.5),
        (&line, vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], f64::INFINITY),
    ] {
        assert_same_plan(graph, &means, tolerance);
        let plan = value_iteration(graph, &means, tolerance).unwrap();
        assert_eq!((plan.sweeps, plan.values), (1, means));
    }
}

#[test]
fn ends_for_any_tolerance_and_any_scale() {
    let mut stream = Seed(5).stream();
    let line = Graph::line(50).unwrap();
    for scale in [1e-300, 1e-12, 1.0, 1e200] {
        let means: Vec<f64> = line.nodes().map(|_| scale * stream.unit()).collect();
        let fine = value_iteration(&line, &means, f64::MIN_POSITIVE * f64::EPSILON).unwrap();
        let (shortest, _) = shortest_path(&line, &means);
        assert_eq!(
            fine.policy, shortest,
            "without loss in the long run, the cheapest path to the best"
        );
        assert_eq!(fine.average_reward.0, fine.average_reward.1);
    }
    // A gap e of one rounding error: i e first exceeds e + 1, the detour, at i = 1/e + 2.
    let means = [1.0, 0.0, 1.0 - f64::EPSILON / 2.0];
    let line = Graph::line(3).unwrap();
    let plan = value_iteration(&line, &means, 1e-30).unwrap();
    assert_eq!(plan.sweeps, (1 << 53) + 2);
    assert_eq!(plan.policy.path(2), [1, 0]);
    // This would need 10^300 sweeps; negligible losses are rounded away.
    let plan = value_iteration(&line, &[0.0, -1.0, -1e-300], 1e-301).unwrap();
    assert!(plan.sweeps < 10);
}
