//! Worlds from three texts, for tests that need many of them.

use graph_bandit::{GraphSpec, MeansSpec, Preset, RewardSpec, Seed, World};

/// The world of these specs, with neighbours in the preset's order.
pub(crate) fn world(graph: &str, noise: &str, means: &str, preset: Preset, seed: Seed) -> World {
    let spec: GraphSpec = graph.parse().unwrap();
    let mut graph = spec.build(seed).unwrap();
    if preset == Preset::Program {
        graph = graph.with_self_place(spec.program_self_place());
    }
    let means: MeansSpec = means.parse().unwrap();
    let means = means.draw(graph.len(), seed).unwrap();
    let laws = noise.parse::<RewardSpec>().unwrap().laws(&means).unwrap();
    World::new(graph, laws).unwrap()
}
