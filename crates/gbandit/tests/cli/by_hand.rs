//! Numbers that can be checked on paper.
//!
//! On a line with means 1, 0, 3 and no noise, `local-ucb:bonus=0` is on node 0 and sees only node
//! 1, which is worse: it stays and loses 2 per step. `g-ucb:bonus=0` walks to node 2.

use crate::program::{file, numbers, one_agent};
use serde_json::json;

/// No bonus and no noise: the agent knows everything after initialization.
const BLIND: &str = "--agents local-ucb:bonus=0 --noise constant --graph line:3";
const SEEING: &str = "--agents g-ucb:bonus=0 --noise constant --graph line:3";

/// Student's 0.975 quantile with one degree of freedom.
const STUDENT: f64 = 12.706_204_736_174_698;

fn assert_close(left: &[f64], right: &[f64]) {
    assert_eq!(left.len(), right.len());
    for (l, r) in left.iter().zip(right) {
        assert!((l - r).abs() <= 1e-9 * (1.0 + r.abs()), "{left:?} {right:?}");
    }
}

#[test]
fn one_node_has_no_regret() {
    let agent = one_agent(
        "--graph line:1 --means fixed:3 --noise constant --steps 10 --runs 2 --checkpoints 5",
    );
    assert_eq!(agent["checkpoints"], json!([2, 4, 6, 8, 10]));
    assert_eq!(numbers(&agent["regret_mean"]), [0.0; 5]);
    assert_eq!(numbers(&agent["regret_sd"]), [0.0; 5]);
    for ends in agent["regret_ci95"].as_array().unwrap() {
        assert_eq!(numbers(ends), [0.0; 2]);
    }
    assert_eq!(agent["reward_mean"], 30.0);
    assert_eq!(agent["init_steps_mean"], 1.0);
    assert_eq!(agent["init_regret_mean"], 0.0);
}

#[test]
fn staying_on_a_worse_node_loses_the_gap_every_step() {
    let agent =
        one_agent(&format!("{BLIND} --means fixed:1,0,3 --steps 10 --runs 3 --checkpoints 5"));
    assert_eq!(agent["regret_mean"], json!([4.0, 8.0, 12.0, 16.0, 20.0]));
    assert_eq!(numbers(&agent["regret_sd"]), [0.0; 5]);
    assert_eq!(agent["reward_mean"], 10.0);
    // Every step is a separate leg.
    assert_eq!(agent["legs_mean"], 10.0);
    // Nodes 0, 1 and 2 once each.
    assert_eq!(agent["init_steps_mean"], 3.0);
    assert_eq!(agent["init_regret_mean"], 2.0 + 3.0);
}

#[test]
fn walking_to_the_best_node_costs_only_the_way() {
    let agent =
        one_agent(&format!("{SEEING} --means fixed:1,0,3 --steps 10 --runs 1 --checkpoints 10"));
    assert_eq!(numbers(&agent["regret_mean"]), [3.0; 10]);
    assert_eq!(agent["reward_mean"], 0.0 + 9.0 * 3.0);
}

#[test]
fn regret_is_expected_whatever_the_noise() {
    let means = "--means fixed:0,1 --steps 500 --runs 1 --graph line:2";
    for noise in ["gaussian:3", "uniform:0.7", "empirical:-1,0.25,0.75"] {
        let agent = one_agent(&format!("{means} --noise {noise}"));
        for regret in numbers(&agent["regret_mean"]) {
            assert_eq!(regret.fract(), 0.0, "{noise}");
        }
        assert_ne!(agent["reward_mean"].as_f64().unwrap().fract(), 0.0, "{noise}");
    }
    let agent =
        one_agent("--means fixed:0.5,1 --noise bernoulli --steps 500 --runs 1 --graph line:2");
    assert_eq!(agent["reward_mean"].as_f64().unwrap().fract(), 0.0);
}

#[test]
fn rows_of_a_means_file_are_used_in_turn() {
    // The losses per step are 2, 4 and 1.
    let path = file("in-turn.csv", "1,0,3\n1,0,5\n1,0,2\n");
    let flags = format!("{BLIND} --means file:{path} --steps 8 --checkpoints 1");
    for (runs, mean) in
        [(1, 2.0), (2, 3.0), (3, 7.0 / 3.0), (4, 9.0 / 4.0), (5, 13.0 / 5.0), (7, 16.0 / 7.0)]
    {
        let agent = one_agent(&format!("{flags} --runs {runs}"));
        assert_close(&numbers(&agent["regret_mean"]), &[8.0 * mean]);
    }
}

#[test]
fn rows_may_have_any_line_ends_blank_lines_and_a_byte_order_mark() {
    let plain = file("plain-means.csv", "1,0,3\n1,0,5\n");
    let flags = format!("{BLIND} --steps 8 --runs 2 --means file:");
    let expected = one_agent(&format!("{flags}{plain}"));
    assert_eq!(numbers(&expected["regret_mean"])[7], 24.0);
    let dialects = [
        "\u{feff}1,0,3\r\n1,0,5\r\n",
        "\n1, 0 ,3e0\n\n  \n+1.0,-0,5",
        "1.,0.0,.3e1\r\n\r\n1,0,5\r\n\r\n",
    ];
    for (i, text) in dialects.iter().enumerate() {
        let path = file(&format!("means-dialect-{i}.csv"), text);
        assert_eq!(one_agent(&format!("{flags}{path}")), expected, "{text:?}");
    }
}

#[test]
fn deviations_divide_by_one_less_than_the_runs() {
    // Losses of 2 and 4 per step: after t steps, mean 3 t and deviation sqrt(2) t.
    let path = file("two-rows.csv", "1,0,3\n1,0,5\n");
    let agent =
        one_agent(&format!("{BLIND} --means file:{path} --steps 4 --runs 2 --checkpoints 4"));
    let root = 2_f64.sqrt();
    assert_close(&numbers(&agent["regret_mean"]), &[3.0, 6.0, 9.0, 12.0]);
    assert_close(&numbers(&agent["regret_sd"]), &[1, 2, 3, 4].map(|t| root * f64::from(t)));
    for (t, ends) in (1..).zip(agent["regret_ci95"].as_array().unwrap()) {
        let t = f64::from(t);
        assert_close(&numbers(ends), &[(3.0 - STUDENT) * t, (3.0 + STUDENT) * t]);
    }
}

#[test]
fn two_runs_are_the_first_and_another() {
    let flags = "--graph grid:3x3 --steps 1000 --agents g-ucb";
    let one = numbers(&one_agent(&format!("{flags} --runs 1"))["regret_mean"]);
    let both = one_agent(&format!("{flags} --runs 2"));
    let means = numbers(&both["regret_mean"]);
    let deviations: Vec<f64> = one
        .iter()
        .zip(&means)
        .map(|(first, mean)| {
            let second = 2.0 * mean - first;
            (first - second).abs() / 2_f64.sqrt()
        })
        .collect();
    assert!(deviations[19] > 0.0);
    assert_close(&numbers(&both["regret_sd"]), &deviations);
}

#[test]
fn initialization_takes_the_steps_its_order_takes() {
    let steps = |flags: &str| {
        let agent = one_agent(&format!("--steps 5 --runs 1 {flags}"));
        agent["init_steps_mean"].as_f64().unwrap()
    };
    for (flags, expected) in [
        ("--graph line:5", 5.0),
        // 1 0 1 2 3 4
        ("--graph line:5 --start 2 --init lowest", 6.0),
        // .. and 3 2
        ("--graph line:5 --start 2 --init lowest --return walk", 8.0),
        // 2 1 0 1 2 3 4
        ("--graph line:5 --start 2 --init nearest", 7.0),
        ("--graph line:5 --start 2 --init depth-first", 7.0),
        ("--graph line:5 --start 2 --init depth-first --return walk", 9.0),
        // 0 1 0 2 0 3 0 4
        ("--graph star:5", 8.0),
        ("--graph star:5 --return jump", 8.0),
        ("--graph star:5 --return walk", 9.0),
        // From a leaf: 1 0 2 0 3 0 4
        ("--graph star:5 --start 1 --init nearest", 7.0),
        // 0 1 0 2 0 3 0 4: the start counts only once it is visited.
        ("--graph star:5 --start 1 --init lowest", 8.0),
        ("--graph star:5 --init none", 0.0),
        ("--graph star:5 --init none --return walk", 0.0),
    ] {
        assert_eq!(steps(flags), expected, "{flags}");
    }
    let none = one_agent("--graph star:5 --init none --steps 5 --runs 1");
    assert_eq!(none["init_regret_mean"], 0.0);
}
