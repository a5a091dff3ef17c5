//! Round trips of roads: directions and times survive every format that can hold them.

use crate::samples::{WRITTEN, map_of_roads, path};
use crate::travel::{directed, times};
use graph_bandit::Road;
use graph_bandit_maps::{
    Component, Directions, Format, LeftOut, Map, ReadOptions, Travel, read_bytes, read_file,
    write_bytes,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn roads(map: &Map) -> Vec<(String, String, u64)> {
    let graph = map.graph();
    let named =
        |Road { from, to, time }: Road| (graph.label(from), graph.label(to), time.to_bits());
    let mut roads: Vec<_> = graph.all_roads().map(named).collect();
    roads.sort();
    roads
}

/// The options that read a map as it was written.
fn options(map: &Map, format: Format) -> ReadOptions {
    let has_times = map.edges().iter().any(|edge| edge.time.is_some());
    let travel = if has_times { times("time") } else { Travel::default() };
    let travel = if map.is_directed() {
        directed(travel)
    } else if has_times {
        travel
    } else {
        Travel { directions: Directions::Declared, ..travel }
    };
    ReadOptions { format: Some(format), travel, ..ReadOptions::default() }
}

/// Whether nothing is lost, except that an edge list cannot record whether its lines lead one way.
fn is_whole(left_out: &[LeftOut]) -> bool {
    left_out.iter().all(|loss| loss.what == LeftOut::DIRECTIONS)
}

#[test]
fn a_town_goes_through_every_format() {
    let travel = Travel { visit_time: Some(30.0), ..times("travel_time") };
    let town = read_file(&path("town.graphml"), &ReadOptions { travel, ..ReadOptions::default() });
    let town = town.unwrap().map;
    for format in WRITTEN {
        let written = write_bytes(&town, format).unwrap();
        let again = read_bytes(&written.bytes, &options(&town, format)).unwrap().map;
        assert_eq!(roads(&again), roads(&town), "{format}");
        if is_whole(&written.left_out) && format != Format::NAV2 {
            assert_eq!(again, town, "{format}");
        }
    }
}

/// A conversion loses nothing, even without times.
#[test]
fn a_conversion_keeps_directions_and_fields() {
    let kept = Travel { directions: Directions::Kept, ..Travel::default() };
    let kept = ReadOptions { travel: kept, ..ReadOptions::default() };
    let map = read_file(&path("town.graphml"), &kept).unwrap().map;
    assert!(map.is_directed() && map.graph().roads().is_none());
    let travel = || Travel { visit_time: Some(30.0), ..directed(times("travel_time")) };
    let timed = ReadOptions { travel: travel(), ..ReadOptions::default() };
    let expected = roads(&read_file(&path("town.graphml"), &timed).unwrap().map);
    let plain = read_file(&path("town.graphml"), &ReadOptions::default()).unwrap().map;
    for format in WRITTEN {
        let written = write_bytes(&map, format).unwrap();
        let said = written.left_out.iter().any(|loss| loss.what == LeftOut::DIRECTIONS);
        assert_eq!(said, format == Format::EDGE_LIST, "{:?}", written.left_out);
        let read = |travel| {
            let options = ReadOptions { format: Some(format), travel, ..ReadOptions::default() };
            read_bytes(&written.bytes, &options).unwrap().map
        };
        assert_eq!(roads(&read(travel())), expected, "{format}");
        // Without options, both give the same graph with unit roads.
        assert!(read(Travel::default()).graph().edges().count() == plain.graph().edges().count());
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x70ad),
        ..ProptestConfig::default()
    })]

    #[test]
    fn roads_survive_or_losses_are_reported(map in map_of_roads()) {
        for format in WRITTEN {
            let written = write_bytes(&map, format).unwrap();
            let reading = read_bytes(&written.bytes, &options(&map, format));
            let read = reading.unwrap_or_else(|e| panic!("{e:?}\n{}", String::from_utf8_lossy(&written.bytes))).map;
            let text = String::from_utf8_lossy(&written.bytes);
            if is_whole(&written.left_out) && format != Format::NAV2 {
                prop_assert_eq!(&read, &map, "{}\n{}", format, text);
            }
            // Whatever else is lost, and however nodes are named, roads are not.
            prop_assert!(read.graph().all_roads().eq(map.graph().all_roads()), "{}\n{}", format, text);
        }
    }

    /// The kept parts match those of the core, and the graph matches its roads.
    #[test]
    fn the_largest_part_is_strongly_connected(
        pairs in prop::collection::vec((0_u32..9, 0_u32..9, 0.0..5.0), 1..25),
    ) {
        let lines: Vec<String> =
            pairs.iter().map(|(a, b, time)| format!("n{a},n{b},{time}")).collect();
        let options = ReadOptions {
            component: Component::Largest,
            format: Some(Format::EDGE_LIST),
            travel: directed(times("time")),
            ..ReadOptions::default()
        };
        let text = format!("source,target,time\n{}\n", lines.join("\n"));
        let reading = read_bytes(text.as_bytes(), &options).unwrap();
        let reaches = closure(&pairs);
        let sizes = (0..9).map(|a| (0..9).filter(|&b| reaches[a][b] && reaches[b][a]).count());
        let graph = reading.map.graph();
        prop_assert_eq!(graph.len(), sizes.max().unwrap());
        for road in graph.all_roads() {
            let [a, b] = [road.from, road.to].map(|node| graph.label(node)[1..].parse::<u32>().unwrap());
            let fastest = pairs.iter().filter(|pair| (pair.0, pair.1) == (a, b)).map(|pair| pair.2);
            prop_assert_eq!(fastest.fold(f64::INFINITY, f64::min), road.time);
        }
    }
}

/// Which nodes reach which.
fn closure(pairs: &[(u32, u32, f64)]) -> [[bool; 9]; 9] {
    let mut reaches = [[false; 9]; 9];
    for (a, b, _) in pairs {
        reaches[*a as usize][*b as usize] = true;
        reaches[*a as usize][*a as usize] = true;
        reaches[*b as usize][*b as usize] = true;
    }
    for over in 0..9 {
        for from in 0..9 {
            for to in 0..9 {
                reaches[from][to] |= reaches[from][over] && reaches[over][to];
            }
        }
    }
    reaches
}
