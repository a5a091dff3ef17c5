//! Impossible roads, in every format: an error names file, line, value and remedy.

use crate::program::{file, refuses};

/// A ring of three roads as a file, one per line; the second road takes `time` and leads to `end`.
type Writer = fn(time: &str, end: &str) -> String;

fn edge_list(time: &str, end: &str) -> String {
    format!("source,target,time\n1,2,1\n2,{end},{time}\n3,1,1\n")
}

fn graphml(time: &str, end: &str) -> String {
    let edge = |source: &str, target: &str, time: &str| {
        format!("<edge source='{source}' target='{target}'><data key='t'>{time}</data></edge>\n")
    };
    let (first, second, third) = (edge("1", "2", "1"), edge("2", end, time), edge("3", "1", "1"));
    format!(
        "<graphml><key id='t' for='edge' attr.name='time' attr.type='double'/>\
         <graph edgedefault='directed'><node id='1'/><node id='2'/><node id='3'/>\n\
         {first}{second}{third}</graph></graphml>\n"
    )
}

fn features(ends: [&str; 2], time: &dyn Fn(&str) -> String, [second, end]: [&str; 2]) -> String {
    let point = |id: u32| {
        let geometry = format!("{{\"type\":\"Point\",\"coordinates\":[{id},0]}}");
        format!("{{\"type\":\"Feature\",\"properties\":{{\"id\":{id}}},\"geometry\":{geometry}}}")
    };
    let line = |from: &str, to: &str, said: &str| {
        let ([source, target], time) = (ends, time(said));
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"{source}\":{from},\"{target}\":{to},\
             {time},\"oneway\":\"yes\"}},\"geometry\":null}}"
        )
    };
    let points = [point(1), point(2), point(3)].join(",");
    let lines = [line("1", "2", "1"), line("2", end, second), line("3", "1", "1")].join(",\n");
    format!("{{\"type\":\"FeatureCollection\",\"features\":[{points},\n{lines}]}}\n")
}

fn geojson(time: &str, end: &str) -> String {
    features(["source", "target"], &|time| format!("\"time\":{time}"), [time, end])
}

fn nav2(time: &str, end: &str) -> String {
    let metadata = |time: &str| format!("\"metadata\":{{\"abs_time_taken\":{time}}}");
    features(["startid", "endid"], &metadata, [time, end])
}

/// File name, writer, and field of times.
const FORMATS: [(&str, Writer, &str); 4] = [
    ("bad.csv", edge_list, "time"),
    ("bad.graphml", graphml, "time"),
    ("bad.geojson", geojson, "time"),
    ("bad-nav2.geojson", nav2, "abs_time_taken"),
];

/// Checks that the ring with a bad road is refused in a format: the message has its line and these
/// parts.
fn is_refused(format: (&str, Writer, &str), [time, end]: [&str; 2], parts: &[&str]) {
    let (name, write, field) = format;
    // Tests run in parallel: each has its own file.
    let name = format!("time-{}-to-{end}-{name}", time.replace('+', ""));
    let path = file(&name, write(time, end));
    let args = ["run", "--graph", &path, "--directed", "--times", field, "--visit-time", "30"];
    refuses(&args, 3, &[&[format!("{name}:3: ").as_str()], parts].concat());
}

#[test]
fn the_ring_itself_is_accepted() {
    for (name, write, field) in FORMATS {
        let path = file(&format!("good-{name}"), write("2.5", "3"));
        let args = ["graph", "info", &path, "--directed", "--times", field, "--visit-time", "30"];
        let answer = crate::program::gbandit(&args);
        assert_eq!(answer.code, 0, "{name}: {answer:?}");
        assert!(answer.stdout.contains("3, 3 of them one way"), "{name}: {answer:?}");
    }
}

#[test]
fn impossible_times() {
    for format in FORMATS {
        for time in ["-2", "NaN", "Infinity", "1e999"] {
            is_refused(format, [time, "3"], &[time, "write a finite number"]);
        }
        // It fits into a number, but not into the clock.
        let parts = ["1e+300", "3.3e298 times as long", "(--visit-time)"];
        is_refused(format, ["1e300", "3"], &parts);
    }
}

#[test]
fn roads_to_unknown_nodes() {
    let [edge_list, graphml, geojson, nav2] = FORMATS;
    // Their edges define the nodes, so an unknown node is an empty name.
    is_refused(edge_list, ["1", ""], &["an end of this edge is empty", "give both"]);
    is_refused(graphml, ["1", "9"], &["the end \"9\"", "add that node"]);
    is_refused(geojson, ["1", "9"], &["target \"9\"", "give every node a point"]);
    is_refused(nav2, ["1", "9"], &["endid \"9\"", "give every node a point"]);
}

#[test]
fn one_way_traps() {
    // The ring is now 1, 2, 1, and nothing leads to 3: the road out of it has no way back.
    for (name, write, field) in FORMATS {
        let path = file(&format!("trap-{name}"), write("1", "1"));
        let args = ["run", "--graph", &path, "--directed", "--times", field];
        let place = format!("trap-{name}:4: ");
        refuses(&args, 3, &[&place, "from node \"1\" to node \"3\"", "(--largest-component)"]);
    }
}

#[test]
fn contradictory_columns() {
    for (name, text, line) in [
        ("two.csv", "source,target,time,travel_time\n1,2,1,7\n2,1,1,7\n".to_owned(), 2),
        ("two.geojson", geojson("2,\"travel_time\":7", "3"), 3),
        ("two.graphml", graphml("2</data><data key='travel_time'>7", "3"), 3),
    ] {
        let path = file(name, text);
        let place = format!("{name}:{line}: ");
        let args = ["run", "--graph", &path, "--visit-time", "30"];
        refuses(&args, 3, &[&place, "and travel_time =", "7", "name the field", "(--times FIELD)"]);
    }
    let twice = file("twice.csv", "source,target,time,time\n1,2,1,7\n");
    let args = ["run", "--graph", &twice, "--times", "time"];
    refuses(&args, 3, &["twice.csv:1: ", "two columns \"time\"", "give them different names"]);
}
