//! Totals of a Gaussian law after more and more visits, without going down the whole tree each time.
//!
//! Totals after `k` visits come from the dyadic intervals around `k`. Those around `k + 1` are
//! mostly the same. So a trail keeps them: one more visit then takes two splits on average instead
//! of `log k`, and the totals are the same to the bit.

use super::Tree;
use super::gaussian::{FIRST, Totals, first_totals};
use crate::graph::NodeId;
use crate::random::Seed;

/// An interval on the way down to the last visit.
#[derive(Debug, Clone, Copy)]
struct Level {
    start: u64,
    visits: u64,
    totals: Totals,
    /// The totals of its block's visits before it.
    before: Totals,
    /// The totals of its halves, once they have been drawn.
    halves: Option<[Totals; 2]>,
}

impl Level {
    fn new((start, visits): (u64, u64), totals: Totals, before: Totals) -> Self {
        Self { start, visits, totals, before, halves: None }
    }
}

/// What is known of one node's visits, and found out as they go on.
pub(crate) trait Follows {
    /// What is found out.
    type Totals;

    /// Before the first visit.
    fn new(tape: Seed) -> Self;

    /// The totals of the first `k` visits, for `k` of at least [`FIRST`] and at least as large as in
    /// the last call.
    fn totals(&mut self, k: u64) -> Self::Totals;
}

/// The intervals around the last visit to one node.
#[derive(Debug, Clone)]
pub(crate) struct Trail {
    tree: Tree,
    /// The totals of all visits before the block of the last visit.
    before: Totals,
    /// The first visit of that block.
    start: u64,
    /// The block, then one half after another.
    levels: Vec<Level>,
}

impl Follows for Trail {
    type Totals = Totals;

    fn new(tape: Seed) -> Self {
        Self { tree: Tree::new(tape), before: first_totals(tape), start: FIRST, levels: Vec::new() }
    }

    fn totals(&mut self, k: u64) -> Totals {
        loop {
            if k <= self.start {
                return self.before;
            }
            if self.levels.is_empty() {
                let block = Totals::draw(self.start, &mut self.tree.total(self.start));
                let bounds = (self.start, self.start);
                self.levels.push(Level::new(bounds, block, Totals::default()));
            }
            if k - self.start < self.start {
                break;
            }
            self.before = self.before.and(self.levels[0].totals);
            self.levels.clear();
            self.start *= 2;
        }
        // The block itself ends after `k`.
        while self.levels.pop_if(|level| k - level.start >= level.visits).is_some() {}
        while let Some(level) = self.levels.last_mut() {
            if level.start >= k {
                return self.before.and(level.before);
            }
            let half = level.visits / 2;
            let middle = level.start + half;
            let [first, second] = *level
                .halves
                .get_or_insert_with(|| level.totals.halves(half, &mut self.tree.split(middle)));
            let next = if k < middle {
                Level::new((level.start, half), first, level.before)
            } else {
                Level::new((middle, half), second, level.before.and(first))
            };
            self.levels.push(next);
        }
        self.before
    }
}

/// The most nodes with a trail: each takes a kilobyte or two.
const SLOTS: usize = 1024;

/// The trails of the nodes that were visited last. Two nodes may compete for a slot, which costs
/// time but changes nothing.
#[derive(Debug, Clone)]
pub(crate) struct Trails<T> {
    slots: Vec<Option<Slot<T>>>,
}

#[derive(Debug, Clone)]
struct Slot<T> {
    node: NodeId,
    /// The visits of the last call.
    visits: u64,
    trail: T,
}

impl<T> Default for Trails<T> {
    fn default() -> Self {
        Self { slots: Vec::new() }
    }
}

impl<T: Follows> Trails<T> {
    /// The totals of the first `k` visits to `node`, whose seed is `tape`, for `k` of at least
    /// [`FIRST`].
    pub(in crate::reward) fn totals(&mut self, (node, tape): (NodeId, Seed), k: u64) -> T::Totals {
        let place = node as usize % SLOTS;
        if self.slots.len() <= place {
            self.slots.resize_with(place + 1, || None);
        }
        let slot = &mut self.slots[place];
        if slot.as_ref().is_some_and(|slot| slot.node != node || slot.visits > k) {
            *slot = None;
        }
        let fresh = || Slot { node, visits: k, trail: T::new(tape) };
        let slot = slot.get_or_insert_with(fresh);
        slot.visits = k;
        slot.trail.totals(k)
    }
}

#[cfg(test)]
mod tests {
    use super::super::gaussian;
    use super::*;

    #[test]
    fn a_trail_ends_where_a_search_from_the_top_does() {
        let mut stream = Seed(81).stream();
        for run in 0..60 {
            let tape = Seed(82).child(run);
            let mut trail = Trail::new(tape);
            let mut k = FIRST;
            for _ in 0..80 {
                assert_eq!(trail.totals(k), gaussian::totals(tape, k), "{k} visits");
                // Single visits, repeats, short and long stays, and ends of blocks.
                k += match stream.below(8) {
                    0 => 0,
                    1 => k.next_power_of_two() - k,
                    2 => stream.below(4 * k),
                    3 => stream.below(40),
                    _ => 1,
                };
            }
        }
    }

    #[test]
    fn nodes_that_share_a_slot_keep_their_own_totals() {
        let mut trails = Trails::<Trail>::default();
        let mut stream = Seed(83).stream();
        let mut visits = [FIRST; 3];
        let nodes = [7, 7 + SLOTS as NodeId, 8];
        for _ in 0..600 {
            let place = stream.below(3) as usize;
            let (node, k) = (nodes[place], &mut visits[place]);
            // Totals may also be asked for again from fewer visits on.
            *k = if stream.below(50) == 0 { FIRST } else { *k + stream.below(90) };
            let tape = Seed(u64::from(node));
            assert_eq!(trails.totals((node, tape), *k), gaussian::totals(tape, *k));
        }
        assert!(trails.slots.len() <= SLOTS);
    }
}
