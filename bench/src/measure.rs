//! Measuring: warm up, alternate, take medians.
//!
//! Contestants take turns, so that a busy machine slows all of them, and medians drop the turns in
//! which it was busier than usual.

use crate::stopwatch::Stopwatch;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};

/// How much to measure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// No further round begins after this time.
    pub time: Duration,
    /// The least number of rounds.
    pub least_rounds: usize,
    /// The greatest number of rounds.
    pub most_rounds: usize,
}

/// One way to do the work of a round; the number of the round selects the input.
pub type Contestant<'a> = Box<dyn FnMut(usize) + 'a>;

/// The median time of each contestant, in seconds, over rounds in which each takes a turn.
pub fn in_turns(budget: Budget, contestants: &mut [Contestant<'_>]) -> Vec<f64> {
    for contestant in contestants.iter_mut() {
        contestant(0);
    }
    let mut times = vec![Vec::new(); contestants.len()];
    let begun = Instant::now();
    for round in 0..budget.most_rounds.max(1) {
        if round >= budget.least_rounds.max(1) && begun.elapsed() >= budget.time {
            break;
        }
        for (contestant, times) in contestants.iter_mut().zip(&mut times) {
            let watch = Stopwatch::start();
            contestant(round);
            times.push(watch.seconds());
        }
    }
    times.into_iter().map(graph_bandit_lab::statistics::median).collect()
}

/// The slope of the least-squares line through `(ln x, ln y)`: the `p` of `y ~ x^p`. `None` unless
/// there are two different `x`; values that are not positive have no logarithm and are skipped.
pub fn exponent(points: &[(f64, f64)]) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points
        .iter()
        .filter(|(x, y)| *x > 0.0 && *y > 0.0)
        .map(|(x, y)| (libm::log(*x), libm::log(*y)))
        .collect();
    let n = logs.len() as f64;
    let (x, y) = logs.iter().fold((0.0, 0.0), |(x, y), log| (x + log.0 / n, y + log.1 / n));
    let spread: f64 = logs.iter().map(|log| (log.0 - x) * (log.0 - x)).sum();
    let slope: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    (spread > 0.0).then(|| slope / spread)
}

/// Two medians side by side.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Against {
    /// Seconds of the other side.
    pub seconds: f64,
    /// How many times faster the library is.
    pub ratio: f64,
}

impl Against {
    /// The other side's median next to the library's.
    pub fn new(seconds: f64, ours: f64) -> Self {
        Self { seconds, ratio: seconds / ours }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_contestants_take_equally_many_turns_on_the_same_inputs() {
        let mut seen = [Vec::new(), Vec::new()];
        let [a, b] = &mut seen;
        let budget = Budget { time: Duration::ZERO, least_rounds: 3, most_rounds: 9 };
        let mut contestants: [Contestant<'_>; 2] =
            [Box::new(|round| a.push(round)), Box::new(|round| b.push(round))];
        let medians = in_turns(budget, &mut contestants);
        drop(contestants);
        assert_eq!(medians.len(), 2);
        assert_eq!(seen, [[0, 0, 1, 2], [0, 0, 1, 2]]);
    }

    #[test]
    fn exponents_by_hand() {
        let square: Vec<(f64, f64)> = [1.0, 2.0, 5.0].iter().map(|x| (*x, 3.0 * x * x)).collect();
        assert!((exponent(&square).unwrap() - 2.0).abs() < 1e-12);
        assert!(exponent(&[(4.0, 7.0), (9.0, 7.0)]).unwrap().abs() < 1e-12);
        assert_eq!(exponent(&[(4.0, 7.0), (9.0, 0.0)]), None);
    }
}
