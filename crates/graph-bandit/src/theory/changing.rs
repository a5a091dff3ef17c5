//! Theorems 6 and 7: the regret of G-UCB with patrols and of G-UCB with periodic restarts, where
//! means change now and then.
//!
//! Proved in `docs/explanations/theory.md`, "Rewards that change". Rewards lie in `[0, 1]`, every
//! step takes one unit of time, and regret is measured against the best node of every moment.

use super::{GapBound, MinimaxBound};

/// What the bounds for changing means depend on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangingCase {
    /// `|S|`.
    pub nodes: usize,
    /// `D`, or a bound on it.
    pub diameter: u32,
    /// `P`, the steps of one tour through all nodes.
    pub tour: u64,
    /// `Y`, the number of moments at which means change, or a bound on it.
    pub changes: u64,
    /// `T`, initializations included.
    pub steps: u64,
}

impl ChangingCase {
    /// `Y + 1`.
    fn stretches(&self) -> f64 {
        self.changes as f64 + 1.0
    }

    /// Theorem 1 for initialization and learning in `steps` steps together.
    fn minimax(&self, steps: u64) -> MinimaxBound {
        let Self { nodes, diameter, tour, .. } = *self;
        let init_steps = tour.min(steps);
        MinimaxBound { nodes, diameter, steps: steps - init_steps, init_steps }
    }
}

/// The parameters of G-UCB with patrols.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatrolRule {
    /// `delta`, above 0 and at most 1: every change moves the mean of some node by at least this.
    pub size: f64,
    /// `w`: a detector compares the averages of this many tours.
    pub window: u64,
    /// `r`: G-UCB's steps between two tours.
    pub rest: u64,
}

impl PatrolRule {
    /// `w = ceil(8 ln(2 T^2) / delta^2)` and `r = ceil(sqrt(T P / (Y w)))`; `r = T`, so no tour
    /// begins, if nothing changes.
    pub fn tuned(case: &ChangingCase, size: f64) -> Self {
        let steps = case.steps as f64;
        let window = (8.0 * libm::log(2.0 * steps * steps) / (size * size)).ceil().max(1.0);
        let rest = (steps * case.tour as f64 / (case.changes as f64 * window)).sqrt().ceil();
        let rest = if case.changes == 0 { case.steps } else { rest as u64 };
        Self { size, window: window as u64, rest: rest.max(1) }
    }
}

/// Theorem 6 with its constants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatrolBound {
    /// The graph, the changes and the horizon.
    pub case: ChangingCase,
    /// The agent's parameters.
    pub rule: PatrolRule,
}

impl PatrolBound {
    /// `r + P`, the steps from one tour to the next.
    fn cycle(&self) -> f64 {
        self.rule.rest as f64 + self.case.tour as f64
    }

    /// `(2 w - 1) (r + P) + 2 P`: the theorem needs at least this many steps between changes, and
    /// before the first.
    pub fn shortest_stretch(&self) -> f64 {
        (2.0 * self.rule.window as f64 - 1.0) * self.cycle() + 2.0 * self.case.tour as f64
    }

    /// `2 |S| (T / P) exp(-w delta^2 / 8)`: the probability that some average of some detector is
    /// off by `delta / 4` or more. Otherwise no alarm is false, and each change raises one.
    pub fn error_probability(&self) -> f64 {
        let PatrolRule { size, window, .. } = self.rule;
        let averages = self.case.nodes as f64 * (self.case.steps as f64 / self.case.tour as f64);
        (2.0 * averages * libm::exp(-(window as f64) * size * size / 8.0)).min(1.0)
    }

    /// `T P / (r + P)`: the steps of all tours that are not initializations.
    pub fn cost_of_tours(&self) -> f64 {
        self.case.steps as f64 * (self.case.tour as f64 / self.cycle())
    }

    /// `Y w r`: G-UCB's steps between a change and its alarm.
    pub fn cost_of_delays(&self) -> f64 {
        self.case.changes as f64 * self.rule.window as f64 * self.rule.rest as f64
    }

    /// `(Y + 1) P`: one initialization per stretch.
    pub fn cost_of_initializations(&self) -> f64 {
        self.case.stretches() * self.case.tour as f64
    }

    /// `T` times [`error_probability`](Self::error_probability).
    pub fn cost_of_errors(&self) -> f64 {
        self.case.steps as f64 * self.error_probability()
    }

    /// The cost of everything but G-UCB's own regret in each stretch.
    pub fn cost_of_watching(&self) -> f64 {
        let tours = self.cost_of_tours() + self.cost_of_initializations();
        tours + self.cost_of_delays() + self.cost_of_errors()
    }

    /// G-UCB's own regret, by Theorem 1 once per stretch: `2 (sqrt 2 + 1) sqrt(2 ln T)
    /// sqrt(3 |S| (Y + 1) T) + (Y + 1) (D |S| log2(3 T) + 8)`.
    pub fn cost_of_learning(&self) -> f64 {
        let (stretches, once) = (self.case.stretches(), self.case.minimax(self.case.steps));
        let price = once.price_of_optimism();
        stretches.sqrt() * price + stretches * (once.regret() - price)
    }

    /// The bound on the expected regret, if changes are far enough apart
    /// ([`shortest_stretch`](Self::shortest_stretch)).
    pub fn regret(&self) -> f64 {
        self.cost_of_learning() + self.cost_of_watching()
    }

    /// The same with Theorem 2 in each stretch, given the gaps of all nodes in each; `L` is
    /// `longest_path`. `None` if several nodes are best in some stretch.
    pub fn regret_by_gaps(&self, stretches: &[Vec<f64>], longest_path: usize) -> Option<f64> {
        let MinimaxBound { steps, init_steps, .. } = self.case.minimax(self.case.steps);
        let learning = stretches.iter().map(|gaps| {
            let bound = GapBound { gaps, longest_path, steps, init_steps };
            bound.regret()
        });
        let learning: Option<f64> = learning.sum();
        Some(learning? + self.cost_of_watching())
    }
}

/// Theorem 7: G-UCB that forgets everything and initializes anew every `period` steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PeriodicBound {
    /// The graph, the changes and the horizon.
    pub case: ChangingCase,
    /// The steps of a block, initialization included; at least one.
    pub period: u64,
}

impl PeriodicBound {
    /// The period `P 2^k`, at most `T`, for which the bound is lowest.
    pub fn tuned(case: ChangingCase) -> Self {
        let (mut period, mut best) = (case.tour.max(1), None::<Self>);
        while period <= case.steps.max(1) {
            let bound = Self { case, period };
            if best.is_none_or(|best| bound.regret() < best.regret()) {
                best = Some(bound);
            }
            period = period.saturating_mul(2);
        }
        best.unwrap_or(Self { case, period: case.steps.max(1) })
    }

    /// `ceil(T / period)`.
    fn blocks(&self) -> f64 {
        self.case.steps.div_ceil(self.period.max(1)) as f64
    }

    /// `ceil(T / period) (P + B) + Y period`, where `B` is Theorem 1 for one block.
    pub fn regret(&self) -> f64 {
        self.with_block(self.case.minimax(self.period).regret())
    }

    /// The same with the largest bound of Theorem 2 for one block, given the gaps of all nodes in
    /// each stretch. `None` if several nodes are best in some stretch.
    pub fn regret_by_gaps(&self, stretches: &[Vec<f64>], longest_path: usize) -> Option<f64> {
        let MinimaxBound { steps, init_steps, .. } = self.case.minimax(self.period);
        let mut worst = 0.0_f64;
        for gaps in stretches {
            worst = worst.max(GapBound { gaps, longest_path, steps, init_steps }.regret()?);
        }
        Some(self.with_block(worst))
    }

    fn with_block(&self, block: f64) -> f64 {
        let changed = self.case.changes as f64 * self.period as f64;
        self.blocks() * (self.case.tour as f64 + block) + changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CASE: ChangingCase =
        ChangingCase { nodes: 3, diameter: 2, tour: 4, changes: 2, steps: 100_000 };

    #[test]
    fn theorem_6_by_hand() {
        let rule = PatrolRule::tuned(&CASE, 0.5);
        // 32 ln(2e10) = 759.0032; sqrt(400000 / (2 * 760)) = 16.2.
        assert_eq!((rule.window, rule.rest), (760, 17));
        let bound = PatrolBound { case: CASE, rule };
        assert_eq!(bound.shortest_stretch(), 1519.0 * 21.0 + 8.0);
        assert!((bound.cost_of_tours() - 400_000.0 / 21.0).abs() < 1e-6);
        assert_eq!(bound.cost_of_delays(), 25_840.0);
        assert_eq!(bound.cost_of_initializations(), 12.0);
        // 2 * 3 * 25000 exp(-23.75) = 150000 * 4.8474e-11.
        assert!((bound.error_probability() - 7.271_1e-6).abs() < 1e-9);
        assert_eq!(bound.cost_of_errors(), 1e5 * bound.error_probability());
        // sqrt(2 ln 100000) = 4.7985262, sqrt(900000) = 948.6832981, log2(300000) = 18.1946030.
        let price = 4.828_427_125 * 4.798_525_9 * 948.683_298_1 * 3.0_f64.sqrt();
        let rest = 3.0 * (6.0 * 18.194_603 + 8.0);
        assert!((bound.cost_of_learning() - price - rest).abs() < 0.1);
        let gaps = vec![vec![0.0, 0.5, 0.25]; 3];
        // ln T = 11.5129255: by node 2 (1 + log2(32 ln T * 4)) + 64 ln T and so on; L = 2.
        let log = 11.512_925_465;
        let node = |gap: f64| 2.0 * (1.0 + libm::log2(8.0 * log / gap / gap)) + 16.0 * log / gap;
        let learning = 3.0 * (node(0.5) + node(0.25) + 1.0 + 11.0);
        let by_gaps = bound.regret_by_gaps(&gaps, 2).unwrap();
        assert!((by_gaps - learning - bound.cost_of_watching()).abs() < 1e-6);
        assert_eq!(bound.regret_by_gaps(&[vec![0.0, 0.0, 0.5]], 2), None);
        let still = PatrolRule::tuned(&ChangingCase { changes: 0, ..CASE }, 0.5);
        assert_eq!(still.rest, 100_000);
    }

    #[test]
    fn tours_and_delays_cost_at_most_twice_their_geometric_mean() {
        for changes in [1, 2, 7, 50] {
            for tour in [3, 10, 198] {
                for size in [0.1, 0.4, 1.0] {
                    let case = ChangingCase { tour, changes, ..CASE };
                    let rule = PatrolRule::tuned(&case, size);
                    let bound = PatrolBound { case, rule };
                    let (y, w) = (changes as f64, rule.window as f64);
                    let most = 2.0 * (y * w * tour as f64 * 1e5).sqrt() + y * w;
                    assert!(bound.cost_of_tours() + bound.cost_of_delays() <= most);
                    assert!(bound.cost_of_errors() <= 1.0);
                }
            }
        }
    }

    #[test]
    fn theorem_6_has_the_order_that_the_page_states() {
        let mut closest = 0.0_f64;
        for nodes in [2, 10, 100] {
            for changes in [1, 10, 1_000] {
                for steps in [100, 1_000_000, 1 << 50] {
                    for size in [0.05, 0.5, 1.0] {
                        let (s, y, t) = (nodes as f64, changes as f64, steps as f64);
                        let tour = 2 * (nodes as u64 - 1);
                        let case = ChangingCase { nodes, diameter: 1, tour, changes, steps };
                        let bound = PatrolBound { case, rule: PatrolRule::tuned(&case, size) };
                        let log = libm::log(t);
                        let root = 12.0 * (1.0 + 1.0 / size) * (s * (y + 1.0) * t * log).sqrt();
                        let travel = (y + 1.0) * (s * libm::log2(3.0 * t) + 2.0 * s + 8.0);
                        let most = root + travel + 18.0 * y * log / (size * size) + 1.0;
                        assert!(bound.regret() <= most, "{case:?} {size}");
                        closest = closest.max(bound.regret() / most);
                    }
                }
            }
        }
        assert!(closest > 0.9, "{closest}");
    }

    #[test]
    fn theorem_7_by_hand() {
        let bound = PeriodicBound { case: CASE, period: 30_000 };
        let block = MinimaxBound { nodes: 3, diameter: 2, steps: 29_996, init_steps: 4 };
        assert_eq!(bound.regret(), 4.0 * (4.0 + block.regret()) + 60_000.0);
        let gaps = [0.0, 0.5, 0.25];
        let block = GapBound { gaps: &gaps, longest_path: 2, steps: 29_996, init_steps: 4 };
        let regret = 4.0 * (4.0 + block.regret().unwrap()) + 60_000.0;
        assert_eq!(bound.regret_by_gaps(&[gaps.to_vec(), vec![0.0, 0.5, 0.5]], 2), Some(regret));
        let tuned = PeriodicBound::tuned(CASE);
        let all = (0..15).map(|k| PeriodicBound { case: CASE, period: 4 << k }.regret());
        assert_eq!(Some(tuned.regret()), all.reduce(f64::min));
        let short = ChangingCase { steps: 2, ..CASE };
        assert_eq!(PeriodicBound::tuned(short).period, 2);
    }
}
