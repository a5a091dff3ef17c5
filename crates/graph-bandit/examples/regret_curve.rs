//! From a graph to a regret curve.

use graph_bandit::{AgentSpec, GraphSpec, Preset, RewardSpec, RunPlan, Seed, World, run};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = "grid:10x10".parse::<GraphSpec>()?.build(Seed(0))?;
    let means: Vec<f64> = graph.nodes().map(|s| f64::from(s % 37) / 4.0).collect();
    let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
    let world = World::new(graph, laws)?;
    let mut agent = AgentSpec::parse("g-star", Preset::Paper)?.build(world.graph())?;
    let record = run(&world, agent.as_mut(), &RunPlan::new(20_000, 10), Seed(7))?;
    for point in &record.checkpoints {
        println!("{:6} steps: regret {:7.1}", point.t, point.regret);
    }
    Ok(())
}
