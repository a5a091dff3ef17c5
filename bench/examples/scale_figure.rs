//! Draws what `graph-bandit-bench scale --json >FILE` has measured: `scale_figure FILE FIGURE`, where
//! FIGURE is a PNG file. Time per leg and memory against the number of nodes, one curve for each
//! agent, with its fitted exponent.

use anyhow::{Context, Result, ensure};
use graph_bandit_bench::Report;
use graph_bandit_bench::scale::{Curve, Point};
use graph_bandit_figures::palette::style_of;
use graph_bandit_figures::{
    Axis, Body, Curves, Figure, Mark, Panel, Series, Theme, draw_svg, render_png,
};

/// In pixels.
const WIDTH: u32 = 1_600;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    ensure!(args.len() == 2, "usage: scale_figure FILE FIGURE.png");
    let text = std::fs::read_to_string(&args[0]).with_context(|| args[0].clone())?;
    let report: Report = serde_json::from_str(&text).with_context(|| args[0].clone())?;
    let scale = report.scale.context("the file has no section scale")?;
    let time = |point: &Point| Some(1e6 * point.leg);
    let memory = |point: &Point| point.added_bytes.map(|bytes| bytes as f64 / 1_048_576.0);
    let panels = vec![
        panel(["Time per leg", "microseconds"], &scale.curves, |of| of.leg_exponent, time),
        panel(["Memory added", "MiB"], &scale.curves, |of| of.memory_exponent, memory),
    ];
    let figure = Figure::new("scale", "Square grids", panels);
    let svg = draw_svg(&figure.with_columns(2), Theme::Light);
    std::fs::write(&args[1], render_png(&svg, WIDTH)?).with_context(|| args[1].clone())
}

fn panel(
    [title, unit]: [&str; 2],
    curves: &[Curve],
    exponent: impl Fn(&Curve) -> Option<f64>,
    value: impl Fn(&Point) -> Option<f64>,
) -> Panel {
    let series = curves.iter().map(|curve| {
        let place = |point: &Point| Some([point.nodes as f64, value(point)?]);
        let points = curve.points.iter().filter_map(place).collect();
        let power = exponent(curve).map(|power| format!(" ~ |S|^{power:.2}")).unwrap_or_default();
        Series::new(format!("{}{power}", curve.agent), style_of(&curve.agent), points)
            .with_mark(Mark::LinePoints)
    });
    let (x, y) = (Axis::log("|S|, number of nodes"), Axis::log(unit));
    Panel::new(title, Body::Curves(Curves { x, y, series: series.collect() }))
}
