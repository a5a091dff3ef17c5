//! Means that follow a season: `mean + amplitude sin(2 pi (t + phase) / period)`.
//!
//! A mean holds for one unit of time, so a stay sees whole steps, and one period is a finite table.

use super::error::{MAX_PERIOD, TimetableError, check_mean};
use crate::clock::Time;
use crate::graph::NodeId;
use std::f64::consts::TAU;
use std::sync::Arc;

/// The season of one node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Season {
    /// The mean over one period.
    pub mean: f64,
    /// How far the mean rises above that, and falls below it.
    pub amplitude: f64,
    /// How far into its period the node is at the start, in units of time.
    pub phase: f64,
}

/// Sine and cosine of every unit of one period, shared by all nodes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Wave {
    of_unit: Vec<(f64, f64)>,
}

impl Wave {
    pub(super) fn new(period: u64) -> Result<Self, TimetableError> {
        if !(2..=MAX_PERIOD).contains(&period) {
            return Err(TimetableError::Period { period });
        }
        let of_unit = |unit: u64| libm::sincos(TAU * unit as f64 / period as f64);
        Ok(Self { of_unit: (0..period).map(of_unit).collect() })
    }
}

/// A season, ready to be read at any moment.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Seasonal {
    mean: f64,
    amplitude: f64,
    /// The amplitudes of sine and cosine: by the sum formula, a phase needs no sine of its own.
    sine: f64,
    cosine: f64,
    wave: Arc<Wave>,
}

impl Seasonal {
    pub(super) fn new(
        node: NodeId,
        season: &Season,
        wave: &Arc<Wave>,
    ) -> Result<Self, TimetableError> {
        let &Season { mean, amplitude, phase } = season;
        for number in [mean, amplitude, phase, mean.abs() + amplitude.abs()] {
            check_mean(node, 0.0, number)?;
        }
        let (sine, cosine) = libm::sincos(TAU * phase / wave.of_unit.len() as f64);
        let wave = Arc::clone(wave);
        Ok(Self { mean, amplitude, sine: amplitude * cosine, cosine: amplitude * sine, wave })
    }

    #[inline]
    pub(super) fn mean(&self, at: Time) -> f64 {
        self.mean_of_unit(at.0.max(0.0) as u64)
    }

    #[inline]
    pub(super) fn mean_of_unit(&self, unit: u64) -> f64 {
        let units = &self.wave.of_unit;
        let (sine, cosine) = units[(unit % units.len() as u64) as usize];
        let (low, high) = self.ends();
        // Rounding may pass an end by one unit in the last place.
        (self.mean + (self.sine * sine + self.cosine * cosine)).clamp(low, high)
    }

    #[inline]
    pub(super) fn ends(&self) -> (f64, f64) {
        let reach = self.amplitude.abs();
        (self.mean - reach, self.mean + reach)
    }
}

/// When the unit of time of this moment ends.
pub(super) fn next_unit(at: Time) -> f64 {
    if at.0 < 0.0 { 1.0 } else { at.0.floor() + 1.0 }
}
