//! How regret is summed: from counts if means are constant, over blocks of time if they change.

use crate::clock::Time;
use crate::estimates::Sample;
use crate::graph::NodeId;
use crate::reward::Course;
use crate::world::World;

/// The best node's expected rewards, and the shortfall of the visits made.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Account {
    /// The expected rewards of always being on the currently best node.
    pub(super) best: f64,
    /// The expected shortfall of the visits made.
    pub(super) regret: f64,
}

/// The account of one window; the kind is chosen once per run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Accounting {
    /// Means are constant: everything is computed from visit counts on demand.
    Counts,
    /// Means change: every block of visits is entered as it is made. Moments of the laws begin at
    /// the origin.
    Blocks { account: Account, origin: Time },
}

impl Accounting {
    pub(super) fn of(world: &World, origin: Time) -> Self {
        match world.course() {
            Course::Constant => Self::Counts,
            Course::Changing => Self::Blocks { account: Account::default(), origin },
        }
    }

    /// Records visits to `node`, the last of which ends at `now`.
    #[inline]
    pub(super) fn enter(&mut self, world: &World, (node, visits): (NodeId, u64), now: Time) {
        if let Self::Blocks { account, origin } = self {
            enter_block(account, world, (node, visits), Time(now.0 - origin.0));
        }
    }

    /// The account after `t` visits of the window with these `counts`.
    pub(super) fn look(&self, world: &World, t: u64, counts: impl Iterator<Item = u64>) -> Account {
        match self {
            Self::Counts => {
                let visits = counts.zip(world.gaps());
                let regret = visits.fold(0.0, |sum, (count, gap)| sum + gap * count as f64);
                Account { best: t as f64 * world.best_mean(), regret }
            }
            Self::Blocks { account, .. } => *account,
        }
    }
}

#[cold]
fn enter_block(account: &mut Account, world: &World, (node, visits): (NodeId, u64), now: Time) {
    for back in (1..=visits).rev() {
        let (gap, best) = world.gap_and_best_at(node, Time(now.0 - back as f64));
        account.regret += gap;
        account.best += best;
    }
}

/// The cost of visits before the window, with the means at the start.
pub(super) fn regret_of(samples: &[Sample], world: &World) -> f64 {
    samples.iter().zip(world.gaps()).map(|(sample, gap)| gap * sample.n()).sum()
}
