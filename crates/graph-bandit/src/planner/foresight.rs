//! Foresight: before it leaves a rival, an agent counts the trip that it would take to come back.
//!
//! Once the agent stands on a rival, only visits cost something there. If it leaves as soon as they
//! are no longer worth their price, it often has to return when more time has passed, and pays for
//! the trip again. With foresight `f`, the gain of staying counts `(1 + trip / price)^f` times,
//! where `price` is the price of the next visits there and `trip` that of a trip from home to the
//! rival and half the way back. At `f = 1`, staying is worth as much as coming back for the same
//! visits would have to be.

use super::detours::WAY_HOME;

/// The weight of the trip back. Zero: the agent does not count it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Foresight(pub(super) f64);

impl Foresight {
    /// Whether the trip back counts at all.
    #[inline]
    pub(super) fn counts(self) -> bool {
        self.0 > 0.0
    }

    /// How many times the gain of staying counts, where the path home costs `straight` and the next
    /// visits cost `price`, which is above zero.
    pub(super) fn factor(self, straight: f64, price: f64) -> f64 {
        let trip = (1.0 + WAY_HOME) * straight;
        // Finite, so that no gain of zero becomes undefined.
        libm::pow(1.0 + trip / price, self.0).min(f64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_by_hand() {
        // A trip of 1.5 x 4 = 6 and visits that cost 2: coming back costs four times as much.
        assert_eq!(Foresight(1.0).factor(4.0, 2.0), 4.0);
        assert_eq!(Foresight(2.0).factor(4.0, 2.0), 16.0);
        assert_eq!(Foresight(0.5).factor(4.0, 2.0), 2.0);
        assert_eq!(Foresight(0.0).factor(4.0, 2.0), 1.0);
        assert_eq!(Foresight(3.0).factor(0.0, 2.0), 1.0);
        assert_eq!(Foresight(1e9).factor(1e9, 1e-300), f64::MAX);
        assert!(Foresight(0.1).counts() && !Foresight::default().counts());
    }
}
