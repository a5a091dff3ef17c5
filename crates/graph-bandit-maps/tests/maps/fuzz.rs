//! Damaged files of every format: a result or a clean error, within the limits.

use crate::pbf::{Extract, Nodes, Packing};
use crate::samples::{WRITTEN, map, path};
use graph_bandit_maps::{
    Component, Directions, Format, Limits, ReadOptions, Travel, Ways, read_bytes, write_bytes,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn options(format: Option<Format>) -> ReadOptions {
    let limits = Limits { elements: 5_000, held_bytes: 1 << 20, ..Limits::default() };
    ReadOptions {
        format,
        component: Component::Largest,
        ways: Ways::Walkable,
        limits,
        ..ReadOptions::default()
    }
}

/// Any directions and times get a result; whatever is kept survives in every format.
fn survives_with_roads(bytes: &[u8], format: Option<Format>) {
    for field in ["time", "length", "travel_time", "maxspeed", "weight"] {
        let travel = Travel {
            directions: Directions::OneWay,
            times: Some(field.to_owned()),
            visit_time: Some(30.0),
            speed: Some(1.5),
        };
        let _ = read_bytes(bytes, &ReadOptions { travel, ..options(format) });
    }
    let kept = || Travel { directions: Directions::Kept, ..Travel::default() };
    let Ok(reading) = read_bytes(bytes, &ReadOptions { travel: kept(), ..options(format) }) else {
        return;
    };
    for format in WRITTEN {
        let written = write_bytes(&reading.map, format).unwrap();
        let again = ReadOptions { format: Some(format), travel: kept(), ..Default::default() };
        let again = read_bytes(&written.bytes, &again);
        let again = again.unwrap_or_else(|problem| panic!("{format}: {problem:?}")).map;
        if written.left_out.is_empty() && format != Format::NAV2 {
            assert_eq!(again, reading.map, "{format}");
        }
    }
}

/// Reads, and if there is a map, writes it in every format and reads it again.
fn survives(bytes: &[u8], format: Option<Format>) -> bool {
    survives_with_roads(bytes, format);
    let Ok(reading) = read_bytes(bytes, &options(format)) else { return false };
    for format in WRITTEN {
        let written = write_bytes(&reading.map, format).unwrap();
        let again =
            read_bytes(&written.bytes, &ReadOptions { format: Some(format), ..Default::default() });
        let again = again.unwrap_or_else(|problem| panic!("{format}: {problem:?}")).map;
        assert_eq!(again.graph().edge_count(), reading.map.graph().edge_count());
        if written.left_out.is_empty() && format != Format::NAV2 {
            assert_eq!(again, reading.map, "{format}");
        }
    }
    true
}

const SEEDS: [&str; 13] = [
    "networkx.graphml",
    "networkx-multi.graphml",
    "gephi.graphml",
    "osmnx.graphml",
    "osmnx-projected.graphml",
    "nav2.geojson",
    "lines.geojson",
    "networkx.edgelist",
    "networkx-weighted.edgelist",
    "networkx-floats.csv",
    "osmium.osm.pbf",
    "town.graphml",
    "town-roads.csv",
];

/// A change of a few bytes, at a place given as a share of the file.
#[derive(Debug, Clone)]
enum Damage {
    Replace(u16, u8),
    Insert(u16, u8),
    Remove(u16, u8),
    Repeat(u16, u8, u8),
    Swap(u16, u16, u8),
    Word(u16, &'static str),
    End(u16),
}

fn damage() -> impl Strategy<Value = Damage> {
    let words = [
        "<",
        ">",
        "</graph>",
        "<graph>",
        "&amp;",
        "&x;",
        "&#0;",
        "]]>",
        "<!--",
        "<![CDATA[",
        "{",
        "}",
        "[",
        "]",
        "\"",
        "\\",
        "null",
        "-1e309",
        "1e308",
        "NaN",
        "--",
        "->",
        ";",
        ",",
        "\n",
        "\t",
        "#",
        "node",
        "3.0",
        "\u{feff}",
        "é",
        "'",
    ];
    let place = any::<u16>();
    prop_oneof![
        (place, any::<u8>()).prop_map(|(at, byte)| Damage::Replace(at, byte)),
        (place, any::<u8>()).prop_map(|(at, byte)| Damage::Insert(at, byte)),
        (place, any::<u8>()).prop_map(|(at, count)| Damage::Remove(at, count)),
        (place, any::<u8>(), 1_u8..20)
            .prop_map(|(at, count, times)| Damage::Repeat(at, count, times)),
        (place, place, any::<u8>()).prop_map(|(a, b, count)| Damage::Swap(a, b, count)),
        (place, prop::sample::select(words.to_vec())).prop_map(|(at, word)| Damage::Word(at, word)),
        place.prop_map(Damage::End),
    ]
}

fn damaged(mut bytes: Vec<u8>, damages: &[Damage]) -> Vec<u8> {
    for damage in damages {
        let at = |share: u16, bytes: &[u8]| bytes.len() * usize::from(share) / 65_536;
        let piece = |share: u16, count: u8, bytes: &[u8]| {
            let start = at(share, bytes);
            start..(start + usize::from(count)).min(bytes.len())
        };
        match *damage {
            Damage::Replace(share, byte) => {
                let place = at(share, &bytes);
                if let Some(old) = bytes.get_mut(place) {
                    *old = byte;
                }
            }
            Damage::Insert(share, byte) => bytes.insert(at(share, &bytes), byte),
            Damage::Remove(share, count) => drop(bytes.drain(piece(share, count, &bytes))),
            Damage::Repeat(share, count, times) => {
                let range = piece(share, count, &bytes);
                let copy = bytes[range.clone()].repeat(times.into());
                bytes.splice(range.start..range.start, copy);
            }
            Damage::Swap(a, b, count) => {
                let copy = bytes[piece(a, count, &bytes)].to_vec();
                let to = at(b, &bytes);
                bytes.splice(to..to, copy);
            }
            Damage::Word(share, word) => {
                let place = at(share, &bytes);
                bytes.splice(place..place, word.bytes());
            }
            Damage::End(share) => bytes.truncate(at(share, &bytes)),
        }
    }
    bytes
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0xda3a),
        ..ProptestConfig::default()
    }
}

/// The damage is neither always fatal nor always harmless; otherwise these tests would test little.
#[test]
fn seeds_are_maps() {
    for seed in SEEDS {
        let bytes = std::fs::read(path(seed)).unwrap();
        assert!(survives(&bytes, Format::of_name(&path(seed))), "{seed}");
    }
}

proptest! {
    #![proptest_config(config(6000))]

    #[test]
    fn damaged_files(seed in prop::sample::select(SEEDS.to_vec()), damages in vec(damage(), 1..4)) {
        let bytes = damaged(std::fs::read(path(seed)).unwrap(), &damages);
        survives(&bytes, Format::of_name(&path(seed)));
    }

    #[test]
    fn any_bytes_as_any_format(
        bytes in vec(any::<u8>(), 0..200),
        format in prop::option::of(prop::sample::select(Format::all())),
    ) {
        survives(&bytes, format);
    }

    #[test]
    fn words_of_edge_lists(text in "([a-c0-3\",\\t#\\n\\r ]|source|target|\\{'a': |\\}|\\(|\\)|'|3\\.0){0,60}") {
        survives(text.as_bytes(), Some(Format::EDGE_LIST));
    }

    #[test]
    fn elements_of_graphml(
        inner in "(<node id=\"[ab]\"/?>|</node>|<edge source=\"[ab]\" target=\"[ab]\"/>|<data key=\"[de]\">|</data>|<graph>|</graph>|<port/>|[x1.]|&lt;|&#65;| ){0,20}",
        kind in "(int|long|double|boolean|string|)",
    ) {
        let text = format!(
            "<graphml><key id=\"d\" for=\"all\" attr.name=\"x\" attr.type=\"{kind}\"><default>1</default></key>\
             <graph><node id=\"a\"/>{inner}</graph></graphml>"
        );
        survives(text.as_bytes(), Some(Format::GRAPHML));
    }

    #[test]
    fn features_of_geojson(
        kinds in vec((0_usize..7, -2_i32..3, -2_i32..3, 0_usize..4), 0..8),
    ) {
        let features: Vec<String> = kinds.iter().map(|&(kind, x, y, extra)| {
            let geometry = [
                format!("{{\"type\":\"Point\",\"coordinates\":[{x},{y}]}}"),
                format!("{{\"type\":\"LineString\",\"coordinates\":[[{x},{y}],[0,0],[{y},{x},7]]}}"),
                format!("{{\"type\":\"MultiLineString\",\"coordinates\":[[[{x},{y}],[1,1]],[],[[1,1]]]}}"),
                "null".to_owned(),
                "{\"type\":\"LineString\",\"coordinates\":[]}".to_owned(),
                format!("{{\"type\":\"Polygon\",\"coordinates\":{x}}}"),
                format!("{{\"type\":\"LineString\",\"coordinates\":[[1e300,{y}],[{x},-1e300]]}}"),
            ][kind].clone();
            let properties = [
                "null".to_owned(),
                format!("{{\"id\":{x}.0,\"length\":{y}}}"),
                format!("{{\"startid\":{x},\"endid\":\"{y}\",\"id\":null}}"),
                format!("{{\"source\":{x},\"target\":{y},\"name\":\"n{x}\"}}"),
            ][extra].clone();
            format!("{{\"type\":\"Feature\",\"geometry\":{geometry},\"properties\":{properties}}}")
        }).collect();
        let text = format!("{{\"type\":\"FeatureCollection\",\"features\":[{}]}}", features.join(","));
        survives(text.as_bytes(), Some(Format::GEOJSON));
    }

    #[test]
    fn damaged_extracts(damages in vec(damage(), 0..3), refs in vec(-3_i64..6, 0..8)) {
        let extract = Extract {
            nodes: (0..5).map(|id| (id, [id as f64, 1.0], &[("a", "b")][..])).collect(),
            ways: vec![(7, refs, &[("highway", "path")]), (8, vec![0, 1, 2], &[("highway", "track")])],
        };
        // Not compressed, so that damage reaches the elements.
        let bytes = damaged(extract.bytes(Nodes::Dense, Packing::Raw), &damages);
        survives(&bytes, Some(Format::OSM));
    }
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn damaged_maps(map in map(), damages in vec(damage(), 1..4)) {
        for format in WRITTEN {
            let bytes = write_bytes(&map, format).unwrap().bytes;
            survives(&damaged(bytes, &damages), Some(format));
        }
    }
}
