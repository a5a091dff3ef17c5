//! Paths of the fixtures, and maps to write.

use graph_bandit_maps::{
    Component, Direction, Directions, Draft, DraftEdge, DraftNode, Format, Limits, Map,
    ReadOptions, Reading, System, Travel, read_file,
};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

pub(crate) fn fixture(name: &str) -> Reading {
    read_file(&path(name), &ReadOptions::default()).unwrap()
}

pub(crate) fn largest_part(name: &str) -> Reading {
    let options = ReadOptions { component: Component::Largest, ..ReadOptions::default() };
    read_file(&path(name), &options).unwrap()
}

/// Formats that can be written.
pub(crate) const WRITTEN: [Format; 4] =
    [Format::GRAPHML, Format::GEOJSON, Format::NAV2, Format::EDGE_LIST];

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,5}",
        2 => "[a-zA-Z0-9 _.,;:\"'<>&|{}()#+=\\\\\\n\\t-]{0,8}",
        1 => any::<String>(),
        1 => Just("true".to_owned()),
        1 => Just("3.0".to_owned()),
        1 => Just("\u{feff}\u{fffe}\r\n".to_owned()),
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| if number.is_finite() { json!(number) } else { json!(0.5) }),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

/// Includes names with a meaning in some format.
fn attribute_name() -> impl Strategy<Value = String> {
    let meaningful = [
        "id",
        "x",
        "y",
        "lon",
        "lat",
        "length",
        "distance",
        "geometry",
        "source",
        "target",
        "startid",
        "endid",
        "name",
        "elevation",
        "crs",
        "type",
        "weight",
        "osmid",
        "label",
        "from",
        "to",
        "time",
        "travel_time",
        "directed",
        "maxspeed:forward",
    ];
    prop_oneof![3 => "[a-z]{1,4}", 1 => text(), 2 => prop::sample::select(meaningful.to_vec())
        .prop_map(str::to_owned)]
}

fn attributes() -> impl Strategy<Value = Vec<(String, Value)>> {
    vec((attribute_name(), value()), 0..4)
}

/// Attributes without a meaning in any format, with any values.
fn tame_attributes() -> impl Strategy<Value = Vec<(String, Value)>> {
    vec(("k[a-z]{0,2}", value()), 0..4)
}

fn place() -> impl Strategy<Value = [f64; 2]> {
    prop_oneof![
        3 => [-180.0..180.0, -90.0..90.0],
        1 => [-1e6..1e6, -1e6..1e6],
    ]
}

/// Ends, length and bends.
type PlannedEdge = (usize, usize, Option<f64>, Vec<[f64; 2]>);

/// The parts of a map.
#[derive(Debug, Clone)]
struct Plan {
    names: Vec<String>,
    places: Option<Vec<[f64; 2]>>,
    system: System,
    edges: Vec<PlannedEdge>,
    node_attributes: Vec<Vec<(String, Value)>>,
    edge_attributes: Vec<Vec<(String, Value)>>,
    attributes: Vec<(String, Value)>,
}

fn plan() -> impl Strategy<Value = Plan> {
    let names = prop_oneof![
        2 => Just(None),
        2 => vec("[a-zA-Z ]{1,6}", 8).prop_map(Some),
        1 => vec(text(), 8).prop_map(Some),
    ];
    let edge = (0_usize..8, 0_usize..8, prop::option::of(0.0..1e5), vec(place(), 0..3));
    (
        1_usize..8,
        names,
        prop::option::of(vec(place(), 8)),
        prop_oneof![Just(System::Geographic), Just(System::Plane)],
        vec(edge, 0..12),
        prop_oneof![
            2 => (vec(tame_attributes(), 8), vec(tame_attributes(), 20), tame_attributes()),
            1 => (vec(attributes(), 8), vec(attributes(), 20), attributes()),
            1 => (vec(attributes(), 8), vec(Just(Vec::new()), 20), Just(Vec::new())),
            1 => (vec(Just(Vec::new()), 8), vec(attributes(), 20), Just(Vec::new())),
            1 => (vec(Just(Vec::new()), 8), vec(Just(Vec::new()), 20), attributes()),
        ],
    )
        .prop_map(|(count, names, places, system, extra, attributes)| {
            let names = match names {
                None => (0..count).map(|node| node.to_string()).collect(),
                Some(names) => names[..count]
                    .iter()
                    .enumerate()
                    .map(|(i, name)| format!("{name}{i}"))
                    .collect(),
            };
            let tree = (1..count).map(|node| (node, node * 5 / 7, None, Vec::new()));
            let extra = extra
                .into_iter()
                .map(|(a, b, length, bends)| (a % count, b % count, length, bends));
            let (node_attributes, edge_attributes, attributes) = attributes;
            let edges = tree.chain(extra).collect();
            let places = places.map(|places| places[..count].to_vec());
            Plan { names, places, system, edges, node_attributes, edge_attributes, attributes }
        })
}

/// Any map.
pub(crate) fn map() -> impl Strategy<Value = Map> {
    plan().prop_map(|plan| draft_of(plan, |_| (None, None)).assemble(Component::Only).unwrap().map)
}

/// Any map whose edges are one-way and take time, or lead both ways, or take no time.
pub(crate) fn map_of_roads() -> impl Strategy<Value = Map> {
    let directions = prop_oneof![
        1 => vec(Just(Direction::Both), 20),
        3 => vec(prop_oneof![Just(Direction::Both), Just(Direction::Forward), Just(Direction::Backward)], 20),
    ];
    let time = prop_oneof![Just(0.0), 0.0..50.0, Just(134_217_728.0)];
    let times = prop::option::weighted(0.8, vec(time, 20));
    (plan(), directions, times).prop_map(|(plan, directions, times)| {
        let time = |i: usize| times.as_ref().map(|times| times[i % 20]);
        let ends: Vec<_> = plan.edges.iter().map(|edge| (edge.0, edge.1)).collect();
        let mut draft = draft_of(plan, |i| (Some(directions[i]), time(i)));
        // A way back for every edge keeps it connected.
        for (i, (source, target)) in ends.into_iter().enumerate() {
            let direction = Some(match directions[i] {
                Direction::Both => Direction::Both,
                Direction::Forward => Direction::Backward,
                Direction::Backward => Direction::Forward,
            });
            let time = time(i + 7);
            let edge = DraftEdge { source, target, direction, time, ..DraftEdge::default() };
            draft.connect(edge).unwrap();
        }
        let travel = Travel { directions: Directions::Declared, ..Travel::default() };
        draft.assemble_for(Component::Only, &travel).unwrap().map
    })
}

/// The draft of a plan, with the direction and time of each edge by its number.
fn draft_of(plan: Plan, road: impl Fn(usize) -> (Option<Direction>, Option<f64>)) -> Draft {
    let mut draft = Draft::new(Limits::default());
    draft.set_system(plan.system);
    for (name, value) in plan.attributes {
        draft.describe(&name, value);
    }
    for (node, id) in plan.names.into_iter().enumerate() {
        let place = plan.places.as_ref().map(|places| places[node]);
        let attributes = plan.node_attributes[node].iter().cloned().collect();
        draft.add(DraftNode { id, place, attributes, line: None }).unwrap();
    }
    for (i, (source, target, length, bends)) in plan.edges.into_iter().enumerate() {
        let attributes = plan.edge_attributes[i].iter().cloned().collect();
        let (direction, time) = road(i);
        let edge = DraftEdge {
            source,
            target,
            length,
            bends,
            attributes,
            direction,
            time,
            ..DraftEdge::default()
        };
        draft.connect(edge).unwrap();
    }
    draft
}
