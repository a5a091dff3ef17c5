//! Which steps count: the paper's window `last` on the command line, and studies in several windows.

use crate::campaign::scratch;
use crate::program::{gbandit, numbers, refuses, run_json};
use graph_bandit::{AgentSpec, Init, Preset, Return, RunPlan, Seed, TapeKind, run};
use graph_bandit_lab::{GraphSource, MeansSource, RoadChanges, Study, Window};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// Mean regret over the last steps, from runs that skip what the last leg overshoots.
fn by_hand(mut study: Study) -> Vec<f64> {
    let mut sums = vec![0.0; study.plan.checkpoints.len()];
    let mut overshoots = 0;
    for number in 0..study.runs {
        let whole = study.run_once(&study.agents[0], number).unwrap();
        overshoots += whole.overshoot;
        study.plan.skip = whole.overshoot;
        let (world, mut agent) = study.prepare(&study.agents[0], number).unwrap();
        let seed = study.run_seed(number);
        let last = run(&world, agent.as_mut(), &study.plan, seed).unwrap();
        study.plan.skip = 0;
        for (sum, point) in sums.iter_mut().zip(&last.checkpoints) {
            *sum += point.regret;
        }
    }
    assert!(overshoots > 0, "the last steps are the first");
    sums.into_iter().map(|sum| sum / study.runs as f64).collect()
}

fn study(graph: &str, agent: &str, preset: Preset, plan: RunPlan) -> Study {
    let graph = graph.parse::<GraphSource>().unwrap().load(Seed(3), preset).unwrap();
    Study {
        graph: Arc::new(graph),
        agents: vec![AgentSpec::parse(agent, preset).unwrap().into()],
        preset,
        means: MeansSource::parse("uniform:0,1", Path::new("")).unwrap(),
        noise: "bernoulli".parse().unwrap(),
        plan,
        window: Window::FIRST,
        roads: RoadChanges::default(),
        team: None,
        runs: 4,
        seed: Seed(3),
    }
}

#[test]
fn the_last_window_is_what_a_run_measures_that_skips_the_overshoot() {
    let common = "--means uniform:0,1 --noise bernoulli --runs 4 --seed 3 --window last --json";
    let ran = |flags: &str| {
        let found = run_json(&format!("{flags} {common}").replace(" --json", ""));
        assert_eq!(found["window"], "last");
        numbers(&found["agents"][0]["regret_mean"])
    };
    for agent in ["g-ucb", "direct-sp", "g-star"] {
        let plan = RunPlan {
            start: 3,
            init: Init::DepthFirst,
            back: Return::Walk,
            tape: TapeKind::Sums,
            ..RunPlan::new(900, 20)
        };
        let expected = by_hand(study("grid:4x4", agent, Preset::Paper, plan));
        let flags =
            "--graph grid:4x4 --steps 900 --start 3 --init depth-first --return walk --tape sums";
        assert_eq!(ran(&format!("{flags} --agents {agent}")), expected, "{agent}");
        let plan = RunPlan { back: Return::Walk, ..RunPlan::new(800, 7) };
        let expected = by_hand(study("star:9", agent, Preset::Program, plan));
        let flags = "--graph star:9 --steps 800 --preset program --return walk --checkpoints 7";
        assert_eq!(ran(&format!("{flags} --agents {agent}")), expected, "{agent} of the program");
    }
}

#[test]
fn a_table_of_the_last_window_is_labelled() {
    let flags = ["run", "--graph", "line:9", "--runs", "2", "--steps", "100"];
    let plain = gbandit(&flags);
    assert!(!plain.stdout.contains("window"), "{plain:?}");
    let last = gbandit(&[&flags[..], &["--window", "last"]].concat());
    assert!(last.stdout.contains("window last: the first, costliest steps"), "{last:?}");
    let unknown = [&flags[..], &["--window", "lst"]].concat();
    refuses(&unknown, 2, &["[possible values: first, last]", "'last'"]);
}

/// The windows of a result's rows, each once, and the one that its figures show.
fn windows(out: &Path) -> (Vec<String>, String) {
    let summary = fs::read_to_string(out.join("summary.json")).unwrap();
    let summary: Value = serde_json::from_str(&summary).unwrap();
    let study = &summary["studies"][0];
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let mut found: Vec<String> =
        study["rows"].as_array().unwrap().iter().map(|row| text(&row["window"])).collect();
    found.sort();
    found.dedup();
    (found, text(&study["window"]))
}

#[test]
fn a_study_is_measured_in_its_windows() {
    let directory = scratch("windows");
    let study = |name: &str, keys: &str, flags: &[&str]| {
        let (file, out) = (directory.join("mine.toml"), directory.join(name));
        let text = format!(
            "name = 'mine'\ntitle = 'Mine'\nsteps = 90\nruns = 3\n{keys}[[cases]]\ngraph = 'line:4'\n"
        );
        fs::write(&file, text).unwrap();
        let args = ["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        (gbandit(&[&args[..], flags].concat()), out)
    };
    let made = |name: &str, keys: &str, flags: &[&str]| {
        let (answer, out) = study(name, keys, flags);
        assert_eq!(answer.code, 0, "{answer:?}");
        windows(&out)
    };
    let (first, last) = (|| "first".to_owned(), || "last".to_owned());
    let both = "windows = ['first', 'last']\n";
    assert_eq!(made("one", "", &[]), (vec![first()], first()));
    let warned = |keys: &str| {
        study("warned", keys, &["--force"]).0.stderr.contains("by the column `window`")
    };
    assert!(!warned("") && warned(both));
    assert_eq!(made("other", "window = 'last'\n", &[]), (vec![last()], last()));
    assert_eq!(made("flag", "", &["--window", "last"]), (vec![last()], last()));
    assert_eq!(made("both", both, &[]), (vec![first(), last()], first()));
    assert_eq!(made("shown", both, &["--window", "last"]), (vec![first(), last()], last()));
    let added = made("added", "windows = ['first']\n", &["--window", "last"]);
    assert_eq!(added, (vec![first(), last()], last()));
    // A missing window is named, with the remedy.
    let (lacking, _) = study("one", "", &["--window", "last"]);
    assert_eq!(lacking.code, 2, "{lacking:?}");
    for part in ["not measured in window last", "--force"] {
        assert!(lacking.stderr.contains(part), "{lacking:?}");
    }
    let (shown, _) = study("both", both, &["--window", "last"]);
    assert_eq!(shown.code, 2, "{shown:?}");
    assert!(shown.stderr.contains("its figures show another window; choose another"), "{shown:?}");
    let (none, _) = study("none", "windows = []\n", &[]);
    assert_eq!(none.code, 3, "{none:?}");
    assert!(none.stderr.contains("`windows` is empty"), "{none:?}");
    let (unshown, _) = study("unshown", "window = 'first'\nwindows = ['last']\n", &[]);
    assert_eq!(unshown.code, 3, "{unshown:?}");
    assert!(unshown.stderr.contains("add \"first\" to `windows`"), "{unshown:?}");
    let (unknown, _) = study("unknown", "windows = ['frist']\n", &[]);
    assert_eq!(unknown.code, 3, "{unknown:?}");
    assert!(unknown.stderr.contains("did you mean `first`?"), "{unknown:?}");
}

#[test]
fn parts_are_merged_where_they_were_measured_in_the_same_windows() {
    let directory = scratch("windows-parts");
    let part = |name: &str, windows: &str, shard: &str| {
        let [file, out] =
            [format!("{name}.toml"), name.to_owned()].map(|name| directory.join(name));
        let text = format!(
            "name = 'mine'\ntitle = 'Mine'\nsteps = 90\nruns = 40\n{windows}[[cases]]\ngraph = 'line:4'\n"
        );
        fs::write(&file, text).unwrap();
        let [file, out] = [file, out].map(|path| path.into_os_string().into_string().unwrap());
        let made = gbandit(&["study", &file, "--out", &out, "--shard", shard]);
        assert_eq!(made.code, 0, "{made:?}");
        out
    };
    let merged = directory.join("merged");
    let merge =
        |one: &str, other: &str| gbandit(&["merge", one, other, "--out", merged.to_str().unwrap()]);
    let both = "windows = ['first', 'last']\n";
    let one = part("one", both, "1/2");
    let refused = merge(&one, &part("in-first", "", "2/2"));
    assert_eq!(refused.code, 2, "{refused:?}");
    for said in ["was measured in first and last", "in first;", "`windows`"] {
        assert!(refused.stderr.contains(said), "{refused:?}");
    }
    let done = merge(&one, &part("in-both", both, "2/2"));
    assert_eq!(done.code, 0, "{done:?}");
    assert_eq!(windows(&merged).0, ["first", "last"]);
}

/// Claims are judged over the first and the last steps, so both must have been measured.
#[test]
fn an_experiment_of_the_paper_is_judged_when_it_has_both_windows() {
    let directory = scratch("windows-claims");
    let robot =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../graph-bandit-paper/experiments/robot.toml");
    let robot = fs::read_to_string(robot).unwrap();
    let judged = |name: &str, keys: &str| {
        let (file, out) = (directory.join(format!("{name}.toml")), directory.join(name));
        fs::write(&file, format!("{keys}{robot}")).unwrap();
        let (file, out_text) = (file.to_str().unwrap(), out.to_str().unwrap());
        let answer = gbandit(&["study", file, "--runs", "2", "--out", out_text]);
        assert_eq!(answer.code, 0, "{answer:?}");
        fs::read_to_string(out.join("index.html")).unwrap().contains("The ledger of claims")
    };
    assert!(!judged("one", ""));
    assert!(judged("both", "windows = ['first', 'last']\n"));
}
