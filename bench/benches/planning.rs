//! Cheapest paths on large graphs, petgraph beside the library.

use criterion::{Criterion, criterion_group, criterion_main};
use graph_bandit::plan::{CheapestPath, CheapestPaths};
use graph_bandit_bench::plain::{adjacency_lists, dijkstra};
use graph_bandit_bench::planning::{Petgraph, Problem};
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
    let mut paths = CheapestPaths::default();
    group.bench_function("policy/library", |bencher| {
        bencher.iter(|| problem.policy(&mut paths));
    });
    let near = adjacency_lists(&problem.graph);
    group.bench_function("policy/plain", |bencher| {
        bencher.iter(|| black_box(dijkstra(&near, &problem.costs, &[problem.target])));
    });
    let petgraph = Petgraph::of(problem);
    let (all, one) = (petgraph.faster_for_all(problem), petgraph.faster_for_one(problem));
    group.bench_function("policy/petgraph", |bencher| {
        bencher.iter(|| black_box(petgraph.all(problem, all)));
    });
    let (mut path, mut round) = (CheapestPath::default(), 0);
    group.bench_function("path/library", |bencher| {
        bencher.iter(|| {
            round += 1;
            black_box(problem.path(&mut path, round))
        });
    });
    group.bench_function("path/petgraph", |bencher| {
        bencher.iter(|| {
            round += 1;
            black_box(petgraph.one(problem, problem.start(round), one))
        });
    });
    group.finish();
}

criterion_group!(benches, planning);
criterion_main!(benches);
