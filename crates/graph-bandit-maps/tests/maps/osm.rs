//! Extracts: made here, and one made by osmium.

use crate::pbf::{Extract, Nodes, Packing, blob, header};
use crate::samples::{fixture, path};
use crate::travel::times;
use graph_bandit_maps::{
    Component, Directions, Format, Note, ReadOptions, Reading, Reason, Rule, System, Travel, Ways,
    read_bytes, read_file, write_bytes,
};

fn options(ways: Ways) -> ReadOptions {
    ReadOptions { ways, component: Component::Largest, ..ReadOptions::default() }
}

/// A cross: a street from west to east, and a path that leaves it in the middle and continues
/// beyond the border.
fn cross() -> Extract<'static> {
    Extract {
        nodes: vec![
            (1, [10.0, 50.0], &[("name", "West")]),
            (-2, [10.001, 50.0], &[]),
            (3, [10.002, 50.0], &[("highway", "crossing")]),
            (4, [10.003, 50.0], &[]),
            (5, [10.002, 50.001], &[]),
            (9_000_000_000, [10.002, 50.002], &[]),
        ],
        ways: vec![
            (70, vec![1, -2, -2, 3, 4], &[("highway", "secondary"), ("oneway", "yes")]),
            (71, vec![3, 5, 9_000_000_000, 404], &[("highway", "path"), ("length", "99")]),
        ],
    }
}

fn check_cross(reading: &Reading) {
    let map = &reading.map;
    assert_eq!(map.graph().names().unwrap(), ["1", "3", "4", "9000000000"]);
    assert_eq!(map.graph().edges().collect::<Vec<_>>(), [(0, 1), (1, 2), (1, 3)]);
    assert_eq!(map.system(), Some(System::Geographic));
    assert_eq!(map.coordinates().unwrap()[3], [10.002, 50.002]);
    assert_eq!(map.nodes()[0]["name"], "West");
    assert_eq!(map.nodes()[1]["highway"], "crossing");
    let street = map.edge(0, 1).unwrap();
    assert_eq!(street.bends, [[10.001, 50.0]]);
    assert_eq!(
        (&street.attributes["osmid"], &street.attributes["oneway"]),
        (&70.into(), &"yes".into())
    );
    let path = map.edge(1, 3).unwrap();
    // 0.002 degrees of a meridian.
    assert!((path.length.unwrap() - 222.39).abs() < 0.01, "{path:?}");
    assert_eq!(path.attributes["osm:length"], "99");
    let what = "places of ways that are not in the extract".to_owned();
    assert!(reading.notes.contains(&Note::Ignored { what, count: 1 }), "{:?}", reading.notes);
}

#[test]
fn nodes_plain_or_dense_packed_or_not() {
    for nodes in [Nodes::Plain, Nodes::Dense] {
        for packing in [Packing::Raw, Packing::Zlib] {
            let bytes = cross().bytes(nodes, packing);
            check_cross(&read_bytes(&bytes, &options(Ways::Walkable)).unwrap());
        }
    }
}

#[test]
fn cars_have_other_ways() {
    let bytes = cross().bytes(Nodes::Dense, Packing::Zlib);
    let reading = read_bytes(&bytes, &options(Ways::Drivable)).unwrap();
    assert_eq!(reading.map.graph().names().unwrap(), ["1", "4"]);
    assert_eq!(reading.notes, [Note::Directed { count: 1 }]);
    let walk = Extract { ways: vec![(1, vec![1, 3], &[("highway", "steps")])], ..cross() };
    let problem = read_bytes(&walk.bytes(Nodes::Dense, Packing::Raw), &options(Ways::Drivable));
    let problem = problem.unwrap_err();
    assert_eq!(problem.reason, Reason::NoWays { wanted: Ways::Drivable });
    assert!(problem.to_string().contains("no drivable ways"), "{problem}");
}

#[test]
fn osmium() {
    let reading = read_file(&path("osmium.osm.pbf"), &options(Ways::Walkable)).unwrap();
    let map = reading.map;
    assert_eq!(map.graph().names().unwrap(), ["1", "3", "5", "4"]);
    assert_eq!(map.nodes()[0]["name"], "Platz");
    assert_eq!(map.edges()[0].attributes["maxspeed"], "30");
    let drive = read_file(&path("osmium.osm.pbf"), &options(Ways::Drivable)).unwrap().map;
    assert_eq!(drive.graph().names().unwrap(), ["1", "3", "5", "8"]);
    let whole = read_file(&path("osmium.osm.pbf"), &ReadOptions::default()).unwrap_err();
    assert!(whole.to_string().contains("2 parts"), "{whole}");
    assert_eq!(fixture("networkx-plain.csv").map.system(), None);
}

#[test]
fn unreadable_extracts_are_refused_with_a_reason() {
    let reason = |bytes: &[u8]| {
        let options =
            ReadOptions { format: Some(graph_bandit_maps::Format::OSM), ..options(Ways::Walkable) };
        read_bytes(bytes, &options).unwrap_err().reason.to_string()
    };
    assert!(reason(b"").contains("no walkable ways"));
    let history = header(&["OsmSchema-V0.6", "HistoricalInformation"], Packing::Raw);
    assert!(reason(&history).contains("HistoricalInformation"));
    let bytes = cross().bytes(Nodes::Dense, Packing::Zlib);
    assert!(reason(&bytes[..bytes.len() - 1]).contains("block 2 is damaged"));
    let mut lz4 = blob("OSMData", b"", Packing::Raw);
    let last = lz4.len() - 2;
    lz4[last] = 6 << 3 | 2;
    assert!(reason(&lz4).contains("osmium cat"), "{}", reason(&lz4));
}

/// A triangle of streets of 0.001 degrees on the equator, and one street that leads backward.
#[test]
fn extracts_have_directions_and_speeds() {
    let side = 6_371_009.0 * 0.001_f64.to_radians();
    let extract = Extract {
        nodes: vec![(1, [0.0, 0.0], &[]), (2, [0.001, 0.0], &[]), (3, [0.002, 0.0], &[])],
        ways: vec![
            (10, vec![1, 2], &[("highway", "residential"), ("oneway", "yes"), ("maxspeed", "36")]),
            (11, vec![1, 2], &[("highway", "service"), ("oneway", "-1")]),
            (
                12,
                vec![2, 3],
                &[("highway", "primary"), ("maxspeed", "30 mph"), ("maxspeed:backward", "18")],
            ),
        ],
    };
    let bytes = extract.bytes(Nodes::Dense, Packing::Raw);
    let read = |ways, travel| read_bytes(&bytes, &ReadOptions { travel, ..options(ways) }).unwrap();
    let drive = read(Ways::Drivable, times("travel_time"));
    let graph = drive.map.graph();
    for (from, to, metres_per_second) in
        [(0, 1, 10.0), (1, 0, 15.0 / 3.6), (1, 2, 30.0 * 0.447_04), (2, 1, 5.0)]
    {
        let time = graph.travel(from, to).unwrap();
        assert!((time - side / metres_per_second).abs() < 1e-6, "{from} {to} {time}");
    }
    assert_eq!((graph.road_count(), drive.travel.one_way), (4, 0));
    let rules: Vec<_> =
        drive.travel.guessed.iter().map(|guess| (guess.rule, guess.count)).collect();
    assert_eq!(rules, [(Rule::Maxspeed, 3), (Rule::KindOfRoad, 1)]);
    // For pedestrians neither oneway nor maxspeed counts.
    let walk = read(Ways::Walkable, times("travel_time"));
    assert_eq!(walk.map.graph().road_count(), 4);
    let time = walk.map.graph().travel(1, 0).unwrap();
    assert!((time - side * 3.6 / 5.0).abs() < 1e-6, "{time}");
    let rules: Vec<_> = walk.travel.guessed.iter().map(|guess| (guess.rule, guess.count)).collect();
    assert_eq!(rules, [(Rule::OnFoot, 3)]);
    let brisk = Travel { speed: Some(2.0), visit_time: Some(10.0), ..Travel::default() };
    let time = read(Ways::Walkable, brisk).map.graph().travel(0, 1).unwrap();
    assert!((time - side / 20.0).abs() < 1e-9, "{time}");
    // Converted and read again, the roads are the same.
    for ways in [Ways::Drivable, Ways::Walkable] {
        let kept = Travel { directions: Directions::Kept, ..Travel::default() };
        let map = read(ways, kept).map;
        // Walking times belong to the extract; lengths survive as well.
        let field = if ways == Ways::Drivable { "travel_time" } else { "length" };
        let expected = read(ways, times(field)).map;
        assert_eq!(map.is_directed(), ways == Ways::Drivable);
        for format in [Format::GRAPHML, Format::GEOJSON] {
            let written = write_bytes(&map, format).unwrap();
            assert_eq!(written.left_out, [], "{format}");
            let travel = times(field);
            let again = read_bytes(&written.bytes, &ReadOptions { travel, ..options(ways) });
            assert_eq!(again.unwrap().map.graph(), expected.graph(), "{format}");
        }
    }
}
