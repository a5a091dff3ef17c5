//! Guarantees with explicit constants, derived in `docs/explanations/theory.md`.
//!
//! The paper's guarantees assume rewards in `[0, 1]`. Theorem 3, about an agent that is not in the
//! paper, assumes a declared noise scale. `T` counts steps after initialization, `t_1` the steps of
//! initialization. Theorems 6 to 8 are about means that change; there, agents initialize themselves,
//! and `T` counts all steps. So it does in Theorem 9, which is about teams. Theorems L1 and L2 are lower
//! bounds, for all agents. Theorem 10 is about agents under a certificate; like Theorem 3, it
//! assumes a declared noise scale.

mod asymptotic;
mod changing;
mod changing_floor;
mod frontier;
mod longest_path;
mod lower_bounds;
mod patrol;
mod regret_bounds;
mod roads;
mod safe;
mod teams;

pub use asymptotic::least_regret_rate;
pub use changing::{ChangingCase, PatrolBound, PatrolRule, PeriodicBound};
pub use changing_floor::ChangingFloor;
pub use frontier::{FrontierBound, FrontierRule, RewardRange};
pub use longest_path::longest_path;
pub use lower_bounds::{HardNoise, NoiseFloor, TravelFloor};
pub use patrol::{patrol_regret, patrol_time, patrol_time_bound, patrol_walk};
pub use regret_bounds::{
    GapBound, MinimaxBound, regret_floor, ucrl2_gap_bound, ucrl2_minimax_bound,
};
pub use roads::{RoadGapBound, RoadMinimaxBound};
pub use safe::SafeBound;
pub use teams::{TeamBound, exploitation_step_bound};

/// `rad = sqrt(2 ln t / n)`, the confidence radius of G-UCB (Appendix A).
pub fn confidence_radius(t: u64, n: u64) -> f64 {
    (2.0 * libm::log(t as f64) / n as f64).sqrt()
}

/// `sqrt(7 ln(S A t / delta) / (2 n))`, the confidence radius of UCRL2 (Eq. 9).
pub fn ucrl2_confidence_radius(nodes: usize, actions: usize, t: u64, delta: f64, n: u64) -> f64 {
    let union = nodes as f64 * actions as f64 * t as f64 / delta;
    (7.0 * libm::log(union) / (2.0 * n as f64)).sqrt()
}

/// `2 |S| t^-3`: the probability that some mean lies outside its radius when an episode begins at
/// `t_m = t` (Appendix A: Hoeffding's inequality, a union over nodes and over counts up to `t`).
pub fn bad_event_probability(nodes: usize, t: u64) -> f64 {
    let t = t as f64;
    2.0 * nodes as f64 / (t * t * t)
}

/// `3 (T + t_1)`: all steps until the current episode at `T` is complete (Lemma 2).
pub fn trajectory_bound(steps: u64, init_steps: u64) -> u64 {
    steps.saturating_add(init_steps).saturating_mul(3)
}

/// `|S| log2(3 (T + t_1))`: the number of episodes begun until `T` (Lemma 3).
pub fn episode_bound(nodes: usize, steps: u64, init_steps: u64) -> f64 {
    nodes as f64 * libm::log2(trajectory_bound(steps, init_steps) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_by_hand() {
        assert!((confidence_radius(8, 8) - 0.721_013_443_300_441).abs() < 1e-12);
        assert!((ucrl2_confidence_radius(2, 6, 2, 0.5, 2) - 2.602_806_517_797_435).abs() < 1e-12);
        assert_eq!(bad_event_probability(10, 10), 0.02);
        assert_eq!(trajectory_bound(20, 1), 63);
        assert_eq!(episode_bound(5, 338, 3), 5.0 * libm::log2(1023.0));
    }
}
