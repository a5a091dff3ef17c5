//! The truncated Gaussian law: `N(location, deviation^2)` conditioned on `[low, high]`.
//!
//! Its moments have closed forms, but far from the location these are differences of nearly equal
//! numbers (on `[36.5, 37.5]` the variance loses six digits). So they are integrated instead,
//! measured from the point of the window nearest to the location, where nothing cancels.

use crate::normal;
use crate::random::{Seed, open_unit};

/// The farthest that a window may begin from the location, in deviations: beyond, the normal
/// distribution function underflows.
pub(super) const FARTHEST: f64 = 37.0;

/// The narrowest window, in deviations: at this width, probabilities in doubles still resolve a
/// billion points of the window; far below, they cannot tell its points apart.
pub(super) const NARROWEST: f64 = 1e-6;

/// Values derived from location, deviation and window.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TruncatedGaussian {
    pub(super) location: f64,
    pub(super) deviation: f64,
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) mean: f64,
    pub(super) variance: f64,
    /// The deviation; negative if the window is mirrored into the lower tail.
    slope: f64,
    /// All ones if the window is mirrored: the bits are mirrored too, so rewards still increase
    /// with them.
    flip: u64,
    /// The normal probability below the (mirrored) window, and inside it.
    below: f64,
    inside: f64,
}

/// The distance of the window from the location and its width, in deviations.
pub(super) fn distance_and_width(
    location: f64,
    deviation: f64,
    (low, high): (f64, f64),
) -> (f64, f64) {
    let distance = (low - location).max(location - high).max(0.0);
    (distance / deviation, (high - low) / deviation)
}

impl TruncatedGaussian {
    /// The parameters must be valid: a positive deviation and a window that is neither too far nor
    /// too narrow.
    pub(super) fn new(location: f64, deviation: f64, (low, high): (f64, f64)) -> Self {
        let (mut from, mut to) = ((low - location) / deviation, (high - location) / deviation);
        let (mut slope, mut flip) = (deviation, 0);
        // In the upper tail probabilities round to 1; in the lower tail they keep all their digits.
        if from + to > 0.0 {
            (from, to) = (-to, -from);
            (slope, flip) = (-deviation, u64::MAX);
        }
        let below = normal::cdf(from);
        let (mean, variance) = moments(location, deviation, (low, high));
        Self {
            location,
            deviation,
            low,
            high,
            mean,
            variance,
            slope,
            flip,
            below,
            inside: normal::cdf(to) - below,
        }
    }

    #[inline]
    pub(super) fn draw(&self, tape: Seed, k: u64) -> f64 {
        let p = self.below + self.inside * open_unit(tape.bits(k) ^ self.flip);
        (self.location + self.slope * normal::quantile(p)).clamp(self.low, self.high)
    }
}

/// The mean and variance, by Gauss-Legendre quadrature on twelve panels of ten points.
///
/// With `m` the distance of the nearest point of the window and `s` the distance from that point,
/// both in deviations, the density is proportional to `exp(-(m s + s^2 / 2))`. Beyond an exponent
/// of 50 the rest is below rounding.
fn moments(location: f64, deviation: f64, (low, high): (f64, f64)) -> (f64, f64) {
    let anchor = location.clamp(low, high);
    let m = (anchor - location).abs() / deviation;
    let reach = 100.0 / (m + (m * m + 100.0).sqrt());
    let from = ((low - anchor) / deviation).max(-reach);
    let to = ((high - anchor) / deviation).min(reach);
    let expectation = |f: &dyn Fn(f64) -> f64| {
        let half = (to - from) / (2.0 * f64::from(PANELS));
        let (mut total, mut weights) = (0.0, 0.0);
        for panel in 0..PANELS {
            let middle = from + half * f64::from(2 * panel + 1);
            for (point, weight) in RULE {
                for s in [middle - half * point, middle + half * point] {
                    let weight = weight * libm::exp(-(m * s.abs() + 0.5 * s * s));
                    weights += weight;
                    total += weight * f(s);
                }
            }
        }
        total / weights
    };
    // Exact for a symmetric window: symmetric truncation keeps the mean.
    let centre = if from == -to { 0.0 } else { expectation(&|s| s) };
    let spread = expectation(&|s| (s - centre) * (s - centre));
    let mean = (anchor + deviation * centre).clamp(low, high);
    (mean, deviation * deviation * spread)
}

const PANELS: u32 = 12;

/// The positive nodes of the ten-point rule on `[-1, 1]`, and their weights.
const RULE: [(f64, f64); 5] = [
    (0.973_906_528_517_171_7, 0.066_671_344_308_688_14),
    (0.865_063_366_688_984_5, 0.149_451_349_150_580_6),
    (0.679_409_568_299_024_4, 0.219_086_362_515_982_04),
    (0.433_395_394_129_247_2, 0.269_266_719_309_996_35),
    (0.148_874_338_981_631_2, 0.295_524_224_714_752_87),
];
