//! Why a timetable is not valid.

use crate::graph::NodeId;
use crate::reward::MAX_MAGNITUDE;
use thiserror::Error;

/// Why a timetable could not be built.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TimetableError {
    /// There are no means.
    #[error("there are no means; give at least one row with one mean per node")]
    NoRows,
    /// The first row does not hold from the start.
    #[error(
        "the first row begins at {from:?}; it must begin at 0, the first step after initialization"
    )]
    LateStart {
        /// When it begins.
        from: f64,
    },
    /// A moment is not after the one before.
    #[error(
        "a change at {from:?} follows one at {before:?}; give finite moments in ascending order"
    )]
    OutOfOrder {
        /// The moment.
        from: f64,
        /// The one before.
        before: f64,
    },
    /// A row has another number of means than the first.
    #[error(
        "the row that begins at {from:?} has {means} means for {nodes} nodes; give one per node"
    )]
    WrongLength {
        /// When the row begins.
        from: f64,
        /// How many means it has.
        means: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A change of a node that does not exist.
    #[error("node {node} is outside the timetable; the nodes are 0 to {last}")]
    UnknownNode {
        /// The node.
        node: NodeId,
        /// The highest node number.
        last: NodeId,
    },
    /// A mean is not a number, or too large.
    #[error(
        "the mean of node {node} from {from:?} on is {mean:?}; give a finite number of magnitude at \
         most {MAX_MAGNITUDE:e}"
    )]
    NotFinite {
        /// The node.
        node: NodeId,
        /// From when.
        from: f64,
        /// The mean.
        mean: f64,
    },
    /// A season has no usable period.
    #[error("the period is {period}; give a whole number of steps from 2 to {MAX_PERIOD}")]
    Period {
        /// The period.
        period: u64,
    },
}

/// The longest period of a season, in units of time.
pub(super) const MAX_PERIOD: u64 = 1_000_000;

pub(super) fn check_mean(node: NodeId, from: f64, mean: f64) -> Result<(), TimetableError> {
    // False for NaN, too.
    if mean.abs() <= MAX_MAGNITUDE {
        Ok(())
    } else {
        Err(TimetableError::NotFinite { node, from, mean })
    }
}
