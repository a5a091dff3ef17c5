//! What a traveller knows: the place, and the roads that were seen.

use super::keys::{self, Key};
use super::network::RoadId;
use super::trip::Trip;
use super::weather::Weather;
use crate::graph::NodeId;

/// What is known of a road.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// It has not been seen yet.
    Unknown,
    /// It is open.
    Open,
    /// It is closed.
    Closed,
}

/// A place, and what is known of every road.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belief {
    place: NodeId,
    roads: Vec<Status>,
    closed: Key,
    open: Key,
}

impl Belief {
    /// At the start, before anything is seen.
    pub(super) fn unseen(trip: &Trip) -> Self {
        Self { place: trip.start(), roads: trip.told(), closed: 0, open: 0 }
    }

    /// Of nothing, to stand in for a belief that is in use.
    pub(super) fn empty() -> Self {
        Self { place: 0, roads: Vec::new(), closed: 0, open: 0 }
    }

    /// At the start of a trip in a weather.
    pub fn at_start(trip: &Trip, weather: &Weather) -> Self {
        let mut belief = Self::unseen(trip);
        belief.observe(trip, weather);
        belief
    }

    /// Where the traveller is.
    #[inline]
    pub fn place(&self) -> NodeId {
        self.place
    }

    /// What is known of a road.
    #[inline]
    pub fn status(&self, road: RoadId) -> Status {
        self.roads[road as usize]
    }

    #[inline]
    pub(super) fn roads(&self) -> &[Status] {
        &self.roads
    }

    /// Stands for the roads that were seen closed.
    #[inline]
    pub(super) fn closed_key(&self) -> Key {
        self.closed
    }

    /// Stands for all that was seen, wherever the traveller is.
    #[inline]
    pub(super) fn seen_key(&self) -> Key {
        self.closed ^ self.open
    }

    /// Stands for the whole belief.
    #[inline]
    pub(super) fn key(&self) -> Key {
        self.seen_key() ^ keys::place(self.place)
    }

    /// As another belief, without a new allocation.
    pub(super) fn copy(&mut self, other: &Self) {
        self.roads.copy_from_slice(&other.roads);
        (self.place, self.closed, self.open) = (other.place, other.closed, other.open);
    }

    /// At another place, before anything is seen there.
    #[inline]
    pub(super) fn put(&mut self, place: NodeId) {
        self.place = place;
    }

    /// Sees an unknown road.
    #[inline]
    pub(super) fn learn(&mut self, road: RoadId, status: Status) {
        self.roads[road as usize] = status;
        match status {
            Status::Open => self.open ^= keys::open(road),
            Status::Closed => self.closed ^= keys::closed(road),
            Status::Unknown => {}
        }
    }

    /// Takes back what was learned of a road.
    pub(super) fn forget(&mut self, road: RoadId) {
        // Keys undo themselves.
        self.learn(road, self.status(road));
        self.roads[road as usize] = Status::Unknown;
    }

    /// Whether something new is to be seen at a node.
    #[inline]
    pub(super) fn is_new(&self, trip: &Trip, node: NodeId) -> bool {
        trip.network().seen_at(node).iter().any(|step| self.status(step.road) == Status::Unknown)
    }

    /// Sees the roads that end where the traveller is.
    #[inline]
    pub(super) fn observe(&mut self, trip: &Trip, weather: &Weather) {
        for step in trip.network().seen_at(self.place) {
            if self.status(step.road) == Status::Unknown {
                let status = if weather.is_open(step.road) { Status::Open } else { Status::Closed };
                self.learn(step.road, status);
            }
        }
    }
}
