//! `gbandit bayes`: the least possible regret, and agents beside it.

use crate::program::{file, gbandit, refuses, words};
use serde_json::{Value, json};

fn bayes(line: &str) -> Value {
    let answer = gbandit(&[vec!["bayes"], words(line), vec!["--json"]].concat());
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""), "{line}");
    assert_eq!(answer.stdout.lines().count(), 1, "{line}");
    serde_json::from_str(&answer.stdout).unwrap()
}

fn near(answer: &Value, key: &str, expected: f64) {
    let found = answer[key].as_f64().unwrap();
    assert!((found - expected).abs() < 1e-9, "{key}: {found}, not {expected}");
}

#[test]
fn value_and_regret_are_printed_in_this_order_and_nothing_else() {
    let answer = gbandit(&words("bayes --graph line:3 --steps 10 --json"));
    assert!(answer.stdout.starts_with("{\"value\":6.397347"), "{answer:?}");
    assert!(answer.stdout.contains(",\"regret\":1.10265"), "{answer:?}");
    assert_eq!(bayes("--graph line:3 --steps 10").as_object().unwrap().len(), 2);
    for start in ["0", "1", "2"] {
        let answer = bayes(&format!("--graph line:3 --steps 10 --start {start}"));
        near(&answer, "value", 6.397_347_883_597_884);
    }
}

#[test]
fn maps_have_times_directions_and_names() {
    // Both ways take 1: after a zero at home, two more tries there are better than one next door.
    let pair = file("bayes-pair.csv", b"source,target,time\nhome,mill,1\n");
    let answer = bayes(&format!("--graph {pair} --times time --steps 3"));
    near(&answer, "value", 0.5 + 2.0 / 3.0 + 1.0 / 3.0);
    near(&answer, "regret", 2.0 - 1.5);
    // One way round: what is behind is two visits away.
    let round = file("bayes-round.csv", b"source,target\na,b\nb,c\nc,a\n");
    let one_way = bayes(&format!("--graph {round} --directed --steps 8 --start b"));
    let both = bayes(&format!("--graph {round} --steps 8"));
    assert!(one_way["value"].as_f64() < both["value"].as_f64(), "{one_way} {both}");
}

#[test]
fn rewards_seen_decide_the_next_move() {
    let next = |seen: &str| bayes(&format!("--graph line:3 --steps 4 --start 1 --seen {seen}"));
    assert_eq!(next("0=9/10,1=0/3,2=1/10")["next"], "0");
    assert_eq!(next("0=1/10,1=0/3,2=9/10")["next"], "2");
    assert_eq!(next("1=8/8")["next"], "1");
    // One step: the highest chance, 10/12.
    near(&bayes("--graph line:3 --steps 1 --start 1 --seen 0=9/10,1=0/3"), "value", 10.0 / 12.0);
}

#[test]
fn agents_are_measured_under_the_prior_and_none_beats_it() {
    let line = "--graph line:3 --steps 20 --agents g-star,random --runs 400 --seed 3";
    let one = bayes(&format!("{line} --jobs 1"));
    assert_eq!(bayes(&format!("{line} --jobs 3")), one);
    let agents = one["agents"].as_array().unwrap();
    assert_eq!((&agents[0]["agent"], &agents[1]["agent"]), (&json!("g-star"), &json!("random")));
    let ratio = |agent: &Value| agent["of_optimum"].as_f64().unwrap();
    assert!(ratio(&agents[0]) > 1.0 && ratio(&agents[0]) < 2.0 && ratio(&agents[1]) > 2.0, "{one}");
    // They are the runs of `gbandit run`.
    let run = "run --graph line:3 --steps 20 --agents g-star,random --runs 400 --seed 3 \
               --means uniform:0,1 --noise bernoulli --regret-from start --checkpoints 1 --json";
    let run: Value = serde_json::from_str(&gbandit(&words(run)).stdout).unwrap();
    assert_eq!(run["agents"][0]["regret_mean"][0], agents[0]["regret"]);
}

#[test]
fn tables_show_the_first_moves_and_the_agents() {
    let answer = gbandit(&words(
        "bayes --graph line:3 --steps 10 --start 1 --agents g-star --runs 20 --memory 0.5",
    ));
    assert_eq!(answer.code, 0, "{answer:?}");
    for part in [
        "value   6.397348",
        "10 x 0.750000 (expected best mean)",
        "go to 0     6.397348  0.000000",
        "stay on 1   6.325433  0.071915",
        "step 2  after 1    stay on 0",
        "step 3  after 0 0  go to 2",
        "Bayes-optimal",
        "g-star",
    ] {
        assert!(answer.stdout.contains(part), "{part}: {}", answer.stdout);
    }
}

#[test]
fn mistakes_and_what_is_too_large_are_refused() {
    for (line, parts) in [
        ("--graph line:3 --steps 0", &["--steps", "from 1 to"][..]),
        ("--graph grid:10x10 --steps 3", &["--graph", "100 nodes", "at most 64"]),
        ("--graph line:3 --steps 120", &["--steps", "e10 states need 9.86", "GiB", "(--memory)"]),
        ("--graph line:3 --steps 9000000", &["--steps", "states are too many", "fewer steps"]),
        ("--graph line:3 --steps 9 --start 3", &["start 3 is outside"]),
        ("--graph line:3 --steps 9 --start x", &["--start", "\"x\" is not a node"]),
        ("--graph line:3 --steps 9 --seen 0", &["--seen", "NODE=ONES/VISITS"]),
        ("--graph line:3 --steps 9 --seen 7=1/2", &["--seen", "does not begin with a node"]),
        ("--graph line:3 --steps 9 --seen 0=3/2", &["--seen", "more ones than visits"]),
        ("--graph line:3 --steps 9 --seen 0=1/2,0=1/2", &["--seen", "repeats a node"]),
        ("--graph line:3 --steps 9 --seen 0=1/10002", &["--seen", "10002 rewards", "10000"]),
        ("--graph line:3 --steps 9 --agents g-sta", &["--agents", "g-star"]),
        ("--graph line:3 --steps 9 --memory 0", &["--memory"]),
    ] {
        refuses(&[vec!["bayes"], words(line)].concat(), 2, parts);
    }
}
