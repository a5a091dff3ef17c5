//! Who watches a team: every plan and every step.

use super::agent::TeamSituation;
use crate::agent::Hearing;
use crate::estimates::Sample;

/// Observes a team from its first plan on.
pub trait TeamObserver {
    /// The walkers `now.idle` have new legs, which `now.posts` shows.
    fn planned(&mut self, now: &TeamSituation<'_>);

    /// Everybody made one step. `seen` has for each walker the draw of its node, or none if it is
    /// on a road; `now` is the situation after the step.
    fn stepped(&mut self, now: &TeamSituation<'_>, seen: &[Sample]);

    /// Whether it must see every step. With [`Hearing::Blocks`], it hears of plans only.
    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

/// Observes nothing.
impl TeamObserver for () {
    #[inline]
    fn planned(&mut self, _now: &TeamSituation<'_>) {}

    #[inline]
    fn stepped(&mut self, _now: &TeamSituation<'_>, _seen: &[Sample]) {}

    #[inline]
    fn hearing(&self) -> Hearing {
        Hearing::Blocks
    }
}

impl<O: TeamObserver + ?Sized> TeamObserver for &mut O {
    fn planned(&mut self, now: &TeamSituation<'_>) {
        (**self).planned(now);
    }

    fn stepped(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) {
        (**self).stepped(now, seen);
    }

    fn hearing(&self) -> Hearing {
        (**self).hearing()
    }
}
