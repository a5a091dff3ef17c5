//! Quiet axes: light lines across, a baseline, numbers beside; labels are not repeated.

use super::palette::Color;
use super::scale::{Scale, Tick};
use super::svg::{Anchor, Area, Canvas, Stroke, TEXT, Type};
use super::text::{text_width, wrapped};

/// Where a panel's data go, and what surrounds them.
#[derive(Debug, Clone)]
pub(super) struct Frame {
    /// Where data are drawn.
    pub(super) plot: Area,
    /// The cell around it, the limit for labels.
    pub(super) cell: Area,
    /// The label of the horizontal axis, empty if the panel below repeats it.
    pub(super) x_label: String,
    /// The label of the vertical axis, empty if the panel to the left has the same.
    pub(super) y_label: String,
    /// Where curves are named.
    pub(super) names: Names,
    /// A name unique on the page.
    pub(super) id: String,
}

/// Where curves are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// In the figure's legend.
    Legend,
    /// At their right ends.
    Ends,
}

/// The ticks of a vertical axis: about one per forty units.
pub(super) fn y_ticks(scale: &Scale) -> Vec<Tick> {
    let [bottom, top] = scale.places();
    scale.ticks((((bottom - top) / 40.0) as usize).clamp(2, 8))
}

/// As many ticks of a horizontal axis as their labels have room for.
fn x_ticks(scale: &Scale) -> Vec<Tick> {
    let [left, right] = scale.places();
    let fits = |ticks: &[Tick]| {
        let mut free_from = f64::NEG_INFINITY;
        ticks.iter().all(|tick| {
            let half = 0.5 * text_width(&tick.label, TEXT);
            let Some(place) = scale.place(tick.value) else { return true };
            let free = place - half > free_from;
            free_from = place + half + 8.0;
            free
        })
    };
    let most = (((right - left) / 75.0) as usize).clamp(2, 8);
    (1..=most).rev().map(|count| scale.ticks(count)).find(|t| fits(t)).unwrap_or_default()
}

/// The vertical axis with its lines across the plot.
pub(super) fn draw_y(canvas: &mut Canvas, scale: &Scale, frame: &Frame) {
    let plot = frame.plot;
    for tick in y_ticks(scale) {
        let Some(y) = scale.place(tick.value) else { continue };
        canvas.line([plot.left, y], [plot.right, y], Stroke::new(Color::Grid, 1.0));
        let style = Type::new(Color::Muted, Anchor::End);
        canvas.text([plot.left - 7.0, y + 0.36 * TEXT], style, &tick.label);
    }
    let style = Type::new(Color::Muted, Anchor::Start);
    canvas.text([frame.cell.left, plot.top - 14.0], style, &frame.y_label);
}

fn baseline(canvas: &mut Canvas, plot: Area) {
    canvas.line(
        [plot.left, plot.bottom],
        [plot.right, plot.bottom],
        Stroke::new(Color::Muted, 1.0),
    );
}

/// The horizontal axis of numbers.
pub(super) fn draw_x(canvas: &mut Canvas, scale: &Scale, frame: &Frame) {
    let plot = frame.plot;
    baseline(canvas, plot);
    for tick in x_ticks(scale) {
        let Some(x) = scale.place(tick.value) else { continue };
        let stroke = Stroke::new(Color::Muted, 1.0);
        canvas.line([x, plot.bottom], [x, plot.bottom + 4.0], stroke);
        let style = Type::new(Color::Muted, Anchor::Middle);
        // The outermost label must not reach beyond the sheet.
        let most = frame.cell.right + 10.0 - 0.5 * text_width(&tick.label, TEXT);
        canvas.text([x.min(most), plot.bottom + 17.0], style, &tick.label);
    }
    draw_x_label(canvas, frame, 1);
}

/// The horizontal axis of groups of equal width.
pub(super) fn draw_groups(canvas: &mut Canvas, groups: &[String], frame: &Frame) {
    let plot = frame.plot;
    baseline(canvas, plot);
    let width = plot.width() / groups.len().max(1) as f64;
    let size = group_size(groups, width);
    for (i, group) in groups.iter().enumerate() {
        let middle = plot.left + width * (i as f64 + 0.5);
        for (k, line) in group_lines(group, size, width).iter().enumerate() {
            let y = plot.bottom + 17.0 + 14.0 * k as f64;
            canvas.text(
                [middle, y],
                Type { size, ..Type::new(Color::Muted, Anchor::Middle) },
                line,
            );
        }
    }
    draw_x_label(canvas, frame, group_rows(groups, plot.width()));
}

/// The largest size at which no word is cut, down to the smallest legible one.
fn group_size(groups: &[String], width: f64) -> f64 {
    let words = || groups.iter().flat_map(|group| group.split_whitespace());
    let fits = |size: &f64| words().all(|word| text_width(word, *size) <= width - 3.0);
    [TEXT, TEXT - 1.0, TEXT - 2.0].into_iter().find(fits).unwrap_or(TEXT - 3.0)
}

fn group_lines(group: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines = wrapped(group, size, width - 3.0);
    lines.truncate(3);
    lines
}

/// How many lines the names of groups take.
pub(super) fn group_rows(groups: &[String], plot_width: f64) -> usize {
    let width = plot_width / groups.len().max(1) as f64;
    let size = group_size(groups, width);
    groups.iter().map(|group| group_lines(group, size, width).len()).max().unwrap_or(0).max(1)
}

fn draw_x_label(canvas: &mut Canvas, frame: &Frame, rows: usize) {
    let plot = frame.plot;
    let at = [0.5 * (plot.left + plot.right), plot.bottom + 20.0 + 14.0 * rows as f64];
    canvas.text(at, Type::new(Color::Muted, Anchor::Middle), &frame.x_label);
}
