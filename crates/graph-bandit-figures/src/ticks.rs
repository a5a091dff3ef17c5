//! Ticks at round numbers: steps of 1, 2, 2.5 or 5 times a power of ten.

use super::numbers::{exp10, grouped, power_label, superscript};

/// A tick and its label.
#[derive(Debug, Clone, PartialEq)]
pub struct Tick {
    /// Its value.
    pub value: f64,
    /// Its label.
    pub label: String,
}

/// A round step: `digits * 10^exponent`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Step {
    digits: f64,
    exponent: i32,
}

impl Step {
    /// The least round step that cuts `span` into at most `count` pieces.
    fn cutting(span: f64, count: usize) -> Self {
        let raw = span / count.max(1) as f64;
        let exponent = libm::floor(libm::log10(raw)) as i32;
        let rest = raw / exp10(f64::from(exponent));
        // A little tolerance: 0.6 / 3 is a step of 0.2 although it is computed slightly above.
        match [1.0, 2.0, 2.5, 5.0].into_iter().find(|&digits| rest <= digits * (1.0 + 1e-9)) {
            Some(digits) => Self { digits, exponent },
            None => Self { digits: 1.0, exponent: exponent + 1 },
        }
    }

    fn size(self) -> f64 {
        self.digits * exp10(f64::from(self.exponent))
    }

    /// How many decimals distinguish multiples of the step when written in units of `10^unit`.
    fn decimals(self, unit: i32) -> usize {
        let half = i32::from(self.digits == 2.5);
        (unit - self.exponent + half).clamp(0, 12) as usize
    }
}

pub(super) fn linear_ticks([low, high]: [f64; 2], count: usize) -> Vec<Tick> {
    let step = Step::cutting(high - low, count);
    let size = step.size();
    let first = libm::ceil(low / size - 1e-9);
    let last = libm::floor(high / size + 1e-9);
    let greatest = (first.abs().max(last.abs()) * size).max(size);
    let magnitude = libm::floor(libm::log10(greatest * (1.0 + 1e-12))) as i32;
    // Plain digits for everyday numbers, one common power of ten for all others.
    let unit = if (-3..7).contains(&magnitude) { 0 } else { magnitude };
    let label = |value: f64| {
        if unit == 0 || value == 0.0 {
            return grouped(value, step.decimals(0) * usize::from(value != 0.0 || unit == 0));
        }
        format!(
            "{}×10{}",
            grouped(value / exp10(f64::from(unit)), step.decimals(unit)),
            superscript(unit)
        )
    };
    let tick = |k: u32| {
        let value = (first + f64::from(k)) * size;
        Tick { value, label: label(value) }
    };
    (0..=(last - first).clamp(-1.0, 100.0) as i64 as u32).map(tick).collect()
}

pub(super) fn log_ticks([low, high]: [f64; 2], count: usize) -> Vec<Tick> {
    let inside = |value: f64| {
        let log = libm::log10(value);
        log >= low - 1e-9 && log <= high + 1e-9
    };
    let first = libm::floor(low) as i32;
    let last = libm::ceil(high) as i32;
    let count_or_all = i32::try_from(count.max(1)).unwrap_or(1);
    let stride = ((last - first + count_or_all - 1) / count_or_all).max(1);
    let decades: Vec<i32> = (first..=last).filter(|e| e.rem_euclid(stride) == 0).collect();
    let multiples = |digits: &[f64]| -> Vec<f64> {
        let of_decade = |&e: &i32| digits.iter().map(move |d| d * exp10(f64::from(e)));
        decades.iter().flat_map(of_decade).filter(|&v| inside(v)).collect()
    };
    let mut values = multiples(&[1.0]);
    for digits in [&[1.0, 3.0][..], &[1.0, 2.0, 5.0]] {
        if values.len() < 3 && stride == 1 {
            values = multiples(digits);
        }
    }
    if values.len() < 2 {
        // Less than about a decade: linear ticks are better than none.
        return linear_ticks([exp10(low), exp10(high)], count)
            .into_iter()
            .filter(|tick| tick.value > 0.0)
            .collect();
    }
    let tick = |value: f64| Tick { value, label: power_label(value) };
    values.into_iter().map(tick).collect()
}
