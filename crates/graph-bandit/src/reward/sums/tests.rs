//! Totals drawn at once, compared to single draws and to exact laws.

use super::gaussian;
use super::goodness_of_fit::{Masses, assert_draws_follow, assert_normal, deviations};
use crate::estimates::Sample;
use crate::random::Seed;
use crate::reward::Law;
use crate::same_draws::same_draws;
use proptest::prelude::*;

/// The totals after `k` visits, from the start.
fn totals(law: &Law, tape: Seed, k: u64) -> Sample {
    law.totals(tape, &Sample::default(), k).unwrap()
}

fn gaussian() -> Law {
    Law::gaussian(0.0, 1.0).unwrap()
}

fn laws() -> Vec<Law> {
    let bernoulli = [0.0, 1e-12, 0.003, 0.3, 0.5, 0.97, 1.0].map(Law::bernoulli);
    let others = [
        Law::gaussian(0.0, 1.0),
        Law::gaussian(-7.0, 0.25),
        Law::gaussian(3.0, 0.0),
        Law::gaussian(1e100, 1e100),
        Law::constant(0.1),
    ];
    bernoulli.into_iter().chain(others).collect::<Result<_, _>>().unwrap()
}

const PLACES: [u64; 14] =
    [0, 1, 15, 16, 17, 63, 64, 65, 127, 1000, 4096, 1_000_007, 1 << 40, (1 << 53) - 50];

proptest! {
    #![proptest_config(same_draws(64))]

    #[test]
    fn any_sequence_of_calls_leaves_the_same_bits(
        cuts in prop::collection::vec((0_usize..PLACES.len(), 0_u64..50), 0..8),
        seed: u64,
    ) {
        let mut places: Vec<u64> = cuts.into_iter().map(|(i, more)| PLACES[i] + more).collect();
        places.sort_unstable();
        for law in laws() {
            let mut before = Sample::default();
            for &k in &places {
                before = law.totals(Seed(seed), &before, k).unwrap();
                prop_assert_eq!(before, totals(&law, Seed(seed), k), "{:?} after {}", law, k);
                prop_assert_eq!(before.count, k);
            }
        }
    }
}

#[test]
fn the_first_visits_are_single_draws() {
    for law in laws() {
        for k in 0..=16 {
            let (at_once, single) = (totals(&law, Seed(4), k), law.sample(Seed(4), 0..k));
            let error = (at_once.sum - single.sum).abs();
            assert!(error <= 1e-15 * single.sum.abs(), "{law:?} after {k}");
            if law.variance() > 0.0 {
                assert_eq!(at_once, single, "{law:?} after {k}");
            }
        }
    }
    // Where single draws end and the tree begins, both representations agree.
    let (single, tree) = (gaussian().sample(Seed(4), 0..16), gaussian::totals(Seed(4), 16));
    assert!((single.sum - 16.0 * tree.mean).abs() < 1e-14);
    assert!((single.variance().unwrap() - tree.squares / 15.0).abs() < 1e-14);
}

#[test]
fn totals_are_made_of_single_rewards() {
    for start in [0, 60, 1000, 123_456] {
        for law in laws().into_iter().filter(|law| law.mean() < 1e6) {
            let mut before = totals(&law, Seed(6), start);
            for k in start..start + 300 {
                let after = law.totals(Seed(6), &before, k + 1).unwrap();
                let reward = after.sum - before.sum;
                let square = after.sum_of_squares - before.sum_of_squares;
                let rounding = 1e-13 * (1.0 + after.sum_of_squares) * (1.0 + reward.abs());
                assert!((square - reward * reward).abs() < rounding, "{law:?} at {k}: {reward}");
                if law.range() == (0.0, 1.0) {
                    assert!(reward == 0.0 || reward == 1.0, "{law:?} paid {reward}");
                }
                before = after;
            }
        }
    }
}

#[test]
fn single_rewards_of_totals_are_independent_draws_of_the_law() {
    const VISITS: usize = 20_000;
    let rewards = |law: &Law| {
        let sums: Vec<f64> = (0..=VISITS as u64).map(|k| totals(law, Seed(8), k).sum).collect();
        sums.windows(2).map(|pair| pair[1] - pair[0]).collect::<Vec<f64>>()
    };
    let normal = rewards(&gaussian());
    assert_normal(|k| normal[k as usize], "single Gaussian rewards");
    for (law, what) in [(gaussian(), "Gaussian"), (Law::bernoulli(0.3).unwrap(), "Bernoulli")] {
        let rewards = rewards(&law);
        let scaled: Vec<f64> =
            rewards.iter().map(|r| (r - law.mean()) / law.variance().sqrt()).collect();
        let size = (VISITS as f64).sqrt();
        let mean = scaled.iter().sum::<f64>() / size;
        assert!(mean.abs() < 4.5, "{what}: mean off by {mean}");
        for lag in [1, 2, 3, 7, 8, 31, 32, 64, 1024] {
            let product: f64 = scaled.iter().zip(&scaled[lag..]).map(|(a, b)| a * b).sum();
            let z = product / size;
            assert!(z.abs() < 4.5, "{what}: correlated by {z} at lag {lag}");
        }
    }
}

const RUNS: u64 = 20_000;

fn tape(run: u64) -> Seed {
    Seed(17).child(run)
}

#[test]
fn binomial_totals_and_increments_follow_their_law() {
    for (p, from, to) in [
        (0.3, 0, 65),
        (0.3, 0, 100),
        (0.02, 0, 1000),
        (0.3, 40, 100),
        (0.3, 100, 130),
        (0.7, 1000, 1003),
        (0.5, 700, 5000),
        (0.1, 0, 1_000_007),
        (1e-5, 300_000, 1_000_007),
    ] {
        let law = Law::bernoulli(p).unwrap();
        let (n, mode) = ((to - from) as f64, ((to - from) as f64 * p).floor());
        let masses = Masses::around(mode, 0.0..=n, |x| (n - x) / (x + 1.0) * (p / (1.0 - p)));
        let increment = |run| {
            let before = totals(&law, tape(run), from);
            (law.totals(tape(run), &before, to).unwrap().sum - before.sum) as u64
        };
        assert_draws_follow(&masses, increment, &format!("visits {from} to {to} at {p}"));
    }
}

#[test]
fn gaussian_totals_and_increments_follow_their_law() {
    for (from, to) in [(0, 17), (0, 100), (0, 1000), (10, 20), (50, 51), (700, 5000), (3, 1 << 40)]
    {
        let law = Law::gaussian(2.0, 3.0).unwrap();
        let scaled = |run| {
            let (before, after) = (totals(&law, tape(run), from), totals(&law, tape(run), to));
            let n = (to - from) as f64;
            (after.sum - before.sum - 2.0 * n) / (3.0 * n.sqrt())
        };
        assert_normal(scaled, &format!("visits {from} to {to}"));
    }
}

/// The greatest distance between the distribution functions of two samples of equal size.
fn distance(mut a: Vec<f64>, mut b: Vec<f64>) -> f64 {
    a.sort_by(f64::total_cmp);
    b.sort_by(f64::total_cmp);
    let below = |list: &[f64], x: f64| list.partition_point(|&y| y <= x) as f64 / list.len() as f64;
    a.iter().map(|&x| (below(&a, x) - below(&b, x)).abs()).fold(0.0, f64::max)
}

#[test]
fn totals_are_distributed_like_sums_of_single_draws() {
    // Exceeded with probability 1e-6, by the limit law of the two-sample distance.
    let runs = 5000;
    let bound = (libm::log(2e6) / (runs as f64)).sqrt();
    for law in [gaussian(), Law::gaussian(0.5, 0.5).unwrap(), Law::bernoulli(0.2).unwrap()] {
        for k in [17, 100, 777, 2048] {
            let at_once: Vec<Sample> = (0..runs).map(|run| totals(&law, tape(run), k)).collect();
            let single: Vec<Sample> =
                (0..runs).map(|run| law.sample(tape(runs + run), 0..k)).collect();
            let looks: [fn(&Sample) -> f64; 3] =
                [|s| s.sum, |s| s.sum_of_squares, |s| s.variance().unwrap_or(0.0)];
            for (i, look) in looks.into_iter().enumerate() {
                let gap =
                    distance(at_once.iter().map(look).collect(), single.iter().map(look).collect());
                assert!(gap < bound, "{law:?} after {k}, look {i}: {gap}");
            }
        }
    }
}

#[test]
fn increments_are_independent() {
    for law in [gaussian(), Law::bernoulli(0.2).unwrap()] {
        for (k, later) in [(16, 20), (20, 30), (64, 100), (100, 110), (100, 200), (1000, 90_001)] {
            let (mut sums, mut squares, mut mixed) = (0.0, 0.0, 0.0);
            let (mut first, mut second) = (0.0, 0.0);
            for run in 0..RUNS {
                let (before, after) = (totals(&law, tape(run), k), totals(&law, tape(run), later));
                let scaled = |sum: f64, n: u64| {
                    (sum - law.mean() * n as f64) / (law.variance() * n as f64).sqrt()
                };
                let a = scaled(before.sum, k);
                let b = scaled(after.sum - before.sum, later - k);
                sums += a * b;
                squares += (a * a - 1.0) * (b * b - 1.0);
                mixed += (a * a - 1.0) * b;
                first += a * a - 1.0;
                second += b * b - 1.0;
            }
            // The fourth moment of a scaled sum is at most that of one reward, 3.25 and 3.
            let n = RUNS as f64;
            let zs = [
                sums / n.sqrt(),
                squares / (2.25 * n.sqrt()),
                mixed / (2.25 * n).sqrt(),
                first / (2.25 * n).sqrt(),
                second / (2.25 * n).sqrt(),
            ];
            assert!(zs.iter().all(|z| z.abs() < 4.5), "{law:?}, {k} and {later}: {zs:?}");
        }
    }
}

#[test]
fn squares_around_the_mean_are_independent_of_the_sum_and_chi_square() {
    for k in [17, 50, 3000, 1 << 30] {
        let degrees = (k - 1) as f64;
        let (mut both, mut squared) = (0.0, 0.0);
        let scaled: Vec<f64> = (0..RUNS)
            .map(|run| {
                let standard = gaussian::totals(tape(run), k);
                let q = deviations(standard.squares, degrees);
                let z = standard.mean * standard.count.sqrt();
                both += q * z;
                squared += q * (z * z - 1.0);
                q
            })
            .collect();
        // From 16 degrees of freedom on, the Wilson-Hilferty normal is good enough for this many
        // draws.
        assert_normal(|run| scaled[run as usize], &format!("squares of {k} visits"));
        let n = (RUNS as f64).sqrt();
        assert!(both.abs() / n < 4.5 && squared.abs() / (n * 2.0_f64.sqrt()) < 4.5, "{k}");
    }
}

#[test]
fn the_end_of_a_tape_can_be_reached() {
    for law in laws() {
        for k in [1 << 62, 1 << 63, (1 << 63) + 1, u64::MAX - 1, u64::MAX] {
            let end = totals(&law, Seed(3), k);
            assert!(end.sum.is_finite() && end.sum_of_squares.is_finite(), "{law:?} after {k}");
            let off = (end.sum / k as f64 - law.mean()).abs();
            assert!(off <= 1e-8 * (law.mean().abs() + law.variance().sqrt()), "{law:?}: {off:e}");
        }
    }
}

#[test]
fn other_laws_have_no_closed_sums() {
    for law in [
        Law::uniform(0.0, 1.0),
        Law::beta(2.0, 3.0),
        Law::truncated_gaussian(0.0, 1.0, (-1.0, 2.0)),
        Law::empirical([1.0, 2.0]),
    ] {
        let law = law.unwrap();
        assert!(!law.has_closed_sums());
        assert_eq!(law.totals(Seed(1), &Sample::default(), 10), None);
    }
    assert!(laws().iter().all(Law::has_closed_sums));
}

/// A change here changes every trajectory on this kind of tape: see "Trajectory changes" in
/// CHANGELOG.md.
#[test]
fn values_are_stable() {
    let pinned = [
        (
            Law::bernoulli(0.3),
            [
                (0x4014_0000_0000_0000, 0x4014_0000_0000_0000),
                (0x403b_0000_0000_0000, 0x403b_0000_0000_0000),
                (0x40ac_a600_0000_0000, 0x40ac_a600_0000_0000),
                (0x41b1_e164_1300_0000, 0x41b1_e164_1300_0000),
            ],
        ),
        (
            Law::bernoulli(1e-4),
            [(0, 0), (0, 0), (0, 0), (0x40f8_5330_0000_0000, 0x40f8_5330_0000_0000)],
        ),
        (
            Law::gaussian(-2.0, 3.0),
            [
                (0xc03d_2a3a_fdec_8afb, 0x4070_0a6b_899b_504b),
                (0xc068_ccaa_65cc_b523, 0x4095_13d6_29d4_300f),
                (0xc0d8_618c_fdaa_1b70, 0x4103_a852_b65a_0eac),
                (0xc1dd_cd96_5649_8537, 0x4208_36d0_6f21_b578),
            ],
        ),
    ];
    let tape = Seed(42).child(1);
    for (law, bits) in pinned {
        let law = law.unwrap();
        let found = [16, 100, 12_345, 1_000_000_007].map(|k| {
            let totals = totals(&law, tape, k);
            (totals.sum.to_bits(), totals.sum_of_squares.to_bits())
        });
        assert_eq!(found, bits, "{law:?} now adds up to {found:#018x?}");
    }
}
