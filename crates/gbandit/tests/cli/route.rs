//! `gbandit route`: roads that may be closed.

use crate::program::{Answer, file, gbandit, refuses, words};
use serde_json::{Value, json};
use std::path::PathBuf;

fn example(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../examples/roads");
    folder.join(name).into_os_string().into_string().unwrap()
}

fn succeeds(roads: &str, line: &str) -> Answer {
    let answer = gbandit(&[vec!["route", roads], words(line)].concat());
    assert_eq!(answer.code, 0, "{line}: {answer:?}");
    answer
}

fn route(roads: &str, line: &str) -> Value {
    let answer = succeeds(roads, &format!("{line} --json"));
    assert_eq!(answer.stderr, "", "{line}");
    assert_eq!(answer.stdout.lines().count(), 1, "{line}");
    serde_json::from_str(&answer.stdout).unwrap()
}

fn mean(answer: &Value) -> f64 {
    answer["mean"].as_f64().unwrap()
}

#[test]
fn the_small_graphs_have_the_means_of_the_reference() {
    for (name, best, optimistic) in [
        ("ctp5-00.csv", 78.3560, 82.0000),
        ("ctp5-01.csv", 26.4894, 26.5047),
        ("ctp5-03.csv", 40.9591, 45.4799),
    ] {
        for (policy, expected) in [("exact", best), ("optimistic", optimistic)] {
            let answer = route(&example(name), &format!("--from 0 --to 4 --policy {policy}"));
            assert!((mean(&answer) - expected).abs() < 1e-3, "{name}: {answer}");
            let rest = json!({"policy": policy, "mean": answer["mean"], "se": 0.0, "runs": 0});
            assert_eq!(answer, rest);
        }
    }
}

#[test]
fn a_simulated_policy_has_an_error_and_runs_and_follows_the_seed() {
    let roads = example("ctp20-00.csv");
    let uct = |end: &str| route(&roads, &format!("--from 0 --to 19 --policy uct --runs 20 {end}"));
    let one = uct("--seed 1 --rollouts 100 --jobs 1");
    let keys: Vec<&String> = one.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["mean", "policy", "runs", "se"]);
    assert_eq!(one["runs"], 20);
    assert!(one["se"].as_f64().unwrap() > 0.0 && mean(&one) > 100.0, "{one}");
    for jobs in ["--jobs 2", "--jobs 3", ""] {
        assert_eq!(uct(&format!("--seed 1 --rollouts 100 {jobs}")), one, "{jobs}");
    }
    assert_ne!(uct("--seed 2 --rollouts 100"), one);
    assert_ne!(uct("--seed 1 --rollouts 50"), one);
    // Values that one weather cannot give are null.
    let single = route(&roads, "--from 0 --to 19 --policy optimistic --runs 1");
    assert_eq!((&single["se"], &single["runs"]), (&Value::Null, &json!(1)));
}

#[test]
fn optimistic_agrees_with_the_reference() {
    let answer =
        route(&example("ctp20-01.csv"), "--from 0 --to 19 --policy optimistic --runs 4000");
    let error = answer["se"].as_f64().unwrap();
    assert!((mean(&answer) - 187.5).abs() < 4.0 * error.hypot(1.3), "{answer}");
}

#[test]
fn several_policies_meet_the_same_weathers() {
    let roads = example("ctp5-03.csv");
    let flags = "--from 0 --to 4 --runs 30 --rollouts 50 --policy";
    let all = route(&roads, &format!("{flags} all"));
    let names: Vec<&str> =
        all.as_array().unwrap().iter().map(|each| each["policy"].as_str().unwrap()).collect();
    assert_eq!(names, ["exact", "optimistic", "comparison", "uct", "beforehand"]);
    for (number, name) in names[..4].iter().enumerate() {
        assert_eq!(route(&roads, &format!("{flags} {name}")), all[number], "{name}");
    }
    // Requested runs are made; the exact mean needs none.
    assert_eq!((&all[0]["runs"], &all[1]["runs"]), (&json!(0), &json!(30)));
    let table = succeeds(&roads, &format!("{flags} uct,optimistic")).stdout;
    for part in ["5 nodes, 8 roads, 8 uncertain", "30 weathers", "vs uct", "beforehand", "±"] {
        assert!(table.contains(part), "{part}: {table}");
    }
    // With too many roads, `all` leaves out the exact policy.
    let all = route(&example("ctp20-00.csv"), "--from 0 --to 19 --runs 2 --rollouts 5");
    assert_eq!(all[0]["policy"], "optimistic");
}

#[test]
fn names_tabs_quotes_comments_and_missing_probabilities() {
    let text = "# a town\n\nFrom\tTo\tTime\n\"old town\"\tharbour\t2.5\n harbour \tmill\t4\n";
    let roads = file("route-names.csv", text);
    let args = ["route", &roads, "--from", "old town", "--to", "mill", "--json"];
    let answer = gbandit(&args);
    let all: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert!(all.as_array().unwrap().iter().all(|each| each["mean"] == 6.5), "{all}");
    let roads = file("route-unused.csv", "source,target,time,name\na,b,1,High Street\n");
    let answer = succeeds(&roads, "--from a --to b --policy optimistic");
    assert!(answer.stderr.contains("ignored column \"name\""), "{answer:?}");
}

/// Lowest next node: by number if all names are numbers, whatever the order of lines.
#[test]
fn ties_do_not_depend_on_the_order_of_lines() {
    let lines = ["0,10,1,1", "10,20,1,0.9", "0,2,1,1", "2,20,1,0.5"];
    let reversed: Vec<&str> = lines.iter().rev().copied().collect();
    for (name, lines) in [("route-tie-a.csv", lines.to_vec()), ("route-tie-b.csv", reversed)] {
        let text = format!("source,target,time,open_probability\n{}\n", lines.join("\n"));
        let answer = route(&file(name, text), "--from 0 --to 20 --policy optimistic");
        // Through 2 first, and through 10 if that is closed.
        let expected = (0.5 * 2.0 + 0.5 * 0.9 * 4.0) / 0.95;
        assert!((mean(&answer) - expected).abs() < 1e-12, "{name}: {answer}");
    }
}

#[test]
fn one_way_roads_may_be_a_trap() {
    let text = "source,target,time,open_probability\na,b,1,1\nb,c,1,0.5\na,c,9,1\n";
    let roads = file("route-trap.csv", text);
    assert_eq!(route(&roads, "--from a --to c --policy optimistic")["mean"], 6.5);
    assert_eq!(route(&roads, "--from a --to c --policy exact --directed")["mean"], 9.0);
    let answer = succeeds(&roads, "--from a --to c --policy optimistic --directed --json");
    let stuck: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!((&stuck["mean"], stuck["policy"].as_str()), (&Value::Null, Some("optimistic")));
    assert!(answer.stderr.contains("optimistic may get stuck"), "{answer:?}");
    let answer = succeeds(&roads, "--from a --to c --policy optimistic --directed --runs 50");
    assert!(answer.stdout.contains('∞') && answer.stderr.contains("of 50 weathers"), "{answer:?}");
    // Nothing leads back from c.
    let args = ["route", &roads, "--from", "c", "--to", "a", "--directed"];
    refuses(&args, 3, &[&roads, "no route leads from \"c\" to \"a\"", "--directed"]);
}

#[test]
fn bad_files_are_refused_by_line_and_value() {
    let header = "source,target,time,open_probability\n";
    for (name, text, line, parts) in [
        ("empty", String::new(), None, &["no roads", "source,target,time"][..]),
        ("header", header.to_owned(), None, &["no roads"]),
        ("no-header", "0,1,5,0.5\n".to_owned(), Some(1), &["no column \"source\""]),
        ("no-time", "source,target\n0,1\n".to_owned(), Some(1), &["no column \"time\""]),
        ("slip", "source,target,time,open_probabilty\n".to_owned(), Some(1), &["did you mean"]),
        ("two", "source,from,target,time\n".to_owned(), Some(1), &["columns 1 and 2", "keep one"]),
        ("few", format!("{header}0,1,5\n"), Some(2), &["3 fields", "has 4"]),
        ("end", format!("{header}# x\n\n0,,5,1\n"), Some(4), &["is empty"]),
        ("loop", format!("{header}a,a,5,1\n"), Some(2), &["\"a\" to itself"]),
        ("negative", format!("{header}0,1,-5,1\n"), Some(2), &["\"-5\"", "at least 0"]),
        ("nan", format!("{header}0,1,5,1\n1,2,NaN,1\n"), Some(3), &["\"NaN\"", "finite"]),
        ("huge", format!("{header}0,1,1e999,1\n"), Some(2), &["\"1e999\"", "finite"]),
        (
            "sum",
            format!("{header}0,1,1e308,1\n1,2,1e308,1\n"),
            Some(3),
            &["time 1e308", "add up", "larger unit"],
        ),
        ("above", format!("{header}0,1,5,1.5\n"), Some(2), &["\"1.5\"", "from 0 to 1"]),
        ("none", format!("{header}0,1,5,\n"), Some(2), &["open_probability \"\"", "from 0 to 1"]),
        (
            "twice",
            format!("{header}0,1,5,1\n1,0,5,1\n"),
            Some(3),
            &["already in line 2", "both ways"],
        ),
    ] {
        let path = file(&format!("route-bad-{name}.csv"), text);
        let place = line.map_or(format!("{path}: "), |line: u32| format!("{path}:{line}: "));
        let args = ["route", &path, "--from", "0", "--to", "1"];
        refuses(&args, 3, &[&place]);
        refuses(&args, 3, parts);
    }
    refuses(&["route", "no-such.csv", "--from", "0", "--to", "1"], 3, &["no-such.csv"]);
    let bytes = file("route-bad-bytes.csv", b"source,target,time\n0,\xff,1\n");
    refuses(&["route", &bytes, "--from", "0", "--to", "1"], 3, &[":2: ", "UTF-8"]);
}

#[test]
fn bad_flags_are_refused_by_name_and_value() {
    let large = example("ctp20-00.csv");
    let with = |flags: &str, code: i32, parts: &[&str]| {
        refuses(&[vec!["route", &large], words(flags)].concat(), code, parts);
    };
    with("--from 0 --to 19 --policy exact", 2, &["--policy", "49 roads", "at most 18"]);
    with("--from 0 --to 19 --policy ucb", 2, &["--policy", "\"ucb\"", "comparison", "all"]);
    with("--from 0 --to 20", 2, &["--to", "\"20\"", "not a node"]);
    with("--from x --to 19", 2, &["--from", "\"x\"", "not a node"]);
    with("--from 0 --to 19 --runs 0", 2, &["--runs", "whole number"]);
    with("--from 0 --to 19 --rollouts 0", 2, &["--rollouts", "whole number"]);
    with("--from 0", 2, &["--to"]);
    let apart = file("route-apart.csv", "source,target,time\na,b,1\nc,d,1\n");
    refuses(&["route", &apart, "--from", "a", "--to", "d"], 3, &[&apart, "\"a\" to \"d\""]);
    let never = "source,target,time,open_probability\na,b,1,1e-9\n";
    let never = file("route-never.csv", never);
    let args = ["route", &never, "--from", "a", "--to", "b", "--policy", "uct", "--runs", "2"];
    refuses(&args, 2, &["--to", "1000000 weathers"]);
}
