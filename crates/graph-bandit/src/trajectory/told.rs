//! Reported rewards and times.

use super::Payer;
use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::graph::NodeId;
use crate::raised::Raised;

/// The reward of a visit and, if reported, the time of the step there.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paid {
    /// The reward.
    pub reward: f64,
    /// The whole time of the step from one node to the next, including the visit at its end, in
    /// units of one visit: at least 1. The part beyond 1 is the time of the road.
    pub took: Option<f64>,
}

impl From<f64> for Paid {
    fn from(reward: f64) -> Self {
        Self { reward, took: None }
    }
}

/// Reported rewards, in order.
#[derive(Debug, Clone)]
pub struct Told<'a, P = f64>(std::slice::Iter<'a, P>);

impl<'a> Told<'a> {
    /// These rewards, the first for the next visit.
    pub fn new(rewards: &'a [f64]) -> Self {
        Self(rewards.iter())
    }
}

impl<'a, P> Told<'a, P> {
    /// These rewards, the first for the next visit, some with the times of their steps.
    pub fn of(paid: &'a [P]) -> Self {
        Self(paid.iter())
    }
}

impl<P: Copy + Into<Paid>> Payer for Told<'_, P> {
    fn pay_once(&mut self, node: NodeId, _at: Time, totals: &mut Estimates) -> Result<f64, Raised> {
        let unpaid = || Raised::new(format!("no reward was told for the visit to node {node}"));
        let Paid { reward, .. } = self.0.next().copied().ok_or_else(unpaid)?.into();
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

    fn tells_times(&self) -> bool {
        self.0.as_slice().iter().any(|&paid| paid.into().took.is_some())
    }

    fn travel(&mut self, _road: (NodeId, NodeId)) -> Option<f64> {
        let paid: Paid = (*self.0.as_slice().first()?).into();
        paid.took.map(|took| (took - 1.0).max(0.0))
    }
}
