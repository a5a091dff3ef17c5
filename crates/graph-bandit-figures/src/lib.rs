//! Figures: what to draw, separate from how to draw it.
//!
//! It embodies one decision: **every drawing decision is made in one place**. Reports, the
//! terminal, the service's map and the Python package all ask this crate where nodes are drawn
//! ([`places_of`], [`positions_of`]), which colour an agent has ([`palette`]), where ticks are
//! ([`scale`]) and how labels avoid each other ([`spread`]). The earlier alternative was that each
//! drew with the means of its own language: the same graph had three shapes.
//!
//! A [`Figure`] is plain data that survives a round trip through JSON; [`draw_svg`] turns it into the
//! same bytes on every machine and [`draw_html`] into panels that reflow with a page. With the feature
//! `png`, `render_png` turns it into pixels with an embedded font. The figures of the paper (Section V
//! and Appendix F) are curves, boxes, bars and networks, so those are the four bodies a [`Panel`] can
//! have.
//!
//! ```
//! use graph_bandit_figures::{Axis, Body, Curves, Figure, Panel, Series, Theme, draw_svg, palette};
//! let regret = Series::new("g-ucb", palette::style_of("g-ucb"), vec![[0.0, 0.0], [100.0, 12.0]]);
//! let curves = Curves { x: Axis::linear("t"), y: Axis::linear("regret"), series: vec![regret] };
//! let figure = Figure::new("one-curve", "Regret", vec![Panel::new("", Body::Curves(curves))]);
//! assert!(draw_svg(&figure, Theme::Light).starts_with("<svg"));
//! ```

mod axes;
mod boxes;
mod curves;
mod html;
mod layout;
mod network;
mod numbers;
pub mod palette;
mod places;
#[cfg(feature = "png")]
pub mod png;
pub mod scale;
mod sheet;
mod spread;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod ticks;

pub use boxes::{BarSeries, Bars, BoxSeries, Boxes, FiveNumbers};
pub use curves::{Curves, ErrorBar, Mark, Series};
pub use html::{draw_html, figure_anchor};
pub use layout::{layout_of, layout_work};
pub use network::{Ground, Network, Vertical};
pub use palette::{Color, Dash, Style};
pub use places::{places_of, positions_of};
#[cfg(feature = "png")]
pub use png::{PngError, render_png};
pub use scale::{Axis, ScaleKind};
pub use sheet::draw_svg;
pub use spread::spread;
pub use svg::Theme;
pub use text::escape;

use serde::{Deserialize, Serialize};

/// The script that shows values under the pointer; a page includes it once, after its figures.
///
/// It has no dependencies and makes no requests. Figures are complete without it.
pub const HOVER_SCRIPT: &str = include_str!("hover.js");

/// Panels with a common legend.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// A name unique on its page.
    pub id: String,
    /// A headline, drawn when not empty.
    pub title: String,
    /// A description for readers who cannot see the figure; also printed as caption on pages.
    pub caption: String,
    /// The number of panels side by side, at least one.
    pub columns: usize,
    /// The panels, row by row.
    pub panels: Vec<Panel>,
    /// The common legend; if it is empty, curves have their names at their ends.
    #[serde(default)]
    pub legend: Vec<LegendEntry>,
}

/// One plot or drawing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    /// A headline, drawn when not empty.
    pub title: String,
    /// What it shows.
    pub body: Body,
}

/// What a panel shows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Body {
    /// Lines and points over a numeric axis.
    Curves(Curves),
    /// Five numbers per group and name.
    Boxes(Boxes),
    /// One number per group and name.
    Bars(Bars),
    /// A graph.
    Network(Network),
}

/// A name and how it is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LegendEntry {
    /// The name.
    pub name: String,
    /// Its colour and dashes.
    pub style: Style,
    /// The shape of the swatch beside the name.
    pub swatch: Swatch,
}

/// The shape of a swatch in a legend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Swatch {
    /// A piece of line.
    Line,
    /// A filled square.
    Square,
}

impl Figure {
    /// A figure of up to three columns without caption or legend.
    pub fn new(id: impl Into<String>, title: impl Into<String>, panels: Vec<Panel>) -> Self {
        Self {
            id: id.into(),
            title: title.into(),
            caption: String::new(),
            columns: panels.len().clamp(1, 3),
            panels,
            legend: Vec::new(),
        }
    }

    /// The same figure with a caption.
    #[must_use]
    pub fn with_caption(mut self, caption: impl Into<String>) -> Self {
        self.caption = caption.into();
        self
    }

    /// The same figure with this many panels side by side.
    #[must_use]
    pub fn with_columns(mut self, columns: usize) -> Self {
        self.columns = columns.max(1);
        self
    }

    /// The same figure with the legend of its panels: every name and colour once, in the order of
    /// first appearance.
    #[must_use]
    pub fn with_legend(mut self) -> Self {
        self.legend.clear();
        for entry in self.panels.iter().flat_map(|panel| panel.body.names()) {
            let same = |e: &LegendEntry| e.name == entry.name && e.style.color == entry.style.color;
            if !entry.name.is_empty() && !self.legend.iter().any(same) {
                self.legend.push(entry);
            }
        }
        self
    }
}

impl Panel {
    /// A panel.
    pub fn new(title: impl Into<String>, body: Body) -> Self {
        Self { title: title.into(), body }
    }
}

impl Body {
    fn names(&self) -> Vec<LegendEntry> {
        let entry =
            |name: &String, style, swatch| LegendEntry { name: name.clone(), style, swatch };
        let square = |name, color| entry(name, Style::solid(color), Swatch::Square);
        match self {
            Self::Curves(curves) => {
                curves.series.iter().map(|s| entry(&s.name, s.style, Swatch::Line)).collect()
            }
            Self::Boxes(boxes) => boxes.series.iter().map(|s| square(&s.name, s.color)).collect(),
            Self::Bars(bars) => bars.series.iter().map(|s| square(&s.name, s.color)).collect(),
            Self::Network(_) => Vec::new(),
        }
    }
}
