//! The events of a trajectory, as observers see them.

use crate::agent::{Phase, Situation, Visit};
use crate::clock::Time;
use crate::graph::NodeId;
use crate::leg::Leg;

/// An event.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Event<'a> {
    /// A leg was planned and is about to begin.
    Planned {
        /// The leg.
        leg: &'a Leg,
        /// Who decided: the cover or the agent.
        phase: Phase,
    },
    /// The walker sets out on a road that takes time.
    SetOut {
        /// Where the road leads.
        to: NodeId,
        /// When the visit there will end.
        until: Time,
    },
    /// Visits to one node were made and paid. A long stay may come in several pieces. The sums of a
    /// piece of several visits are differences, so they are rounded.
    Visited(&'a Visit),
    /// The walker entered the last node of its path and was paid there once.
    Arrived,
    /// Initialization is over, and the walker is where the agent begins.
    Covered,
    /// The walk is complete.
    Ended,
}

/// Observes a trajectory from its first leg on.
pub trait Observer {
    /// Handles an event; `now` is the situation after it.
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>);

    /// How many visits may be made before the observer must see them; at least one.
    #[inline]
    fn patience(&self) -> u64 {
        u64::MAX
    }
}

/// Observes nothing.
impl Observer for () {
    #[inline]
    fn hear(&mut self, _now: &Situation<'_>, _event: Event<'_>) {}
}

impl<O: Observer + ?Sized> Observer for &mut O {
    #[inline]
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        (**self).hear(now, event);
    }

    #[inline]
    fn patience(&self) -> u64 {
        (**self).patience()
    }
}

/// Two observers side by side.
impl<A: Observer, B: Observer> Observer for (A, B) {
    #[inline]
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        self.0.hear(now, event);
        self.1.hear(now, event);
    }

    #[inline]
    fn patience(&self) -> u64 {
        self.0.patience().min(self.1.patience())
    }
}
