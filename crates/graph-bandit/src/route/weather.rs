//! Which roads are open.

use super::belief::{Belief, Status};
use super::connected::Reach;
use super::error::RouteError;
use super::known_ways::CheapestWays;
use super::network::RoadId;
use super::trip::Trip;
use crate::random::{Seed, Stream};

/// So many weathers are drawn in search of one that connects start and goal.
const MOST_TRIES: u64 = 1_000_000;
/// After so many rollout weathers in vain, roads are taken to be closed half as often.
const PATIENCE: u32 = 256;

/// One state for every road, open or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weather {
    open: Vec<bool>,
}

impl Weather {
    /// The weather in which exactly these roads are open, one answer for each road.
    ///
    /// # Panics
    /// When there is not one for each road.
    pub fn new(trip: &Trip, open: Vec<bool>) -> Self {
        assert_eq!(open.len(), trip.network().roads().len(), "one state per road");
        Self { open }
    }

    /// Whether a road is open.
    #[inline]
    pub fn is_open(&self, road: RoadId) -> bool {
        self.open[road as usize]
    }

    /// Whether open roads lead from start to goal.
    pub fn connects(&self, trip: &Trip) -> bool {
        Reach::default().connects(trip, |road| self.open[road])
    }

    /// The weather of a seed, given that start and goal are connected.
    ///
    /// # Errors
    /// When that is so rare that no such weather was found.
    pub fn draw(trip: &Trip, seed: Seed) -> Result<Self, RouteError> {
        let mut stream = seed.stream();
        let mut reach = Reach::default();
        let roads = trip.network().roads();
        let mut weather = Self { open: vec![false; roads.len()] };
        for _ in 0..MOST_TRIES {
            for (open, road) in weather.open.iter_mut().zip(roads) {
                *open = stream.unit() < road.open;
            }
            if reach.connects(trip, |road| weather.open[road]) {
                return Ok(weather);
            }
        }
        Err(RouteError::TooRarelyConnected { tried: MOST_TRIES })
    }
}

/// How long the trip takes when the whole weather is known beforehand; infinite where nothing connects start and goal.
pub fn time_beforehand(trip: &Trip, weather: &Weather) -> f64 {
    let mut ways = CheapestWays::default();
    ways.search(trip, |road| weather.is_open(road));
    ways.time(trip.start())
}

/// Draws weathers for rollouts: those that fit a belief and connect start and goal.
#[derive(Debug, Clone)]
pub(super) struct Forecast {
    weather: Weather,
    reach: Reach,
    /// The roads that are not known yet.
    unknown: Vec<RoadId>,
    stream: Stream,
}

impl Forecast {
    pub(super) fn new(trip: &Trip, stream: Stream) -> Self {
        let weather = Weather { open: vec![false; trip.network().roads().len()] };
        Self { weather, reach: Reach::default(), unknown: Vec::new(), stream }
    }

    /// From now on, weathers fit this belief.
    pub(super) fn fit(&mut self, belief: &Belief) {
        self.unknown.clear();
        for (status, road) in belief.roads().iter().zip(0..) {
            self.weather.open[road as usize] = *status == Status::Open;
            if *status == Status::Unknown {
                self.unknown.push(road);
            }
        }
    }

    /// The weather that was drawn last.
    #[inline]
    pub(super) fn weather(&self) -> &Weather {
        &self.weather
    }

    /// Draws the next weather.
    ///
    /// Where connections are rarer than one in hundreds, roads are taken to be closed less often, so that a decision
    /// never waits for luck: such weathers are an approximation.
    pub(super) fn next(&mut self, trip: &Trip) {
        let roads = trip.network().roads();
        let mut closed_share = 1.0;
        let mut tries = 0;
        loop {
            for &road in &self.unknown {
                let closed = closed_share * (1.0 - roads[road as usize].open);
                self.weather.open[road as usize] = self.stream.unit() >= closed;
            }
            let weather = &self.weather;
            if self.reach.connects(trip, |road| weather.open[road]) {
                return;
            }
            tries += 1;
            if tries % PATIENCE == 0 {
                closed_share *= 0.5;
            }
        }
    }
}
