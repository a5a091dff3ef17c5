//! Planners: which path to take, given how promising the nodes are.

mod bargain;
mod best_neighbor;
mod detours;
mod expedition;
mod fewest_hops;
mod foresight;
mod hunt;
mod patrol;
mod rewards;
mod rivals;
mod scores;
mod shared_future;
mod shortest_path;
mod tournament;
mod travel_aware;
mod trips;
mod value_iteration;
mod way;

pub use bargain::Bargain;
pub use best_neighbor::BestNeighbor;
pub use fewest_hops::FewestHops;
pub use scores::Destinations;
pub use shortest_path::ShortestPath;
pub use travel_aware::{Travel, TravelAware};
pub use value_iteration::{PolicyValues, SweepCap, ValueIteration};

pub(crate) use expedition::{Care, Expedition};
pub(crate) use patrol::{OnWay, Patrol, Prices, Prospects, Purpose};
pub(crate) use shared_future::SharedFuture;
pub(crate) use trips::step_cost;

use crate::agent::{Situation, Visit};
use crate::graph::{Graph, NodeId};
use crate::index::Index;
use crate::random::Stream;
use rewards::Rewards;
use scores::Scores;
use way::Way;

/// Turns scores into a stationary policy for one leg.
pub trait Planner {
    /// Plans from where the agent stands. Scores are pulled from the index, so a planner that looks
    /// at five nodes computes five scores.
    fn plan<I: Index>(&mut self, now: &Situation<'_>, index: &I, stream: &mut Stream);

    /// The next node of the plan after `node`; `node` itself where the plan stays. Defined for
    /// every node on the plan.
    fn next(&self, graph: &Graph, node: NodeId) -> NodeId;

    /// Reports visits to planners that keep more than scratch memory between plans. A planner
    /// serves one graph and one growing record of visits; it notices unreported visits by their
    /// number.
    #[inline]
    fn visited(&mut self, visit: &Visit) {
        let _ = visit;
    }

    /// Some visits no longer count, as when an agent forgets: forgets everything derived from
    /// earlier visits.
    fn forget_visits(&mut self) {}

    /// The graph was replaced, by one with other closed edges or by a renumbered part: forgets
    /// everything kept between plans.
    fn forget_graph(&mut self) {}
}
