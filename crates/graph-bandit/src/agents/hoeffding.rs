//! The rates and bonuses of Q-learning UCB-H (Jin et al., 2018) on a graph.
//!
//! With `H = 1 / gamma`, `k` walks along the edge and `E` edges (self-loops included), the rate is
//! `(H + 1) / (H + k)` and the bonus `c sqrt(H^3 ln(S E k sqrt(t)) / k)`. Terms that depend only on
//! `k` are computed when `k` changes, which happens for one edge per step. The logarithm splits
//! into `ln(S E) + ln(t) / 2 + ln(k)`: one logarithm per step instead of one per neighbour.

use crate::ahead::Ahead;
use crate::graph::Graph;
use crate::logarithms::log;

/// The terms of an edge's rate and bonus that depend on its walks.
#[derive(Debug, Clone, Copy)]
struct Edge {
    walks: u64,
    log_walks: f64,
    rate: f64,
    /// `H^3 / k`.
    scale: f64,
}

/// The rates and bonuses of all edges.
#[derive(Debug, Clone)]
pub(super) struct Hoeffding {
    c: f64,
    horizon: f64,
    /// `ln(S E)`.
    log_size: f64,
    logs: Ahead,
    /// Each undirected edge is stored at the lower of its two entries in the graph's rows.
    edges: Vec<Edge>,
}

impl Hoeffding {
    pub(super) fn new(graph: &Graph, c: f64, gamma: f64) -> Self {
        let horizon = 1.0 / gamma;
        let edges = match graph.roads() {
            None => graph.edge_count() + graph.len(),
            // Each direction of a street counts as its own road.
            Some(_) => graph.row_entries(),
        };
        let fresh = Edge::after(0, horizon);
        Self {
            c,
            horizon,
            log_size: libm::log(graph.len() as f64 * edges as f64),
            logs: Ahead::default(),
            edges: vec![fresh; graph.row_entries()],
        }
    }

    /// Counts `walks` more walks along `edge`.
    #[inline]
    pub(super) fn count(&mut self, edge: usize, walks: u64) {
        let edge = &mut self.edges[edge];
        *edge = Edge::after(edge.walks + walks, self.horizon);
    }

    /// The number of walks along every edge, by position.
    pub(super) fn walks(&self) -> impl Iterator<Item = u64> + '_ {
        self.edges.iter().map(|edge| edge.walks)
    }

    /// Sets the number of walks along every edge.
    pub(super) fn set_walks(&mut self, walks: &[u64]) {
        for (edge, &walks) in self.edges.iter_mut().zip(walks) {
            *edge = Edge::after(walks, self.horizon);
        }
    }

    /// The term that all bonuses at time `t` share: `ln(S E sqrt(t))`.
    #[inline]
    pub(super) fn log_at(&mut self, t: u64) -> f64 {
        self.logs.at(t, |log| self.log_size + 0.5 * log)
    }

    /// The rate and bonus of `edge`.
    #[inline]
    pub(super) fn rate_and_bonus(&self, edge: usize, log: f64) -> (f64, f64) {
        let edge = &self.edges[edge];
        // The logarithm is negative only before the first visit and in the first steps of one-node graphs.
        let log = (log + edge.log_walks).max(0.0);
        (edge.rate, self.c * (edge.scale * log).sqrt())
    }
}

impl Edge {
    fn after(walks: u64, horizon: f64) -> Self {
        let k = walks.max(1) as f64;
        let scale = horizon * horizon * horizon / k;
        Self { walks, log_walks: log(walks.max(1)), rate: (horizon + 1.0) / (horizon + k), scale }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formula_by_hand() {
        let graph = Graph::line(3).unwrap();
        let mut rule = Hoeffding::new(&graph, 2.0, 0.5);
        rule.count(1, 3);
        rule.count(1, 1);
        let log = rule.log_at(9);
        // S = 3, E = 5, k = 4, t = 9, H = 2: rate 3 / 6, bonus 2 sqrt(8 ln(180) / 4).
        let (rate, bonus) = rule.rate_and_bonus(1, log);
        assert_eq!(rate, 0.5);
        assert!((bonus - 6.445_436_742_930_744).abs() < 1e-12, "{bonus}");
        // An edge never walked counts as walked once: 2 sqrt(8 ln(45)).
        let (rate, bonus) = rule.rate_and_bonus(0, log);
        assert_eq!(rate, 1.0);
        assert!((bonus - 11.036_901_724_335_966).abs() < 1e-12, "{bonus}");
    }

    #[test]
    fn no_bonus_before_there_is_a_logarithm() {
        let one = Graph::from_edges(1, []).unwrap();
        let mut rule = Hoeffding::new(&one, 1.0, 0.9);
        let log = rule.log_at(0);
        assert_eq!(rule.rate_and_bonus(0, log), (1.0, 0.0));
    }
}
