//! Files of other programs mean what those programs meant.

use crate::samples::{fixture, largest_part, path};
use graph_bandit_maps::{
    Directions, Format, Map, Note, ReadOptions, Reading, System, Travel, read_bytes, read_file,
};
use serde_json::{Value, json};

fn names(map: &Map) -> Vec<String> {
    map.graph().nodes().map(|node| map.graph().label(node)).collect()
}

fn edges(map: &Map) -> Vec<(u32, u32)> {
    map.graph().edges().collect()
}

fn node(map: &Map, number: usize) -> Value {
    Value::Object(map.nodes()[number].clone())
}

fn edge(map: &Map, a: u32, b: u32) -> Value {
    Value::Object(map.edge(a, b).unwrap().attributes.clone())
}

/// The town of `make.py`.
#[test]
fn networkx() {
    let Reading { map, notes, .. } = &fixture("networkx.graphml");
    assert_eq!(names(map), ["harbour", "market", "Châtelet"]);
    assert_eq!(edges(map), [(0, 1), (1, 2)]);
    assert_eq!(map.coordinates().unwrap(), [[1.5, -2.25], [0.0, 0.0], [3.0, 4.0]]);
    assert_eq!(map.system(), Some(System::Plane));
    let lengths: Vec<_> = map.edges().iter().map(|edge| edge.length).collect();
    assert_eq!(lengths, [Some(2.75), Some(5.0)]);
    assert_eq!(node(map, 0), json!({"depth": 7, "open": true}));
    assert_eq!(node(map, 1), json!({"note": "fish & \"chips\" <fresh>"}));
    assert_eq!(edge(map, 0, 1), json!({"weight": 3}));
    assert_eq!(edge(map, 1, 2), json!({"surface": "cobbles"}));
    assert_eq!(Value::Object(map.attributes().clone()), json!({"name": "town", "year": 1291}));
    assert_eq!(*notes, [Note::SelfLoops { count: 1, example: "market".to_owned() }]);
}

/// Lengths 5 and 3 one way, 4 the other: the shortest is kept, and notes tell everything.
#[test]
fn networkx_parallel_and_directed() {
    let reading = fixture("networkx-multi.graphml");
    assert_eq!(reading.map.graph().names(), None);
    assert_eq!(edges(&reading.map), [(0, 1), (1, 2)]);
    assert_eq!(reading.map.edge(1, 0).unwrap().length, Some(3.0));
    assert_eq!(reading.map.edge(2, 1).unwrap().length, None);
    let example = ["0".to_owned(), "1".to_owned()];
    let both = Note::BothDirections { count: 1, example: example.clone() };
    let parallel = Note::ParallelEdges { count: 1, differing: 1, example };
    assert_eq!(reading.notes, [Note::Directed { count: 4 }, both, parallel]);
}

/// Zachary's karate club: 34 members, 78 friendships, of 231 contacts.
#[test]
fn networkx_edge_lists() {
    let plain = fixture("networkx-plain.csv").map;
    assert_eq!((plain.graph().len(), plain.graph().edge_count()), (34, 78));
    assert_eq!(plain.graph().names(), None);
    assert_eq!((plain.graph().degree(33), plain.graph().degree(0)), (17, 16));
    for name in ["networkx.edgelist", "networkx-weighted.edgelist"] {
        let map = fixture(name).map;
        assert!(map.graph().edges().eq(plain.graph().edges()), "{name}");
        let weights = map.edges().iter().map(|edge| edge.attributes["weight"].as_u64().unwrap());
        assert_eq!(weights.sum::<u64>(), 231, "{name}");
    }
    let reading = fixture("networkx-floats.csv");
    assert_eq!(reading.map.graph().names(), None);
    assert_eq!(edges(&reading.map), [(0, 1), (1, 2), (2, 3)]);
    assert_eq!(reading.notes, [Note::WholeNumbers { count: 4, example: "0.0".to_owned() }]);
}

#[test]
fn gephi() {
    let reading = fixture("gephi.graphml");
    let map = reading.map;
    assert_eq!(names(&map), ["n0", "n1"]);
    assert_eq!(map.coordinates().unwrap()[0], [-266.82776, 299.6904]);
    let first = json!({"label": "Myriel", "Modularity Class": 3, "r": 245, "size": 28.685_715});
    assert_eq!(node(&map, 0), first);
    assert_eq!(map.nodes()[1]["Modularity Class"], 0);
    assert_eq!(edge(&map, 0, 1), json!({"id": "0", "Edge Label": "", "weight": 1.0}));
    assert_eq!((map.edges()[0].source, map.edges()[0].target), (1, 0));
    assert_eq!(reading.notes, []);
}

/// Four nodes and three streets in the larger part; every street appears in both directions.
#[test]
fn osmnx() {
    let error = read_file(&path("osmnx.graphml"), &ReadOptions::default()).unwrap_err();
    let text = error.to_string();
    for part in [
        "osmnx.graphml:36:",
        "3 parts",
        "4 nodes with \"1\"",
        "2 nodes with \"6\"",
        "1 node, \"8\"",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    for (name, system) in
        [("osmnx.graphml", System::Geographic), ("osmnx-projected.graphml", System::Plane)]
    {
        let reading = largest_part(name);
        let map = &reading.map;
        let mut known = names(map);
        known.sort();
        assert_eq!(known, ["1", "3", "4", "5"]);
        assert_eq!(map.system(), Some(system), "{name}");
        assert_eq!(map.graph().edge_count(), 3);
        let main = map.edges().iter().find(|edge| !edge.bends.is_empty()).unwrap();
        assert_eq!(main.bends.len(), 1, "{name}");
        assert_eq!(main.attributes["name"], "Hauptstraße");
        assert_eq!(main.length, Some(135.382_556_132_254_7));
        assert!(
            !main.attributes.contains_key("geometry") && !main.attributes.contains_key("length")
        );
        assert!(reading.notes.contains(&Note::Directed { count: 8 }));
        assert!(reading.notes.contains(&Note::SmallerParts { parts: 2, nodes: 3 }));
    }
    let map = largest_part("osmnx.graphml").map;
    assert_eq!(map.coordinates().unwrap()[0], [13.4, 52.5]);
    assert_eq!(map.edges()[0].bends, [[13.401, 52.5]]);
}

/// Lengths computed from the extract equal those that `OSMnx` computed from the same streets.
#[test]
fn extracts_have_the_lengths_of_osmnx() {
    let (ours, theirs) = (largest_part("osmium.osm.pbf").map, largest_part("osmnx.graphml").map);
    assert_eq!(names(&ours), ["1", "3", "5", "4"]);
    for edge in theirs.edges() {
        let [a, b] = [edge.source, edge.target].map(|end| {
            let name = theirs.graph().label(end);
            names(&ours).iter().position(|own| *own == name).unwrap() as u32
        });
        let own = ours.edge(a, b).unwrap();
        let (length, expected) = (own.length.unwrap(), edge.length.unwrap());
        assert!((length - expected).abs() < 1e-6, "{length} {expected}");
        assert_eq!(own.bends, edge.bends);
    }
}

#[test]
fn nav2() {
    let reading = fixture("nav2.geojson");
    let map = reading.map;
    assert_eq!(names(&map), ["10", "11", "12"]);
    assert_eq!(map.system(), Some(System::Plane));
    assert_eq!(map.coordinates().unwrap(), [[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]);
    assert_eq!(edges(&map), [(0, 1), (1, 2)]);
    let metadata = json!({"frame": "map", "metadata": {"class": "dock", "speed": [0.5, 1]}});
    assert_eq!(node(&map, 1), metadata);
    assert_eq!(edge(&map, 0, 1), json!({"id": 13, "cost": 10.0, "overridable": true}));
    assert_eq!(map.edge(0, 1).unwrap().length, Some(3.0));
    let bent = map.edge(1, 2).unwrap();
    assert_eq!(
        (bent.bends.as_slice(), bent.length),
        (&[[5.0, 2.0]][..], Some(2.0 * 8.0_f64.sqrt()))
    );
    assert_eq!(bent.attributes["operations"]["open_door"]["metadata"]["door_id"], 54);
    let crs = &map.attributes()["crs"]["properties"]["name"];
    assert_eq!(crs, "urn:ogc:def:crs:EPSG::3857");
    let example = ["10".to_owned(), "11".to_owned()];
    assert_eq!(reading.notes, [Note::BothDirections { count: 1, example }]);
}

/// Ids name the ends, so a shape that cannot be read is not needed; two directions are no repeats.
#[test]
fn nav2_with_a_nested_line() {
    let reading = fixture("nav2-nested.geojson");
    let map = reading.map;
    assert_eq!(edges(&map), [(0, 1), (0, 2), (1, 2)]);
    let straight = map.edge(1, 2).unwrap();
    assert_eq!((straight.bends.len(), straight.length), (0, Some(4.0)));
    let ids = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
    assert_eq!(
        reading.notes,
        [
            Note::Ignored { what: "shapes of lines that cannot be read".to_owned(), count: 1 },
            Note::BothDirections { count: 2, example: ids("0", "1") },
            Note::ParallelEdges { count: 1, differing: 1, example: ids("1", "2") },
        ]
    );
    let said: Vec<String> = reading.notes.iter().map(ToString::to_string).collect();
    let roads = "2 roads are given once for each direction, as \"0\"-\"1\": each is one edge, with the shorter length";
    assert_eq!(said[1], roads);
    let travel = Travel { directions: Directions::Declared, ..Travel::default() };
    let options = ReadOptions { travel, ..ReadOptions::default() };
    let directed = read_file(&path("nav2-nested.geojson"), &options).unwrap();
    assert_eq!(directed.map.edges().len(), 6);
    assert_eq!(directed.notes, reading.notes[..1]);
    // Where only the line says which nodes an edge joins, it must be readable.
    let text = std::fs::read_to_string(path("nav2-nested.geojson")).unwrap();
    for (start, end) in [("first", "last"), ("source", "target")] {
        let text = text.replace("startid", start).replace("endid", end);
        let options = ReadOptions { format: Some(Format::GEOJSON), ..ReadOptions::default() };
        let problem = read_bytes(text.as_bytes(), &options).unwrap_err().to_string();
        assert!(problem.contains("is not two numbers such as"), "{problem}");
    }
}

/// Seven places: an end 4 mm away is not a separate node, a junction inside a line is one.
#[test]
fn lines() {
    let reading = fixture("lines.geojson");
    let map = reading.map;
    assert_eq!(map.graph().names(), None);
    assert_eq!(map.system(), Some(System::Geographic));
    let places = [
        [7.0, 50.0],
        [7.01, 50.0],
        [7.01, 50.01],
        [7.02, 50.01],
        [7.02, 49.99],
        [7.03, 50.0],
        [7.02, 50.0],
    ];
    assert_eq!(map.coordinates().unwrap(), places);
    assert_eq!(edges(&map), [(0, 1), (1, 2), (1, 6), (2, 3), (3, 6), (4, 6), (5, 6)]);
    assert_eq!(map.edge(1, 2).unwrap().bends, [[7.012, 50.004]]);
    // The length of the whole line does not apply to its halves.
    let half = map.edge(4, 6).unwrap();
    assert!((half.length.unwrap() - 1111.95).abs() < 0.1, "{half:?}");
    assert_eq!(half.attributes["name"], "Cross");
    let what = "features that are neither points nor lines".to_owned();
    assert_eq!(reading.notes, [Note::Ignored { what, count: 1 }]);
}
