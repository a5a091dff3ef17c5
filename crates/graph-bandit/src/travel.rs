//! How long roads really take, which may differ from the map.
//!
//! The `k`-th drive along a road takes `tau g` beyond the visit. `tau` is the road's true mean and
//! `g` a lognormal factor of mean 1 whose standard deviation is the scale, so times are never
//! negative and have the stated means. It is a pure function of the run's seed, the road and `k`.

use crate::field::Edge;
use crate::graph::{Graph, MAX_TRAVEL};
use crate::random::{Seed, label, normal_from};
use std::collections::BTreeMap;
use thiserror::Error;

/// The highest noise scale of travel times.
pub const MAX_TRAVEL_NOISE: f64 = 10.0;

/// How long roads really take.
#[derive(Debug, Clone, PartialEq)]
pub struct Travel {
    scale: f64,
    /// True means that differ from the map.
    means: BTreeMap<Edge, f64>,
}

/// Why travel times are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum TravelError {
    /// The scale is out of range.
    #[error(
        "travel times cannot have noise scale {0}; give a number from 0 to {MAX_TRAVEL_NOISE}, the \
         standard deviation as a multiple of the mean"
    )]
    Scale(f64),
    /// The mean is out of range.
    #[error(
        "the road from node {} to node {} cannot take {time} on average; give a number from 0 to {MAX_TRAVEL}",
        road.0, road.1
    )]
    Mean {
        /// The road.
        road: Edge,
        /// The time.
        time: f64,
    },
    /// The graph does not have this road.
    #[error("travel times name a road from node {} to node {}, which the graph does not have", .0.0, .0.1)]
    NoSuchRoad(Edge),
}

impl Travel {
    /// Times with the map's means and a standard deviation of `scale` times the mean.
    ///
    /// # Errors
    /// When the scale is negative, not a number or too large.
    pub fn noisy(scale: f64) -> Result<Self, TravelError> {
        if !(0.0..=MAX_TRAVEL_NOISE).contains(&scale) {
            return Err(TravelError::Scale(scale));
        }
        Ok(Self { scale, means: BTreeMap::new() })
    }

    /// The same, but a directed road takes `time` on average, whatever the map says.
    ///
    /// # Errors
    /// When the time is out of range.
    pub fn with_mean(mut self, road: Edge, time: f64) -> Result<Self, TravelError> {
        if !(0.0..=MAX_TRAVEL).contains(&time) {
            return Err(TravelError::Mean { road, time });
        }
        self.means.insert(road, time);
        Ok(self)
    }

    /// Whether roads may take time that the map does not show.
    pub(crate) fn adds_time(&self) -> bool {
        self.means.values().any(|&time| time > 0.0)
    }

    /// Checks that the graph has these roads.
    pub(crate) fn check(&self, graph: &Graph) -> Result<(), TravelError> {
        let is_there =
            |&(a, b): &Edge| a != b && (a.max(b) as usize) < graph.len() && graph.allows(a, b);
        self.means
            .keys()
            .find(|road| !is_there(road))
            .map_or(Ok(()), |&road| Err(TravelError::NoSuchRoad(road)))
    }

    /// The mean time of the road on this map.
    pub fn mean(&self, graph: &Graph, road: Edge) -> f64 {
        let mapped = || graph.travel(road.0, road.1).unwrap_or(0.0);
        self.means.get(&road).copied().unwrap_or_else(mapped)
    }

    /// How long drive `k` along the road takes in a run, counted from `k = 0`.
    pub fn drive(&self, graph: &Graph, run: Seed, (from, to): Edge, k: u64) -> f64 {
        let mean = self.mean(graph, (from, to));
        if self.scale == 0.0 {
            return mean;
        }
        let seed = run.child(label::TRAVEL).child((u64::from(from) << 32) | u64::from(to));
        let variance = libm::log1p(self.scale * self.scale);
        let exponent = variance.sqrt() * normal_from(seed.bits(k)) - 0.5 * variance;
        (mean * libm::exp(exponent)).min(MAX_TRAVEL)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Road;

    #[test]
    fn drives_have_the_stated_mean_and_spread() {
        let roads = [(0, 1, 4.0), (1, 0, 2.0)].map(|(from, to, time)| Road { from, to, time });
        let graph = Graph::from_roads(2, roads).unwrap();
        let travel = Travel::noisy(0.5).unwrap().with_mean((1, 0), 8.0).unwrap();
        for (road, mean) in [((0, 1), 4.0), ((1, 0), 8.0)] {
            let times: Vec<f64> =
                (0..40_000).map(|k| travel.drive(&graph, Seed(2), road, k)).collect();
            assert!(times.iter().all(|&time| time > 0.0));
            let average = times.iter().sum::<f64>() / 4e4;
            let spread = times.iter().map(|t| (t - average) * (t - average)).sum::<f64>() / 4e4;
            assert!((average / mean - 1.0).abs() < 0.01, "{average}");
            assert!((spread.sqrt() / mean - 0.5).abs() < 0.02, "{spread}");
        }
        assert_eq!(Travel::noisy(0.0).unwrap().drive(&graph, Seed(2), (0, 1), 7), 4.0);
    }

    #[test]
    fn bad_times_are_refused_with_a_remedy() {
        for bad in [-1.0, f64::NAN, f64::INFINITY] {
            assert!(Travel::noisy(bad).unwrap_err().to_string().contains("from 0 to 10"));
            let refused = Travel::noisy(0.0).unwrap().with_mean((0, 1), bad).unwrap_err();
            assert!(refused.to_string().contains("from node 0 to node 1"), "{refused}");
        }
        let elsewhere = Travel::noisy(0.0).unwrap().with_mean((0, 2), 1.0).unwrap();
        let line = Graph::line(3).unwrap();
        assert_eq!(elsewhere.check(&line), Err(TravelError::NoSuchRoad((0, 2))));
    }
}
