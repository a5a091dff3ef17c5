//! Which roads are open.

use crate::belief::{Belief, Status};
use crate::connected::Reach;
use crate::error::RouteError;
use crate::known_ways::CheapestWays;
use crate::network::RoadId;
use crate::trip::Trip;
use graph_bandit::{Seed, Stream};

/// The most weathers drawn in search of one that connects start and goal.
const MOST_TRIES: u64 = 1_000_000;
/// After this many failed rollout weathers, the closing probabilities are halved.
const PATIENCE: u32 = 256;

/// The state of every road, open or closed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Weather {
    open: Vec<bool>,
}

impl Weather {
    /// The weather in which exactly these roads are open, one entry per road.
    ///
    /// # Panics
    /// When there is not one entry per road.
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
    /// When start and goal are so rarely connected that no such weather was found.
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

/// The travel time if the whole weather is known in advance; infinite if start and goal are not
/// connected.
pub fn time_beforehand(trip: &Trip, weather: &Weather) -> f64 {
    let mut ways = CheapestWays::default();
    ways.search(trip, |road| weather.is_open(road));
    ways.time(trip.start())
}

/// Draws weathers for rollouts: those that fit a belief and connect start and goal.
#[derive(Debug, Clone)]
pub(crate) struct Forecast {
    weather: Weather,
    reach: Reach,
    /// The roads that are still unknown.
    unknown: Vec<RoadId>,
    stream: Stream,
}

impl Forecast {
    pub(crate) fn new(trip: &Trip, stream: Stream) -> Self {
        let weather = Weather { open: vec![false; trip.network().roads().len()] };
        Self { weather, reach: Reach::default(), unknown: Vec::new(), stream }
    }

    /// Makes weathers fit this belief from now on.
    pub(crate) fn fit(&mut self, belief: &Belief) {
        self.unknown.clear();
        for (status, road) in belief.roads().iter().zip(0..) {
            self.weather.open[road as usize] = *status == Status::Open;
            if *status == Status::Unknown {
                self.unknown.push(road);
            }
        }
    }

    /// The last weather drawn.
    #[inline]
    pub(crate) fn weather(&self) -> &Weather {
        &self.weather
    }

    /// Draws the next weather.
    ///
    /// If connections are rarer than one in hundreds, the closing probabilities are lowered so that
    /// a decision always ends; such weathers are an approximation.
    pub(crate) fn next(&mut self, trip: &Trip) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Directions, Network, Road};

    /// Two paths from 0 to 1: one road, and two roads over node 2.
    fn trip() -> Trip {
        let road = |source, target, open| Road { source, target, time: 1.0, open };
        let roads = vec![road(0, 1, 0.2), road(0, 2, 0.5), road(2, 1, 0.6)];
        Trip::new(Network::new(3, roads, Directions::Both).unwrap(), 0, 1).unwrap()
    }

    /// Compares how often each road is open to its probability, within five standard errors.
    fn assert_shares(weathers: impl Iterator<Item = Weather>, expected: [f64; 3]) {
        let mut open = [0.0; 3];
        let mut count = 0.0;
        for weather in weathers {
            count += 1.0;
            for (sum, &state) in open.iter_mut().zip(&weather.open) {
                *sum += f64::from(u8::from(state));
            }
        }
        for (sum, p) in open.iter().zip(expected) {
            let error = (p * (1.0 - p) / count).sqrt();
            assert!((sum / count - p).abs() <= 5.0 * error, "{open:?} of {count}, {expected:?}");
        }
    }

    /// Connected: `1 - 0.8 (1 - 0.3) = 0.44`.
    #[test]
    fn all_weathers_connect_start_and_goal() {
        let trip = trip();
        let weathers = (0..20_000).map(|run| Weather::draw(&trip, Seed(5).child(run)).unwrap());
        // With the second road open: 0.5 (1 - 0.8 * 0.4); with the third open: 0.6 (1 - 0.8 * 0.5).
        assert_shares(weathers, [0.2 / 0.44, 0.34 / 0.44, 0.36 / 0.44]);
    }

    #[test]
    fn forecasts_fit_what_was_seen() {
        let trip = trip();
        let mut forecast = Forecast::new(&trip, Seed(6).stream());
        let mut belief = Belief::unseen(&trip);
        let mut weathers = |belief: &Belief| {
            forecast.fit(belief);
            let draw = |_| {
                forecast.next(&trip);
                forecast.weather().clone()
            };
            (0..20_000).map(draw).collect::<Vec<_>>().into_iter()
        };
        assert_shares(weathers(&belief), [0.2 / 0.44, 0.34 / 0.44, 0.36 / 0.44]);
        belief.learn(0, Status::Closed);
        assert_shares(weathers(&belief), [0.0, 1.0, 1.0]);
        belief.forget(0);
        belief.learn(1, Status::Open);
        assert_shares(weathers(&belief), [0.2 / 0.68, 1.0, 0.6 / 0.68]);
    }

    /// Even if a connection has probability 1e-24, one is found.
    #[test]
    fn a_forecast_always_ends() {
        let road = |source, target| Road { source, target, time: 1.0, open: 1e-12 };
        let network = Network::new(3, vec![road(0, 1), road(1, 2)], Directions::Both).unwrap();
        let trip = Trip::new(network, 0, 2).unwrap();
        let mut forecast = Forecast::new(&trip, Seed(7).stream());
        forecast.fit(&Belief::unseen(&trip));
        forecast.next(&trip);
        assert!(forecast.weather().connects(&trip));
    }
}
