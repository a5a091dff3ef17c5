//! What a walker knows about roads that close at random.

use crate::agent::Agent;
use crate::clock::Time;
use crate::closures::{ClosureRates, RoadStates};
use crate::field::{Edge, Field};
use crate::graph::{Graph, NodeId};
use crate::trajectory::{ChangeError, Trajectory};
use std::collections::BTreeMap;

/// Below this, a closed road counts as reopened.
const FORGOTTEN: f64 = 1e-9;

/// The true state of all roads, and which of them were closed when last seen.
#[derive(Debug)]
pub(crate) struct Sightings {
    states: RoadStates,
    /// Roads that reopen, and when they were seen closed.
    closed: BTreeMap<Edge, Sighting>,
}

#[derive(Debug, Clone, Copy)]
struct Sighting {
    at: Time,
    rates: ClosureRates,
}

impl Sightings {
    pub(crate) fn new(states: RoadStates) -> Self {
        Self { states, closed: BTreeMap::new() }
    }

    /// Whether the road was closed when last seen.
    pub(crate) fn is_closed(&self, map: &Graph, (from, to): Edge) -> bool {
        let road = map.entry(from, to).and_then(|entry| self.states.road(entry));
        road.is_some_and(|(road, _)| self.closed.contains_key(&road))
    }

    /// Looks at all roads that begin or end where the walker stands. A changed road updates the
    /// known graph and drops the current plan. Expected waits at closed roads are brought up to
    /// date.
    pub(crate) fn look<A: Agent>(
        &mut self,
        trajectory: &mut Trajectory<A>,
        map: &Graph,
    ) -> Result<(), ChangeError> {
        let (at, now) = (trajectory.at(), trajectory.walker().clock().now());
        let (mut is_news, mut for_good) = (false, Vec::new());
        for entry in entries_at(map, at) {
            let Some((road, rates)) = self.states.road(entry) else { continue };
            let is_closed = self.states.is_closed(entry, now);
            if rates.reopening() == 0.0 {
                if is_closed && !trajectory.field().closed().contains(&road) {
                    for_good.push(road);
                }
            } else if is_closed {
                is_news |= self.closed.insert(road, Sighting { at: now, rates }).is_none();
            } else if self.closed.remove(&road).is_some() {
                expect_wait(trajectory.parts().0, map, (road, 0.0));
                is_news = true;
            }
        }
        self.bring_up_to(now, trajectory.parts().0, map);
        if is_news {
            trajectory.abandon();
        }
        trajectory.close_all(for_good)
    }

    /// Updates how long closed roads are expected to stay closed.
    fn bring_up_to(&mut self, now: Time, field: &mut Field, map: &Graph) {
        self.closed.retain(|&road, seen| {
            let wait = seen.rates.expected_wait(now.0 - seen.at.0);
            let is_known = wait * seen.rates.reopening() > FORGOTTEN;
            expect_wait(field, map, (road, if is_known { wait } else { 0.0 }));
            is_known
        });
    }
}

/// The entries of all roads that begin or end at a node; a two-way edge has one entry.
fn entries_at(map: &Graph, at: NodeId) -> Vec<usize> {
    let out = map.row(at).zip(map.neighborhood(at)).filter(|&(_, &to)| to != at);
    let mut entries: Vec<usize> = out.map(|(entry, _)| entry).collect();
    if let Some(roads) = map.roads() {
        entries.extend(roads.into(at).filter_map(|(from, _)| map.entry(from, at)));
    }
    entries
}

/// Sets the expected wait; a two-way edge waits in both directions.
fn expect_wait(field: &mut Field, map: &Graph, ((a, b), wait): (Edge, f64)) {
    field.expect_wait((a, b), wait);
    if map.roads().is_none() {
        field.expect_wait((b, a), wait);
    }
}
