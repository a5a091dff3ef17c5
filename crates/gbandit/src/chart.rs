//! Curves in the terminal, drawn in braille dots: eight to a character.

use crate::number::whole;
use std::io::{IsTerminal, stdout};

const COLUMNS: usize = 64;
const ROWS: usize = 17;

/// The bits of a braille character by row and column of its dots.
const DOTS: [[u8; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];

/// Colours that colour-blind people can tell apart (Okabe and Ito), in terminal's 256.
const COLORS: [u8; 8] = [33, 208, 35, 170, 220, 75, 130, 245];

/// A curve from the origin through `points`, ascending in x.
pub(crate) struct Curve {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// Draws the curves with their labels at their ends, coloured where standard output is a terminal.
pub(crate) fn chart(curves: &[Curve]) -> String {
    let colored = stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    draw(curves, if colored { Ink::Colors } else { Ink::Plain })
}

#[derive(Clone, Copy, PartialEq)]
enum Ink {
    Colors,
    Plain,
}

impl Ink {
    fn paint(self, text: &str, curve: usize) -> String {
        match self {
            Self::Colors => format!("\x1b[38;5;{}m{text}\x1b[0m", COLORS[curve % COLORS.len()]),
            Self::Plain => text.to_owned(),
        }
    }
}

/// One character: its dots, and the last curve drawn through it.
#[derive(Clone, Copy, Default)]
struct Cell {
    dots: u8,
    curve: usize,
}

impl Cell {
    fn draw(self, ink: Ink) -> String {
        match char::from_u32(0x2800 + u32::from(self.dots)) {
            Some(braille) if self.dots != 0 => ink.paint(&braille.to_string(), self.curve),
            _ => " ".to_owned(),
        }
    }
}

fn draw(curves: &[Curve], ink: Ink) -> String {
    let points = || curves.iter().flat_map(|curve| &curve.points);
    let right = points().map(|point| point.0).fold(f64::MIN_POSITIVE, f64::max);
    let top = round_up(points().map(|point| point.1).fold(0.0, f64::max));
    let mut cells = vec![[Cell::default(); COLUMNS]; ROWS];
    for (number, curve) in curves.iter().enumerate() {
        let dot = |&(x, y): &(f64, f64)| {
            let column = x / right * (COLUMNS * 2 - 1) as f64;
            let row = (1.0 - y.max(0.0) / top) * (ROWS * 4 - 1) as f64;
            (column.round() as usize, row.round() as usize)
        };
        let mut from = dot(&(0.0, 0.0));
        for point in &curve.points {
            let to = dot(point);
            line(from, to, |(column, row)| {
                let cell = &mut cells[row / 4][column / 2];
                cell.dots |= DOTS[row % 4][column % 2];
                cell.curve = number;
            });
            from = to;
        }
    }
    let labels = label_rows(curves, top);
    let axis = label_width(top);
    let drawn = cells.iter().enumerate().map(|(row, cells)| {
        let height = top * (ROWS - 1 - row) as f64 / (ROWS - 1) as f64;
        let tick = if row % 4 == 0 { tick(height) } else { String::new() };
        let curves_here: String = cells.iter().map(|cell| cell.draw(ink)).collect();
        let label = labels[row].map(|number| ink.paint(&curves[number].label, number));
        let line = format!("{tick:>axis$} │{curves_here} {}", label.unwrap_or_default());
        line.trim_end().to_owned() + "\n"
    });
    let text: String = drawn.collect();
    let ends = format!("{:>axis$} └{}\n", "", "─".repeat(COLUMNS));
    let far = whole(right as u64);
    let scale = format!("{:>axis$}  0{far:>width$}\n", "", width = COLUMNS - 1);
    text + &ends + &scale
}

/// On which row each curve's label stands: where the curve ends, moved where two would collide.
fn label_rows(curves: &[Curve], top: f64) -> Vec<Option<usize>> {
    let end = |curve: &Curve| curve.points.last().map_or(0.0, |point| point.1);
    let mut order: Vec<usize> = (0..curves.len()).collect();
    order.sort_by(|&a, &b| end(&curves[b]).total_cmp(&end(&curves[a])));
    let mut rows = vec![None; ROWS.max(curves.len())];
    let wanted = |curve: &Curve| ((1.0 - end(curve) / top) * (ROWS - 1) as f64).round() as usize;
    let mut next = 0;
    for (place, &number) in order.iter().enumerate() {
        let last_free = rows.len() - (order.len() - place);
        let row = wanted(&curves[number]).max(next).min(last_free);
        rows[row] = Some(number);
        next = row + 1;
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

    #[test]
    fn a_straight_curve_runs_from_corner_to_corner() {
        let curve = Curve { label: "up".into(), points: vec![(50.0, 5.0), (100.0, 10.0)] };
        let text = draw(&[curve], Ink::Plain);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), ROWS + 2);
        let cells =
            |row: usize| -> Vec<char> { lines[row].split_once('│').unwrap().1.chars().collect() };
        assert_ne!(cells(0)[COLUMNS - 1], ' ', "{text}");
        assert_ne!(cells(ROWS / 2)[COLUMNS / 2], ' ', "{text}");
        assert_ne!(cells(ROWS - 1)[0], ' ', "{text}");
        assert!(cells(0)[..COLUMNS / 2].iter().all(|&cell| cell == ' '), "{text}");
        assert!(cells(ROWS - 1).len() < COLUMNS / 2, "{text}");
        assert!(lines[0].ends_with(" up") && lines[0].trim_start().starts_with("10.0 │"), "{text}");
        assert!(lines[ROWS - 1].trim_start().starts_with("0 │"), "{text}");
        assert!(lines[ROWS + 1].ends_with(" 100"), "{text}");
    }

    #[test]
    fn labels_never_collide_and_extremes_do_not_panic() {
        let flat = |label: &str| Curve { label: label.into(), points: vec![(1.0, 0.0)] };
        let many: Vec<Curve> = (0..9).map(|i| flat(&format!("agent-{i}"))).collect();
        let text = draw(&many, Ink::Plain);
        assert!((0..9).all(|i| text.contains(&format!("agent-{i}"))), "{text}");
        draw(&[], Ink::Colors);
        draw(&[Curve { label: String::new(), points: vec![(1e18, 1e300)] }], Ink::Colors);
    }

    #[test]
    fn tops_are_round() {
        assert_eq!([0.0, 7.0, 23_597.0, 0.011].map(round_up), [1.0, 8.0, 25_000.0, 0.0125]);
    }
}
