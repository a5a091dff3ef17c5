//! Teams: the executor, Multi-G-UCB against a plain transcription, and g-star.

mod alone;
mod drift;
mod executor;
mod golden;
mod joining;
mod literal;
mod negative;
mod session;
mod star;

use graph_bandit::team::planning::{Seats, best_allocation};
use graph_bandit::team::{Draws, Member, Sharing, TeamAgent, TeamRun, TeamRunPlan, TeamSetup};
use graph_bandit::{
    Graph, GraphSpec, Law, MeansSpec, NodeId, RegretFrom, RunRecord, Seed, TapeKind, World,
};
use std::sync::Arc;

/// A world with means from 0.25 to 0.75 and Gaussian noise.
fn world(graph: &str, deviation: f64, seed: Seed) -> World {
    let graph = graph.parse::<GraphSpec>().unwrap().build(Seed(5)).unwrap();
    world_on(graph, deviation, seed)
}

fn world_on(graph: Graph, deviation: f64, seed: Seed) -> World {
    let means: MeansSpec = "uniform:0.25,0.75".parse().unwrap();
    let means = means.draw(graph.len(), seed).unwrap();
    let law = |mean: &f64| Law::gaussian(*mean, deviation).unwrap();
    World::new(graph, means.iter().map(law).collect()).unwrap()
}

/// Walkers on nodes drawn from the seed.
fn members(world: &World, walkers: usize, seed: Seed) -> Vec<Member> {
    let mut stream = seed.child(17).stream();
    let nodes = world.graph().len() as u64;
    (0..walkers).map(|_| Member::at(stream.below(nodes) as NodeId)).collect()
}

fn equal(members: Vec<Member>) -> TeamSetup {
    let sharing = Arc::new(Sharing::equal(members.len()));
    TeamSetup { members, sharing, draws: Draws::One, seats: None }
}

/// The plan of a run that counts from the start.
fn plan(world: &World, setup: &TeamSetup, steps: u64) -> TeamRunPlan {
    let best = best_allocation(&setup.sharing, world.means(), Seats::Unlimited).unwrap();
    TeamRunPlan {
        steps,
        checkpoints: vec![steps / 3, steps],
        regret_from: RegretFrom::Start,
        tape: TapeKind::OneByOne,
        optimum: best.value,
        against: None,
    }
}

fn walk(
    world: &World,
    agent: Box<dyn TeamAgent + Send>,
    setup: &TeamSetup,
    (steps, seed): (u64, Seed),
) -> RunRecord {
    let plan = plan(world, setup, steps);
    let mut run = TeamRun::new(world, agent, (setup.clone(), &plan), seed).unwrap();
    run.walk_until(&[]).unwrap();
    run.into_record()
}
