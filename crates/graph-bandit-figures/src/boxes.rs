//! Numbers by group: boxes of five numbers, bars or points of one.

use super::axes::{Frame, draw_groups, draw_y};
use super::palette::{Color, Dash};
use super::scale::{Axis, Room, Scale, ScaleKind, short};
use super::svg::{Anchor, Area, Canvas, Stroke, Type};
use super::text::text_width;
use serde::{Deserialize, Serialize};

/// Box plots side by side in groups.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Boxes {
    /// The vertical axis.
    pub y: Axis,
    /// The groups from left to right.
    pub groups: Vec<String>,
    /// The names within each group.
    pub series: Vec<BoxSeries>,
}

/// One name's boxes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BoxSeries {
    /// The name.
    pub name: String,
    /// Its colour.
    pub color: Color,
    /// One entry per group.
    pub boxes: Vec<Option<FiveNumbers>>,
}

/// The five numbers of a box: extremes, quartiles and median.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct FiveNumbers {
    /// The least.
    pub low: f64,
    /// The lower quartile.
    pub lower: f64,
    /// The median.
    pub median: f64,
    /// The upper quartile.
    pub upper: f64,
    /// The greatest.
    pub high: f64,
}

impl FiveNumbers {
    /// The five numbers of a sample, quartiles by linear interpolation between order statistics;
    /// `None` for an empty sample. Ignores values that are not finite.
    pub fn of(sample: impl IntoIterator<Item = f64>) -> Option<Self> {
        let mut sorted: Vec<f64> = sample.into_iter().filter(|v| v.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        let last = sorted.len().checked_sub(1)?;
        let at = |share: f64| {
            let place = share * last as f64;
            let below = place as usize;
            let above = (below + 1).min(last);
            sorted[below] + (place - below as f64) * (sorted[above] - sorted[below])
        };
        let [low, lower, median, upper, high] = [0.0, 0.25, 0.5, 0.75, 1.0].map(at);
        Some(Self { low, lower, median, upper, high })
    }
}

impl Boxes {
    fn values(&self) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|s| s.boxes.iter().flatten()).flat_map(|b| [b.low, b.high])
    }

    pub(super) fn y_scale(&self, places: [f64; 2]) -> Scale {
        Scale::new(&self.y, self.values(), Room::Some, places)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let y = self.y_scale([frame.plot.bottom, frame.plot.top]);
        draw_y(canvas, &y, frame);
        draw_groups(canvas, &self.groups, frame);
        let slots = Slots::new(frame.plot, self.groups.len(), self.series.len());
        for (k, series) in self.series.iter().enumerate() {
            let boxes = series.boxes.iter().take(self.groups.len()).enumerate();
            for (group, five) in boxes.filter_map(|(i, five)| Some((i, five.as_ref()?))) {
                draw_box(canvas, five, series.color, &y, slots.of(group, k));
            }
        }
    }
}

fn draw_box(
    canvas: &mut Canvas,
    five: &FiveNumbers,
    color: Color,
    y: &Scale,
    [left, right]: [f64; 2],
) {
    let numbers = [five.low, five.lower, five.median, five.upper, five.high];
    let places = numbers.map(|v| y.place(v));
    let [Some(low), Some(lower), Some(median), Some(upper), Some(high)] = places else { return };
    let middle = 0.5 * (left + right);
    let whisker = Stroke::new(color, 1.3);
    canvas.line([middle, low], [middle, lower], whisker);
    canvas.line([middle, upper], [middle, high], whisker);
    let area = Area { left, top: upper, right, bottom: lower };
    canvas.rect(area, color, 0.28);
    let corners = [[left, upper], [right, upper], [right, lower], [left, lower], [left, upper]];
    canvas.polyline(&corners, whisker);
    canvas.line([left, median], [right, median], Stroke::new(color, 2.6));
}

/// One number per group and name: bars on a linear axis; points on a logarithmic axis, where a bar
/// has no base.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// The vertical axis.
    pub y: Axis,
    /// The groups from left to right.
    pub groups: Vec<String>,
    /// The names within each group.
    pub series: Vec<BarSeries>,
    /// A reference value, drawn as a dashed line.
    #[serde(default)]
    pub reference: Option<f64>,
}

/// One name's numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BarSeries {
    /// The name.
    pub name: String,
    /// Its colour.
    pub color: Color,
    /// One value per group; NaN for none.
    pub values: Vec<f64>,
    /// `[low, high]` around each value; empty for none.
    #[serde(default)]
    pub errors: Vec<[f64; 2]>,
}

impl Bars {
    fn values(&self) -> impl Iterator<Item = f64> {
        let foot = (self.y.scale == ScaleKind::Linear).then_some(0.0);
        let series = |s: &BarSeries| -> Vec<f64> {
            s.values.iter().chain(s.errors.iter().flatten()).copied().collect()
        };
        self.series.iter().flat_map(series).chain(self.reference).chain(foot)
    }

    pub(super) fn y_scale(&self, places: [f64; 2]) -> Scale {
        Scale::new(&self.y, self.values(), Room::Some, places)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let plot = frame.plot;
        // The greatest value is written above its bar.
        let y = self.y_scale([plot.bottom, plot.top + 10.0]);
        draw_y(canvas, &y, frame);
        let slots = Slots::new(plot, self.groups.len(), self.series.len());
        for (k, series) in self.series.iter().enumerate() {
            for (group, &value) in series.values.iter().take(self.groups.len()).enumerate() {
                let Some(height) = y.place(value) else { continue };
                let [left, right] = slots.of(group, k);
                let middle = 0.5 * (left + right);
                match self.y.scale {
                    ScaleKind::Linear => {
                        let foot = y.place(0.0).unwrap_or(plot.bottom).clamp(plot.top, plot.bottom);
                        let (top, bottom) = (foot.min(height), foot.max(height));
                        canvas.rect(Area { left, top, right, bottom }, series.color, 1.0);
                    }
                    ScaleKind::Log => canvas.disc([middle, height], 5.0, 1.0, series.color),
                }
                let error = series.errors.get(group).map(|ends| ends.map(|end| y.place(end)));
                let mut top = height;
                if let Some([Some(low), Some(high)]) = error {
                    let stroke = Stroke::new(Color::Ink, 1.2);
                    for [from, to] in [
                        [[middle, low], [middle, high]],
                        [[middle - 4.0, low], [middle + 4.0, low]],
                        [[middle - 4.0, high], [middle + 4.0, high]],
                    ] {
                        canvas.line(from, to, stroke);
                    }
                    top = top.min(high);
                }
                let text = short(value);
                if text_width(&text, 12.0) < slots.pitch() {
                    let lift = if self.y.scale == ScaleKind::Log { 10.0 } else { 5.0 };
                    canvas.text([middle, top - lift], Type::new(Color::Ink, Anchor::Middle), &text);
                }
            }
        }
        if let Some(height) = self.reference.and_then(|value| y.place(value)) {
            let stroke = Stroke::new(Color::Ink, 1.0).dashed(Dash::Dashed);
            canvas.line([plot.left, height], [plot.right, height], stroke);
        }
        draw_groups(canvas, &self.groups, frame);
    }
}

/// The position of each name in each group.
struct Slots {
    left: f64,
    group: f64,
    names: usize,
}

impl Slots {
    fn new(plot: Area, groups: usize, names: usize) -> Self {
        Self { left: plot.left, group: plot.width() / groups.max(1) as f64, names: names.max(1) }
    }

    fn pitch(&self) -> f64 {
        0.8 * self.group / self.names as f64
    }

    fn of(&self, group: usize, name: usize) -> [f64; 2] {
        let pitch = self.pitch();
        let width = (0.74 * pitch).min(34.0);
        let middle = self.left + self.group * (group as f64 + 0.1) + pitch * (name as f64 + 0.5);
        [middle - 0.5 * width, middle + 0.5 * width]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_numbers_by_hand() {
        let five = FiveNumbers::of([4.0, 1.0, f64::NAN, 2.0, 3.0, 5.0]).unwrap();
        assert_eq!(five, FiveNumbers { low: 1.0, lower: 2.0, median: 3.0, upper: 4.0, high: 5.0 });
        let five = FiveNumbers::of([1.0, 2.0, 3.0, 4.0]).unwrap();
        assert_eq!((five.lower, five.median, five.upper), (1.75, 2.5, 3.25));
        assert_eq!(FiveNumbers::of([f64::NAN]), None);
        assert_eq!(FiveNumbers::of([7.0]).unwrap().lower, 7.0);
    }
}
