//! The regret of a race. Without changes by hand it equals that of `graph_bandit::run` to the bit.
//!
//! At time `t` it is `mu* t` minus the means of the visits that have ended. When roads close or open and change the
//! best mean within reach, the account so far is closed and a new one opened. Rewards that change will do the
//! same.

use graph_bandit::{Estimates, World};

/// The account of one racer.
#[derive(Debug, Clone)]
pub(crate) struct Account {
    /// The highest mean within reach.
    best: f64,
    /// When this account was opened.
    opened: f64,
    /// The regret of the accounts before it.
    before: f64,
    /// Visits per node when this account was opened.
    counts: Vec<u64>,
    /// Rewards when the race began.
    paid_before: f64,
}

fn counts(seen: &Estimates) -> Vec<u64> {
    seen.samples().iter().map(|sample| sample.count).collect()
}

fn paid(seen: &Estimates) -> f64 {
    seen.samples().iter().map(|sample| sample.sum).sum()
}

impl Account {
    /// The account of a race that begins now.
    pub(crate) fn new(world: &World, seen: &Estimates) -> Self {
        Self {
            best: world.best_mean(),
            opened: 0.0,
            before: 0.0,
            counts: counts(seen),
            paid_before: paid(seen),
        }
    }

    /// Regret at time `t`, when no visit has ended since those seen.
    pub(crate) fn regret(&self, world: &World, seen: &Estimates, t: f64) -> f64 {
        let mut visits = 0;
        let mut short = 0.0;
        let nodes = seen.samples().iter().zip(&self.counts).zip(world.means());
        for ((sample, before), mean) in nodes {
            let count = sample.count - before;
            visits += count;
            short += (self.best - mean) * count as f64;
        }
        // Only visits that have ended pay; the rest of the time pays nothing.
        let unpaid = (t - self.opened - visits as f64).max(0.0);
        self.before + (short + unpaid * self.best)
    }

    /// Rewards since the race began.
    pub(crate) fn reward(&self, seen: &Estimates) -> f64 {
        paid(seen) - self.paid_before
    }

    /// Measures against `best`, the highest mean within reach, from the time `t` on.
    pub(crate) fn measure_against(&mut self, best: f64, world: &World, now: (&Estimates, f64)) {
        if best == self.best {
            return;
        }
        let (seen, t) = now;
        self.before = self.regret(world, seen, t);
        self.best = best;
        self.opened = t;
        self.counts = counts(seen);
    }
}
