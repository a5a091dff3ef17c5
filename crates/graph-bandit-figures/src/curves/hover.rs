//! The data of a figure of curves for the hover script.

use super::{Axis, Curves};
use crate::scale::{Scale, ScaleKind};
use crate::svg::Area;
use serde_json::{Value, json};

/// More points than this are thinned out for the hover script: pixels would not show them.
const MOST_HOVERED: usize = 300;

impl Curves {
    /// The data the hover script needs: the plot, the axes, and the points with few digits.
    pub(super) fn hover(&self, plot: Area, x: &Scale, y: &Scale) -> Value {
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

/// A number with `count` significant digits; null if it is not finite.
fn digits(value: f64, count: usize) -> Value {
    let text = format!("{value:.*e}", count - 1);
    text.parse::<f64>().ok().filter(|v| v.is_finite()).map_or(Value::Null, |v| {
        // Integers without a fraction are shorter.
        if v.abs() < 1e15 && v == libm::trunc(v) { Value::from(v as i64) } else { Value::from(v) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_few_and_never_nan() {
        assert_eq!(digits(1234.5678, 6).to_string(), "1234.57");
        assert_eq!(digits(20_000.0, 6).to_string(), "20000");
        assert_eq!(digits(f64::NAN, 6), Value::Null);
        assert_eq!(digits(f64::INFINITY, 6), Value::Null);
    }
}
