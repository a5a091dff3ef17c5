//! The highest of many numbers.

/// Numbers compared in parallel.
const LANES: usize = 8;

/// `f64::max` for numbers that are never NaN, in one instruction.
#[inline]
pub(crate) fn higher(a: f64, b: f64) -> f64 {
    if b > a { b } else { a }
}

/// The highest of `numbers`, none of them NaN, found in several independent lanes; minus infinity
/// if there are none.
#[inline]
pub(crate) fn highest(numbers: &[f64]) -> f64 {
    let mut lanes = [f64::NEG_INFINITY; LANES];
    let several = numbers.chunks_exact(LANES);
    let rest = several.remainder();
    for several in several {
        for (lane, &number) in lanes.iter_mut().zip(several) {
            *lane = higher(*lane, number);
        }
    }
    rest.iter().chain(&lanes).copied().fold(f64::NEG_INFINITY, higher)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn every_position_is_compared() {
        let mut stream = Seed(2).stream();
        for len in 0..40 {
            let mut numbers: Vec<f64> = (0..len).map(|_| stream.unit() - 2.0).collect();
            assert_eq!(
                highest(&numbers),
                numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            );
            for place in 0..len {
                let old = std::mem::replace(&mut numbers[place], 3.0);
                assert_eq!(highest(&numbers), 3.0);
                numbers[place] = old;
            }
        }
    }
}
