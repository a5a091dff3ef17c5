//! The best static allocation: how many walkers belong on each node.
//!
//! With `f_k` the shares and `v_k` the value of node `k`, it maximizes `sum f_k(c_k) v_k` over all
//! counts `c_k` that add up to the number of walkers. Values may be negative, but every walker must
//! be somewhere.
//!
//! Two methods are exact up to rounding.
//! - **Greedy** takes the largest marginal gain again and again. It is exact if no gain
//!   `(f_k(c + 1) - f_k(c)) v_k` of a node exceeds the one before it. If shares are concave, that
//!   holds for values of at least 0. Below 0 gains rise where shares are strictly concave, but greedy
//!   stays exact if the nodes of values of at least 0 have seats for everybody: all gains there are at
//!   least 0, and the first walker on any other node has a negative gain, so none goes there.
//! - **Dynamic programming** over nodes is exact for all shares and values. It need not try every
//!   count on every node. If some node has `c` of `M` walkers, at most `M - c` other nodes are in
//!   use. So of the `M - c + 1` nodes that pay most for `c` walkers, one is free or is that node:
//!   others need not be tried for `c`. About `M^2 / 2` trials are left, however many nodes there
//!   are.

use super::ranking::Ranking;
use crate::graph::NodeId;
use crate::team::Sharing;
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::sync::Arc;
use thiserror::Error;

/// How many walkers belong on each node.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Allocation {
    /// The nodes in use, ascending, and the number of walkers on each.
    pub counts: Vec<(NodeId, u32)>,
    /// `sum f_k(c_k) v_k`, added up in the order of `counts`.
    pub value: f64,
}

impl Allocation {
    /// One place per walker, ascending; a node with `c` walkers appears `c` times.
    pub fn places(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.counts.iter().flat_map(|&(node, count)| (0..count).map(move |_| node))
    }
}

/// The number of walkers that a node can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Seats<'a> {
    /// Every node has room for the whole team.
    #[default]
    Unlimited,
    /// Every node has this many seats.
    Each(usize),
    /// Each node has its own number of seats; no walker may be on a node with 0.
    ByNode(&'a [usize]),
}

impl Seats<'_> {
    #[inline]
    pub(super) fn on(self, node: usize) -> usize {
        match self {
            Self::Unlimited => usize::MAX,
            Self::Each(most) => most,
            Self::ByNode(seats) => seats[node],
        }
    }
}

/// What an allocation must respect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits<'a> {
    /// The number of walkers to place: at most as many as the shares are for.
    pub walkers: usize,
    /// The number of walkers that a node can hold.
    pub seats: Seats<'a>,
}

/// Why there is no allocation.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum AllocationError {
    /// There are not enough seats.
    #[error("{walkers} walkers but {seats} seats; allow more seats per node or use fewer walkers")]
    Seats {
        /// The number of walkers.
        walkers: usize,
        /// The number of seats on all nodes.
        seats: usize,
    },
    /// The shares are for a smaller team.
    #[error("{walkers} walkers, but the shares end at f({shares}); give f(1) to f({walkers})")]
    Shares {
        /// The number of walkers.
        walkers: usize,
        /// The number of walkers that the shares are for.
        shares: usize,
    },
    /// A value is infinite or not a number.
    #[error("the value of node {node} is {value}; give a finite number")]
    Value {
        /// The node.
        node: NodeId,
        /// The value.
        value: f64,
    },
}

/// The best allocation of all walkers that `sharing` is for; see [`Allocator::best`].
///
/// # Errors
/// When there are not enough seats or a value is not finite.
///
/// # Panics
/// When shares or seats are by node and there are fewer of them than values.
pub fn best_allocation(
    sharing: &Sharing,
    values: &[f64],
    seats: Seats<'_>,
) -> Result<Allocation, AllocationError> {
    let limits = Limits { walkers: sharing.walkers(), seats };
    Problem { sharing, values, limits }.best()
}

/// Finds best allocations for one table of shares, with reused memory.
#[derive(Debug, Clone)]
pub struct Allocator {
    sharing: Arc<Sharing>,
    is_concave: bool,
    buffers: Buffers,
}

impl Allocator {
    /// An allocator for these shares.
    pub fn new(sharing: impl Into<Arc<Sharing>>) -> Self {
        let sharing = sharing.into();
        Self { is_concave: sharing.is_concave(), sharing, buffers: Buffers::default() }
    }

    /// The shares.
    pub fn sharing(&self) -> &Sharing {
        &self.sharing
    }

    /// The best allocation, by the cheaper method of those that are exact.
    ///
    /// # Errors
    /// When there are not enough seats, the shares are for fewer walkers, or a value is not finite.
    ///
    /// # Panics
    /// When shares or seats are by node and there are fewer of them than values.
    ///
    /// # Complexity
    /// That of [`greedy`](Self::greedy) if shares are concave and the nodes of values of at least 0
    /// have seats for everybody, otherwise that of
    /// [`by_dynamic_programming`](Self::by_dynamic_programming).
    pub fn best(
        &mut self,
        values: &[f64],
        limits: Limits<'_>,
    ) -> Result<Allocation, AllocationError> {
        let problem = Problem { sharing: &self.sharing, values, limits };
        self.buffers.best(&problem, self.is_concave, None)
    }

    /// As [`best`](Self::best), with the ranking by these values, so that the best nodes need not be
    /// searched for.
    pub(crate) fn best_ranked(
        &mut self,
        (values, ranking): (&[f64], &Ranking),
        limits: Limits<'_>,
    ) -> Result<Allocation, AllocationError> {
        let problem = Problem { sharing: &self.sharing, values, limits };
        self.buffers.best(&problem, self.is_concave, Some(ranking))
    }

    /// Takes the largest marginal gain again and again; of equal gains, that of the lowest node.
    ///
    /// It is exact if shares are concave and the nodes of values of at least 0 have seats for
    /// everybody, or if shares are proportional to counts; otherwise it is a heuristic.
    ///
    /// # Errors
    /// See [`best`](Self::best).
    ///
    /// # Panics
    /// See [`best`](Self::best).
    ///
    /// # Complexity
    /// O(n + M log n) for n nodes and M walkers.
    pub fn greedy(
        &mut self,
        values: &[f64],
        limits: Limits<'_>,
    ) -> Result<Allocation, AllocationError> {
        let problem = Problem { sharing: &self.sharing, values, limits };
        problem.check()?;
        Ok(self.buffers.greedy(&problem))
    }

    /// Finds the best allocation by dynamic programming over nodes, for all shares and values. Of
    /// equally good allocations, it takes one with more walkers on nodes of low number.
    ///
    /// # Errors
    /// See [`best`](Self::best).
    ///
    /// # Panics
    /// See [`best`](Self::best).
    ///
    /// # Complexity
    /// About O(n M + M^3) time and, for the choices, O(min(n, M^2) M) memory, for n nodes and M
    /// walkers.
    pub fn by_dynamic_programming(
        &mut self,
        values: &[f64],
        limits: Limits<'_>,
    ) -> Result<Allocation, AllocationError> {
        let problem = Problem { sharing: &self.sharing, values, limits };
        problem.check()?;
        Ok(self.buffers.by_dynamic_programming(&problem))
    }
}

/// One question to an allocator.
pub(super) struct Problem<'a> {
    pub(super) sharing: &'a Sharing,
    pub(super) values: &'a [f64],
    pub(super) limits: Limits<'a>,
}

impl Problem<'_> {
    /// The best allocation.
    pub(super) fn best(&self) -> Result<Allocation, AllocationError> {
        Buffers::default().best(self, self.sharing.is_concave(), None)
    }

    /// The number of walkers that can be on a node.
    #[inline]
    fn seats(&self, node: usize) -> usize {
        self.limits.seats.on(node).min(self.limits.walkers)
    }

    /// `f_k(count) v_k`.
    #[inline]
    fn pay(&self, node: NodeId, count: usize) -> f64 {
        self.sharing.multiple(node, count) * self.values[node as usize]
    }

    /// What the first walker of a node gets: the whole draw.
    #[inline]
    fn first_offer(&self, node: NodeId) -> Offer {
        Offer { pay: self.values[node as usize] + 0.0, node, count: 0 }
    }

    /// What one more walker adds to `count`, at least one.
    #[inline]
    fn next_offer(&self, node: NodeId, count: usize) -> Offer {
        let gain = self.sharing.marginal(node, count) * self.values[node as usize];
        // Adding 0 makes -0 equal to 0, so that their tie goes to the lower node.
        Offer { pay: gain + 0.0, node, count: count as u32 }
    }

    /// The seats on the nodes of values of at least 0, if there are seats for everybody.
    fn check(&self) -> Result<usize, AllocationError> {
        let (walkers, shares) = (self.limits.walkers, self.sharing.walkers());
        if walkers > shares {
            return Err(AllocationError::Shares { walkers, shares });
        }
        let is_wrong = |value: &f64| !value.is_finite();
        // All are looked at, without branches, because almost always none is wrong.
        if self.values.iter().fold(false, |any, value| any | is_wrong(value))
            && let Some(node) = self.values.iter().position(is_wrong)
        {
            let value = self.values[node];
            return Err(AllocationError::Value { node: node as NodeId, value });
        }
        let (mut good, mut bad) = (0_usize, 0_usize);
        if let Seats::ByNode(_) = self.limits.seats {
            for (node, &value) in self.values.iter().enumerate() {
                let seats = if value >= 0.0 { &mut good } else { &mut bad };
                *seats = seats.saturating_add(self.seats(node));
            }
        } else {
            let count = self.values.iter().map(|value| u64::from(*value >= 0.0)).sum::<u64>();
            let all = |nodes: usize| nodes.saturating_mul(self.seats(0));
            (good, bad) = (all(count as usize), all(self.values.len() - count as usize));
        }
        let seats = good.saturating_add(bad);
        if walkers > seats { Err(AllocationError::Seats { walkers, seats }) } else { Ok(good) }
    }

    /// The allocation with these places, which must be sorted.
    fn allocation(&self, places: &[NodeId]) -> Allocation {
        let counts = Vec::with_capacity(places.len());
        let mut allocation = Allocation { counts, value: 0.0 };
        for same in places.chunk_by(|a, b| a == b) {
            allocation.counts.push((same[0], same.len() as u32));
            allocation.value += self.pay(same[0], same.len());
        }
        allocation
    }
}

/// What something pays, on a node: more is better, then a lower node.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Offer {
    pay: f64,
    node: NodeId,
    /// The number of walkers on the node so far.
    count: u32,
}

impl Eq for Offer {}

impl Ord for Offer {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        self.pay.total_cmp(&other.pay).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Offer {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Memory for both methods.
#[derive(Debug, Clone, Default)]
struct Buffers {
    offers: Vec<Offer>,
    /// The best offers to the first walker of a node.
    first_offers: Vec<Reverse<Offer>>,
    /// The places found last, ascending.
    places: Vec<NodeId>,
    /// Whether each node is among those offers already.
    is_listed: Vec<bool>,
    /// The counts worth trying, by node and then by count.
    trials: Vec<(NodeId, u32)>,
    /// The most that 0, 1, .. walkers can get on the nodes so far.
    most: Vec<f64>,
    /// For each node tried, how many of 0, 1, .. walkers belong there.
    choices: Vec<u32>,
}

/// What the worst of these offers pays.
fn worst_pay(offers: &BinaryHeap<Reverse<Offer>>) -> f64 {
    offers.peek().map_or(f64::NEG_INFINITY, |worst| worst.0.pay)
}

impl Buffers {
    fn best(
        &mut self,
        problem: &Problem<'_>,
        is_concave: bool,
        ranking: Option<&Ranking>,
    ) -> Result<Allocation, AllocationError> {
        let good_seats = problem.check()?;
        if !is_concave || good_seats < problem.limits.walkers {
            return Ok(self.by_dynamic_programming(problem));
        }
        let Some(ranking) = ranking else { return Ok(self.greedy(problem)) };
        let nodes = ranking.nodes().filter(|&node| problem.seats(node as usize) > 0);
        Ok(self.take(problem, nodes.map(|node| problem.first_offer(node))))
    }

    fn greedy(&mut self, problem: &Problem<'_>) -> Allocation {
        let first = |node: NodeId| Reverse(problem.first_offer(node));
        let walkers = problem.limits.walkers;
        // Before a node is taken, all nodes with a better first offer are. So the best `walkers`
        // first offers are enough. Places are much the same as before, so those nodes come first,
        // and then few others are among the best.
        let mut best = BinaryHeap::from(std::mem::take(&mut self.first_offers));
        best.clear();
        self.is_listed.clear();
        self.is_listed.resize(problem.values.len(), false);
        for &node in &self.places {
            if best.len() < walkers
                && let Some(is_listed @ false) = self.is_listed.get_mut(node as usize)
                && problem.seats(node as usize) > 0
            {
                *is_listed = true;
                best.push(first(node));
            }
        }
        let nodes = if walkers > 0 { problem.values } else { &[] };
        let mut least = if best.len() < walkers { f64::NEG_INFINITY } else { worst_pay(&best) };
        for (node, &value) in nodes.iter().enumerate() {
            if value < least || self.is_listed[node] || problem.seats(node) == 0 {
                continue;
            }
            let offer = first(node as NodeId);
            if best.len() < walkers {
                best.push(offer);
            } else if let Some(mut worst) = best.peek_mut()
                && offer < *worst
            {
                *worst = offer;
            }
            if best.len() == walkers {
                least = worst_pay(&best);
            }
        }
        let mut first_offers = best.into_vec();
        first_offers.sort_unstable();
        let allocation = self.take(problem, first_offers.iter().map(|offer| offer.0));
        self.first_offers = first_offers;
        allocation
    }

    /// Takes the best offer again and again; `first_offers` are those to the first walker of a node,
    /// best first: at least as many as there are walkers, or all.
    fn take(
        &mut self,
        problem: &Problem<'_>,
        mut first_offers: impl Iterator<Item = Offer>,
    ) -> Allocation {
        let walkers = problem.limits.walkers;
        self.places.clear();
        self.offers.clear();
        // The offers of the nodes taken.
        let mut next_offers = BinaryHeap::from(std::mem::take(&mut self.offers));
        let mut first_offer = first_offers.next();
        while self.places.len() < walkers {
            let top = next_offers.peek_mut();
            if let Some(first) = first_offer
                && top.as_ref().is_none_or(|top| **top < first)
            {
                drop(top);
                self.places.push(first.node);
                if problem.seats(first.node as usize) > 1 {
                    next_offers.push(problem.next_offer(first.node, 1));
                }
                first_offer = first_offers.next();
                continue;
            }
            let Some(mut top) = top else { break };
            let (node, count) = (top.node, top.count as usize + 1);
            self.places.push(node);
            if count < problem.seats(node as usize) {
                *top = problem.next_offer(node, count);
            } else {
                PeekMut::pop(top);
            }
        }
        self.offers = next_offers.into_vec();
        self.places.sort_unstable();
        problem.allocation(&self.places)
    }

    fn by_dynamic_programming(&mut self, problem: &Problem<'_>) -> Allocation {
        let walkers = problem.limits.walkers;
        self.find_trials(problem);
        let by_node = |a: &(NodeId, u32), b: &(NodeId, u32)| a.0 == b.0;
        self.most.clear();
        self.most.resize(walkers + 1, f64::NEG_INFINITY);
        self.most[0] = 0.0;
        self.choices.clear();
        for trials in self.trials.chunk_by(by_node) {
            let before = self.choices.len();
            self.choices.resize(before + walkers + 1, 0);
            let choice = &mut self.choices[before..];
            let pays = trials.iter().map(|&(node, count)| problem.pay(node, count as usize));
            self.offers.clear();
            let offer = |(pay, &(node, count))| Offer { pay, node, count };
            self.offers.extend(pays.zip(trials).map(offer));
            // Downwards, so that `most` of fewer walkers does not include this node yet. On a tie
            // the earlier, lower nodes keep the walkers.
            for here in (1..=walkers).rev() {
                for offer in &self.offers {
                    let count = offer.count as usize;
                    if count > here {
                        break;
                    }
                    let most = self.most[here - count] + offer.pay;
                    if most > self.most[here] {
                        self.most[here] = most;
                        choice[here] = offer.count;
                    }
                }
            }
        }
        self.places.clear();
        let mut left = walkers;
        let nodes = self.trials.chunk_by(by_node).rev();
        for (trials, choice) in nodes.zip(self.choices.rchunks(walkers + 1)) {
            let count = choice[left] as usize;
            self.places.extend(std::iter::repeat_n(trials[0].0, count));
            left -= count;
        }
        self.places.reverse();
        problem.allocation(&self.places)
    }

    /// The counts worth trying on each node: `c` on the `M - c + 1` nodes that pay most for it.
    fn find_trials(&mut self, problem: &Problem<'_>) {
        self.trials.clear();
        for count in 1..=problem.limits.walkers {
            let room = problem.limits.walkers - count + 1;
            let offers = &mut self.offers;
            offers.clear();
            for node in 0..problem.values.len() {
                if problem.seats(node) >= count {
                    let node = node as NodeId;
                    let pay = problem.pay(node, count) + 0.0;
                    offers.push(Offer { pay, node, count: count as u32 });
                }
                // Now and then the worst are dropped, so that few are sorted.
                if offers.len() >= 2 * room + 64 {
                    keep_best(offers, room);
                }
            }
            keep_best(offers, room);
            self.trials.extend(offers.iter().map(|offer| (offer.node, offer.count)));
        }
        self.trials.sort_unstable();
    }
}

/// Keeps the `room` best offers.
fn keep_best(offers: &mut Vec<Offer>, room: usize) {
    if offers.len() > room {
        offers.select_nth_unstable_by(room, |a, b| b.cmp(a));
        offers.truncate(room);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, Stream};

    /// The most that any allocation gets, by trying all.
    fn by_brute_force(problem: &Problem<'_>, node: usize, left: usize) -> f64 {
        if node == problem.values.len() {
            return if left == 0 { 0.0 } else { f64::NEG_INFINITY };
        }
        let counts = 0..=problem.seats(node).min(left);
        let with = |count| {
            problem.pay(node as NodeId, count) + by_brute_force(problem, node + 1, left - count)
        };
        counts.map(with).fold(f64::NEG_INFINITY, f64::max)
    }

    /// Shares whose gains fall, or rise and fall.
    fn shares(stream: &mut Stream, walkers: usize, nodes: usize, is_concave: bool) -> Sharing {
        let row = |stream: &mut Stream| {
            let mut gains: Vec<f64> = (1..walkers).map(|_| stream.below(5) as f64 / 4.0).collect();
            if is_concave {
                gains.sort_unstable_by(|a, b| b.total_cmp(a));
            } else if !gains.is_empty() {
                gains[0] += 1.0;
            }
            let mut row = vec![1.0];
            for gain in gains {
                row.push(row[row.len() - 1] + gain);
            }
            row
        };
        let rows: Vec<_> = (0..nodes).map(|_| row(stream)).collect();
        Sharing::by_node(walkers, nodes, &rows).unwrap()
    }

    #[test]
    fn every_method_equals_brute_force_where_it_is_exact() {
        let mut stream = Seed(20).stream();
        let (mut greedy_failed, mut greedy_negative) = (0, 0);
        for case in 0..1500 {
            let (nodes, walkers) = (1 + stream.below(6) as usize, 1 + stream.below(6) as usize);
            let is_concave = case % 2 == 0;
            let sharing = shares(&mut stream, walkers, nodes, is_concave);
            let low = [0.0, -0.4, -1.0][case % 3];
            // A few levels, so that there are ties.
            let values: Vec<f64> = (0..nodes)
                .map(|_| low + stream.below(if case % 5 == 0 { 4 } else { 1000 }) as f64 / 1000.0)
                .collect();
            let own: Vec<usize> = (0..nodes).map(|_| stream.below(4) as usize).collect();
            let seats =
                [Seats::Unlimited, Seats::Each(1 + case % 4), Seats::ByNode(&own)][case / 2 % 3];
            let limits = Limits { walkers: walkers - usize::from(case % 7 == 0), seats };
            let problem = Problem { sharing: &sharing, values: &values, limits };
            let mut allocator = Allocator::new(sharing.clone());
            let best = by_brute_force(&problem, 0, limits.walkers);
            let Ok(good) = problem.check() else {
                assert_eq!(best, f64::NEG_INFINITY);
                continue;
            };
            let exact = [
                allocator.by_dynamic_programming(&values, limits).unwrap(),
                allocator.best(&values, limits).unwrap(),
            ];
            for found in &exact {
                assert!((found.value - best).abs() < 1e-9, "{case}: {found:?} {best}");
                assert_eq!(found.places().count(), limits.walkers);
                for &(node, count) in &found.counts {
                    assert!(count > 0 && count as usize <= seats.on(node as usize));
                }
                assert!(found.counts.is_sorted_by(|a, b| a.0 < b.0));
            }
            let mut ranking = Ranking::default();
            ranking.update(&values);
            assert_eq!(allocator.best_ranked((&values, &ranking), limits).as_ref(), Ok(&exact[1]));
            let greedy = allocator.greedy(&values, limits).unwrap();
            assert_eq!(greedy.places().count(), limits.walkers);
            if sharing.is_concave() && good >= limits.walkers {
                assert!((greedy.value - best).abs() < 1e-9);
            } else if greedy.value < best - 1e-9 {
                greedy_failed += 1;
                greedy_negative += usize::from(sharing.is_concave());
            }
        }
        // Where greedy is not called exact, it often is not.
        assert!(greedy_failed > 100 && greedy_negative > 10, "{greedy_failed} {greedy_negative}");
    }

    #[test]
    fn ties_go_to_the_lowest_nodes() {
        let sharing = Sharing::same(3, |count| count as f64).unwrap();
        let mut allocator = Allocator::new(sharing);
        let limits = Limits { walkers: 3, seats: Seats::Each(2) };
        for method in [Allocator::greedy, Allocator::by_dynamic_programming, Allocator::best] {
            let found = method(&mut allocator, &[0.25, 0.5, 0.5, 0.5], limits).unwrap();
            assert_eq!(found.counts, [(1, 2), (2, 1)]);
            assert_eq!(found.places().collect::<Vec<_>>(), [1, 1, 2]);
            assert_eq!(found.value, 1.5);
        }
        // Further walkers on node 1 add nothing, and the walker on node 0 gets nothing.
        let mut allocator = Allocator::new(Sharing::equal(3));
        let limits = Limits { walkers: 3, seats: Seats::Unlimited };
        for method in [Allocator::greedy, Allocator::by_dynamic_programming] {
            let found = method(&mut allocator, &[0.0, 2.0, -0.0], limits).unwrap();
            assert_eq!(found.counts, [(0, 2), (1, 1)]);
        }
    }

    #[test]
    fn bad_values_are_avoided_together() {
        // One node shared by all costs one draw only; greedy sees the first cost alone.
        let mut allocator = Allocator::new(Sharing::equal(3));
        let limits = Limits { walkers: 3, seats: Seats::Each(2) };
        let found = allocator.best(&[-3.0, -1.0, -2.0], limits).unwrap();
        assert_eq!((found.counts, found.value), (vec![(1, 2), (2, 1)], -3.0));
    }

    #[test]
    fn impossible_questions_are_refused_by_name() {
        let mut allocator = Allocator::new(Sharing::equal(5));
        let mut of = |walkers, seats, values: &[f64]| {
            allocator.best(values, Limits { walkers, seats }).unwrap_err().to_string()
        };
        assert_eq!(
            of(5, Seats::Each(2), &[1.0, 1.0]),
            "5 walkers but 4 seats; allow more seats per node or use fewer walkers"
        );
        assert!(of(5, Seats::ByNode(&[3, 1]), &[1.0, 1.0]).starts_with("5 walkers but 4 seats"));
        assert!(of(1, Seats::Unlimited, &[]).starts_with("1 walkers but 0 seats"));
        assert_eq!(
            of(6, Seats::Unlimited, &[1.0]),
            "6 walkers, but the shares end at f(5); give f(1) to f(6)"
        );
        assert_eq!(
            of(5, Seats::Unlimited, &[1.0, f64::NAN]),
            "the value of node 1 is NaN; give a finite number"
        );
        let nobody = allocator.best(&[1.0], Limits { walkers: 0, seats: Seats::Each(0) }).unwrap();
        assert_eq!(nobody, Allocation::default());
        let one = best_allocation(&Sharing::equal(1), &[0.5, 0.75], Seats::default()).unwrap();
        assert_eq!((one.counts, one.value), (vec![(1, 1)], 0.75));
    }
}
