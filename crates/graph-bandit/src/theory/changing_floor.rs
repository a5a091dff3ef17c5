//! Theorem 8: the regret that no agent can avoid where means change.
//!
//! Proved in `docs/explanations/theory.md`, "Rewards that change".

/// Lower bounds on the highest expected regret of any agent, over means in `[0, 1]` that change at
/// `Y` moments.
///
/// The means before the first change may be known. They need `Y + 1` stretches of at least
/// `max(|S|, 2 (D - 1))` steps each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChangingFloor {
    /// `|S|`; at least 2.
    pub nodes: usize,
    /// `D`, or less.
    pub diameter: u32,
    /// `Y`.
    pub changes: u64,
    /// `T`.
    pub steps: u64,
}

impl ChangingFloor {
    /// `n = floor(T / (Y + 1))`: the steps of a stretch.
    pub fn stretch(&self) -> u64 {
        self.steps / self.changes.saturating_add(1)
    }

    /// `sqrt(|S| / n) / 4`: by how much the best node of each stretch exceeds the others in the
    /// hard case.
    pub fn hard_gap(&self) -> f64 {
        (self.nodes as f64 / self.stretch() as f64).sqrt() / 4.0
    }

    /// `(1 - 1 / |S| - 1 / (2 sqrt 3)) / 4`: at least 1/19.
    pub fn factor(&self) -> f64 {
        (1.0 - 1.0 / self.nodes as f64 - 0.5 / 3.0_f64.sqrt()) / 4.0
    }

    /// `factor Y sqrt(|S| n)`: the cost of telling nodes apart anew after every change.
    pub fn cost_of_noise(&self) -> f64 {
        let stretch = (self.nodes as f64 * self.stretch() as f64).sqrt();
        self.factor() * self.changes as f64 * stretch
    }

    /// `Y (|S| - 1) / 2`: the cost of searching for the best node after every change, without
    /// noise.
    pub fn cost_of_search(&self) -> f64 {
        self.changes as f64 * (self.nodes as f64 - 1.0) / 2.0
    }

    /// `Y (D - 1)`: the cost of travel, even if all means are known for all time.
    pub fn cost_of_travel(&self) -> f64 {
        self.changes as f64 * f64::from(self.diameter.saturating_sub(1))
    }

    /// The largest of the three; `None` if stretches are too short for the theorem, or there is
    /// only one node.
    pub fn regret(&self) -> Option<f64> {
        let travel = 2 * u64::from(self.diameter.saturating_sub(1));
        let is_covered = self.nodes >= 2 && self.stretch() >= travel.max(self.nodes as u64);
        let regret = self.cost_of_noise().max(self.cost_of_search()).max(self.cost_of_travel());
        is_covered.then_some(regret)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn theorem_8_by_hand() {
        let floor = ChangingFloor { nodes: 4, diameter: 3, changes: 9, steps: 4_000 };
        assert_eq!((floor.stretch(), floor.hard_gap()), (400, 0.025));
        // (1 - 0.25 - 0.2886751) / 4 = 0.1153312.
        assert!((floor.factor() - 0.115_331_2).abs() < 1e-6);
        assert!((floor.cost_of_noise() - 0.115_331_2 * 9.0 * 40.0).abs() < 1e-3);
        assert_eq!((floor.cost_of_search(), floor.cost_of_travel()), (13.5, 18.0));
        assert_eq!(floor.regret(), Some(floor.cost_of_noise()));
        let two = ChangingFloor { nodes: 2, ..floor };
        assert!(two.factor() > 1.0 / 19.0);
        assert_eq!(ChangingFloor { steps: 39, ..floor }.regret(), None);
        assert_eq!(ChangingFloor { nodes: 1, ..floor }.regret(), None);
        assert_eq!(ChangingFloor { diameter: 202, ..floor }.regret(), None);
    }
}
