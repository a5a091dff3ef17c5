//! Ask where to go, then tell what the visit paid.

use graph_bandit::{AgentSpec, AskTell, GraphSpec, Preset, Seed, SessionPlan};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = "arkansas".parse::<GraphSpec>()?.build(Seed(0))?;
    let agent = AgentSpec::parse("g-star", Preset::Paper)?.build(&graph)?;
    let mut session = AskTell::new(graph, agent, SessionPlan::default())?;
    for _ in 0..1_000 {
        let node = session.ask()?.node;
        session.tell(node, measure_traffic(node))?;
    }
    println!("the robot stands on node {}", session.at());
    Ok(())
}

/// Stands for the real world.
fn measure_traffic(node: u32) -> f64 {
    0.5 + f64::from(node % 4)
}
