//! How regret is added up: from counts where means stand still, over blocks of time where they move.

use crate::clock::Time;
use crate::estimates::Sample;
use crate::graph::NodeId;
use crate::reward::Course;
use crate::world::World;

/// What the best node would have paid, and by how much the nodes visited fell short of it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Account {
    /// Expected rewards of always being on the best node of the moment.
    pub(super) best: f64,
    /// What the visits made were expected to fall short of that.
    pub(super) regret: f64,
}

/// Keeps the account of one window; which kind is chosen once per run.
#[derive(Debug, Clone, Copy)]
pub(super) enum Accounting {
    /// Means stand still: all is computed from visit counts when somebody looks.
    Counts,
    /// Means move: every block of visits is entered as it is made.
    Blocks(Account),
}

impl Accounting {
    pub(super) fn of(world: &World) -> Self {
        match world.course() {
            Course::Constant => Self::Counts,
            Course::Changing => Self::Blocks(Account::default()),
        }
    }

    /// So many visits were made to `node`, the last of which ends at `now`.
    #[inline]
    pub(super) fn enter(&mut self, world: &World, (node, visits): (NodeId, u64), now: Time) {
        if let Self::Blocks(account) = self {
            enter_block(account, world, (node, visits), now);
        }
    }

    /// The account after `t` visits of the window, in which nodes were visited as `counts` says.
    pub(super) fn look(&self, world: &World, t: u64, counts: impl Iterator<Item = u64>) -> Account {
        match self {
            Self::Counts => {
                let visits = counts.zip(world.gaps());
                let regret = visits.fold(0.0, |sum, (count, gap)| sum + gap * count as f64);
                Account { best: t as f64 * world.best_mean(), regret }
            }
            Self::Blocks(account) => *account,
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

/// What visits cost that were made before the window, as the means are at the start.
pub(super) fn regret_of(samples: &[Sample], world: &World) -> f64 {
    samples.iter().zip(world.gaps()).map(|(sample, gap)| gap * sample.n()).sum()
}
