//! The optimal policy, by enumerating beliefs.
//!
//! `V(b) = min over moves of time + sum over possible observations of P(seen | b, connected)
//! V(b')`, where `P(seen | b, connected) = P(seen) C(b') / C(b)` and `C(b)` is the probability that
//! start and goal are connected, given `b`. Moves never repeat a belief, so the recursion ends.

use crate::belief::{Belief, Status};
use crate::connected::Reach;
use crate::enumeration::check_uncertain;
use crate::error::RouteError;
use crate::keys::KeyMap;
use crate::known_ways::KnownWays;
use crate::moves::{KnownOpen, Move};
use crate::network::RoadId;
use crate::policy::Policy;
use crate::trip::Trip;
use graph_bandit::NodeId;

/// The policy of least mean travel time, given that start and goal are connected.
#[derive(Debug, Clone)]
pub struct Exact<'a> {
    ways: KnownWays<'a>,
    open: KnownOpen,
    reach: Reach,
    /// The value and best move of each belief, once known.
    best: KeyMap<Best>,
    /// The probability that start and goal are connected, by what was seen.
    connected: KeyMap<f64>,
    mean: f64,
}

#[derive(Debug, Clone, Copy)]
struct Best {
    value: f64,
    to: Option<NodeId>,
}

impl<'a> Exact<'a> {
    /// Computes the policy.
    ///
    /// # Errors
    /// When more than [`MOST_UNCERTAIN`](crate::MOST_UNCERTAIN) roads are uncertain.
    ///
    /// # Complexity
    /// Up to `3^uncertain` beliefs in time and memory; usually far fewer are reachable.
    pub fn new(trip: &'a Trip) -> Result<Self, RouteError> {
        check_uncertain(trip)?;
        let mut exact = Self {
            ways: KnownWays::new(trip),
            open: KnownOpen::default(),
            reach: Reach::default(),
            best: KeyMap::default(),
            connected: KeyMap::default(),
            mean: 0.0,
        };
        let mut belief = Belief::unseen(trip);
        exact.mean = exact.value_before_seeing(&mut belief);
        Ok(exact)
    }

    /// The mean travel time; infinite if every policy may get stuck.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The number of beliefs examined.
    pub fn beliefs(&self) -> usize {
        self.best.len()
    }

    /// The mean over everything that may be seen at the belief's place.
    fn value_before_seeing(&mut self, belief: &mut Belief) -> f64 {
        let trip = self.ways.trip();
        if belief.place() == trip.goal() {
            return 0.0;
        }
        let seen = trip.network().seen_at(belief.place()).iter().map(|step| step.road);
        let unknown: Vec<RoadId> =
            seen.filter(|&road| belief.status(road) == Status::Unknown).collect();
        let connected = self.connected(belief);
        let mut mean = 0.0;
        for number in 0..1_u64 << unknown.len() {
            let mut probability = 1.0;
            for (bit, &road) in unknown.iter().enumerate() {
                let open = trip.network().roads()[road as usize].open;
                let (status, chance) = match number >> bit & 1 {
                    1 => (Status::Open, open),
                    _ => (Status::Closed, 1.0 - open),
                };
                belief.learn(road, status);
                probability *= chance;
            }
            let weight = probability * self.connected(belief) / connected;
            if weight > 0.0 {
                mean += weight * self.best(belief).value;
            }
            for &road in &unknown {
                belief.forget(road);
            }
        }
        mean
    }

    /// The best move from a belief.
    fn best(&mut self, belief: &mut Belief) -> Best {
        if let Some(&best) = self.best.get(&belief.key()) {
            return best;
        }
        let mut best = Best { value: f64::INFINITY, to: None };
        let place = belief.place();
        let mut moves = Vec::new();
        let table = self.ways.of(belief);
        self.open.moves(&self.ways, table, belief, &mut moves);
        // The most promising first, so that others can be pruned.
        moves.sort_by(|a, b| (a.time + a.rest).total_cmp(&(b.time + b.rest)));
        for Move { node, time, rest } in moves {
            if time + rest < best.value {
                belief.put(node);
                let value = time + self.value_before_seeing(belief);
                if value < best.value {
                    best = Best { value, to: Some(node) };
                }
            }
        }
        belief.put(place);
        self.best.insert(belief.key(), best);
        best
    }

    /// The probability that start and goal are connected, given what was seen.
    fn connected(&mut self, belief: &mut Belief) -> f64 {
        if let Some(&connected) = self.connected.get(&belief.seen_key()) {
            return connected;
        }
        let trip = self.ways.trip();
        let status = belief.roads();
        let connected = if self.reach.connects(trip, |road| status[road] == Status::Open) {
            1.0
        } else if !self.reach.connects(trip, |road| status[road] != Status::Closed) {
            0.0
        } else {
            self.split(belief)
        };
        self.connected.insert(belief.seen_key(), connected);
        connected
    }

    /// Like [`connected`](Self::connected), split by the two states of the first unseen road.
    fn split(&mut self, belief: &mut Belief) -> f64 {
        let unknown = belief.roads().iter().position(|&status| status == Status::Unknown);
        // If every road is known, the answer is already decided.
        let Some(road) = unknown else { return 0.0 };
        let open = self.ways.trip().network().roads()[road].open;
        let road = road as RoadId;
        belief.learn(road, Status::Open);
        let if_open = self.connected(belief);
        belief.forget(road);
        belief.learn(road, Status::Closed);
        let if_closed = self.connected(belief);
        belief.forget(road);
        open * if_open + (1.0 - open) * if_closed
    }
}

impl Policy for Exact<'_> {
    fn plan(&mut self, belief: &Belief, leg: &mut Vec<RoadId>) {
        let mut scratch = belief.clone();
        if let Some(to) = self.best(&mut scratch).to {
            let trip = self.ways.trip();
            let goal = trip.goal();
            self.open.search(trip, belief, |node| node != goal && !belief.is_new(trip, node));
            self.open.way_to(to, leg);
        }
    }
}
