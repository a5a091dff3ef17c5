//! The primitives of a drawing: strokes, fills, texts, and their colours.

use super::palette::{Color, Dash};
use super::text::{escape, identifier};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Where a drawing will be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Theme {
    /// In its own file: light, on paper; viewers in dark mode show its dark variant. Images made
    /// from it are light.
    #[default]
    Light,
    /// On a page whose style sheet decides: every colour is a custom property such as `--gb-c3`
    /// with a light default; see [`style_sheet`](super::palette::style_sheet).
    Adaptive,
}

/// The size of ordinary text.
pub(super) const TEXT: f64 = 12.0;
/// The size of a panel's title.
pub(super) const PANEL_TITLE: f64 = 13.0;
/// The size of a figure's title.
pub(super) const TITLE: f64 = 15.0;

/// How a line is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stroke {
    pub(super) color: Color,
    pub(super) width: f64,
    pub(super) dash: Dash,
    pub(super) opacity: f64,
}

impl Stroke {
    pub(super) fn new(color: Color, width: f64) -> Self {
        Self { color, width, dash: Dash::Solid, opacity: 1.0 }
    }

    pub(super) fn dashed(self, dash: Dash) -> Self {
        Self { dash, ..self }
    }

    pub(super) fn faint(self, opacity: f64) -> Self {
        Self { opacity, ..self }
    }
}

/// Which part of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Type {
    pub(super) size: f64,
    pub(super) color: Color,
    pub(super) anchor: Anchor,
    pub(super) weight: Weight,
}

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
    /// Regular with an outline in paper colour, legible over lines.
    Rimmed,
}

impl Type {
    pub(super) fn new(color: Color, anchor: Anchor) -> Self {
        Self { size: TEXT, color, anchor, weight: Weight::Regular }
    }

    pub(super) fn bold(self, size: f64) -> Self {
        Self { size, weight: Weight::Bold, ..self }
    }
}

/// A rectangle of the sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Area {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Area {
    pub(super) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(super) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// A drawing under construction.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    body: String,
    used: BTreeSet<Color>,
}

/// Appends formatted text; writing to a string cannot fail.
macro_rules! put {
    ($canvas:expr, $($arguments:tt)*) => { let _ = write!($canvas.body, $($arguments)*); };
}

impl Canvas {
    fn stroke(&mut self, stroke: Stroke) -> String {
        self.used.insert(stroke.color);
        let mut text =
            format!("class=\"s-{}\" stroke-width=\"{}\"", stroke.color.key(), num(stroke.width));
        let unit = stroke.width.max(1.0);
        let _ = match stroke.dash {
            Dash::Solid => Ok(()),
            Dash::Dashed => {
                write!(text, " stroke-dasharray=\"{} {}\"", num(3.5 * unit), num(1.8 * unit))
            }
            Dash::Dotted => {
                write!(text, " stroke-dasharray=\"{} {}\"", num(0.9 * unit), num(1.5 * unit))
            }
        };
        if stroke.opacity < 1.0 {
            let _ = write!(text, " stroke-opacity=\"{}\"", num(stroke.opacity));
        }
        text
    }

    fn fill(&mut self, color: Color) -> String {
        self.used.insert(color);
        format!("class=\"f-{}\"", color.key())
    }

    pub(super) fn line(&mut self, from: [f64; 2], to: [f64; 2], stroke: Stroke) {
        self.polyline(&[from, to], stroke);
    }

    /// A line through all points.
    pub(super) fn polyline(&mut self, points: &[[f64; 2]], stroke: Stroke) {
        self.lines(std::iter::once(points), stroke);
    }

    /// Several lines as one shape.
    pub(super) fn lines<'a>(
        &mut self,
        lines: impl Iterator<Item = &'a [[f64; 2]]>,
        stroke: Stroke,
    ) {
        let data: String = lines.map(path).collect();
        if !data.is_empty() {
            let stroke = self.stroke(stroke);
            put!(self, "<path d=\"{data}\" {stroke}/>\n");
        }
    }

    /// A filled outline.
    pub(super) fn outline(&mut self, points: &[[f64; 2]], color: Color, opacity: f64) {
        if points.len() > 2 {
            let fill = self.fill(color);
            let data = path(points);
            put!(self, "<path d=\"{data}Z\" {fill} fill-opacity=\"{}\"/>\n", num(opacity));
        }
    }

    pub(super) fn rect(&mut self, area: Area, color: Color, opacity: f64) {
        let fill = self.fill(color);
        put!(
            self,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {fill}",
            num(area.left),
            num(area.top),
            num(area.width().max(0.0)),
            num(area.height().max(0.0))
        );
        if opacity < 1.0 {
            put!(self, " fill-opacity=\"{}\"", num(opacity));
        }
        self.body.push_str("/>\n");
    }

    /// A disc with an outline in paper colour.
    pub(super) fn disc(&mut self, center: [f64; 2], radius: f64, rim: f64, color: Color) {
        self.used.insert(Color::Paper);
        let key = color.key();
        self.used.insert(color);
        put!(
            self,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" class=\"f-{key} s-paper\" stroke-width=\"{}\"/>\n",
            num(center[0]),
            num(center[1]),
            num(radius),
            num(rim)
        );
    }

    /// A text with its baseline at `at`.
    pub(super) fn text(&mut self, at: [f64; 2], style: Type, text: &str) {
        if text.is_empty() {
            return;
        }
        self.used.insert(style.color);
        let mut classes = format!("f-{}", style.color.key());
        match style.weight {
            Weight::Regular => {}
            Weight::Bold => classes.push_str(" bold"),
            Weight::Rimmed => {
                self.used.insert(Color::Paper);
                classes.push_str(" s-paper rim");
            }
        }
        put!(self, "<text x=\"{}\" y=\"{}\" class=\"{classes}\"", num(at[0]), num(at[1]));
        if style.size != TEXT {
            put!(self, " font-size=\"{}\"", num(style.size));
        }
        match style.anchor {
            Anchor::Start => {}
            Anchor::Middle => self.body.push_str(" text-anchor=\"middle\""),
            Anchor::End => self.body.push_str(" text-anchor=\"end\""),
        }
        put!(self, ">{}</text>\n", escape(text));
    }

    /// Opens a group; `attributes` are already escaped.
    pub(super) fn open(&mut self, attributes: &str) {
        put!(self, "<g {attributes}>\n");
    }

    pub(super) fn close(&mut self) {
        self.body.push_str("</g>\n");
    }

    /// Defines an area that a group can clip itself to with `clip-path="url(#id)"`.
    pub(super) fn clip(&mut self, id: &str, area: Area) {
        put!(
            self,
            "<clipPath id=\"{id}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n",
            num(area.left),
            num(area.top),
            num(area.width()),
            num(area.height())
        );
    }

    /// The finished drawing.
    pub(super) fn finish(self, sheet: &Sheet<'_>, theme: Theme) -> String {
        let crop = num(sheet.crop);
        let [width, height] = sheet.size.map(|side| num(side - sheet.crop));
        let id = identifier(sheet.id);
        let class = match theme {
            Theme::Light => "gb-light",
            Theme::Adaptive => "gb-adaptive",
        };
        let style = style(&self.used, theme);
        let background = match theme {
            Theme::Light => {
                format!("<rect width=\"{width}\" height=\"{height}\" class=\"f-paper\"/>\n")
            }
            Theme::Adaptive => String::new(),
        };
        let [title, description] = [sheet.title, sheet.description].map(escape);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{crop} {crop} {width} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\" class=\"{class}\" id=\"{id}\" \
             font-size=\"{}\" fill=\"none\">\n<title id=\"{id}-title\">{title}</title>\n\
             <desc id=\"{id}-desc\">{description}</desc>\n<style>{style}</style>\n{background}{}</svg>\n",
            num(TEXT),
            self.body
        )
    }
}

/// The name and size of the whole drawing.
pub(super) struct Sheet<'a> {
    pub(super) id: &'a str,
    pub(super) title: &'a str,
    pub(super) description: &'a str,
    pub(super) size: [f64; 2],
    /// How much of the left and upper margin the page provides.
    pub(super) crop: f64,
}

fn style(used: &BTreeSet<Color>, theme: Theme) -> String {
    let root = match theme {
        Theme::Light => ".gb-light",
        Theme::Adaptive => ".gb-adaptive",
    };
    let rules = |value: &dyn Fn(Color) -> String| {
        used.iter().chain([&Color::Paper]).collect::<BTreeSet<_>>().into_iter().fold(
            String::new(),
            |mut text, &color| {
                let (key, value) = (color.key(), value(color));
                let _ = writeln!(
                    text,
                    "{root} .f-{key}{{fill:{value}}}{root} .s-{key}{{stroke:{value}}}"
                );
                text
            },
        )
    };
    let hex = |color: Color, dark: usize| format!("#{:06x}", color.rgb()[dark]);
    // Common sans-serif fonts are narrower than the embedded one used to measure widths.
    let mut text = format!(
        "\n{root} text{{font-family:system-ui,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',sans-serif}}\n\
         {root} .bold{{font-weight:bold}}\n\
         {root} .rim{{stroke-width:3px;paint-order:stroke;stroke-linejoin:round}}\n\
         {root} path{{stroke-linejoin:round}}\n"
    );
    match theme {
        Theme::Light => {
            text.push_str(&rules(&|color| hex(color, 0)));
            let dark = rules(&|color| hex(color, 1));
            let _ = write!(text, "@media (prefers-color-scheme:dark){{\n{dark}}}\n");
        }
        Theme::Adaptive => {
            text.push_str(&rules(&|color| format!("var(--gb-{},{})", color.key(), hex(color, 0))));
        }
    }
    text
}

fn path(points: &[[f64; 2]]) -> String {
    let mut data = String::new();
    for (i, [x, y]) in points.iter().enumerate() {
        let _ = write!(data, "{}{} {}", if i == 0 { 'M' } else { 'L' }, num(*x), num(*y));
    }
    data
}

/// A coordinate with at most two decimals; always a number.
pub(super) fn num(value: f64) -> String {
    let value = if value.is_finite() { value.clamp(-1e6, 1e6) } else { 0.0 };
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_always_numbers() {
        let numbers = [1.0, -0.001, 2.375, f64::NAN, f64::INFINITY, 1e300].map(num);
        assert_eq!(numbers, ["1", "0", "2.38", "0", "0", "1000000"]);
        assert_eq!(num(2.25), "2.25");
        assert_eq!(num(10.0), "10");
    }
}
