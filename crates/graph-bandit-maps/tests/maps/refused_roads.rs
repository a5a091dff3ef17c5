//! Directions and times that cannot be: each error names line, value and remedy.

use crate::travel::{directed, read, times};
use graph_bandit_maps::{Format, Travel};

/// A text, what is asked for, the line that is named, and parts of what is said.
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
fn times_that_cannot_be() {
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
            &["takes 1", "134217728 is the longest"],
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
fn fields_that_are_not_there_or_twice() {
    let metres = Travel { visit_time: Some(3.0), ..times("length") };
    let part = Travel { speed: Some(1.0), ..times("speed_limit") };
    let slow = Travel { speed: Some(-1.0), ..times("time") };
    let table: [Refusal<'_>; 9] = [
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
            None,
            &["time and travel_time", "say which"],
        ),
        ("from,to,time,time\na,b,1,2\n", times("time"), Some(1), &["two columns \"time\""]),
        (
            "from,to\na,b\n",
            visit(3.0),
            None,
            &["no field of times is known here (edges have no numbers)"],
        ),
        ("from,to,length\na,b,5\n", metres, None, &["length is in metres; say how fast"]),
        (
            "from,to,speed_limit,len\na,b,30,5\n",
            part,
            Some(2),
            &["speed_limit = 30", "from 0 to 1"],
        ),
        ("from,to,time\na,b,1\n", slow, None, &["speed of -1 cannot be"]),
    ];
    are_refused(Format::EDGE_LIST, &table);
    let table: [Refusal<'_>; 1] =
        [("from,to\na,b\n", visit(f64::NAN), None, &["visit of NaN cannot be"])];
    are_refused(Format::EDGE_LIST, &table);
}

#[test]
fn directions_that_contradict_or_trap() {
    let trap = "from,to,time\na,b,1\nb,a,1\nb,c,1\n";
    let said: &[&str] = &[
        "no way leads back from node \"c\" to node \"b\"",
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
        &[(sometimes, plain(), Some(2), &["\"sometimes\"", "yes, no and -1"])],
    );
    let nowhere = "{\"type\":\"FeatureCollection\",\"features\":[\n\
        {\"type\":\"Feature\",\"properties\":{\"id\":1},\"geometry\":null},\n\
        {\"type\":\"Feature\",\"properties\":{\"startid\":1,\"endid\":9,\"cost\":1},\"geometry\":null}]}";
    are_refused(
        Format::GEOJSON,
        &[(nowhere, times("cost"), Some(3), &["endid \"9\" is the id of no point"])],
    );
}
