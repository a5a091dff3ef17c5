//! Exit code 2: an error in a flag, with a message that gives the remedy.

use crate::program::{file, refuses, words};

const FAMILIES: &[&str] = &[
    "line",
    "circle",
    "star",
    "tree",
    "grid",
    "complete",
    "broom",
    "arkansas",
    "barbell",
    "erdos-renyi",
    "geometric",
    "small-world",
];
const AGENTS: &[&str] = &[
    "g-ucb",
    "direct-sp",
    "ucrl2",
    "g-ucb-ucrl2-bound",
    "g-ucb-ucrl2-doubling",
    "local-ucb",
    "local-ts",
    "ql-eps",
    "ql-ucb-h",
];
const NOISES: &[&str] = &[
    "uniform:",
    "bernoulli",
    "beta:",
    "gaussian:",
    "truncated-gaussian:",
    "constant",
    "empirical:",
];
const MEANS: &[&str] = &["uniform:", "fixed:", "file:"];

/// Refused on a line of three nodes unless a graph is given; every message names flag and value.
fn refuses_flag(flag: &str, value: &str, parts: &[&str]) {
    let mut args = vec!["run", flag, value];
    if flag != "--graph" {
        args.extend(["--graph", "line:3"]);
    }
    refuses(&args, 2, parts);
    refuses(&args, 2, &[flag]);
    args.push("--json");
    refuses(&args, 2, parts);
}

#[test]
fn unknown_names_list_what_exists() {
    for name in ["gird:3x3", "LINE:3", ":", "./roads:1", "https://x"] {
        refuses_flag("--graph", name, FAMILIES);
    }
    for name in ["ucb", "", ",", "g-ucb,", "g-ucb;ucrl2", "G-UCB", "g-ucb ucrl2", "ucb:bonus=1"] {
        refuses_flag("--agents", name, AGENTS);
    }
    for name in ["normal:1", "", "Uniform:1", ":1"] {
        refuses_flag("--noise", name, NOISES);
    }
    for name in ["normal:1", "", "means.csv", "File:x", "csv:means.csv"] {
        refuses_flag("--means", name, MEANS);
    }
    refuses_flag("--preset", "thesis", &["thesis", "paper", "program"]);
    refuses_flag("--window", "middle", &["middle", "first", "last"]);
    let inits = ["random", "lowest", "nearest", "depth-first", "tour", "none"];
    refuses_flag("--init", "random", &inits);
    refuses_flag("--return", "fly", &["fly", "jump", "walk"]);
    refuses_flag("--tape", "steel", &["steel", "one-by-one", "sums"]);
}

#[test]
fn a_team_has_starts() {
    let args = ["run", "--graph", "line:3", "--walkers", "2", "--start", "1"];
    refuses(&args, 2, &["--start: it is for one walker; with --walkers, write --starts 1"]);
}

#[test]
fn impossible_graph_sizes() {
    for text in [
        "line:0",
        "line:-1",
        "line:",
        "line:1.5",
        "line:1e3",
        "line:x",
        "line:3,4",
        "line:67108865",
        "line:99999999999999999999",
        "line",
        "circle:0",
        "star:0",
        "star:-5",
        "tree:0",
        "tree:5,0",
        "tree:5,2,2",
        "grid",
        "grid:3",
        "grid:0x3",
        "grid:3x0",
        "grid:3x-3",
        "grid:4294967296x4294967296",
        "grid:3x3x3",
        "complete:0",
        "complete:100000",
        "broom:5",
        "broom:5,0",
        "broom:5,6",
        "arkansas:",
        "arkansas:10",
        "barbell:1,5",
        "barbell:20000,0",
        "erdos-renyi:10",
        "erdos-renyi:0,0.5",
        "erdos-renyi:10,-0.1",
        "erdos-renyi:10,1.1",
        "erdos-renyi:10,nan",
        "erdos-renyi:10,0",
        "geometric:0,1",
        "geometric:10,-1",
        "geometric:10,inf",
        "geometric:10,0.0001",
        "small-world:10,4",
        "small-world:10,4,2",
        "small-world:10,1,0.5",
        "small-world:3,50,0.5",
    ] {
        refuses_flag("--graph", text, &[text]);
    }
    refuses_flag("--graph", "line:0", &["nodes is 0"]);
    refuses_flag("--graph", "line:67108865", &["67108864"]);
    refuses_flag("--graph", "grid:3", &["grid:ROWSxCOLUMNS"]);
}

#[test]
fn agents_and_their_parameters() {
    refuses_flag("--agents", "g-ucb,g-ucb", &["g-ucb is named twice"]);
    refuses_flag("--agents", "g-ucb,ucrl2,g-ucb:bonus=1", &["g-ucb is named twice"]);
    refuses_flag("--agents", "g-ucb:bonsu=1", &["bonsu", "bonus"]);
    refuses_flag("--agents", "g-ucb:bonus", &["bonus", "NAME=VALUE"]);
    refuses_flag("--agents", "g-ucb:bonus=-1", &["-1", "0 or more"]);
    for value in ["nan", "inf", "1e400", "x", ""] {
        refuses_flag("--agents", &format!("g-ucb:bonus={value}"), &["g-ucb", value]);
    }
    refuses_flag("--agents", "ucrl2:delta=0", &["delta is 0", "above 0"]);
    refuses_flag("--agents", "ql-eps:alpha=2", &["alpha is 2"]);
    refuses_flag(
        "--agents",
        "local-ts:bonus=1",
        &["\"bonus=1\"", "no parameters", "write local-ts"],
    );
}

#[test]
fn means_and_noise() {
    refuses_flag("--means", "uniform:9.5,0.5", &["9.5", "0.5", "lower end first"]);
    refuses_flag("--means", "uniform:1", &["uniform:LOW,HIGH"]);
    refuses_flag("--means", "uniform:1,2,3", &["uniform:LOW,HIGH"]);
    refuses_flag("--means", "uniform", &["uniform:LOW,HIGH"]);
    refuses_flag("--means", "uniform:a,b", &["\"a\""]);
    refuses_flag("--means", "uniform:nan,1", &["nan"]);
    refuses_flag("--means", "uniform:0,inf", &["inf"]);
    refuses_flag("--means", "uniform:0,1e101", &["1e101"]);
    refuses_flag("--means", "fixed:1,2", &["2 means", "3 nodes"]);
    refuses_flag("--means", "fixed:", &["fixed:", "one or more numbers"]);
    refuses_flag("--noise", "uniform", &["uniform:HALF_WIDTH"]);
    refuses_flag("--noise", "uniform:-1", &["-1"]);
    refuses_flag("--noise", "gaussian:-0.5", &["-0.5"]);
    refuses_flag("--noise", "gaussian:nan", &["nan"]);
    refuses_flag("--noise", "gaussian:1,2", &["gaussian:DEVIATION"]);
    refuses_flag("--noise", "truncated-gaussian:1", &["truncated-gaussian:DEVIATION,HALF_WIDTH"]);
    refuses_flag("--noise", "beta:0", &["concentration is 0"]);
    refuses_flag("--noise", "empirical:", &["empirical:", "one or more numbers"]);
    // Each is fine, but not together with the means.
    refuses_flag("--noise", "bernoulli", &["9.5", "from 0 to 1"]);
    refuses_flag("--noise", "beta:10", &["9.5", "above 0 and below 1"]);
}

#[test]
fn counts_name_flag_value_and_range() {
    let twenty_digits = "99999999999999999999";
    for flag in ["--steps", "--runs", "--seed", "--start", "--checkpoints", "--jobs"] {
        for value in ["-1", "1.5", "1e3", "x", "", " 1", "0x10", twenty_digits] {
            refuses_flag(flag, value, &[value, "whole number"]);
        }
    }
    for flag in ["--steps", "--runs", "--checkpoints", "--jobs"] {
        refuses_flag(flag, "0", &["'0'", "from 1 to"]);
    }
    refuses_flag("--checkpoints", "1000001", &["1000001", "1000000"]);
    refuses_flag("--jobs", "65536", &["65536", "65535"]);
    refuses_flag("--steps", "9007199254740993", &["9007199254740993", "9007199254740992"]);
    refuses_flag("--runs", "18446744073709551615", &["18446744073709551615", "fewer"]);
    refuses_flag("--runs", "30000000", &["30000000", "fewer"]);
}

#[test]
fn too_many_records_for_memory_are_refused() {
    for flags in ["--runs 30000000 --checkpoints 1", "--runs 3000 --checkpoints 20000"] {
        let args = [words("run --graph line:2"), words(flags)].concat();
        refuses(&args, 2, &["--runs", "memory"]);
    }
}

#[test]
fn a_start_outside_the_graph() {
    refuses_flag("--start", "3", &["3", "0 to 2"]);
    refuses_flag("--start", "4294967295", &["4294967295", "0 to 2"]);
    let two = file("start-outside.csv", "a,b\n");
    refuses(&["run", "--graph", &two, "--start", "2"], 2, &["--start: 2", "0 to 1"]);
    refuses(&["run", "--graph", &two, "--start", "c"], 2, &["\"c\"", "such as \"a\""]);
    // If names are numbers, a number can only be a name.
    let numbers = file("start-numbers.csv", "10,20\n20,3\n");
    refuses(&["run", "--graph", &numbers, "--start", "1"], 2, &["\"1\"", "such as \"10\""]);
}

#[test]
fn flags_and_commands_that_do_not_exist() {
    refuses(&["run"], 2, &["--graph"]);
    refuses(&["run", "--graph"], 2, &["--graph"]);
    refuses(&["run", "line:3"], 2, &["line:3"]);
    refuses(&["run", "--graph", "line:3", "more"], 2, &["more"]);
    refuses(&["run", "--graph", "line:3", "--colour"], 2, &["--colour"]);
    refuses(&["run", "--graph", "line:3", "--graph", "line:4"], 2, &["--graph"]);
    refuses(&["run", "--graph", "line:3", "--json=yes"], 2, &["--json"]);
    refuses(&["rnu"], 2, &["rnu"]);
    refuses(&["list", "agents"], 2, &["\"agents\"", "`gbandit list --all` shows all names"]);
    refuses(&["list", "g-sta"], 2, &["there is no \"g-sta\"; did you mean g-star?"]);
    refuses(&["run", "--graph", "line:3", "--agents", "g-sta"], 2, &["did you mean g-star?"]);
    refuses(&["--verbose"], 2, &["--verbose"]);
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let strange = OsStr::from_bytes(b"\xff\xfe");
    let graph = [OsStr::new("run"), OsStr::new("--graph"), strange];
    refuses(&graph, 2, &["UTF-8"]);
    for flag in ["--agents", "--means", "--noise", "--steps", "--preset"] {
        let args = ["run", "--graph", "line:3", flag].map(OsStr::new);
        refuses(&[&args[..], &[strange]].concat(), 2, &[]);
    }
    refuses(&[strange], 2, &[]);
}
