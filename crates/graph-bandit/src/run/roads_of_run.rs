//! The true state of the roads of one run, for callers that walk a world without a
//! [`Run`](super::Run).

use super::reach::Reach;
use crate::clock::Time;
use crate::closures::RoadStates;
use crate::field::Edge;
use crate::graph::NodeId;
use crate::random::Seed;
use crate::world::World;
use std::borrow::Borrow;

/// Which roads of a world are closed at a moment of a run, and the best node within reach.
///
/// ```
/// use graph_bandit::run::RoadsOfRun;
/// use graph_bandit::{ClosureRates, Closures, Graph, Law, Seed, Time, World};
/// let world = World::new(Graph::line(3)?, vec![Law::constant(1.0)?; 3])?;
/// let world = world.with_closures(Closures::All(ClosureRates::new(0.5, 0.5)?))?;
/// let mut roads = RoadsOfRun::new(&world, Seed(3));
/// let at = Time(7.0);
/// assert_eq!(roads.is_closed((0, 1), at), world.is_closed(Seed(3), (0, 1), at));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct RoadsOfRun<W> {
    world: W,
    states: Option<RoadStates>,
    reach: Option<Reach<W>>,
}

impl<W: Borrow<World> + Clone> RoadsOfRun<W> {
    /// The roads of the run of this seed.
    pub fn new(world: W, run: Seed) -> Self {
        let states = {
            let there = world.borrow();
            there.closures().map(|all| RoadStates::new(there.graph(), all, run))
        };
        let reach = states.clone().map(|states| Reach::new(world.clone(), states));
        Self { world, states, reach }
    }

    /// Whether roads close at random.
    pub fn close(&self) -> bool {
        self.states.is_some()
    }

    /// Whether the road from one node to another is closed. Moments must not decrease between
    /// calls.
    pub fn is_closed(&mut self, (from, to): Edge, at: Time) -> bool {
        let Some(states) = &mut self.states else { return false };
        let entry = self.world.borrow().graph().entry(from, to);
        entry.is_some_and(|entry| states.is_closed(entry, at))
    }

    /// The benchmark for regret: the highest mean within reach of `place`, or of all nodes if no
    /// road closes. Moments must not decrease between calls.
    pub fn best_mean(&mut self, place: NodeId, at: Time) -> f64 {
        match &mut self.reach {
            Some(reach) => reach.best_mean(place, at, Time::START),
            None => self.world.borrow().best_mean_at(at),
        }
    }
}
