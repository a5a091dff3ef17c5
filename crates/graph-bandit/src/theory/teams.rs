//! Theorem 9: the regret of Multi-G-UCB, which leads a team.
//!
//! It is Theorem 1 of *Cooperative Multi-Agent Graph Bandits* (Paschalidis, Zhang and Li, 2024) with
//! explicit constants, for the preset `paper`, `until=least`, and one draw per node and step. Proved
//! in `docs/explanations/theory.md`.

use crate::graph::{Graph, NodeId};
use crate::team::Sharing;
use std::f64::consts::SQRT_2;

/// Theorem 9 with its constants. Here `T` counts all steps, those of initialization included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TeamBound {
    /// `K`, the number of nodes.
    pub nodes: usize,
    /// `D`, or a bound on it.
    pub diameter: u32,
    /// `N`, the number of walkers.
    pub walkers: usize,
    /// `gamma`, the largest `f(c) / c` of any node ([`Sharing::steepest`]).
    pub steepest: f64,
    /// `F`, the largest `f(c)` of any node.
    pub largest_share: f64,
    /// `T`.
    pub steps: u64,
}

impl TeamBound {
    /// The bound for `steps` steps of the team that `sharing` is for.
    ///
    /// # Panics
    /// When shares are by node and there are fewer of them than nodes.
    pub fn of(graph: &Graph, sharing: &Sharing, steps: u64) -> Self {
        let walkers = sharing.walkers();
        // Shares never fall, so each node's last is its largest.
        let shares = graph.nodes().map(|node| sharing.multiple(node, walkers));
        Self {
            nodes: graph.len(),
            diameter: graph.diameter(),
            walkers,
            steepest: sharing.steepest(),
            largest_share: shares.fold(0.0, f64::max),
            steps,
        }
    }

    /// `m = min(N, K)`: the most nodes that draw in one step.
    fn draws_per_step(&self) -> f64 {
        self.walkers.min(self.nodes) as f64
    }

    /// `W = min(gamma N, F m)`: the most that one step can cost.
    pub fn worst_step(&self) -> f64 {
        let by_walkers = self.steepest * self.walkers as f64;
        by_walkers.min(self.largest_share * self.draws_per_step())
    }

    /// `max(1, 2 (K - 1))`: the steps of initialization, the draws at the starts included.
    pub fn init_steps(&self) -> u64 {
        (2 * (self.nodes as u64).saturating_sub(1)).max(1)
    }

    /// `1 + K log2(m T / K)`: the number of episodes begun, of which all but the last are complete.
    pub fn episodes(&self) -> f64 {
        let nodes = self.nodes as f64;
        let draws = self.draws_per_step() * self.steps as f64;
        1.0 + nodes * libm::log2(draws / nodes).max(0.0)
    }

    /// `2 gamma N sqrt(2 ln T / n)`: what a step of exploitation costs in a clean episode, if each
    /// chosen node had at least `n` draws when the episode began.
    pub fn exploitation_step(&self, fewest_draws: u64) -> f64 {
        let radius = self.reach() / (fewest_draws as f64).sqrt();
        2.0 * self.steepest * self.walkers as f64 * radius
    }

    /// `sqrt(2 ln T)`: the largest radius.
    fn reach(&self) -> f64 {
        (2.0 * libm::log(self.steps as f64)).sqrt()
    }

    /// The cost of initialization: `W` per step.
    pub fn initialization(&self) -> f64 {
        self.worst_step() * self.init_steps().min(self.steps) as f64
    }

    /// The cost of all transitions, those of bad episodes included: `W D` per episode.
    pub fn transitions(&self) -> f64 {
        self.worst_step() * f64::from(self.diameter) * self.episodes()
    }

    /// The cost of exploitation in clean episodes:
    /// `2 (sqrt 2 + 1) sqrt(2 ln T) min(gamma N, F sqrt(m)) sqrt(K T)`.
    pub fn exploitation(&self) -> f64 {
        let by_walkers = self.steepest * self.walkers as f64;
        let by_nodes = self.largest_share * self.draws_per_step().sqrt();
        let samples = (self.nodes as f64 * self.steps as f64).sqrt();
        2.0 * (SQRT_2 + 1.0) * self.reach() * by_walkers.min(by_nodes) * samples
    }

    /// The expected cost of exploitation in bad episodes:
    /// `W min(2 m + 2 m^2 / K, 4 sqrt(K) + 2)`.
    pub fn bad_episodes(&self) -> f64 {
        let (nodes, draws) = (self.nodes as f64, self.draws_per_step());
        let few_walkers = 2.0 * draws + 2.0 * draws * draws / nodes;
        self.worst_step() * few_walkers.min(4.0 * nodes.sqrt() + 2.0)
    }

    /// The bound on the expected regret of Multi-G-UCB against the best static allocation.
    pub fn regret(&self) -> f64 {
        self.initialization() + self.transitions() + self.exploitation() + self.bad_episodes()
    }
}

/// `2 sum f_k(c_k) b_k`: what a step of exploitation costs in a clean episode, with the counts `c_k`
/// of the chosen nodes and the radius `b_k` of every node.
///
/// # Panics
/// When a node is unknown or has more walkers than `sharing` is for.
pub fn exploitation_step_bound(sharing: &Sharing, counts: &[(NodeId, u32)], radii: &[f64]) -> f64 {
    let of_node = |&(node, count): &(NodeId, u32)| {
        sharing.multiple(node, count as usize) * radii[node as usize]
    };
    2.0 * counts.iter().map(of_node).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorem_9_by_hand() {
        let line = Graph::line(4).unwrap();
        let bound = TeamBound::of(&line, &Sharing::same(2, |c| c as f64).unwrap(), 100);
        assert_eq!((bound.steepest, bound.largest_share, bound.diameter), (1.0, 2.0, 3));
        assert_eq!(bound.worst_step(), 2.0);
        assert_eq!(bound.init_steps(), 6);
        assert_eq!(bound.initialization(), 12.0);
        assert_eq!(bound.episodes(), 1.0 + 4.0 * libm::log2(50.0));
        assert_eq!(bound.transitions(), 6.0 * bound.episodes());
        // 4.8284271 * 3.0348543 * 2 * 20: all walkers may be on one node.
        assert!((bound.exploitation() - 586.143_1).abs() < 1e-3);
        // 2 (4 + 2 * 4 / 4).
        assert_eq!(bound.bad_episodes(), 12.0);
        assert_eq!(bound.exploitation_step(4), 2.0 * 2.0 * (2.0 * libm::log(100.0)).sqrt() / 2.0);
        let equal = TeamBound::of(&line, &Sharing::equal(2), 100);
        assert!((equal.exploitation() * SQRT_2 - bound.exploitation()).abs() < 1e-9);
        let crowd = TeamBound::of(&line, &Sharing::equal(9), 100);
        assert_eq!((crowd.worst_step(), crowd.bad_episodes()), (4.0, 40.0));
    }

    #[test]
    fn one_node_needs_one_step() {
        let node = Graph::line(1).unwrap();
        let bound = TeamBound::of(&node, &Sharing::equal(3), 8);
        assert_eq!((bound.init_steps(), bound.episodes(), bound.transitions()), (1, 4.0, 0.0));
    }

    #[test]
    fn a_step_by_hand() {
        let square = Sharing::same(3, |c| (c * c) as f64).unwrap();
        let counts = [(0, 2), (2, 1)];
        assert_eq!(exploitation_step_bound(&square, &counts, &[0.5, 9.0, 0.25]), 2.0 * 2.25);
    }
}
