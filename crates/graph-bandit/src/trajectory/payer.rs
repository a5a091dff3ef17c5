//! Where rewards come from: a world's tape, or reports.

use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::raised::Raised;

/// Pays for visits, each once and in order.
pub trait Payer {
    /// Pays for the next visit to `node`, which begins at time `at`, into its running totals.
    ///
    /// # Errors
    /// Any error the payer meets; nothing was paid then.
    fn pay_once(&mut self, node: NodeId, at: Time, totals: &mut Estimates) -> Result<f64, Raised>;

    /// Pays for the next `visits`, a node and a number, the first of which begins at time `at`,
    /// into the node's running totals and into `block`.
    ///
    /// # Errors
    /// Any error the payer meets; nothing was paid then.
    fn pay(
        &mut self,
        visits: (NodeId, u64),
        at: Time,
        totals: &mut Estimates,
        block: &mut Sample,
    ) -> Result<(), Raised>;

    /// Initialization is over: moments that count from its end begin now.
    #[inline]
    fn begin(&mut self, now: Time) {
        let _ = now;
    }

    /// Whether the rewards of a block of visits to `node` are a difference of totals instead of a
    /// separate sum. Such differences do not add up to the bit.
    #[inline]
    fn pays_by_totals(&self, node: NodeId) -> bool {
        let _ = node;
        false
    }

    /// Whether it provides travel times. If not, roads take their expected times.
    #[inline]
    fn tells_times(&self) -> bool {
        false
    }

    /// The time beyond the visit of the road to the node that is paid for next, if it provides one;
    /// called once before every drive.
    #[inline]
    fn travel(&mut self, road: (NodeId, NodeId)) -> Option<f64> {
        let _ = road;
        None
    }
}
