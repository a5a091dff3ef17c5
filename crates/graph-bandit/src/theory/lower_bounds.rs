//! Theorems L1 and L2: the regret that no agent can avoid, because of noise and because of travel.
//!
//! Proved in `docs/explanations/theory.md`, "Lower bounds". The noise is Gaussian with standard
//! deviation `h`, or the rewards of a node take two values `2 h` apart ([`HardNoise`]).

/// The laws of the hard cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HardNoise {
    /// Gaussian with standard deviation `h`.
    Gaussian,
    /// Two values, `2 h` apart. Bernoulli rewards are of this kind, with `h = 1/2`.
    TwoValues,
}

/// Theorem L1: on every connected graph, for every agent, some node can be better than the others
/// by so little that the agent's expected regret is at least this.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NoiseFloor {
    /// `|S|`; at least 2.
    pub nodes: usize,
    /// `h`.
    pub scale: f64,
    /// The laws of all nodes.
    pub noise: HardNoise,
    /// `T`, the steps that count.
    pub steps: u64,
    /// `t_1`, earlier steps, which do not count; 0 if regret counts from the start.
    pub init_steps: u64,
}

impl NoiseFloor {
    /// `x = (1 - 1 / |S|) / sqrt k`, with `k = 1` for Gaussian noise and 4/3 for two values.
    fn signal(&self) -> f64 {
        let excess = match self.noise {
            HardNoise::Gaussian => 1.0,
            HardNoise::TwoValues => 4.0 / 3.0_f64,
        };
        (1.0 - 1.0 / self.nodes as f64) / excess.sqrt()
    }

    /// `tau = T + t_1`.
    fn time(&self) -> f64 {
        (self.steps + self.init_steps) as f64
    }

    /// `x h sqrt(|S| / tau)`: by how much the best node exceeds the others in the hard case.
    pub fn hard_gap(&self) -> f64 {
        self.signal() * self.scale * (self.nodes as f64 / self.time()).sqrt()
    }

    /// `(1 - 1 / |S|)^2 / (2 sqrt k) h T sqrt(|S| / tau)`, at least `h T sqrt(|S| / tau) / 10`;
    /// `None` if there is one node only, or `tau < 4 |S|`.
    pub fn regret(&self) -> Option<f64> {
        let is_covered = self.nodes >= 2 && self.time() >= 4.0 * self.nodes as f64;
        let missed = (1.0 - 1.0 / self.nodes as f64) / 2.0;
        is_covered.then_some(missed * self.hard_gap() * self.steps as f64)
    }
}

/// Theorem L2: an agent whose regret is at most `C h sqrt(t)` at all times, whichever of `m`
/// contenders is slightly better, crosses between them again and again where they are equal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TravelFloor {
    /// `m`, the number of contenders; at least 2.
    pub contenders: usize,
    /// `d`: no two contenders are fewer hops apart.
    pub apart: u32,
    /// `g`: by how much all other nodes are worse.
    pub gap: f64,
    /// `C`.
    pub rate: f64,
    /// `T_0`: the agent's promise is about times from here on; at least `8 m`, and not before the
    /// end of initialization.
    pub first: u64,
    /// `T`, counted from the first visit.
    pub last: u64,
}

impl TravelFloor {
    /// `lambda = ceil(550 C^2 / m + 2)`: from any `t` to `lambda t`, the agent is expected to visit
    /// three quarters of the contenders.
    pub fn stretch(&self) -> f64 {
        (550.0 * self.rate * self.rate / self.contenders as f64 + 2.0).ceil()
    }

    /// `floor(log_lambda(T / T_0))`.
    pub fn stretches(&self) -> u32 {
        let (stretch, last) = (self.stretch(), self.last as f64);
        // Also from time 0, which nothing stretches.
        let mut end = self.first.max(1) as f64 * stretch;
        let mut stretches = 0;
        while end <= last {
            stretches += 1;
            end *= stretch;
        }
        stretches
    }

    /// `(3 m / 4 - 1) floor(log_lambda(T / T_0))`: how often the agent is expected to go from one
    /// contender to another; `None` if the theorem does not cover the case.
    pub fn crossings(&self) -> Option<f64> {
        let (contenders, first) = (self.contenders as u64, self.first);
        let is_covered = contenders >= 2 && first >= 8 * contenders && self.rate > 0.0;
        let each = 0.75 * self.contenders as f64 - 1.0;
        is_covered.then(|| each * f64::from(self.stretches()))
    }

    /// The least expected regret where all contenders are equal: `(d - 1) g` per crossing; `None`
    /// if the theorem does not cover the case.
    pub fn regret(&self) -> Option<f64> {
        let crossing = f64::from(self.apart.saturating_sub(1)) * self.gap;
        self.crossings().map(|crossings| crossings * crossing)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorem_l1_by_hand() {
        let floor = NoiseFloor {
            nodes: 2,
            scale: 0.5,
            noise: HardNoise::Gaussian,
            steps: 200,
            init_steps: 0,
        };
        // x = 1/2; 0.25 sqrt(1 / 100) and (1/8) 0.5 * 200 * 0.1.
        assert!((floor.hard_gap() - 0.025).abs() < 1e-15);
        assert!((floor.regret().unwrap() - 1.25).abs() < 1e-12);
        let two = NoiseFloor { noise: HardNoise::TwoValues, ..floor };
        // 1 / sqrt(4/3) = 0.8660254.
        assert!((two.regret().unwrap() - 1.25 * 0.866_025_4).abs() < 1e-6);
        // A hundred nodes after 1,000 steps of initialization: 0.99^2 / 2 * 4000 sqrt(100 / 5000).
        let many = NoiseFloor { nodes: 100, scale: 1.0, steps: 4_000, init_steps: 1_000, ..floor };
        assert!((many.regret().unwrap() - 0.980_1 * 2_000.0 * 0.141_421_356).abs() < 1e-3);
        for (nodes, steps) in [(1, 200), (60, 200)] {
            assert_eq!(NoiseFloor { nodes, steps, ..floor }.regret(), None);
        }
        for nodes in 2..50 {
            let two = NoiseFloor { nodes, steps: 900, ..two };
            let tenth = 0.05 * (nodes as f64 * 900.0).sqrt();
            assert!(two.regret().unwrap() >= tenth, "{nodes}");
        }
    }

    const ENDS: TravelFloor =
        TravelFloor { contenders: 2, apart: 11, gap: 0.5, rate: 2.0, first: 16, last: 1 << 40 };

    #[test]
    fn theorem_l2_by_hand() {
        // 275 * 4 + 2; 1102^3 * 16 = 2.1e10, 1102^4 * 16 = 2.4e13, and 2^40 = 1.1e12.
        assert_eq!((ENDS.stretch(), ENDS.stretches()), (1_102.0, 3));
        assert_eq!((ENDS.crossings(), ENDS.regret()), (Some(1.5), Some(7.5)));
        let exactly = TravelFloor { last: 16 * 1_102 * 1_102, ..ENDS };
        assert_eq!(exactly.stretches(), 2);
        assert_eq!(TravelFloor { last: exactly.last - 1, ..ENDS }.stretches(), 1);
        // The leaves of a star of 101 nodes: 550 * 100 / 100 + 2.
        let star = TravelFloor { contenders: 100, apart: 2, rate: 10.0, first: 800, ..ENDS };
        assert_eq!((star.stretch(), star.stretches()), (552.0, 3));
        assert_eq!(star.regret(), Some(3.0 * 74.0 * 0.5));
        assert_eq!(TravelFloor { first: 15, ..ENDS }.regret(), None);
        assert_eq!(TravelFloor { first: 0, ..ENDS }.regret(), None);
        assert_eq!(TravelFloor { contenders: 1, ..ENDS }.regret(), None);
        assert_eq!(TravelFloor { rate: 0.0, ..ENDS }.regret(), None);
    }

    #[test]
    fn two_contenders_pay_what_the_short_form_says() {
        for rate in [0.35, 0.5, 1.0, 7.0] {
            for doublings in 5..60 {
                let floor = TravelFloor { rate, last: 1 << doublings, ..ENDS };
                let log = libm::log(floor.last as f64 / floor.first as f64);
                let slow = libm::log(300.0 * rate * rate);
                if log >= slow {
                    let short = 10.0 * 0.5 * log / (4.0 * slow);
                    assert!(floor.regret().unwrap() >= short, "{floor:?}");
                }
            }
        }
    }

    /// The numbers of the proof: `q = 0.11`, `x = 0.388 sqrt m`.
    #[test]
    fn the_constants_of_theorem_l2_fit_together() {
        let (q, xi) = (0.11, 0.388);
        let kl = 0.25 * libm::log(0.25 / q) + 0.75 * libm::log(0.75 / (1.0 - q));
        // Two values, from t = 8 m on: the divergence is at most 1.02 times the Gaussian one.
        let share: f64 = xi * xi / 8.0;
        let excess = -libm::log1p(-share) / share;
        assert!(excess <= 1.02 && excess * xi * xi / 2.0 <= kl, "{excess} {kl}");
        assert!(1.0 / (q * xi * q * xi) <= 550.0);
        // And little is given away.
        assert!(1.0 / (q * xi * q * xi) > 545.0 && 1.03 * xi * xi / 2.0 > kl);
    }
}
