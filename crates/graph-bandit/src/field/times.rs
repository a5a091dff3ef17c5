//! How a field learns the times of its roads.

use super::{Edge, EdgeError, Field, FieldError, RoadTimes};
use crate::estimates::MAX_VISITS;
use crate::exact::exact;
use crate::graph::{MAX_TRAVEL, NodeId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Whether the field's graph changed its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Same,
    /// It had no road times before and has some now.
    Other,
}

/// How much less than one visit a step may take: clocks are rounded.
const TOLERANCE: f64 = 1e-6;

impl Field {
    /// All times told for the road from one node to another.
    pub fn times_of(&self, road: Edge) -> RoadTimes {
        self.times.told.get(&road).copied().unwrap_or_default()
    }

    /// All directed roads with times told.
    pub fn told_times(&self) -> &BTreeMap<Edge, RoadTimes> {
        &self.times.told
    }

    /// Restores times told before.
    pub(crate) fn recall_times(&mut self, told: BTreeMap<Edge, RoadTimes>) -> Result<(), Edge> {
        let is_real = |&(from, to): &Edge, times: &RoadTimes| {
            let nodes = self.map.len();
            let is_road =
                from != to && (from.max(to) as usize) < nodes && self.map.allows(from, to);
            let most = MAX_TRAVEL * exact(times.count);
            is_road && times.count <= MAX_VISITS && (0.0..=most).contains(&times.sum)
        };
        if let Some((&road, _)) = told.iter().find(|(road, times)| !is_real(road, times)) {
            return Err(road);
        }
        self.times.told = told;
        self.believe_all();
        Ok(())
    }

    /// Records that a drive along this road took `time` beyond the visit. If the map has no such
    /// road, nothing is learned.
    pub(crate) fn learn_time(&mut self, road: Edge, time: f64) -> Kind {
        if road.0 == road.1 || !self.map.allows(road.0, road.1) {
            return Kind::Same;
        }
        self.times.told.entry(road).or_default().push(time);
        self.believe(road)
    }

    /// Sets the expected wait of a road seen closed; zero if it is open.
    pub(crate) fn expect_wait(&mut self, road: Edge, wait: f64) {
        if wait > 0.0 {
            self.times.waits.insert(road, wait);
        } else {
            self.times.waits.remove(&road);
        }
        self.believe(road);
    }

    /// Gives the graph roads, whose times can change.
    pub(crate) fn ensure_roads(&mut self) {
        if !self.open.is_believed() {
            self.open = Arc::new(self.open.believed());
        }
    }

    fn believe(&mut self, road: Edge) -> Kind {
        let time = self.times.expected(road, self.map.travel(road.0, road.1).unwrap_or(0.0));
        let had_roads = self.open.roads().is_some();
        if !had_roads && time == 0.0 {
            return Kind::Same;
        }
        self.ensure_roads();
        Arc::make_mut(&mut self.open).believe(road, time);
        if had_roads { Kind::Same } else { Kind::Other }
    }

    /// Starts from the map again and applies everything known beyond it.
    pub(crate) fn believe_from_map(&mut self) -> Result<(), EdgeError> {
        self.open = self.roads(self.closed.clone())?.open;
        self.believe_all();
        Ok(())
    }

    pub(super) fn believe_all(&mut self) {
        for road in self.times.roads().collect::<Vec<_>>() {
            self.believe(road);
        }
    }

    /// Checks the time of a step and returns the part beyond the visit.
    pub(crate) fn check_took(node: NodeId, took: f64) -> Result<f64, FieldError> {
        if (1.0 - TOLERANCE..=1.0 + MAX_TRAVEL).contains(&took) {
            return Ok((took - 1.0).max(0.0));
        }
        Err(FieldError::ImpossibleTime { node, took })
    }
}
