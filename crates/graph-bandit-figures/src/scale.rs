//! Axes: from values to places, and ticks at round numbers.
//!
//! A scale is total: for any data (none, one value, equal, huge, tiny, NaN), its places are finite.

pub use super::numbers::{grouped, short};
pub use super::ticks::Tick;

use super::numbers::exp10;
use super::ticks::{linear_ticks, log_ticks};
use serde::{Deserialize, Serialize};

/// What an axis shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// The quantity and its unit.
    pub label: String,
    /// How values are spaced.
    pub scale: ScaleKind,
    /// The range; taken from the data if absent or impossible.
    pub range: Option<[f64; 2]>,
}

/// How values are spaced along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ScaleKind {
    /// Equal differences are equally far apart.
    #[default]
    Linear,
    /// Equal ratios are equally far apart; values that are not positive are left out.
    Log,
}

impl Axis {
    /// A linear axis whose range follows from the data.
    pub fn linear(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: ScaleKind::Linear, range: None }
    }

    /// A logarithmic axis whose range follows from the data.
    pub fn log(label: impl Into<String>) -> Self {
        Self { label: label.into(), scale: ScaleKind::Log, range: None }
    }

    /// The same axis over a fixed range.
    #[must_use]
    pub fn with_range(mut self, low: f64, high: f64) -> Self {
        self.range = Some([low, high]);
        self
    }
}

/// Whether a range from data leaves room around the outermost values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Room {
    /// The data fill the axis.
    None,
    /// A little is left free.
    Some,
}

/// Beyond this, differences overflow; closer to zero than its inverse, ratios do.
const HUGE: f64 = 1e150;
/// Ranges narrower than this relative to their values are widened: their ticks would look equal.
const NARROW: f64 = 1e-9;

/// A map from values to places on the sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Scale {
    kind: ScaleKind,
    /// The ends, as values or as their decimal logarithms.
    ends: [f64; 2],
    places: [f64; 2],
}

impl Scale {
    /// The scale of `axis` for the given values, from `places[0]` to `places[1]`.
    pub fn new(
        axis: &Axis,
        values: impl Iterator<Item = f64>,
        room: Room,
        places: [f64; 2],
    ) -> Self {
        let fixed = axis.range.filter(|&[low, high]| {
            let possible = axis.scale == ScaleKind::Linear || low > 0.0;
            possible && low < high && low.abs() <= HUGE && high.abs() <= HUGE
        });
        let ends = match axis.scale {
            ScaleKind::Linear => fixed.unwrap_or_else(|| linear_ends(values, room)),
            ScaleKind::Log => fixed.map_or_else(|| log_ends(values, room), |r| r.map(libm::log10)),
        };
        Self { kind: axis.scale, ends: widened(ends), places }
    }

    /// The place of a value; `None` if it is NaN, or not positive on a log scale.
    pub fn place(&self, value: f64) -> Option<f64> {
        if value.is_nan() || (self.kind == ScaleKind::Log && value <= 0.0) {
            return None;
        }
        let value = value.clamp(-HUGE, HUGE);
        let [low, high] = self.ends;
        let share = (self.inner(value) - low) / (high - low);
        // A fixed range may leave data far outside; the sheet clips them, and the numbers stay
        // small.
        Some(self.places[0] + share.clamp(-9.0, 9.0) * (self.places[1] - self.places[0]))
    }

    /// The ends as values.
    pub fn range(&self) -> [f64; 2] {
        match self.kind {
            ScaleKind::Linear => self.ends,
            ScaleKind::Log => self.ends.map(exp10),
        }
    }

    /// Where the scale begins and ends on the sheet.
    pub fn places(&self) -> [f64; 2] {
        self.places
    }

    fn inner(&self, value: f64) -> f64 {
        match self.kind {
            ScaleKind::Linear => value,
            ScaleKind::Log => libm::log10(value.max(1.0 / HUGE)),
        }
    }

    /// About `count` ticks at round numbers, ascending.
    pub fn ticks(&self, count: usize) -> Vec<Tick> {
        match self.kind {
            ScaleKind::Linear => linear_ticks(self.ends, count),
            ScaleKind::Log => log_ticks(self.ends, count),
        }
    }
}

/// The least and greatest of the values that count; values close to zero become zero.
fn extent(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.filter(|v| v.is_finite()).map(|v| v.clamp(-HUGE, HUGE)).fold(None, |ends, v| {
        let v = if v.abs() < 1.0 / HUGE { 0.0 } else { v };
        Some(ends.map_or([v, v], |[low, high]: [f64; 2]| [low.min(v), high.max(v)]))
    })
}

fn linear_ends(values: impl Iterator<Item = f64>, room: Room) -> [f64; 2] {
    let Some([low, high]) = extent(values) else { return [0.0, 1.0] };
    // A range that begins near zero shows sizes honestly only if it begins at zero.
    let low_end = if low >= 0.0 && low <= 0.5 * high { 0.0 } else { low };
    let high_end = if high <= 0.0 && high >= 0.5 * low { 0.0 } else { high };
    let spare = if room == Room::Some { 0.05 * (high_end - low_end) } else { 0.0 };
    let low_end = if low_end == 0.0 { 0.0 } else { low_end - spare };
    let high_end = if high_end == 0.0 { 0.0 } else { high_end + spare };
    [low_end, high_end]
}

fn log_ends(values: impl Iterator<Item = f64>, room: Room) -> [f64; 2] {
    let positive = values.filter(|&v| v > 0.0).map(|v| v.max(1.0 / HUGE));
    let Some(ends) = extent(positive) else { return [0.0, 1.0] };
    let [low, high] = ends.map(libm::log10);
    let spare = if room == Room::Some { (0.05 * (high - low)).max(0.02) } else { 0.0 };
    [low - spare, high + spare]
}

fn widened([low, high]: [f64; 2]) -> [f64; 2] {
    let size = low.abs().max(high.abs());
    if size == 0.0 {
        return [0.0, 1.0];
    }
    if high - low > NARROW * size {
        return [low, high];
    }
    let middle = 0.5 * low + 0.5 * high;
    [middle - 0.1 * size, middle + 0.1 * size]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: &Axis, values: &[f64], count: usize) -> Vec<String> {
        let scale = Scale::new(axis, values.iter().copied(), Room::None, [0.0, 100.0]);
        scale.ticks(count).into_iter().map(|tick| tick.label).collect()
    }

    #[test]
    fn linear_ticks_by_hand() {
        let axis = Axis::linear("");
        assert_eq!(
            labels(&axis, &[200.0, 20_000.0], 4),
            ["0", "5,000", "10,000", "15,000", "20,000"]
        );
        assert_eq!(labels(&axis, &[0.0, 0.6], 3), ["0.0", "0.2", "0.4", "0.6"]);
        assert_eq!(labels(&axis, &[0.0, 9.9], 4), ["0.0", "2.5", "5.0", "7.5"]);
        assert_eq!(labels(&axis, &[-1.0, 1.0], 4), ["−1.0", "−0.5", "0.0", "0.5", "1.0"]);
        assert_eq!(labels(&axis, &[90.0, 110.0], 4), ["90", "95", "100", "105", "110"]);
        assert_eq!(labels(&axis, &[0.0, 4e9], 4), ["0", "1×10⁹", "2×10⁹", "3×10⁹", "4×10⁹"]);
        assert_eq!(labels(&axis, &[0.0, 5e-7], 2), ["0", "2.5×10⁻⁷", "5.0×10⁻⁷"]);
        assert_eq!(labels(&axis, &[], 4), ["0.00", "0.25", "0.50", "0.75", "1.00"]);
    }

    #[test]
    fn log_ticks_by_hand() {
        let axis = Axis::log("");
        assert_eq!(labels(&axis, &[0.001, 20.0], 6), ["0.001", "0.01", "0.1", "1", "10"]);
        assert_eq!(labels(&axis, &[1.0, 12.0], 6), ["1", "3", "10"]);
        assert_eq!(labels(&axis, &[2.0, 9.0], 6), ["2", "5"]);
        assert_eq!(labels(&axis, &[4.0, 4.4], 4), ["4.0", "4.1", "4.2", "4.3", "4.4"]);
        assert_eq!(labels(&axis, &[1.0, 1e12], 3), ["1", "10,000", "10⁸", "10¹²"]);
    }

    #[test]
    fn places_by_hand() {
        let linear =
            Scale::new(&Axis::linear(""), [0.0, 10.0].into_iter(), Room::None, [50.0, 0.0]);
        assert_eq!(linear.place(5.0), Some(25.0));
        assert_eq!(linear.place(f64::NAN), None);
        let log = Scale::new(&Axis::log(""), [1.0, 100.0].into_iter(), Room::None, [0.0, 80.0]);
        assert_eq!(log.place(10.0), Some(40.0));
        assert_eq!(log.place(0.0), None);
        let fixed = Axis::linear("").with_range(2.0, 4.0);
        let fixed = Scale::new(&fixed, [100.0].into_iter(), Room::Some, [0.0, 1.0]);
        assert_eq!(fixed.range(), [2.0, 4.0]);
        let impossible = Axis::log("").with_range(-1.0, 4.0);
        let scale = Scale::new(&impossible, [1.0, 10.0].into_iter(), Room::None, [0.0, 1.0]);
        assert_eq!(scale.range(), [1.0, 10.0]);
    }

    #[test]
    fn any_data_have_finite_places_and_ticks() {
        let cases: [&[f64]; 12] = [
            &[],
            &[f64::NAN],
            &[0.0],
            &[7.0],
            &[-7.0, -7.0],
            &[1e9, 1e9 + 1e-3],
            &[f64::MAX, f64::MIN],
            &[5e-324, 1e-310],
            &[1e-200, 1e200],
            &[f64::INFINITY, 3.0],
            &[-1e-12, 0.0],
            &[1e15, 1e15 + 2.0],
        ];
        for values in cases {
            for axis in [Axis::linear(""), Axis::log("")] {
                for room in [Room::None, Room::Some] {
                    let scale = Scale::new(&axis, values.iter().copied(), room, [10.0, 300.0]);
                    for value in values.iter().chain(&[f64::INFINITY, f64::NEG_INFINITY]) {
                        assert!(scale.place(*value).is_none_or(f64::is_finite), "{values:?}");
                    }
                    let ticks = scale.ticks(5);
                    assert!((1..=12).contains(&ticks.len()), "{values:?} {axis:?}: {ticks:?}");
                    for tick in ticks {
                        let place = scale.place(tick.value).unwrap();
                        assert!((9.9..=300.1).contains(&place), "{values:?} {axis:?}: {place}");
                    }
                }
            }
        }
    }
}
