//! Planning for teams whose nodes' values are known: where to be, who goes where, and on which way.

mod allocation;
mod apart;
mod assignment;
mod confined;
mod dearest_walks;
mod joint;
mod meeting;
mod ranking;
mod ranks;
mod search;
mod time_flow;
mod transition;
mod ways;

pub use allocation::{Allocation, AllocationError, Allocator, Limits, Seats, best_allocation};
pub use apart::{ApartError, ApartPlan, ApartProblem};
pub use assignment::{Matching, MatchingError, Seated, Seating};
pub use confined::{ConfinedSeats, confined_seats};
pub use joint::{JointError, JointPlan, JointProblem};
pub(crate) use ranking::Ranking;
pub(crate) use search::suits as is_small_and_dense;
pub use transition::{SpMatching, Transition, TransitionError, WayRules};
