//! Every law compared to numbers from other sources: by hand, by exact sums, by integration, by
//! draws.

mod moments;

use super::{Law, LawError, OwnLaw};
use crate::clock::Time;
use crate::estimates::Sample;
use crate::normal;
use crate::raised::Raised;
use crate::random::Seed;
use crate::same_draws::same_draws;
use proptest::prelude::*;
use std::sync::Arc;

fn truncated(low: f64, high: f64) -> Law {
    Law::truncated_gaussian(0.0, 1.0, (low, high)).unwrap()
}

/// Laws of every kind, including extreme parameters.
fn laws() -> Vec<Law> {
    [
        Law::uniform(-1.0, 2.0),
        Law::uniform(3.0, 3.0),
        Law::bernoulli(0.3),
        Law::bernoulli(0.0),
        Law::bernoulli(1.0),
        Law::beta(2.0, 5.0),
        Law::beta(0.5, 0.5),
        Law::beta(0.01, 0.02),
        Law::beta(1e-90, 2e-90),
        Law::beta(300.0, 0.7),
        Law::gaussian(-2.0, 3.0),
        Law::gaussian(1.0, 0.0),
        Law::truncated_gaussian(1.0, 2.0, (0.0, 1.5)),
        Law::truncated_gaussian(0.0, 1.0, (8.0, 9.0)),
        Law::truncated_gaussian(0.0, 1.0, (-9.0, -8.0)),
        Law::truncated_gaussian(0.0, 1.0, (37.0, 90.0)),
        Law::truncated_gaussian(5.0, 1.0, (5.0, 1e99)),
        Law::truncated_gaussian(0.0, 1e4, (7.0, 8.0)),
        Law::constant(0.7),
        Law::empirical([1.0, 4.0, 4.0, -2.5]),
    ]
    .into_iter()
    .collect::<Result<_, _>>()
    .unwrap()
}

#[test]
fn even_steps_lead_to_the_same_rewards() {
    let mut stream = Seed(12).stream();
    let (mut even, mut uneven) = (0, 0);
    for case in 0..20_000 {
        let scale = [1.0, 1e99, 1e-300, 5e-324][case % 4];
        let (low, width) = (scale * (stream.unit() - 0.5), scale * stream.unit());
        // From widths as large as the distance of the ends from zero down to a few units in their
        // last place.
        let high = low + width * [1.0, 1e-3, 1e-15][case / 4 % 3];
        let law = Law::uniform(low, high).unwrap();
        let Some((start, step)) = law.even_steps() else {
            uneven += 1;
            continue;
        };
        even += 1;
        for reward in [0, 1, (1 << 53) - 1, stream.below(1 << 53), stream.below(1 << 53)] {
            let unit = reward as f64 / 9_007_199_254_740_992.0;
            let expected = (low + (high - low) * unit).min(high);
            assert_eq!((start + step * reward as f64).to_bits(), expected.to_bits(), "{law:?}");
        }
    }
    assert!(even > 5_000 && uneven > 1_000, "{even} {uneven}");
}

#[test]
fn closed_forms_by_hand() {
    let known = [
        (Law::uniform(-1.0, 2.0), 0.5, 0.75, (-1.0, 2.0), 1.5),
        (Law::bernoulli(0.25), 0.25, 0.1875, (0.0, 1.0), 0.5),
        (Law::beta(1.0, 3.0), 0.25, 0.0375, (0.0, 1.0), 0.5),
        (Law::constant(7.0), 7.0, 0.0, (7.0, 7.0), 0.0),
        (Law::gaussian(3.0, 2.0), 3.0, 4.0, (f64::NEG_INFINITY, f64::INFINITY), 2.0),
        (Law::empirical([1.0, 2.0, 6.0]), 3.0, 14.0 / 3.0, (1.0, 6.0), 2.5),
    ];
    for (law, mean, variance, range, scale) in known {
        let law = law.unwrap();
        assert_eq!((law.mean(), law.variance()), (mean, variance), "{law:?}");
        assert_eq!((law.range(), law.sub_gaussian_scale()), (range, scale));
    }
    assert_eq!(truncated(-0.5, 0.5).sub_gaussian_scale(), 0.5);
    assert_eq!(truncated(-5.0, 5.0).sub_gaussian_scale(), 1.0);
}

#[test]
fn draws_have_the_moments_of_their_law() {
    for (i, law) in laws().iter().enumerate() {
        let tape = Seed(2024).child(i as u64);
        let n = 200_000;
        let (mean, variance) = (law.mean(), law.variance());
        let (mut first, mut second, mut fourth) = (0.0, 0.0, 0.0);
        for k in 0..n {
            let d = law.reward(tape, k) - mean;
            first += d;
            second += d * d;
            fourth += d * d * d * d;
        }
        let n = n as f64;
        let error = (first / n).abs();
        let standard_error = (variance / n).sqrt();
        assert!(error <= 5.0 * standard_error + 1e-12, "{law:?}: mean off by {error:e}");
        let error = (second / n - variance).abs();
        let standard_error = ((fourth / n - variance * variance).max(0.0) / n).sqrt();
        assert!(error <= 5.0 * standard_error + 1e-12, "{law:?}: variance off by {error:e}");
    }
}

#[test]
fn draws_follow_their_distribution_function() {
    type Case = (Law, fn(f64) -> f64);
    let cases: [Case; 7] = [
        (Law::uniform(-1.0, 1.0).unwrap(), |x| 0.5 * (x + 1.0)),
        (Law::gaussian(0.0, 1.0).unwrap(), normal::cdf),
        (Law::beta(2.0, 1.0).unwrap(), |x| x * x),
        (Law::beta(1.0, 0.25).unwrap(), |x| 1.0 - (1.0 - x).sqrt().sqrt()),
        (truncated(8.0, 9.0), |x| {
            let above = |x: f64| normal::cdf(-x);
            (above(8.0) - above(x)) / (above(8.0) - above(9.0))
        }),
        (truncated(-1.0, 3.0), |x| {
            (normal::cdf(x) - normal::cdf(-1.0)) / (normal::cdf(3.0) - normal::cdf(-1.0))
        }),
        // So narrow for its deviation that it is uniform to twelve digits.
        (Law::truncated_gaussian(0.0, 1e6, (0.0, 1.0)).unwrap(), |x| x),
    ];
    let n = 100_000_u32;
    // Massart's bound: exceeded with probability 1e-6.
    let bound = (libm::log(2e6) / (2.0 * f64::from(n))).sqrt();
    for (i, (law, cdf)) in cases.iter().enumerate() {
        let tape = Seed(99).child(i as u64);
        let mut draws: Vec<f64> = (0..n).map(|k| law.reward(tape, u64::from(k))).collect();
        draws.sort_by(f64::total_cmp);
        for (rank, &x) in draws.iter().enumerate() {
            let distance = (cdf(x) - (rank as f64 + 0.5) / f64::from(n)).abs();
            assert!(distance < bound, "{law:?} at {x}: {distance}");
        }
    }
}

#[test]
fn inverse_distribution_functions_increase_along_the_units() {
    let tape = Seed(8);
    let mut order: Vec<u64> = (0..1000).collect();
    order.sort_by_key(|&k| tape.bits(k));
    for law in [
        Law::uniform(0.0, 1.0).unwrap(),
        Law::gaussian(0.0, 1.0).unwrap(),
        truncated(-1.0, 0.5),
        truncated(-0.5, 1.0),
        truncated(8.0, 9.0),
        truncated(-9.0, -8.0),
    ] {
        assert!(order.is_sorted_by_key(|&k| law.reward(tape, k)), "{law:?}");
    }
}

#[test]
fn draws_stay_in_range() {
    for law in laws() {
        let (low, high) = law.range();
        for k in 0..20_000 {
            let reward = law.reward(Seed(5), k);
            assert!(low <= reward && reward <= high, "{law:?} paid {reward}");
        }
    }
}

#[test]
fn tiny_beta_shapes_are_coins_and_not_nan() {
    let law = Law::beta(1e-90, 3e-90).unwrap();
    let ones = (0..10_000).filter(|&k| law.reward(Seed(1), k) == 1.0).count();
    let zeros = (0..10_000).filter(|&k| law.reward(Seed(1), k) == 0.0).count();
    assert_eq!(ones + zeros, 10_000);
    assert!(ones.abs_diff(2500) < 220, "{ones}");
}

proptest! {
    #![proptest_config(same_draws(256))]

    #[test]
    fn any_split_of_the_visits_gives_the_same_bits(
        cuts in prop::collection::vec(0_u64..300, 0..6),
        seed: u64,
    ) {
        let mut cuts = cuts;
        cuts.extend([0, 300]);
        cuts.sort_unstable();
        let tape = Seed(seed);
        for law in laws() {
            let mut one_by_one = Sample::default();
            (0..300).for_each(|k| one_by_one.push(law.reward(tape, k)));
            let mut totals = Sample::default();
            for cut in cuts.windows(2) {
                let mut block = Sample::default();
                law.draw_many((tape, cut[0]..cut[1]), Time::START, &mut totals, &mut block).unwrap();
                prop_assert_eq!(block, law.sample(tape, cut[0]..cut[1]));
            }
            prop_assert_eq!(totals, one_by_one);
            prop_assert_eq!(totals, law.sample(tape, 0..300));
        }
    }
}

#[test]
fn the_last_number_of_a_tape_can_be_drawn() {
    for law in laws() {
        assert!(law.reward(Seed(3), u64::MAX).is_finite());
    }
}

#[test]
fn json_goes_through_validation() {
    for law in laws() {
        let json = serde_json::to_string(&law).unwrap();
        assert_eq!(serde_json::from_str::<Law>(&json).unwrap(), law, "{json}");
    }
    let json =
        r#"{"law":"truncated-gaussian","location":0.0,"deviation":1.0,"low":8.0,"high":9.0}"#;
    assert_eq!(serde_json::to_string(&truncated(8.0, 9.0)).unwrap(), json);
    let plain = r#"{"law":"empirical","values":[1.0,2.0]}"#;
    assert_eq!(serde_json::from_str::<Law>(plain).unwrap(), Law::empirical([1.0, 2.0]).unwrap());
    let error = serde_json::from_str::<Law>(r#"{"law":"bernoulli","mean":1.5}"#).unwrap_err();
    assert!(error.to_string().contains("mean 1.5; give a mean in [0, 1]"), "{error}");
    for json in [
        r#"{"law":"uniform","low":1,"high":0}"#,
        r#"{"law":"uniform","low":0,"high":1,"mean":3}"#,
        r#"{"law":"empirical","values":[]}"#,
        r#"{"law":"cauchy","scale":1}"#,
    ] {
        assert!(serde_json::from_str::<Law>(json).is_err(), "{json}");
    }
}

#[test]
fn bad_parameters_are_named() {
    let message = |law: Result<Law, LawError>| law.unwrap_err().to_string();
    assert_eq!(
        message(Law::uniform(2.0, 1.0)),
        "the range from 2.0 to 1.0 is empty; give the lower end first"
    );
    assert_eq!(
        message(Law::gaussian(f64::NAN, 1.0)),
        "the mean is NaN; give a finite number of magnitude at most 1e100"
    );
    assert_eq!(
        message(Law::gaussian(0.0, -1.0)),
        "the deviation is -1.0; give a number of at least 0.0"
    );
    assert_eq!(
        message(Law::truncated_gaussian(0.0, 1.0, (50.0, 51.0))),
        "the window from 50.0 to 51.0 is 50.0 deviations from the location; move it to within 37"
    );
    assert_eq!(
        message(Law::truncated_gaussian(0.0, 1e9, (0.0, 1.0))),
        "the window from 0.0 to 1.0 is only 1e-9 deviations wide, below 1e-6; the law is \
         nearly uniform there, so use a uniform law"
    );
    assert_eq!(message(Law::empirical([])), LawError::NoValues.to_string());
    for law in [
        Law::uniform(f64::NEG_INFINITY, 0.0),
        Law::uniform(0.0, f64::NAN),
        Law::uniform(-1e300, 1e300),
        Law::bernoulli(-0.1),
        Law::bernoulli(f64::NAN),
        Law::beta(0.0, 1.0),
        Law::beta(1.0, -1.0),
        Law::beta(f64::INFINITY, 1.0),
        Law::truncated_gaussian(0.0, 0.0, (0.0, 1.0)),
        Law::truncated_gaussian(0.0, 1.0, (1.0, 1.0)),
        Law::truncated_gaussian(0.0, 1.0, (2.0, 1.0)),
        Law::truncated_gaussian(f64::NAN, 1.0, (0.0, 1.0)),
        Law::truncated_gaussian(0.0, 5e-324, (1.0, 2.0)),
        Law::constant(f64::INFINITY),
        Law::empirical([0.0, f64::NAN]),
    ] {
        assert!(law.is_err(), "{law:?}");
    }
}

/// A change here changes every trajectory: see "Trajectory changes" in CHANGELOG.md.
#[test]
fn values_are_stable() {
    let pinned = [
        (
            Law::uniform(-1.0, 2.0),
            [0xbfef_0406_69e9_609a, 0x3fb9_cffe_33c2_c3c0, 0xbfee_ea11_b117_5506],
        ),
        (
            Law::bernoulli(0.3),
            [0x3ff0_0000_0000_0000, 0x0000_0000_0000_0000, 0x3ff0_0000_0000_0000],
        ),
        (
            Law::beta(2.0, 5.0),
            [0x3fcf_57c9_c1f4_1e4e, 0x3fd2_f7ab_6e66_f154, 0x3fdf_b43b_2d17_8f39],
        ),
        (
            Law::beta(0.3, 0.7),
            [0x3fa2_5483_e1de_339c, 0x3f37_2b64_4ee5_bb51, 0x3fdc_6a03_4131_5de6],
        ),
        (
            Law::gaussian(-2.0, 3.0),
            [0xc021_e6da_bbc8_bbc3, 0xc008_28b6_da76_18da, 0xc021_adcf_a3ab_9abe],
        ),
        (
            Law::truncated_gaussian(0.0, 1.0, (-0.5, 1.0)),
            [0xbfdf_02bf_c73d_9dad, 0x3f84_c768_cd9f_7db6, 0xbfde_e8c5_2c81_68d7],
        ),
        (
            Law::truncated_gaussian(0.0, 1.0, (8.0, 9.0)),
            [0x4020_00a6_48ad_f47a, 0x4020_1cb8_0575_50be, 0x4020_00b7_8253_e1b2],
        ),
        (Law::constant(0.7), [0x3fe6_6666_6666_6666, 0x3fe6_6666_6666_6666, 0x3fe6_6666_6666_6666]),
        (
            Law::empirical([1.0, 4.0, 9.0, -2.5]),
            [0x3ff0_0000_0000_0000, 0x4010_0000_0000_0000, 0x3ff0_0000_0000_0000],
        ),
    ];
    let tape = Seed(42).child(1);
    for (law, bits) in pinned {
        let law = law.unwrap();
        let drawn = [0, 1, 1_000_000].map(|k| law.reward(tape, k).to_bits());
        assert_eq!(drawn, bits, "{law:?} now draws {drawn:#018x?}");
    }
}

/// Pays its number on the tape, wrapped around at three.
#[derive(Debug)]
struct Sawtooth;

impl OwnLaw for Sawtooth {
    fn draw(&self, _tape: Seed, k: u64, _at: Time) -> Result<f64, Raised> {
        Ok((k % 3) as f64)
    }

    fn mean(&self, _at: Time) -> f64 {
        1.0
    }

    fn variance(&self) -> f64 {
        2.0 / 3.0
    }

    fn sub_gaussian_scale(&self) -> f64 {
        1.0
    }
}

#[test]
fn your_own_law_pays_what_it_draws() {
    let law = Law::own(Arc::new(Sawtooth)).unwrap();
    assert_eq!(law.sample(Seed(1), 0..7), Sample { count: 7, sum: 6.0, sum_of_squares: 10.0 });
    assert_eq!((law.mean(), law.sub_gaussian_scale()), (1.0, 1.0));
    assert_eq!(law, law.clone());
    assert_ne!(law, Law::own(Arc::new(Sawtooth)).unwrap());
    let text = serde_json::to_string(&law).unwrap();
    let error = serde_json::from_str::<Law>(&text).unwrap_err().to_string();
    assert!(error.contains("cannot be read back"), "{error}");
}
