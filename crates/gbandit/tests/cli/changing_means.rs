//! Means that change on the command line and in studies, and what regret is measured against.

use crate::campaign::scratch;
use crate::program::{file, gbandit, numbers, refuses, run_json, words};
use std::fs;

const TABLE: &str = "from,0,1,2\n0,.3,.5,.9\n100,.3,.2,.9\n250,.7,.2,.1\n";

#[test]
fn regret_against_free_planning_and_causal_is_in_that_order() {
    let path = file("in-order.csv", TABLE);
    let of = |against: &str| {
        let flags = format!(
            "--graph complete:3 --means changes:{path} --noise bernoulli --steps 400 --runs 20 \
             --against {against}"
        );
        let summary = run_json(&flags);
        assert_eq!(summary["against"], against);
        numbers(&summary["agents"][0]["regret_mean"])
    };
    let (free, planning, causal) = (of("free"), of("planning"), of("causal"));
    for k in 0..free.len() {
        assert!(free[k] >= planning[k] - 1e-9 && planning[k] >= causal[k] - 1e-9, "{k}");
    }
    assert!(free[0] > 0.0);
    // On a complete graph nobody pays for travel, but the causal walker enters the best node one
    // step late, at most once per change.
    assert!((free[19] - planning[19]).abs() < 1e-9);
    let shown = gbandit(&[
        "run",
        "--graph",
        "complete:3",
        "--means",
        &format!("changes:{path}"),
        "--noise",
        "bernoulli",
        "--steps",
        "400",
        "--runs",
        "2",
    ]);
    assert!(shown.stdout.contains("regret against free: the best mean of every moment"));
    assert!(!shown.stdout.contains("best node so far"), "{}", shown.stdout);
}

#[test]
fn studies_take_rows_and_give_the_same_runs_as_flags() {
    let folder = scratch("means-in-study");
    let study_file = folder.join("rush.toml");
    let study = "name = 'rush'\ntitle = 'Rush'\nsteps = 400\nruns = 3\nagainst = 'causal'\n\
                 noise = 'bernoulli'\n[[cases]]\ngraph = 'complete:3'\n\
                 means = [[0, 0.3, 0.5, 0.9], [100, 0.3, 0.2, 0.9], [250, 0.7, 0.2, 0.1]]\n";
    fs::write(&study_file, study).unwrap();
    let out = folder.join("out");
    let made = gbandit(&["study", study_file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let again = gbandit(&["study", study_file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
    assert!(again.stdout.contains("already holds this result"), "{}", again.stdout);
    let path = file("in-study.csv", TABLE);
    let flags = format!(
        "--graph complete:3 --means changes:{path} --noise bernoulli --steps 400 --runs 3 --against \
         causal"
    );
    let regret = numbers(&run_json(&flags)["agents"][0]["regret_mean"]);
    let figure = fs::read_dir(out.join("figures")).unwrap().map(|file| file.unwrap().path());
    let figure = figure.filter(|path| path.extension().is_some_and(|kind| kind == "json"));
    let drawn: String = figure.map(|path| fs::read_to_string(path).unwrap()).collect();
    let last = regret[19];
    let mut drawn = drawn.split([',', '[', ']', '{', '}', ':']).filter_map(|x| x.parse().ok());
    assert!(drawn.any(|x: f64| (x - last).abs() < 1e-6), "{last} is not in the figures");
}

#[test]
fn what_does_not_fit_is_refused_with_the_remedy() {
    let refuses_with = |code: i32, flags: &str, parts: &[&str]| {
        let args = [vec!["run"], words(flags)].concat();
        refuses(&args, code, parts);
    };
    let refuses_file = |flags: &str, parts: &[&str]| refuses_with(3, flags, parts);
    let refuses = |flags: &str, parts: &[&str]| refuses_with(2, flags, parts);
    let wrong = file("wrong-means.csv", "from,0,1,2\n0,.3,.5,1.9\n");
    let flags = format!("--graph complete:3 --means changes:{wrong} --noise bernoulli");
    refuses_file(&flags, &["wrong-means.csv:2", "1.9", "bernoulli"]);
    let path = file("right-means.csv", TABLE);
    refuses_file(&format!("--graph line:5 --means changes:{path}"), &["node \"3\" has no column"]);
    refuses_file("--graph line:5 --means changes:nowhere.csv", &["nowhere.csv"]);
    refuses("--graph line:5 --means redrawn:0,1,0", &["every is 0"]);
    refuses("--graph line:5 --means seasons:0,1,1,0", &["period is 0"]);
    refuses("--graph line:5 --means rows:1,2,2,2,2,2", &["begins at 1"]);
    refuses("--graph line:5 --means redrawn:0,1,50 --tape sums", &["--tape", "one-by-one"]);
    refuses("--graph line:5 --means redrawn:0,1,50 --window last", &["--window", "first"]);
    refuses(
        "--graph line:5 --means redrawn:0,1,50 --closures 0.1,0.1 --against planning",
        &["--against", "closures", "free"],
    );
    refuses("--graph line:5 --against best", &["free", "planning", "causal"]);
}
