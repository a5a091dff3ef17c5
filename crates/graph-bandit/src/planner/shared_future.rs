//! The future, shared among rivals.
//!
//! An improvement pays for as long as the agent stays with it. But if many nodes may improve, the
//! agent tries one after the other. So the visits left are divided by `sum / max` of all
//! improvements: by 1 if one rival stands out, by the number of rivals if all are alike.

/// The sum of improvements, and the highest.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SharedFuture {
    sum: f64,
    most: f64,
}

impl SharedFuture {
    /// Adds the improvement of a node. The order of nodes matters to the last bit.
    #[inline]
    pub(crate) fn add(&mut self, improvement: f64) {
        self.sum += improvement;
        self.most = self.most.max(improvement);
    }

    /// The factor that turns an improvement into a gain, if this much time is left.
    #[inline]
    pub(crate) fn visits(self, left: f64) -> f64 {
        if self.sum > 0.0 { left * self.most / self.sum } else { 0.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn visits(improvements: &[f64]) -> f64 {
        let mut future = SharedFuture::default();
        for &improvement in improvements {
            future.add(improvement);
        }
        future.visits(120.0)
    }

    #[test]
    fn one_rival_has_all_of_it_and_equals_share_it() {
        assert_eq!(visits(&[0.0, 3.0, 0.0]), 120.0);
        assert_eq!(visits(&[0.5, 0.5, 0.5, 0.5]), 30.0);
        assert_eq!(visits(&[2.0, 4.0, 2.0]), 60.0);
        assert_eq!(visits(&[0.0, 0.0]), 0.0);
    }
}
