//! `gbandit graph`, and maps in place of graph families.

use crate::campaign::scratch;
use crate::program::{Answer, file, gbandit, refuses, run_json, words};
use serde_json::{Value, json};
use std::path::PathBuf;

/// A file written by another program.
fn fixture(name: &str) -> String {
    let folder =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../graph-bandit-maps/tests/fixtures");
    folder.join(name).into_os_string().into_string().unwrap()
}

/// A path to write to, with no file there.
fn fresh(name: &str) -> String {
    let path = file(name, "");
    std::fs::remove_file(&path).unwrap();
    path
}

fn succeeds(args: &[&str]) -> Answer {
    let answer = gbandit(args);
    assert_eq!(answer.code, 0, "{args:?}: {answer:?}");
    answer
}

fn info(path: &str) -> Value {
    serde_json::from_str(&succeeds(&["graph", "info", path, "--json"]).stdout).unwrap()
}

#[test]
fn info_shows_what_a_map_has() {
    let town = info(&fixture("networkx.graphml"));
    for (key, value) in [
        ("nodes", json!(3)),
        ("edges", json!(2)),
        ("degrees", json!([1, 2])),
        ("diameter", json!([2, 2])),
        ("named", json!(true)),
        ("coordinates", json!("plane")),
        ("bounds", json!([[0.0, -2.25], [3.0, 4.0]])),
        ("lengths", json!(2)),
        ("total_length", json!(7.75)),
        ("attributes", json!({"name": "town", "year": 1291})),
        ("parts", json!([{"nodes": 3, "member": "harbour"}])),
    ] {
        assert_eq!(town[key], value, "{key}");
    }
    assert_eq!(town["edge_attributes"][0], json!({"name": "surface", "count": 1}));
    assert_eq!(town["notes"][0]["kind"], "self-loops");
    let text = succeeds(&["graph", "info", &fixture("networkx.graphml")]).stdout;
    for part in
        ["nodes        3, such as \"harbour\"", "plane, 0 -2.25 to 3 4", "1 self-loop left out"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
}

/// Several parts are not an error here: `info` describes them.
#[test]
fn info_lists_the_parts() {
    let streets = info(&fixture("osmnx.graphml"));
    assert_eq!(streets["nodes"], 4);
    assert_eq!(streets["parts"].as_array().unwrap().len(), 3);
    assert_eq!(streets["parts"][1], json!({"nodes": 2, "member": "6"}));
    let text = succeeds(&["graph", "info", &fixture("osmnx.graphml")]).stdout;
    assert!(text.contains("3 (4 nodes with \"1\"; 2 nodes with \"6\"; 1 node, \"8\")"), "{text}");
    assert_eq!(info("grid:2x3")["edges"], 7);
}

#[test]
fn validate_lists_findings_and_sets_the_exit_code() {
    let clean = file("valid.csv", "a,b\nb,c\n");
    let answer = succeeds(&["graph", "validate", &clean]);
    assert!(answer.stdout.contains("no findings"), "{answer:?}");
    let town = fixture("networkx.graphml");
    let answer = succeeds(&["graph", "validate", &town]);
    assert!(answer.stdout.contains("note: 1 self-loop left out"), "{answer:?}");
    let answer = gbandit(&["graph", "validate", "--strict", &town]);
    assert_eq!((answer.code, answer.stderr.contains("1 finding")), (3, true), "{answer:?}");
    let streets = fixture("osmnx.graphml");
    let answer = gbandit(&["graph", "validate", "--json", &streets]);
    assert_eq!(answer.code, 3);
    let object: Value = serde_json::from_str(&answer.stdout).unwrap();
    assert_eq!(object["valid"], false);
    let findings = object["findings"].as_array().unwrap();
    assert_eq!((&findings[0]["severity"], &findings[0]["line"]), (&json!("error"), &json!(36)));
    assert!(findings[0]["text"].as_str().unwrap().contains("3 parts"), "{findings:?}");
    assert!(findings.iter().any(|f| f["text"] == "8 directed edges taken for both directions"));
    let answer = succeeds(&["graph", "validate", "--largest-component", &streets]);
    assert!(answer.stdout.contains("2 smaller parts with 3 nodes left out"), "{answer:?}");
    let broken = file("broken.graphml", "<graphml>\n<graph>\n<node/></graph></graphml>");
    let answer = gbandit(&["graph", "validate", &broken]);
    assert_eq!(answer.code, 3);
    let expected = format!("{broken}:3: error: this node has no id; give every node one\n");
    assert_eq!(answer.stdout, expected);
}

/// Converted through all lossless formats, the map is the same according to `info`.
#[test]
fn convert_keeps_everything_or_reports_losses() {
    let town = fixture("networkx.graphml");
    let mut last = town.clone();
    for name in ["town.geojson", "town.graphml"] {
        let next = fresh(name);
        let answer = succeeds(&["graph", "convert", &last, &next]);
        assert_eq!(answer.stdout, format!("{next}: 3 nodes, 2 edges\n"));
        assert!(!answer.stderr.contains(&next), "{answer:?}");
        let (mut before, mut after) = (info(&town), info(&next));
        for object in [&mut before, &mut after] {
            object["graph"] = Value::Null;
            object["notes"] = Value::Null;
        }
        assert_eq!(before, after, "{name}");
        last = next;
    }
    let csv = fresh("town.csv");
    let answer = succeeds(&["graph", "convert", &last, &csv]);
    for part in ["3 coordinates of nodes left out", "2 attributes of the map left out"] {
        assert!(answer.stderr.contains(part), "{part}: {answer:?}");
    }
    let written = std::fs::read_to_string(&csv).unwrap();
    assert!(written.starts_with("source,target,length,surface,weight\nharbour,market,2.75,,3\n"));
}

#[test]
fn convert_to_the_route_server() {
    let path = fresh("route.geojson");
    succeeds(&["graph", "convert", "grid:2x2", &path, "--to", "nav2"]);
    let route: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
    let features = route["features"].as_array().unwrap();
    let edges: Vec<&Value> =
        features.iter().filter(|f| !f["properties"]["startid"].is_null()).collect();
    assert_eq!((features.len(), edges.len()), (12, 8));
    let mut ids: Vec<u64> =
        features.iter().map(|f| f["properties"]["id"].as_u64().unwrap()).collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..12).collect::<Vec<_>>());
    assert_eq!(info(&path)["edges"], 4);
}

#[test]
fn convert_refuses_what_it_cannot_do() {
    let town = fixture("networkx.graphml");
    refuses(&["graph", "convert", &town, "town.osm.pbf"], 3, &["only be read", ".graphml"]);
    refuses(&["graph", "convert", &town, "town.xyz"], 3, &["geojson", "osm (--to)"]);
    refuses(&["graph", "convert", &town, "/nowhere/town.csv"], 3, &["/nowhere/town.csv"]);
    refuses(
        &["graph", "convert", "nothing.csv", "town.csv"],
        3,
        &["nothing.csv", "grid:ROWSxCOLUMNS"],
    );
    refuses(&["graph", "convert", "--to", "shp", &town, "x"], 2, &["shp", "graphml"]);
}

/// The same runs, whatever format the map is in; the start is given by name.
#[test]
fn every_format_is_a_graph_to_run_on() {
    let rest = "--start market --steps 50 --runs 2 --agents g-ucb";
    let regret = |graph: &str| {
        let run = run_json(&format!("--graph {graph} {rest}"));
        (run["graph"].clone(), run["agents"][0]["regret_mean"].clone())
    };
    let town = fixture("networkx.graphml");
    let expected = regret(&town);
    assert_eq!(expected.0["nodes"], 3);
    for name in ["run.geojson", "run.csv"] {
        let path = fresh(name);
        succeeds(&["graph", "convert", &town, &path]);
        assert_eq!(regret(&path), expected, "{name}");
    }
    let streets = fixture("osmium.osm.pbf");
    refuses(
        &["run", "--graph", &streets],
        3,
        &["2 parts", "the largest part (--largest-component)"],
    );
    let run = |flags: &str| {
        run_json(&format!("--graph {streets} --largest-component {flags} --steps 9 --runs 1"))
    };
    assert_eq!(run("--start 5")["graph"]["edges"], 3);
    assert_eq!(run("--start 8 --ways drive")["graph"]["nodes"], 4);
}

#[test]
fn the_format_can_be_given() {
    let text = "<graphml>\n<graph><edge source='a' target='b'/></graph></graphml>";
    let path = file("a-graph.csv", text);
    refuses(&["run", "--graph", &path], 3, &["a-graph.csv"]);
    assert_eq!(info(&file("a-graph.txt", text))["nodes"], 2);
    let answer = succeeds(&["graph", "info", "--format", "graphml", "--json", &path]);
    assert!(answer.stdout.contains("\"nodes\":2"), "{answer:?}");
    let dot = file("a-graph.dot", "graph { a -- b }");
    refuses(&["run", "--graph", &dot], 3, &["a-graph.dot", "this is DOT", "write_edgelist"]);
    let dot = file("commented.dot", "// by hand\n/* a\n */ # more\ndigraph { a -> b }");
    refuses(&["graph", "info", &dot], 3, &["this is DOT"]);
    refuses(&["graph", "info", "--format", "dot", &dot], 2, &["\"dot\"", "graphml, geojson"]);
}

/// Notes about what was left out go to standard error, apart from the results.
#[test]
fn runs_report_what_was_left_out() {
    let path = file(
        "noted.graphml",
        "<graphml><graph edgedefault='directed'><edge source='a' target='b'/>\
         <edge source='b' target='b'/></graph></graphml>",
    );
    let args = ["run", "--graph", &path, "--steps", "9", "--runs", "1", "--json"];
    let answer = succeeds(&args);
    assert!(answer.stderr.contains(&format!("note: {path}: 2 directed edges taken")), "{answer:?}");
    assert!(answer.stderr.contains("1 self-loop left out"), "{answer:?}");
    serde_json::from_str::<Value>(&answer.stdout).unwrap();
}

/// Formatting a column wider than 65,535 would panic, and no name is worth such a line.
#[test]
fn long_names_are_cut_in_tables() {
    for length in [200, 65_535, 70_000] {
        let name = "n".repeat(length);
        let text = format!("source,target,{name}\n{name},b,1\nb,c,2\nc,c,3\n{name},b,1\n");
        let long = file("long-names.csv", &text);
        let text = succeeds(&["graph", "info", &long]).stdout;
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest < 1_100, "{length}: {widest}");
        assert!(text.contains(&format!("such as \"{}…", "n".repeat(119))), "{text}");
        // For programs nothing is cut.
        assert!(info(&long)["edge_attributes"][0]["name"] == name);
        let run = ["run", "--graph", &long, "--steps", "20", "--runs", "1", "--agents", "g-star"];
        let text = succeeds(&run).stdout;
        assert!(text.lines().all(|line| line.chars().count() < 1_100), "{length}");
    }
}

#[test]
fn terminals_obey_nothing_in_a_file() {
    let evil = "\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m\u{202e}";
    let csv = file("evil.csv", format!("source,target,a{evil}\nb{evil},c,1\nc,d,1\n"));
    let line = r#"{"type":"Feature","properties":{},"geometry":{"type":"LineString","coordinates":[[0,0],[1,1]]}}"#;
    let geojson = file(
        "evil.geojson",
        format!(r#"{{"type":"FeatureCollection","title":{},"features":[{line}]}}"#, json!(evil)),
    );
    let study = file(
        "evil.toml",
        format!(
            "name = 'evil'\ntitle = {title}\nbaseline = 'g-ucb'\nsteps = 20\nruns = 2\n\
             agents = ['g-ucb', 'g-star']\nfigures = []\n[[cases]]\ngraph = 'line:3'\ntitle = {title}\n",
            title = json!(evil)
        ),
    );
    let wrong = file("evil-wrong.toml", format!("name = 'evil'\ntitle = 'x'\nst{evil}eps = 3\n"));
    let out = scratch("evil-out");
    for (args, is_shown) in [
        (&["graph", "info", &csv][..], true),
        (&["graph", "validate", &csv], false),
        (&["graph", "info", &geojson], true),
        (&["run", "--graph", &csv, "--steps", "20", "--runs", "1", "--agents", "g-star"], false),
        (&["study", &study, "--out", out.to_str().unwrap()], true),
        (&["study", &wrong], false),
    ] {
        let Answer { stdout, stderr, .. } = gbandit(args);
        for text in [&stdout, &stderr] {
            let obeyed = text.chars().find(|&c| c != '\n' && (c.is_control() || c == '\u{202e}'));
            assert_eq!(obeyed, None, "{args:?}: {text}");
        }
        assert!(!is_shown || stdout.contains("\\u{9b}31m\\u{202e}"), "{args:?}: {stdout}{stderr}");
    }
}

/// One agent of the group walks complete graphs only.
#[test]
fn a_group_leaves_out_what_cannot_walk_the_map() {
    let map = fixture("networkx.graphml");
    let run = |agents: &str| {
        let flags = "--steps 20 --runs 1 --means uniform:0.1,0.9 --noise bernoulli --agents";
        gbandit(&[&["run", "--graph", &map][..], &words(flags), &[agents]].concat())
    };
    let group = run("changing");
    assert_eq!(group.code, 0, "{group:?}");
    let note = "note: changing without exp3s: it can only walk complete graphs";
    assert!(group.stderr.contains(note), "{group:?}");
    assert!(group.stdout.contains("g-drift") && !group.stdout.contains("exp3s"), "{group:?}");
    // Named, it is an error, beside the group too.
    for named in ["exp3s", "changing,exp3s"] {
        let answer = run(named);
        assert_ne!(answer.code, 0);
        assert!(answer.stderr.contains("exp3s: it can only walk complete graphs"), "{answer:?}");
    }
    let complete = gbandit(&[
        "run",
        "--graph",
        "complete:3",
        "--steps",
        "20",
        "--runs",
        "1",
        "--agents",
        "changing",
    ]);
    assert!(complete.stdout.contains("exp3s"), "{complete:?}");
    assert!(!complete.stderr.contains("without"), "{complete:?}");
}
