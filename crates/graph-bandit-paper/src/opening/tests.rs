use super::*;
use crate::LAST;
use graph_bandit::Preset;
use graph_bandit_lab::Window;
use graph_bandit_lab::campaign::CurveStats;
use graph_bandit_lab::report::{
    AgentComparison, ClaimReport, Comparison, ComparisonRow, Judgement, Spread, Verdict,
};

fn row(case: &str, agent: &str, mean: f64) -> ReportRow {
    ReportRow {
        case: case.to_owned(),
        agent: agent.to_owned(),
        preset: Preset::Paper,
        window: Window::FIRST,
        stats: CurveStats {
            t: vec![10],
            mean: vec![mean],
            sd: vec![None],
            ci95: vec![None],
            finals: vec![mean],
            halfway: vec![0.0],
            reward_mean: 0.0,
            legs_mean: 0.0,
            overshoot_mean: 0.0,
        },
    }
}

fn of(name: &str, rows: Vec<ReportRow>) -> StudyReport {
    StudyReport {
        name: name.to_owned(),
        title: format!("About {name}"),
        place: String::new(),
        about: String::new(),
        steps: 10,
        runs: 4,
        seed: 0,
        means: String::new(),
        noise: String::new(),
        preset: Preset::Paper,
        window: Window::FIRST,
        regret_from: None,
        team: None,
        figures: vec![name.to_owned()],
        run_times_caption: String::new(),
        comparison: None,
        rows,
    }
}

fn claim(id: &str, verdicts: [Verdict; 2]) -> ClaimReport {
    let judgement = |preset, window, verdict| Judgement {
        preset,
        window: Some(window),
        figures: String::new(),
        verdict,
    };
    ClaimReport {
        id: id.to_owned(),
        place: String::new(),
        sentence: format!("[...] {id} is so."),
        test: String::new(),
        studies: Vec::new(),
        judgements: vec![
            // The verdicts on the authors' program do not count.
            judgement(Preset::Program, Window::FIRST, Verdict::DoesNotHold),
            judgement(Preset::Paper, Window::FIRST, verdicts[0]),
            judgement(Preset::Paper, LAST, verdicts[1]),
        ],
        explanation: String::new(),
        wording: graph_bandit_lab::report::Wording::Quoted,
    }
}

/// g-star on three cases: its ratio to G-UCB and to the best.
fn compared(name: &str) -> StudyReport {
    let row = |(case, ratio, best): (&str, f64, f64)| ComparisonRow {
        case: case.to_owned(),
        agent: "g-star".to_owned(),
        runs: 4,
        mean: ratio,
        ci95: None,
        p99: 0.0,
        of_baseline: Some(ratio),
        of_best: Some(best),
        p99_of_baseline: None,
    };
    let spread =
        Spread { median: 0.2, geometric_mean: 0.05, worst: 1.5, worst_case: "Tree".to_owned() };
    let agent = AgentComparison {
        agent: "g-star".to_owned(),
        cases: 3,
        of_baseline: Some(spread),
        of_best: None,
        p99_of_baseline: None,
    };
    let rows = [("Line", 0.1, 1.0), ("Tree", 1.5, 3.0), ("Star", 0.2, 1.0)].map(row).to_vec();
    let comparison = Comparison { baseline: "g-ucb".to_owned(), rows, agents: vec![agent] };
    StudyReport { comparison: Some(comparison), ..of(name, Vec::new()) }
}

fn report(studies: Vec<StudyReport>, claims: Vec<ClaimReport>) -> Report {
    Report { version: String::new(), studies, claims }
}

fn texts(opening: &Opening) -> Vec<&str> {
    opening.results.iter().map(|sentence| sentence.text.as_str()).collect()
}

#[test]
fn the_page_of_the_paper_says_what_holds_and_what_does_not() {
    use Verdict::{DoesNotHold, Holds, HoldsInPart};
    let grid = [("g-ucb", 2_000.0), ("ucrl2", 5_000.0), ("local-ts", 20_000.0)];
    let grid = grid.map(|(agent, mean)| row("Grid", agent, mean)).to_vec();
    let range = vec![
        row("Grid", "g-ucb", 1_000.0),
        row("Grid", "local-ts", 250.0),
        row("Line", "g-ucb", 500.0),
        row("Line", "ql-eps", 600.0),
        row("Line", "local-ts", 300.0),
    ];
    let studies = vec![of("grid-benchmarks", grid), of("reward-range", range), compared("g-star")];
    let claims = vec![
        claim("first", [Holds, HoldsInPart]),
        claim("second", [DoesNotHold, Holds]),
        claim("third", [HoldsInPart, DoesNotHold]),
        claim("fourth", [Holds, Holds]),
    ];
    let opening = open(&report(studies, claims)).unwrap();
    assert_eq!(
        texts(&opening),
        [
            "2 studies, 4 runs of each agent on each graph.",
            "With the paper's own details, 2 of its 4 sentences about regret hold, 1 hold in part and 1 does not. Over the \
             last T steps, which the authors' program counts instead of the first, the numbers are 2, 1 and 1.",
            "These do not hold: “… second is so.”.",
            "On the 10 x 10 grid G-UCB has the least regret of the paper's agents, 2,000. The best other agent, ucrl2, has 2.50 times as much, \
             the worst, local-ts, 10.0 times.",
            "With rewards of 0 and 1, as the theory assumes, it loses: local-ts has 25% on Grid and 60% on Line of its regret.",
            "g-star, the default agent of this program, is not in the paper. It has 5% of G-UCB's regret in the geometric mean over 3 graphs, at worst \
             150% (Tree).",
        ]
    );
    assert_eq!(opening.results[2].claims, ["second"]);
    assert_eq!(opening.figures, ["grid-benchmarks", "g-star"]);
}

#[test]
fn where_g_ucb_is_not_the_best_the_page_says_so() {
    let grid = vec![row("Grid", "g-ucb", 2_000.0), row("Grid", "ucrl2", 1_000.0)];
    let claims = vec![claim("only", [Verdict::Holds, Verdict::Holds])];
    let opening = open(&report(vec![of("grid-benchmarks", grid)], claims)).unwrap();
    let [run, hold, grid] = texts(&opening)[..] else { panic!("{opening:?}") };
    assert!(run.starts_with("1 study,"), "{run}");
    assert!(hold.contains("1 of its 1 sentences") && hold.contains("0 do not"), "{hold}");
    assert!(grid.contains("does not have the least regret"), "{grid}");
    assert!(grid.contains("ucrl2, has 0.50 times as much"), "{grid}");
    assert_eq!(opening.figures, ["grid-benchmarks"]);
}

#[test]
fn beyond_the_paper_losses_are_counted() {
    let studies = vec![compared("frontier-seven-graphs"), compared("frontier-reporting")];
    let opening = open(&report(studies, Vec::new())).unwrap();
    let [seven, reporting] = texts(&opening)[..] else { panic!("{opening:?}") };
    assert_eq!(
        seven,
        "About frontier-seven-graphs: g-star has 5% of G-UCB's regret in the geometric mean over 3 cases, at worst 150% \
         (Tree). It has more than G-UCB on 1 of them, and the least of all agents on 2."
    );
    assert!(reporting.starts_with("About frontier-reporting"), "{reporting}");
}

#[test]
fn where_rewards_change_the_best_rival_and_g_ucb_are_the_yardsticks() {
    let [first, second, still] =
        ["drift on line:3", "every sqrt(T) on line:3", "nothing on line:3"];
    let rows = [
        (first, "g-drift", 30.0),
        // Without restarts it counts, too.
        (first, "g-ucb", 60.0),
        (first, "g-ucb:restarts=periodic,period=5", 90.0),
        (first, "g-ucb:restarts=periodic,period=9", 70.0),
        (first, "sw-ucb:changes=1", 120.0),
        (second, "g-drift", 40.0),
        // Told of the changes: it is the yardstick of restarts, not of agents.
        (second, "g-ucb:restarts=oracle", 20.0),
        (second, "restarting-klucb", 10.0),
        (second, "sw-ucb:changes=1", 80.0),
        (still, "g-drift", 5.0),
        (still, "g-star", 4.0),
        (still, "g-ucb:restarts=oracle", 50.0),
    ];
    let rows = rows.map(|(case, agent, mean)| row(case, agent, mean)).to_vec();
    // Ten steps: regret / sqrt(changes x T) is 2 and 3.
    let few = [
        ("1 on line:3", "g-drift", 2.0 * 10.0_f64.sqrt()),
        ("4 on line:3", "g-drift", 3.0 * 40.0_f64.sqrt()),
        ("4 on line:3", "g-ucb:restarts=oracle", 999.0),
    ];
    let few = few.map(|(case, agent, mean)| row(case, agent, mean)).to_vec();
    let studies = vec![of("change-reporting", rows), of("change-number-of-changes", few)];
    let opening = open(&report(studies, Vec::new())).unwrap();
    assert_eq!(
        texts(&opening),
        [
            "About change-reporting: where something changes, g-drift has 50% of the regret of the best other agent and 100% of \
             that of G-UCB, restarted or not (geometric means over 2 cases). It has more than G-UCB, restarted or not, on 1 of 3 cases: every sqrt(T) on line:3 (200%).",
            "About change-reporting, drift: 50% of the regret of the best other agent and 50% of that of G-UCB, restarted or not (1 case); at worst 50% of the best other (drift on line:3).",
            "About change-reporting, every sqrt(T): 50% of the regret of the best other agent and 200% of that of G-UCB, restarted or not (1 case); at worst 50% of the best other (every sqrt(T) on line:3).",
            "About change-reporting, nothing: 125% of the regret of the best other agent and 10% of that of G-UCB, restarted or not (1 case); at worst 125% of the best other (nothing on line:3).",
            "About change-number-of-changes: regret / sqrt(changes x T), largest over smallest: 1.50 on line:3.",
        ]
    );
    assert_eq!(opening.figures, ["change-number-of-changes"]);
}

#[test]
fn other_studies_keep_the_opening_of_the_lab() {
    assert_eq!(open(&report(vec![of("mine", Vec::new())], Vec::new())), None);
    let mixed = vec![compared("frontier-reporting"), of("mine", Vec::new())];
    assert_eq!(open(&report(mixed, Vec::new())), None);
    assert_eq!((full_runs("mine"), full_runs("robot")), (None, Some(100)));
    assert_eq!(full_runs("frontier-seven-graphs"), Some(1_000));
    assert_eq!(full_runs("change-nothing"), Some(1_000));
}

/// A claim of the sequel, judged once.
fn of_sequel(id: &str, verdict: Verdict) -> ClaimReport {
    let mut claim = claim(id, [verdict; 2]);
    claim.judgements.truncate(1);
    claim.judgements[0].verdict = verdict;
    claim.sentence = format!("{id} is so.");
    claim.wording = graph_bandit_lab::report::Wording::InOurWords;
    claim
}

#[test]
fn the_page_on_teams_speaks_of_the_paper_on_teams() {
    use Verdict::{Holds, HoldsInPart};
    let rows = vec![row("er300-20", "g-star", 1.0)];
    let figure = StudyReport { rows, runs: 10, ..compared("teams-figure-2") };
    let studies = vec![figure, of("teams-number-of-walkers", Vec::new())];
    let claims = vec![
        of_sequel("first", Holds),
        of_sequel("second", HoldsInPart),
        of_sequel("third", Holds),
        of_sequel("fourth", Holds),
    ];
    let report = report(studies, claims);
    let opening = open(&report).unwrap();
    assert_eq!(opening.title, "Cooperative multi-agent graph bandits, reproduced");
    assert_eq!(
        texts(&opening),
        [
            "1 study, 10 runs of each agent on each case.",
            "Of 4 claims of the paper on teams about its experiment, 3 hold, 1 holds in part and 0 do not.",
            "Not all of this holds: second is so (holds in part).",
            "About teams-figure-2: g-star has 0.050 times the regret of Multi-G-UCB in the geometric mean over 3 cases, at \
             worst 1.500 times (Tree).",
        ]
    );
    assert_eq!(opening.results[2].claims, ["second"]);
    assert_eq!(opening.figures, ["teams-figure-2"]);
    let about = (crate::LEDGER.about)(&report);
    assert!(about.starts_with("What the paper on teams says"), "{about}");
}

#[test]
fn a_page_on_teams_with_few_runs_says_that_they_decide_nothing() {
    let rows = vec![row("er300-20", "g-star", 1.0)];
    let figure = StudyReport { rows, runs: 2, ..compared("teams-figure-2") };
    let claims = ["first", "second"].map(|id| of_sequel(id, Verdict::HoldsInPart)).to_vec();
    let opening = open(&report(vec![figure], claims)).unwrap();
    let [_, claims, compared] = texts(&opening)[..] else { panic!("{opening:?}") };
    assert!(
        claims.starts_with("2 runs of each agent decide nothing about the 2 claims"),
        "{claims}"
    );
    assert!(compared.starts_with("About teams-figure-2: g-star has"), "{compared}");
}

#[test]
fn a_page_on_teams_without_claims_says_what_they_need() {
    let studies = vec![of("teams-er100-5", vec![row("er100-5", "g-star", 1.0)])];
    let opening = open(&report(studies, Vec::new())).unwrap();
    let [_, claims] = texts(&opening)[..] else { panic!("{opening:?}") };
    assert!(claims.contains("at least two runs of the study teams-figure-2"), "{claims}");
}
