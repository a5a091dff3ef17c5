//! Impossible directions and times: each error names line, value and remedy.

use crate::travel::{directed, read, times};
use graph_bandit_maps::{Format, Travel};

/// A text, the requested travel, the expected line, and parts of the message.
type Refusal<'a> = (&'a str, Travel, Option<u64>, &'a [&'a str]);

fn are_refused(format: Format, table: &[Refusal<'_>]) {
    for (text, travel, line, parts) in table {
        let problem = read(text, format, travel.clone()).unwrap_err();
        assert_eq!(problem.line, *line, "{text:?} {problem}");
        for part in *parts {
            assert!(problem.to_string().contains(part), "{text:?}: {part:?} in {problem}");
        }
    }
}

fn visit(seconds: f64) -> Travel {
    Travel { visit_time: Some(seconds), ..Travel::default() }
}

#[test]
fn impossible_times() {
    let line = Some(2);
    let table: [Refusal<'_>; 10] = [
        ("from,to,time\na,b,-3\n", times("time"), line, &["\"a\" to \"b\"", "= -3", "0 or more"]),
        ("from,to,time\na,b,nan\n", times("time"), line, &["time = \"nan\"", "finite number"]),
        ("from,to,time\na,b,inf\n", times("time"), line, &["time = \"inf\""]),
        ("from,to,time\na,b,1e999\n", times("time"), line, &["time = \"1e999\""]),
        ("from,to,time\na,b,soon\n", times("time"), line, &["time = \"soon\""]),
        ("from,to,time\na,b,true\n", times("time"), line, &["time = true"]),
        (
            "from,to,time\na,b,1e300\n",
            times("time"),
            line,
            &["takes 1.0e300 times", "(time = 1e+300)", "the limit is 134217728"],
        ),
        ("from,to,length\na,b,-5\n", times("length"), line, &["length = -5"]),
        (
            "from,to,maxspeed,len\na,b,fast,3\n",
            times("maxspeed"),
            line,
            &["= \"fast\"", "not a speed"],
        ),
        ("from,to,maxspeed\na,b,50\n", times("maxspeed"), line, &["has no length"]),
    ];
    are_refused(Format::EDGE_LIST, &table);
}

#[test]
fn missing_and_repeated_fields() {
    let metres = Travel { visit_time: Some(3.0), ..times("length") };
    let part = Travel { speed: Some(1.0), ..times("speed_limit") };
    let slow = Travel { speed: Some(-1.0), ..times("time") };
    let one_way = || directed(Travel::default());
    let table: [Refusal<'_>; 10] = [
        ("a,b,1\nb,c,2\n", times("time"), None, &["field \"time\" (edges have weight)"]),
        (
            "from,to,time\na,b,1\nb,c,\n",
            times("time"),
            Some(3),
            &["\"b\" to \"c\" has no time; add it"],
        ),
        (
            "from,to,time\na,b,1\n",
            times("tine"),
            None,
            &["(edges have time)", "did you mean \"time\"?"],
        ),
        (
            "from,to,time,travel_time\na,b,1,2\n",
            visit(3.0),
            Some(2),
            &["time and travel_time", "says time = 1 and travel_time = 2", "name the field"],
        ),
        ("from,to,time,time\na,b,1,2\n", times("time"), Some(1), &["two columns \"time\""]),
        ("from,to,oneway,oneway\na,b,1,0\n", one_way(), Some(1), &["two columns \"oneway\""]),
        ("from,to\na,b\n", visit(3.0), None, &["no known field has times (edges have no numbers)"]),
        ("from,to,length\na,b,5\n", metres, None, &["length is in metres; give the speed"]),
        (
            "from,to,speed_limit,len\na,b,30,5\n",
            part,
            Some(2),
            &["speed_limit = 30", "from 0 to 1"],
        ),
        ("from,to,time\na,b,1\n", slow, None, &["speed of -1 is impossible"]),
    ];
    are_refused(Format::EDGE_LIST, &table);
    let table: [Refusal<'_>; 1] =
        [("from,to\na,b\n", visit(f64::NAN), None, &["visit of NaN is impossible"])];
    are_refused(Format::EDGE_LIST, &table);
}

#[test]
fn contradictory_directions_and_traps() {
    let trap = "from,to,time\na,b,1\nb,a,1\nb,c,1\n";
    let said: &[&str] = &[
        "there is no way back from node \"c\" to node \"b\"",
        "2 parts",
        "2 nodes with \"a\"; 1 node, \"c\"",
        "keep the largest part",
    ];
    let plain = || directed(Travel::default());
    let table: [Refusal<'_>; 3] = [
        (trap, directed(times("time")), Some(4), said),
        ("from,to,oneway\na,b,-1\n", plain(), Some(2), &["oneway = -1", "turn it around"]),
        (
            "from,to,time\na,b,1\nc,d,1\n",
            times("time"),
            Some(3),
            &["\"c\" is cut off from node \"a\""],
        ),
    ];
    are_refused(Format::EDGE_LIST, &table);
    let table: [Refusal<'_>; 1] = [(
        "from,to,time,oneway\na,b,1,no\nb,c,1,yes\n",
        times("time"),
        Some(3),
        &["oneway = \"yes\"", "let each line lead one way"],
    )];
    are_refused(Format::EDGE_LIST, &table);
    let undirected = "<graphml>\n<key id='o' for='edge' attr.name='oneway'/>\n<graph>\n\
        <edge source='a' target='b'><data key='o'>yes</data></edge></graph></graphml>";
    are_refused(
        Format::GRAPHML,
        &[(undirected, plain(), Some(4), &["the file declares it undirected"])],
    );
    let sometimes = "{\"type\":\"FeatureCollection\",\"features\":[\n{\"type\":\"Feature\",\
        \"properties\":{\"source\":1,\"target\":2,\"oneway\":\"sometimes\"},\"geometry\":null}]}";
    are_refused(
        Format::GEOJSON,
        &[(sometimes, plain(), Some(2), &["\"sometimes\"", "yes, no or -1"])],
    );
    let unknown_end = "{\"type\":\"FeatureCollection\",\"features\":[\n\
        {\"type\":\"Feature\",\"properties\":{\"id\":1},\"geometry\":null},\n\
        {\"type\":\"Feature\",\"properties\":{\"startid\":1,\"endid\":9,\"cost\":1},\"geometry\":null}]}";
    are_refused(
        Format::GEOJSON,
        &[(unknown_end, times("cost"), Some(3), &["no point has the id of endid \"9\""])],
    );
}

/// An edge to a node that the file does not list.
#[test]
fn roads_to_unknown_nodes() {
    let listed = "<graphml>\n<graph edgedefault='directed'>\n<node id='a'/><node id='b'/>\n\
        <edge source='a' target='b'/>\n<edge source='b' target='c'/></graph></graphml>";
    let plain = || directed(Travel::default());
    are_refused(
        Format::GRAPHML,
        &[(listed, plain(), Some(5), &["the end \"c\"", "add that node, or remove the edge"])],
    );
    // Without a list of nodes, edges define them; without directions, unknown ends are new nodes.
    let unlisted = "<graphml>\n<graph>\n<edge source='a' target='b'/></graph></graphml>";
    assert_eq!(read(unlisted, Format::GRAPHML, plain()).unwrap().map.graph().nodes().len(), 2);
    let reading = read(listed, Format::GRAPHML, Travel::default()).unwrap();
    assert_eq!(reading.map.graph().nodes().len(), 3);
}

/// JSON cannot represent these, but Python writes them.
#[test]
fn numbers_outside_json() {
    for (written, said) in [
        ("NaN", "NaN is not a JSON number"),
        ("-Infinity", "Infinity is not a JSON number"),
        ("1e999", "1e999 is not a JSON number"),
        ("soon", "not GeoJSON: expected value at \"soon\""),
    ] {
        let text = format!(
            "{{\"features\": [\n{{\"type\": \"Feature\", \"properties\": {{\"source\": 1,\n\
             \"target\": 2, \"time\": {written}}}, \"geometry\": null}}]}}"
        );
        let parts: &[&str] = &[said, "; "];
        are_refused(Format::GEOJSON, &[(&text, times("time"), Some(3), parts)]);
    }
}
