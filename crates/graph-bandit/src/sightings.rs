//! What a walker has seen of roads that close at random.

use crate::agent::Agent;
use crate::clock::Time;
use crate::closures::{ClosureRates, RoadStates};
use crate::field::{Edge, Field};
use crate::graph::{Graph, NodeId};
use crate::trajectory::{ChangeError, Trajectory};
use std::collections::BTreeMap;

/// A road that is as good as certain to have reopened is one of which nothing is known.
const FORGOTTEN: f64 = 1e-9;

/// The truth about all roads, and which of them were closed when they were seen last.
#[derive(Debug)]
pub(crate) struct Sightings {
    states: RoadStates,
    /// Roads that reopen: when they were seen closed.
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

    /// Whether the road was closed when it was seen last.
    pub(crate) fn is_closed(&self, map: &Graph, (from, to): Edge) -> bool {
        let road = map.entry(from, to).and_then(|entry| self.states.road(entry));
        road.is_some_and(|(road, _)| self.closed.contains_key(&road))
    }

    /// Looks at all roads that begin or end where the walker stands. What it sees anew becomes part of what is known,
    /// and what was planned is dropped. All that is expected of closed roads is brought up to now.
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

    /// How long closed roads are expected to stay so, as of now.
    fn bring_up_to(&mut self, now: Time, field: &mut Field, map: &Graph) {
        self.closed.retain(|&road, seen| {
            let wait = seen.rates.expected_wait(now.0 - seen.at.0);
            let is_known = wait * seen.rates.reopening() > FORGOTTEN;
            expect_wait(field, map, (road, if is_known { wait } else { 0.0 }));
            is_known
        });
    }
}

/// The entries of all roads that begin or end at a node; an edge that leads both ways has one.
fn entries_at(map: &Graph, at: NodeId) -> Vec<usize> {
    let out = map.row(at).zip(map.neighborhood(at)).filter(|&(_, &to)| to != at);
    let mut entries: Vec<usize> = out.map(|(entry, _)| entry).collect();
    if let Some(roads) = map.roads() {
        entries.extend(roads.into(at).filter_map(|(from, _)| map.entry(from, at)));
    }
    entries
}

/// An edge that leads both ways is closed in both.
fn expect_wait(field: &mut Field, map: &Graph, ((a, b), wait): (Edge, f64)) {
    field.expect_wait((a, b), wait);
    if map.roads().is_none() {
        field.expect_wait((b, a), wait);
    }
}
