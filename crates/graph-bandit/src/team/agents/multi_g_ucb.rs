//! Multi-G-UCB (Algorithm 1 of Paschalidis, Zhang and Li, 2024): optimism, the best allocation, the
//! cheapest ways there, and stays until a chosen node's draws have doubled.
//!
//! `U_k = mean_k + bonus sqrt(2 ln t / n_k)`; the allocation maximizes `sum f_k(c_k) U_k`; walkers and
//! places are matched so that the ways cost least, where entering node `v` costs `max U - U_v`.
//! Episodes are synchronous: everybody waits for the last. How many draws a node will have is known
//! in advance, so an episode is one leg per walker.

use super::cover::{DepthFirst, Marks};
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::logarithms::log;
use crate::plan::RoadCosts;
use crate::raised::Raised;
use crate::random::Stream;
use crate::team::planning::{
    Allocation, Allocator, Limits, Ranking, Seats, SpMatching, Transition, WayRules,
    is_small_and_dense,
};
use crate::team::{Draws, Post, TeamAgent, TeamSituation};
use std::sync::Arc;

/// When an episode ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Until {
    /// The draws of the chosen node with the fewest have doubled.
    Least,
    /// Those of the chosen node of median rank have doubled.
    Median,
    /// Those of the chosen node with the most have doubled.
    Most,
    /// Everybody has arrived and drawn once.
    OneVisit,
}

/// When a node's bound is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refresh {
    /// All bounds at the start of every episode, as in the paper.
    Episodes,
    /// Each whenever its node is drawn, as in the authors' program.
    Draws,
}

/// Which nodes set the price of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prices {
    /// The highest bound of all nodes, as in the paper.
    All,
    /// The highest bound of the chosen nodes, as in the authors' program.
    Chosen,
}

/// How long a way may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hops {
    /// At most as many hops as the diameter, as in the paper.
    Diameter,
    /// Any number, as in the authors' program.
    Any,
}

/// When walkers set out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Departure {
    /// At once, as in the paper.
    AtOnce,
    /// After one more draw where they are, as in the authors' program.
    AfterADraw,
}

/// How many reaches of recent times are at hand.
const RECENT: usize = 16;

/// The parts of [`MultiGUcb`].
#[derive(Debug, Clone, Copy)]
pub struct MultiParameters {
    /// Scales the confidence radius.
    pub bonus: f64,
    /// When an episode ends.
    pub until: Until,
    /// How walkers first see every node.
    pub marks: Marks,
    /// When bounds are computed.
    pub refresh: Refresh,
    /// What a step costs.
    pub prices: Prices,
    /// How long a way may be.
    pub hops: Hops,
    /// When walkers set out.
    pub departure: Departure,
}

/// Multi-G-UCB.
#[derive(Debug, Clone)]
pub struct MultiGUcb {
    parameters: MultiParameters,
    cover: DepthFirst,
    /// The step after which every node was marked; zero until then.
    covered_at: u64,
    allocator: Option<Allocator>,
    bounds: Vec<f64>,
    /// The time of each node's last draw, and the reach of its radius then.
    times: Vec<u64>,
    reaches: Vec<f64>,
    /// The nodes drawn since the last plan.
    redrawn: Vec<NodeId>,
    /// The nodes by their bounds, on small graphs.
    ranking: Ranking,
    matching: SpMatching,
    /// The memory of the last transition: where walkers were, the places, and the ways.
    starts: Vec<NodeId>,
    places: Vec<NodeId>,
    transition: Transition,
    /// The steps of each way.
    taken: Vec<u64>,
    /// How many walkers are on the decisive node after each step on the way.
    there: Vec<u64>,
    diameter: Option<u32>,
}

impl MultiGUcb {
    /// An agent with these parameters.
    pub fn new(parameters: MultiParameters) -> Self {
        Self {
            parameters,
            cover: DepthFirst::new(parameters.marks),
            covered_at: 0,
            allocator: None,
            bounds: Vec::new(),
            times: Vec::new(),
            reaches: Vec::new(),
            redrawn: Vec::new(),
            ranking: Ranking::default(),
            matching: SpMatching::default(),
            starts: Vec::new(),
            places: Vec::new(),
            transition: Transition::default(),
            taken: Vec::new(),
            there: Vec::new(),
            diameter: None,
        }
    }

    /// Computes the bounds of all nodes.
    fn bound(&mut self, now: &TeamSituation<'_>) {
        let MultiParameters { bonus, refresh, .. } = self.parameters;
        let reach = |t: u64| bonus * (2.0 * log(t.max(1))).sqrt();
        self.bounds.clear();
        let covered_at = self.covered_at;
        if refresh == Refresh::Episodes {
            let now_reach = reach(now.step);
            self.bounds.extend(now.estimates.all().iter().map(|seen| seen.bound(now_reach)));
            return;
        }
        let count = now.drawn.len();
        self.reaches.resize(count, 0.0);
        self.times.resize(count, 0);
        self.redrawn.resize(count + 1, 0);
        // Few nodes are drawn in an episode, but which ones is unpredictable. So there are no branches.
        let mut redrawn = 0;
        let (list, times) = (&mut self.redrawn[..=count], &mut self.times[..count]);
        for (node, (&drawn, time)) in now.drawn.iter().zip(times).enumerate() {
            // The program starts to count at 1, and does not count the last step of the cover.
            let t = drawn + u64::from(drawn < covered_at);
            list[redrawn] = node as NodeId;
            redrawn += usize::from(*time != t);
            *time = t;
        }
        // Nodes are drawn together, at few different times.
        let mut recent = [(0, reach(0)); RECENT];
        for &node in &self.redrawn[..redrawn] {
            let t = self.times[node as usize];
            let recent = &mut recent[t as usize % RECENT];
            if recent.0 != t {
                *recent = (t, reach(t));
            }
            self.reaches[node as usize] = recent.1;
        }
        let nodes = now.estimates.all().iter().zip(&self.reaches);
        self.bounds.extend(nodes.map(|(seen, &reach)| seen.bound(reach)));
    }

    /// The chosen node whose draws decide when the episode ends.
    fn decisive(&mut self, now: &TeamSituation<'_>, chosen: &Allocation) -> NodeId {
        let places = &mut self.places;
        places.clear();
        places.extend(chosen.places());
        let rank = match self.parameters.until {
            Until::Least | Until::OneVisit => 0,
            Until::Median => places.len() / 2,
            Until::Most => places.len() - 1,
        };
        // Of places with as many draws, the lowest counts first.
        let by_count = |&place: &NodeId| (now.estimates.count(place), place);
        *places.select_nth_unstable_by_key(rank, by_count).1
    }

    /// Fills in the ways of all walkers to the chosen places.
    fn lay_ways(
        &mut self,
        now: &TeamSituation<'_>,
        chosen: &Allocation,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        let of_chosen = chosen.counts.iter().map(|&(node, _)| self.bounds[node as usize]);
        let top = match self.parameters.prices {
            Prices::All => self.bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            Prices::Chosen => of_chosen.fold(f64::NEG_INFINITY, f64::max),
        };
        let most_hops = match self.parameters.hops {
            Hops::Any => None,
            Hops::Diameter => Some(*self.diameter.get_or_insert_with(|| now.graph.diameter())),
        };
        self.starts.clear();
        self.starts.extend(now.posts.iter().map(Post::at));
        self.places.clear();
        self.places.extend(chosen.places());
        let bounds = &self.bounds;
        let entry = |node: NodeId| (top - bounds[node as usize]).max(0.0);
        // A unit of time on a road misses what the best node is believed to pay.
        let costs = RoadCosts { entry, time: top.max(0.0) };
        let rules = WayRules { graph: now.graph, costs, most_hops };
        let transition = &mut self.transition;
        let sides = (&self.starts[..], &self.places[..]);
        let ranking = is_small_and_dense(now.graph).then_some(&self.ranking);
        self.matching.find_into(&rules, sides, ranking, transition)?;
        for (walker, leg) in legs.iter_mut().enumerate() {
            leg.path.clear();
            if self.parameters.departure == Departure::AfterADraw {
                leg.path.push(self.starts[walker]);
            }
            leg.path.extend_from_slice(&transition.paths[walker]);
            leg.stay = 0;
        }
        Ok(())
    }

    /// Makes all legs end together, when the draws of the decisive node have doubled.
    fn lay_stays(&mut self, now: &TeamSituation<'_>, decisive: NodeId, legs: &mut [Leg]) {
        let of_walkers = now.posts.iter().zip(legs.iter());
        let steps = |(post, leg): (&Post, &Leg)| post.steps_of(now.graph, &leg.path);
        let taken = &mut self.taken;
        taken.clear();
        taken.extend(of_walkers.map(steps));
        let last = taken.iter().copied().max().unwrap_or(0);
        let draws_on_way = draws_on_way(now, decisive, (legs, taken), (last, &mut self.there));
        let there = now.posts.iter().zip(legs.iter());
        let there =
            there.filter(|(post, leg)| leg.destination(post.at()) == decisive).count() as u64;
        let per_step = match now.draws {
            Draws::One => 1,
            Draws::Own => there.max(1),
        };
        let stay = match self.parameters.until {
            Until::OneVisit => u64::from(last == 0),
            Until::Least | Until::Median | Until::Most => {
                let wanted = now.estimates.count(decisive).saturating_sub(draws_on_way);
                // An episode has at least one step.
                wanted.div_ceil(per_step).max(u64::from(last == 0))
            }
        };
        for (leg, taken) in legs.iter_mut().zip(taken) {
            leg.stay = last - *taken + stay;
        }
    }
}

impl TeamAgent for MultiGUcb {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        _stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        if self.covered_at == 0 {
            if self.cover.next_step(now, legs) {
                return Ok(());
            }
            self.covered_at = now.step;
        }
        self.bound(now);
        let limits = Limits { walkers: now.walkers(), seats: Seats::Each(now.seats) };
        let fresh = || Allocator::new(Arc::clone(now.sharing));
        let allocator = self.allocator.get_or_insert_with(fresh);
        // Elsewhere, matchings have no use for a ranking, and it takes longer.
        let chosen = if is_small_and_dense(now.graph) {
            self.ranking.update(&self.bounds);
            allocator.best_ranked((&self.bounds, &self.ranking), limits)?
        } else {
            allocator.best(&self.bounds, limits)?
        };
        let decisive = self.decisive(now, &chosen);
        self.lay_ways(now, &chosen, legs)?;
        self.lay_stays(now, decisive, legs);
        Ok(())
    }

    fn reads_squares(&self) -> bool {
        false
    }
}

/// The draws of `node` until the last walker has arrived.
fn draws_on_way(
    now: &TeamSituation<'_>,
    node: NodeId,
    (legs, taken): (&[Leg], &[u64]),
    (last, walkers_there): (u64, &mut Vec<u64>),
) -> u64 {
    walkers_there.clear();
    walkers_there.resize(last as usize, 0);
    for ((post, leg), &taken) in now.posts.iter().zip(legs).zip(taken) {
        let (mut from, mut step) = (post.at(), 0);
        for &to in &leg.path {
            step += 1 + post.steps_on_road(now.graph, from, to);
            if to == node {
                walkers_there[step as usize - 1] += 1;
            }
            from = to;
        }
        if from == node {
            for there in &mut walkers_there[taken as usize..] {
                *there += 1;
            }
        }
    }
    match now.draws {
        Draws::One => walkers_there.iter().filter(|there| **there > 0).count() as u64,
        Draws::Own => walkers_there.iter().sum(),
    }
}
