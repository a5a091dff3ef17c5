//! Curves: lines, points, bands, bars and the light traces behind them.

use super::axes::{Frame, Names, draw_x, draw_y};
use super::palette::{Color, Dash, Style};
use super::scale::{Axis, Room, Scale, ScaleKind};
use super::svg::{Anchor, Area, Canvas, Stroke, TEXT, Type, escape, shortened, text_width};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Series over a numeric axis.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curves {
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series; of those with the same dashes, the first is on top.
    pub series: Vec<Series>,
}

/// A name and its points. What is not a number is a gap.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Its name; a series without one is drawn but not named.
    pub name: String,
    /// Its colour and dashes.
    pub style: Style,
    /// What is drawn at and between points.
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

/// What is drawn of a series.
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
    /// Where.
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
    /// the last one always among them.
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
        self.series.iter().flat_map(|series| {
            let bars = series.bars.iter().flat_map(|bar| [bar.low, bar.high]);
            let traces = series.traces.iter().flatten().map(|p| p[1]);
            let band = series.band.iter().flatten().copied();
            series.points.iter().map(|p| p[1]).chain(bars).chain(traces).chain(band)
        })
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

    /// How much room the names take at the curves' right ends.
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
        // Broken lines over unbroken ones: where two curves coincide, both are seen.
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

    /// Writes each name at the height where its curve ends, moved apart where they would touch.
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

    /// What the hover script needs: the plot, the axes, and the points with few digits.
    fn hover(&self, plot: Area, x: &Scale, y: &Scale) -> Value {
        let axis = |axis: &Axis, scale: &Scale| {
            json!({
                "label": axis.label,
                "log": axis.scale == ScaleKind::Log,
                "ends": scale.range().map(|end| digits(end, 12)),
                "at": scale.places().map(|place| digits(place, 6)),
            })
        };
        let mut places: Vec<Vec<Value>> = Vec::new();
        let mut series = Vec::new();
        for one in self.series.iter().filter(|one| !one.name.is_empty()) {
            let stride = one.points.len().div_ceil(MOST_HOVERED).max(1);
            // Counted from the end, so that the last point is always kept.
            let skipped = one.points.len().saturating_sub(1) % stride;
            let kept = |i: usize| i % stride == skipped;
            let pick = |column: usize, pairs: &[[f64; 2]]| -> Vec<Value> {
                let pairs = pairs.iter().enumerate().filter(|(i, _)| kept(*i));
                pairs.map(|(_, pair)| digits(pair[column], 6)).collect()
            };
            let xs = pick(0, &one.points);
            let at = places.iter().position(|known| *known == xs).unwrap_or_else(|| {
                places.push(xs);
                places.len() - 1
            });
            let mut entry = json!({
                "name": one.name,
                "color": one.style.color.key(),
                "xs": at,
                "ys": pick(1, &one.points),
            });
            if !one.band.is_empty() {
                entry["low"] = pick(0, &one.band).into();
                entry["high"] = pick(1, &one.band).into();
            }
            series.push(entry);
        }
        let edges = [plot.left, plot.top, plot.right, plot.bottom].map(|edge| digits(edge, 6));
        json!({
            "plot": edges,
            "x": axis(&self.x, x),
            "y": axis(&self.y, y),
            "xs": places,
            "series": series,
        })
    }
}

/// The length of the piece of line before a name.
const LABEL_SAMPLE: f64 = 16.0;
/// More points than this are thinned out for the hover script; it shows no more than pixels do.
const MOST_HOVERED: usize = 300;

/// A number with so many significant digits; what is not a number is absent.
fn digits(value: f64, count: usize) -> Value {
    let text = format!("{value:.*e}", count - 1);
    text.parse::<f64>().ok().filter(|v| v.is_finite()).map_or(Value::Null, |v| {
        // Whole numbers without a fraction are shorter.
        if v.abs() < 1e15 && v == libm::trunc(v) { Value::from(v as i64) } else { Value::from(v) }
    })
}

/// Values to places.
struct Pen<'a> {
    x: &'a Scale,
    y: &'a Scale,
}

impl Pen<'_> {
    fn at(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        Some([self.x.place(x)?, self.y.place(y)?])
    }

    /// The pieces of a line between gaps, without points too close to see.
    fn pieces(&self, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
        let mut pieces: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
        for (i, &[x, y]) in points.iter().enumerate() {
            let Some(place) = self.at(x, y) else {
                pieces.push(Vec::new());
                continue;
            };
            let Some(piece) = pieces.last_mut() else { continue };
            let close = |a: &[f64; 2]| (a[0] - place[0]).abs() + (a[1] - place[1]).abs() < 0.4;
            if i + 1 == points.len() || !piece.last().is_some_and(close) {
                piece.push(place);
            }
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    fn traces(&self, canvas: &mut Canvas, series: &Series) {
        let opacity = (4.0 / (series.traces.len() as f64).max(1.0).sqrt()).clamp(0.12, 0.5);
        for trace in &series.traces {
            let pieces = self.pieces(trace);
            let stroke = Stroke::new(series.style.color, 0.9).faint(opacity);
            canvas.lines(pieces.iter().map(Vec::as_slice), stroke);
        }
    }

    fn band(&self, canvas: &mut Canvas, series: &Series) {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let ends = series.points.iter().zip(&series.band).map(Some).chain([None]);
        for pair in ends {
            let places = pair
                .and_then(|(&[x, _], &[low, high])| Some((self.at(x, low)?, self.at(x, high)?)));
            if let Some((low, high)) = places {
                lower.push(low);
                upper.push(high);
            } else {
                lower.reverse();
                upper.append(&mut lower);
                canvas.outline(&upper, series.style.color, 0.16);
                upper.clear();
            }
        }
    }

    fn bars(&self, canvas: &mut Canvas, series: &Series) {
        let mut strokes: Vec<[[f64; 2]; 2]> = Vec::new();
        for bar in &series.bars {
            let (Some([x, low]), Some([_, high])) =
                (self.at(bar.x, bar.low), self.at(bar.x, bar.high))
            else {
                continue;
            };
            strokes.push([[x, low], [x, high]]);
            for y in [low, high] {
                strokes.push([[x - 3.0, y], [x + 3.0, y]]);
            }
        }
        let stroke = Stroke::new(series.style.color, 1.1);
        canvas.lines(strokes.iter().map(<[[f64; 2]; 2]>::as_slice), stroke);
    }

    fn line(&self, canvas: &mut Canvas, series: &Series) {
        let pieces = self.pieces(&series.points);
        let slices = || pieces.iter().map(Vec::as_slice);
        let Style { color, dash } = series.style;
        if !series.traces.is_empty() {
            canvas.lines(slices(), Stroke::new(Color::Paper, 5.0));
        }
        match series.mark {
            Mark::Line => canvas.lines(slices(), Stroke::new(color, 2.2).dashed(dash)),
            Mark::LinePoints => canvas.lines(slices(), Stroke::new(color, 1.2).dashed(dash)),
            Mark::Points => {}
        }
        // A lone point has no line to show it.
        let lone = |piece: &&Vec<[f64; 2]>| series.mark != Mark::Line || piece.len() == 1;
        for &place in pieces.iter().filter(lone).flatten() {
            canvas.disc(place, 4.0, 1.0, color);
        }
    }
}

/// The heights nearest to the wanted ones (ascending) that keep `gap` between each other and, if
/// there is room, stay inside: least squares, by pooling neighbours that would touch.
fn spread(wanted: &[f64], gap: f64, [top, bottom]: [f64; 2]) -> Vec<f64> {
    // Pools of (sum of shifted wishes, members); a pool's wishes are met on average.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for (i, want) in wanted.iter().enumerate() {
        let mut pool = (want - gap * i as f64, 1);
        while let Some(&(sum, count)) = pools.last() {
            if sum / count as f64 <= pool.0 / pool.1 as f64 {
                break;
            }
            pool = (pool.0 + sum, pool.1 + count);
            pools.pop();
        }
        pools.push(pool);
    }
    let most = (bottom - gap * wanted.len().saturating_sub(1) as f64).max(top);
    let shifted =
        pools.iter().flat_map(|&(sum, count)| vec![(sum / count as f64).clamp(top, most); count]);
    shifted.enumerate().map(|(i, height)| height + gap * i as f64).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_move_apart_no_more_than_needed() {
        assert_eq!(spread(&[10.0, 50.0], 10.0, [0.0, 100.0]), [10.0, 50.0]);
        assert_eq!(spread(&[50.0, 50.0], 10.0, [0.0, 100.0]), [45.0, 55.0]);
        assert_eq!(spread(&[50.0, 52.0, 54.0], 10.0, [0.0, 100.0]), [42.0, 52.0, 62.0]);
        assert_eq!(spread(&[99.0, 100.0], 10.0, [0.0, 100.0]), [90.0, 100.0]);
        assert_eq!(spread(&[0.0, 1.0], 10.0, [0.0, 100.0]), [0.0, 10.0]);
        assert!(spread(&[], 10.0, [0.0, 100.0]).is_empty());
    }

    #[test]
    fn deviations_stand_at_the_last_point_and_evenly_before() {
        let points = (0..100).map(|i| [f64::from(i), 10.0]).collect();
        let style = Style::solid(Color::Slot(0));
        let series = Series::new("", style, points).with_deviations(&[2.0; 100], 4);
        let places: Vec<f64> = series.bars.iter().map(|bar| bar.x).collect();
        assert_eq!(places, [24.0, 49.0, 74.0, 99.0]);
        assert_eq!((series.bars[0].low, series.bars[0].high), (8.0, 12.0));
    }

    #[test]
    fn digits_are_few_and_never_nan() {
        assert_eq!(digits(1234.5678, 6).to_string(), "1234.57");
        assert_eq!(digits(20_000.0, 6).to_string(), "20000");
        assert_eq!(digits(f64::NAN, 6), Value::Null);
        assert_eq!(digits(f64::INFINITY, 6), Value::Null);
    }
}
