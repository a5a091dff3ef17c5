//! Cheapest paths on large graphs, the library next to petgraph.

use criterion::{Criterion, criterion_group, criterion_main};
use graph_bandit::plan::{CheapestPath, CheapestPaths};
use graph_bandit_bench::plain::{adjacency_lists, dijkstra};
use graph_bandit_bench::planning::{Petgraph, Problem, Task};
use std::hint::black_box;
use std::time::Duration;

fn planning(criterion: &mut Criterion) {
    for nodes in [1_000, 10_000, 100_000] {
        for problem in [Problem::grid(nodes), Problem::geometric(nodes)] {
            one_problem(criterion, &problem.expect("the graph exists"));
        }
    }
}

fn one_problem(criterion: &mut Criterion, problem: &Problem) {
    let mut group = criterion.benchmark_group(&problem.name);
    group.sample_size(10).warm_up_time(Duration::from_millis(200));
    group.measurement_time(Duration::from_secs(1));
    let (mut paths, mut round) = (CheapestPaths::default(), 0);
    group.bench_function("policy/library", |bencher| {
        bencher.iter(|| {
            round += 1;
            problem.policy(&mut paths, round);
        });
    });
    let near = adjacency_lists(&problem.graph);
    group.bench_function("policy/plain", |bencher| {
        bencher.iter(|| {
            round += 1;
            let Task { costs, target, .. } = problem.task(round);
            black_box(dijkstra(&near, costs, &[*target]))
        });
    });
    let petgraph = Petgraph::of(problem);
    let (all, one) = (petgraph.faster_for_all(problem), petgraph.faster_for_one(problem));
    group.bench_function("policy/petgraph", |bencher| {
        bencher.iter(|| {
            round += 1;
            black_box(petgraph.all(problem, round, all))
        });
    });
    let mut path = CheapestPath::default();
    group.bench_function("path/library", |bencher| {
        bencher.iter(|| {
            round += 1;
            black_box(problem.path(&mut path, round))
        });
    });
    group.bench_function("path/petgraph", |bencher| {
        bencher.iter(|| {
            round += 1;
            black_box(petgraph.one(problem, round, one))
        });
    });
    group.finish();
}

criterion_group!(benches, planning);
criterion_main!(benches);
