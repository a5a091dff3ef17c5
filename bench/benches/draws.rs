//! Rewards of one node: a leg's worth at once, and one by one.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use graph_bandit::{Estimates, Graph, Law, NodeId, Payer, Sample, Seed, Tape, Time, World};
use std::hint::black_box;

const VISITS: u64 = 20_000;
const NODE: NodeId = 0;

fn draws(criterion: &mut Criterion) {
    let laws = [
        ("uniform", Law::uniform(1.0, 2.0)),
        ("bernoulli", Law::bernoulli(0.3)),
        ("gaussian", Law::gaussian(1.0, 0.5)),
        ("beta", Law::beta(2.0, 3.0)),
    ];
    let tape = Tape::new(Seed(1));
    for (name, law) in laws {
        let law = law.expect("the law exists");
        let graph = Graph::line(1).expect("a line of one node");
        let world = World::new(graph, vec![law.clone()]).expect("one law per node");
        let mut group = criterion.benchmark_group(name);
        group.sample_size(20).throughput(Throughput::Elements(VISITS));
        group.bench_function("a leg", |bencher| {
            bencher.iter(|| {
                let mut estimates = Estimates::new(1);
                let mut block = Sample::default();
                let paid = world.on_tape(&tape).pay(
                    (NODE, VISITS),
                    Time::START,
                    &mut estimates,
                    &mut block,
                );
                paid.expect("laws of the library cannot fail");
                black_box((estimates, block))
            });
        });
        group.bench_function("one by one", |bencher| {
            bencher.iter(|| {
                let draw = |k| law.draw(tape.node(NODE), k, Time::START);
                (0..VISITS).map(draw).sum::<Result<f64, _>>()
            });
        });
        group.finish();
    }
}

criterion_group!(benches, draws);
criterion_main!(benches);
