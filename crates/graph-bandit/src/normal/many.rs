//! Many quantiles at once, bit for bit the same as one by one.
//!
//! Computing one quantile takes a branch that the processor cannot predict: one number in seven lies
//! in a tail and needs a logarithm. Here the formula of the centre is applied to all numbers, several
//! at a time. Then those in the tails are gathered, and the formula of the tails is applied to them.

use super::{CENTRE, TAIL, polynomial, quantile};

/// The most numbers at once: they stay in the fastest cache.
pub(crate) const MOST: usize = 128;

/// Replaces each of at most [`MOST`] numbers strictly between 0 and 1 by its quantile.
///
/// # Panics
/// When there are more numbers.
pub(crate) fn quantiles(numbers: &mut [f64]) {
    let mut given = [0.5; MOST];
    let given = &mut given[..numbers.len()];
    given.copy_from_slice(numbers);
    for p in &mut *numbers {
        let q = *p - 0.5;
        let r = 0.180_625 - q * q;
        *p = q * polynomial(&CENTRE.0, r) / polynomial(&CENTRE.1, r);
    }
    let mut places = [0; MOST + 1];
    let mut count = 0;
    for (place, p) in given.iter().enumerate() {
        places[count] = place;
        count += usize::from((p - 0.5).abs() > 0.425);
    }
    let places = &places[..count];
    let mut magnitudes = [0.05; MOST];
    let magnitudes = &mut magnitudes[..count];
    for (magnitude, &place) in magnitudes.iter_mut().zip(places) {
        let p = given[place];
        *magnitude = if p < 1.0 - p { p } else { 1.0 - p };
    }
    let mut is_far = 0;
    for magnitude in &mut *magnitudes {
        let r = (-log(*magnitude)).sqrt();
        is_far |= u64::from(r > 5.0);
        *magnitude = r - 1.6;
    }
    for magnitude in &mut *magnitudes {
        *magnitude = polynomial(&TAIL.0, *magnitude) / polynomial(&TAIL.1, *magnitude);
    }
    for (magnitude, &place) in magnitudes.iter().zip(places) {
        numbers[place] = if given[place] < 0.5 { -magnitude } else { *magnitude };
    }
    // The far tail has a formula of its own: one number in 36 billion.
    if is_far != 0 {
        for &place in places {
            numbers[place] = quantile(given[place]);
        }
    }
}

/// The natural logarithm of a number between 1e-300 and 1, with the operations of `libm::log` (from
/// FreeBSD's `e_log.c`), but without its branches, so that the compiler handles several at once.
#[inline]
fn log(x: f64) -> f64 {
    const LN2_HIGH: f64 = 6.931_471_803_691_238e-1;
    const LN2_LOW: f64 = 1.908_214_929_270_587_7e-10;
    const SERIES: [f64; 7] = [
        6.666_666_666_666_735e-1,
        3.999_999_999_940_942e-1,
        2.857_142_874_366_239e-1,
        2.222_219_843_214_978_4e-1,
        1.818_357_216_161_805e-1,
        1.531_383_769_920_937_3e-1,
        1.479_819_860_511_658_6e-1,
    ];
    /// The upper half of the bits of 1, and of the square root of 1/2.
    const ONE: u64 = 0x3ff0_0000;
    const ROOT: u64 = 0x3fe6_a09e;
    // x = 2^k (1 + f), with 1 + f around 1.
    let bits = x.to_bits() + ((ONE - ROOT) << 32);
    // The exponent as a number, by the bits of 2^52 + exponent.
    let k = f64::from_bits(0x4330_0000_0000_0000 | bits >> 52) - 4_503_599_627_370_496.0 - 1023.0;
    let f = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) + (ROOT << 32)) - 1.0;
    let half = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let w = z * z;
    let [l1, l2, l3, l4, l5, l6, l7] = SERIES;
    let even = w * (l2 + w * (l4 + w * l6));
    let odd = z * (l1 + w * (l3 + w * (l5 + w * l7)));
    s * (half + (odd + even)) + k * LN2_LOW - half + f + k * LN2_HIGH
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{Seed, open_unit};

    #[test]
    fn many_quantiles_have_the_bits_of_single_ones() {
        let mut stream = Seed(31).stream();
        let edges = [0.075, 0.925, 0.5, 1.4e-11, 1.3e-11, 1e-15, 1.0 - 1.3e-11, open_unit(0)];
        for round in 0..3_000 {
            let length = stream.below(MOST as u64 + 1) as usize;
            let mut numbers: Vec<f64> = (0..length).map(|_| open_unit(stream.bits())).collect();
            // Some numbers of the tails, and the edges of all formulas.
            for number in numbers.iter_mut().step_by(5) {
                *number = match round % 4 {
                    0 => edges[stream.below(edges.len() as u64) as usize],
                    1 => *number * libm::exp2(-(stream.below(40) as f64)),
                    _ => *number,
                };
            }
            let expected: Vec<u64> = numbers.iter().map(|&p| quantile(p).to_bits()).collect();
            quantiles(&mut numbers);
            let found: Vec<u64> = numbers.iter().map(|x| x.to_bits()).collect();
            assert_eq!(found, expected, "round {round}");
        }
    }

    #[test]
    fn logarithms_are_those_of_libm() {
        let mut stream = Seed(32).stream();
        let near_root = (0..1000).map(|i| std::f64::consts::FRAC_1_SQRT_2 + f64::from(i) * 1e-16);
        let others = (0..200_000).map(|_| stream.unit() * libm::exp2(-(stream.below(60) as f64)));
        let powers = (0..1000).map(|k| libm::exp2(-f64::from(k)));
        let numbers: Vec<f64> = near_root.chain(others).chain(powers).collect();
        for x in numbers.into_iter().filter(|x| *x > 0.0) {
            assert_eq!(log(x).to_bits(), libm::log(x).to_bits(), "{x:e}");
        }
    }
}
