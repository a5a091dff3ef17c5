//! The values of an empirical law.

use super::LawError;
use super::law::check_finite;
use std::sync::Arc;

/// The values of an empirical law and their statistics, shared by its shifted copies.
#[derive(Debug, PartialEq)]
pub(crate) struct Values {
    pub(super) list: Box<[f64]>,
    pub(super) mean: f64,
    pub(super) variance: f64,
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Values {
    pub(crate) fn new(list: Box<[f64]>) -> Result<Arc<Self>, LawError> {
        if list.is_empty() {
            return Err(LawError::NoValues);
        }
        for &value in &list {
            check_finite("a value", value)?;
        }
        let average = |f: &dyn Fn(f64) -> f64| {
            list.iter().map(|&value| f(value)).sum::<f64>() / list.len() as f64
        };
        let low = list.iter().copied().fold(f64::INFINITY, f64::min);
        let high = list.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        // Measured from the lowest value, so that equal values have exactly their mean.
        let mean = (low + average(&|value| value - low)).min(high);
        let variance = average(&|value| (value - mean) * (value - mean));
        Ok(Arc::new(Self { list, mean, variance, low, high }))
    }
}
