//! The Bayes-optimal agent against plain recursion, values computed by hand, values that others
//! published, and runs.

use graph_bandit::bayes::{BayesError, BayesOptimal, BayesOptimum, BayesProblem, Keep, Seen};
use graph_bandit::{
    AgentSpec, Graph, Init, Law, NodeId, Preset, RegretFrom, Road, RunPlan, Seed, World, run,
};
use std::sync::Arc;

/// More than these problems need.
const MEMORY: u64 = 1 << 30;

fn solve(graph: &Graph, start: NodeId, steps: u64, keep: Keep) -> BayesOptimum {
    BayesProblem::new(graph, start, steps).unwrap().solve(keep, MEMORY, &mut |_| true).unwrap()
}

fn value(graph: &Graph, start: NodeId, steps: u64) -> f64 {
    solve(graph, start, steps, Keep::Values).value()
}

/// Two nodes joined by a road that takes `time` in either direction.
fn pair(time: f64) -> Graph {
    let roads = [(0, 1), (1, 0)].map(|(from, to)| Road { from, to, time });
    Graph::from_roads(2, roads).unwrap()
}

fn triangle() -> Graph {
    Graph::from_edges(3, [(0, 1), (1, 2), (2, 0)]).unwrap()
}

fn line(nodes: u32) -> Graph {
    Graph::line(nodes as usize).unwrap()
}

/// The definition, word for word: the best next visit that ends in time.
fn plain(graph: &Graph, at: NodeId, left: f64, seen: &mut [(u32, u32)]) -> f64 {
    let mut best = 0.0_f64;
    for &to in graph.neighborhood(at) {
        let after = left - 1.0 - graph.travel(at, to).unwrap();
        // Tenths are not exact in binary.
        if after < -1e-9 {
            continue;
        }
        let (ones, zeros) = seen[to as usize];
        let p = f64::from(ones + 1) / f64::from(ones + zeros + 2);
        seen[to as usize] = (ones + 1, zeros);
        let if_paid = 1.0 + plain(graph, to, after.max(0.0), seen);
        seen[to as usize] = (ones, zeros + 1);
        let if_not = plain(graph, to, after.max(0.0), seen);
        seen[to as usize] = (ones, zeros);
        best = best.max(p * if_paid + (1.0 - p) * if_not);
    }
    best
}

#[test]
fn one_and_two_steps_by_hand() {
    for graph in [line(1), line(2), line(3), triangle(), pair(0.0), pair(8.0)] {
        assert_eq!(value(&graph, 0, 1), 0.5);
    }
    // A one is followed by a stay, which pays with probability 2/3; a zero by a move, if one is
    // possible in time: 1/2 against 1/3.
    for graph in [line(2), line(3), triangle(), pair(0.0)] {
        assert!((value(&graph, 0, 2) - (0.5 + 0.5 * (2.0 / 3.0) + 0.5 * 0.5)).abs() < 1e-15);
    }
    assert!((value(&pair(0.5), 0, 2) - 1.0).abs() < 1e-15);
    // With three units, the road of 1 leads somewhere: after a zero, two tries at home pay
    // 1/3 + 1/3, and one try next door pays 1/2.
    let after_one = 2.0 * (2.0 / 3.0);
    let after_zero = 2.0 / 3.0;
    assert!((value(&pair(1.0), 0, 3) - (0.5 + 0.5 * after_one + 0.5 * after_zero)).abs() < 1e-15);
    // Alone, there is nothing to decide: half of all visits pay.
    assert!((value(&line(1), 0, 40) - 20.0).abs() < 1e-12);
}

#[test]
fn the_value_is_that_of_plain_recursion() {
    let one_way = {
        let roads = [(0, 1, 0.0), (1, 2, 1.5), (2, 0, 0.25), (0, 2, 3.0)];
        Graph::from_roads(3, roads.map(|(from, to, time)| Road { from, to, time })).unwrap()
    };
    // Tenths: their sums are not exact in binary.
    let tenths = {
        let roads = [(0, 1, 0.1), (1, 0, 0.7), (1, 2, 0.2), (2, 1, 0.3)];
        Graph::from_roads(3, roads.map(|(from, to, time)| Road { from, to, time })).unwrap()
    };
    let square = Graph::circle(4).unwrap();
    let star = Graph::from_edges(4, [(0, 1), (0, 2), (0, 3)]).unwrap();
    let graphs =
        [line(2), line(3), triangle(), pair(2.0), pair(0.5), one_way, tenths, square, star];
    for (number, graph) in graphs.iter().enumerate() {
        for start in graph.nodes() {
            for steps in 1..=6 {
                let mut nothing = vec![(0, 0); graph.len()];
                let expected = plain(graph, start, steps as f64, &mut nothing);
                let found = value(graph, start, steps);
                assert!((found - expected).abs() < 1e-12, "{number} from {start}, {steps}");
                // The same after some rewards.
                let seen: Vec<(u32, u32)> = graph.nodes().map(|v| (v % 3, 2 - v % 2)).collect();
                let given = seen.iter().map(|&(ones, zeros)| Seen { ones, zeros }).collect();
                let problem = BayesProblem::new(graph, start, steps).unwrap().after(given).unwrap();
                let found = problem.solve(Keep::Values, MEMORY, &mut |_| true).unwrap();
                let expected = plain(graph, start, steps as f64, &mut seen.clone());
                assert!((found.value() - expected).abs() < 1e-12, "{number} after rewards");
                assert_eq!(
                    found.first().iter().map(|choice| choice.value).fold(0.0, f64::max),
                    found.value()
                );
            }
        }
    }
}

/// Computed by other programs.
#[test]
fn values_that_others_found() {
    // Two arms, 60 pulls: the README of github.com/PeterJacko/BinaryBandit.
    assert!((value(&line(2), 0, 60) - 38.562_343_246_635_564).abs() < 1e-11);
    assert!((value(&pair(0.0), 1, 60) - 38.562_343_246_635_564).abs() < 1e-11);
    // Three nodes in a line, ten steps, from any start: recursion with a table, in Python.
    for start in 0..3 {
        let line = solve(&line(3), start, 10, Keep::Values);
        assert!((line.value() - 6.397_347_883_597_884_5).abs() < 1e-12, "{}", line.value());
        assert!((line.regret() - 1.102_652_116_402_115_5).abs() < 1e-12, "{}", line.regret());
    }
}

/// Following the moves earns the value, and moves agree with those of the problem that begins there.
#[test]
fn the_policy_earns_its_value() {
    for (graph, start, steps) in
        [(line(3), 0, 20), (line(3), 1, 20), (triangle(), 2, 20), (pair(2.0), 0, 60)]
    {
        let policy = Arc::new(solve(&graph, start, steps, Keep::All));
        let mut agent = BayesOptimal::new(Arc::clone(&policy));
        let plan = RunPlan {
            start,
            init: Init::None,
            regret_from: RegretFrom::Start,
            ..RunPlan::new(steps, 1)
        };
        let (runs, mut sum, mut squares) = (20_000, 0.0, 0.0);
        for seed in (0..runs).map(Seed) {
            let mut stream = seed.child(77).stream();
            let laws = graph.nodes().map(|_| Law::bernoulli(stream.unit()).unwrap()).collect();
            let world = World::new(graph.clone(), laws).unwrap();
            let record = run(&world, &mut agent, &plan, seed).unwrap();
            // Regret against the best mean of the world: its expectation is the policy's regret.
            let regret = record.checkpoints[0].regret;
            sum += regret;
            squares += regret * regret;
        }
        let mean = sum / runs as f64;
        let error = ((squares / runs as f64 - mean * mean) / runs as f64).sqrt();
        assert!((mean - policy.regret()).abs() < 3.5 * error, "{mean} ± {error}, {policy:?}");
        assert!(error < 0.03 * mean, "{error}");
    }
}

#[test]
fn moves_are_those_of_the_problem_that_begins_there() {
    let graphs = [(line(3), 0), (triangle(), 0), (pair(2.0), 1)];
    for (graph, start) in graphs {
        let steps = 12;
        let policy = solve(&graph, start, steps, Keep::All);
        let mut compared = 0;
        for seed in 0..60 {
            let mut stream = Seed(seed).stream();
            let (mut at, mut travel) = (start, 0.0);
            let mut since = vec![Seen::default(); graph.len()];
            let mut left = steps as f64;
            while left >= 1.0 {
                let next = policy.next(at, travel, &since).unwrap();
                let problem = BayesProblem::new(&graph, at, left as u64).unwrap();
                let problem = problem.after(since.clone()).unwrap();
                let from_here = problem.solve(Keep::Values, MEMORY, &mut |_| true).unwrap();
                assert_eq!(next, from_here.first_move(), "{at} {since:?}");
                compared += 1;
                // A random walk that the policy would not make, so that all states are tried.
                let around = graph.neighborhood(at);
                let to = around[stream.below(around.len() as u64) as usize];
                let time = graph.travel(at, to).unwrap();
                if time + 1.0 > left {
                    break;
                }
                travel += time;
                left -= time + 1.0;
                at = to;
                let seen = &mut since[to as usize];
                if stream.unit() < 0.5 { seen.ones += 1 } else { seen.zeros += 1 }
            }
            assert_eq!(
                policy.next(at, 99.0, &[Seen { ones: 9, zeros: 9 }; 3][..graph.len()]),
                None
            );
        }
        assert!(compared > 200, "{compared}");
    }
}

/// No agent has less regret under the prior; g-star is not far above, a random walk is.
#[test]
fn no_agent_beats_it() {
    let (graph, steps) = (line(3), 30);
    let optimum = solve(&graph, 0, steps, Keep::Values).regret();
    let plan = RunPlan { regret_from: RegretFrom::Start, ..RunPlan::new(steps, 1) };
    let mean = |agent: &str, init: Init| {
        let plan = RunPlan { init, ..plan.clone() };
        let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
        let regret = |seed: Seed| {
            let mut stream = seed.child(78).stream();
            let laws = graph.nodes().map(|_| Law::bernoulli(stream.unit()).unwrap()).collect();
            let world = World::new(graph.clone(), laws).unwrap();
            let mut agent = spec.build(&graph).unwrap();
            run(&world, agent.as_mut(), &plan, seed).unwrap().checkpoints[0].regret
        };
        (0..4_000).map(|seed| regret(Seed(seed))).sum::<f64>() / 4_000.0
    };
    for agent in ["g-ucb", "g-star", "g-ts:rewards=bernoulli", "g-moss", "local-ts", "random"] {
        for init in [Init::Lowest, Init::None] {
            let regret = mean(agent, init);
            assert!(regret > optimum, "{agent}: {regret}, {optimum}");
        }
    }
    assert!(
        mean("g-star", Init::Lowest) < 1.6 * optimum && mean("random", Init::None) > 2.0 * optimum
    );
}

/// More roads help, longer roads hurt, and a step is worth at least a half and less than the best.
#[test]
fn values_grow_with_what_is_possible() {
    let mut last = (0.0, 0.0);
    for steps in 1..=30 {
        let (line, triangle) =
            (solve(&line(3), 0, steps, Keep::Values), value(&triangle(), 0, steps));
        assert!(triangle >= line.value() - 1e-12);
        assert!(steps < 5 || triangle > line.value() + 1e-3);
        assert!(line.value() - last.0 >= 0.5 - 1e-12 && line.value() - last.0 < 0.75);
        assert!(line.regret() > last.1);
        last = (line.value(), line.regret());
        let by_time = [0.0, 0.5, 2.0, 8.0].map(|time| value(&pair(time), 0, steps));
        assert!(by_time.is_sorted_by(|a, b| a >= b), "{by_time:?}");
        assert!(by_time[3] >= 0.5 * steps as f64 - 1e-12);
    }
}

#[test]
fn what_is_too_large_is_refused_with_its_size() {
    let grid: Graph = Graph::grid(10, 10).unwrap();
    assert_eq!(
        BayesProblem::new(&grid, 0, 3).unwrap_err(),
        BayesError::TooManyNodes { nodes: 100 }
    );
    let line = line(3);
    let start = BayesProblem::new(&line, 3, 5).unwrap_err();
    assert_eq!(start.to_string(), "start 3 is outside the graph; the nodes are 0 to 2");
    assert_eq!(BayesProblem::new(&line, 0, 0).unwrap_err(), BayesError::NoSteps);
    let problem = |steps| BayesProblem::new(&line, 0, steps).unwrap();
    // Places reachable in 0 and 1 steps are 1 and 2, then 3; the counts are C(N + 5, 5).
    let size = problem(4).size().unwrap();
    assert_eq!(size.states, f64::from(1 + 2 * 6 + 3 * 21 + 3 * 56));
    assert_eq!(size.bytes, 8 * (3 * 21 + 3 * 56));
    let refused = problem(40).solve(Keep::Values, 1 << 20, &mut |_| true).unwrap_err();
    let told = refused.to_string();
    assert!(told.contains("states need 0.05 GiB") && told.contains("fewer steps"), "{told}");
    let many = problem(100_000).size().unwrap_err();
    assert!(matches!(many, BayesError::TooManyStates { states } if states > 1e27), "{many}");
    assert!(many.to_string().contains("e27 states are too many"), "{many}");
    let road = pair(0.25);
    let many = BayesProblem::new(&road, 0, 100_000).unwrap().size().unwrap_err();
    assert!(many.to_string().starts_with("more than 1e12 states"), "{many}");
    // Kept moves count as well.
    let bytes = problem(30).size().unwrap().bytes;
    assert!(problem(30).solve(Keep::Values, bytes + 9, &mut |_| true).is_ok());
    assert!(problem(30).solve(Keep::All, bytes + 9, &mut |_| true).is_err());
    let seen = vec![Seen { ones: 0, zeros: 10_001 }, Seen::default(), Seen::default()];
    assert!(problem(3).after(seen).unwrap_err().to_string().contains("10001 rewards"));
    assert!(problem(3).after(vec![Seen::default(); 2]).is_err());
    assert_eq!(
        problem(40).solve(Keep::Values, MEMORY, &mut |_| false).unwrap_err(),
        BayesError::Stopped
    );
}

#[test]
fn the_agent_refuses_what_it_was_not_computed_for() {
    let graph = line(2);
    let policy = Arc::new(solve(&graph, 0, 5, Keep::All));
    let attempt = |law: Law, steps| {
        let world = World::new(graph.clone(), vec![law; 2]).unwrap();
        let plan =
            RunPlan { init: Init::None, regret_from: RegretFrom::Start, ..RunPlan::new(steps, 1) };
        run(&world, &mut BayesOptimal::new(Arc::clone(&policy)), &plan, Seed(1))
    };
    assert!(attempt(Law::bernoulli(0.5).unwrap(), 5).is_ok());
    let later = attempt(Law::bernoulli(0.5).unwrap(), 6).unwrap_err().to_string();
    assert!(later.contains("computed for 5 units of time from node 0"), "{later}");
    let half = attempt(Law::constant(0.5).unwrap(), 5).unwrap_err().to_string();
    assert!(half.contains("paid 0.5 in 1 visits"), "{half}");
}
