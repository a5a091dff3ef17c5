//! What regret is measured against: three walkers who know more than an agent can.
//!
//! - *free* is on the best node of every moment and pays nothing for travel;
//! - *planning* knows all means over time and makes the best walk up to each moment;
//! - *causal* knows the present means only and plans as if they lasted.
//!
//! At every moment, free has collected at least as much as planning, and planning at least as much
//! as causal or any other walk. All values are expected rewards of visits that have ended. They are
//! computed before regret counts, from the world and never from the agent, so they only move the
//! zero of regret.

mod causal;
mod means_ahead;
mod planning;
mod planning_bounds;

pub use causal::causal;
pub(crate) use means_ahead::next_change;
pub use planning::planning;

use crate::clock::Time;
use crate::graph::NodeId;
use crate::world::World;
use serde::{Deserialize, Serialize};
use thiserror::Error;

crate::named! {
    /// What regret is measured against.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
    pub enum Against {
        /// At every moment, the best mean; for teams, the best allocation of walkers to nodes.
        ///
        /// Travel takes no time. If means do not change, this is the paper's regret.
        #[default]
        Free = "free",
        /// The best walk of an agent that knows all means over time and pays for travel.
        ///
        /// Exact if roads take whole units of time; otherwise an upper bound of it.
        Planning = "planning",
        /// The walk of an agent that knows only the present means and plans as if they lasted.
        Causal = "causal",
    }
}

/// Where a comparator begins.
#[derive(Debug, Clone, Copy)]
pub struct Beginning<'a> {
    /// The world; its roads must be as mapped.
    pub world: &'a World,
    /// The node where it stands.
    pub at: NodeId,
    /// The moment, as the laws of the world count it.
    pub time: Time,
}

/// A value known from both sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The value is at least this: a walk collects it.
    pub low: f64,
    /// The value is at most this.
    pub high: f64,
}

/// Why a comparator cannot be computed.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ComparatorError {
    /// Roads close, or their times differ from the map.
    #[error(
        "regret against {against} needs roads as mapped, without closures and travel noise; measure \
         it against free"
    )]
    RoadsChange {
        /// The comparator.
        against: Against,
    },
    /// A road takes so long that the values of all earlier moments do not fit into memory.
    #[error(
        "a road takes {time} units of time: the best walk on {nodes} nodes does not fit into \
         memory; measure regret against free or causal, or use a larger unit of time"
    )]
    LongRoad {
        /// The time of the longest road.
        time: f64,
        /// The number of nodes.
        nodes: usize,
    },
    /// Roads take fractions of a unit, and your own law changes between units.
    #[error(
        "regret against planning needs whole road times if your own laws change; round the times, \
         or measure it against free or causal"
    )]
    OwnLawBetweenUnits,
}

/// The value of *free* at each of the `moments`, counted from the beginning in units of time.
pub fn free(from: &Beginning<'_>, moments: &[u64]) -> Vec<f64> {
    let (mut sum, mut unit) = (0.0, 0);
    let mut value_at = |&moment: &u64| {
        while unit < moment {
            sum += from.world.best_mean_at(from.time.after(unit));
            unit += 1;
        }
        sum
    };
    moments.iter().map(&mut value_at).collect()
}

/// The comparator's value at each of the `moments`; an upper bound where it is not known exactly.
///
/// # Errors
/// When it cannot be computed in this world.
pub fn values(
    against: Against,
    from: &Beginning<'_>,
    moments: &[u64],
) -> Result<Vec<f64>, ComparatorError> {
    match against {
        Against::Free => Ok(free(from, moments)),
        Against::Planning => {
            let bounds = planning(from, moments)?;
            Ok(bounds.into_iter().map(|bounds| bounds.high).collect())
        }
        Against::Causal => causal(from, moments),
    }
}

/// Refuses worlds whose roads are not as mapped.
fn check_roads(world: &World, against: Against) -> Result<(), ComparatorError> {
    let roads_change = world.closures().is_some() || world.travel().is_some();
    if roads_change { Err(ComparatorError::RoadsChange { against }) } else { Ok(()) }
}
