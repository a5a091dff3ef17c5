//! What a walker pays at most on a long walk through nodes of fixed prices.
//!
//! Let `d_k` be what node `k` lacks to the highest price. A walk of `j` steps from `k` lacks at
//! least `l_j(k)`, the least `d_v + l_(j-1)(v)` over the neighbours `v`. On long walks everybody
//! goes somewhere and stays, so `l_j(k)` grows by the `d` of that node with every step, until
//! walking on to a better node is worth it. Such steps are taken all at once.

use crate::graph::{Graph, NodeId};

/// How far the growth of a step may be from that of the next ones, relative to prices.
const ROUNDING: f64 = 1e-13;

/// The most that walks of `steps` steps from each node pay. A price of negative infinity closes a
/// node; walks from nodes between closed ones have no meaning.
///
/// # Complexity
/// O(e) for each step of the longest way to where walks stay, and again whenever that changes.
pub(super) fn dearest_walks(graph: &Graph, prices: &[f64], steps: u64) -> Vec<f64> {
    let most = prices.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let mut walks = Walks {
        graph,
        lack: prices.iter().map(|price| most - price).collect(),
        total: vec![0.0; prices.len()],
        next: vec![0.0; prices.len()],
        choice: graph.nodes().collect(),
        ends: graph.nodes().collect(),
    };
    let rounding = ROUNDING * most.abs();
    let mut step = 0;
    while step < steps {
        let growth_is_steady = walks.step(rounding);
        step += 1;
        if growth_is_steady && step < steps {
            step += walks.jump(steps - step);
        }
    }
    walks.total.iter().map(|total| steps as f64 * most - total).collect()
}

struct Walks<'a> {
    graph: &'a Graph,
    /// What each node lacks.
    lack: Vec<f64>,
    /// What walks from each node lack.
    total: Vec<f64>,
    /// The same, one step more or less.
    next: Vec<f64>,
    /// The first node of each walk.
    choice: Vec<NodeId>,
    /// Where each walk stays.
    ends: Vec<NodeId>,
}

impl Walks<'_> {
    /// One step more; returns whether all totals grew by what the ends of their walks lack.
    fn step(&mut self, rounding: f64) -> bool {
        for node in self.graph.nodes() {
            let of = |v: NodeId| self.lack[v as usize] + self.total[v as usize];
            let mut best = (of(node), node);
            for &v in self.graph.neighborhood(node) {
                if of(v) < best.0 {
                    best = (of(v), v);
                }
            }
            let is_shut_in = best.0 == f64::INFINITY;
            (self.next[node as usize], self.choice[node as usize]) =
                if is_shut_in { (0.0, node) } else { best };
        }
        std::mem::swap(&mut self.total, &mut self.next);
        self.find_ends()
            && self.graph.nodes().all(|node| {
                let growth = self.total[node as usize] - self.next[node as usize];
                (growth - self.growth(node)).abs() <= rounding
            })
    }

    /// Follows all choices; false if some lead in a circle.
    fn find_ends(&mut self) -> bool {
        const UNKNOWN: NodeId = NodeId::MAX;
        self.ends.fill(UNKNOWN);
        for node in self.graph.nodes() {
            let (mut end, mut hops) = (node, 0);
            while self.ends[end as usize] == UNKNOWN && self.choice[end as usize] != end {
                end = self.choice[end as usize];
                hops += 1;
                if hops > self.graph.len() {
                    return false;
                }
            }
            if self.ends[end as usize] != UNKNOWN {
                end = self.ends[end as usize];
            }
            let mut here = node;
            while self.ends[here as usize] == UNKNOWN {
                self.ends[here as usize] = end;
                here = self.choice[here as usize];
            }
        }
        true
    }

    /// What a step adds to the walks from a node while their choices stay.
    fn growth(&self, node: NodeId) -> f64 {
        let lack = self.lack[self.ends[node as usize] as usize];
        if lack == f64::INFINITY { 0.0 } else { lack }
    }

    /// Takes all steps, at most `left`, before another choice is better somewhere.
    fn jump(&mut self, left: u64) -> u64 {
        let mut most = left as f64;
        for node in self.graph.nodes() {
            let growth = self.growth(node);
            for &v in self.graph.neighborhood(node) {
                let gained = growth - self.growth(v);
                // By the totals before the last step, from which the choices follow.
                let other = self.lack[v as usize] + self.next[v as usize];
                if gained > 0.0 && other < f64::INFINITY {
                    most = most.min(((other - self.total[node as usize]) / gained).max(0.0));
                }
            }
        }
        let steps = most.floor();
        for node in self.graph.nodes() {
            self.total[node as usize] += steps * self.growth(node);
        }
        steps as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn jumps_change_nothing() {
        let mut stream = Seed(29).stream();
        for case in 0..200 {
            let nodes = 2 + stream.below(9) as NodeId;
            let edges = (1..nodes).map(|v| (stream.below(u64::from(v)) as NodeId, v));
            let graph = Graph::from_edges(nodes as usize, edges).unwrap();
            // A few nodes are almost as good as the best: walks change their ends late.
            let price = |_| match stream.below(4) {
                0 => 0.5 + stream.below(1000) as f64 / 1e5,
                1 if case % 2 == 0 => f64::NEG_INFINITY,
                _ => stream.unit() / 2.0,
            };
            let prices: Vec<f64> = (0..nodes).map(price).collect();
            let is_open = |&&v: &&NodeId| prices[v as usize] > f64::NEG_INFINITY;
            let mut plain = vec![0.0; nodes as usize];
            for steps in 1..=1500 {
                let before = plain.clone();
                for node in graph.nodes() {
                    let row = graph.neighborhood(node).iter().filter(is_open);
                    let best = row.map(|&v| prices[v as usize] + before[v as usize]);
                    plain[node as usize] = best.fold(f64::NEG_INFINITY, f64::max);
                }
                if steps < 20 || steps % 250 == 0 {
                    let walks = dearest_walks(&graph, &prices, steps);
                    for (walk, plain) in walks.iter().zip(&plain).filter(|pair| pair.1.is_finite())
                    {
                        assert!((walk - plain).abs() < 1e-8, "{case} {steps}: {walk} {plain}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_million_steps_take_a_few() {
        // Staying on node 0 is best up to 501 steps.
        let line = Graph::from_edges(3, [(0, 1), (1, 2)]).unwrap();
        let prices = [0.5, 0.0, 0.501];
        assert_eq!(dearest_walks(&line, &prices, 400)[0], 200.0);
        let long = dearest_walks(&line, &prices, 1_000_000);
        assert!((long[0] - 999_999.0 * 0.501).abs() < 1e-6);
        assert!((long[2] - 501_000.0).abs() < 1e-6);
    }
}
