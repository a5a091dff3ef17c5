//! Detectors raise false alarms as rarely as they say, and find changes as soon as theory says.

use graph_bandit::detector::{Cusum, Detector, Glr, Halves, Verdict};
use graph_bandit::divergence::Divergence;
use graph_bandit::{Seed, Stream, Visits};

/// When a detector first speaks, if it hears `rewards`.
fn alarm<D: Detector>(detector: &D, rewards: impl Iterator<Item = f64>) -> Option<u64> {
    let mut record = D::Record::default();
    let mut heard = rewards.zip(1..);
    heard
        .find(|&(reward, n)| detector.observe(&mut record, reward, Visits(n)) == Verdict::Changed)
        .map(|(_, n)| n)
}

fn bernoulli(stream: &mut Stream, mean: impl Fn(u64) -> f64) -> impl Iterator<Item = f64> {
    (0..).map(move |k| f64::from(u8::from(stream.unit() < mean(k))))
}

/// The share of many runs of `length` rewards with a false alarm.
fn false_alarms<D: Detector>(
    detector: &D,
    length: usize,
    mut draw: impl FnMut(&mut Stream) -> f64,
) -> f64 {
    const RUNS: u64 = 1_000;
    let runs = (0..RUNS).filter(|&run| {
        let mut stream = Seed(77).child(run).stream();
        alarm(detector, (0..length).map(|_| draw(&mut stream))).is_some()
    });
    runs.count() as f64 / RUNS as f64
}

#[test]
fn the_likelihood_ratio_raises_false_alarms_as_rarely_as_stated() {
    let delta = 0.1;
    let glr = Glr::new(Divergence::Bernoulli, delta);
    for mean in [0.02, 0.5, 0.9] {
        let found = false_alarms(&glr, 2_000, |stream| f64::from(u8::from(stream.unit() < mean)));
        assert!(found <= delta, "{mean}: {found}");
    }
    let gaussian = Glr::new(Divergence::gaussian(2.0), delta);
    let found = false_alarms(&gaussian, 2_000, |stream| 50.0 + 2.0 * stream.normal());
    assert!(found <= delta, "{found}");
    // The test has power: with half of the true scale there are many more.
    let too_sure = Glr::new(Divergence::gaussian(1.0), delta);
    let found = false_alarms(&too_sure, 500, |stream| 50.0 + 2.0 * stream.normal());
    assert!(found > 0.5, "{found}");
}

#[test]
fn halves_raise_false_alarms_as_rarely_as_stated() {
    // One test per reward: at most `length` times the probability of one.
    let halves = Halves { window: 100, unit: 1.0, likelihood: (0.1 / 2_000.0).into() };
    let found = false_alarms(&halves, 2_000, |stream| f64::from(u8::from(stream.unit() < 0.5)));
    assert!(found <= 0.1, "{found}");
    let gaussian = Halves { unit: 4.0, ..halves };
    let found = false_alarms(&gaussian, 2_000, |stream| 50.0 + 2.0 * stream.normal());
    assert!(found <= 0.1, "{found}");
    let too_sure = Halves { unit: 1.5, ..gaussian };
    let found = false_alarms(&too_sure, 2_000, |stream| 50.0 + 2.0 * stream.normal());
    assert!(found > 0.5, "{found}");
}

/// The time between false alarms of CUSUM grows at least as fast as its threshold's exponential.
#[test]
fn cusum_raises_false_alarms_as_rarely_as_stated() {
    // Rewards within a range of 1 drift by -0.1 and have at most variance 1/4, so that by Lundberg's
    // inequality a sum that starts at zero reaches h with probability at most exp(-0.8 h).
    let threshold = 12.0_f64;
    let likelihood = libm::exp(-threshold);
    let cusum = Cusum { first: 150, tolerance: 0.1, unit: 1.0, likelihood: likelihood.into() };
    // Knowing the mean only from its first rewards costs something; hence a tolerance.
    let found = false_alarms(&cusum, 2_000, |stream| f64::from(u8::from(stream.unit() < 0.5)));
    assert!(found <= 2.0 * 2_000.0 * libm::exp(-0.8 * threshold), "{found}");
    let eager = Cusum { likelihood: libm::exp(-3.0).into(), ..cusum };
    let found = false_alarms(&eager, 2_000, |stream| f64::from(u8::from(stream.unit() < 0.5)));
    assert!(found > 0.5, "{found}");
}

/// The mean delay of the detections after reward 500, and the share of alarms before.
fn delay<D: Detector>(detector: &D, (before, after): (f64, f64)) -> (f64, f64) {
    const RUNS: u64 = 300;
    let (mut early, mut sum, mut late) = (0.0, 0.0, 0.0);
    for run in 0..RUNS {
        let mut stream = Seed(5).child(run).stream();
        let rewards = bernoulli(&mut stream, |k| if k < 500 { before } else { after });
        match alarm(detector, rewards.take(20_000)) {
            Some(n) if n <= 500 => early += 1.0,
            Some(n) => (sum, late) = (sum + (n - 500) as f64, late + 1.0),
            None => panic!("a change was never found"),
        }
    }
    (sum / late, early / RUNS as f64)
}

/// After `m` rewards, `s kl(before, mean) + m kl(after, mean)` must reach the threshold, with `s`
/// rewards before.
#[test]
fn the_likelihood_ratio_finds_a_change_in_time() {
    let glr = Glr::new(Divergence::Bernoulli, 0.01);
    for (before, after) in [(0.9, 0.1), (0.2, 0.7), (0.5, 0.3)] {
        let (found, early) = delay(&glr, (before, after));
        let expected = |m: f64| {
            let kl = |p, q| Divergence::Bernoulli.between(p, q);
            let mean = (500.0 * before + m * after) / (500.0 + m);
            let threshold = libm::log(3.0 * libm::pow(500.0 + m, 1.5) / 0.01);
            500.0 * kl(before, mean) + m * kl(after, mean) >= threshold
        };
        let theory = (1..5_000).map(f64::from).find(|&m| expected(m)).unwrap();
        // Every tenth reward is tested, and the luckiest split counts.
        assert!((0.7 * theory..1.2 * theory + 10.0).contains(&found), "{found} {theory}");
        assert!(early <= 0.01, "{early}");
    }
}

/// A drift of `size - tolerance` a reward reaches the threshold.
#[test]
fn cusum_finds_a_change_in_time() {
    let cusum = Cusum { first: 150, tolerance: 0.1, unit: 1.0, likelihood: 1e-4.into() };
    for (before, after) in [(0.9, 0.1), (0.2, 0.7), (0.5, 0.3)] {
        let (found, _) = delay(&cusum, (before, after));
        let theory = libm::log(1e4) / ((after - before).abs() - 0.1);
        assert!((0.7 * theory..1.3 * theory + 5.0).contains(&found), "{found} {theory}");
    }
}

/// About as many new rewards as make the difference of the sums large enough.
#[test]
fn halves_find_a_change_in_time() {
    let halves = Halves { window: 150, unit: 1.0, likelihood: 1e-7.into() };
    for (before, after) in [(0.9, 0.1), (0.2, 0.9)] {
        let (found, early) = delay(&halves, (before, after));
        let theory = (75.0 * libm::log(2e7)).sqrt() / (after - before).abs();
        assert!((0.8 * theory..1.2 * theory + 5.0).contains(&found), "{found} {theory}");
        assert_eq!(early, 0.0);
    }
}
