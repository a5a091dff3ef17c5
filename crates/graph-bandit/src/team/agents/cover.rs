//! How Multi-G-UCB's walkers see every node once: depth first, one step at a time.

use super::nearest::Nearest;
use crate::graph::NodeId;
use crate::leg::Leg;
use crate::team::{Post, TeamSituation};

/// Whether walkers skip nodes that others have seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marks {
    /// Every walker searches for itself, as in the paper.
    Own,
    /// All walkers share their marks, as in the authors' program.
    Shared,
}

/// Where an unmarked node was entered from.
const NOT_ENTERED: NodeId = NodeId::MAX;

/// Depth-first searches of all walkers.
#[derive(Debug, Clone)]
pub(super) struct DepthFirst {
    marks: Marks,
    /// For each search, the node from which each node was first entered.
    entered_from: Vec<Vec<NodeId>>,
    /// All lower nodes are marked by somebody.
    lowest: usize,
    seen: Vec<bool>,
    nearest: Nearest,
}

impl DepthFirst {
    pub(super) fn new(marks: Marks) -> Self {
        Self {
            marks,
            entered_from: Vec::new(),
            lowest: 0,
            seen: Vec::new(),
            nearest: Nearest::default(),
        }
    }

    /// Gives every walker its next step, all of which are idle; `false` once every node is marked.
    pub(super) fn next_step(&mut self, now: &TeamSituation<'_>, legs: &mut [Leg]) -> bool {
        if self.entered_from.is_empty() {
            self.begin(now);
            // The first draw is where the walkers start.
            for (leg, post) in legs.iter_mut().zip(now.posts) {
                leg.visit_once(post.at(), post.at());
            }
            return true;
        }
        while self.seen.get(self.lowest).copied().unwrap_or(false) {
            self.lowest += 1;
        }
        if self.lowest == self.seen.len() {
            return false;
        }
        for (walker, leg) in legs.iter_mut().enumerate() {
            let at = now.posts[walker].at();
            let next = self.step(now, walker, at);
            leg.visit_once(at, next);
            if !now.graph.allows(at, next) {
                // The road back is one-way; another way leads there.
                let post = &now.posts[walker];
                self.nearest.path(now.graph, post, |node| node == next, &mut leg.path);
                leg.stay = u64::from(leg.path.is_empty());
            }
        }
        end_together(now, legs);
        true
    }

    fn begin(&mut self, now: &TeamSituation<'_>) {
        let nodes = now.graph.len();
        let searches = match self.marks {
            Marks::Own => now.walkers(),
            Marks::Shared => 1,
        };
        self.entered_from = vec![vec![NOT_ENTERED; nodes]; searches];
        self.seen = vec![false; nodes];
        for (walker, post) in now.posts.iter().enumerate() {
            // A start was entered from itself.
            self.mark(walker, post.at(), post.at());
        }
    }

    fn search_of(&self, walker: usize) -> usize {
        match self.marks {
            Marks::Own => walker,
            Marks::Shared => 0,
        }
    }

    fn mark(&mut self, walker: usize, node: NodeId, from: NodeId) {
        let search = self.search_of(walker);
        let entered_from = &mut self.entered_from[search][node as usize];
        if *entered_from == NOT_ENTERED {
            *entered_from = from;
        }
        self.seen[node as usize] = true;
    }

    /// The first unmarked neighbour; without one, back to where the node was first entered from.
    fn step(&mut self, now: &TeamSituation<'_>, walker: usize, at: NodeId) -> NodeId {
        let entered_from = &self.entered_from[self.search_of(walker)];
        let is_new = |node: &NodeId| {
            entered_from[*node as usize] == NOT_ENTERED && now.allows(walker, *node)
        };
        let Some(next) = now.graph.neighbors(at).find(is_new) else {
            return entered_from[at as usize];
        };
        self.mark(walker, next, at);
        next
    }
}

/// Lengthens all legs to the steps of the longest, so that everybody plans again together.
pub(super) fn end_together(now: &TeamSituation<'_>, legs: &mut [Leg]) {
    let steps = |(post, leg): (&Post, &Leg)| post.steps_of(now.graph, &leg.path) + leg.stay;
    let taken: Vec<u64> = now.posts.iter().zip(legs.iter()).map(steps).collect();
    let last = taken.iter().copied().max().unwrap_or(0);
    for (leg, taken) in legs.iter_mut().zip(taken) {
        leg.stay += last - taken;
    }
}
