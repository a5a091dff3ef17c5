//! The best score after travel, if trips are found in order of their cost.
//!
//! A score never rises with the cost of the trip. So once trips cost so much that every node not
//! reached yet would score less than the best one so far, the best one is found.

use super::trips::Search;
use crate::agent::Situation;
use crate::graph::NodeId;
use crate::index::Index;
use crate::node_scores::NodeScores;
use std::collections::BinaryHeap;

/// Prices at which it is not checked whether the search may end, between two at which it is.
const UNCHECKED: u32 = 31;

/// So many prices are seen before all nodes are scored, as a share of the nodes. By then the best one so
/// far is rarely much worse than the best of all, so that most nodes can be told to be worse without
/// computing their scores.
const NEAREST: f64 = 1.0 / 256.0;

/// A node stands out if it would win even after a trip this many times as dear as those to the nearest
/// nodes. With a smaller number, the search from both ends would more often be in vain; with a larger one,
/// hardly any node would stand out.
const STANDS_OUT: f64 = 24.0;

/// Where the agent is, the index, and how it scores all nodes.
pub(super) type Scored<'a, I> = (&'a Situation<'a>, &'a I, &'a NodeScores);

/// The best node so far, and the nodes that may still be better.
#[derive(Debug, Clone, Default)]
pub(super) struct Rivals {
    /// The nodes seen so far, while the others are not listed.
    nearest: Vec<NodeId>,
    is_listed: bool,
    /// The scores without travel of nodes that may matter; [`SEEN`] after the trip was found.
    scores: Vec<f64>,
    /// Nodes that without travel scored at least as high as the best one when they were listed,
    /// highest first; and some that no longer matter.
    waiting: BinaryHeap<(u64, NodeId)>,
    /// The cost of a trip per visit in which it must pay off, per cost of the trip.
    per_visit: f64,
    best: Best,
    unchecked: u32,
}

const SEEN: f64 = f64::NEG_INFINITY;

#[derive(Debug, Clone, Copy, Default)]
struct Best {
    node: NodeId,
    score: f64,
    cost: f64,
}

impl Rivals {
    /// The agent may stay where it is.
    pub(super) fn begin<I: Index>(&mut self, (now, index, scores): Scored<'_, I>, per_visit: f64) {
        self.per_visit = per_visit;
        let free = scores.of(now.estimates, now.at);
        let score = index.beyond(0.0, free, now.estimates, now.at);
        self.best = Best { node: now.at, score, cost: 0.0 };
        self.nearest.clear();
        self.nearest.push(now.at);
        self.waiting.clear();
        self.is_listed = false;
        self.unchecked = (now.graph.len() as f64 * NEAREST) as u32;
    }

    /// Sees nodes to which trips cost as much as this, and no earlier ones more. The search goes up to
    /// the cost of the trip to the best node, if that is found; else on and on. It waits at most once.
    #[inline]
    pub(super) fn see<I: Index>(
        &mut self,
        all: Scored<'_, I>,
        nodes: &[NodeId],
        cost: f64,
    ) -> Search {
        let (now, index, scores) = all;
        for &node in nodes {
            let free = if self.is_listed {
                std::mem::replace(&mut self.scores[node as usize], SEEN)
            } else {
                self.nearest.push(node);
                scores.above(self.floor(now), now.estimates, node).unwrap_or(SEEN)
            };
            if free < self.best.score || free == SEEN {
                continue;
            }
            let score = index.beyond(cost * self.per_visit, free, now.estimates, node);
            // Ties go to where the agent stands, then to the lowest number.
            let is_lower = self.best.node != now.at && node < self.best.node;
            if score > self.best.score || (score == self.best.score && is_lower) {
                self.best = Best { node, score, cost };
            }
        }
        if self.unchecked > 0 {
            self.unchecked -= 1;
            return Search::Goes(f64::INFINITY);
        }
        self.unchecked = UNCHECKED;
        let is_new = !self.is_listed;
        if is_new {
            self.list(now, scores);
        }
        if self.is_found(now, index, cost) {
            return Search::Goes(self.best.cost);
        }
        // Late in a run, travel counts for little, so that one node often wins wherever it is.
        if is_new
            && let Some(node) = self.highest()
            && self.beats_all(now, index, node, STANDS_OUT * cost)
        {
            return Search::Waits(node);
        }
        Search::Goes(f64::INFINITY)
    }

    /// Whether `node`, which stands out, wins if the trip there costs this.
    pub(super) fn wins<I: Index>(
        &mut self,
        (now, index, _): Scored<'_, I>,
        node: NodeId,
        cost: f64,
    ) -> bool {
        let wins = self.beats_all(now, index, node, cost);
        if self.score(now, index, node, cost) < self.best.score {
            // It is too far away, so the search need not go there.
            self.scores[node as usize] = SEEN;
        }
        wins
    }

    /// Whether `node`, which [`highest`](Self::highest) names, beats all others if the trip there costs
    /// this.
    fn beats_all<I: Index>(
        &mut self,
        now: &Situation<'_>,
        index: &I,
        node: NodeId,
        cost: f64,
    ) -> bool {
        let score = self.score(now, index, node, cost);
        let free = std::mem::replace(&mut self.scores[node as usize], SEEN);
        // The others score no more than without travel, and those that no longer wait cannot win.
        let next = self.highest().map_or(f64::NEG_INFINITY, |next| self.scores[next as usize]);
        self.scores[node as usize] = free;
        self.waiting.push((by_order(free), node));
        score > self.best.score && score > next
    }

    /// The score of a listed node if the trip there costs this.
    fn score<I: Index>(&self, now: &Situation<'_>, index: &I, node: NodeId, cost: f64) -> f64 {
        let free = self.scores[node as usize];
        index.beyond(cost * self.per_visit, free, now.estimates, node)
    }

    /// Of the listed nodes that may still win and are not reached yet, the one that scores highest without
    /// travel.
    fn highest(&mut self) -> Option<NodeId> {
        loop {
            let &(_, node) = self.waiting.peek()?;
            if self.scores[node as usize] != SEEN {
                return Some(node);
            }
            self.waiting.pop();
        }
    }

    /// Nodes that score no higher than this without travel never matter.
    #[inline]
    fn floor(&self, now: &Situation<'_>) -> f64 {
        let score = self.best.score;
        if self.best.node == now.at { score } else { score.next_down() }
    }

    /// Lists the nodes that may still be better.
    fn list(&mut self, now: &Situation<'_>, scores: &NodeScores) {
        self.is_listed = true;
        self.scores.clear();
        self.scores.resize(now.graph.len(), SEEN);
        let mut waiting = std::mem::take(&mut self.waiting).into_vec();
        scores.list_above(self.floor(now), now.estimates, |node, score| {
            self.scores[node as usize] = score;
            waiting.push((by_order(score), node));
        });
        self.waiting = waiting.into();
        for &node in &self.nearest {
            self.scores[node as usize] = SEEN;
        }
    }

    /// Whether no other node can score as high if the trip there costs at least this.
    fn is_found<I: Index>(&mut self, now: &Situation<'_>, index: &I, cost: f64) -> bool {
        while let Some(&(_, node)) = self.waiting.peek() {
            let free = self.scores[node as usize];
            if free != SEEN {
                // All others score less even without travel.
                if free < self.best.score {
                    return true;
                }
                let most = index.beyond(cost * self.per_visit, free, now.estimates, node);
                if most >= self.best.score {
                    return false;
                }
            }
            self.waiting.pop();
        }
        true
    }

    /// The best node so far.
    pub(super) fn best(&self) -> NodeId {
        self.best.node
    }
}

/// A number that sorts as `x` does.
fn by_order(x: f64) -> u64 {
    let bits = x.to_bits();
    if x.is_sign_negative() { !bits } else { bits | SIGN }
}

const SIGN: u64 = 1 << 63;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clock, Visits};
    use crate::estimates::Estimates;
    use crate::graph::Graph;
    use crate::random::Stream;

    /// Nodes with given scores.
    struct Given(Vec<f64>);

    impl Index for Given {
        type Clock = Visits;

        fn prepare(&mut self, _: &Situation<'_>, _: Visits) {}

        fn score(&self, _: &Estimates, node: NodeId, _: &mut Stream) -> f64 {
            self.0[node as usize]
        }
    }

    /// Sees the nodes of a line of 600 one by one, each at the cost 1; node 400 scores 9 without travel,
    /// node 500 scores `next`, node 1 scores 2, and the others 0. Returns what the search does after
    /// three nodes, and for each cost, whether node 400 wins and the search need not go there.
    fn far_node(next: f64, per_visit: f64, costs: &[f64]) -> (Search, Vec<(bool, bool)>) {
        let mut scores = vec![0.0; 600];
        (scores[1], scores[400], scores[500]) = (2.0, 9.0, next);
        let graph = Graph::line(600).unwrap();
        let (estimates, clock) = (Estimates::new(600), Clock::default());
        let now = Situation { graph: &graph, at: 0, estimates: &estimates, clock: &clock };
        let index = Given(scores.clone());
        let scores = NodeScores::from(scores);
        let mut rivals = Rivals::default();
        rivals.begin((&now, &index, &scores), per_visit);
        let mut see = |node| rivals.see((&now, &index, &scores), &[node], 1.0);
        assert_eq!([1, 2].map(&mut see), [Search::Goes(f64::INFINITY); 2]);
        let then = see(3);
        let wins = |&cost: &f64| {
            let mut rivals = rivals.clone();
            let wins = rivals.wins((&now, &index, &scores), 400, cost);
            (wins, rivals.highest() != Some(400))
        };
        (then, costs.iter().map(wins).collect())
    }

    #[test]
    fn a_node_that_stands_out_wins_unless_the_trip_is_too_dear() {
        // It must keep more than the 3 of the next node, so the trip may cost less than 6 / 0.125. The
        // best node reached has 2 - 0.125.
        let (then, wins) = far_node(3.0, 0.125, &[47.9, 48.0, 57.0, 57.1]);
        assert_eq!(then, Search::Waits(400));
        assert_eq!(wins, [(true, false), (false, false), (false, false), (false, true)]);
        // After 24 times the cost of the nearest trips, 6 would be left.
        assert_eq!(far_node(5.99, 0.125, &[]).0, Search::Waits(400));
        assert_eq!(far_node(6.0, 0.125, &[]).0, Search::Goes(f64::INFINITY));
        // One that no other node comes near must beat the best node reached, too.
        assert_eq!(far_node(0.0, 0.3, &[]).0, Search::Waits(400));
        assert_eq!(far_node(0.0, 0.32, &[]).0, Search::Goes(f64::INFINITY));
        // Two that share the highest score do not stand out, even if travel does not count.
        assert_eq!(far_node(9.0, 0.0, &[]).0, Search::Goes(f64::INFINITY));
        assert_eq!(far_node(8.9, 0.0, &[1e9]), (Search::Waits(400), vec![(true, false)]));
    }

    #[test]
    fn numbers_sort_as_scores_do() {
        let scores = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 1.0, 7.5, f64::INFINITY];
        assert!(scores.is_sorted_by(|&a, &b| by_order(a) < by_order(b)));
    }
}
