//! The highest of many bounds without computing each: a kinetic tournament.
//!
//! The bound of a node, `mean + x spread`, is a line in `x`, and `x` never falls (Basch, Guibas and
//! Hershberger, 1999). Nodes play in blocks, blocks in a binary tree. Every match knows up to which
//! `x` its winner certainly stays the winner. When `x` grows, only matches whose certificate has
//! expired are played again; when a node is visited, only the matches above it.
//!
//! **The same answer as a scan, to the bit.** A match compares the same numbers as a scan; ties go
//! to the lowest node. A certificate ends before rounding could reverse the order: with `e` half a
//! unit in the last place, a computed bound is off by at most `3 e (|mean| + x spread)`, so the
//! order of two bounds is certain if their exact difference, linear in `x`, exceeds sixteen `e`
//! times the sum of all four terms. Closer bounds are compared again whenever `x` moves.

use crate::estimates::{Estimate, Estimates};
use crate::graph::NodeId;

/// Nodes per block: a block is scanned in about the time of two matches higher up.
const BLOCK: usize = 16;

/// A certificate that has always expired.
const STALE: f64 = f64::NEG_INFINITY;

const DOUBT: f64 = 8.0 * f64::EPSILON;

/// The winner of a match, and up to which `x` it stays the winner.
#[derive(Debug, Clone, Copy)]
struct Match {
    winner: NodeId,
    until: f64,
}

const UNPLAYED: Match = Match { winner: 0, until: STALE };

/// The node of highest bound, updated at a cost proportional to the changes.
#[derive(Debug, Clone, Default)]
pub(super) struct Tournament {
    /// A binary tree: the children of match `i` are `2 i` and `2 i + 1`, blocks are the leaves.
    matches: Vec<Match>,
    /// The number of leaves, a power of two; zero before the first `play`.
    leaves: usize,
    nodes: usize,
    /// The visits that the matches account for.
    visits: u64,
    x: f64,
}

impl Tournament {
    /// Records `times` more visits to `node`.
    #[inline]
    pub(super) fn visited(&mut self, node: NodeId, times: u64) {
        // Before the first round, or on a larger graph: the next round starts over anyway.
        if node as usize >= self.nodes {
            return;
        }
        self.visits += times;
        let mut place = self.leaves + node as usize / BLOCK;
        while place > 0 && self.matches[place].until != STALE {
            self.matches[place].until = STALE;
            place /= 2;
        }
    }

    /// The lowest node of highest bound at `x`, and that bound.
    pub(super) fn play(&mut self, estimates: &Estimates, x: f64) -> (NodeId, f64) {
        let nodes = estimates.all().len();
        // Unreported visits, or another run altogether: start over.
        if self.nodes != nodes || self.visits != estimates.visits() || x < self.x {
            self.leaves = nodes.div_ceil(BLOCK).next_power_of_two();
            self.matches = vec![UNPLAYED; 2 * self.leaves];
            self.nodes = nodes;
            self.visits = estimates.visits();
        }
        self.x = x;
        let winner = self.decide(1, estimates).winner;
        (winner, estimates.estimate(winner).bound(x))
    }

    /// Appends all nodes of highest bound, ascending, as of the last round.
    pub(super) fn all_best(&self, estimates: &Estimates, best: f64, found: &mut Vec<NodeId>) {
        self.gather(1, estimates, best, found);
    }

    fn gather(&self, place: usize, estimates: &Estimates, best: f64, found: &mut Vec<NodeId>) {
        let winner = self.matches[place].winner;
        if winner == NodeId::MAX || estimates.estimate(winner).bound(self.x) != best {
            return;
        }
        if place < self.leaves {
            self.gather(2 * place, estimates, best, found);
            self.gather(2 * place + 1, estimates, best, found);
        } else {
            let block = self.block(place);
            found.extend(block.filter(|&s| estimates.estimate(s).bound(self.x) == best));
        }
    }

    /// Plays match `place` and those below it whose certificates have expired.
    fn decide(&mut self, place: usize, estimates: &Estimates) -> Match {
        if self.matches[place].until >= self.x {
            return self.matches[place];
        }
        let decided = if place < self.leaves {
            let left = self.decide(2 * place, estimates);
            let right = self.decide(2 * place + 1, estimates);
            self.meet(left, right, estimates)
        } else {
            self.scan(place, estimates)
        };
        self.matches[place] = decided;
        decided
    }

    fn meet(&self, left: Match, right: Match, estimates: &Estimates) -> Match {
        if right.winner == NodeId::MAX {
            return left;
        }
        let (l, r) = (estimates.estimate(left.winner), estimates.estimate(right.winner));
        let (winner, certificate) = if r.bound(self.x) > l.bound(self.x) {
            (right.winner, self.certificate(r, l))
        } else {
            (left.winner, self.certificate(l, r))
        };
        Match { winner, until: certificate.min(left.until).min(right.until) }
    }

    fn scan(&self, place: usize, estimates: &Estimates) -> Match {
        let block = self.block(place);
        let Some(first) = block.clone().next() else {
            // Leaves beyond the last node do not take part.
            return Match { winner: NodeId::MAX, until: f64::INFINITY };
        };
        let mut winner = first;
        let mut highest = estimates.estimate(first).bound(self.x);
        for s in block.clone().skip(1) {
            let bound = estimates.estimate(s).bound(self.x);
            if bound > highest {
                (winner, highest) = (s, bound);
            }
        }
        let best = estimates.estimate(winner);
        let others = block.filter(|&s| s != winner);
        let until = others.map(|s| self.certificate(best, estimates.estimate(s)));
        Match { winner, until: until.fold(f64::INFINITY, f64::min) }
    }

    fn block(&self, place: usize) -> std::ops::Range<NodeId> {
        let first = ((place - self.leaves) * BLOCK).min(self.nodes);
        first as NodeId..(first + BLOCK).min(self.nodes) as NodeId
    }

    /// Up to which `x` the bound of `winner`, currently not the lower one, certainly is not the
    /// lower one.
    #[inline]
    fn certificate(&self, winner: Estimate, loser: Estimate) -> f64 {
        if winner == loser || winner.mean == f64::INFINITY {
            return f64::INFINITY;
        }
        // winner - loser - doubt = lead + x gain.
        let doubt = DOUBT * (winner.mean.abs() + loser.mean.abs());
        let lead = winner.mean - loser.mean - doubt;
        let gain = winner.spread - loser.spread - DOUBT * (winner.spread + loser.spread);
        if lead + self.x * gain < 0.0 {
            self.x
        } else if gain >= 0.0 {
            f64::INFINITY
        } else {
            self.x.max(lead / -gain * (1.0 - DOUBT))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, Stream};

    fn scan(estimates: &Estimates, x: f64) -> (f64, Vec<NodeId>) {
        let bounds: Vec<f64> = estimates.all().iter().map(|seen| seen.bound(x)).collect();
        let best = bounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (best, (0..bounds.len() as NodeId).filter(|&s| bounds[s as usize] == best).collect())
    }

    #[track_caller]
    fn assert_as_scanned(tournament: &mut Tournament, estimates: &Estimates, x: f64) {
        let (best, all) = scan(estimates, x);
        assert_eq!(tournament.play(estimates, x), (all[0], best));
        let mut found = Vec::new();
        tournament.all_best(estimates, best, &mut found);
        assert_eq!(found, all);
    }

    fn reach(estimates: &Estimates) -> f64 {
        (2.0 * libm::log(estimates.visits().max(1) as f64)).sqrt()
    }

    /// Optimistic play: many visits to the best, a few anywhere.
    fn play_on(nodes: usize, rounds: usize, mut reward: impl FnMut(&mut Stream, NodeId) -> f64) {
        let mut stream = Seed(nodes as u64).stream();
        let mut estimates = Estimates::new(nodes);
        let mut tournament = Tournament::default();
        for _ in 0..rounds {
            let x = reach(&estimates);
            assert_as_scanned(&mut tournament, &estimates, x);
            let (node, _) = tournament.play(&estimates, x);
            let elsewhere = stream.below(nodes as u64) as NodeId;
            for (node, times) in [(node, estimates.count(node).clamp(1, 40)), (elsewhere, 1)] {
                for _ in 0..times {
                    estimates.push(node, reward(&mut stream, node));
                }
                tournament.visited(node, times);
            }
        }
    }

    #[test]
    fn same_as_a_scan_throughout_a_run() {
        for nodes in [1, 2, 15, 16, 17, 100, 333, 1_000] {
            play_on(nodes, 400, |stream, node| f64::from(node % 10) + stream.unit());
            // Few values, many ties, between nodes of equal and of different counts.
            play_on(nodes, 400, |stream, _| stream.below(2) as f64);
            play_on(nodes, 300, |_, _| 0.1);
        }
    }

    #[test]
    fn bounds_a_rounding_error_apart_are_ordered_as_by_a_scan() {
        // Lines that meet at x = 3, up to a few units in the last place.
        let mut stream = Seed(3).stream();
        for _ in 0..300 {
            let samples: Vec<_> = (0..40)
                .map(|_| {
                    let count = 1 + stream.below(50);
                    let n = count as f64;
                    let off = (stream.below(9) as f64 - 4.0) * 1e-15;
                    let sum = n * (10.0 - 3.0 / n.sqrt() + off);
                    crate::estimates::Sample { count, sum, sum_of_squares: 0.0 }
                })
                .collect();
            let estimates = Estimates::try_from(samples).unwrap();
            let mut tournament = Tournament::default();
            assert_as_scanned(&mut tournament, &estimates, 2.5);
            for step in -40_i32..40 {
                let x = 3.0 + f64::from(step) * 2e-16 * 4.0;
                assert_as_scanned(&mut tournament, &estimates, x);
            }
            assert_as_scanned(&mut tournament, &estimates, 5.0);
        }
    }

    #[test]
    fn unreported_visits_and_other_runs_are_noticed() {
        let mut tournament = Tournament::default();
        let mut estimates = Estimates::new(50);
        assert_as_scanned(&mut tournament, &estimates, 0.0);
        for node in 0..50 {
            estimates.push(node, f64::from(node));
        }
        assert_as_scanned(&mut tournament, &estimates, 2.0);
        estimates.push(49, -100.0);
        assert_as_scanned(&mut tournament, &estimates, 2.0);
        assert_as_scanned(&mut tournament, &Estimates::new(7), 1.0);
        tournament.visited(49, 1);
        assert_as_scanned(&mut tournament, &Estimates::new(60), 1.0);
        // Lines that cross at x = 4: the order beyond differs from the order before.
        let mut crossing = Estimates::new(2);
        for (node, reward) in [(0, 0.0), (1, 2.0), (1, 2.0), (1, 2.0), (1, 2.0)] {
            crossing.push(node, reward);
        }
        assert_as_scanned(&mut tournament, &crossing, 5.0);
        assert_as_scanned(&mut tournament, &crossing, 1.0);
    }

    #[test]
    fn few_matches_are_played_again() {
        // After the first round, only matches above the visited node and expired ones.
        let mut stream = Seed(5).stream();
        let mut estimates = Estimates::new(1 << 14);
        for node in 0..1 << 14 {
            estimates.push(node, 9.0 * stream.unit());
        }
        let mut tournament = Tournament::default();
        let stale = |tournament: &Tournament, x: f64| {
            tournament.matches[1..].iter().filter(|played| played.until < x).count()
        };
        let mut played = 0;
        for _ in 0..2_000 {
            let x = reach(&estimates);
            if tournament.leaves > 0 {
                played += stale(&tournament, x);
            }
            let (node, _) = tournament.play(&estimates, x);
            let times = estimates.count(node).min(40);
            for _ in 0..times {
                estimates.push(node, f64::from(node % 10) + stream.unit() - 0.5);
            }
            tournament.visited(node, times);
        }
        // Eleven matches are above a visited node, out of 2,047.
        assert!(played < 2_000 * 40, "{played}");
    }
}
