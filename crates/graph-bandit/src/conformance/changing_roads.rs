//! Roads that close at random and whose times differ from the map.

use super::scene::{SEED, Scene, after, ordered, same};
use super::{Build, Verdict};
use crate::ask_tell::AskTell;
use crate::closures::{ClosureRates, Closures};
use crate::random::Seed;
use crate::run::{RunPlan, run};
use crate::trajectory::Paid;
use crate::travel::Travel;

const STEPS: u64 = 150;

/// A run on roads that close and reopen and take a different time on every drive.
pub(super) fn run_through(scene: &Scene, build: Build<'_>) -> Verdict {
    let wrong = |error: &dyn std::fmt::Display| format!("on roads that close at random: {error}");
    let rates = ClosureRates::new(0.05, 0.2).map_err(|error| wrong(&error))?;
    let travel = Travel::noisy(0.5).map_err(|error| wrong(&error))?;
    let world = scene.world.clone().with_closures(Closures::All(rates));
    let world = world.and_then(|world| world.with_travel(travel)).map_err(|error| wrong(&error))?;
    let plan = RunPlan { start: scene.start(), init: scene.init, ..RunPlan::new(STEPS, 1) };
    let mut agent = build(world.graph());
    run(&world, agent.as_mut(), &plan, SEED).map(drop).map_err(|error| wrong(&error))
}

/// Every step took more or less time than expected; a fresh agent with the same knowledge orders
/// the same.
pub(super) fn times(scene: &Scene, build: Build<'_>) -> Verdict {
    let graph = scene.world.graph();
    if graph.roads().is_none() {
        // An agent may refuse when roads that took no time start to take some.
        return Ok(());
    }
    let mut session = scene.session(build)?;
    let mut whim = Seed(7).stream();
    for step in 0..STEPS {
        let fresh = AskTell::resume(scene.world.shared_graph(), build(graph), session.state());
        let mut fresh = fresh.map_err(|error| after(step, &error))?;
        let order = ordered(&mut session)?;
        same(step, "the order when road times differ from the map", &order, &ordered(&mut fresh)?)?;
        let paid =
            Paid { reward: scene.pay(&session, order.node)?, took: Some(1.0 + 4.0 * whim.unit()) };
        session.tell(order.node, paid).map_err(|error| after(step, &error))?;
    }
    Ok(())
}
