//! Value iteration that skips thousands of sweeps at once, from event to event.
//!
//! Let `L_i(s) = i mu* - u_i(s)` be the loss of node `s` in `i` sweeps compared to the best node,
//! and `c_s = mu* - mu_s`. Algorithm 4 then reads
//!
//! ```text
//! L_0(s) = 0,   L_i(s) = c_s + min over v in N_s of L_{i-1}(v)
//! until max over s of (L_i(s) - L_{i-1}(s)) < epsilon
//! ```
//!
//! since the best node always loses 0, and no node gains on it. `L_i(s)` is the cost of the
//! cheapest walk of `i` nodes from `s`. Staying is allowed, so a walk of `i` nodes that ends on `e`
//! can be extended at cost `c_e`, and a walk of `i + 1` nodes shortened by the cost of its end. So
//! for any choice of cheapest walks, `c_end(i + 1) <= L_{i+1} - L_i <= c_end(i)`:
//!
//! - **`L_i(s)` is concave in `i`**: increments never grow, so the stopping rule, once met, stays
//!   met, and each node meets it at its own sweep;
//! - **between events `L_i(s)` is a line in `i`** whose slope is the cost of the walk's last node;
//!   only a neighbour of strictly smaller slope can offer a cheaper line.
//!
//! So this is a kinetic data structure (Basch, Guibas and Hershberger, 1999): one line per node. A
//! node with a new line offers it to its neighbours. They take it one sweep later, or at the sweep,
//! computed by one division, where it passes below their own. The slope falls with every new line,
//! so a node has few lines: the work depends on the events, not on the sweeps.
//!
//! **No rounding.** Losses are integers. Costs are cut once to multiples of a power of two (54 bits
//! below the largest for 100 nodes, 41 for a million), and no loss exceeds the cost of a simple
//! path, so all sums fit. Sweeps, increments and ties are those of exact arithmetic. Plain sweeps
//! ([`Sweeps`](super::Sweeps)) round sums that grow with `i`, so near ties and increments near
//! `epsilon` may turn out differently there. They may also never end if `epsilon` is below their
//! rounding error, whereas here the last line of every node has slope 0.

use crate::graph::{Graph, NodeId};
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// The losses of a node from the sweep at which it took this line until it takes the next.
#[derive(Debug, Clone, Copy)]
struct Line {
    /// The first sweep of the line.
    since: i64,
    /// The loss at that sweep.
    loss: i64,
    /// The loss per sweep: the cost of the walk's last node.
    slope: i64,
    /// The loss one sweep before the line was taken.
    before: i64,
}

impl Line {
    #[inline]
    fn at(&self, sweep: i64) -> i64 {
        self.loss + (sweep - self.since) * self.slope
    }
}

/// The best offer for the next sweep: the lowest loss, then the smallest slope.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Offer {
    loss: i64,
    slope: i64,
    from: NodeId,
}

impl Offer {
    const NONE: Self = Self { loss: i64::MAX, slope: i64::MAX, from: NodeId::MAX };
}

/// At this sweep, the line that `from` has had since `since` may pass below that of `to`.
#[derive(Debug, Clone, Copy)]
struct Meeting {
    sweep: i64,
    to: NodeId,
    from: NodeId,
    since: i64,
}

/// Orders a heap by earliest sweep. Meetings of one sweep may come in any order: the best offer
/// wins.
impl Ord for Meeting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.sweep.cmp(&self.sweep)
    }
}

impl PartialOrd for Meeting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Meeting {
    fn eq(&self, other: &Self) -> bool {
        self.sweep == other.sweep
    }
}

impl Eq for Meeting {}

/// Sweeps of value iteration that cost only where something changes, with memory reused between
/// plans.
#[derive(Debug, Clone, Default)]
pub struct KineticSweeps {
    /// The units of loss per reward of 1, a power of two.
    units: f64,
    best: f64,
    costs: Vec<i64>,
    lines: Vec<Line>,
    offers: Vec<Offer>,
    /// The nodes with an offer.
    offered: Vec<NodeId>,
    /// The nodes that got a new line in this sweep.
    changed: Vec<NodeId>,
    meetings: BinaryHeap<Meeting>,
    /// The last sweep made.
    sweeps: i64,
}

impl KineticSweeps {
    /// Sweeps from zero until the span of the last change is below `tolerance`, a positive number;
    /// returns the number of sweeps. The rewards must be finite.
    ///
    /// # Complexity
    /// O((|S| + |E|) + k d log k), where k is the number of lines that nodes ever take and d their
    /// degree.
    ///
    /// # Panics
    /// When the graph has roads that run one way or take time: offers need two-way edges.
    pub fn run(&mut self, graph: &Graph, rewards: &[f64], tolerance: f64) -> u64 {
        assert!(graph.roads().is_none(), "sweeps need two-way edges");
        self.start(rewards);
        // In whole units, "below the tolerance" means "below the next unit", and 0 is below any.
        let limit = ((tolerance * self.units).ceil() as i64).max(1);
        self.sweeps = self.until(graph, limit);
        self.sweeps as u64
    }

    /// Sweep 0: every node has the line of staying.
    fn start(&mut self, rewards: &[f64]) {
        self.best = rewards.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = rewards.iter().copied().fold(f64::INFINITY, f64::min);
        // Every cost is at most 2^exponent, in units of 2^bits, and |S| of them together stay below
        // 2^61.
        let (_, exponent) = libm::frexp(self.best - worst);
        let bits = (rewards.len() as u64).leading_zeros().cast_signed() - 3;
        self.units = libm::scalbn(1.0, (bits - exponent).min(1022));
        let cost = |reward: &f64| (((self.best - reward) * self.units) as i64).min(1 << bits);
        self.costs.clear();
        self.costs.extend(rewards.iter().map(cost));
        self.lines.clear();
        let stay = |&slope: &i64| Line { since: 0, loss: 0, slope, before: 0 };
        self.lines.extend(self.costs.iter().map(stay));
        self.offers.clear();
        self.offers.resize(rewards.len(), Offer::NONE);
        self.offered.clear();
        self.meetings.clear();
    }

    /// Continues until no loss of the last sweep reaches `limit`; returns that sweep.
    fn until(&mut self, graph: &Graph, limit: i64) -> i64 {
        // Nodes whose line is not below the limit.
        let mut open = self.costs.iter().filter(|&&cost| cost >= limit).count();
        if open == 0 {
            return 1;
        }
        self.offer_cheapest_neighbors(graph);
        let mut now = 2;
        loop {
            // The step between two lines may still lose too much even if neither line does.
            let mut late = false;
            std::mem::swap(&mut self.offered, &mut self.changed);
            self.offered.clear();
            for &s in &self.changed {
                let offer = std::mem::replace(&mut self.offers[s as usize], Offer::NONE);
                let line = &mut self.lines[s as usize];
                let before = line.at(now - 1);
                late |= offer.loss - before >= limit;
                open -= usize::from(line.slope >= limit && offer.slope < limit);
                *line = Line { since: now, loss: offer.loss, slope: offer.slope, before };
            }
            if open == 0 && !late {
                return now;
            }
            self.spread(graph, now + 1);
            let meeting = self.meetings.peek().map_or(i64::MAX, |first| first.sweep);
            let next = if self.offered.is_empty() { meeting } else { now + 1 };
            if next > now + 1 && (open == 0 || next == i64::MAX) {
                return now + 1;
            }
            now = next;
            self.meet(now);
        }
    }

    /// Sweep 2, the first at which neighbours matter: every node goes to its cheapest neighbour.
    /// Other neighbours have larger slopes and need no meeting.
    fn offer_cheapest_neighbors(&mut self, graph: &Graph) {
        for (s, &cost) in graph.nodes().zip(&self.costs) {
            let around = graph.neighborhood(s);
            // The best node costs nothing, and a node adjacent to all others is adjacent to it.
            let cheapest = if around.len() == self.costs.len() {
                0
            } else {
                around.iter().fold(cost, |least, &v| least.min(self.costs[v as usize]))
            };
            if cheapest < cost {
                let offer = Offer { loss: cost + cheapest, slope: cheapest, from: s };
                self.offers[s as usize] = offer;
                self.offered.push(s);
            }
        }
    }

    /// Offers the new lines to all neighbours, from sweep `next` on.
    fn spread(&mut self, graph: &Graph, next: i64) {
        let changed = std::mem::take(&mut self.changed);
        for &from in &changed {
            let Line { since, slope, .. } = self.lines[from as usize];
            for &to in graph.neighborhood(from) {
                if self.lines[to as usize].slope > slope {
                    self.offer(Meeting { sweep: next, to, from, since });
                }
            }
        }
        self.changed = changed;
    }

    /// Handles the meetings of sweep `now`.
    fn meet(&mut self, now: i64) {
        while let Some(&meeting) = self.meetings.peek()
            && meeting.sweep == now
        {
            self.meetings.pop();
            // A line taken in the meantime has its own meetings.
            if self.lines[meeting.from as usize].since == meeting.since {
                self.offer(meeting);
            }
        }
    }

    /// Offers the line of `from` to `to` if it is lower at this sweep; if it becomes lower later,
    /// schedules a meeting at the first such sweep.
    #[inline]
    fn offer(&mut self, meeting: Meeting) {
        let Meeting { sweep, to, from, .. } = meeting;
        let (line, own) = (self.lines[from as usize], self.lines[to as usize]);
        let gain = own.slope - line.slope;
        if gain <= 0 {
            return;
        }
        let loss = self.costs[to as usize] + line.at(sweep - 1);
        let excess = loss - own.at(sweep);
        if excess < 0 {
            self.compete(sweep, to, Offer { loss, slope: line.slope, from });
        } else {
            let sweep = sweep + excess / gain + 1;
            self.meetings.push(Meeting { sweep, ..meeting });
        }
    }

    /// Keeps the better of two offers for one sweep, and schedules a meeting with the other.
    fn compete(&mut self, sweep: i64, to: NodeId, offer: Offer) {
        let standing = &mut self.offers[to as usize];
        if *standing == Offer::NONE {
            self.offered.push(to);
            *standing = offer;
            return;
        }
        let (better, worse) = ((*standing).min(offer), (*standing).max(offer));
        *standing = better;
        let gain = better.slope - worse.slope;
        if gain > 0 {
            let sweep = sweep + (worse.loss - better.loss) / gain + 1;
            let since = self.lines[worse.from as usize].since;
            self.meetings.push(Meeting { sweep, to, from: worse.from, since });
        }
    }

    /// The loss of `node` after the last sweep, in internal units; the least is the best.
    #[inline]
    pub fn last_loss(&self, node: NodeId) -> i64 {
        self.lines[node as usize].at(self.sweeps)
    }

    /// The loss of `node` before the last sweep, in the same units.
    #[inline]
    pub fn previous_loss(&self, node: NodeId) -> i64 {
        let line = &self.lines[node as usize];
        if line.since == self.sweeps { line.before } else { line.at(self.sweeps - 1) }
    }

    /// The values after the last sweep.
    pub fn values(&self) -> Vec<f64> {
        let most = self.sweeps as f64 * self.best;
        let nodes = 0..self.lines.len() as NodeId;
        nodes.map(|s| most - self.in_rewards(self.last_loss(s))).collect()
    }

    /// The lowest and the highest change of the last sweep.
    pub fn change(&self) -> (f64, f64) {
        let nodes = 0..self.lines.len() as NodeId;
        let losses = nodes.map(|s| self.last_loss(s) - self.previous_loss(s));
        (self.best - self.in_rewards(losses.max().unwrap_or(0)), self.best)
    }

    fn in_rewards(&self, loss: i64) -> f64 {
        loss as f64 / self.units
    }
}

#[cfg(test)]
pub(crate) mod tests;
