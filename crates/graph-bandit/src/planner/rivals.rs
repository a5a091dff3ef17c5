//! The best score after travel, if trips are found in order of their cost.
//!
//! A score never rises with the cost of the trip. So once trips cost so much that every node not
//! reached yet would score less than the best one so far, the best one is found.

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

/// A node stands out if its lead over all others would pay for a trip this many times as dear as those
/// of the nearest nodes.
const STANDS_OUT: f64 = 24.0;

/// What the search for trips does next.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Search {
    /// Trips up to this cost matter.
    Goes(f64),
    /// This node stands out: the trip there should be found first. It may win however dear that is.
    Waits(NodeId),
}

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

/// The highest score without travel.
#[derive(Debug, Clone, Copy)]
struct Highest {
    node: NodeId,
    /// The next lower score, or the same if two nodes share it; minus infinity if there is none.
    next: f64,
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
    /// the cost of the trip to the best node, if that is found; else on and on.
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
        if is_new && let Some(highest) = self.highest() {
            let lead = self.scores[highest.node as usize] - highest.next;
            if lead > STANDS_OUT * cost * self.per_visit {
                return Search::Waits(highest.node);
            }
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
        let free = self.scores[node as usize];
        let score = index.beyond(cost * self.per_visit, free, now.estimates, node);
        // The others score no more than without travel.
        let wins =
            score > self.best.score && self.highest().is_some_and(|highest| highest.next < score);
        if wins {
            self.best = Best { node, score, cost };
        }
        wins
    }

    /// The node not reached yet that scores highest without travel.
    fn highest(&mut self) -> Option<Highest> {
        let node = self.pop_waiting()?;
        let next = self.pop_waiting();
        for node in [Some(node), next].into_iter().flatten() {
            self.waiting.push((by_order(self.scores[node as usize]), node));
        }
        let next = next.map_or(f64::NEG_INFINITY, |node| self.scores[node as usize]);
        Some(Highest { node, next })
    }

    /// Takes out the node not reached yet that scores highest without travel.
    fn pop_waiting(&mut self) -> Option<NodeId> {
        loop {
            let (_, node) = self.waiting.pop()?;
            if self.scores[node as usize] != SEEN {
                return Some(node);
            }
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

    #[test]
    fn numbers_sort_as_scores_do() {
        let scores = [f64::NEG_INFINITY, -2.5, -1e-300, 0.0, 1e-300, 1.0, 7.5, f64::INFINITY];
        assert!(scores.is_sorted_by(|&a, &b| by_order(a) < by_order(b)));
    }
}
