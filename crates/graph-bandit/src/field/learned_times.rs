//! Road times beyond the map: how long drives took, and how long closed roads are expected to stay
//! closed.
//!
//! The map's time counts as one observation: after times `x_1` to `x_n`, a road with map time `tau`
//! is expected to take `(tau + x_1 + .. + x_n) / (1 + n)` beyond the visit.

use super::Edge;
use crate::exact::exact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The total time of all drives along a road.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadTimes {
    /// The number of drives told.
    pub count: u64,
    /// Their total time, beyond the visits.
    pub sum: f64,
}

impl RoadTimes {
    /// The expected time beyond the visit, if the map says `mapped`.
    pub fn mean(&self, mapped: f64) -> f64 {
        if self.count == 0 {
            return mapped;
        }
        (mapped + self.sum) / exact(self.count + 1)
    }

    pub(crate) fn push(&mut self, time: f64) {
        self.count += 1;
        self.sum += time;
    }
}

/// Everything known about roads beyond the map. Roads are directed.
#[derive(Debug, Clone, Default)]
pub(crate) struct LearnedTimes {
    pub(crate) told: BTreeMap<Edge, RoadTimes>,
    /// How long roads seen closed are expected to stay closed.
    pub(crate) waits: BTreeMap<Edge, f64>,
}

impl LearnedTimes {
    /// The expected time of the road if the map says `mapped`, including the wait before it.
    pub(crate) fn expected(&self, road: Edge, mapped: f64) -> f64 {
        let told = self.told.get(&road).map_or(mapped, |told| told.mean(mapped));
        told + self.waits.get(&road).copied().unwrap_or(0.0)
    }

    /// The roads about which more is known than the map says.
    pub(crate) fn roads(&self) -> impl Iterator<Item = Edge> + '_ {
        self.told.keys().chain(self.waits.keys()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_counts_as_one_observation() {
        let mut times = RoadTimes::default();
        assert_eq!(times.mean(2.0), 2.0);
        times.push(5.0);
        assert_eq!(times.mean(2.0), 3.5);
        times.push(0.5);
        assert_eq!((times.mean(2.0), times.count, times.sum), (2.5, 2, 5.5));
        let mut learned = LearnedTimes::default();
        learned.told.insert((1, 0), times);
        learned.waits.insert((1, 0), 4.0);
        learned.waits.insert((0, 1), 8.0);
        assert_eq!((learned.expected((1, 0), 2.0), learned.expected((0, 1), 1.0)), (6.5, 9.0));
        assert_eq!(learned.expected((3, 1), 1.25), 1.25);
    }
}
