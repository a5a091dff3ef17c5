//! Curves: lines, points, bands, bars and the light traces behind them.

mod hover;
mod pen;

use super::axes::{Frame, Names, draw_x, draw_y};
use super::palette::{Color, Dash, Style};
use super::scale::{Axis, Room, Scale, ScaleKind};
use super::spread::spread;
use super::svg::{Anchor, Area, Canvas, Stroke, TEXT, Type};
use super::text::{escape, shortened, text_width};
use pen::Pen;
use serde::{Deserialize, Serialize};

/// Series over a numeric axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series; among those with the same dashes, the first is on top.
    pub series: Vec<Series>,
}

/// A name and its points. NaN is a gap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name; a series without one is drawn but not labelled.
    pub name: String,
    /// Its colour and dashes.
    pub style: Style,
    /// What to draw at and between points.
    #[serde(default)]
    pub mark: Mark,
    /// `[x, y]`, x ascending.
    pub points: Vec<[f64; 2]>,
    /// `[low, high]` around each point, such as a confidence interval; empty for none.
    #[serde(default)]
    pub band: Vec<[f64; 2]>,
    /// Bars at some places, such as one standard deviation to each side.
    #[serde(default)]
    pub bars: Vec<ErrorBar>,
    /// Light lines behind, such as single runs.
    #[serde(default)]
    pub traces: Vec<Vec<[f64; 2]>>,
}

/// How a series is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mark {
    /// A line.
    #[default]
    Line,
    /// Points.
    Points,
    /// A thin line with points on it.
    LinePoints,
}

/// A vertical bar.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct ErrorBar {
    /// Its position.
    pub x: f64,
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Series {
    /// A line through points.
    pub fn new(name: impl Into<String>, style: Style, points: Vec<[f64; 2]>) -> Self {
        Self {
            name: name.into(),
            style,
            mark: Mark::default(),
            points,
            band: Vec::new(),
            bars: Vec::new(),
            traces: Vec::new(),
        }
    }

    /// The same series drawn in another way.
    #[must_use]
    pub fn with_mark(mut self, mark: Mark) -> Self {
        self.mark = mark;
        self
    }

    /// The same series with a band around its points.
    #[must_use]
    pub fn with_band(mut self, band: Vec<[f64; 2]>) -> Self {
        self.band = band;
        self
    }

    /// The same series with light traces behind it.
    #[must_use]
    pub fn with_traces(mut self, traces: Vec<Vec<[f64; 2]>>) -> Self {
        self.traces = traces;
        self
    }

    /// The same series with bars of one `deviation` to each side at about `count` of its points,
    /// always including the last one.
    #[must_use]
    pub fn with_deviations(mut self, deviations: &[f64], count: usize) -> Self {
        let last = self.points.len().min(deviations.len());
        let stride = last.div_ceil(count.max(1)).max(1);
        let bar = |i: usize| {
            let [x, y] = self.points[i];
            ErrorBar { x, low: y - deviations[i], high: y + deviations[i] }
        };
        let mut bars: Vec<ErrorBar> = (0..last).rev().step_by(stride).map(bar).collect();
        bars.reverse();
        self.bars = bars;
        self
    }
}

impl Curves {
    fn x_values(&self) -> impl Iterator<Item = f64> {
        self.series.iter().flat_map(|series| {
            let bars = series.bars.iter().map(|bar| bar.x);
            let traces = series.traces.iter().flatten().map(|p| p[0]);
            series.points.iter().map(|p| p[0]).chain(bars).chain(traces)
        })
    }

    fn y_values(&self) -> impl Iterator<Item = f64> {
        let least = self.least_low();
        let raised = move |low: f64| if low > 0.0 { low.max(least) } else { low };
        self.series.iter().flat_map(move |series| {
            let bars = series.bars.iter().flat_map(move |bar| [raised(bar.low), bar.high]);
            let traces = series.traces.iter().flatten().map(|p| p[1]);
            let band = series.band.iter().flat_map(move |&[low, high]| [raised(low), high]);
            series.points.iter().map(|p| p[1]).chain(bars).chain(traces).chain(band)
        })
    }

    /// The least value to which positive lower ends of bars and bands extend the axis. Near zero
    /// they would take up most of a logarithmic axis, so the limit is half of the least point.
    fn least_low(&self) -> f64 {
        if self.y.scale == ScaleKind::Linear {
            return f64::NEG_INFINITY;
        }
        let points = self.series.iter().flat_map(|series| &series.points).map(|point| point[1]);
        0.5 * points.filter(|y| *y > 0.0).fold(f64::INFINITY, f64::min)
    }

    pub(super) fn y_scale(&self, places: [f64; 2]) -> Scale {
        Scale::new(&self.y, self.y_values(), Room::Some, places)
    }

    fn x_scale(&self, plot: Area) -> Scale {
        // Points need room for themselves; lines may touch the ends.
        let pointed = self.series.iter().any(|series| series.mark != Mark::Line);
        let inset = if pointed { 8.0 } else { 0.0 };
        Scale::new(&self.x, self.x_values(), Room::None, [plot.left + inset, plot.right - inset])
    }

    /// The width of the names at the curves' right ends.
    pub(super) fn names_width(&self) -> f64 {
        let widths = self.series.iter().map(|series| text_width(&series.name, TEXT));
        widths.fold(0.0, f64::max) + LABEL_SAMPLE + 16.0
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, frame: &Frame) {
        let plot = frame.plot;
        let x = self.x_scale(plot);
        let y = self.y_scale([plot.bottom, plot.top]);
        let clip = format!("{}-clip", frame.id);
        // Half a line's width may reach beyond the plot.
        let edge = Area {
            left: plot.left - 3.0,
            top: plot.top - 3.0,
            right: plot.right + 3.0,
            bottom: plot.bottom + 3.0,
        };
        canvas.clip(&clip, edge);
        canvas.open(&format!(
            "class=\"gb-panel\" data-hover=\"{}\"",
            escape(&self.hover(plot, &x, &y).to_string())
        ));
        draw_y(canvas, &y, frame);
        draw_x(canvas, &x, frame);
        canvas.open(&format!("clip-path=\"url(#{clip})\""));
        let pen = Pen { x: &x, y: &y };
        for series in self.series.iter().rev() {
            pen.traces(canvas, series);
        }
        for series in self.series.iter().rev() {
            pen.band(canvas, series);
        }
        // Dashed lines go over solid ones: where two curves coincide, both are visible.
        for dash in [Dash::Solid, Dash::Dashed, Dash::Dotted] {
            for series in self.series.iter().rev().filter(|series| series.style.dash == dash) {
                pen.bars(canvas, series);
                pen.line(canvas, series);
            }
        }
        canvas.close();
        if frame.names == Names::Ends {
            self.name_ends(canvas, frame, &pen);
        }
        canvas.close();
    }

    /// Writes each name at the height where its curve ends, moved apart if they would touch.
    fn name_ends(&self, canvas: &mut Canvas, frame: &Frame, pen: &Pen<'_>) {
        let plot = frame.plot;
        let mut ends: Vec<(&Series, [f64; 2])> = self
            .series
            .iter()
            .filter(|series| !series.name.is_empty())
            .filter_map(|series| Some((series, *pen.pieces(&series.points).last()?.last()?)))
            .collect();
        ends.sort_by(|a, b| a.1[1].total_cmp(&b.1[1]));
        let wanted: Vec<f64> = ends.iter().map(|(_, end)| end[1]).collect();
        let heights = spread(&wanted, TEXT + 3.0, [plot.top, plot.bottom]);
        for ((series, end), height) in ends.into_iter().zip(heights) {
            let left = plot.right + 6.0;
            let stroke = Stroke::new(series.style.color, 2.2).dashed(series.style.dash);
            let guide = Stroke::new(series.style.color, 0.8).faint(0.6);
            canvas.polyline(&[end, [plot.right + 1.0, end[1]], [left + 3.0, height]], guide);
            let right = left + 3.0 + LABEL_SAMPLE;
            canvas.line([left + 3.0, height], [right, height], stroke);
            let room = frame.cell.right - right - 5.0;
            let name = shortened(&series.name, TEXT, room);
            let style = Type::new(Color::Ink, Anchor::Start);
            canvas.text([right + 5.0, height + 0.36 * TEXT], style, &name);
        }
    }
}

/// The length of the piece of line before a name.
const LABEL_SAMPLE: f64 = 16.0;
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_at_the_last_point_and_evenly_before() {
        let points = (0..100).map(|i| [f64::from(i), 10.0]).collect();
        let style = Style::solid(Color::Slot(0));
        let series = Series::new("", style, points).with_deviations(&[2.0; 100], 4);
        let places: Vec<f64> = series.bars.iter().map(|bar| bar.x).collect();
        assert_eq!(places, [24.0, 49.0, 74.0, 99.0]);
        assert_eq!((series.bars[0].low, series.bars[0].high), (8.0, 12.0));
    }

    fn logarithmic(band: Vec<[f64; 2]>) -> Curves {
        let style = Style::solid(Color::Slot(0));
        let points = vec![[0.0, 0.0], [1.0, 40.0], [2.0, 90.0]];
        let series = Series::new("", style, points).with_band(band);
        Curves { x: Axis::linear("t"), y: Axis::log("regret"), series: vec![series] }
    }

    /// Intervals that end near or below zero would leave no room for the curves.
    #[test]
    fn lower_ends_near_zero_do_not_stretch_a_logarithmic_axis() {
        let least = |low: f64| {
            let band = vec![[0.0, 0.0], [low, 60.0], [80.0, 100.0]];
            logarithmic(band).y_scale([0.0, 1.0]).range()[0]
        };
        let near = least(30.0);
        assert!((25.0..30.0).contains(&near), "{near}");
        for low in [20.0, 1e-9] {
            let least = least(low);
            assert!((17.0..20.0).contains(&least), "{low}: {least}");
        }
        for low in [0.0, -50.0] {
            let least = least(low);
            assert!((35.0..40.0).contains(&least), "{low}: {least}");
        }
    }

    #[test]
    fn a_band_below_a_logarithmic_axis_reaches_its_end() {
        let curves = logarithmic(Vec::new());
        let (x, y) = (curves.x_scale(AREA), curves.y_scale([AREA.bottom, AREA.top]));
        let pen = Pen { x: &x, y: &y };
        let [low, high] = pen.ends(1.0, [-5.0, 60.0]).unwrap();
        assert_eq!(low, [high[0], AREA.bottom]);
        assert_eq!(Some(high[1]), y.place(60.0));
        assert_eq!(pen.ends(1.0, [f64::NAN, 60.0]), None);
        assert_eq!(pen.ends(1.0, [-5.0, -1.0]), None);
    }

    const AREA: Area = Area { left: 0.0, top: 0.0, right: 100.0, bottom: 50.0 };
}
