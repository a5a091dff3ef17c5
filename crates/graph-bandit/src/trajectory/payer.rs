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
}

/// Rewards that somebody reports, in order.
///
#[derive(Debug, Clone)]
pub struct Told<'a>(std::slice::Iter<'a, f64>);

impl<'a> Told<'a> {
    /// These rewards, the first for the next visit.
    pub fn new(rewards: &'a [f64]) -> Self {
        Self(rewards.iter())
    }
}

impl Payer for Told<'_> {
    fn pay_once(&mut self, node: NodeId, _at: Time, totals: &mut Estimates) -> Result<f64, Raised> {
        let unpaid = || Raised::new(format!("no reward was told for the visit to node {node}"));
        let reward = self.0.next().copied().ok_or_else(unpaid)?;
        totals.push(node, reward);
        Ok(reward)
    }

    fn pay(
        &mut self,
        (node, times): (NodeId, u64),
        at: Time,
        totals: &mut Estimates,
        block: &mut Sample,
    ) -> Result<(), Raised> {
        for _ in 0..times {
            block.push(self.pay_once(node, at, totals)?);
        }
        Ok(())
    }
}
