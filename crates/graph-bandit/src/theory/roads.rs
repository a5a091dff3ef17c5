//! Theorems 1 and 2 for roads that run one way and take time: the time diameter replaces `D`.
//!
//! Derived in `docs/explanations/theory.md`, "Roads that run one way and take time".

use super::{MinimaxBound, episode_bound};

/// The expected total cost of all bad episodes, in visits.
const BAD_EPISODES: f64 = 8.0;

/// The sum of the probabilities of bad episodes.
const BAD_CHANCES: f64 = 3.0;

/// A visit under way at `T`: its time has passed, but its reward is not yet due.
const UNDER_WAY: f64 = 1.0;

/// Theorem 1 on roads:
/// `2 (sqrt 2 + 1) sqrt(2 ln(T + t_1)) sqrt(3 |S| (T + t_1)) + D_w |S| log2(3 (T + t_1)) + 8 + 3 (D_w - 1) + 1`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoadMinimaxBound {
    /// `|S|`.
    pub nodes: usize,
    /// `D_w`, the time diameter.
    pub time_diameter: f64,
    /// `T`, in units of time.
    pub steps: u64,
    /// `t_1`, the visits of initialization.
    pub init_visits: u64,
}

impl RoadMinimaxBound {
    /// The cost of optimism: twice the sum of all confidence radii.
    pub fn price_of_optimism(&self) -> f64 {
        let Self { nodes, steps, init_visits: init_steps, .. } = *self;
        MinimaxBound { nodes, diameter: 0, steps, init_steps }.price_of_optimism()
    }

    /// The cost of travel: at most `D_w` per episode.
    pub fn cost_of_switching(&self) -> f64 {
        self.time_diameter * episode_bound(self.nodes, self.steps, self.init_visits)
    }

    /// The bound on the expected regret of G-UCB and Direct-SP, for rewards in `[0, 1]`.
    pub fn regret(&self) -> f64 {
        let travel = (self.time_diameter - 1.0).max(0.0);
        let rest = BAD_EPISODES + BAD_CHANCES * travel + UNDER_WAY;
        self.price_of_optimism() + self.cost_of_switching() + rest
    }
}

/// Theorem 2 on roads, for a unique best node: with `K = (L - 1) + (D_w - 1)`, the sum over all other nodes of
/// `2 K (1 + log2+(8 ln(T + t_1) / gap^2)) + 16 ln(T + t_1) / gap`, plus `4 K + 3 (D_w - 1) + 9`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RoadGapBound<'a> {
    /// `mu* - mu_s` of every node.
    pub gaps: &'a [f64],
    /// `L`, in hops, or a bound on it.
    pub longest_path: usize,
    /// `D_w`, the time diameter.
    pub time_diameter: f64,
    /// `T`, in units of time.
    pub steps: u64,
    /// `t_1`, the visits of initialization.
    pub init_visits: u64,
}

impl RoadGapBound<'_> {
    /// The bound on the expected regret of G-UCB, for rewards in `[0, 1]`; `None` if several nodes
    /// are best, because the theorem then does not apply.
    pub fn regret(&self) -> Option<f64> {
        let unique = self.gaps.iter().filter(|&&gap| gap == 0.0).count() == 1;
        let log = libm::log((self.steps + self.init_visits) as f64);
        let travel = (self.time_diameter - 1.0).max(0.0);
        let way = self.longest_path.saturating_sub(1) as f64 + travel;
        let of_node = |gap: &f64| {
            let episodes = 1.0 + libm::log2(8.0 * log / (gap * gap)).max(0.0);
            2.0 * way * episodes + 16.0 * log / gap
        };
        let nodes: f64 = self.gaps.iter().filter(|&&gap| gap > 0.0).map(of_node).sum();
        let bad = BAD_EPISODES + BAD_CHANCES * travel + BAD_CHANCES * way;
        unique.then_some(nodes + way + bad + UNDER_WAY)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorems_by_hand() {
        let bound = RoadMinimaxBound { nodes: 4, time_diameter: 3.0, steps: 96, init_visits: 4 };
        let unit = MinimaxBound { nodes: 4, diameter: 3, steps: 96, init_steps: 4 };
        // The paper's bound, plus the roads of bad episodes and a visit under way.
        assert!((bound.regret() - (unit.regret() + 3.0 * 2.0 + 1.0)).abs() < 1e-9);
        let gaps = RoadGapBound {
            gaps: &[0.0, 0.5],
            longest_path: 1,
            time_diameter: 2.5,
            steps: 98,
            init_visits: 2,
        };
        // K = 1.5; 2 K (1 + log2(8 ln(100) / 0.25)) + 16 ln(100) / 0.5, and 4 K + 4.5 + 9.
        let log = 4.605_170_185_988_092;
        let node = 3.0 * (1.0 + libm::log2(32.0 * log)) + 32.0 * log;
        assert!((gaps.regret().unwrap() - (node + 6.0 + 4.5 + 9.0)).abs() < 1e-9);
        assert_eq!(RoadGapBound { gaps: &[0.0, 0.0], ..gaps }.regret(), None);
    }
}
