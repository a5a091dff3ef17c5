//! Sums of bounds, updated term by term.

/// How far rounding may move an improvement across a corner, as a share of it, and a sum of updates
/// from its true value, as a share of the highest sum.
///
/// A sum of `n` terms is rounded `n` times, each time by at most `2^-53` of the highest sum. Sums are
/// taken again after as many updates as there are nodes, and an update is rounded twice. So this holds
/// for 3,000,000 nodes even if all errors have one sign. Where signs are mixed, errors grow like the
/// root of their number, and it holds for any graph that fits in memory.
pub(super) const ROUNDING: f64 = 1e-9;

/// Sums much smaller than they were are taken again.
pub(super) const SHRUNK: f64 = 1e-3;

/// Bounds on a sum.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) least: f64,
    pub(super) most: f64,
    pub(super) highest: f64,
    pub(super) updates: usize,
}

impl Sums {
    /// Replaces the bounds of one term.
    pub(super) fn replace(&mut self, before: (f64, f64), now: (f64, f64)) {
        self.least += now.0 - before.0;
        self.most += now.1 - before.1;
        self.highest = self.highest.max(self.most);
        self.updates += 1;
    }

    /// Whether rounding may have moved the sums too far.
    pub(super) fn are_lost(&self) -> bool {
        self.least < SHRUNK * self.highest
    }

    /// The sums, however they are rounded.
    pub(super) fn rounded(&self) -> (f64, f64) {
        let slack = ROUNDING * self.highest;
        (self.least - slack, self.most + slack)
    }
}
