//! The sheet: panels in rows, a headline and a legend above them.

use super::axes::{Frame, Names, group_rows, y_ticks};
use super::palette::Color;
use super::scale::Scale;
use super::svg::{Anchor, Area, Canvas, PANEL_TITLE, Sheet, Stroke, TEXT, TITLE, Theme, Type};
use super::text::{identifier, shortened, text_width, wrapped};
use super::{Body, Figure, LegendEntry, Panel, Swatch};

const MARGIN: f64 = 14.0;
const GAP: f64 = 22.0;

/// Draws a figure; the same figure gives the same bytes on every machine.
pub fn draw_svg(figure: &Figure, theme: Theme) -> String {
    let names = if figure.legend.is_empty() { Names::Ends } else { Names::Legend };
    draw(figure, theme, names, 0.0)
}

/// Draws the only panel of a figure for a page that provides the legend and the margin.
pub(super) fn draw_alone(figure: &Figure, names: Names) -> String {
    draw(figure, Theme::Adaptive, names, MARGIN - 2.0)
}

fn draw(figure: &Figure, theme: Theme, names: Names, crop: f64) -> String {
    let grid = Grid::of(figure, names);
    let mut canvas = Canvas::default();
    let width = grid.width();
    let mut top = MARGIN;
    for line in wrapped(&figure.title, 1.1 * TITLE, width - 2.0 * MARGIN) {
        top += TITLE;
        canvas.text([MARGIN, top], Type::new(Color::Ink, Anchor::Start).bold(TITLE), &line);
        top += 6.0;
    }
    top = draw_legend(&mut canvas, &figure.legend, width, top);
    if top > MARGIN {
        top += 10.0;
    }
    for row in 0..grid.rows() {
        let heights = grid.heights(row);
        for (column, panel) in grid.row(row).iter().enumerate() {
            let left = MARGIN + column as f64 * (grid.cell_width + GAP);
            let right = left + grid.cell_width;
            let cell = Area { left, top, right, bottom: top + heights.total() };
            grid.draw_panel(&mut canvas, panel, [row, column], cell);
        }
        top += heights.total() + if row + 1 < grid.rows() { GAP } else { 0.0 };
    }
    let description = description(figure);
    let sheet = Sheet {
        id: &figure.id,
        title: headline(figure),
        description: &description,
        size: [width, top + MARGIN],
        crop,
    };
    canvas.finish(&sheet, theme)
}

fn headline(figure: &Figure) -> &str {
    let panels = figure.panels.iter().map(|panel| &panel.title);
    std::iter::once(&figure.title).chain(panels).find(|t| !t.is_empty()).unwrap_or(&figure.id)
}

/// A description of the figure for screen readers.
fn description(figure: &Figure) -> String {
    if !figure.caption.is_empty() {
        return figure.caption.clone();
    }
    let named = |panel: &Panel| {
        let names: Vec<String> = panel.body.names().into_iter().map(|entry| entry.name).collect();
        let title = if panel.title.is_empty() { "panel" } else { &panel.title };
        if names.is_empty() { title.to_owned() } else { format!("{title}: {}", names.join(", ")) }
    };
    figure.panels.iter().map(named).collect::<Vec<_>>().join("; ")
}

/// Draws the legend in as many rows as needed; returns where it ends.
fn draw_legend(canvas: &mut Canvas, legend: &[LegendEntry], width: f64, top: f64) -> f64 {
    let row_height = 18.0;
    let mut left = MARGIN;
    let mut row = top + 10.0;
    for entry in legend {
        let name = shortened(&entry.name, TEXT, width - 2.0 * MARGIN - 30.0);
        let sample = match entry.swatch {
            Swatch::Line => 24.0,
            Swatch::Square => 12.0,
        };
        let needed = sample + 6.0 + text_width(&name, TEXT);
        if left > MARGIN && left + needed > width - MARGIN {
            left = MARGIN;
            row += row_height;
        }
        let right = left + sample;
        match entry.swatch {
            Swatch::Line => {
                let stroke = Stroke::new(entry.style.color, 2.4).dashed(entry.style.dash);
                canvas.line([left, row], [right, row], stroke);
            }
            Swatch::Square => {
                let square = Area { left, top: row - 6.0, right, bottom: row + 6.0 };
                canvas.rect(square, entry.style.color, 1.0);
            }
        }
        let at = [right + 6.0, row + 0.36 * TEXT];
        canvas.text(at, Type::new(Color::Ink, Anchor::Start), &name);
        left += needed + 18.0;
    }
    if legend.is_empty() { top } else { row + row_height - 10.0 }
}

/// The heights of a row's parts.
#[derive(Debug, Clone, Copy)]
struct Heights {
    title: f64,
    y_label: f64,
    plot: f64,
    foot: f64,
}

impl Heights {
    fn total(&self) -> f64 {
        self.title + self.y_label + self.plot + self.foot
    }
}

struct Grid<'a> {
    figure: &'a Figure,
    columns: usize,
    cell_width: f64,
    /// The room for the numbers of vertical axes, by column.
    tick_widths: Vec<f64>,
    /// The room for names at curves' ends.
    names_width: f64,
    names: Names,
}

impl<'a> Grid<'a> {
    fn of(figure: &'a Figure, names: Names) -> Self {
        let columns = figure.columns.clamp(1, figure.panels.len().max(1));
        // Networks need less room than plots unless names are beside their nodes.
        let compact =
            |p: &Panel| matches!(&p.body, Body::Network(network) if !network.names_outside());
        let networks = figure.panels.iter().all(compact);
        let cell_width = match (networks, figure.columns.max(1)) {
            (false, 1) => 540.0,
            (false, 2) => 380.0,
            (false, 3) => 292.0,
            (false, _) => 240.0,
            (true, 1) => 400.0,
            (true, 2) => 300.0,
            (true, 3) => 220.0,
            (true, _) => 170.0,
        };
        let mut grid =
            Self { figure, columns, cell_width, tick_widths: Vec::new(), names_width: 0.0, names };
        if names == Names::Ends {
            let width = |panel: &Panel| match &panel.body {
                Body::Curves(curves) if curves.series.iter().any(|s| !s.name.is_empty()) => {
                    curves.names_width()
                }
                _ => 0.0,
            };
            let widest = figure.panels.iter().map(width).fold(0.0, f64::max);
            grid.names_width = widest.min(0.42 * cell_width);
        }
        grid.tick_widths = (0..columns).map(|column| grid.tick_width(column)).collect();
        grid
    }

    fn width(&self) -> f64 {
        let columns = self.columns as f64;
        2.0 * MARGIN + columns * self.cell_width + (columns - 1.0) * GAP
    }

    fn rows(&self) -> usize {
        self.figure.panels.len().div_ceil(self.columns)
    }

    fn row(&self, row: usize) -> &'a [Panel] {
        let panels = &self.figure.panels;
        let end = (row + 1) * self.columns;
        &panels[row * self.columns..end.min(panels.len())]
    }

    fn panel(&self, row: usize, column: usize) -> Option<&'a Panel> {
        if column < self.columns {
            self.figure.panels.get(row * self.columns + column)
        } else {
            None
        }
    }

    fn plot_height(&self, row: usize) -> f64 {
        let aspect = |panel: &Panel| match &panel.body {
            Body::Network(network) => {
                let key = if network.values.is_empty() { 28.0 } else { 62.0 };
                Some(key + (self.cell_width - 28.0) * network.aspect())
            }
            _ => None,
        };
        let heights: Option<Vec<f64>> = self.row(row).iter().map(aspect).collect();
        // A row of only networks is as high as they are.
        heights.map_or(
            match self.figure.columns {
                0 | 1 => 290.0,
                2 => 225.0,
                3 => 175.0,
                _ => 150.0,
            },
            |heights| heights.into_iter().fold(0.0, f64::max),
        )
    }

    fn heights(&self, row: usize) -> Heights {
        let panels = self.row(row);
        let any = |has: &dyn Fn(&Panel) -> bool| panels.iter().any(has);
        let title = if any(&|p| !p.title.is_empty()) { 20.0 } else { 0.0 };
        let y_label = if any(&|p| !y_label(p).is_empty()) { 27.0 } else { 8.0 };
        let y_label = if any(&|p| y_scale(p, [1.0, 0.0]).is_some()) { y_label } else { 0.0 };
        let foot = |(column, panel): (usize, &Panel)| {
            let plot = self.cell_width - self.tick_widths.get(column).copied().unwrap_or(0.0);
            let label = if self.x_label(row, column).is_empty() { 0.0 } else { 18.0 };
            match &panel.body {
                Body::Curves(_) => 20.0 + label,
                Body::Boxes(boxes) => 7.0 + 14.0 * group_rows(&boxes.groups, plot) as f64,
                Body::Bars(bars) => 7.0 + 14.0 * group_rows(&bars.groups, plot) as f64,
                Body::Network(_) => 0.0,
            }
        };
        let foot = panels.iter().enumerate().map(foot).fold(0.0, f64::max);
        Heights { title, y_label, plot: self.plot_height(row), foot }
    }

    /// The label of a panel's horizontal axis, unless the panel below has the same.
    fn x_label(&self, row: usize, column: usize) -> String {
        let own = self.panel(row, column).map_or("", x_label);
        let below = self.panel(row + 1, column).map(x_label);
        if below == Some(own) { String::new() } else { own.to_owned() }
    }

    /// The label of a panel's vertical axis, unless the panel to the left has the same.
    fn y_label(&self, row: usize, column: usize) -> String {
        let own = self.panel(row, column).map_or("", y_label);
        let left = column.checked_sub(1).and_then(|left| self.panel(row, left)).map(y_label);
        if left == Some(own) { String::new() } else { own.to_owned() }
    }

    fn tick_width(&self, column: usize) -> f64 {
        let mut widest: f64 = 0.0;
        for row in 0..self.rows() {
            let Some(panel) = self.panel(row, column) else { continue };
            if let Some(scale) = y_scale(panel, [self.plot_height(row), 0.0]) {
                let widths = y_ticks(&scale).into_iter().map(|t| text_width(&t.label, TEXT) + 9.0);
                widest = widths.fold(widest, f64::max);
            }
        }
        widest.min(0.4 * self.cell_width)
    }

    fn draw_panel(
        &self,
        canvas: &mut Canvas,
        panel: &Panel,
        [row, column]: [usize; 2],
        cell: Area,
    ) {
        let heights = self.heights(row);
        if !panel.title.is_empty() {
            let style = Type::new(Color::Ink, Anchor::Start).bold(PANEL_TITLE);
            let title = shortened(&panel.title, 1.1 * PANEL_TITLE, self.cell_width);
            canvas.text([cell.left, cell.top + PANEL_TITLE], style, &title);
        }
        let top = cell.top + heights.title + heights.y_label;
        let bottom = top + heights.plot;
        if let Body::Network(network) = &panel.body {
            // In a row with plots, a network may also use the plots' margins.
            let area =
                Area { top: cell.top + heights.title, bottom: bottom + heights.foot, ..cell };
            network.draw(canvas, area);
            return;
        }
        // Half of the last tick's label needs room, or the names of curves do.
        let names = match &panel.body {
            Body::Curves(_) => self.names_width.max(10.0),
            _ => 0.0,
        };
        let left = cell.left + self.tick_widths[column];
        let plot = Area { left, top, right: cell.right - names, bottom };
        let frame = Frame {
            plot,
            cell,
            x_label: self.x_label(row, column),
            y_label: self.y_label(row, column),
            names: self.names,
            id: format!("{}-{}", identifier(&self.figure.id), row * self.columns + column),
        };
        match &panel.body {
            Body::Curves(curves) => curves.draw(canvas, &frame),
            Body::Boxes(boxes) => boxes.draw(canvas, &frame),
            Body::Bars(bars) => bars.draw(canvas, &frame),
            Body::Network(_) => {}
        }
    }
}

fn x_label(panel: &Panel) -> &str {
    match &panel.body {
        Body::Curves(curves) => &curves.x.label,
        _ => "",
    }
}

fn y_label(panel: &Panel) -> &str {
    match &panel.body {
        Body::Curves(curves) => &curves.y.label,
        Body::Boxes(boxes) => &boxes.y.label,
        Body::Bars(bars) => &bars.y.label,
        Body::Network(_) => "",
    }
}

fn y_scale(panel: &Panel, places: [f64; 2]) -> Option<Scale> {
    match &panel.body {
        Body::Curves(curves) => Some(curves.y_scale(places)),
        Body::Boxes(boxes) => Some(boxes.y_scale(places)),
        Body::Bars(bars) => Some(bars.y_scale(places)),
        Body::Network(_) => None,
    }
}
