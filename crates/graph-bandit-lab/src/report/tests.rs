//! The page of a report made by hand.

use super::page::Page;
use super::*;
use graph_bandit_figures::palette::style_of;
use graph_bandit_figures::{Axis, Body, Curves, Network, Panel, Series, figure_anchor};

fn row(case: &str, agent: &str, mean: f64) -> ReportRow {
    ReportRow {
        case: case.to_owned(),
        agent: agent.to_owned(),
        preset: Preset::Paper,
        window: Window::FIRST,
        stats: CurveStats {
            t: vec![10],
            mean: vec![mean],
            sd: vec![Some(1.0)],
            ci95: vec![Some((mean - 1.0, mean + 1.0))],
            finals: vec![mean],
            halfway: vec![0.0],
            reward_mean: 0.0,
            legs_mean: 2.0,
            overshoot_mean: 0.0,
        },
    }
}

fn study(name: &str, figures: &[&str]) -> StudyReport {
    StudyReport {
        name: name.to_owned(),
        title: format!("About {name}"),
        place: String::new(),
        about: String::new(),
        steps: 10,
        runs: 10,
        seed: 0,
        means: String::new(),
        noise: String::new(),
        preset: Preset::Paper,
        window: Window::FIRST,
        regret_from: None,
        team: None,
        figures: figures.iter().map(|&id| id.to_owned()).collect(),
        run_times_caption: String::new(),
        comparison: None,
        rows: vec![
            row("A", "g-ucb", 9.0),
            row("A", "g-star", 3.0),
            row("B", "g-ucb", 2.0),
            row("B", "g-star", 4.0),
            row("C", "g-ucb", 8.0),
            row("C", "g-star", 4.0),
        ],
    }
}

fn claim(id: &str, studies: &[&str], verdict: Verdict) -> ClaimReport {
    let judged = |preset| Judgement {
        preset,
        window: Some(Window::FIRST),
        figures: "1 < 2".to_owned(),
        verdict,
    };
    ClaimReport {
        id: id.to_owned(),
        place: "Section I".to_owned(),
        sentence: format!("[...] what the paper says of {id} [...]"),
        test: "A test.".to_owned(),
        studies: studies.iter().map(|&name| name.to_owned()).collect(),
        judgements: vec![judged(Preset::Paper), judged(Preset::Program)],
        explanation: String::new(),
        wording: Wording::Quoted,
    }
}

fn curves(id: &str) -> Figure {
    let series = Series::new("g-ucb", style_of("g-ucb"), vec![[0.0, 0.0], [9.0, 1.0]]);
    let body = Curves { x: Axis::linear("t"), y: Axis::linear("regret"), series: vec![series] };
    Figure::new(id, "", vec![Panel::new("", Body::Curves(body))]).with_caption("A caption.")
}

fn drawing(id: &str) -> Figure {
    let graph = "line:3".parse::<graph_bandit::GraphSpec>().unwrap();
    let network = Network::of(&graph.build(graph_bandit::Seed(0)).unwrap());
    Figure::new(id, "", vec![Panel::new("", Body::Network(network))])
}

/// Two studies, the second with a drawing and the figure at the top of the page.
fn report() -> (Report, Vec<Figure>) {
    let studies = vec![study("one", &["one"]), study("two", &["two-1", "two-2"])];
    let claims = vec![
        claim("first", &["one"], Verdict::Holds),
        claim("second", &["two"], Verdict::HoldsInPart),
        claim("both", &["one", "two"], Verdict::DoesNotHold),
    ];
    let report = Report { version: "9.9".to_owned(), studies, claims };
    (report, vec![curves("one"), drawing("two-1"), curves("two-2")])
}

const LEDGER: Ledger = Ledger {
    about: |_report| "What is claimed.",
    about_times: "",
    judge: |_results| Vec::new(),
    judge_times: |_timings| None,
    open: |_report| {
        Some(Opening {
            title: "Ours & theirs".to_owned(),
            results: vec![
                "What came out.".to_owned().into(),
                Sentence { text: "1 < 2 fails.".to_owned(), claims: vec!["both".to_owned()] },
            ],
            figures: vec!["two-2".to_owned()],
        })
    },
    full_runs: |_study| Some(10),
};

fn page(report: &Report, figures: &[Figure], ledger: &Ledger) -> String {
    Page::new((report, Some(ledger)), (figures, &[]), None).html()
}

/// Where texts begin; all of them must be there.
fn places(page: &str, texts: &[&str]) -> Vec<usize> {
    texts.iter().map(|text| page.find(text).unwrap_or_else(|| panic!("no {text}"))).collect()
}

/// The row of a claim.
fn row_of<'a>(page: &'a str, id: &str) -> &'a str {
    let from = page.find(&format!("<li class=\"claim\" id=\"claim-{id}\">")).unwrap();
    let row = &page[from..];
    &row[..row.find("</div></li>").unwrap()]
}

#[test]
fn results_come_first_then_figures_then_the_ledger_then_the_rest() {
    let (report, figures) = report();
    let page = page(&report, &figures, &LEDGER);
    let anchors = [&figures[2], &figures[0]].map(|f| format!("id=\"{}\"", figure_anchor(f)));
    let order = [
        "<h1>Ours &amp; theirs</h1>",
        "What came out.",
        "1 &lt; 2 fails (<a href=\"#claim-both\">claim 3</a>).",
        &anchors[0],
        "<section id=\"claims\">",
        "<section id=\"one\">",
        &anchors[1],
        "<section id=\"two\">",
    ];
    let found = places(&page, &order);
    assert!(found.is_sorted(), "{found:?}");
    // The first figure is drawn once; its study links to it.
    assert_eq!(page.matches(&anchors[0]).count(), 1);
    assert!(
        page[found[7]..]
            .contains("At the top of the page: <a href=\"#gb-two-2-figure\">Figure 1</a>")
    );
}

#[test]
fn claims_link_to_figures_and_figures_to_claims() {
    let (report, figures) = report();
    let page = page(&report, &figures, &LEDGER);
    let one = "<a href=\"#gb-one-figure\">Figure 2</a>";
    let two = "<a href=\"#gb-two-2-figure\">Figure 1</a>";
    assert!(row_of(&page, "first").contains(&format!("Shown in {one} ·")));
    assert!(row_of(&page, "second").contains(&format!("Shown in {two} ·")));
    // A drawing of a graph shows no claim, so both claims are shown by two figures.
    assert!(row_of(&page, "both").contains(&format!("Shown in {two}, {one} ·")));
    let back = |ids: &[(&str, usize)]| {
        let link = |(id, number): &(&str, usize)| {
            format!(
                "<a href=\"#claim-{id}\" title=\"“… what the paper says of {id}\u{a0}…”\">{number}</a>"
            )
        };
        ids.iter().map(link).collect::<Vec<_>>().join(", ")
    };
    assert!(
        page.contains(&format!("This figure shows claims {}.", back(&[("first", 1), ("both", 3)])))
    );
    assert!(
        page.contains(&format!(
            "This figure shows claims {}.",
            back(&[("second", 2), ("both", 3)])
        ))
    );
    assert_eq!(page.matches("This figure shows").count(), 2);
    // Every link has a target.
    for link in page.split("href=\"#").skip(1) {
        let target = link.split('"').next().unwrap();
        assert_eq!(page.matches(&format!(" id=\"{target}\"")).count(), 1, "{target}");
    }
}

#[test]
fn the_ledger_quotes_the_paper() {
    let (report, figures) = report();
    let page = page(&report, &figures, &LEDGER);
    let row = row_of(&page, "second");
    assert!(
        row.contains("<blockquote>“… what the paper says of second\u{a0}…”</blockquote>"),
        "{row}"
    );
    assert!(row.contains("Claim 2 · Section I"), "{row}");
    assert!(row.contains("paper · first <b><span aria-hidden=\"true\">◐</span> holds in part</b>"));
    assert!(row.contains("program · first <b>") && row.contains("1 &lt; 2"), "{row}");
    let counts = "<tr><th scope=\"row\">paper · first</th><td class=\"number\">1</td>\
                  <td class=\"number\">1</td><td class=\"number\">1</td></tr>";
    assert!(page.contains(counts));
}

#[test]
fn a_quick_page_says_so_beside_every_verdict() {
    let (report, figures) = report();
    let full = page(&report, &figures, &LEDGER);
    assert!(!full.contains("(quick)") && !full.contains("class=\"quick\""));
    let hundred = Ledger { full_runs: |_study| Some(100), ..LEDGER };
    let quick = page(&report, &figures, &hundred);
    assert!(quick.contains("<h1>Ours &amp; theirs (quick)</h1>"));
    assert!(quick.contains("10 runs of each agent on each case instead of 100"));
    for (words, cells) in [("holds", 2), ("holds in part", 2), ("does not hold", 2)] {
        assert_eq!(quick.matches(&format!("</span> {words} (quick)</b>")).count(), cells);
        assert!(quick.contains(&format!("</b> {words} (quick)</th>")));
    }
    let cells = quick.matches("<span class=\"cell ").count();
    assert_eq!((cells, quick.matches(" (quick)</b></span>").count()), (6, 6));
    // Studies with different numbers, and studies of another crate, which cannot be quick.
    let differ =
        Ledger { full_runs: |study| Some(if study == "one" { 100 } else { 10 }), ..LEDGER };
    assert!(page(&report, &figures, &differ).contains("fewer runs than the experiments have"));
    let others = Ledger { full_runs: |_study| None, ..LEDGER };
    assert_eq!(page(&report, &figures, &others), full);
}

#[test]
fn any_page_begins_with_the_agents_of_least_regret() {
    let (mut report, figures) = report();
    report.claims.clear();
    report.studies[1].rows.truncate(2);
    report.studies[1].title = "<b>".to_owned();
    let page = Page::new((&report, None), (&figures, &[]), None).html();
    assert!(page.contains("<h1>About one, &lt;b&gt;</h1>"));
    assert!(
        page.contains("About one: g-star has the least mean regret on 2 of 3 cases, g-ucb on 1.")
    );
    assert!(page.contains("&lt;b&gt;: g-star has the least mean regret.</p>"));
    assert!(!page.contains("id=\"claims\"") && !page.contains("class=\"headline\""));
    // A single study is named once, and a single agent is not compared.
    report.studies.truncate(1);
    let page = Page::new((&report, None), (&figures, &[]), None).html();
    assert!(page.contains(">g-star has the least mean regret on 2 of 3 cases, g-ucb on 1.</p>"));
    assert!(page.contains("<h1>About one</h1>") && !page.contains("<h2>About one</h2>"));
    report.studies[0].rows.retain(|row| row.agent == "g-ucb");
    let page = Page::new((&report, None), (&figures, &[]), None).html();
    assert!(!page.contains("least mean regret") && !page.contains("<p class=\"results\""));
}

#[test]
fn numbers_are_listed_under_their_case() {
    let (report, figures) = report();
    let page = page(&report, &figures, &LEDGER);
    let table = &page[page.find("<table class=\"numbers\">").unwrap()..];
    let body = "<tbody><tr><th class=\"case\" colspan=\"5\" scope=\"rowgroup\">A</th></tr>\n\
                <tr><td>g-ucb</td><td class=\"number\">9.00</td><td class=\"number\">8.00 .. 10.0</td>\
                <td class=\"number\">1.00</td><td class=\"number\">2.00</td></tr>\n";
    assert!(table.contains(body), "{table}");
    let table = &table[..table.find("</table>").unwrap()];
    assert_eq!(table.matches("<tbody>").count(), 3);
    assert_eq!(table.matches("</tbody>").count(), 3);
}

#[test]
fn a_page_says_which_studies_have_teams_and_which_preset() {
    let (mut report, figures) = report();
    report.studies[0].team = Some("5 walkers, share <log>, one draw per node".to_owned());
    report.studies[0].runs = 1;
    let alike = page(&report, &figures, &LEDGER);
    assert!(alike.contains("Figures show preset <b>paper</b>, regret"));
    assert_eq!(alike.matches("walkers").count(), 1);
    let team = "<p class=\"soft\">5 walkers, share &lt;log&gt;, one draw per node; 10";
    assert!(alike.contains(team) && alike.contains(" steps, 1 run, seed 0"));
    report.studies[0].preset = Preset::Program;
    let differ = page(&report, &figures, &LEDGER);
    assert!(differ.contains(
        "Figures show preset <b>program</b> (About one) or <b>paper</b> (About two), regret"
    ));
}
