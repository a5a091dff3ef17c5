//! What a traveller knows: the current place and the roads seen so far.

use crate::keys::{self, Key};
use crate::network::RoadId;
use crate::trip::Trip;
use crate::weather::Weather;
use graph_bandit::NodeId;

/// The known state of a road.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Not seen yet.
    Unknown,
    /// Open.
    Open,
    /// Closed.
    Closed,
}

/// A place, and the known state of every road.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Belief {
    place: NodeId,
    roads: Vec<Status>,
    closed: Key,
    open: Key,
}

impl Belief {
    /// At the start, before anything is seen.
    pub(crate) fn unseen(trip: &Trip) -> Self {
        Self { place: trip.start(), roads: trip.told(), closed: 0, open: 0 }
    }

    /// An empty placeholder for a belief that is in use.
    pub(crate) fn empty() -> Self {
        Self { place: 0, roads: Vec::new(), closed: 0, open: 0 }
    }

    /// At the start of a trip in this weather.
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

    /// The known state of a road.
    #[inline]
    pub fn status(&self, road: RoadId) -> Status {
        self.roads[road as usize]
    }

    #[inline]
    pub(crate) fn roads(&self) -> &[Status] {
        &self.roads
    }

    /// Identifies the roads seen closed.
    #[inline]
    pub(crate) fn closed_key(&self) -> Key {
        self.closed
    }

    /// Identifies everything seen, independent of the place.
    #[inline]
    pub(crate) fn seen_key(&self) -> Key {
        self.closed ^ self.open
    }

    /// Identifies the whole belief.
    #[inline]
    pub(crate) fn key(&self) -> Key {
        self.seen_key() ^ keys::place(self.place)
    }

    /// Copies another belief without a new allocation.
    pub(crate) fn copy(&mut self, other: &Self) {
        self.roads.copy_from_slice(&other.roads);
        (self.place, self.closed, self.open) = (other.place, other.closed, other.open);
    }

    /// Moves to another place, before anything is seen there.
    #[inline]
    pub(crate) fn put(&mut self, place: NodeId) {
        self.place = place;
    }

    /// Records the state of an unknown road.
    #[inline]
    pub(crate) fn learn(&mut self, road: RoadId, status: Status) {
        self.roads[road as usize] = status;
        match status {
            Status::Open => self.open ^= keys::open(road),
            Status::Closed => self.closed ^= keys::closed(road),
            Status::Unknown => {}
        }
    }

    /// Undoes [`learn`](Self::learn).
    pub(crate) fn forget(&mut self, road: RoadId) {
        // Keys undo themselves.
        self.learn(road, self.status(road));
        self.roads[road as usize] = Status::Unknown;
    }

    /// Whether there is something new to see at a node.
    #[inline]
    pub(crate) fn is_new(&self, trip: &Trip, node: NodeId) -> bool {
        trip.network().seen_at(node).iter().any(|step| self.status(step.road) == Status::Unknown)
    }

    /// Records the roads that end at the current place.
    #[inline]
    pub(crate) fn observe(&mut self, trip: &Trip, weather: &Weather) {
        for step in trip.network().seen_at(self.place) {
            if self.status(step.road) == Status::Unknown {
                let status = if weather.is_open(step.road) { Status::Open } else { Status::Closed };
                self.learn(step.road, status);
            }
        }
    }
}
