//! The highest mean of all nodes over time.

use super::Change;
use super::season::Seasonal;
use super::steps::Steps;
use crate::clock::Time;

/// The highest mean at every moment.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Highest {
    /// Constant between its changes.
    Steps(Steps),
    /// Of each unit of one period.
    Cycle(Vec<f64>),
}

impl Highest {
    /// The highest of the means at the `start` and after each of the `changes`, which are ordered.
    pub(super) fn of_changes(start: &[f64], changes: &[Change]) -> Self {
        let mut means = start.to_vec();
        let of_all = |means: &[f64]| means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut before = of_all(&means);
        let mut steps = Steps::from(before);
        for together in changes.chunk_by(|a, b| a.at == b.at) {
            let mut may_fall = false;
            for change in together {
                let mean = &mut means[change.node as usize];
                may_fall |= *mean == before;
                *mean = change.mean;
            }
            let highest = if may_fall {
                of_all(&means)
            } else {
                // A node may change twice at one moment; its last mean holds.
                let changed = together.iter().map(|change| means[change.node as usize]);
                changed.fold(before, f64::max)
            };
            steps.change(together[0].at, highest);
            before = highest;
        }
        Self::Steps(steps)
    }

    /// The highest of all seasons, unit by unit.
    pub(super) fn of_cycle(seasons: &[Seasonal], period: u64) -> Self {
        let of_unit = |unit| {
            let means = seasons.iter().map(|season| season.mean_of_unit(unit));
            means.fold(f64::NEG_INFINITY, f64::max)
        };
        Self::Cycle((0..period).map(of_unit).collect())
    }

    pub(super) fn at(&self, at: Time) -> f64 {
        match self {
            Self::Steps(steps) => steps.mean(at),
            Self::Cycle(units) => {
                let unit = at.0.max(0.0) as u64;
                units[(unit % units.len() as u64) as usize]
            }
        }
    }

    /// The number of units after which everything repeats itself, if it does.
    pub(super) fn period(&self) -> Option<u64> {
        match self {
            Self::Steps(_) => None,
            Self::Cycle(units) => Some(units.len() as u64),
        }
    }

    pub(super) fn lowest(&self) -> f64 {
        match self {
            Self::Steps(steps) => steps.ends().0,
            Self::Cycle(units) => units.iter().copied().fold(f64::INFINITY, f64::min),
        }
    }
}
