//! Roads that close and reopen at random.
//!
//! A road is open or closed and changes at exponential times. It is a continuous-time Markov chain
//! with two states: it closes at rate `a` and reopens at rate `b` per unit of time. If `b` is 0, it
//! stays closed. Its state at a moment is a pure function of the run's seed, the road and the
//! moment. Durations come from the road's own stream, so it does not matter who asks, when or how
//! often.

use crate::clock::Time;
use crate::field::Edge;
use crate::graph::{Graph, NodeId};
use crate::random::{Seed, label, open_unit};
use std::collections::BTreeMap;
use thiserror::Error;

/// The highest rate at which a road may close or reopen, per unit of time.
pub const MAX_RATE: f64 = 1_000.0;

/// The lowest reopening rate above 0: nobody waits a million visits.
pub const MIN_REOPENING: f64 = 1e-6;

/// How a road closes and reopens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ClosureRates {
    closing: f64,
    reopening: f64,
    at_start: f64,
}

/// Why closures are invalid.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ClosureError {
    /// The closing rate is out of range.
    #[error("roads cannot close at rate {0}; give a number from 0 to {MAX_RATE}, per unit of time")]
    Closing(f64),
    /// The reopening rate is out of range.
    #[error(
        "roads cannot reopen at rate {0}; give 0 (closed for good) or a number from \
         {MIN_REOPENING} to {MAX_RATE}, per unit of time"
    )]
    Reopening(f64),
    /// The probability is out of range.
    #[error("roads cannot start closed with probability {0}; give a number from 0 to 1")]
    AtStart(f64),
    /// The graph does not have this road.
    #[error("closures name a road from node {} to node {}, which the graph does not have", .0.0, .0.1)]
    NoSuchRoad(Edge),
}

impl ClosureRates {
    /// Closing and reopening rates per unit of time. A road that reopens starts closed with
    /// probability `closing / (closing + reopening)`, its stationary probability. A road that never
    /// reopens starts open.
    ///
    /// # Errors
    /// When a rate is negative, not a number or too high, or a reopening rate is too low to wait for.
    pub fn new(closing: f64, reopening: f64) -> Result<Self, ClosureError> {
        if !(0.0..=MAX_RATE).contains(&closing) {
            return Err(ClosureError::Closing(closing));
        }
        if reopening != 0.0 && !(MIN_REOPENING..=MAX_RATE).contains(&reopening) {
            return Err(ClosureError::Reopening(reopening));
        }
        let at_start = if reopening > 0.0 { closing / (closing + reopening) } else { 0.0 };
        Ok(Self { closing, reopening, at_start })
    }

    /// The same rates, with another probability that the road starts closed.
    ///
    /// # Errors
    /// When the probability is not from 0 to 1.
    pub fn closed_at_start(self, chance: f64) -> Result<Self, ClosureError> {
        if !(0.0..=1.0).contains(&chance) {
            return Err(ClosureError::AtStart(chance));
        }
        Ok(Self { at_start: chance, ..self })
    }

    /// How often an open road closes, per unit of time.
    pub fn closing(&self) -> f64 {
        self.closing
    }

    /// How often a closed road reopens, per unit of time; 0 if never.
    pub fn reopening(&self) -> f64 {
        self.reopening
    }

    /// How much longer a road is expected to stay closed, `since` after it was seen closed: the
    /// probability `e^(-b t)` that it has not reopened, times `1 / b`.
    pub(crate) fn expected_wait(&self, since: f64) -> f64 {
        libm::exp(-self.reopening * since) / self.reopening
    }
}

/// Which roads close at random, and how.
#[derive(Debug, Clone, PartialEq)]
pub enum Closures {
    /// All roads, with the same rates.
    All(ClosureRates),
    /// These roads; all others stay open. A road is named by its direction. On a graph of two-way
    /// edges that take no time, name an edge by its nodes in either order; it closes in both
    /// directions.
    Some(BTreeMap<Edge, ClosureRates>),
}

impl Closures {
    /// Checks that the graph has these roads.
    pub(crate) fn check(&self, graph: &Graph) -> Result<(), ClosureError> {
        let Self::Some(roads) = self else { return Ok(()) };
        let is_there =
            |&(a, b): &Edge| a != b && (a.max(b) as usize) < graph.len() && graph.allows(a, b);
        roads
            .keys()
            .find(|road| !is_there(road))
            .map_or(Ok(()), |&road| Err(ClosureError::NoSuchRoad(road)))
    }

    fn rates(&self, graph: &Graph, (a, b): Edge) -> Option<ClosureRates> {
        match self {
            Self::All(rates) => Some(*rates),
            Self::Some(roads) if graph.roads().is_some() => roads.get(&(a, b)).copied(),
            Self::Some(roads) => roads.get(&(a, b)).or_else(|| roads.get(&(b, a))).copied(),
        }
    }
}

/// The state of one road, advanced from moment to moment.
#[derive(Debug, Clone, Copy)]
struct Chain {
    rates: ClosureRates,
    seed: Seed,
    /// How many numbers of the seed's stream have been used.
    drawn: u64,
    is_closed: bool,
    /// When the state changes next.
    until: f64,
}

impl Chain {
    fn new(rates: ClosureRates, run: Seed, (a, b): Edge) -> Self {
        let seed = run.child(label::CLOSURES).child((u64::from(a) << 32) | u64::from(b));
        let is_closed = seed.unit(0) < rates.at_start;
        let mut chain = Self { rates, seed, drawn: 1, is_closed, until: 0.0 };
        chain.until = chain.duration();
        chain
    }

    fn duration(&mut self) -> f64 {
        let rate = if self.is_closed { self.rates.reopening } else { self.rates.closing };
        if rate == 0.0 {
            return f64::INFINITY;
        }
        let bits = self.seed.bits(self.drawn);
        self.drawn += 1;
        -libm::log(open_unit(bits)) / rate
    }

    /// Whether the road is closed at `at`. Moments must not decrease between calls.
    fn advance_to(&mut self, at: f64) -> bool {
        while self.until <= at {
            self.is_closed = !self.is_closed;
            self.until += self.duration();
        }
        self.is_closed
    }
}

/// The states of all roads of a run, advanced from moment to moment.
#[derive(Debug, Clone)]
pub(crate) struct RoadStates {
    chains: Vec<Chain>,
    roads: Vec<Edge>,
    /// The chain of each entry in the graph's rows; `NEVER` for roads that do not close.
    by_entry: Vec<u32>,
}

const NEVER: u32 = u32::MAX;

impl RoadStates {
    pub(crate) fn new(graph: &Graph, closures: &Closures, run: Seed) -> Self {
        let mut states = Self {
            chains: Vec::new(),
            roads: Vec::new(),
            by_entry: vec![NEVER; graph.row_entries()],
        };
        for road in graph.closable() {
            let Some(rates) = closures.rates(graph, road) else { continue };
            let number = states.chains.len() as u32;
            states.chains.push(Chain::new(rates, run, road));
            states.roads.push(road);
            let back = if graph.roads().is_none() { graph.entry(road.1, road.0) } else { None };
            for entry in graph.entry(road.0, road.1).into_iter().chain(back) {
                states.by_entry[entry] = number;
            }
        }
        states
    }

    /// The road or edge of an entry in the graph's rows and its rates, if it ever closes.
    pub(crate) fn road(&self, entry: usize) -> Option<(Edge, ClosureRates)> {
        let number = self.by_entry[entry] as usize;
        Some((*self.roads.get(number)?, self.chains.get(number)?.rates))
    }

    /// Whether the road of an entry is closed at `at`. Moments must not decrease between calls.
    pub(crate) fn is_closed(&mut self, entry: usize, at: Time) -> bool {
        self.chains
            .get_mut(self.by_entry[entry] as usize)
            .is_some_and(|chain| chain.advance_to(at.0))
    }

    /// Advances all roads to a moment and returns when the first of them changes next.
    pub(crate) fn advance_to(&mut self, at: Time) -> f64 {
        self.chains.iter_mut().fold(f64::INFINITY, |first, chain| {
            chain.advance_to(at.0);
            first.min(chain.until)
        })
    }

    /// Whether the road of an entry was closed at the last moment asked for.
    #[inline]
    pub(crate) fn was_closed(&self, entry: usize) -> bool {
        self.chains.get(self.by_entry[entry] as usize).is_some_and(|chain| chain.is_closed)
    }

    /// All roads that were closed at the last moment asked for.
    pub(crate) fn closed(&self) -> impl Iterator<Item = Edge> + '_ {
        self.roads
            .iter()
            .zip(&self.chains)
            .filter(|(_, chain)| chain.is_closed)
            .map(|(&road, _)| road)
    }
}

/// Whether the road from one node to another is closed at a moment of a run.
pub(crate) fn is_closed(
    (graph, closures): (&Graph, &Closures),
    run: Seed,
    (from, to): (NodeId, NodeId),
    at: Time,
) -> bool {
    let road = if graph.roads().is_some() { (from, to) } else { (from.min(to), from.max(to)) };
    closures.rates(graph, road).is_some_and(|rates| Chain::new(rates, run, road).advance_to(at.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_road_is_closed_as_often_and_as_long_as_its_rates_say() {
        let graph = Graph::line(401).unwrap();
        let rates = ClosureRates::new(0.05, 0.2).unwrap();
        let mut states = RoadStates::new(&graph, &Closures::All(rates), Seed(3));
        let (mut closed, mut kept_closed, mut was) = (0_u32, 0_u32, [false; 400]);
        for t in 0..1000 {
            for a in 0..400_u32 {
                let entry = graph.entry(a, a + 1).unwrap();
                let is = states.is_closed(entry, Time(f64::from(t)));
                let there = std::mem::replace(&mut was[a as usize], is);
                closed += u32::from(is);
                kept_closed += u32::from(is && there);
            }
        }
        // Stationary: a / (a + b) = 0.2; closed a unit later: 0.2 + 0.8 e^(-0.25) = 0.823.
        let share = f64::from(closed) / 400_000.0;
        assert!((share - 0.2).abs() < 0.005, "{share}");
        let kept = f64::from(kept_closed) / f64::from(closed);
        assert!((kept - 0.823).abs() < 0.006, "{kept}");
    }

    #[test]
    fn the_state_of_a_road_is_a_pure_function_of_the_moment() {
        let graph = Graph::circle(9).unwrap();
        let closures = Closures::All(ClosureRates::new(0.3, 0.5).unwrap());
        let mut every = RoadStates::new(&graph, &closures, Seed(8));
        let mut seldom = every.clone();
        for t in 0..400 {
            let at = Time(f64::from(t) * 0.37);
            every.advance_to(at);
            for (from, to) in graph.edges() {
                let there = graph.entry(from, to).unwrap();
                let back = graph.entry(to, from).unwrap();
                let is = is_closed((&graph, &closures), Seed(8), (to, from), at);
                assert_eq!((every.was_closed(there), every.was_closed(back)), (is, is));
                if (t + from) % 17 == 0 {
                    assert_eq!(seldom.is_closed(back, at), is);
                }
            }
            assert_eq!(every.closed().count(), every.chains.iter().filter(|c| c.is_closed).count());
        }
    }

    #[test]
    fn a_road_that_never_reopens_stays_closed() {
        let graph = Graph::circle(50).unwrap();
        let rates = ClosureRates::new(0.01, 0.0).unwrap();
        let mut states = RoadStates::new(&graph, &Closures::All(rates), Seed(1));
        let (mut before, mut first) = (0, f64::INFINITY);
        for t in 0..100 {
            first = first.min(states.advance_to(Time(f64::from(t))));
            let closed = states.closed().count();
            assert!(closed >= before && (t > 0 || closed == 0));
            before = closed;
        }
        // 1 - e^(-0.99) of 50 are 31.
        assert!((20..42).contains(&before) && first < 10.0, "{before} {first}");
        let never = ClosureRates::new(0.0, 0.0).unwrap().closed_at_start(0.5).unwrap();
        let mut states = RoadStates::new(&graph, &Closures::All(never), Seed(1));
        let closed = states.closed().count();
        assert_eq!(states.advance_to(Time(1e12)), f64::INFINITY);
        assert_eq!(states.closed().count(), closed);
        assert!((12..38).contains(&closed), "{closed}");
    }

    #[test]
    fn bad_rates_are_refused_with_a_remedy() {
        for bad in [-0.1, f64::NAN, f64::INFINITY, 1001.0] {
            assert!(
                ClosureRates::new(bad, 1.0).unwrap_err().to_string().contains("from 0 to 1000")
            );
            let refused = ClosureRates::new(1.0, bad).unwrap_err().to_string();
            assert!(refused.contains("closed for good"), "{refused}");
        }
        assert_eq!(ClosureRates::new(0.1, 1e-9), Err(ClosureError::Reopening(1e-9)));
        let rates = ClosureRates::new(0.1, 0.3).unwrap();
        assert_eq!(rates.closed_at_start(1.5), Err(ClosureError::AtStart(1.5)));
        assert_eq!((rates.at_start, rates.expected_wait(0.0)), (0.1 / (0.1 + 0.3), 1.0 / 0.3));
        let line = Graph::line(3).unwrap();
        let roads = |road| Closures::Some(BTreeMap::from([(road, rates)]));
        assert_eq!(roads((0, 2)).check(&line), Err(ClosureError::NoSuchRoad((0, 2))));
        assert!(roads((9, 2)).check(&line).is_err() && roads((2, 1)).check(&line).is_ok());
    }
}
