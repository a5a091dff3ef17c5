//! Drawings of graphs as networks.

use super::palette::{Color, LEVELS, ramp_at};
use super::places::{longitude_width, places_of};
use super::scale::short;
use super::svg::{Anchor, Area, Canvas, Stroke, TEXT, Type, Weight};
use super::text::text_width;
use graph_bandit::Graph;
use serde::{Deserialize, Serialize};

/// Nodes at places, and edges between them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Network {
    /// The position of each node, in any unit.
    pub places: Vec<[f64; 2]>,
    /// Pairs of node numbers; pairs with an unknown number are left out.
    pub edges: Vec<[u32; 2]>,
    /// The label of each node; empty for no labels.
    #[serde(default)]
    pub labels: Vec<String>,
    /// A number per node, shown as its colour; empty for one colour.
    #[serde(default)]
    pub values: Vec<f64>,
    /// What the numbers mean.
    #[serde(default)]
    pub value_label: String,
    /// The direction of larger y.
    #[serde(default)]
    pub vertical: Vertical,
}

/// The direction of larger y.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vertical {
    /// Below, as on screens and in the graphs of this library.
    #[default]
    Down,
    /// Above, as on maps.
    Up,
}

/// The kind of a map's coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// Longitude and latitude in degrees.
    Degrees,
    /// Lengths along two axes.
    Plane,
}

/// With more nodes than this, numbers as labels would be clutter.
const NUMBERED: usize = 16;
/// With more nodes than this, distances are estimated.
const MEASURED: usize = 2_000;
/// Names up to this width are written inside nodes.
const INSIDE: f64 = 17.0;
/// The height of the colour key.
const KEY_HEIGHT: f64 = 34.0;

impl Network {
    /// The drawing of a graph: at its own coordinates or in a layout that suits its shape, with its
    /// names, or with numbers if there are few nodes.
    pub fn of(graph: &Graph) -> Self {
        let named = graph.names().is_some() || graph.len() <= NUMBERED;
        Self {
            places: places_of(graph),
            edges: graph.edges().map(|(a, b)| [a, b]).collect(),
            labels: graph.nodes().filter(|_| named).map(|node| graph.label(node)).collect(),
            values: Vec::new(),
            value_label: String::new(),
            vertical: Vertical::Down,
        }
    }

    /// The drawing of a map: north is up, and a degree of longitude has its true width.
    pub fn on_ground(graph: &Graph, ground: Ground) -> Self {
        let mut network = Self { vertical: Vertical::Up, ..Self::of(graph) };
        if ground == Ground::Degrees {
            let bounds = network.bounds();
            let width = longitude_width(0.5 * (bounds.top + bounds.bottom));
            for place in &mut network.places {
                place[0] *= width;
            }
        }
        network
    }

    /// The same network without names.
    #[must_use]
    pub fn without_labels(mut self) -> Self {
        self.labels.clear();
        self
    }

    /// The same network coloured by a number per node.
    #[must_use]
    pub fn with_values(mut self, label: impl Into<String>, values: Vec<f64>) -> Self {
        self.value_label = label.into();
        self.values = values;
        self
    }

    fn bounds(&self) -> Area {
        let finite = self.places.iter().filter(|p| p[0].is_finite() && p[1].is_finite());
        finite
            .fold(None, |area: Option<Area>, &[x, y]| {
                let [x, y] = [x, y].map(|v| v.clamp(-1e150, 1e150));
                let area = area.unwrap_or(Area { left: x, top: y, right: x, bottom: y });
                Some(Area {
                    left: area.left.min(x),
                    top: area.top.min(y),
                    right: area.right.max(x),
                    bottom: area.bottom.max(y),
                })
            })
            .unwrap_or(Area { left: 0.0, top: 0.0, right: 0.0, bottom: 0.0 })
    }

    /// Height over width of the drawing, within what fits on a sheet.
    pub(super) fn aspect(&self) -> f64 {
        let bounds = self.bounds();
        let aspect = bounds.height() / bounds.width();
        if aspect.is_finite() { aspect.clamp(0.12, 0.9) } else { 0.5 }
    }

    /// The places on the sheet; a node without a finite place is in the middle.
    fn fitted(&self, area: Area) -> Vec<[f64; 2]> {
        let bounds = self.bounds();
        let across = area.width() / bounds.width();
        let down = area.height() / bounds.height();
        let scale = across.min(down);
        // All nodes are on one spot: any scale will do.
        let scale = if scale.is_finite() { scale } else { 0.0 };
        let center = [0.5 * (area.left + area.right), 0.5 * (area.top + area.bottom)];
        let middle = [0.5 * (bounds.left + bounds.right), 0.5 * (bounds.top + bounds.bottom)];
        let sign = if self.vertical == Vertical::Up { -1.0 } else { 1.0 };
        let fit = |&[x, y]: &[f64; 2]| {
            let place =
                [center[0] + scale * (x - middle[0]), center[1] + sign * scale * (y - middle[1])];
            if place.iter().all(|v| v.is_finite()) { place } else { center }
        };
        self.places.iter().map(fit).collect()
    }

    fn widest_name(&self) -> f64 {
        self.labels.iter().map(|label| text_width(label, TEXT)).fold(0.0, f64::max)
    }

    /// Whether names are too long to fit inside nodes.
    pub(super) fn names_outside(&self) -> bool {
        self.widest_name() > INSIDE
    }

    fn label(&self, node: usize) -> &str {
        self.labels.get(node).map_or("", String::as_str)
    }

    pub(super) fn draw(&self, canvas: &mut Canvas, area: Area) {
        let key = if self.values.is_empty() { 0.0 } else { KEY_HEIGHT };
        // Room for nodes at the edge, and for their names beside them.
        let outside = self.names_outside();
        let side = if outside { (self.widest_name() + 12.0).min(0.3 * area.width()) } else { 14.0 };
        let inner = Area {
            left: area.left + side,
            top: area.top + 14.0,
            right: area.right - side,
            bottom: area.bottom - 14.0 - key,
        };
        let places = self.fitted(inner);
        // Names beside nodes need the room that larger nodes would take.
        let most = match (self.labels.is_empty(), outside) {
            (false, false) => 11.0,
            (false, true) => 5.0,
            (true, _) => (30.0 / (places.len().max(1) as f64).sqrt()).clamp(3.0, 8.0),
        };
        let radius = radius(&places, inner).min(most);
        self.draw_edges(canvas, &places);
        let ends = finite_ends(&self.values);
        let color = |node: usize| match (self.values.get(node), ends) {
            (Some(value), Some([low, high])) if value.is_finite() => ramp_at(*value, low, high),
            (Some(_), _) => Color::Grid,
            (None, _) => Color::Slot(0),
        };
        for (node, &place) in places.iter().enumerate() {
            canvas.disc(place, radius, (0.15 * radius).min(0.8), color(node));
        }
        self.draw_labels(canvas, &places, radius, &color, area);
        if let Some(ends) = ends {
            self.draw_key(canvas, area, ends);
        }
    }

    fn draw_edges(&self, canvas: &mut Canvas, places: &[[f64; 2]]) {
        let edge = |&[a, b]: &[u32; 2]| Some([*places.get(a as usize)?, *places.get(b as usize)?]);
        let lines: Vec<[[f64; 2]; 2]> = self.edges.iter().filter_map(edge).collect();
        let crowd = lines.len() as f64;
        let width = (8.0 / crowd.max(1.0).sqrt()).clamp(0.12, 1.4);
        let opacity = (20.0 / crowd.max(1.0).sqrt()).clamp(0.25, 0.9);
        let stroke = Stroke::new(Color::Muted, width).faint(opacity);
        canvas.lines(lines.iter().map(<[[f64; 2]; 2]>::as_slice), stroke);
    }

    fn draw_labels(
        &self,
        canvas: &mut Canvas,
        places: &[[f64; 2]],
        radius: f64,
        color: &dyn Fn(usize) -> Color,
        area: Area,
    ) {
        let mut taken: Vec<Area> = places
            .iter()
            .map(|&[x, y]| Area {
                left: x - radius,
                top: y - radius,
                right: x + radius,
                bottom: y + radius,
            })
            .collect();
        for (node, &[x, y]) in places.iter().enumerate() {
            let label = self.label(node);
            let width = text_width(label, TEXT);
            if width <= INSIDE.min(1.7 * radius) {
                // Paper colour on dark fills, ink on light ones.
                let on = match color(node) {
                    Color::Ramp(level) if level < LEVELS / 3 => Color::Ink,
                    _ => Color::Paper,
                };
                let style = Type::new(on, Anchor::Middle);
                canvas.text([x, y + 0.36 * TEXT], style, label);
                continue;
            }
            let away = radius + 4.0;
            let beside = |anchor: Anchor, dx: f64, dy: f64| {
                let left = match anchor {
                    Anchor::Start => x + dx,
                    Anchor::Middle => x + dx - 0.5 * width,
                    Anchor::End => x + dx - width,
                };
                let base = y + dy;
                let area =
                    Area { left, top: base - 0.8 * TEXT, right: left + width, bottom: base + 2.0 };
                (anchor, [x + dx, base], area)
            };
            let middle = 0.36 * TEXT;
            let candidates = [
                beside(Anchor::Start, away, middle),
                beside(Anchor::End, -away, middle),
                beside(Anchor::Middle, 0.0, -away),
                beside(Anchor::Middle, 0.0, away + 0.8 * TEXT),
                beside(Anchor::Start, 0.7 * away, -0.7 * away),
                beside(Anchor::Start, 0.7 * away, 0.7 * away + 0.7 * TEXT),
                beside(Anchor::End, -0.7 * away, -0.7 * away),
                beside(Anchor::End, -0.7 * away, 0.7 * away + 0.7 * TEXT),
            ];
            let cost = |label: &Area| {
                let covered: f64 = taken.iter().map(|other| overlap(label, other)).sum();
                let outside = (label.right - area.right).max(area.left - label.left).max(0.0);
                5.0 * covered + 20.0 * outside + self.crossings(node, places, label)
            };
            let best = candidates
                .into_iter()
                .map(|candidate| (cost(&candidate.2), candidate))
                .reduce(|best, next| if next.0 < best.0 { next } else { best });
            if let Some((_, (anchor, at, area))) = best {
                let style = Type { weight: Weight::Rimmed, ..Type::new(Color::Ink, anchor) };
                canvas.text(at, style, label);
                taken.push(area);
            }
        }
    }

    /// How much of the edges a label would cover, as an area; with many edges, only those of its
    /// node.
    fn crossings(&self, node: usize, places: &[[f64; 2]], area: &Area) -> f64 {
        let few = self.edges.len() <= 200;
        let counts = |e: &&[u32; 2]| few || e.iter().any(|&end| end as usize == node);
        let mut covered = 0.0;
        for &[a, b] in self.edges.iter().filter(counts) {
            let (Some(a), Some(b)) = (places.get(a as usize), places.get(b as usize)) else {
                continue;
            };
            for k in 1..20 {
                let share = f64::from(k) / 20.0;
                let x = a[0] + share * (b[0] - a[0]);
                let y = a[1] + share * (b[1] - a[1]);
                let inside = x > area.left && x < area.right && y > area.top && y < area.bottom;
                covered += if inside { 10.0 } else { 0.0 };
            }
        }
        covered
    }

    fn draw_key(&self, canvas: &mut Canvas, area: Area, [low, high]: [f64; 2]) {
        let cell = 7.0;
        let width = cell * f64::from(LEVELS);
        let middle = 0.5 * (area.left + area.right);
        let left = middle - 0.5 * width;
        let top = area.bottom - 12.0;
        for level in 0..LEVELS {
            let from = left + cell * f64::from(level);
            let swatch = Area { left: from, top, right: from + cell + 0.3, bottom: top + 8.0 };
            canvas.rect(swatch, Color::Ramp(level), 1.0);
        }
        let base = top + 8.5;
        canvas.text([left - 6.0, base], Type::new(Color::Muted, Anchor::End), &short(low));
        canvas.text(
            [left + width + 6.0, base],
            Type::new(Color::Muted, Anchor::Start),
            &short(high),
        );
        let style = Type::new(Color::Muted, Anchor::Middle);
        canvas.text([middle, top - 6.0], style, &self.value_label);
    }
}

fn finite_ends(values: &[f64]) -> Option<[f64; 2]> {
    values.iter().filter(|v| v.is_finite()).fold(None, |ends: Option<[f64; 2]>, &v| {
        Some(ends.map_or([v, v], |[low, high]| [low.min(v), high.max(v)]))
    })
}

fn overlap(a: &Area, b: &Area) -> f64 {
    let width = a.right.min(b.right) - a.left.max(b.left);
    let height = a.bottom.min(b.bottom) - a.top.max(b.top);
    width.max(0.0) * height.max(0.0)
}

/// A radius at which nodes do not touch.
fn radius(places: &[[f64; 2]], area: Area) -> f64 {
    let count = places.len().max(1) as f64;
    let mut nearest = (area.width() * area.height() / count).sqrt();
    if places.len() <= MEASURED {
        for (i, a) in places.iter().enumerate() {
            for b in &places[..i] {
                let distance = libm::hypot(a[0] - b[0], a[1] - b[1]);
                // Nodes on one spot overlap at any radius.
                if distance > 0.0 {
                    nearest = nearest.min(distance);
                }
            }
        }
    }
    (0.38 * nearest).max(1.2)
}
