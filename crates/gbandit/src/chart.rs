//! Curves in the terminal, drawn in braille dots: eight to a character.

use crate::ink::Ink;
use crate::number::with_commas;
use crate::table::width;
use graph_bandit_figures::palette::styles_of;
use graph_bandit_figures::{Dash, Style, spread};

/// The characters of a curve from left to right, unless the terminal has less room.
const COLUMNS: usize = 64;
/// As narrow as curves may become; then labels are cut.
const FEWEST_COLUMNS: usize = 24;
const ROWS: usize = 17;

/// The bits of a braille character by row and column of its dots.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// A curve from the origin through `points`, ascending in x.
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Draws the curves with their labels at their ends, as wide and as colourful as standard output is.
pub(crate) fn chart(curves: &[Curve]) -> String {
    draw(curves, Ink::of_stdout(), width())
}

/// One character: its dots, and the last curve drawn through it.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    curve: usize,
}

impl Cell {
    fn draw(self, ink: Ink, styles: &[Style]) -> String {
        match char::from_u32(0x2800 + u32::from(self.dots)) {
            Some(braille) if self.dots != 0 => {
                ink.paint(&braille.to_string(), styles[self.curve].color)
            }
            _ => " ".to_owned(),
        }
    }
}

fn draw(curves: &[Curve], ink: Ink, width: usize) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let right = points().map(|point| point.0).fold(f64::MIN_POSITIVE, f64::max);
    let top = round_up(points().map(|point| point.1).fold(0.0, f64::max));
    let styles = styles_of(curves.iter().map(|curve| curve.label.as_str()));
    let axis = label_width(top);
    // Beside the curves: the axis, two spaces, a line.
    let room = width.saturating_sub(axis + 3);
    let longest = curves.iter().map(|curve| curve.label.chars().count()).max().unwrap_or(0);
    let columns = room.saturating_sub(longest).clamp(FEWEST_COLUMNS, COLUMNS);
    let mut cells = vec![vec![Cell::default(); columns]; ROWS];
    for (number, curve) in curves.iter().enumerate() {
        let dot = |&(x, y): &(f64, f64)| {
            let column = x / right * (columns * 2 - 1) as f64;
            let row = (1.0 - y.max(0.0) / top) * (ROWS * 4 - 1) as f64;
            (column.round() as usize, row.round() as usize)
        };
        let mut from = dot(&(0.0, 0.0));
        for point in &curve.points {
            let to = dot(point);
            line(from, to, |(column, row)| {
                if !is_drawn(styles[number].dash, column + ROWS * 4 - row) {
                    return;
                }
                let cell = &mut cells[row / 4][column / 2];
                cell.dots |= DOTS[row % 4][column % 2];
                cell.curve = number;
            });
            from = to;
        }
    }
    let labels = label_rows(curves, top);
    let drawn = cells.iter().enumerate().map(|(row, cells)| {
        let height = top * (ROWS - 1 - row) as f64 / (ROWS - 1) as f64;
        let tick = if row % 4 == 0 { tick(height) } else { String::new() };
        let curves_here: String = cells.iter().map(|cell| cell.draw(ink, &styles)).collect();
        let label = labels[row].map(|number| {
            let label = cut(&curves[number].label, room.saturating_sub(columns));
            ink.paint(&label, styles[number].color)
        });
        let line = format!("{tick:>axis$} │{curves_here} {}", label.unwrap_or_default());
        line.trim_end().to_owned() + "\n"
    });
    let text: String = drawn.collect();
    let ends = format!("{:>axis$} └{}\n", "", "─".repeat(columns));
    let far = with_commas(right as u64);
    let scale = format!("{:>axis$}  0{far:>width$}\n", "", width = columns - 1);
    text + &ends + &scale
}

/// A label, cut to a width.
fn cut(label: &str, width: usize) -> String {
    if label.chars().count() <= width {
        return label.to_owned();
    }
    label.chars().take(width.saturating_sub(1)).chain(['…']).collect()
}

/// Whether a line of this dash has a dot at `along`.
fn is_drawn(dash: Dash, along: usize) -> bool {
    match dash {
        Dash::Solid => true,
        Dash::Dashed => along % 9 < 6,
        Dash::Dotted => along.is_multiple_of(3),
    }
}

/// The row of each curve's label: where the curve ends, moved if two would collide.
fn label_rows(curves: &[Curve], top: f64) -> Vec<Option<usize>> {
    let end = |curve: &Curve| curve.points.last().map_or(0.0, |point| point.1);
    let last = (ROWS - 1) as f64;
    let wanted: Vec<f64> = curves.iter().map(|curve| (1.0 - end(curve) / top) * last).collect();
    let mut rows = vec![None; ROWS.max(curves.len())];
    for (number, row) in spread(&wanted, 1.0, [0.0, last]).into_iter().enumerate() {
        // Rows at least one apart stay so when rounded.
        if let Some(row) = rows.get_mut(row.round() as usize) {
            *row = Some(number);
        }
    }
    rows
}

/// The next round number: one of a few steps times a power of ten.
fn round_up(x: f64) -> f64 {
    if x <= 0.0 {
        return 1.0;
    }
    let power = 10_f64.powf(x.log10().floor());
    let steps = [1.0, 1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0];
    steps.iter().map(|step| step * power).find(|&top| top >= x).unwrap_or(10.0 * power)
}

fn tick(height: f64) -> String {
    if height == 0.0 { "0".to_owned() } else { crate::number::rounded(height) }
}

fn label_width(top: f64) -> usize {
    (0..ROWS).map(|row| tick(top * row as f64 / (ROWS - 1) as f64).len()).max().unwrap_or(1)
}

/// All dots on the straight line between two.
fn line(from: (usize, usize), to: (usize, usize), mut dot: impl FnMut((usize, usize))) {
    let steps = from.0.abs_diff(to.0).max(from.1.abs_diff(to.1)).max(1);
    for step in 0..=steps {
        let part = step as f64 / steps as f64;
        let between = |a: usize, b: usize| (a as f64 + (b as f64 - a as f64) * part).round();
        dot((between(from.0, to.0) as usize, between(from.1, to.1) as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ink::Paper;

    #[test]
    fn a_straight_curve_runs_from_corner_to_corner() {
        let curve = Curve { label: "g-ucb".into(), points: vec![(50.0, 5.0), (100.0, 10.0)] };
        let text = draw(&[curve], Ink::Plain, 100);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), ROWS + 2);
        let cells =
            |row: usize| -> Vec<char> { lines[row].split_once('│').unwrap().1.chars().collect() };
        assert_ne!(cells(0)[COLUMNS - 1], ' ', "{text}");
        assert_ne!(cells(ROWS / 2)[COLUMNS / 2], ' ', "{text}");
        assert_ne!(cells(ROWS - 1)[0], ' ', "{text}");
        assert!(cells(0)[..COLUMNS / 2].iter().all(|&cell| cell == ' '), "{text}");
        assert!(cells(ROWS - 1).len() < COLUMNS / 2, "{text}");
        assert!(
            lines[0].ends_with(" g-ucb") && lines[0].trim_start().starts_with("10.0 │"),
            "{text}"
        );
        assert!(lines[ROWS - 1].trim_start().starts_with("0 │"), "{text}");
        assert!(lines[ROWS + 1].ends_with(" 100"), "{text}");
    }

    #[test]
    fn labels_never_collide_and_extremes_do_not_panic() {
        let flat = |label: &str| Curve { label: label.into(), points: vec![(1.0, 0.0)] };
        let many: Vec<Curve> = (0..9).map(|i| flat(&format!("agent-{i}"))).collect();
        let text = draw(&many, Ink::Plain, 100);
        assert!((0..9).all(|i| text.contains(&format!("agent-{i}"))), "{text}");
        let ink = Ink::Few(Paper::Dark);
        draw(&[], ink, 0);
        draw(&[Curve { label: String::new(), points: vec![(1e18, 1e300)] }], ink, 80);
    }

    #[test]
    fn charts_fit_into_narrow_terminals() {
        let labels = ["local-ucb", "g-horizon:horizon=20181,growth=2.0,caution=1.0"];
        for (label, width) in
            labels.into_iter().flat_map(|label| [(label, 100), (label, 80), (label, 50)])
        {
            let curve = Curve { label: label.into(), points: vec![(20_000.0, 14_493.0)] };
            let text = draw(&[curve], Ink::Plain, width);
            let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
            assert!(widest <= width, "{widest} of {width}: {text}");
            assert_eq!(text.contains(label), label.len() < width - 32, "{text}");
        }
    }

    #[test]
    fn curves_have_the_colors_and_dashes_of_figures() {
        let up = |label: &str| Curve { label: label.into(), points: vec![(100.0, 10.0)] };
        let dots = |label: &str| {
            let text = draw(&[up(label)], Ink::Plain, 100);
            let bits =
                |c: char| (0x2800..0x2900).contains(&u32::from(c)).then_some(u32::from(c) & 0xff);
            text.chars().filter_map(bits).map(u32::count_ones).sum::<u32>()
        };
        // Solid, dashed, dotted.
        assert!(dots("g-ucb") > dots("local-ts") && dots("local-ts") > dots("g-star"));
        assert!(
            draw(&[up("g-ucb")], Ink::Full(Paper::Light), 100).contains("[38;2;0;114;178mg-ucb")
        );
    }

    #[test]
    fn tops_are_round() {
        assert_eq!([0.0, 7.0, 23_597.0, 0.011].map(round_up), [1.0, 8.0, 25_000.0, 0.0125]);
    }
}
