//! The numbers of the rule: radii, levels, and how much regret may be certified.

use crate::index::Horizon;

/// The first epoch of an agent that does not know its horizon ends here.
const FIRST_EPOCH: f64 = 64.0;

/// Each epoch ends at this power of the end before.
const EPOCH_POWER: f64 = 1.25;

/// Comparisons with a level allow for this much rounding. Exact ties are frequent: after
/// `16 R^2 / level^2` visits, the interval of a node is half a level wide.
const ROUNDING: f64 = 1.0 + 1e-9;

/// The constants of an agent under a certificate. `docs/explanations/theory.md` proves its bound,
/// [`SafeBound`](crate::theory::SafeBound) computes it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SafeRule {
    /// `h`, the declared sub-Gaussian scale of one node's noise.
    pub scale: f64,
    /// `beta`: the heuristic may spend `beta R sqrt(|S| t)` of certified regret; without a
    /// certificate if it is infinite.
    pub budget: f64,
    /// `omega`: the agent sweeps only if it knows the best mean less well than
    /// `omega R sqrt(|S| / t)`.
    pub resolution: f64,
    /// The total time, initialization included, if known.
    pub horizon: Horizon,
}

/// A stretch of time in which all radii have the same factor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// Its number, from 0.
    pub number: u32,
    /// `tau`, the last moment that belongs to it.
    pub end: f64,
    /// `R`: after `n` visits, a node's radius is `R / sqrt(n)`.
    pub reach: f64,
}

impl SafeRule {
    /// The first epoch.
    pub fn first_epoch(&self) -> Epoch {
        let end = match self.horizon {
            Horizon::Unknown => FIRST_EPOCH,
            Horizon::Known(end) => end.max(2.0),
        };
        self.epoch(0, end)
    }

    /// The epoch after this one.
    pub fn next_epoch(&self, epoch: &Epoch) -> Epoch {
        self.epoch(epoch.number + 1, libm::pow(epoch.end, EPOCH_POWER))
    }

    /// The epoch to which the moment `t` belongs.
    pub fn epoch_at(&self, t: f64) -> Epoch {
        let mut epoch = self.first_epoch();
        while epoch.end < t {
            epoch = self.next_epoch(&epoch);
        }
        epoch
    }

    fn epoch(&self, number: u32, end: f64) -> Epoch {
        // Beyond this, powers would overflow; no run lasts that long.
        let end = end.min(1e200);
        let reach = self.scale * (2.0 * confidence_exponent(end, 1.0 / end)).sqrt();
        Epoch { number, end, reach }
    }

    /// `W(t) = omega R sqrt(|S| / t)`: the agent does not sweep if it knows the best mean this well.
    pub fn known_enough(&self, epoch: &Epoch, nodes: usize, t: f64) -> f64 {
        self.resolution * epoch.reach * (nodes as f64 / t).sqrt()
    }

    /// `B(t) = beta R sqrt(|S| t)`: the heuristic's legs are walked as long as the certified regret
    /// stays within this.
    pub fn allowance(&self, epoch: &Epoch, nodes: usize, t: f64) -> f64 {
        self.budget * epoch.reach * (nodes as f64 * t).sqrt()
    }

    /// `K(t)`: the least `k >= 0` with `2 R 2^-k <= W(t)`. Levels are swept only before it.
    pub fn levels(&self, nodes: usize, t: f64) -> u32 {
        let widest = 2.0 / (self.resolution * (nodes as f64 / t).sqrt());
        libm::log2(widest).ceil().max(0.0) as u32
    }

    /// The largest `2 R 2^-k` that is at most `W(t)`, with `k >= 0`.
    pub fn tolerance(&self, epoch: &Epoch, nodes: usize, t: f64) -> f64 {
        let enough = self.known_enough(epoch, nodes, t);
        let mut level = 2.0 * epoch.reach;
        while level > enough {
            level /= 2.0;
        }
        level
    }
}

impl Epoch {
    /// The level of a width: the least `2 R 2^-k` that is at least `width`, with `k >= 0`.
    pub fn level(&self, width: f64) -> f64 {
        let mut level = 2.0 * self.reach;
        while is_within(width, level / 2.0) && level > 0.0 {
            level /= 2.0;
        }
        level
    }

    /// `16 R^2 / level^2`: after this many visits, no node is swept at this level.
    pub fn visits_at(&self, level: f64) -> u64 {
        let ratio = 4.0 * self.reach / level;
        (ratio * ratio).ceil() as u64
    }
}

/// Whether a width is at most a level, up to rounding.
#[inline]
pub(super) fn is_within(width: f64, level: f64) -> bool {
    width <= level * ROUNDING
}

/// `ell`, such that with `r = h sqrt(2 ell / n)` the mean of `n` rewards of one node is further
/// than `r` from the true mean for some `n` from 1 to `counts` with a probability of at most
/// `chance`: the least `cosh^2(ln counts / (4 m)) ln(2 m / chance)` over `m = 1, 2, ..`.
///
/// The counts are cut into `m` geometric pieces. On a piece from `a` to `b`, the square root
/// `sqrt(2 ell n)` lies above its chord, and Ville's inequality bounds the probability that a
/// sub-Gaussian sum crosses a line.
pub fn confidence_exponent(counts: f64, chance: f64) -> f64 {
    let log = libm::log(counts.max(1.0));
    let with = |pieces: f64| {
        let root = libm::cosh(log / (4.0 * pieces));
        root * root * libm::log(2.0 * pieces / chance)
    };
    let mut pieces = 1.0;
    let mut least = with(pieces);
    loop {
        pieces += 1.0;
        let exponent = with(pieces);
        if exponent >= least {
            return least;
        }
        least = exponent;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: SafeRule =
        SafeRule { scale: 0.5, budget: 1.0, resolution: 2.0, horizon: Horizon::Known(10_000.0) };

    #[test]
    fn exponents_by_hand() {
        // One count: ln(2 / 0.1).
        assert!((confidence_exponent(1.0, 0.1) - 2.995_732_274).abs() < 1e-9);
        // e^4 counts, three pieces: cosh^2(1/3) ln(60) = 1.1152878 * 4.0943446. Two pieces give
        // 1.2715403 * 3.6888795, four 1.0638130 * 4.3820266.
        let counts = libm::exp(4.0);
        assert!((confidence_exponent(counts, 0.1) - 4.566_372_5).abs() < 1e-6);
        // It is the least over all numbers of pieces.
        for (counts, chance) in [(10.0, 0.5), (2e4, 1e-4), (1e9, 1e-9), (1e53, 1e-53)] {
            let of = |m: u32| {
                let root = libm::cosh(libm::log(counts) / f64::from(4 * m));
                root * root * libm::log(f64::from(2 * m) / chance)
            };
            let least = (1..2000).map(of).fold(f64::INFINITY, f64::min);
            assert_eq!(confidence_exponent(counts, chance), least);
        }
    }

    #[test]
    fn levels_are_halves_of_the_widest() {
        let epoch = Epoch { number: 0, end: 10_000.0, reach: 2.0 };
        assert_eq!([4.0, 3.0, 2.0, 1.9, 0.6].map(|w| epoch.level(w)), [4.0, 4.0, 2.0, 2.0, 1.0]);
        assert_eq!(epoch.visits_at(1.0), 64);
        // W(100) = 2 * 2 * sqrt(4 / 100) = 0.8, W(1) = 8, B(100) = 2 * sqrt(400).
        assert_eq!(RULE.known_enough(&epoch, 4, 100.0), 0.8);
        assert_eq!(RULE.tolerance(&epoch, 4, 100.0), 0.5);
        assert_eq!(RULE.tolerance(&epoch, 4, 1.0), 4.0);
        assert_eq!(RULE.allowance(&epoch, 4, 100.0), 40.0);
        assert_eq!([1.0, 4.0, 4.1, 16.0, 100.0].map(|t| RULE.levels(4, t)), [0, 0, 1, 1, 3]);
        let silent = Epoch { reach: 0.0, ..epoch };
        assert_eq!((silent.level(0.0), RULE.tolerance(&silent, 4, 100.0)), (0.0, 0.0));
    }

    #[test]
    fn epochs_end_at_powers() {
        assert_eq!(RULE.first_epoch(), RULE.epoch_at(10_000.0));
        assert_eq!(RULE.epoch_at(10_001.0), RULE.next_epoch(&RULE.first_epoch()));
        assert!((RULE.epoch_at(10_001.0).end - 1e5).abs() < 1e-6);
        let anytime = SafeRule { horizon: Horizon::Unknown, ..RULE };
        // 2^6, 2^7.5, 2^9.375.
        let ends = [1.0, 64.0, 65.0, 200.0].map(|t| anytime.epoch_at(t).end);
        for (end, by_hand) in ends.into_iter().zip([64.0, 64.0, 181.019_336, 664.01]) {
            assert!((end - by_hand).abs() < 0.1, "{end}");
        }
        assert!(anytime.epoch_at(9e15).reach.is_finite());
    }
}
