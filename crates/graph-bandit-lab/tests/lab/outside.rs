//! A kind of figure from another crate: one entry, using only public items. `CONTRIBUTING.md` shows
//! it.

use graph_bandit_figures::palette::color_of;
use graph_bandit_figures::{Axis, BarSeries, Bars, Body, Panel};
use graph_bandit_lab::Jobs;
use graph_bandit_lab::campaign::{Campaign, Presets, Shard, execute};
use graph_bandit_lab::figure_request::{
    FigureEntry, FigureOption, FigureRequest, Legend, Needs, OptionKind, Plot,
};
use graph_bandit_lab::output::{Mode, Start, finish, start};
use graph_bandit_lab::report::Source;
use graph_bandit_lab::study_file::StudyFile;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

// [figure]
static LAST: FigureEntry = FigureEntry {
    kind: "last",
    summary: "Bars by case: the mean regret of one agent at the last step.",
    options: &[AGENT],
    needs: Needs::Runs,
    check: |_request, _study| Ok(()),
    draw: |request, source| Ok(draw(request, source)),
};
const AGENT: FigureOption =
    FigureOption { name: "agent", help: "The agent to show.", kind: OptionKind::Text };

fn draw(request: &FigureRequest, source: &Source<'_>) -> Plot {
    let agent = request.text(&AGENT);
    let cases = || request.shown(source.study);
    let last = |stats: &graph_bandit_lab::campaign::CurveStats| stats.mean.last().copied();
    let value = |case| source.stats(case, agent).and_then(last).unwrap_or(f64::NAN);
    let bars = Bars {
        y: Axis::linear("regret"),
        groups: cases().map(|case| case.title().to_owned()).collect(),
        series: vec![BarSeries {
            name: agent.to_owned(),
            color: color_of(agent),
            values: cases().map(value).collect(),
            errors: Vec::new(),
        }],
        reference: None,
    };
    Plot { panels: vec![Panel::new("", Body::Bars(bars))], legend: Legend::Common }
}
// [figure]

const STUDY: &str = "
name = 'mine'
title = 'Mine'
steps = 200
runs = 2
agents = ['g-ucb', 'local-ts']
[[cases]]
graph = 'line:5'
[[cases]]
graph = 'star:5'
[[figures]]
kind = 'last'
caption = 'Regret at the end.'
agent = 'g-ucb'
";

#[test]
fn a_figure_of_another_crate_is_read_checked_and_drawn() {
    let unknown = StudyFile::parse(STUDY, Path::new("mine.toml")).unwrap_err();
    assert!(unknown.reason.contains("unknown variant `last`"), "{unknown}");
    LAST.register().unwrap();
    assert!(LAST.register().is_err());

    let study = StudyFile::parse(STUDY, Path::new("mine.toml")).unwrap();
    let json = serde_json::to_string(&study.figures).unwrap();
    assert_eq!(
        json,
        r#"[{"kind":"last","caption":"Regret at the end.","agent":"g-ucb","cases":[]}]"#
    );
    assert!(StudyFile::schema().contains(LAST.summary));
    let missing = STUDY.replace("agent = 'g-ucb'", "");
    let missing = StudyFile::parse(&missing, Path::new("mine.toml")).unwrap_err();
    assert!(missing.reason.contains("missing field `agent`"), "{missing}");

    let directory = crate::scratch("outside");
    let mut campaign = Campaign::new(vec![study], Presets::Own, PathBuf::new()).unwrap();
    let Start::Run(store, _) = start(&directory, &mut campaign, Mode::New).unwrap() else {
        panic!("{} is not new", directory.display())
    };
    let never = AtomicBool::new(false);
    execute(&campaign, &store, Shard::ALL, Jobs::All, &(), &never).unwrap();
    finish(&directory, &campaign, store, None, Jobs::All, &never).unwrap();
    let drawn = fs::read_to_string(directory.join("figures/mine.svg")).unwrap();
    assert!(drawn.contains("line:5") && drawn.contains("star:5"), "{drawn}");
}
