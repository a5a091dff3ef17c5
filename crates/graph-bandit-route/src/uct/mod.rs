//! UCT with optimistic rollouts, after Eyerich, Keller and Helmert, *High-quality policies for the Canadian Traveler's
//! Problem* (AAAI 2010).
//!
//! A tree of beliefs grows by one belief per rollout. Each rollout draws a weather that fits what
//! is known and connects start and goal. It descends the tree by the moves of least `mean - bias *
//! value * sqrt(ln n / n_move)`, adds the first belief not yet in the tree, and finishes the trip
//! with the optimistic policy. A new move starts as if `prior` rollouts had taken the optimistic
//! time. The policy takes the move of least mean.
//!
//! Beliefs are looked up by what was seen, so paths to the same belief share it, and later
//! decisions reuse it.

mod tree;

use crate::belief::Belief;
use crate::known_ways::KnownWays;
use crate::moves::{KnownOpen, Move};
use crate::network::RoadId;
use crate::policy::Policy;
use crate::trip::Trip;
use crate::weather::Forecast;
use graph_bandit::Seed;
use tree::{Choice, Tree};

/// The options of the search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UctOptions {
    /// The number of rollouts per decision.
    pub rollouts: u32,
    /// How much to explore, as a share of the mean remaining time.
    pub bias: f64,
    /// The weight of the optimistic time of a new move, in rollouts.
    pub prior: f64,
}

impl Default for UctOptions {
    fn default() -> Self {
        Self { rollouts: 10_000, bias: 0.5, prior: 20.0 }
    }
}

/// Looks ahead by rollouts.
#[derive(Debug, Clone)]
pub struct Uct<'a> {
    options: UctOptions,
    ways: KnownWays<'a>,
    open: KnownOpen,
    tree: Tree,
    forecast: Forecast,
    belief: Belief,
    moves: Vec<Move>,
    /// The choices of a rollout, each with the time before it.
    path: Vec<(u32, f64)>,
    /// The time assigned to a rollout that got stuck.
    stuck: f64,
}

impl<'a> Uct<'a> {
    /// The policy for one trip; all randomness comes from the seed.
    pub fn new(trip: &'a Trip, options: UctOptions, seed: Seed) -> Self {
        let all_roads: f64 = trip.network().roads().iter().map(|road| road.time).sum();
        Self {
            options,
            ways: KnownWays::new(trip),
            open: KnownOpen::default(),
            tree: Tree::default(),
            forecast: Forecast::new(trip, seed.stream()),
            belief: Belief::unseen(trip),
            moves: Vec::new(),
            path: Vec::new(),
            // More than any trip that arrives needs, so that few risks are worth taking.
            stuck: 10.0 * all_roads,
        }
    }

    /// Adds a belief to the tree and returns its number.
    fn add(&mut self, belief: &Belief) -> u32 {
        self.moves.clear();
        let table = self.ways.of(belief);
        self.open.moves(&self.ways, table, belief, &mut self.moves);
        let prior = self.options.prior;
        let choices = self.moves.iter().map(|&to| Choice::new(to, prior));
        self.tree.add(belief.key(), choices)
    }

    fn rollout(&mut self, root: &Belief) {
        let trip = self.ways.trip();
        let mut belief = std::mem::replace(&mut self.belief, Belief::empty());
        belief.copy(root);
        self.forecast.next(trip);
        self.path.clear();
        let mut time = 0.0;
        while belief.place() != trip.goal() {
            let Some(node) = self.tree.find(belief.key()) else {
                if !self.tree.is_full() {
                    self.add(&belief);
                }
                time += self.optimistic(&mut belief);
                break;
            };
            let Some(chosen) = self.tree.choose(node, self.options.bias) else {
                time += self.stuck;
                break;
            };
            let to = self.tree.choice(chosen).to;
            self.path.push((chosen, time));
            time += to.time;
            belief.put(to.node);
            belief.observe(trip, self.forecast.weather());
        }
        for &(chosen, before) in &self.path {
            self.tree.choice_mut(chosen).tell(time - before);
        }
        self.belief = belief;
    }

    /// The time to the goal by the optimistic policy in the rollout's weather.
    fn optimistic(&mut self, belief: &mut Belief) -> f64 {
        let trip = self.ways.trip();
        let network = trip.network();
        let mut time = 0.0;
        let mut known = belief.closed_key();
        let mut table = self.ways.of(belief);
        while belief.place() != trip.goal() {
            let Some(step) = self.ways.next(table, belief.place()) else {
                return time + self.stuck;
            };
            time += network.time(step.road);
            belief.put(step.node);
            belief.observe(trip, self.forecast.weather());
            if belief.closed_key() != known {
                known = belief.closed_key();
                table = self.ways.of(belief);
            }
        }
        time
    }
}

impl Policy for Uct<'_> {
    fn plan(&mut self, belief: &Belief, leg: &mut Vec<RoadId>) {
        if self.tree.is_full() {
            self.tree = Tree::default();
        }
        let node = self.tree.find(belief.key()).unwrap_or_else(|| self.add(belief));
        if self.tree.choices(node) > 1 {
            self.forecast.fit(belief);
            for _ in 0..self.options.rollouts {
                self.rollout(belief);
            }
        }
        let Some(best) = self.tree.best(node) else { return };
        let trip = self.ways.trip();
        let goal = trip.goal();
        self.open.search(trip, belief, |node| node != goal && !belief.is_new(trip, node));
        self.open.way_to(self.tree.choice(best).to.node, leg);
    }
}
