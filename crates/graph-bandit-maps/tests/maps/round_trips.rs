//! A written map reads back unchanged, or the writer reported what it left out.

use crate::samples::{WRITTEN, fixture, largest_part, map};
use graph_bandit_maps::{
    Component, Draft, DraftEdge, DraftNode, Format, Limits, Map, ReadOptions, read_bytes,
    write_bytes,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};

fn back(bytes: &[u8], format: Format) -> Map {
    let options = ReadOptions { format: Some(format), ..ReadOptions::default() };
    let reading = read_bytes(bytes, &options);
    reading.unwrap_or_else(|e| panic!("{e:?}\n{}", String::from_utf8_lossy(bytes))).map
}

/// Nav2 needs ids on edges, so a map gains them; comparisons ignore them.
fn comparable(map: &Map, format: Format) -> Map {
    match format.name() {
        "nav2" => {
            let mut draft = Draft::new(Limits::default());
            if let Some(system) = map.system() {
                draft.set_system(system);
            }
            for (name, value) in map.attributes() {
                draft.describe(name, value.clone());
            }
            for node in map.graph().nodes() {
                draft
                    .add(DraftNode {
                        id: map.graph().label(node),
                        place: map.coordinates().map(|places| places[node as usize]),
                        attributes: map.nodes()[node as usize].clone(),
                        line: None,
                    })
                    .unwrap();
            }
            for edge in map.edges() {
                let mut attributes = edge.attributes.clone();
                attributes.remove("id");
                draft
                    .connect(DraftEdge {
                        source: edge.source as usize,
                        target: edge.target as usize,
                        length: edge.length,
                        bends: edge.bends.clone(),
                        attributes,
                        ..DraftEdge::default()
                    })
                    .unwrap();
            }
            draft.assemble(Component::Only).unwrap().map
        }
        _ => map.clone(),
    }
}

/// The largest files of other programs, through every format that can hold them.
#[test]
fn fixtures_survive_every_format_that_can_hold_them() {
    let mut whole = 0;
    for name in [
        "networkx.graphml",
        "networkx-multi.graphml",
        "networkx.edgelist",
        "gephi.graphml",
        "nav2.geojson",
        "lines.geojson",
        "osmnx.graphml",
        "osmnx-projected.graphml",
        "osmium.osm.pbf",
    ] {
        let original = if name.starts_with("osm") { largest_part(name) } else { fixture(name) }.map;
        for format in WRITTEN {
            let written = write_bytes(&original, format).unwrap();
            let read = back(&written.bytes, format);
            assert_eq!(read.graph().edge_count(), original.graph().edge_count(), "{name} {format}");
            if written.left_out.is_empty() {
                assert_eq!(
                    comparable(&read, format),
                    comparable(&original, format),
                    "{name} {format}"
                );
                whole += 1;
            } else {
                assert!(
                    ![Format::GRAPHML, Format::GEOJSON].contains(&format),
                    "{name} {format}: {:?}",
                    written.left_out
                );
            }
        }
    }
    assert!(whole > 25, "{whole}");
}

#[test]
fn extracts_are_read_only() {
    let map = fixture("networkx.graphml").map;
    assert!(write_bytes(&map, Format::OSM).unwrap_err().to_string().contains(".graphml"));
}

#[test]
fn a_writer_reports_what_it_leaves_out() {
    let map = largest_part("osmnx.graphml").map;
    let left_out = write_bytes(&map, Format::EDGE_LIST).unwrap().left_out;
    let said: Vec<String> = left_out.iter().map(ToString::to_string).collect();
    for part in [
        "4 coordinates of nodes",
        "1 nodes' attributes",
        "4 attributes of the map",
        "1 shapes of edges",
    ] {
        assert!(said.iter().any(|said| said.starts_with(part)), "{part}: {said:?}");
    }
}

/// The properties below say little if hardly any map survives completely.
#[test]
fn many_maps_survive_completely() {
    let mut runner = TestRunner::new(config());
    let mut whole = [0; 3];
    let formats = [Format::GRAPHML, Format::GEOJSON, Format::EDGE_LIST];
    for _ in 0..200 {
        let map = map().new_tree(&mut runner).unwrap().current();
        for (whole, format) in whole.iter_mut().zip(formats) {
            *whole += usize::from(write_bytes(&map, format).unwrap().left_out.is_empty());
        }
    }
    let [graphml, geojson, edge_list] = whole;
    assert!(graphml > 120 && geojson > 120 && edge_list > 10, "{whole:?}");
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1500,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x3a95),
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_map_survives_or_its_losses_are_reported(map in map()) {
        for format in WRITTEN {
            let written = write_bytes(&map, format).unwrap();
            let read = back(&written.bytes, format);
            if written.left_out.is_empty() && format != Format::NAV2 {
                prop_assert_eq!(&read, &map, "{}\n{}", format, String::from_utf8_lossy(&written.bytes));
            } else {
                prop_assert_eq!(read.graph().len(), map.graph().len());
                prop_assert!(read.graph().edges().eq(map.graph().edges()));
            }
        }
    }

    /// A second round trip loses nothing and changes no byte.
    #[test]
    fn a_second_round_trip_changes_nothing(map in map()) {
        for format in [Format::GRAPHML, Format::GEOJSON, Format::EDGE_LIST] {
            let once = back(&write_bytes(&map, format).unwrap().bytes, format);
            let written = write_bytes(&once, format).unwrap();
            prop_assert_eq!(&written.left_out, &[], "{}", format);
            prop_assert_eq!(back(&written.bytes, format), once);
        }
    }
}
