//! The meaning of features.

use graph_bandit_maps::{Format, Note, Problem, ReadOptions, Reading, System, read_bytes};
use serde_json::{Value, json};

fn read(features: &[Value]) -> Result<Reading, Problem> {
    let collection = json!({"type": "FeatureCollection", "features": features});
    let text = serde_json::to_string_pretty(&collection).unwrap();
    let options = ReadOptions { format: Some(Format::GEOJSON), ..ReadOptions::default() };
    read_bytes(text.as_bytes(), &options)
}

fn feature(geometry: Value, properties: Value) -> Value {
    let members = [("type", json!("Feature")), ("geometry", geometry), ("properties", properties)];
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
}

fn point(place: [f64; 2], properties: Value) -> Value {
    feature(json!({"type": "Point", "coordinates": place}), properties)
}

fn line(places: &[[f64; 2]], properties: Value) -> Value {
    feature(json!({"type": "LineString", "coordinates": places}), properties)
}

fn names(reading: &Reading) -> Vec<String> {
    let graph = reading.map.graph();
    graph.nodes().map(|node| graph.label(node)).collect()
}

#[test]
fn points_are_named_by_id_then_by_name_then_by_place() {
    let ends = [[0.0, 0.0], [3.0, 4.0]];
    let by = |first: Value, second: Value| {
        let features = [point(ends[0], first), point(ends[1], second), line(&ends, json!({}))];
        names(&read(&features).unwrap())
    };
    assert_eq!(by(json!({"id": 7, "name": "a"}), json!({"id": "x", "name": "b"})), ["7", "x"]);
    assert_eq!(by(json!({"name": "a"}), json!({"name": "b"})), ["a", "b"]);
    assert_eq!(by(json!({"name": "a"}), json!({"name": "a"})), ["0", "1"]);
    assert_eq!(by(json!({"id": 1.0}), json!({})), ["1", "3,4"]);
    assert_eq!(by(json!({"osmid": 55}), json!({"osmid": 66})), ["55", "66"]);
}

#[test]
fn ids_of_ends_take_precedence_over_places() {
    let crossed = [
        point([0.0, 0.0], json!({"id": "a"})),
        point([1.0, 0.0], json!({"id": "b"})),
        // Drawn in reverse, as some editors do.
        line(&[[1.0, 0.0], [0.5, 2.0], [0.0, 0.0]], json!({"from": "a", "to": "b"})),
    ];
    let map = read(&crossed).unwrap().map;
    assert_eq!((map.edges()[0].source, map.edges()[0].bends.as_slice()), (0, &[[0.5, 2.0]][..]));
    assert_eq!(map.edges()[0].attributes.len(), 0);
    let no_points = [
        line(&[[1.0, 1.0], [2.0, 2.0]], json!({"u": 17, "v": 18})),
        line(&[[2.0, 2.0], [3.0, 2.0]], json!({"u": 18, "v": 19})),
    ];
    let reading = read(&no_points).unwrap();
    assert_eq!(names(&reading), ["17", "18", "19"]);
    assert_eq!(reading.map.coordinates().unwrap()[2], [3.0, 2.0]);
    // A value that is not the id of a point means something else.
    let words = [
        point([0.0, 0.0], json!({"id": "a"})),
        line(&[[0.0, 0.0], [1.0, 0.0]], json!({"source": "survey", "target": "2030"})),
    ];
    let map = read(&words).unwrap().map;
    assert_eq!(map.edges()[0].attributes["source"], "survey");
}

#[test]
fn mistakes_of_route_graphs_are_named_with_their_line() {
    let nodes = [point([0.0, 0.0], json!({"id": 1})), point([1.0, 0.0], json!({"id": 2}))];
    let edge = |properties| line(&[[0.0, 0.0], [1.0, 0.0]], properties);
    let unknown = [&nodes[..], &[edge(json!({"startid": 1, "endid": 3}))]].concat();
    let problem = read(&unknown).unwrap_err();
    assert_eq!(problem.line, Some(29));
    assert!(problem.to_string().contains("no point has the id of endid \"3\""), "{problem:?}");
    let missing = [edge(json!({"startid": 1, "endid": 2})), edge(json!({}))];
    let problem = read(&[&nodes[..], &missing].concat()).unwrap_err();
    assert!(problem.to_string().contains("has no startid and endid"), "{problem:?}");
    let twice = [&nodes[..], &nodes[..1], &missing[..1]].concat();
    assert!(read(&twice).unwrap_err().to_string().contains("two nodes have the id \"1\""));
    let moved = edge(json!({"startid": 2, "endid": 1, "length": 9}));
    let moved =
        [&nodes[..], &[moved, line(&[[0.0, 0.5], [1.0, 0.0]], json!({"startid": 1, "endid": 2}))]];
    let reading = read(&moved.concat()).unwrap();
    let what = "ends of lines that are not where their nodes are".to_owned();
    assert!(reading.notes.contains(&Note::Ignored { what, count: 1 }), "{:?}", reading.notes);
    assert_eq!(reading.map.edges()[0].length, Some(1.0));
}

#[test]
fn elevations_and_features_without_place() {
    let high = json!({"type": "Feature", "properties": {"id": "a"},
        "geometry": {"type": "Point", "coordinates": [0.0, 0.0, 12]}});
    let low = point([0.0, 1.0], json!({"id": "b"}));
    let without_place = json!({"type": "Feature", "properties": {"id": "c"}, "geometry": null});
    let edge = |a: &str, b: &str| json!({"type": "Feature", "properties": {"source": a, "target": b}, "geometry": null});
    let map = read(&[high.clone(), low.clone(), edge("a", "b")]).unwrap().map;
    assert_eq!(map.nodes()[0]["elevation"], 12);
    assert_eq!((map.system(), map.edges()[0].length), (Some(System::Geographic), None));
    let reading = read(&[high, low, without_place, edge("a", "b"), edge("c", "b")]).unwrap();
    assert_eq!(reading.map.coordinates(), None);
    assert_eq!(reading.map.nodes()[1], json!({"x": 0.0, "y": 1.0}).as_object().unwrap().clone());
    let example = "c".to_owned();
    assert_eq!(reading.notes, [Note::SomeCoordinates { without: 1, example }]);
}

#[test]
fn invalid_geojson_is_reported_with_its_line() {
    let problem = |text: &str| {
        let options = ReadOptions { format: Some(Format::GEOJSON), ..ReadOptions::default() };
        read_bytes(text.as_bytes(), &options).unwrap_err()
    };
    for (text, line, part) in [
        ("", 1, "not GeoJSON"),
        ("[]", 1, "not GeoJSON"),
        ("{\"type\": \"Topology\",\n \"objects\": {}}", 1, "neither a feature nor a geometry"),
        ("{\"features\": [\n{},\n{}\n]}", 2, "neither a feature nor a geometry"),
        ("{\"features\": [\n1]}", 2, "a feature must be an object"),
        ("{\"features\": [\n{\"type\": \"Point\",\n\"coordinates\": [1]}]}", 2, "not two numbers"),
        ("{\"features\": [\n{\"type\": \"LineString\", \"coordinates\": 1}]}", 2, "list of places"),
        ("{\"features\": [\n\n{\"a\" 1}]}", 3, "not GeoJSON"),
        ("{\"features\": [{\"type\": \"Feature\", \"geometry\": 1}]}", 1, "object or null"),
        (
            "{\"features\": [\n{\"type\": \"Point\", \"coordinates\": [1e999, 0]}]}",
            2,
            "1e999 is not a JSON number; write",
        ),
    ] {
        let problem = problem(text);
        assert_eq!(problem.line, Some(line), "{text:?}: {problem:?}");
        assert!(problem.to_string().contains(part), "{text:?}: {problem:?}");
    }
}
