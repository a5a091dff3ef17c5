//! The meaning of elements.

use graph_bandit_maps::{Format, Limits, Note, Problem, ReadOptions, Reading, System, read_bytes};
use serde_json::json;

fn read(inner: &str) -> Result<Reading, Problem> {
    let options = ReadOptions { format: Some(Format::GRAPHML), ..ReadOptions::default() };
    read_bytes(format!("<graphml>\n{inner}\n</graphml>").as_bytes(), &options)
}

#[test]
fn values_have_the_types_of_their_keys() {
    let value = |kind: &str, text: &str| {
        let inner = format!(
            "<key id='d' for='node' attr.name='a' attr.type='{kind}'/>\
             <graph><node id='n'><data key='d'>{text}</data></node></graph>"
        );
        read(&inner).unwrap().map.nodes()[0]["a"].clone()
    };
    for (kind, text, expected) in [
        ("int", "3", json!(3)),
        ("long", " 3.0 ", json!(3)),
        ("int", "3.5", json!("3.5")),
        ("long", "18446744073709551615", json!(u64::MAX)),
        ("double", "3", json!(3.0)),
        ("float", "1e-3", json!(0.001)),
        ("double", "NaN", json!("NaN")),
        ("boolean", "True", json!(true)),
        ("boolean", "0", json!(false)),
        ("string", " a &amp;\n<![CDATA[<b>]]> ", json!(" a &\n<b> ")),
        ("", "3", json!("3")),
    ] {
        assert_eq!(value(kind, text), expected, "{kind} {text}");
    }
}

#[test]
fn defaults_ids_and_ignored_elements() {
    let inner = "<key id='c' for='edge' attr.name='colour'><default>red</default></key>\
        <graph id='G'><data key='unknown'>kept</data>\
        <node id='a'><port name='p'/><data key='g'><y:Shape xmlns:y='y'/></data></node>\
        <edge id='e' source='a' target='b'/><edge source='b' target='c'><data key='c'>blue</data></edge>\
        <hyperedge/></graph><graph/>";
    let reading = read(inner).unwrap();
    let map = &reading.map;
    assert_eq!(map.graph().names().unwrap(), ["a", "b", "c"]);
    assert_eq!(json!(map.attributes()), json!({"id": "G", "unknown": "kept"}));
    assert_eq!(json!(map.edges()[0].attributes), json!({"colour": "red", "id": "e"}));
    assert_eq!(json!(map.edges()[1].attributes), json!({"colour": "blue"}));
    let ignored = |what: &str, count| Note::Ignored { what: what.to_owned(), count };
    assert_eq!(
        reading.notes,
        [
            ignored("further graphs of the file", 1),
            ignored("values that are XML", 1),
            ignored("ports, hyperedges and graphs inside nodes", 2),
        ]
    );
}

/// Programs that store ids as floats write edges this way, even if some nodes have names.
#[test]
fn edges_may_write_3_0_for_3() {
    let inner = "<graph><node id='3'/><node id='4.0'/><node id='dock'/>\
                 <edge source='3.0' target='4'/><edge source='3' target='dock'/></graph>";
    let map = read(inner).unwrap().map;
    assert_eq!(map.graph().names().unwrap(), ["3", "4.0", "dock"]);
    assert_eq!(map.graph().edges().collect::<Vec<_>>(), [(0, 1), (0, 2)]);
}

#[test]
fn coordinates_of_all_or_of_none() {
    let keys = "<key id='x' for='node' attr.name='lon' attr.type='string'/>\
                <key id='y' for='node' attr.name='lat' attr.type='string'/>";
    let node = |id: &str, x: &str| {
        format!("<node id='{id}'><data key='x'>{x}</data><data key='y'>5</data></node>")
    };
    let graph = |nodes: &[String]| {
        format!("{keys}<graph>{}<edge source='a' target='b'/></graph>", nodes.concat())
    };
    let reading = read(&graph(&[node("a", "1.5"), node("b", "2")])).unwrap();
    assert_eq!(reading.map.coordinates().unwrap(), [[1.5, 5.0], [2.0, 5.0]]);
    assert_eq!(reading.map.system(), Some(System::Geographic));
    let reading = read(&graph(&[node("a", "1.5"), node("b", "unknown")])).unwrap();
    assert_eq!(reading.map.coordinates(), None);
    assert_eq!(reading.map.nodes()[0]["lon"], "1.5");
    assert_eq!(reading.notes, [Note::SomeCoordinates { without: 1, example: "b".to_owned() }]);
    let reading = read(&graph(&[node("a", "1.5"), node("b", "500")])).unwrap();
    assert_eq!(reading.map.system(), Some(System::Plane));
    assert_eq!(reading.notes, [Note::OutOfRange { example: "b".to_owned() }]);
}

/// Attributes count by their bytes only: `OSMnx` gives every edge about ten.
#[test]
fn limits_count_nodes_and_edges_but_no_attributes() {
    let data = "\n<data key='d'>1</data>".repeat(50);
    let inner = format!(
        "<graph><node id='a'>{data}</node><node id='b'/>\
         <edge source='a' target='b'>{data}</edge></graph>"
    );
    let read = |limits| {
        let text = format!("<graphml>{inner}</graphml>");
        read_bytes(text.as_bytes(), &ReadOptions { limits, ..ReadOptions::default() })
    };
    let limits = Limits { elements: 3, ..Limits::default() };
    assert_eq!(read(limits).unwrap().map.graph().len(), 2);
    let reason = read(Limits { elements: 2, ..limits }).unwrap_err().to_string();
    assert!(reason.contains("2 nodes and 1 edges, and the limit is 2 together"), "{reason}");
    let reason = read(Limits { held_bytes: 10_000, ..limits }).unwrap_err().to_string();
    assert!(reason.contains("texts take more than 10000 bytes"), "{reason}");
}

#[test]
fn mistakes_are_named_with_their_line() {
    for (inner, line, part) in [
        ("", None, "no <graph>"),
        ("<graph/>", None, "no nodes"),
        ("<graph>\n<node/></graph>", Some(3), "no id"),
        ("<graph>\n\n<edge source='a'/></graph>", Some(4), "source and target"),
        ("<graph><node id='a'/>\n<node id='a'/></graph>", Some(3), "two nodes have the id \"a\""),
        ("<graph>\n<node id='a'></graph>", Some(3), "not XML"),
        ("<graph>\n<node id=a/></graph>", Some(3), "not XML"),
        (
            "<graph><node id='a'/>\n<node id='b'/></graph>",
            Some(3),
            "\"b\" is cut off from node \"a\"",
        ),
    ] {
        let problem = read(inner).unwrap_err();
        assert_eq!(problem.line, line, "{inner}: {problem:?}");
        assert!(problem.to_string().contains(part), "{inner}: {problem:?}");
    }
    let options = ReadOptions { format: Some(Format::GRAPHML), ..ReadOptions::default() };
    let reason = |text: &str| read_bytes(text.as_bytes(), &options).unwrap_err().reason.to_string();
    assert!(reason("").contains("GraphML"));
    assert!(reason("<svg/>").contains("the outermost element is <svg>"));
}
