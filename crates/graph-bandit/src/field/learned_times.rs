//! What is known of the times of roads beyond the map: how long they took, and how long closed ones are expected to
//! stay so.
//!
//! What the map says of a road counts as one time that was told: after times `x_1` to `x_n` a road whose map says
//! `tau` is expected to take `(tau + x_1 + .. + x_n) / (1 + n)` beyond the visit.

use super::Edge;
use crate::exact::exact;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How long a road took, all drives together.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadTimes {
    /// How often it was told.
    pub count: u64,
    /// All times together, beyond the visits.
    pub sum: f64,
}

impl RoadTimes {
    /// What the road is expected to take beyond the visit, where the map says `mapped`.
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

/// All that is known of roads beyond the map. Roads are named as they run.
#[derive(Debug, Clone, Default)]
pub(crate) struct LearnedTimes {
    pub(crate) told: BTreeMap<Edge, RoadTimes>,
    /// How long roads that were seen closed are expected to stay so.
    pub(crate) waits: BTreeMap<Edge, f64>,
}

impl LearnedTimes {
    /// What the road is expected to take, where the map says `mapped`, the wait before it counted.
    pub(crate) fn expected(&self, road: Edge, mapped: f64) -> f64 {
        let told = self.told.get(&road).map_or(mapped, |told| told.mean(mapped));
        told + self.waits.get(&road).copied().unwrap_or(0.0)
    }

    /// The roads of which more is known than the map says.
    pub(crate) fn roads(&self) -> impl Iterator<Item = Edge> + '_ {
        self.told.keys().chain(self.waits.keys()).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_counts_as_one_time_that_was_told() {
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
