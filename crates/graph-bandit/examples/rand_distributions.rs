//! Draw from `rand` distributions with our streams, and take seeds from a `rand` generator.

use graph_bandit::{AgentSpec, GraphSpec, Preset, RewardSpec, RunPlan, Seed, World, run};
use rand::distr::{Distribution, Uniform};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = "grid:4x4".parse::<GraphSpec>()?.build(Seed(0))?;
    let stream = Seed(1).stream();
    let means: Vec<f64> = Uniform::new(2.0, 6.0)?.sample_iter(stream).take(graph.len()).collect();
    let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
    let world = World::new(graph, laws)?;
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(2);
    for _ in 0..3 {
        let mut agent = AgentSpec::parse("g-star", Preset::Paper)?.build(world.graph())?;
        let seed = Seed(generator.random());
        let record = run(&world, agent.as_mut(), &RunPlan::new(2_000, 1), seed)?;
        println!("seed {:20}: regret {:5.1}", seed.0, record.checkpoints[0].regret);
    }
    Ok(())
}
