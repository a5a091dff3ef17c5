//! Maps with directions and times on the command line.

use crate::program::{Answer, file, gbandit, numbers, refuses, run_json, timeless};
use serde_json::{Value, json};
use std::path::PathBuf;

fn fixture(name: &str) -> String {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../graph-bandit-maps/tests/fixtures");
    folder.join(name).into_os_string().into_string().unwrap()
}

fn succeeds(args: &[&str]) -> Answer {
    let answer = gbandit(args);
    assert_eq!(answer.code, 0, "{args:?}: {answer:?}");
    answer
}

fn info(args: &[&str]) -> Value {
    let args = [&["graph", "info", "--json"], args].concat();
    serde_json::from_str(&succeeds(&args).stdout).unwrap()
}

/// As in the documentation, but shorter.
#[test]
fn runs_on_roads() {
    let roads = file("round.csv", "source,target,time\na,b,1\nb,c,2.5\nc,a,0.5\nb,a,3\n");
    let flags = "--directed --times time --agents g-ucb,g-star --steps 2000 --runs 3";
    let run = run_json(&format!("--graph {roads} {flags}"));
    assert_eq!((&run["graph"]["nodes"], run["agents"].as_array().unwrap().len()), (&json!(3), 2));
    // If all roads are taken as equal, agents do differently.
    let plain = run_json(&format!("--graph {roads} --agents g-ucb,g-star --steps 2000 --runs 3"));
    assert_ne!(run["agents"][0]["regret_mean"], plain["agents"][0]["regret_mean"]);
    let town = fixture("town.graphml");
    let flags = "--times travel_time --visit-time 30 --agents g-star --start 240109189";
    let run = run_json(&format!("--graph {town} {flags} --steps 500 --runs 1"));
    assert_eq!(run["graph"]["nodes"], 40);
}

#[test]
fn info_and_run_agree_on_the_time_diameter() {
    let town = fixture("town.graphml");
    let times = ["--times", "travel_time", "--visit-time", "30"];
    let said = info(&[&[town.as_str()], &times[..]].concat());
    let flags = "--times travel_time --visit-time 30 --agents g-ucb --steps 10 --runs 1";
    let run = run_json(&format!("--graph {town} {flags}"));
    assert!(said["time_diameter"].as_f64().unwrap() > 1.0);
    assert_eq!(said["time_diameter"], run["graph"]["roads"]["time_diameter"]);
    assert_eq!(info(&[&town]).get("time_diameter"), None);
}

#[test]
fn windows_that_do_not_support_roads_are_refused_before_any_run() {
    let roads = file("windows.csv", "source,target\na,b\nb,c\nc,a\n");
    let args = ["run", "--graph", &roads, "--directed", "--window", "last", "--runs", "1"];
    refuses(&args, 2, &["window", "last does not support roads", "use first"]);
}

#[test]
fn roads_close_and_drives_are_noisy() {
    let roads = file("closing.csv", "source,target,time\na,b,1\nb,c,2.5\nc,a,0.5\nb,a,3\na,c,4\n");
    for graph in ["grid:4x4", &format!("{roads} --directed --times time")] {
        let flags = format!("--graph {graph} --agents g-star,ql-eps --steps 1500 --runs 4");
        let changing = format!("{flags} --closures 0.05,0.2 --travel-noise 0.3");
        let one = timeless(&format!("{changing} --jobs 1"));
        assert_eq!(one, timeless(&format!("{changing} --jobs 4")), "same seed, same bits");
        assert_ne!(one["agents"][0]["regret_mean"], timeless(&flags)["agents"][0]["regret_mean"]);
    }
    // Roads that never close change nothing.
    let flags = format!("--graph {roads} --directed --times time --steps 1500 --runs 4");
    let regret = |line: &str| numbers(&timeless(line)["agents"][0]["regret_mean"]);
    let pairs = regret(&flags).into_iter().zip(regret(&format!("{flags} --closures 0,1")));
    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-6));
    let table = succeeds(&["run", "--graph", "line:3", "--closures", "0.1,0.5", "--runs", "2"]);
    assert!(table.stdout.contains("roads close and reopen at rates 0.1,0.5"), "{table:?}");
    for (flag, value, remedy) in [
        ("--closures", "0.1", "such as 0.01,0.1"),
        ("--closures", "-0.1,1", "from 0 to 1000"),
        ("--closures", "0.1,inf", "closed for good"),
        ("--travel-noise", "-1", "from 0 to 10"),
    ] {
        refuses(&["run", "--graph", "line:3", flag, value], 2, &[flag, remedy]);
    }
}

#[test]
fn info_shows_what_was_used_guessed_and_left_out() {
    let town = fixture("town.graphml");
    let plain = info(&[&town]);
    assert_eq!(plain["travel"]["left_out"]["one_way"], 6);
    assert_eq!(
        (&plain["travel"]["directed"], &plain["travel"]["times"]),
        (&json!(false), &Value::Null)
    );
    let timed = info(&[&town, "--times", "travel_time", "--visit-time", "30"]);
    let travel = &timed["travel"];
    assert_eq!((&travel["roads"], &travel["one_way"]), (&json!(110), &json!(6)));
    assert_eq!(
        (&travel["times"]["field"], &travel["times"]["unit"]),
        (&json!("travel_time"), &json!("seconds"))
    );
    assert_eq!((&timed["nodes"], &timed["edges"]), (&plain["nodes"], &plain["edges"]));
    assert_eq!(timed["parts"].as_array().unwrap().len(), 1);
    let text =
        succeeds(&["graph", "info", &town, "--times", "maxspeed", "--visit-time", "30"]).stdout;
    for part in [
        "1 connected in both directions",
        "110, 6 of them one way",
        "maxspeed, in kilometres per hour; a visit takes 30.0 seconds",
        "edges, from length and the usual speed on the kind of road",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let extract = fixture("osmium.osm.pbf");
    let walk = info(&[&extract, "--times", "travel_time"]);
    assert_eq!(walk["travel"]["guessed"][0]["rule"], "on-foot");
}

/// A note on standard error: which flags use what the file has.
#[test]
fn runs_name_the_flags_for_what_is_left_out() {
    let town = fixture("town.graphml");
    let answer = succeeds(&["run", "--graph", &town, "--steps", "9", "--runs", "1", "--json"]);
    let note = answer.stderr.lines().last().unwrap();
    for part in [
        "lead both ways and take one step",
        "6 one-way roads",
        "travel_time of 111 edges",
        "--directed, --times FIELD, --speed",
    ] {
        assert!(note.contains(part), "{part}: {note}");
    }
    let used = ["--times", "travel_time", "--steps", "9", "--runs", "1", "--json"];
    let answer = succeeds(&[&["run", "--graph", &town], &used[..]].concat());
    assert_eq!(answer.stderr, "");
}

/// Converted through all formats, the roads are the same at the end.
#[test]
fn conversions_keep_roads() {
    let town = fixture("town.graphml");
    let flags = ["--times", "travel_time", "--visit-time", "30"];
    let expected = info(&[&[town.as_str()], &flags[..]].concat())["travel"].clone();
    let mut last = town;
    for name in ["roads.geojson", "roads.graphml"] {
        let next = file(name, "");
        let answer = succeeds(&["graph", "convert", &last, &next]);
        assert_eq!(answer.stdout, format!("{next}: 40 nodes, 58 edges, 111 roads\n"));
        assert_eq!(answer.stderr, "", "{name}");
        assert_eq!(info(&[&[next.as_str()], &flags[..]].concat())["travel"], expected, "{name}");
        last = next;
    }
    let list = file("roads.csv", "");
    let answer = succeeds(&["graph", "convert", &last, &list]);
    assert!(answer.stderr.contains("directions of edges left out"), "{answer:?}");
    assert!(answer.stderr.contains("(--directed)"), "{answer:?}");
    let directed = [&[list.as_str(), "--directed"], &flags[..]].concat();
    assert_eq!(info(&directed)["travel"], expected);
    // With times, they are written in units of one visit.
    let units = file("units.csv", "");
    succeeds(&[&["graph", "convert", last.as_str(), units.as_str()], &flags[..]].concat());
    let read = info(&[&units, "--directed", "--times", "time"]);
    for key in ["fastest", "median", "slowest"] {
        assert_eq!(read["travel"]["times"][key], expected["times"][key], "{key}");
    }
}

#[test]
fn mistakes_name_file_line_value_and_flag() {
    let trap = file("trap.csv", "source,target,time\na,b,1\nb,a,1\nb,c,2\n");
    let negative = file("negative.csv", "source,target,time\na,b,1\nb,c,-2\n");
    let both = file("both.csv", "source,target,time,travel_time\na,b,1,2\n");
    let oneway = file("oneway.csv", "source,target,time,oneway\na,b,1,yes\n");
    let metres = file("metres.csv", "source,target,length,time\na,b,5,1\nb,c,7,\n");
    for (args, code, parts) in [
        (
            vec![trap.as_str(), "--directed"],
            3,
            &["trap.csv:4: ", "\"c\" to node \"b\"", "(--largest-component)"][..],
        ),
        (vec![&negative, "--times", "time"], 3, &["negative.csv:3: ", "time = -2"]),
        (vec![&both, "--visit-time", "3"], 3, &["time and travel_time", "(--times FIELD)"]),
        (vec![&oneway, "--times", "time"], 3, &["oneway.csv:2: ", "(--directed)"]),
        (vec![&metres, "--times", "time"], 3, &["metres.csv:3: ", "has no time", "(--speed)"]),
        (
            vec![&metres, "--times", "tme"],
            3,
            &["no edge has a field \"tme\"", "did you mean \"time\"? (--times FIELD)"],
        ),
        (vec!["grid:3x3", "--times", "time"], 2, &["--times: the roads of grid:3x3"]),
        (vec!["grid:3x3", "--directed"], 2, &["--directed: "]),
        (vec![&metres, "--speed", "-1"], 2, &["--speed", "above 0"]),
        (vec![&metres, "--visit-time", "inf"], 2, &["--visit-time", "above 0"]),
    ] {
        refuses(&[&["run", "--graph"], &args[..]].concat(), code, parts);
    }
    let kept = info(&[&trap, "--directed", "--times", "time", "--largest-component"]);
    assert_eq!((&kept["nodes"], &kept["parts"][1]["member"]), (&json!(2), &json!("c")));
    let guessed = info(&[&metres, "--times", "time", "--speed", "2"]);
    assert_eq!(guessed["travel"]["guessed"], json!([{"rule": "speed", "count": 1}]));
}

/// The same file with and without times: two cases of one study, each with its own fingerprint.
#[test]
fn studies_have_roads() {
    let roads = file("study-roads.csv", "source,target,time\na,b,1\nb,c,2\nc,a,0\n");
    let case = format!("graph = '{roads}'\n");
    let text = format!(
        "name = 'roads'\ntitle = 'Roads'\nsteps = 50\nruns = 2\ncheckpoints = 2\n\
         [[cases]]\ntitle = 'plain'\n{case}\
         [[cases]]\ntitle = 'timed'\n{case}directed = true\ntimes = 'time'\n\
         [[cases]]\ntitle = 'seconds'\n{case}times = 'time'\nvisit-time = 2\n"
    );
    let study = file("roads.toml", text);
    let out = PathBuf::from(&study).with_file_name("roads-study");
    succeeds(&["study", &study, "--out", out.to_str().unwrap(), "--jobs", "1", "--force"]);
    let manifest = std::fs::read_to_string(out.join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_str(&manifest).unwrap();
    let hashes = manifest["graphs"].as_object().unwrap();
    let keys: Vec<&str> = hashes.keys().map(String::as_str).collect();
    let expected = [
        roads.clone(),
        format!("{roads} directed times=time"),
        format!("{roads} times=time visit-time=2"),
    ];
    assert_eq!(keys, expected);
    let mut values: Vec<&Value> = hashes.values().collect();
    values.dedup();
    assert_eq!(values.len(), 3);
    let cells = manifest["spec"]["cells"].as_array().unwrap();
    assert!(cells[0].get("travel").is_none(), "{:?}", cells[0]);
    assert_eq!(cells[1]["travel"], json!({"directed": true, "times": "time"}));
    assert_eq!(cells[2]["travel"], json!({"directed": false, "times": "time", "visit-time": 2.0}));
}
