//! How a series is drawn: lines, points, bands, bars and traces.

use super::{Mark, Series};
use crate::palette::{Color, Style};
use crate::scale::Scale;
use crate::svg::{Canvas, Stroke};

/// Converts values to places on the sheet.
pub(super) struct Pen<'a> {
    pub(super) x: &'a Scale,
    pub(super) y: &'a Scale,
}

impl Pen<'_> {
    fn at(&self, x: f64, y: f64) -> Option<[f64; 2]> {
        Some([self.x.place(x)?, self.y.place(y)?])
    }

    /// The ends of a bar or band at `x`. A lower end that a logarithmic axis cannot show moves to
    /// its lower end.
    pub(super) fn ends(&self, x: f64, [low, high]: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        let foot = || (low <= 0.0).then(|| self.y.places()[0]);
        let (x, low) = (self.x.place(x)?, self.y.place(low).or_else(foot)?);
        Some([[x, low], [x, self.y.place(high)?]])
    }

    /// The pieces of a line between gaps, without points too close to see.
    pub(super) fn pieces(&self, points: &[[f64; 2]]) -> Vec<Vec<[f64; 2]>> {
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

    pub(super) fn traces(&self, canvas: &mut Canvas, series: &Series) {
        let opacity = (4.0 / (series.traces.len() as f64).max(1.0).sqrt()).clamp(0.12, 0.5);
        for trace in &series.traces {
            let pieces = self.pieces(trace);
            let stroke = Stroke::new(series.style.color, 0.9).faint(opacity);
            canvas.lines(pieces.iter().map(Vec::as_slice), stroke);
        }
    }

    pub(super) fn band(&self, canvas: &mut Canvas, series: &Series) {
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let ends = series.points.iter().zip(&series.band).map(Some).chain([None]);
        for pair in ends {
            let places = pair.and_then(|(&[x, _], &ends)| self.ends(x, ends));
            if let Some([low, high]) = places {
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

    pub(super) fn bars(&self, canvas: &mut Canvas, series: &Series) {
        let mut strokes: Vec<[[f64; 2]; 2]> = Vec::new();
        for bar in &series.bars {
            let Some([[x, low], [_, high]]) = self.ends(bar.x, [bar.low, bar.high]) else {
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

    pub(super) fn line(&self, canvas: &mut Canvas, series: &Series) {
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
        // A single point has no line to show it.
        let lone = |piece: &&Vec<[f64; 2]>| series.mark != Mark::Line || piece.len() == 1;
        for &place in pieces.iter().filter(lone).flatten() {
            canvas.disc(place, 4.0, 1.0, color);
        }
    }
}
