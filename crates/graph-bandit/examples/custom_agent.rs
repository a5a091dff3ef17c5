//! An agent of your own.

use graph_bandit::{
    Agent, GraphSpec, Law, Leg, Raised, RunPlan, Seed, Situation, Stream, World, run,
};

/// Walks at random for a while, then to the best neighbour seen so far.
struct ExploreThenClimb;

impl Agent for ExploreThenClimb {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        let around = now.graph.neighborhood(now.at);
        let at_random = around[stream.below(around.len() as u64) as usize];
        let mean = |&node: &u32| now.estimates.sample(node).mean();
        let best = around.iter().copied().max_by(|a, b| mean(a).total_cmp(&mean(b)));
        let explore = now.estimates.visits() < 500;
        leg.visit_once(now.at, if explore { at_random } else { best.unwrap_or(now.at) });
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let graph = "circle:20".parse::<GraphSpec>()?.build(Seed(0))?;
    let laws =
        graph.nodes().map(|s| Law::bernoulli(f64::from(s) / 20.0)).collect::<Result<_, _>>()?;
    let world = World::new(graph, laws)?;
    let record = run(&world, &mut ExploreThenClimb, &RunPlan::new(2_000, 4), Seed(3))?;
    println!("regret {:.1} after 2,000 steps", record.checkpoints[3].regret);
    Ok(())
}
