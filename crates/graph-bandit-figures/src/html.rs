//! Figures on a page: panels that reflow, a legend and a text caption.

use super::axes::Names;
use super::palette::Dash;
use super::sheet::draw_alone;
use super::text::{escape, identifier};
use super::{Figure, Panel, Swatch};
use std::fmt::Write;

/// A `<figure>` with one adaptive drawing per panel, side by side on a wide page and stacked on a
/// narrow one, so that letters keep their size.
///
/// The page provides [`style_sheet`](super::palette::style_sheet) and, for values under the
/// pointer, [`HOVER_SCRIPT`](super::HOVER_SCRIPT); the figure works without either.
pub fn draw_html(figure: &Figure) -> String {
    let anchor = figure_anchor(figure);
    let mut html = format!("<figure class=\"gb-figure\" id=\"{anchor}\">\n");
    // Writing to a string cannot fail.
    if !figure.title.is_empty() {
        let _ = writeln!(
            html,
            "<p style=\"font-weight:bold;margin:.3em 0\">{}</p>",
            escape(&figure.title)
        );
    }
    if !figure.legend.is_empty() {
        html.push_str("<p style=\"display:flex;flex-wrap:wrap;gap:.2em 1.2em;margin:.3em 0;font-size:85%\">\n");
        for entry in &figure.legend {
            let [light, _] = entry.style.color.rgb();
            let color = format!("var(--gb-{},#{light:06x})", entry.style.color.key());
            let sample = match (entry.swatch, entry.style.dash) {
                (Swatch::Square, _) => "M6 1h12v10h-12z\" fill=\"currentColor".to_owned(),
                (Swatch::Line, Dash::Solid) => "M0 6h24".to_owned(),
                (Swatch::Line, Dash::Dashed) => "M0 6h24\" stroke-dasharray=\"8.4 4.3".to_owned(),
                (Swatch::Line, Dash::Dotted) => "M0 6h24\" stroke-dasharray=\"2.2 3.6".to_owned(),
            };
            let _ = writeln!(
                html,
                "<span style=\"overflow-wrap:anywhere\"><svg width=\"24\" height=\"12\" aria-hidden=\"true\" \
                 style=\"color:{color};vertical-align:-1px\"><path stroke=\"currentColor\" \
                 stroke-width=\"2.4\" d=\"{sample}\"/></svg>&#160;{}</span>",
                escape(&entry.name)
            );
        }
        html.push_str("</p>\n");
    }
    // Wide enough to stay legible, with at most the requested number of columns.
    let columns = figure.columns.max(1);
    let least = if columns > 3 { 150 } else { 270 };
    let most = if columns == 1 { ";max-width:46rem" } else { "" };
    let _ = writeln!(
        html,
        "<div style=\"display:grid;gap:1em;grid-template-columns:repeat(auto-fit,\
         minmax(max(min(100%,{least}px),calc(100%/{columns} - 1em)),1fr)){most}\">"
    );
    let names = if figure.legend.is_empty() { Names::Ends } else { Names::Legend };
    for (k, panel) in figure.panels.iter().enumerate() {
        html.push_str(&draw_alone(&alone(figure, k, panel), names));
    }
    html.push_str("</div>\n");
    if !figure.caption.is_empty() {
        let _ = writeln!(html, "<figcaption>{}</figcaption>", escape(&figure.caption));
    }
    html.push_str("</figure>\n");
    html
}

/// The `id` of a figure on a page, for links.
pub fn figure_anchor(figure: &Figure) -> String {
    format!("{}-figure", identifier(&figure.id))
}

/// One panel as a separate figure, as large as it is beside the others.
fn alone(figure: &Figure, k: usize, panel: &Panel) -> Figure {
    Figure {
        id: format!("{}-panel-{k}", figure.id),
        title: String::new(),
        caption: panel.title.clone(),
        columns: figure.columns,
        panels: vec![panel.clone()],
        legend: Vec::new(),
    }
}
