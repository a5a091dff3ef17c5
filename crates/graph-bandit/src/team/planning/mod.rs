//! Planning for teams whose nodes' values are known: where to be, who goes where, and on which way.

mod allocation;
mod assignment;
mod transition;
mod ways;

pub use allocation::{Allocation, AllocationError, Allocator, Limits, Seats, best_allocation};
pub use assignment::{Matching, MatchingError, Seated, Seating};
pub use transition::{SpMatching, Transition, TransitionError, WayRules};
