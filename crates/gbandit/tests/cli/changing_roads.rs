//! Roads that close and noisy travel times: on the command line, in studies, from maps.

use crate::program::{file, gbandit, numbers, refuses, run_json, timeless};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;

const ROADS: &str = "source,target,time\na,b,1\nb,c,2.5\nc,a,0.5\nb,a,3\na,c,4\nlone,other,1\n";

/// Runs a study of one case; returns its file of results.
fn study(name: &str, case: &str) -> PathBuf {
    let text = format!(
        "name = '{name}'\ntitle = 'Roads'\nsteps = 600\nruns = 4\ncheckpoints = 3\nseed = 5\n\
         agents = ['g-ucb']\n[[cases]]\n{case}"
    );
    let study = file(&format!("{name}.toml"), text);
    let out = PathBuf::from(&study).with_file_name(format!("{name}-out"));
    let answer = gbandit(&["study", &study, "--out", out.to_str().unwrap(), "--force"]);
    assert_eq!(answer.code, 0, "{answer:?}");
    out
}

fn read(path: PathBuf) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// The curve of a study with one agent on one case.
fn regret(name: &str, case: &str) -> Vec<f64> {
    let figure = read(study(name, case).join(format!("figures/{name}.json")));
    let points = &figure["panels"][0]["body"]["curves"]["series"][0]["points"];
    let after_start = &points.as_array().unwrap()[1..];
    after_start.iter().map(|point| point[1].as_f64().unwrap()).collect()
}

fn by_flags(flags: &str) -> Vec<f64> {
    let always = "--agents g-ucb --steps 600 --runs 4 --checkpoints 3 --seed 5";
    numbers(&run_json(&format!("{flags} {always}"))["agents"][0]["regret_mean"])
}

/// Means of the same runs: only the order of the sum may differ.
fn assert_close(one: &[f64], other: &[f64]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert!((one - other).abs() <= 1e-12 * one.abs().max(1.0), "{one} {other}");
    }
}

/// A study's case has the same luck as the same flags, key by key.
#[test]
fn studies_equal_runs_with_the_same_flags() {
    let roads = file("study-changing.csv", ROADS);
    let case =
        format!("graph = '{roads}'\ndirected = true\ntimes = 'time'\nlargest-component = true\n");
    let flags = format!("--graph {roads} --directed --times time --largest-component");
    let mut seen = Vec::new();
    for (name, keys, more) in [
        (
            "changing",
            "closures = ' 0.05, 0.20'\ntravel-noise = 0.3\n",
            "--closures 0.05,0.2 --travel-noise 0.3",
        ),
        ("closing", "closures = '0.05,0.2'\n", "--closures 0.05,0.2"),
        ("noisy", "travel-noise = 0.3\n", "--travel-noise 0.3"),
        ("still", "", ""),
    ] {
        let regret = regret(name, &format!("{case}{keys}"));
        assert_close(&regret, &by_flags(&format!("{flags} {more}")));
        assert!(!seen.contains(&regret), "{name} changes nothing");
        seen.push(regret);
    }
}

/// Everything that determines results is in the plan; defaults are not, so that earlier plans stay
/// the same.
#[test]
fn plans_contain_what_determines_results() {
    let roads = file("plan-changing.csv", ROADS);
    let case = format!("graph = '{roads}'\nlargest-component = true\n");
    let spec = |name: &str, keys: &str| {
        let manifest = read(study(name, &format!("{case}{keys}")).join("manifest.json"));
        (manifest["spec"]["cells"][0].clone(), manifest["graphs"].clone())
    };
    let (cell, graphs) = spec("plan-one", "closures = '0.050,0.2'\ntravel-noise = 1\n");
    assert_eq!(
        (&cell["closures"], &cell["travel-noise"], &cell["largest-component"]),
        (&json!("0.05,0.2"), &json!(1.0), &json!(true))
    );
    assert!(graphs.get(format!("{roads} largest-component")).is_some(), "{graphs}");
    let whole = file("plan-whole.csv", "source,target\na,b\n");
    let manifest = read(study("plan-two", &format!("graph = '{whole}'\n")).join("manifest.json"));
    let cell = manifest["spec"]["cells"][0].as_object().unwrap();
    for key in ["closures", "travel-noise", "largest-component"] {
        assert!(!cell.contains_key(key), "{cell:?}");
    }
}

#[test]
fn mistakes_in_studies_name_file_line_and_key() {
    let roads = file("mistaken-changing.csv", ROADS);
    let head = "name = 'wrong'\ntitle = 'Wrong'\n[[cases]]\n";
    for (case, parts) in [
        (
            "graph = 'line:3'\nclosures = '0.1'\n",
            &["wrong.toml:5: ", "`closures`", "such as 0.01,0.1"][..],
        ),
        (
            "graph = 'line:3'\nclosures = '0.1,-2'\n",
            &["wrong.toml:5: ", "rate -2", "closed for good"],
        ),
        ("graph = 'line:3'\nclosures = 0.1\n", &["wrong.toml:5: ", "expected a string"]),
        (
            "graph = 'line:3'\ntravel-noise = -1\n",
            &["wrong.toml:5: ", "`travel-noise`", "scale -1", "0 to 10"],
        ),
        ("graph = 'line:3'\ntravel-noise = nan\n", &["wrong.toml:5: ", "scale NaN"]),
        ("graph = 'line:3'\nclosure = '0.1,1'\n", &["wrong.toml:5: ", "did you mean `closures`?"]),
        ("graph = 'line:3'\nlargest-component = 1\n", &["wrong.toml:5: ", "boolean"]),
        (
            "graph = 'line:3'\nclosures = 'map'\n",
            &["wrong.toml: ", "closures: ", "line:3 have no rates"],
        ),
        (
            "graph = 'mistaken-changing.csv'\n",
            &["wrong.toml: ", "2 parts", "(largest-component = true)"],
        ),
        (
            "graph = 'mistaken-changing.csv'\nlargest-component = true\nclosures = 'map'\n",
            &["wrong.toml: ", "no edge has a closing_rate", "(closures = \"RATE,RATE\")"],
        ),
    ] {
        let study = file("wrong.toml", format!("{head}{case}"));
        let out = PathBuf::from(&roads).with_file_name("wrong-out");
        refuses(&["study", &study, "--out", out.to_str().unwrap(), "--force"], 3, parts);
    }
}

/// If all roads of a map have the same rates, the result equals that of the flag; otherwise it does
/// not.
#[test]
fn rates_of_a_map_are_used_on_request() {
    let head = "source,target,time,closing_rate,reopening_rate\n";
    let alike = file(
        "alike.csv",
        format!("{head}a,b,1,0.05,0.2\nb,c,2.5,.05,0.2\nc,a,0.5,0.05,2e-1\nb,a,3,0.05,0.2\n"),
    );
    let some =
        file("some.csv", format!("{head}a,b,1,0.05,0.2\nb,c,2.5,,\nc,a,0.5,0.01,0\nb,a,3,,\n"));
    let roads = "--directed --times time";
    for travel in [roads, ""] {
        let regret = |map: &str, more: &str| by_flags(&format!("--graph {map} {travel} {more}"));
        let of_map = regret(&alike, "--closures map");
        assert_eq!(of_map, regret(&alike, "--closures 0.05,0.2"), "{travel}");
        assert_ne!(of_map, regret(&alike, ""), "{travel}");
    }
    let of_some = by_flags(&format!("--graph {some} {roads} --closures map"));
    assert_ne!(of_some, by_flags(&format!("--graph {some} {roads}")));
    assert_ne!(of_some, by_flags(&format!("--graph {alike} {roads} --closures map")));
    let case = format!("graph = '{some}'\ndirected = true\ntimes = 'time'\nclosures = 'map'\n");
    assert_close(&regret("of-map", &case), &of_some);
    // The rates come from the file, so they are part of the graph's fingerprint.
    let graphs = |name| read(study(name, &case).join("manifest.json"))["graphs"].clone();
    let before = graphs("of-map-before");
    fs::write(&some, fs::read_to_string(&some).unwrap().replace("0.01,0", "0.02,0")).unwrap();
    let (key, after) = (format!("{some} directed times=time closures=map"), graphs("of-map-after"));
    assert!(before[&key].is_string() && before[&key] != after[&key], "{before} {after}");
    // Converted to other formats and back, not a bit is lost.
    let expected = timeless(&format!("--graph {some} {roads} --closures map --steps 300 --runs 2"));
    let mut last = some;
    for name in ["rates.graphml", "rates.geojson", "rates.csv"] {
        let next = file(name, "");
        // An edge list cannot record directions itself.
        let directed: &[&str] = if name == "rates.graphml" { &["--directed"] } else { &[] };
        let answer = gbandit(&[&["graph", "convert", &last, &next], directed].concat());
        assert_eq!(answer.code, 0, "{answer:?}");
        let found =
            timeless(&format!("--graph {next} {roads} --closures map --steps 300 --runs 2"));
        assert_eq!(found["agents"], expected["agents"], "{name}");
        last = next;
    }
}

#[test]
fn info_shows_whether_rates_are_used() {
    let head = "source,target,time,closing_rate,reopening_rate\n";
    let map = file("info-rates.csv", format!("{head}a,b,1,0.05,0.2\nb,c,2,0.01,0\nc,a,3,,\n"));
    let info = |more: &[&str]| gbandit(&[&["graph", "info", &map], more].concat()).stdout;
    assert!(
        info(&[]).contains("closing_rate of 2 edges (--times FIELD, --closures map)"),
        "{}",
        info(&[])
    );
    let used = info(&["--closures", "map"]);
    let said = "of 2 roads, at rates 0.01 to 0.05; they reopen at 0 to 0.2 per unit of time; 1 close for good";
    assert!(used.contains(said), "{used}");
    assert!(!used.contains("closing_rate of 2 edges ("), "{used}");
    let object: Value =
        serde_json::from_str(&info(&["--closures", "map", "--times", "time", "--json"])).unwrap();
    assert_eq!(
        object["travel"]["closing"],
        json!({"roads": 4, "for_good": 2, "closing_rates": [0.01, 0.05], "reopening_rates": [0.0, 0.2]})
    );
    let plain: Value = serde_json::from_str(&info(&["--json"])).unwrap();
    assert_eq!(
        (&plain["travel"]["closing"], &plain["travel"]["left_out"]["rates"]),
        (&Value::Null, &json!(2))
    );
    let answer =
        gbandit(&["run", "--graph", &map, "--times", "time", "--steps", "9", "--runs", "1"]);
    assert!(
        answer.stderr.contains("left out: closing_rate of 2 edges (--closures map)"),
        "{answer:?}"
    );
    let table =
        gbandit(&["run", "--graph", &map, "--closures", "map", "--steps", "9", "--runs", "1"]);
    assert!(table.stdout.contains("at the rates of the map"), "{table:?}");
}

#[test]
fn impossible_rates_name_file_line_value_and_remedy() {
    let head = "source,target,closing_rate,reopening_rate\na,b,0.1,0.5\n";
    let refused = |name: &str, lines: &str, flags: &[&str], parts: &[&str]| {
        let map = file(name, format!("{head}{lines}"));
        refuses(&[&["run", "--graph", &map, "--closures", "map"], flags].concat(), 3, parts);
        let valid = gbandit(&[&["graph", "validate", &map, "--closures", "map"], flags].concat());
        assert_eq!(valid.code, 3, "{valid:?}");
    };
    for (line, said) in [
        ("b,c,-0.1,1", &["closing_rate = -0.1", "from 0 to 1000"][..]),
        ("b,c,NaN,1", &["closing_rate = \"NaN\"", "from 0 to 1000"]),
        ("b,c,often,1", &["closing_rate = \"often\"", "write a number"]),
        ("b,c,0.1,1e-9", &["reopening_rate = 1e-9", "0 (closed for good)"]),
        ("b,c,0.1,inf", &["reopening_rate = \"inf\"", "to 1000"]),
        ("b,c,0.1,", &["has a closing_rate but no reopening_rate", "0 if it closes for good"]),
        ("b,c,,0.1", &["has a reopening_rate but no closing_rate", "0 if it is always open"]),
        ("b,a,0.2,0.5", &["rates 0.2 and 0.5", "on line 2 has rates 0.1 and 0.5", "(--directed)"]),
    ] {
        let all = [&["bad-rates.csv:3: ", "the edge from \"b\" to "], said].concat();
        refused("bad-rates.csv", &format!("{line}\n"), &[], &all);
    }
    // Directions do not help if no road is one-way: the edge closes in both directions.
    refused(
        "both-rates.csv",
        "b,a,0.2,0.5\n",
        &["--directed"],
        &["other rates than the road back", "--times"],
    );
    // Of parallel roads the fastest counts, with its rates.
    let head = "source,target,time,closing_rate,reopening_rate\n";
    let text = format!("{head}a,b,1,0.1,0.5\na,b,2,0.2,0.5\nb,a,1,0.1,0.5\n");
    let parallel = file("parallel-rates.csv", &text);
    let alone = file("alone-rates.csv", format!("{head}a,b,1,0.1,0.5\nb,a,1,0.1,0.5\n"));
    let run =
        |map: &str| by_flags(&format!("--graph {map} --directed --times time --closures map"));
    assert_eq!(run(&parallel), run(&alone));
    let tied = file("tied-rates.csv", text.replace("a,b,2,0.2", "a,b,1,0.2"));
    let args = ["run", "--graph", &tied, "--directed", "--times", "time", "--closures", "map"];
    refuses(&args, 3, &["tied-rates.csv:3: ", "rates 0.2 and 0.5", "line 2", "same rates"]);
    refuses(
        &["run", "--graph", "line:3", "--closures", "map"],
        2,
        &["--closures: ", "such as 0.01,0.1"],
    );
    let twice =
        file("twice.csv", "source,target,closing_rate,closing_rate,reopening_rate\na,b,1,2,3\n");
    refuses(&["run", "--graph", &twice, "--closures", "map"], 3, &["twice.csv:1: ", "two columns"]);
}
