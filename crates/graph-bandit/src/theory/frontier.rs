//! Theorem 3: the regret of an agent that weighs travel against promise and stays longer after
//! longer trips.
//!
//! The agent: index `mean + h sqrt(2 a ln t / n)`, destination of highest `index - A / t` with `A`
//! the estimated cost of the trip, then `max(1, floor(growth n + per_hop hops))` visits to it.
//! Proved in `docs/explanations/theory.md`.

use crate::planner::step_cost;

/// What is known about rewards besides their noise scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RewardRange {
    /// Nothing more.
    Unbounded,
    /// The rewards of a node lie in an interval of width `2 h`.
    Bounded,
}

/// The parameters of the agent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontierRule {
    /// `h`, the declared sub-Gaussian scale of one node's noise.
    pub scale: f64,
    /// `a`, the exponent of the confidence `t^-a`; the theorem needs at least 4.
    pub confidence: f64,
    /// Visits to a destination per earlier visit; the theorem needs it above 0.
    pub growth: f64,
    /// Visits to a destination per hop walked to it.
    pub per_hop: f64,
}

impl FrontierRule {
    /// `h sqrt(2 a ln t / n)`.
    pub fn radius(&self, t: u64, n: u64) -> f64 {
        self.scale * (2.0 * self.confidence * libm::log(t as f64) / n as f64).sqrt()
    }

    /// `2 |S| t^(1 - a)`: the probability that some mean lies outside its radius when an episode
    /// begins at `t_m = t`.
    pub fn bad_event_probability(&self, nodes: usize, t: u64) -> f64 {
        2.0 * nodes as f64 * libm::pow(t as f64, 1.0 - self.confidence)
    }

    /// `q`: a complete episode multiplies the visits to its destination by at least this, the
    /// minimum of `1 + max(1, floor(growth n)) / n` over all `n`.
    pub fn growth_factor(&self) -> f64 {
        if self.growth >= 1.0 {
            1.0 + self.growth.floor()
        } else {
            1.0 + 1.0 / ((2.0 / self.growth).ceil() - 1.0)
        }
    }

    /// `eta = max(growth, 1 + per_hop)`: an episode that begins at `t_m` has at most `eta t_m` steps.
    pub fn longest_share(&self) -> f64 {
        self.growth.max(1.0 + self.per_hop)
    }

    /// `kappa = max(1, growth)`: visits to a destination beyond `kappa n` are extra stay.
    pub fn regular_share(&self) -> f64 {
        self.growth.max(1.0)
    }

    fn is_covered(&self) -> bool {
        self.confidence >= 4.0 && self.growth > 0.0 && self.per_hop >= 0.0
    }
}

/// Theorem 3 with its constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FrontierBound {
    /// The agent's parameters.
    pub rule: FrontierRule,
    /// What is known about the rewards.
    pub range: RewardRange,
    /// `g`, the largest gap, or a bound on it.
    pub largest_gap: f64,
    /// `|S|`.
    pub nodes: usize,
    /// `D`, or a bound on it.
    pub diameter: u32,
    /// `L`, or a bound on it; `D` for an agent that walks paths of fewest hops.
    pub longest_path: usize,
    /// `T`.
    pub steps: u64,
    /// `t_1`.
    pub init_steps: u64,
}

impl FrontierBound {
    /// The same bound for an agent that prices every step at `h` or more
    /// ([`TravelAware::with_least_gap`](crate::planner::TravelAware::with_least_gap)): none of its
    /// ways has more than `1 + (D - 1) w / h` hops.
    #[must_use]
    pub fn with_least_gap(self) -> Self {
        let hops = 1.0 + (self.crossing() / self.rule.scale).floor();
        Self { longest_path: self.longest_path.min(hops as usize), ..self }
    }

    /// `tau = T + t_1`.
    fn time(&self) -> f64 {
        (self.steps + self.init_steps) as f64
    }

    /// `h sqrt(2 a ln tau)`: the largest radius.
    fn widest_radius(&self) -> f64 {
        self.rule.scale * (2.0 * self.rule.confidence * libm::log(self.time())).sqrt()
    }

    /// `w`: a bound on the estimated cost of a step, including the small amount that the planner
    /// adds to each.
    pub fn estimated_gap(&self) -> f64 {
        let error = match self.range {
            RewardRange::Unbounded => self.widest_radius(),
            RewardRange::Bounded => self.widest_radius().min(2.0 * self.rule.scale),
        };
        self.largest_gap + 2.0 * error + step_cost(self.rule.scale)
    }

    /// `1 + |S| log_q(tau / |S|)`: the number of episodes begun until `T`.
    pub fn episodes(&self) -> f64 {
        let nodes = self.nodes as f64;
        1.0 + nodes * libm::log(self.time() / nodes) / libm::log(self.rule.growth_factor())
    }

    /// `eta / ln(1 + eta) * ln(tau / t_1)`: the sum of all `H_m / t_m` until `T`.
    pub fn shares(&self) -> f64 {
        let eta = self.rule.longest_share();
        eta / libm::log(1.0 + eta) * libm::log(self.time() / self.init_steps as f64)
    }

    /// The cost of optimism: twice the radii of all regular visits.
    pub fn price_of_optimism(&self) -> f64 {
        let root = (1.0 + self.rule.regular_share()).sqrt() + 1.0;
        2.0 * root * self.widest_radius() * (self.nodes as f64 * self.time()).sqrt()
    }

    /// The cost of trips and extra stays if every step of them costs `g`.
    pub fn switching_by_hops(&self) -> f64 {
        let steps = (1.0 + self.rule.per_hop) * self.longest_path as f64 - 1.0;
        self.episodes() * steps.max(0.0) * self.largest_gap
    }

    /// The same from the estimated costs of trips; for cheapest paths only.
    pub fn switching_by_price(&self) -> f64 {
        let ways = self.episodes() * self.crossing();
        let steps = (1.0 + 2.0 * self.rule.per_hop) * self.longest_path as f64 - 1.0;
        let radii = self.widest_radius() / (1.0 - self.rule.growth_factor().sqrt().recip());
        ways + self.nodes as f64 * steps.max(0.0) * radii
    }

    /// The cost of preferring near destinations.
    pub fn cost_of_discount(&self) -> f64 {
        self.crossing() * self.shares()
    }

    /// The expected total cost of all episodes that begin with a mean outside its radius.
    pub fn bad_episodes(&self) -> f64 {
        4.0 * self.rule.longest_share() * self.largest_gap
    }

    /// The bound on the expected regret, whatever the gaps; `None` for parameters that the theorem
    /// does not cover.
    pub fn regret(&self) -> Option<f64> {
        let switching = self.switching_by_hops().min(self.switching_by_price());
        let regret =
            self.price_of_optimism() + switching + self.cost_of_discount() + self.bad_episodes();
        self.rule.is_covered().then_some(regret)
    }

    /// `N(s) = 8 a h^2 ln tau / gap^2 + 2 (D - 1) w / gap`: clean episodes to a node of this gap
    /// begin with at most this many visits to it.
    pub fn visits_until_given_up(&self, gap: f64) -> f64 {
        let radius = self.widest_radius();
        4.0 * radius * radius / (gap * gap) + 2.0 * self.crossing() / gap
    }

    /// `W(s) = 1 + log_q+(N(s))`: the number of clean episodes to a node of this gap.
    pub fn episodes_until_given_up(&self, gap: f64) -> f64 {
        let visits = self.visits_until_given_up(gap).max(1.0);
        1.0 + libm::log(visits) / libm::log(self.rule.growth_factor())
    }

    /// The bound by the gaps of all nodes, none above `g`; `None` if several nodes are best, or for
    /// parameters that the theorem does not cover.
    pub fn regret_by_gaps(&self, gaps: &[f64]) -> Option<f64> {
        let unique = gaps.iter().filter(|&&gap| gap == 0.0).count() == 1;
        let longest = self.longest_path as f64;
        let way = (longest - 1.0).max(0.0) * self.largest_gap;
        let q = self.rule.growth_factor();
        let stays = self.rule.regular_share() * q / (q - 1.0);
        let of_node = |&gap: &f64| {
            let switch = 2.0 * way + self.rule.per_hop * longest * gap;
            let visits = self.visits_until_given_up(gap);
            self.episodes_until_given_up(gap) * switch + stays * visits * gap
        };
        let nodes: f64 = gaps.iter().filter(|&&gap| gap > 0.0).map(of_node).sum();
        // The trip from the start, bad episodes, and the trips back from them.
        let once = way + self.bad_episodes() + 3.0 * self.largest_gap;
        (unique && self.rule.is_covered()).then_some(nodes + once)
    }

    /// `(D - 1) w`: the largest estimated cost of a cheapest path.
    fn crossing(&self) -> f64 {
        f64::from(self.diameter.saturating_sub(1)) * self.estimated_gap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: FrontierRule =
        FrontierRule { scale: 0.5, confidence: 4.0, growth: 1.0, per_hop: 1.0 };

    #[test]
    fn at_half_the_range_it_is_the_papers_radius() {
        for (t, n) in [(2, 1), (8, 8), (1000, 17)] {
            let paper = crate::theory::confidence_radius(t, n);
            assert!((RULE.radius(t, n) - paper).abs() < 1e-12);
            let paper = crate::theory::bad_event_probability(7, t);
            assert!((RULE.bad_event_probability(7, t) / paper - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn the_growth_factor_is_the_least_of_all() {
        for sixteenths in 1..64 {
            let growth = f64::from(sixteenths) / 16.0;
            let visits = |n: u32| (growth * f64::from(n)).floor().max(1.0);
            let least = (1..2000).map(|n| 1.0 + visits(n) / f64::from(n)).reduce(f64::min);
            let rule = FrontierRule { growth, ..RULE };
            assert_eq!(Some(rule.growth_factor()), least, "{growth}");
        }
    }

    #[test]
    fn theorem_3_by_hand() {
        let bound = FrontierBound {
            rule: RULE,
            range: RewardRange::Unbounded,
            largest_gap: 0.5,
            nodes: 4,
            diameter: 3,
            longest_path: 3,
            steps: 92,
            init_steps: 8,
        };
        // tau = 100: a radius of at most 0.5 * sqrt(8 * 4.6051702) = 3.0348543.
        assert!((bound.price_of_optimism() - 4.828_427_1 * 3.034_854_3 * 20.0).abs() < 1e-4);
        // 1 + 4 * log2(25) episodes of 5 steps.
        assert!((bound.episodes() - 19.575_424_8).abs() < 1e-6);
        assert!((bound.switching_by_hops() - 19.575_424_8 * 5.0 * 0.5).abs() < 1e-5);
        // w = 6.5697085, 8 steps of four nodes, 1 / (1 - 1 / sqrt 2) = 3.4142136.
        let price = 19.575_424_8 * 2.0 * 6.569_708_5 + 32.0 * 3.034_854_3 * 3.414_213_6;
        assert!((bound.switching_by_price() - price).abs() < 1e-4);
        // 2 / ln 3 * ln 12.5 = 4.5980346.
        assert!((bound.cost_of_discount() - 4.598_034_6 * 2.0 * 6.569_708_5).abs() < 1e-4);
        assert_eq!(bound.bad_episodes(), 4.0);
        let total = bound.price_of_optimism() + bound.switching_by_hops();
        let total = total + bound.cost_of_discount() + 4.0;
        assert!((bound.regret().unwrap() - total).abs() < 1e-9);
        let bounded = FrontierBound { range: RewardRange::Bounded, ..bound };
        // The planner's step at h = 1 / 2 is 1e-9.
        assert_eq!(bounded.estimated_gap(), 2.5 + 1e-9);
        // Two nodes of 2.5 between the ends, at 0.5 or more each: at most eleven hops.
        let long = FrontierBound { longest_path: 40, ..bounded };
        assert_eq!(long.with_least_gap(), FrontierBound { longest_path: 11, ..bounded });
        assert_eq!(bounded.with_least_gap(), bounded);
        assert_eq!(FrontierBound { diameter: 1, ..long }.with_least_gap().longest_path, 1);
        for rule in [FrontierRule { confidence: 3.9, ..RULE }, FrontierRule { growth: 0.0, ..RULE }]
        {
            let bound = FrontierBound { rule, ..bound };
            assert_eq!((bound.regret(), bound.regret_by_gaps(&[0.0, 0.5])), (None, None));
        }
    }

    #[test]
    fn theorem_3_by_gaps_by_hand() {
        let bound = FrontierBound {
            rule: RULE,
            range: RewardRange::Bounded,
            largest_gap: 0.5,
            nodes: 3,
            diameter: 2,
            longest_path: 2,
            steps: 97,
            init_steps: 3,
        };
        // ln 100 = 4.6051702, w = 2.5: N = 8 ln 100 / gap^2 + 5 / gap.
        let visits = |gap: f64| 8.0 * 4.605_170_2 / (gap * gap) + 5.0 / gap;
        assert!((bound.visits_until_given_up(0.5) - visits(0.5)).abs() < 1e-4);
        // N(0.5) = 157.36545, N(0.25) = 609.46179.
        let switching = (1.0 + 7.297_978) * (1.0 + 2.0 * 0.5) + (1.0 + 9.251_39) * (1.0 + 0.5);
        let stays = 2.0 * (visits(0.5) * 0.5 + visits(0.25) * 0.25);
        let once = 0.5 + 4.0 + 1.5;
        let regret = bound.regret_by_gaps(&[0.5, 0.0, 0.25]).unwrap();
        assert!((regret - (switching + stays + once)).abs() < 1e-2, "{regret}");
        assert_eq!(bound.regret_by_gaps(&[0.5, 0.0, 0.0]), None);
    }
}
