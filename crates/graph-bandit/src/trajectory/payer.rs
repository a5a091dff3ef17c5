//! Where rewards come from: a world's tape, or whoever reports them.

use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::raised::Raised;

/// Pays for visits, each once and in order.
pub trait Payer {
    /// Pays for the next visit to `node`, which begins at time `at`, into its running totals.
    ///
    /// # Errors
    /// Whatever goes wrong; nothing was paid then.
    fn pay_once(&mut self, node: NodeId, at: Time, totals: &mut Estimates) -> Result<f64, Raised>;

    /// Pays for the next visits to a node, so many, the first of which begins at time `at`: into the
    /// running totals of the node and into `block`.
    ///
    /// # Errors
    /// Whatever goes wrong; nothing was paid then.
    fn pay(
        &mut self,
        visits: (NodeId, u64),
        at: Time,
        totals: &mut Estimates,
        block: &mut Sample,
    ) -> Result<(), Raised>;

    /// Whether what a block of visits to `node` paid is the difference of the totals, not a sum of
    /// its own. Such differences do not add up to the bit.
    #[inline]
    fn pays_by_totals(&self, node: NodeId) -> bool {
        let _ = node;
        false
    }

    /// Whether it says how long roads take. Where it does not, they take what they are expected to.
    #[inline]
    fn tells_times(&self) -> bool {
        false
    }

    /// How long the road to the node that is paid for next takes beyond the visit, if it says so; asked before every
    /// drive, once.
    #[inline]
    fn travel(&mut self, road: (NodeId, NodeId)) -> Option<f64> {
        let _ = road;
        None
    }
}
