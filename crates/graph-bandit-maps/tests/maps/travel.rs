//! Directions and times: what each format declares, what is guessed, and what is refused.

use crate::samples::path;
use graph_bandit::{NodeId, Road};
use graph_bandit_maps::{
    Component, Directions, Format, Guess, Helps, ReadOptions, Reading, Reason, Rule, Travel,
    read_bytes, read_file,
};

pub(crate) fn times(field: &str) -> Travel {
    Travel { times: Some(field.to_owned()), ..Travel::default() }
}

pub(crate) fn directed(travel: Travel) -> Travel {
    Travel { directions: Directions::OneWay, ..travel }
}

pub(crate) fn read(
    text: &str,
    format: Format,
    travel: Travel,
) -> Result<Reading, graph_bandit_maps::Problem> {
    let options = ReadOptions { format: Some(format), travel, ..ReadOptions::default() };
    read_bytes(text.as_bytes(), &options)
}

/// All roads by the names of their ends.
fn roads(reading: &Reading) -> Vec<(String, String, f64)> {
    let graph = reading.map.graph();
    let named = |Road { from, to, time }: Road| (graph.label(from), graph.label(to), time);
    let mut roads: Vec<_> = graph.all_roads().map(named).collect();
    roads.sort_by(|a, b| (&a.0, &a.1).cmp(&(&b.0, &b.1)));
    roads
}

fn expect(reading: &Reading, expected: &[(&str, &str, f64)]) {
    let found = roads(reading);
    let found: Vec<_> = found.iter().map(|(a, b, time)| (a.as_str(), b.as_str(), *time)).collect();
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (road, wanted) in found.iter().zip(expected) {
        assert_eq!((road.0, road.1), (wanted.0, wanted.1), "{found:?}");
        assert!((road.2 - wanted.2).abs() < 1e-9, "{road:?} {wanted:?}");
    }
}

/// Equal to what networkx reads from the same file: the fastest of parallel edges, to the last bit.
#[test]
fn a_town_equals_what_networkx_reads() {
    let travel = Travel { visit_time: Some(30.0), ..times("travel_time") };
    let options = ReadOptions { travel, ..ReadOptions::default() };
    let town = read_file(&path("town.graphml"), &options).unwrap();
    let csv = ReadOptions { travel: directed(times("time")), ..ReadOptions::default() };
    let theirs = read_file(&path("town-roads.csv"), &csv).unwrap();
    assert_eq!(roads(&town), roads(&theirs));
    assert_eq!((town.travel.roads, town.travel.one_way), (110, 6));
    let used = town.travel.times.unwrap();
    assert_eq!(
        (used.field.as_str(), used.unit, used.visit_time),
        ("travel_time", "seconds", Some(30.0))
    );
    let mut all: Vec<f64> = roads(&theirs).into_iter().map(|(_, _, time)| time).collect();
    all.sort_by(f64::total_cmp);
    assert_eq!([used.fastest, used.median, used.slowest], [all[0], all[55], all[109]]);
    assert!(town.travel.guessed.is_empty() && town.notes.is_empty(), "{:?}", town.notes);
    assert!(town.map.graph().names().unwrap().contains(&"240109189".to_owned()));
    // All edges of the file are there, including parallel ones.
    assert_eq!((town.map.edges().len(), town.map.is_directed()), (111, true));
}

/// Without options none of it counts, and what is left out is counted.
#[test]
fn without_options_roads_are_two_way_and_take_one_step() {
    let plain = read_file(&path("town.graphml"), &ReadOptions::default()).unwrap();
    assert!(plain.map.graph().roads().is_none() && !plain.map.is_directed());
    let travel = &plain.travel;
    assert_eq!((travel.roads, travel.one_way, travel.times.clone()), (2 * 58, 0, None));
    assert_eq!((travel.left_out.one_way, travel.left_out.lengths), (6, 111));
    let fields: Vec<_> =
        travel.left_out.fields.iter().map(|field| (field.name.as_str(), field.count)).collect();
    assert_eq!(fields[0], ("travel_time", 111));
    assert!(
        travel.left_out.text().starts_with("6 one-way roads, length of 111 edges, travel_time of")
    );
    let list = read("source,target,time\na,b,3\n", Format::EDGE_LIST, Travel::default()).unwrap();
    assert!(list.map.graph().roads().is_none());
    assert_eq!(list.travel.left_out.text(), "time of 1 edge");
}

/// If each line of a list seems to be one direction, a note says how to read it so.
#[test]
fn roads_that_are_listed_in_both_directions_are_noted() {
    let notes = |text: &str, travel: Travel| {
        let reading = read(text, Format::EDGE_LIST, travel).unwrap();
        reading.notes.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let add = |roads: &str| {
        format!(
            "{roads} listed in both directions, as \"a\"-\"b\", but every line was read as leading both ways; if \
             each line is one direction, add --directed (Python: directed=True, HTTP: directed=true)"
        )
    };
    let head = "source,target,time\n";
    // Two streets lead both ways, and one is one-way.
    let town = format!("{head}a,b,1\nb,a,1\nb,c,2\nc,b,2\nc,a,3\n");
    let repeated = "2 repeated edges left out, as \"b\"-\"a\": they are the same".to_owned();
    assert_eq!(notes(&town, times("time")), [add("2 roads are"), repeated]);
    // The way back takes longer.
    assert_eq!(notes(&format!("{head}a,b,1\nb,a,9\n"), times("time")), [add("1 road is")]);
    // Directions count already, or would change nothing, or no line is opposite to another.
    assert!(notes(&town, directed(times("time"))).is_empty());
    let same = notes(&format!("{head}a,b,1\nb,a,1\n"), times("time"));
    assert_eq!(same, ["1 repeated edge left out, as \"b\"-\"a\": they are the same"]);
    let twice = notes(&format!("{head}a,b,1\na,b,1\nb,c,1\n"), times("time"));
    assert_eq!(twice, ["1 repeated edge left out, as \"a\"-\"b\": they are the same"]);
    // Without times, a list of edges is not a list of roads.
    assert!(!notes(&town, Travel::default()).iter().any(|note| note.contains("--directed")));
}

#[test]
fn lines_of_a_list_lead_both_ways_or_one() {
    let text = "source,target,time\na,b,1\nb,c,2.5\nc,a,0\nc,a,4\n";
    let both = read(text, Format::EDGE_LIST, times("time")).unwrap();
    let (ab, bc, ca) = (1.0, 2.5, 0.0);
    let all = [
        ("a", "b", ab),
        ("a", "c", ca),
        ("b", "a", ab),
        ("b", "c", bc),
        ("c", "a", ca),
        ("c", "b", bc),
    ];
    expect(&both, &all);
    let one = read(text, Format::EDGE_LIST, directed(times("time"))).unwrap();
    expect(&one, &[("a", "b", ab), ("b", "c", bc), ("c", "a", ca)]);
    assert_eq!((one.travel.roads, one.travel.one_way), (3, 3));
    let untimed = read(text, Format::EDGE_LIST, directed(Travel::default())).unwrap();
    expect(&untimed, &[("a", "b", 0.0), ("b", "c", 0.0), ("c", "a", 0.0)]);
    assert_eq!(untimed.travel.left_out.text(), "time of 4 edges");
    // Seconds, by the time of a visit; a single field need not be named.
    let visit = Travel { visit_time: Some(2.0), ..Travel::default() };
    let seconds = read(text, Format::EDGE_LIST, directed(visit)).unwrap();
    expect(&seconds, &[("a", "b", 0.5), ("b", "c", 1.25), ("c", "a", 0.0)]);
    // Zero times in both directions give the paper's graph.
    let paper = read("a,b,0\nb,c,0\n", Format::EDGE_LIST, times("weight")).unwrap();
    let plain = read("a,b,0\nb,c,0\n", Format::EDGE_LIST, Travel::default()).unwrap();
    assert_eq!(paper.map.graph(), plain.map.graph());
}

#[test]
fn declared_directions_count() {
    let timed = |kind: &str| {
        let edge = |ends: &str, time| format!("<edge {ends}><data key='w'>{time}</data></edge>");
        let (there, on) = (edge("source='a' target='b'", 1.5), edge("source='b' target='c'", 2.0));
        let back = edge("source='c' target='a'", 4.0);
        let text =
            format!("<graphml><graph edgedefault='{kind}'>{there}{on}{back}</graph></graphml>");
        read(&text, Format::GRAPHML, times("w")).unwrap()
    };
    let ways = [("a", "b", 1.5), ("b", "c", 2.0), ("c", "a", 4.0)];
    expect(&timed("directed"), &ways);
    let mut both = [ways, ways.map(|(a, b, time)| (b, a, time))].concat();
    both.sort_by(|one, other| one.partial_cmp(other).unwrap());
    expect(&timed("undirected"), &both);
    let graphml = "<graphml><graph edgedefault='undirected'><edge source='a' target='b'/>\
        <edge source='b' target='c' directed='true'/><edge source='c' target='a' directed='true'/>\
        </graph></graphml>";
    let mixed = read(graphml, Format::GRAPHML, directed(Travel::default())).unwrap();
    expect(&mixed, &[("a", "b", 0.0), ("b", "a", 0.0), ("b", "c", 0.0), ("c", "a", 0.0)]);
    let line = |source: &str, target: &str, more: &str| {
        format!(
            "{{\"type\":\"Feature\",\"geometry\":null,\"properties\":{{\"source\":\"{source}\",\
             \"target\":\"{target}\"{more}}}}}"
        )
    };
    let collection = |lines: &[String]| {
        format!("{{\"type\":\"FeatureCollection\",\"features\":[\n{}\n]}}", lines.join(",\n"))
    };
    let oneway = collection(&[
        line("a", "b", ",\"oneway\":\"yes\",\"time\":1"),
        line("c", "b", ",\"oneway\":-1,\"time\":2"),
        line("c", "a", ",\"oneway\":\"no\",\"time\":3"),
    ]);
    let reading = read(&oneway, Format::GEOJSON, times("time")).unwrap();
    expect(&reading, &[("a", "b", 1.0), ("a", "c", 3.0), ("b", "c", 2.0), ("c", "a", 3.0)]);
}

/// A square of 100 m in the plane, each line one way; the fields of the route server of Nav2.
#[test]
fn route_graphs_of_nav2() {
    let node = |id: u32, x: u32| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"id\":{id}}},\"geometry\":{{\"type\":\"Point\",\
             \"coordinates\":[{x},0]}}}}"
        )
    };
    let edge = |id: u32, [start, end]: [u32; 2], more: &str| {
        format!(
            "{{\"type\":\"Feature\",\"properties\":{{\"id\":{id},\"startid\":{start},\"endid\":{end},{more}}},\
             \"geometry\":{{\"type\":\"LineString\",\"coordinates\":[[{},0],[{},0]]}}}}",
            100 * start,
            100 * end
        )
    };
    let graph = |there: &str, back: &str| {
        let features = [node(0, 0), node(1, 100), edge(2, [0, 1], there), edge(3, [1, 0], back)];
        format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", features.join(",\n"))
    };
    let times_of = |there: &str, back: &str, travel: Travel| {
        let reading = read(&graph(there, back), Format::GEOJSON, travel).unwrap();
        let graph = reading.map.graph();
        (graph.travel(0, 1).unwrap(), graph.travel(1, 0).unwrap(), reading.travel.guessed)
    };
    let deeper = "\"metadata\":{\"abs_time_taken\":12.5,\"abs_speed_limit\":4}";
    let limit = "\"abs_speed_limit\":2.0";
    let guess = |rule| vec![Guess { rule, count: 1 }];
    assert_eq!(
        times_of(deeper, limit, times("abs_time_taken")),
        (12.5, 50.0, guess(Rule::SpeedLimit))
    );
    assert_eq!(times_of(deeper, limit, times("abs_speed_limit")), (25.0, 50.0, vec![]));
    let half = "\"speed_limit\":0.5,\"cost\":7";
    let fast = Travel { speed: Some(5.0), ..times("speed_limit") };
    assert_eq!(times_of(half, limit, fast), (40.0, 20.0, guess(Rule::FullSpeed)));
    let fast = Travel { speed: Some(5.0), ..times("cost") };
    assert_eq!(times_of(half, limit, fast), (7.0, 20.0, guess(Rule::Speed)));
    let problem = read(&graph(half, limit), Format::GEOJSON, times("speed_limit")).unwrap_err();
    assert!(
        matches!(problem.reason, Reason::Travel { helps: Some(Helps::Speed), .. }),
        "{problem}"
    );
}

/// `length` in metres, `maxspeed` and `highway` as `OSMnx` writes them.
#[test]
fn lengths_speeds_and_kinds_of_road() {
    let text = "source,target,length,maxspeed,highway,speed_kph,travel_time\n\
                a,b,1000,36,primary,72,7\n\
                b,c,1000,RO:urban,primary,72,\n\
                c,a,1000,,residential,72,\n";
    let read = |travel| read(text, Format::EDGE_LIST, directed(travel)).unwrap();
    let round = |ab, bc, ca| [("a", "b", ab), ("b", "c", bc), ("c", "a", ca)];
    let speeds = read(times("maxspeed"));
    expect(&speeds, &round(100.0, 72.0, 144.0));
    let guess = |rule| Guess { rule, count: 1 };
    assert_eq!(speeds.travel.guessed, [guess(Rule::Zone), guess(Rule::KindOfRoad)]);
    let osmnx = read(times("travel_time"));
    expect(&osmnx, &round(7.0, 72.0, 144.0));
    assert_eq!(osmnx.travel.guessed, [guess(Rule::Zone), guess(Rule::KindOfRoad)]);
    let given = read(Travel { speed: Some(20.0), ..times("travel_time") });
    expect(&given, &round(7.0, 72.0, 50.0));
    assert_eq!(given.travel.guessed, [guess(Rule::Zone), guess(Rule::Speed)]);
    expect(&read(times("speed_kph")), &round(50.0, 50.0, 50.0));
    expect(&read(times("length")), &round(1000.0, 1000.0, 1000.0));
    let walk = Travel { speed: Some(2.0), visit_time: Some(50.0), ..Travel::default() };
    let walked = read(walk);
    expect(&walked, &round(10.0, 10.0, 10.0));
    assert_eq!(walked.travel.times.unwrap().unit, "metres");
}

#[test]
fn the_largest_part_is_connected_in_both_directions() {
    let text = "source,target,time\na,b,1\nb,c,1\nc,a,1\nc,d,1\nd,e,1\ne,d,1\n";
    let options = ReadOptions {
        component: Component::Largest,
        travel: directed(times("time")),
        ..ReadOptions::default()
    };
    let reading = read_bytes(text.as_bytes(), &options).unwrap();
    expect(&reading, &[("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)]);
    let parts: Vec<String> = reading.parts.iter().map(ToString::to_string).collect();
    assert_eq!(parts, ["3 nodes with \"a\"", "2 nodes with \"d\""]);
    let notes: Vec<String> = reading.notes.iter().map(ToString::to_string).collect();
    assert_eq!(notes, ["1 smaller part with 2 nodes left out"]);
    // With two-way roads everything is connected.
    let both = ReadOptions { travel: times("time"), ..options };
    assert_eq!(read_bytes(text.as_bytes(), &both).unwrap().map.graph().len(), 5);
}

/// A road that takes longer one way: `maxspeed:forward` and `maxspeed:backward`.
#[test]
fn directions_may_have_different_speeds() {
    let text = "source,target,length,maxspeed,maxspeed:backward\na,b,100,36,18\n";
    let reading = read(text, Format::EDGE_LIST, times("maxspeed")).unwrap();
    expect(&reading, &[("a", "b", 10.0), ("b", "a", 20.0)]);
    assert_eq!((reading.map.edges().len(), reading.map.is_directed()), (2, true));
    let back = reading.map.edge(1, 0).unwrap();
    assert_eq!((back.source, back.time), (1 as NodeId, Some(20.0)));
    assert_eq!(back.attributes["maxspeed:forward"], 18);
}
