//! Means, deviations, Student's intervals, and paired differences.

/// The mean and spread of some numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// How many numbers.
    pub count: usize,
    /// Their mean; NaN if there are none.
    pub mean: f64,
    /// Their sample standard deviation (`n - 1`); `None` for fewer than two.
    pub sd: Option<f64>,
}

impl Moments {
    /// The moments of `numbers`, in two passes, in order.
    pub fn of(numbers: impl Iterator<Item = f64> + Clone) -> Self {
        let count = numbers.clone().count();
        let mean = numbers.clone().sum::<f64>() / count as f64;
        let squares: f64 = numbers.map(|x| (x - mean) * (x - mean)).sum();
        let sd = (count >= 2).then(|| (squares / (count - 1) as f64).sqrt());
        Self { count, mean, sd }
    }

    /// The standard error of the mean.
    pub fn standard_error(&self) -> Option<f64> {
        self.sd.map(|sd| sd / (self.count as f64).sqrt())
    }

    /// The 95% interval of the mean by Student's t.
    pub fn ci95(&self) -> Option<(f64, f64)> {
        let half = self.standard_error()? * student_975(self.count - 1);
        Some((self.mean - half, self.mean + half))
    }
}

/// The moments of `a - b` over runs on the same tapes.
pub fn paired_difference(a: &[f64], b: &[f64]) -> Moments {
    Moments::of(a.iter().zip(b).map(|(a, b)| a - b))
}

/// The median of the numbers; zero for none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    if numbers.is_empty() {
        return 0.0;
    }
    if numbers.len() % 2 == 1 {
        numbers[middle]
    } else {
        0.5 * (numbers[middle - 1] + numbers[middle])
    }
}

/// The 0.975 quantile of Student's t with `freedom` degrees of freedom (at least one), by bisection
/// on its distribution function.
///
/// Written with `libm` instead of a statistics crate, so that intervals have the same bits on every
/// platform.
pub fn student_975(freedom: usize) -> f64 {
    student_between(freedom, 0.025, (1.9, 12.8))
}

/// The number that Student's t exceeds in magnitude with probability `1 - confidence`, which is
/// strictly between 0 and 1.
pub fn student(freedom: usize, confidence: f64) -> f64 {
    let upper = 0.5 * (1.0 - confidence);
    let mut high = 1.0;
    while upper_tail(freedom, high) > upper && high < 1e300 {
        high *= 2.0;
    }
    student_between(freedom, upper, (0.0, high))
}

/// `P(T > t) = I_{nu / (nu + t^2)}(nu / 2, 1 / 2) / 2`, decreasing in `t`.
fn upper_tail(freedom: usize, t: f64) -> f64 {
    let nu = freedom as f64;
    if t == 0.0 { 0.5 } else { 0.5 * incomplete_beta(nu / (nu + t * t), 0.5 * nu, 0.5) }
}

fn student_between(freedom: usize, upper: f64, (mut low, mut high): (f64, f64)) -> f64 {
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if upper_tail(freedom, middle) > upper {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

/// The regularized incomplete beta function `I_x(a, b)`, by Lentz's continued fraction.
fn incomplete_beta(x: f64, a: f64, b: f64) -> f64 {
    let front = libm::exp(
        libm::lgamma(a + b) - libm::lgamma(a) - libm::lgamma(b)
            + a * libm::log(x)
            + b * libm::log1p(-x),
    );
    // The fraction converges fast only on this side; the other follows by symmetry.
    if x > (a + 1.0) / (a + b + 2.0) {
        1.0 - front * beta_fraction(1.0 - x, b, a) / b
    } else {
        front * beta_fraction(x, a, b) / a
    }
}

fn beta_fraction(x: f64, a: f64, b: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |v: f64| if v.abs() < TINY { TINY } else { v };
    let mut c = 1.0;
    let mut d = 1.0 / away_from_zero(1.0 - (a + b) * x / (a + 1.0));
    let mut fraction = d;
    for step in 1..1_000 {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for numerator in [even, odd] {
            d = 1.0 / away_from_zero(1.0 + numerator * d);
            c = away_from_zero(1.0 + numerator / c);
            change = c * d;
            fraction *= change;
        }
        if (change - 1.0).abs() < 1e-15 {
            break;
        }
    }
    fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn students_table() {
        let table = [
            (1, 12.706_204_736),
            (2, 4.302_652_730),
            (9, 2.262_157_163),
            (99, 1.984_216_952),
            (999, 1.962_341_461),
            (100_000, 1.959_987_708),
        ];
        for (freedom, t) in table {
            assert!((student_975(freedom) - t).abs() < 1e-7, "{freedom}: {}", student_975(freedom));
        }
    }

    #[test]
    fn students_table_at_other_levels() {
        // scipy.stats.t.ppf(0.5 + confidence / 2, freedom).
        let table = [
            (1, 0.5, 1.0),
            (4, 0.9, 2.131_846_786),
            (9, 0.99, 3.249_835_542),
            (99, 0.95, 1.984_216_952),
            (30, 0.68, 1.011_215_745),
        ];
        for (freedom, confidence, t) in table {
            let found = student(freedom, confidence);
            assert!((found - t).abs() < 1e-6, "{freedom}, {confidence}: {found}");
        }
    }

    #[test]
    fn median_by_hand() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(median(Vec::new()), 0.0);
    }

    #[test]
    fn moments_by_hand() {
        let moments = Moments::of([2.0, 4.0, 9.0].into_iter());
        assert_eq!((moments.mean, moments.sd), (5.0, Some(13.0_f64.sqrt())));
        assert_eq!(Moments::of([3.0].into_iter()).ci95(), None);
        let (low, high) = moments.ci95().unwrap();
        assert!((high - low - 2.0 * 4.302_652_73 * (13.0_f64 / 3.0).sqrt()).abs() < 1e-6);
        assert_eq!(paired_difference(&[3.0, 5.0], &[1.0, 1.0]).mean, 3.0);
    }
}
