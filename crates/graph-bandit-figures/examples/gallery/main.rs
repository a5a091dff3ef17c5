//! One figure of each kind from small runs: `cargo run --release -p graph-bandit-figures
//! --features png --example gallery -- DIRECTORY`.
//!
//! Writes SVG and PNG files and one page with all figures that follows the reader's colour scheme.

mod runs;

use graph_bandit::{Graph, GraphSpec, Seed};
use graph_bandit_figures::{
    Axis, BarSeries, Bars, Body, BoxSeries, Boxes, Color, Curves, Figure, FiveNumbers,
    HOVER_SCRIPT, Mark, Network, Panel, Series, Style, Theme, draw_html, draw_svg, palette,
    render_png,
};
use runs::{Regrets, Runs, curves};
use std::error::Error;
use std::path::PathBuf;

pub(crate) type Outcome<T> = Result<T, Box<dyn Error>>;

const GRAPHS: [(&str, &str); 6] = [
    ("line:100", "Line"),
    ("circle:100", "Circle"),
    ("grid:10x10", "Grid"),
    ("tree:100", "Tree"),
    ("star:100", "Star"),
    ("complete:100", "Fully connected"),
];
const PAPER: &str = "g-ucb,direct-sp,ucrl2,g-ucb-ucrl2-bound,g-ucb-ucrl2-doubling,local-ucb,\
                     local-ts,ql-eps,ql-ucb-h,g-ucb:bonus=0.5";
const FRONTIER: &str = "g-ucb,g-star,g-moss,g-imed,g-klucb,g-ts,g-klucb:rewards=bernoulli,\
                        g-ts:rewards=bernoulli,local-ucb,local-ts";

fn graph(text: &str) -> Outcome<Graph> {
    Ok(text.parse::<GraphSpec>()?.build(Seed(1))?)
}

/// The curves of all agents without bands, those in `barred` with bars of one standard deviation.
fn barred(agents: &[Regrets], barred: &[&str]) -> Vec<Series> {
    let of_agent = |(agent, series): (&Regrets, Series)| {
        let series = series.with_band(Vec::new());
        let has_bars = barred.contains(&agent.label.as_str());
        if has_bars { series.with_deviations(&agent.deviations(), 8) } else { series }
    };
    agents.iter().zip(curves(agents)).map(of_agent).collect()
}

fn regret(series: Vec<Series>) -> Body {
    Body::Curves(Curves { x: Axis::linear("t"), y: Axis::linear("regret"), series })
}

fn graph_types() -> Outcome<Figure> {
    let small = ["complete:16", "line:16", "circle:16", "star:16", "tree:31", "grid:5x5"];
    let panel = |text: &str| -> Outcome<Panel> {
        Ok(Panel::new(text, Body::Network(Network::of(&graph(text)?).without_labels())))
    };
    let panels: Outcome<Vec<Panel>> = small.into_iter().map(panel).collect();
    Ok(Figure::new("graph-types", "Graph types", panels?)
        .with_caption("The graph types in the experiments."))
}

fn benchmark(id: &str, title: &str, agents: &'static str, bars: &[&str]) -> Outcome<Figure> {
    let made = Runs::new(graph("grid:10x10")?, agents, 20_000, 10).made()?;
    let panels = vec![Panel::new("", regret(barred(&made, bars)))];
    Ok(Figure::new(id, title, panels)
        .with_caption("Means of 10 runs; bars are one standard deviation."))
}

fn by_graph(id: &str, title: &str, agents: &'static str, bars: &[&str]) -> Outcome<Figure> {
    let panel = |(text, name): (&str, &str)| -> Outcome<Panel> {
        let made = Runs::new(graph(text)?, agents, 20_000, 10).made()?;
        Ok(Panel::new(name, regret(barred(&made, bars))))
    };
    let panels: Outcome<Vec<Panel>> = GRAPHS.into_iter().map(panel).collect();
    Ok(Figure::new(id, title, panels?).with_legend())
}

fn intervals() -> Outcome<Figure> {
    let made = Runs::new(graph("grid:6x6")?, "g-ucb,ucrl2,local-ts", 5_000, 20).made()?;
    let log = Curves { x: Axis::log("t"), y: Axis::log("regret"), series: curves(&made) };
    let panels = vec![
        Panel::new("Linear", regret(curves(&made))),
        Panel::new("Logarithmic", Body::Curves(log)),
    ];
    Ok(Figure::new("intervals", "Means with 95% intervals", panels).with_legend())
}

fn run_times() -> Outcome<Figure> {
    let agents = ["ucrl2", "g-ucb"];
    let mut boxes = agents.map(|_| Vec::new());
    let mut ratios = Vec::new();
    for (text, _) in GRAPHS {
        let made = Runs::new(graph(text)?, "ucrl2,g-ucb", 5_000, 10).made()?;
        let fives = [0, 1].map(|k: usize| FiveNumbers::of(made[k].seconds.iter().copied()));
        if let [Some(ucrl2), Some(g_ucb)] = fives {
            ratios.push(ucrl2.median / g_ucb.median);
        }
        for (boxes, five) in boxes.iter_mut().zip(fives) {
            boxes.push(five);
        }
    }
    let groups: Vec<String> = GRAPHS.iter().map(|(_, name)| (*name).to_owned()).collect();
    let color = palette::color_of("ucrl2");
    let boxes = Boxes {
        y: Axis::log("seconds per run"),
        groups: groups.clone(),
        series: agents
            .into_iter()
            .zip(boxes)
            .map(|(name, boxes)| BoxSeries {
                name: name.to_owned(),
                color: palette::color_of(name),
                boxes,
            })
            .collect(),
    };
    let bars = Bars {
        y: Axis::linear("ratio of medians, ucrl2 to g-ucb"),
        groups,
        series: vec![BarSeries { name: String::new(), color, values: ratios, errors: Vec::new() }],
        reference: Some(1.0),
    };
    let panels = vec![
        Panel::new("Run times", Body::Boxes(boxes)),
        Panel::new("How many times faster", Body::Bars(bars)),
    ];
    Ok(Figure::new("run-times", "Run times", panels).with_legend())
}

fn sensitivity() -> Outcome<Figure> {
    let sizes = [10_usize, 20, 50, 100, 200, 500, 1_000];
    let mut drawn = Vec::new();
    let (mut finals, mut deviations) = (Vec::new(), Vec::new());
    for (i, size) in sizes.into_iter().enumerate() {
        let made = Runs::new(Graph::star(size)?, "g-ucb", 1_000, 20).made()?;
        let mut series = barred(&made, &[]);
        for series in &mut series {
            series.name = format!("|S| = {size}");
            series.style = Style::solid(palette::ramp(i, sizes.len()));
            finals.extend(series.points.last().map(|end| [size as f64, end[1]]));
        }
        drawn.extend(series);
        deviations.extend(made[0].deviations().last());
    }
    let finals = Series::new("", Style::solid(Color::Slot(0)), finals)
        .with_mark(Mark::LinePoints)
        .with_deviations(&deviations, sizes.len());
    let at_end =
        Curves { x: Axis::linear("|S|"), y: Axis::linear("R(1000)"), series: vec![finals] };
    let panels = vec![
        Panel::new("Regret curves", regret(drawn)),
        Panel::new("Regret at t = 1000", Body::Curves(at_end)),
    ];
    Ok(Figure::new("sensitivity", "Dependence on |S|: stars of D = 2", panels).with_legend())
}

fn widths() -> Outcome<Figure> {
    let widths = [4.0, 2.0, 1.0, 0.5, 0.1];
    let mut drawn = Vec::new();
    for (i, width) in widths.into_iter().enumerate() {
        let runs = Runs::new(Graph::line(10)?, "g-ucb", 1_000, 20);
        for mut series in curves(&Runs { lowest: 9.5 - width, ..runs }.made()?) {
            series.name = format!("width {width}");
            series.style = Style::solid(palette::ramp(i, widths.len()));
            drawn.push(series);
        }
    }
    Ok(Figure::new(
        "widths",
        "Dependence on the width of the means",
        vec![Panel::new("", regret(drawn))],
    ))
}

fn robot() -> Outcome<Figure> {
    let runs = Runs::new(Graph::arkansas()?, "g-ucb", 1_000, 100);
    let means = runs.world(0)?.means().to_vec();
    let network = Network::of(&runs.graph).with_values("mean reward of run 0", means);
    let made = runs.made()?;
    let named = |(agent, series): (&Regrets, Series)| {
        Series { name: "mean of 100 runs".to_owned(), ..series }.with_traces(agent.traces())
    };
    let series = made.iter().zip(curves(&made)).map(named).collect();
    let panels = vec![
        Panel::new("Ten counties", Body::Network(network)),
        Panel::new("100 runs and their mean", regret(series)),
    ];
    Ok(Figure::new("robot", "The robot's ten counties", panels).with_legend())
}

fn brooms() -> Outcome<Figure> {
    let panel = |handle: usize| -> Outcome<Panel> {
        let network = Network::of(&Graph::broom(10, handle)?).without_labels();
        Ok(Panel::new(
            format!("D = {}", Graph::broom(10, handle)?.diameter()),
            Body::Network(network),
        ))
    };
    let panels: Outcome<Vec<Panel>> = [1, 3, 5, 6, 7, 9].into_iter().map(panel).collect();
    Ok(Figure::new("brooms", "Increasing D while |S| = 10", panels?))
}

fn maps() -> Outcome<Figure> {
    let named =
        Graph::from_edges(7, [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4), (4, 5), (5, 6), (6, 3)])?
            .with_names(
                ["Harbour", "Market", "Mill", "Square", "Bridge", "Old <Town>", "North Gate"]
                    .map(str::to_owned)
                    .to_vec(),
            )?;
    let mut panels = vec![Panel::new("Names", Body::Network(Network::of(&named)))];
    for text in [
        "barbell:12,6",
        "erdos-renyi:60,0.08",
        "small-world:60,4,0.1",
        "geometric:150,0.15",
        "tree:31",
    ] {
        panels.push(Panel::new(text, Body::Network(Network::of(&graph(text)?))));
    }
    Ok(Figure::new("layouts", "Layouts of other graphs", panels))
}

fn main() -> Outcome<()> {
    let directory = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "gallery".to_owned()));
    std::fs::create_dir_all(&directory)?;
    let figures = [
        graph_types()?,
        benchmark("benchmark", "Ten agents on the grid", PAPER, &["g-ucb", "ucrl2"])?,
        benchmark("frontier", "Agents beyond the paper on the grid", FRONTIER, &[])?,
        by_graph(
            "benchmarks",
            "Five agents on six graphs",
            "g-ucb,local-ucb,local-ts,ql-eps,ql-ucb-h",
            &["g-ucb"],
        )?,
        by_graph(
            "bounds",
            "Two definitions of the bound",
            "g-ucb,g-ucb-ucrl2-bound",
            &["g-ucb", "g-ucb-ucrl2-bound"],
        )?,
        intervals()?,
        run_times()?,
        sensitivity()?,
        widths()?,
        robot()?,
        brooms()?,
        maps()?,
    ];
    let mut page = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Gallery</title><style>{}body{{background:var(--gb-paper);\
         color:var(--gb-ink);font-family:system-ui,sans-serif;max-width:60rem;margin:1rem auto;\
         padding:0 1rem}}figure{{margin:2.5rem 0}}svg{{max-width:100%}}</style><body>\n",
        palette::style_sheet()
    );
    for figure in &figures {
        let svg = draw_svg(figure, Theme::Light);
        std::fs::write(directory.join(format!("{}.svg", figure.id)), &svg)?;
        std::fs::write(directory.join(format!("{}.png", figure.id)), render_png(&svg, 1_400)?)?;
        page.push_str(&draw_html(figure));
    }
    page = format!("{page}<script>{HOVER_SCRIPT}</script></body></html>\n");
    std::fs::write(directory.join("index.html"), page)?;
    Ok(())
}
