//! One figure of each kind from small runs: `cargo run --release --example gallery -- DIRECTORY`.
//!
//! Writes SVG and PNG files and one page with all figures that follows the reader's colour scheme.

use graph_bandit::{Graph, GraphSpec, Preset, RunPlan, Seed};
use graph_bandit_lab::figure::{
    Axis, BarSeries, Bars, Body, BoxSeries, Boxes, Color, Curves, Figure, FiveNumbers,
    HOVER_SCRIPT, Mark, Network, Panel, Series, Style, Theme, draw_html, draw_svg, palette,
    render_png,
};
use graph_bandit_lab::{Entrant, Jobs, MeansSource, Moments, Study, StudyRecord, StudySummary};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;

type Outcome<T> = Result<T, Box<dyn Error>>;

const GRAPHS: [(&str, &str); 6] = [
    ("line:100", "Line"),
    ("circle:100", "Circle"),
    ("grid:10x10", "Grid"),
    ("tree:100", "Tree"),
    ("star:100", "Star"),
    ("complete:100", "Fully connected"),
];
const EVERYONE: &str = "g-ucb,direct-sp,ucrl2,g-ucb-ucrl2-bound,g-ucb-ucrl2-doubling,local-ucb,\
                        local-ts,ql-eps,ql-ucb-h,g-ucb:bonus=0.5";

fn graph(text: &str) -> Outcome<Graph> {
    Ok(text.parse::<GraphSpec>()?.build(Seed(1))?)
}

fn study(graph: Graph, agents: &str, steps: u64, runs: u64) -> Outcome<Study> {
    Ok(Study {
        graph: Arc::new(graph),
        agents: Entrant::parse_list(agents, Preset::Paper)?,
        preset: Preset::Paper,
        means: MeansSource::Drawn("uniform:0.5,9.5".parse()?),
        noise: "uniform:0.5".parse()?,
        plan: RunPlan::new(steps, 100),
        runs,
        seed: Seed(7),
    })
}

fn execute(study: &Study) -> Outcome<(StudyRecord, StudySummary)> {
    let record = study.execute(Jobs::All, &|| {})?;
    let summary = StudySummary::of(study, &record);
    Ok((record, summary))
}

/// The series of all agents, those in `barred` with bars of one standard deviation.
fn series(summary: &StudySummary, barred: &[&str]) -> Vec<Series> {
    let styles = palette::styles_of(summary.agents.iter().map(|a| a.agent.as_str()));
    let of_agent = |(agent, style)| {
        let mut series = Series::of_summary(agent);
        series.style = style;
        series.band.clear();
        let sds: Vec<f64> = agent.regret_sd.iter().map(|sd| sd.unwrap_or(0.0)).collect();
        let barred = barred.contains(&agent.agent.as_str());
        if barred { series.with_deviations(&sds, 8) } else { series }
    };
    summary.agents.iter().zip(styles).map(of_agent).collect()
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

fn benchmark() -> Outcome<Figure> {
    let (_, summary) = execute(&study(graph("grid:10x10")?, EVERYONE, 20_000, 10)?)?;
    let panels = vec![Panel::new("", regret(series(&summary, &["g-ucb", "ucrl2"])))];
    Ok(Figure::new("benchmark", "Regret of ten agents on the grid", panels)
        .with_caption("Means of 10 runs; bars are one standard deviation."))
}

fn by_graph(id: &str, title: &str, agents: &str, bars: &[&str]) -> Outcome<Figure> {
    let panel = |(text, name): (&str, &str)| -> Outcome<Panel> {
        let (_, summary) = execute(&study(graph(text)?, agents, 20_000, 10)?)?;
        Ok(Panel::new(name, regret(series(&summary, bars))))
    };
    let panels: Outcome<Vec<Panel>> = GRAPHS.into_iter().map(panel).collect();
    Ok(Figure::new(id, title, panels?).with_legend())
}

fn intervals() -> Outcome<Figure> {
    let study = study(graph("grid:6x6")?, "g-ucb,ucrl2,local-ts", 5_000, 20)?;
    let (_, summary) = execute(&study)?;
    let bands = summary.agents.iter().map(Series::of_summary).collect();
    let Body::Curves(mut log) = regret(summary.agents.iter().map(Series::of_summary).collect())
    else {
        return Err("curves are curves".into());
    };
    log.x = Axis::log("t");
    log.y = Axis::log("regret");
    let panels =
        vec![Panel::new("Linear", regret(bands)), Panel::new("Logarithmic", Body::Curves(log))];
    Ok(Figure::new("intervals", "Means with 95% intervals", panels).with_legend())
}

fn run_times() -> Outcome<Figure> {
    let agents = ["ucrl2", "g-ucb"];
    let mut boxes = agents.map(|_| Vec::new());
    let mut ratios = Vec::new();
    for (text, _) in GRAPHS {
        let study = study(graph(text)?, &agents.join(","), 5_000, 10)?;
        let record = study.execute(Jobs::Exactly(1), &|| {})?;
        let seconds = |k: usize| record.agents[k].runs.iter().map(|r| r.elapsed.as_secs_f64());
        let fives = [FiveNumbers::of(seconds(0)), FiveNumbers::of(seconds(1))];
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
    let mut curves = Vec::new();
    let (mut finals, mut deviations) = (Vec::new(), Vec::new());
    for (i, size) in sizes.into_iter().enumerate() {
        let study = study(Graph::star(size)?, "g-ucb", 1_000, 20)?;
        let (record, summary) = execute(&study)?;
        let mut series = Series::of_summary(&summary.agents[0]);
        series.name = format!("|S| = {size}");
        series.style = Style::solid(palette::ramp(i, sizes.len()));
        series.band.clear();
        curves.push(series);
        let regrets = record.agents[0].regrets(study.plan.checkpoints.len() - 1);
        let moments = Moments::of(regrets.iter().copied());
        finals.push([size as f64, moments.mean]);
        deviations.push(moments.sd.unwrap_or(0.0));
    }
    let finals = Series::new("", Style::solid(Color::Slot(0)), finals)
        .with_mark(Mark::LinePoints)
        .with_deviations(&deviations, sizes.len());
    let at_end =
        Curves { x: Axis::linear("|S|"), y: Axis::linear("R(1000)"), series: vec![finals] };
    let panels = vec![
        Panel::new("Regret curves", regret(curves)),
        Panel::new("Regret at t = 1000", Body::Curves(at_end)),
    ];
    Ok(Figure::new("sensitivity", "Dependence on |S|: stars of D = 2", panels).with_legend())
}

fn widths() -> Outcome<Figure> {
    let widths = [4.0, 2.0, 1.0, 0.5, 0.1];
    let mut curves = Vec::new();
    for (i, width) in widths.into_iter().enumerate() {
        let mut study = study(Graph::line(10)?, "g-ucb", 1_000, 20)?;
        study.means = MeansSource::Drawn(format!("uniform:{},9.5", 9.5 - width).parse()?);
        let (_, summary) = execute(&study)?;
        let mut series = Series::of_summary(&summary.agents[0]);
        series.name = format!("width {width}");
        series.style = Style::solid(palette::ramp(i, widths.len()));
        curves.push(series);
    }
    Ok(Figure::new(
        "widths",
        "Dependence on the width of the means",
        vec![Panel::new("", regret(curves))],
    ))
}

fn robot() -> Outcome<Figure> {
    let study = study(Graph::arkansas()?, "g-ucb", 1_000, 100)?;
    let (record, summary) = execute(&study)?;
    let means = study.world(0)?.means().to_vec();
    let network = Network::of(&study.graph).with_values("mean reward of run 0", means);
    let mut series =
        Series::of_summary(&summary.agents[0]).with_traces(Series::traces_of(&record.agents[0]));
    series.name = String::from("mean of 100 runs");
    let panels = vec![
        Panel::new("Ten counties", Body::Network(network)),
        Panel::new("100 runs and their mean", regret(vec![series])),
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
        benchmark()?,
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
