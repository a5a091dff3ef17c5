//! Theorem 1, Theorem 2, UCRL2's published bounds, and the regret that no policy can avoid.

use super::episode_bound;
use crate::graph::NodeId;
use crate::plan::{StepsOnly, horizon_losses};
use crate::world::World;

/// Theorem 1 with its constants:
/// `2 (sqrt 2 + 1) sqrt(2 ln(T + t_1)) sqrt(3 |S| (T + t_1)) + D |S| log2(3 (T + t_1)) + 8`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MinimaxBound {
    /// `|S|`.
    pub nodes: usize,
    /// `D`, or a bound on it.
    pub diameter: u32,
    /// `T`.
    pub steps: u64,
    /// `t_1`.
    pub init_steps: u64,
}

impl MinimaxBound {
    /// The cost of optimism: twice the sum of all confidence radii.
    pub fn price_of_optimism(&self) -> f64 {
        let time = (self.steps + self.init_steps) as f64;
        let samples = (3.0 * self.nodes as f64 * time).sqrt();
        2.0 * (std::f64::consts::SQRT_2 + 1.0) * (2.0 * libm::log(time)).sqrt() * samples
    }

    /// The cost of travel: at most `D` per episode.
    pub fn cost_of_switching(&self) -> f64 {
        f64::from(self.diameter) * episode_bound(self.nodes, self.steps, self.init_steps)
    }

    /// The bound on the expected regret of G-UCB and Direct-SP.
    pub fn regret(&self) -> f64 {
        self.regret_up_to(1.0)
    }

    /// The same for means of any range and noise of range one: no gap is above `largest_gap`, and
    /// travel and bad episodes cost at most that per step.
    pub fn regret_up_to(&self, largest_gap: f64) -> f64 {
        self.price_of_optimism() + largest_gap * (self.cost_of_switching() + BAD_EPISODES)
    }
}

/// The expected total cost of all episodes that begin with a mean outside its radius.
const BAD_EPISODES: f64 = 8.0;

/// Theorem 2 with its constants, for a unique best node: the sum over all other nodes of
/// `2 (L - 1) (1 + log2+(8 ln(T + t_1) / gap^2)) + 16 ln(T + t_1) / gap`, plus `L + 10`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GapBound<'a> {
    /// `mu* - mu_s` of every node.
    pub gaps: &'a [f64],
    /// `L`, or a bound on it.
    pub longest_path: usize,
    /// `T`.
    pub steps: u64,
    /// `t_1`.
    pub init_steps: u64,
}

impl GapBound<'_> {
    /// The bound on the expected regret of G-UCB; `None` if several nodes are best, because the
    /// theorem then does not apply.
    pub fn regret(&self) -> Option<f64> {
        let way = self.longest_way();
        let nodes: f64 = self.worse().map(|gap| 2.0 * way * self.episodes(gap)).sum();
        // The trip from the start, bad episodes, and the trips back from them.
        let once = way + BAD_EPISODES + 3.0;
        (self.best_nodes() == 1).then_some(nodes + self.stays() + once)
    }

    /// The bound on the expected regret of G-UCB if several nodes may be best: the sum over all
    /// worse nodes of `(L - 1) (1 + log2+(8 ln(T + t_1) / gap^2)) + 16 ln(T + t_1) / gap`, plus
    /// `(L - 1) log2(3 (T + t_1))` for each best node, plus 8.
    pub fn regret_with_ties(&self) -> f64 {
        let way = self.longest_way();
        let nodes: f64 = self.worse().map(|gap| way * self.episodes(gap)).sum();
        let best = way * episode_bound(self.best_nodes(), self.steps, self.init_steps);
        nodes + self.stays() + best + BAD_EPISODES
    }

    /// `W = 1 + log2+(8 ln(T + t_1) / gap^2)`: the number of clean episodes to a node of this gap.
    pub fn episodes(&self, gap: f64) -> f64 {
        1.0 + libm::log2(8.0 * self.log() / (gap * gap)).max(0.0)
    }

    /// The cost of all stays on worse nodes: `16 ln(T + t_1) / gap` for each.
    fn stays(&self) -> f64 {
        self.worse().map(|gap| 16.0 * self.log() / gap).sum()
    }

    /// The gaps of all nodes that are not best.
    fn worse(&self) -> impl Iterator<Item = f64> {
        self.gaps.iter().copied().filter(|&gap| gap > 0.0)
    }

    fn best_nodes(&self) -> usize {
        self.gaps.iter().filter(|&&gap| gap == 0.0).count()
    }

    /// `L - 1`: the most nodes between the ends of a way.
    fn longest_way(&self) -> f64 {
        self.longest_path.saturating_sub(1) as f64
    }

    fn log(&self) -> f64 {
        libm::log((self.steps + self.init_steps) as f64)
    }
}

/// UCRL2's published bound, `34 D S sqrt(A T ln(T / delta))` with probability at least `1 - delta`
/// (Jaksch, Ortner and Auer 2010, Theorem 2), where `A` is the number of actions per state.
pub fn ucrl2_minimax_bound(nodes: usize, actions: usize, diameter: u32, t: u64, delta: f64) -> f64 {
    let t = t as f64;
    let root = (actions as f64 * t * libm::log(t / delta)).sqrt();
    34.0 * f64::from(diameter) * nodes as f64 * root
}

/// The leading term of UCRL2's published bound by the gap in average reward, `34^2 D^2 S^2 A ln(T)
/// / gap` (Jaksch, Ortner and Auer 2010, Theorem 4).
pub fn ucrl2_gap_bound(nodes: usize, actions: usize, diameter: u32, t: u64, gap: f64) -> f64 {
    let scale = 34.0 * f64::from(diameter) * nodes as f64;
    scale * scale * actions as f64 * libm::log(t as f64) / gap
}

/// The expected regret of the best `steps` steps from `start` with all means known: no policy has
/// less in this world.
///
/// The floor is `T mu* - (V(s_0, T) - mu(s_0))`: the paper's `V(s_0, T)` also counts the reward of
/// `s_0`, but regret does not.
///
/// # Errors
/// When roads take time. The long-run loss of the best policy is then the cost of the cheapest path
/// ([`shortest_path`](crate::plan::shortest_path)).
pub fn regret_floor(world: &World, start: NodeId, steps: u64) -> Result<f64, StepsOnly> {
    StepsOnly::check(world.graph(), "the regret floor")?;
    let losses = horizon_losses(world.graph(), world.means(), steps)?;
    Ok(losses[start as usize] - world.gap(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorem_1_by_hand() {
        let bound = MinimaxBound { nodes: 4, diameter: 3, steps: 96, init_steps: 4 };
        // T + t_1 = 100: 4.8284271 * 3.0348543 * 34.6410162 and 3 * 4 * log2(300).
        assert!((bound.price_of_optimism() - 507.614_646).abs() < 1e-3);
        assert!((bound.cost_of_switching() - 98.745_8).abs() < 1e-3);
        assert!((bound.regret() - 507.614_646 - 98.745_8 - 8.0).abs() < 1e-3);
        assert!((bound.regret_up_to(9.0) - 507.614_646 - 9.0 * 106.745_8).abs() < 1e-2);
    }

    #[test]
    fn theorem_2_by_hand() {
        let bound = GapBound { gaps: &[0.0, 0.5], longest_path: 1, steps: 98, init_steps: 2 };
        // 16 ln(100) / 0.5 + 0 + 11.
        assert!((bound.regret().unwrap() - (147.365_446 + 11.0)).abs() < 1e-5);
        let tied = GapBound { gaps: &[0.0, 0.0, 0.5], ..bound };
        assert_eq!(tied.regret(), None);
        let apart = GapBound { longest_path: 3, ..tied };
        // Ways of two nodes: 2 (1 + log2(32 ln 100)) + 147.365 + 2 * 2 log2(300) + 8.
        let by_hand = 2.0 * (1.0 + 7.203_254) + 147.365_446 + 4.0 * 8.228_819 + 8.0;
        assert!((apart.regret_with_ties() - by_hand).abs() < 1e-4);
        assert!((tied.regret_with_ties() - 155.365_446).abs() < 1e-4);
    }
}
