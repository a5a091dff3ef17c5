//! What visits say about changes.

/// Changes of at most this size say nothing about other nodes.
const SMALL: f64 = 0.1;

/// Minus the logarithm of the probability that a node has not changed since it was seen, by cause.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hazard {
    /// The latest change elsewhere.
    pub(super) latest: f64,
    /// Earlier ones.
    pub(super) earlier: f64,
    /// A change of its own.
    pub(super) alone: f64,
}

impl Hazard {
    pub(crate) fn total(&self) -> f64 {
        self.latest + self.earlier + self.alone
    }

    /// The probability that the node has changed.
    pub(crate) fn doubt(&self) -> f64 {
        -libm::expm1(-self.total())
    }

    /// The share of the hazard that no other change explains.
    pub(crate) fn unexplained(&self) -> f64 {
        if self.total() > 0.0 { self.alone / self.total() } else { 1.0 }
    }
}

/// A change found at a visit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    /// When the mean changed.
    pub(crate) at: f64,
    /// The mean before.
    pub(crate) lost: f64,
    /// Its size: 1 for a step as large as between two nodes drawn at random, or larger.
    pub(crate) size: f64,
    /// How much of it no other change explains.
    pub(crate) unexplained: f64,
}

impl Found {
    /// Whether it is a story of its own: nothing else explains it, and it is not too small.
    pub(crate) fn is_news(&self) -> bool {
        self.unexplained > 0.5 && self.size > SMALL
    }
}

/// A node seen again: what the visit says about changes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checked {
    /// When it was seen before.
    pub(crate) seen: f64,
    /// When this visit ended.
    pub(crate) now: f64,
    /// Its hazard before the visit.
    pub(crate) hazard: Hazard,
    /// The probability that it has changed.
    pub(crate) changed: f64,
    /// The size of the change, if it has.
    pub(crate) size: f64,
    /// Whether the reward may come from the mean lost at the latest change.
    pub(crate) matches_lost: bool,
}
