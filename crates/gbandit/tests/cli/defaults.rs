//! The defaults are the paper's experiment, with the agent of least regret.

use crate::program::{timeless, words};
use std::collections::BTreeMap;

const DEFAULTS: &str = "--agents g-star --means uniform:0.5,9.5 --noise uniform:0.5 --steps 20000 \
                        --runs 100 --seed 0 --preset paper --window first --start 0 --init lowest \
                        --return jump --checkpoints 20";

#[test]
fn defaults_spelled_out_change_nothing() {
    let plain = timeless("--graph line:5");
    assert_eq!(timeless(&format!("--graph line:5 {DEFAULTS}")), plain);
    assert_eq!(plain["steps"], 20_000);
    assert_eq!(plain["runs"], 100);
    assert_eq!(plain["seed"], 0);
    assert_eq!(plain["preset"], "paper");
    assert_eq!(plain["window"], "first");
    assert_eq!(plain["agents"][0]["agent"], "g-star");
    assert_eq!(plain["agents"][0]["checkpoints"][19], 20_000);
}

/// The test above would prove nothing for a flag that is ignored.
#[test]
fn every_flag_has_an_effect() {
    let small = "--graph line:5 --steps 300 --runs 3";
    let paper = format!("{small} --agents g-ucb");
    let mut seen = BTreeMap::new();
    seen.insert(timeless(small).to_string(), "defaults");
    for flag in [
        "--agents direct-sp",
        "--agents g-ucb:bonus=0.5",
        "--means uniform:0.5,9.4",
        "--means fixed:1,2,3,4,5",
        "--noise uniform:0.6",
        "--noise gaussian:0.5",
        "--seed 1",
        "--window last",
        "--start 1",
        "--start 2 --init nearest",
        "--init none",
        "--return walk",
        "--checkpoints 19",
    ] {
        let heard = timeless(&format!("{small} {flag}")).to_string();
        if let Some(same) = seen.insert(heard, flag) {
            panic!("{flag} gives the same as {same}");
        }
    }
    // Only the paper's agents have two presets.
    assert_ne!(
        timeless(&paper)["agents"],
        timeless(&format!("{paper} --preset program"))["agents"]
    );
    for (steps_and_runs, flag) in [("300 3", "--steps"), ("301 3", "--runs"), ("300 4", "both")] {
        let [steps, runs] = words(steps_and_runs)[..] else { unreachable!() };
        let heard = timeless(&format!("--graph line:5 --steps {steps} --runs {runs}"));
        assert_eq!(heard["steps"].to_string(), steps, "{flag}");
        assert_eq!(heard["runs"].to_string(), runs, "{flag}");
    }
}
