//! The shape of the one JSON object.

use crate::program::{gbandit, numbers, run_json, timeless};
use serde_json::{Value, json};

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

#[test]
fn exactly_the_promised_keys_and_lengths() {
    let value =
        run_json("--graph grid:3x3 --agents g-ucb,ucrl2 --steps 70 --runs 3 --checkpoints 7");
    assert_eq!(keys(&value), ["agents", "graph", "preset", "runs", "seed", "steps", "window"]);
    assert_eq!(keys(&value["graph"]), ["diameter", "edges", "nodes"]);
    let agents = value["agents"].as_array().unwrap();
    assert_eq!(agents.len(), 2);
    for agent in agents {
        assert_eq!(
            keys(agent),
            [
                "agent",
                "best",
                "checkpoints",
                "init_regret_mean",
                "init_steps_mean",
                "legs_mean",
                "regret_ci95",
                "regret_mean",
                "regret_sd",
                "reward_mean",
                "seconds_per_run_median",
            ]
        );
        assert_eq!(keys(&agent["best"]), ["confidence", "runs_right", "runs_settled"]);
        assert_eq!(agent["checkpoints"], json!([10, 20, 30, 40, 50, 60, 70]));
        let means = numbers(&agent["regret_mean"]);
        let deviations = numbers(&agent["regret_sd"]);
        let intervals = agent["regret_ci95"].as_array().unwrap();
        assert_eq!([means.len(), deviations.len(), intervals.len()], [7; 3]);
        assert!(means.is_sorted(), "regret never falls: {means:?}");
        for ((mean, deviation), ends) in means.iter().zip(deviations).zip(intervals) {
            let ends = numbers(ends);
            assert_eq!(ends.len(), 2);
            // Student's t with two degrees of freedom.
            let half = 4.302_652_73 * deviation / 3_f64.sqrt();
            assert!((mean - half - ends[0]).abs() < 1e-6, "{mean} {ends:?}");
            assert!((mean + half - ends[1]).abs() < 1e-6, "{mean} {ends:?}");
        }
    }
}

/// Every key of a team's object, at any depth but that of single nodes, is in the guide's tables.
#[test]
fn every_key_of_a_team_is_in_the_guide() {
    let guide = include_str!("../../../../docs/guides/teams.md");
    let part = guide.split_once("## As JSON").unwrap().1.split_once("\n## ").unwrap().0;
    let value = run_json(
        "--graph grid:3x3 --walkers 3 --seats 1 --agents g-star,multi-g-ucb --steps 70 --runs 3",
    );
    let (team, agents) = (&value["team"], value["agents"].as_array().unwrap());
    assert_eq!(keys(team), ["draws", "optimum_mean", "seats", "share", "walkers"]);
    let mut all = [keys(&value), keys(&value["graph"]), keys(team)].concat();
    for agent in agents {
        assert_eq!(agent.get("best"), None, "{agent}");
        assert!(agent["realized_regret_mean"].is_array(), "{agent}");
        all.extend(keys(agent));
    }
    for key in all {
        assert!(part.contains(&format!("`{key}`")), "the guide does not explain {key}");
    }
    assert_eq!(value["regret_from"], "start");
    let changing = run_json(
        "--graph line:4 --walkers 2 --means redrawn:1,9,300 --agents g-drift,g-star --steps 3000 --runs 5",
    );
    assert_eq!((&changing["against"], &value["against"]), (&json!("free"), &Value::Null));
    let regret = |agent: usize| {
        let curve = changing["agents"][agent]["regret_mean"].as_array().unwrap();
        curve.last().unwrap().as_f64().unwrap()
    };
    assert!(0.0 < regret(0) && regret(0) < 0.5 * regret(1), "{changing}");
    let cover = run_json("--graph grid:3x3 --walkers 3 --regret-from cover --steps 70 --runs 3");
    assert_eq!(cover.get("regret_from"), None);
}

#[test]
fn the_best_node_of_one_run_is_in_the_object() {
    let flags = "--graph line:3 --means fixed:1,0,9 --noise uniform:0.25 --steps 500 --runs 1";
    let best = &run_json(flags)["agents"][0]["best"];
    assert_eq!((&best["runs_right"], &best["runs_settled"]), (&json!(1), &json!(1)));
    let first = &best["first"];
    assert_eq!((&first["best"]["node"], &first["settled"]), (&json!(2), &json!(true)));
    let interval = numbers(&first["best"]["interval"]);
    assert!(interval[0] < 9.0 && 9.0 < interval[1], "{first}");
    // 0.25 sqrt(2 ln(2 * 3 n (n + 1) / 0.05) / n)
    let n = first["best"]["visits"].as_f64().unwrap();
    let radius = 0.25 * (2.0 * (6.0 * n * (n + 1.0) / 0.05).ln() / n).sqrt();
    assert!((interval[1] - interval[0] - 2.0 * radius).abs() < 1e-9, "{first}");
}

#[test]
fn one_object_on_one_line_and_nothing_else() {
    let args = ["run", "--graph", "line:2", "--steps", "9", "--runs", "2", "--json"];
    let answer = gbandit(&args);
    assert_eq!(answer.stderr, "");
    assert!(answer.stdout.starts_with('{') && answer.stdout.ends_with("}\n"));
    assert_eq!(answer.stdout.lines().count(), 1);
}

#[test]
fn values_that_need_two_runs_are_null() {
    let value = timeless("--graph line:2 --steps 9 --runs 1 --checkpoints 2");
    let agent = &value["agents"][0];
    assert_eq!(agent["regret_sd"], json!([null, null]));
    assert_eq!(agent["regret_ci95"], json!([[null, null], [null, null]]));
}

#[test]
fn agents_keep_their_order_and_are_labelled_by_differences_from_the_preset() {
    let names = |flags: &str| {
        let value = timeless(&format!("--graph line:3 --steps 9 --runs 1 {flags}"));
        let agents = value["agents"].as_array().unwrap();
        let name = |agent: &Value| agent["agent"].as_str().unwrap().to_owned();
        agents.iter().map(name).collect::<Vec<_>>()
    };
    let all = "ql-ucb-h,ql-eps,local-ts,local-ucb,g-ucb-ucrl2-doubling,g-ucb-ucrl2-bound,ucrl2,\
               direct-sp,g-ucb";
    assert_eq!(names(&format!("--agents {all}")).join(","), all);
    assert_eq!(names(&format!("--agents {all} --preset program")).join(","), all);
    assert_eq!(
        names("--agents ql-eps:alpha=0.3,gamma=0.8,g-ucb:bonus=0.5,g-ucb,g-ucb:bonus=2"),
        ["ql-eps:alpha=0.3,gamma=0.8", "g-ucb:bonus=0.5", "g-ucb", "g-ucb:bonus=2.0"]
    );
}

#[test]
fn every_noise_and_every_kind_of_means_runs() {
    for flags in [
        "--noise uniform:0",
        "--noise uniform:0.5",
        "--noise bernoulli --means uniform:0,1",
        "--noise beta:10 --means uniform:0.1,0.9",
        "--noise gaussian:1",
        "--noise truncated-gaussian:0.25,0.5",
        "--noise constant --means=uniform:-2,-1",
        "--noise empirical:-0.5,0.1,0.4",
        "--means fixed:0.2,0.4,0.9",
        "--means uniform:3,3",
    ] {
        let value = timeless(&format!("--graph line:3 --steps 50 --runs 2 {flags}"));
        assert!(numbers(&value["agents"][0]["regret_mean"])[19] >= 0.0, "{flags}");
    }
}
