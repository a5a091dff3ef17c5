//! Schedules: how far to follow a plan, and how long to stay, before planning again.

mod amortized;
mod arrival;
mod double_anywhere;
mod double_at_destination;
mod every_visit;

pub use amortized::Amortized;
pub use arrival::Arrival;
pub use double_anywhere::{Counting, DoubleAnywhere};
pub use double_at_destination::{DoubleAtDestination, Doubling};
pub use every_visit::EveryVisit;

use crate::agent::Situation;
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::planner::Planner;

/// Turns a plan into a leg.
pub trait Schedule {
    /// Fills in the empty `leg` with at least one visit along the plan.
    fn commit<P: Planner>(&mut self, now: &Situation<'_>, planner: &P, leg: &mut Leg);
}

/// Appends the plan's walk to `path` and returns where it ends.
fn follow<P: Planner>(now: &Situation<'_>, planner: &P, path: &mut Vec<NodeId>) -> NodeId {
    let mut node = now.at;
    loop {
        let next = planner.next(now.graph, node);
        if next == node {
            return node;
        }
        path.push(next);
        node = next;
    }
}
