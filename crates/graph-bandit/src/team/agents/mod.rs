//! Agents that lead teams: one file each.

mod cover;
mod drift;
mod entries;
mod independent;
mod multi_g_ucb;
mod nearest;
mod star;

pub use cover::Marks;
pub(crate) use drift::{DriftParameters, TeamDrift};
pub(crate) use entries::BUILT_IN;
pub use independent::Independent;
pub use multi_g_ucb::{Departure, Hops, MultiGUcb, MultiParameters, Prices, Refresh, Until};
pub use star::{StarParameters, TeamStar};
