//! One run of every agent on every graph of the paper, next to the plain implementation.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use graph_bandit_bench::instances::INSTANCES;
use graph_bandit_bench::plain::PlainAgent;
use graph_bandit_bench::runs::Setting;
use std::hint::black_box;
use std::time::Duration;

fn runs(criterion: &mut Criterion) {
    for agent in PlainAgent::ALL {
        let name = format!("{}-{:?}", agent.name(), agent.preset()).to_lowercase();
        let mut group = criterion.benchmark_group(name);
        group.sample_size(10).warm_up_time(Duration::from_millis(200));
        group.measurement_time(Duration::from_secs(1));
        for instance in &INSTANCES {
            let setting = Setting::new(agent, instance, 1).expect("the instances are worlds");
            group.bench_function(BenchmarkId::new("library", instance.title), |bencher| {
                bencher.iter(|| black_box(setting.library(0)));
            });
            group.bench_function(BenchmarkId::new("plain", instance.title), |bencher| {
                bencher.iter(|| black_box(setting.plain(0)));
            });
        }
        group.finish();
    }
}

criterion_group!(benches, runs);
criterion_main!(benches);
