//! Every graph family with the size in the manual, counted by hand; and graphs from files.

use crate::program::{file, run_json};
use serde_json::{Value, json};

fn graph(text: &str) -> Value {
    let run = format!("--graph {text} --agents local-ucb --init none --steps 5 --runs 1");
    run_json(&run)["graph"].clone()
}

#[test]
fn every_family_has_its_nodes_edges_and_diameter() {
    for (text, nodes, edges, diameter) in [
        ("line:100", 100, 99, 99),
        ("circle:100", 100, 100, 50),
        ("star:100", 100, 99, 2),
        ("tree:100", 100, 99, 12),
        ("tree:100,3", 100, 99, 8),
        ("grid:10x10", 100, 180, 18),
        ("grid:2x7", 14, 19, 7),
        ("complete:100", 100, 4950, 1),
        ("broom:50,6", 50, 49, 6),
        ("barbell:15,8", 38, 219, 11),
        ("line:1", 1, 0, 0),
        ("complete:1", 1, 0, 0),
        ("star:2", 2, 1, 1),
        ("circle:2", 2, 1, 1),
    ] {
        let expected = json!({"nodes": nodes, "edges": edges, "diameter": diameter});
        assert_eq!(graph(text), expected, "{text}");
    }
    assert_eq!(graph("arkansas")["nodes"], 10);
}

#[test]
fn random_families_are_drawn_from_the_seed() {
    for (text, nodes) in [
        ("erdos-renyi:1000,0.01", 1000),
        ("geometric:1000,0.06", 1000),
        ("small-world:60,4,0.2", 60),
    ] {
        let seeded = |seed: u64| graph(&format!("{text} --seed {seed}"));
        assert_eq!(seeded(3)["nodes"], nodes);
        assert_eq!(seeded(3), seeded(3), "{text}");
        let drawn: Vec<Value> = (0..4).map(seeded).collect();
        assert!(drawn.iter().any(|graph| *graph != drawn[0]), "{text}: {drawn:?}");
    }
    assert_eq!(graph("small-world:60,4,0.2")["edges"], 120);
}

/// No node of a circle is more central than another, so a search from every node would be needed.
#[test]
fn a_diameter_that_is_too_expensive_is_null() {
    assert_eq!(graph("circle:10000"), json!({"nodes": 10_000, "edges": 10_000, "diameter": null}));
}

#[test]
fn an_edge_list_is_the_graph_it_lists() {
    let plain = file("plain-edges.csv", "0,1\n1,2\n2,0\n2,3\n");
    let expected = json!({"nodes": 4, "edges": 4, "diameter": 2});
    assert_eq!(graph(&plain), expected);
    let dialects = [
        "source,target\n0,1\n1,2\n2,0\n2,3\n",
        "from\tto\na\tb\nb\tc\nc\ta\nc\td\n",
        "\u{feff}source,target\r\na,b\r\n\r\nb,c\r\n# loops and repeats count once\r\nc,a\r\n\
         a,c\r\nd,d\r\nc,d\r\nc,d",
        "0,1\n   \n1 , 2\n2,0\n\n2,3\n\n",
    ];
    for (i, text) in dialects.iter().enumerate() {
        let path = file(&format!("dialect-{i}.csv"), text);
        assert_eq!(graph(&path), expected, "{text:?}");
    }
    let one = file("one-node.csv", "0,0\n");
    assert_eq!(graph(&one), json!({"nodes": 1, "edges": 0, "diameter": 0}));
}

/// The same graph gives the same runs, whether built or read.
#[test]
fn a_file_of_node_numbers_is_the_family() {
    let line = file("line-of-four.csv", "2,3\n0,1\n1,2\n");
    let rest = "--steps 200 --runs 2";
    let agents = |graph: &str| {
        let mut run = run_json(&format!("--graph {graph} {rest}"));
        run["agents"][0]["seconds_per_run_median"] = Value::Null;
        run
    };
    assert_eq!(agents(&line), agents("line:4"));
}
