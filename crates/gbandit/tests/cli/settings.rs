//! What preset, window and checkpoints do.

use crate::program::{file, numbers, one_agent, timeless};
use serde_json::json;

#[test]
fn checkpoints_are_at_floor_of_t_k_over_k() {
    for (steps, count, expected) in [
        (10, 3, json!([3, 6, 10])),
        (7, 2, json!([3, 7])),
        (11, 4, json!([2, 5, 8, 11])),
        (5, 1, json!([5])),
        (5, 5, json!([1, 2, 3, 4, 5])),
        // More checkpoints than steps: zero and repeats are left out.
        (3, 20, json!([1, 2, 3])),
        (1, 1_000_000, json!([1])),
    ] {
        let agent =
            one_agent(&format!("--graph line:3 --runs 1 --steps {steps} --checkpoints {count}"));
        assert_eq!(agent["checkpoints"], expected, "{steps} {count}");
    }
}

#[test]
fn regret_at_a_step_does_not_depend_on_the_other_checkpoints() {
    let regrets = |count: u64| {
        let flags = format!("--graph grid:3x3 --runs 2 --steps 600 --checkpoints {count}");
        numbers(&one_agent(&flags)["regret_mean"])
    };
    let fine = regrets(600);
    let coarse = regrets(4);
    assert_eq!([149, 299, 449, 599].map(|i| fine[i]), coarse[..]);
}

/// The first steps of a longer run are a shorter run.
#[test]
fn a_longer_horizon_changes_nothing_before_it() {
    let flags = "--graph grid:3x3 --runs 2 --agents g-ucb";
    let short = numbers(&one_agent(&format!("{flags} --steps 300 --checkpoints 3"))["regret_mean"]);
    let long = numbers(&one_agent(&format!("{flags} --steps 900 --checkpoints 9"))["regret_mean"]);
    assert_eq!(short, long[..3]);
}

#[test]
fn the_last_window_drops_first_steps_only_of_agents_with_long_legs() {
    let agent = |name: &str, window: &str| {
        one_agent(&format!(
            "--graph grid:4x4 --agents {name} --steps 1000 --runs 4 --window {window}"
        ))
    };
    assert_eq!(agent("local-ts", "first"), agent("local-ts", "last"));
    let regret = |window| numbers(&agent("g-ucb", window)["regret_mean"])[19];
    assert_ne!(regret("first"), regret("last"));
    let value = timeless("--graph line:2 --steps 9 --runs 1 --window last");
    assert_eq!(value["window"], "last");
    assert_eq!(value["agents"][0]["checkpoints"].as_array().unwrap().len(), 9);
}

#[test]
fn the_preset_changes_parameters_and_is_shown() {
    for name in ["g-ucb", "direct-sp", "ucrl2"] {
        let run = |preset: &str| {
            timeless(&format!(
                "--graph grid:4x4 --agents {name} --steps 2000 --runs 3 --preset {preset}"
            ))
        };
        let (paper, program) = (run("paper"), run("program"));
        assert_eq!(paper["preset"], "paper");
        assert_eq!(program["preset"], "program");
        assert_ne!(paper["agents"], program["agents"], "{name}");
        assert_eq!(program["agents"][0]["agent"], name);
    }
}

#[test]
fn the_start_is_where_the_agent_starts() {
    // No walk needed: it is already on the best node.
    let best = "--graph line:3 --agents g-ucb:bonus=0 --noise constant --means fixed:1,0,3 \
                --steps 10 --runs 1 --start";
    assert_eq!(numbers(&one_agent(&format!("{best} 2"))["regret_mean"])[9], 0.0);
    assert_eq!(numbers(&one_agent(&format!("{best} 1"))["regret_mean"])[9], 0.0);
    assert_eq!(numbers(&one_agent(&format!("{best} 0"))["regret_mean"])[9], 3.0);
}

#[test]
fn a_start_may_be_named() {
    let map = file("named-start.csv", "dock,yard\nyard,7\n");
    let run = |start: &str| {
        let line = format!(
            "--graph {map} --agents g-ucb:bonus=0 --noise constant --means fixed:1,0,3 \
             --steps 10 --runs 1 --start {start}"
        );
        numbers(&one_agent(&line)["regret_mean"])[9]
    };
    assert_eq!(run("dock"), 3.0);
    assert_eq!(run("7"), 0.0);
}
