//! Which graphs exist, as texts like `grid:10x10` and as `{"family":"grid","rows":10,"columns":10}`.
//!
//! This is the one list of graph families; a new one is a constructor of [`Graph`], a variant here
//! and a row in [`GraphSpec::families`].

use crate::digits::Digits;
use crate::graph::families::check;
use crate::graph::random_families::{check_erdos_renyi, check_geometric};
use crate::graph::{FamilyError, Graph, MAX_NODES, SelfPlace, SmallWorld};
use crate::random::Seed;
use crate::spec::KindInfo;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use thiserror::Error;

const BINARY: usize = 2;

fn binary() -> usize {
    BINARY
}

/// A graph by its family and parameters.
///
/// ```
/// use graph_bandit::{GraphSpec, random::Seed};
/// let spec: GraphSpec = "grid:3x4".parse()?;
/// assert_eq!(spec, GraphSpec::Grid { rows: 3, columns: 4 });
/// assert_eq!(spec.to_string(), "grid:3x4");
/// assert_eq!(spec.build(Seed(1))?.edge_count(), 17);
/// # Ok::<(), graph_bandit::GraphSpecError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "family", rename_all = "kebab-case", deny_unknown_fields)]
pub enum GraphSpec {
    /// See [`Graph::line`].
    Line {
        /// The number of nodes.
        nodes: usize,
    },
    /// See [`Graph::circle`].
    Circle {
        /// The number of nodes.
        nodes: usize,
    },
    /// See [`Graph::star`].
    Star {
        /// The number of nodes, the hub counted.
        nodes: usize,
    },
    /// See [`Graph::tree`].
    Tree {
        /// The number of nodes.
        nodes: usize,
        /// The most children a node has; 2 unless given.
        #[serde(default = "binary")]
        branching: usize,
    },
    /// See [`Graph::grid`].
    Grid {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// See [`Graph::complete`].
    Complete {
        /// The number of nodes.
        nodes: usize,
    },
    /// See [`Graph::broom`].
    Broom {
        /// The number of nodes.
        nodes: usize,
        /// How many of them are the handle.
        handle: usize,
    },
    /// See [`Graph::arkansas`].
    // Not a unit variant: serde would let those carry unknown fields.
    Arkansas {},
    /// See [`Graph::barbell`].
    Barbell {
        /// The number of nodes of each bell.
        bell: usize,
        /// The number of nodes between the bells.
        path: usize,
    },
    /// See [`Graph::erdos_renyi`].
    ErdosRenyi {
        /// The number of nodes.
        nodes: usize,
        /// The probability of each edge.
        probability: f64,
    },
    /// See [`Graph::geometric`].
    Geometric {
        /// The number of nodes.
        nodes: usize,
        /// The distance up to which two nodes are joined.
        radius: f64,
    },
    /// See [`Graph::small_world`].
    SmallWorld(SmallWorld),
}

static FAMILIES: [KindInfo; 12] = [
    KindInfo {
        name: "line",
        usage: "line:NODES",
        description: "a line, node 0 at one end",
        example: "line:100",
    },
    KindInfo {
        name: "circle",
        usage: "circle:NODES",
        description: "a line with its ends joined",
        example: "circle:100",
    },
    KindInfo {
        name: "star",
        usage: "star:NODES",
        description: "node 0 joined to all others",
        example: "star:100",
    },
    KindInfo {
        name: "tree",
        usage: "tree:NODES[,BRANCHING]",
        description: "a tree filled level by level, binary unless told otherwise",
        example: "tree:100,3",
    },
    KindInfo {
        name: "grid",
        usage: "grid:ROWSxCOLUMNS",
        description: "a rectangle numbered row by row",
        example: "grid:10x10",
    },
    KindInfo {
        name: "complete",
        usage: "complete:NODES",
        description: "every two nodes joined",
        example: "complete:100",
    },
    KindInfo {
        name: "broom",
        usage: "broom:NODES,HANDLE",
        description: "a line of HANDLE nodes, the others hung on its last",
        example: "broom:50,6",
    },
    KindInfo {
        name: "arkansas",
        usage: "arkansas",
        description: "the ten counties of the paper's robot experiment",
        example: "arkansas",
    },
    KindInfo {
        name: "barbell",
        usage: "barbell:BELL,PATH",
        description: "two complete graphs of BELL nodes joined by PATH nodes",
        example: "barbell:15,8",
    },
    KindInfo {
        name: "erdos-renyi",
        usage: "erdos-renyi:NODES,PROBABILITY",
        description: "every edge present with one probability, drawn until connected",
        example: "erdos-renyi:1000,0.01",
    },
    KindInfo {
        name: "geometric",
        usage: "geometric:NODES,RADIUS",
        description: "random points of the unit square joined within RADIUS, drawn until connected",
        example: "geometric:1000,0.06",
    },
    KindInfo {
        name: "small-world",
        usage: "small-world:NODES,NEIGHBORS,REWIRING",
        description: "a ring of near neighbours with some edges moved, drawn until connected",
        example: "small-world:60,4,0.2",
    },
];

/// Why a text is no graph, or a spec has none.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphSpecError {
    /// No family of that name exists.
    #[error("there is no graph family {name:?}; there are {}", family_names())]
    UnknownFamily {
        /// The name given.
        name: String,
    },
    /// The family takes more or fewer parameters.
    #[error("{text:?} has {given} parameters; write {}, as in {}", family.usage, family.example)]
    WrongParameterCount {
        /// The whole text.
        text: String,
        /// How many parameters it has.
        given: usize,
        /// The family it names.
        family: &'static KindInfo,
    },
    /// A parameter should be a whole number and is not.
    #[error(
        "{value:?} in {text:?} is not a number of {parameter}; write a whole number up to \
         {MAX_NODES}, as in {}",
        family.example
    )]
    NotACount {
        /// The whole text.
        text: String,
        /// The parameter's name.
        parameter: &'static str,
        /// The parameter as written.
        value: String,
        /// The family the text names.
        family: &'static KindInfo,
    },
    /// A parameter should be a decimal number and is not.
    #[error(
        "{value:?} in {text:?} is not a {parameter}; write a decimal number, as in {}",
        family.example
    )]
    NotANumber {
        /// The whole text.
        text: String,
        /// The parameter's name.
        parameter: &'static str,
        /// The parameter as written.
        value: String,
        /// The family the text names.
        family: &'static KindInfo,
    },
    /// The family has no such graph.
    #[error("{text}: {reason}")]
    Refused {
        /// The spec as text.
        text: String,
        /// What the family says.
        reason: FamilyError,
    },
}

fn family_names() -> String {
    let names: Vec<_> = FAMILIES.iter().map(|family| family.name).collect();
    names.join(", ")
}

impl GraphSpec {
    /// Every family there is.
    pub fn families() -> &'static [KindInfo] {
        &FAMILIES
    }

    /// Checks the parameters without building anything; parsing and building do it too.
    ///
    /// # Errors
    /// When the family has no graph of these parameters.
    pub fn validate(&self) -> Result<(), GraphSpecError> {
        self.check().map_err(|reason| self.refused(reason))
    }

    /// Builds the graph; the seed matters only to the random families.
    ///
    /// # Errors
    /// When the family has no graph of these parameters, or no connected one was drawn.
    pub fn build(&self, seed: Seed) -> Result<Graph, GraphSpecError> {
        let graph = match *self {
            Self::Line { nodes } => Graph::line(nodes),
            Self::Circle { nodes } => Graph::circle(nodes),
            Self::Star { nodes } => Graph::star(nodes),
            Self::Tree { nodes, branching } => Graph::tree(nodes, branching),
            Self::Grid { rows, columns } => Graph::grid(rows, columns),
            Self::Complete { nodes } => Graph::complete(nodes),
            Self::Broom { nodes, handle } => Graph::broom(nodes, handle),
            Self::Arkansas {} => Graph::arkansas(),
            Self::Barbell { bell, path } => Graph::barbell(bell, path),
            Self::ErdosRenyi { nodes, probability } => Graph::erdos_renyi(nodes, probability, seed),
            Self::Geometric { nodes, radius } => Graph::geometric(nodes, radius, seed),
            Self::SmallWorld(small_world) => Graph::small_world(small_world, seed),
        };
        graph.map_err(|reason| self.refused(reason))
    }

    /// How the authors' program orders the neighbourhoods of this family.
    pub fn program_self_place(&self) -> SelfPlace {
        match self {
            Self::Star { .. } | Self::Tree { .. } => SelfPlace::First,
            Self::Grid { .. } => SelfPlace::Last,
            _ => SelfPlace::Ascending,
        }
    }

    fn check(&self) -> Result<(), FamilyError> {
        match *self {
            Self::Line { nodes } | Self::Circle { nodes } | Self::Star { nodes } => {
                check::nodes(nodes)
            }
            Self::Tree { nodes, branching } => check::tree(nodes, branching),
            Self::Grid { rows, columns } => check::grid(rows, columns),
            Self::Complete { nodes } => check::complete(nodes),
            Self::Broom { nodes, handle } => check::broom(nodes, handle),
            Self::Arkansas {} => Ok(()),
            Self::Barbell { bell, path } => check::barbell(bell, path),
            Self::ErdosRenyi { nodes, probability } => check_erdos_renyi(nodes, probability),
            Self::Geometric { nodes, radius } => check_geometric(nodes, radius),
            Self::SmallWorld(small_world) => small_world.check(),
        }
    }

    fn refused(&self, reason: FamilyError) -> GraphSpecError {
        let text = self.to_string();
        GraphSpecError::Refused { text, reason }
    }
}

/// Writes the text that parses to this spec.
impl fmt::Display for GraphSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line { nodes } => write!(f, "line:{nodes}"),
            Self::Circle { nodes } => write!(f, "circle:{nodes}"),
            Self::Star { nodes } => write!(f, "star:{nodes}"),
            Self::Tree { nodes, branching: BINARY } => write!(f, "tree:{nodes}"),
            Self::Tree { nodes, branching } => write!(f, "tree:{nodes},{branching}"),
            Self::Grid { rows, columns } => write!(f, "grid:{rows}x{columns}"),
            Self::Complete { nodes } => write!(f, "complete:{nodes}"),
            Self::Broom { nodes, handle } => write!(f, "broom:{nodes},{handle}"),
            Self::Arkansas {} => f.write_str("arkansas"),
            Self::Barbell { bell, path } => write!(f, "barbell:{bell},{path}"),
            Self::ErdosRenyi { nodes, probability } => {
                write!(f, "erdos-renyi:{nodes},{}", Digits(*probability))
            }
            Self::Geometric { nodes, radius } => write!(f, "geometric:{nodes},{}", Digits(*radius)),
            Self::SmallWorld(SmallWorld { nodes, neighbors, rewiring }) => {
                write!(f, "small-world:{nodes},{neighbors},{}", Digits(*rewiring))
            }
        }
    }
}

impl FromStr for GraphSpec {
    type Err = GraphSpecError;

    fn from_str(text: &str) -> Result<Self, GraphSpecError> {
        let (name, parameters) = match text.split_once(':') {
            Some((name, parameters)) => (name, Some(parameters)),
            None => (text, None),
        };
        let Some(family) = FAMILIES.iter().find(|family| family.name == name) else {
            let name = name.to_owned();
            return Err(GraphSpecError::UnknownFamily { name });
        };
        let separator = if name == "grid" { 'x' } else { ',' };
        let values: Vec<&str> =
            parameters.iter().flat_map(|parameters| parameters.split(separator)).collect();
        let text = Text { text, family };
        let spec = match (name, &*values) {
            ("line", [nodes]) => Self::Line { nodes: text.count("nodes", nodes)? },
            ("circle", [nodes]) => Self::Circle { nodes: text.count("nodes", nodes)? },
            ("star", [nodes]) => Self::Star { nodes: text.count("nodes", nodes)? },
            ("tree", [nodes]) => {
                Self::Tree { nodes: text.count("nodes", nodes)?, branching: BINARY }
            }
            ("tree", [nodes, branching]) => Self::Tree {
                nodes: text.count("nodes", nodes)?,
                branching: text.count("children", branching)?,
            },
            ("grid", [rows, columns]) => Self::Grid {
                rows: text.count("rows", rows)?,
                columns: text.count("columns", columns)?,
            },
            ("complete", [nodes]) => Self::Complete { nodes: text.count("nodes", nodes)? },
            ("broom", [nodes, handle]) => Self::Broom {
                nodes: text.count("nodes", nodes)?,
                handle: text.count("handle nodes", handle)?,
            },
            ("arkansas", []) => Self::Arkansas {},
            ("barbell", [bell, path]) => Self::Barbell {
                bell: text.count("bell nodes", bell)?,
                path: text.count("path nodes", path)?,
            },
            ("erdos-renyi", [nodes, probability]) => Self::ErdosRenyi {
                nodes: text.count("nodes", nodes)?,
                probability: text.number("probability", probability)?,
            },
            ("geometric", [nodes, radius]) => Self::Geometric {
                nodes: text.count("nodes", nodes)?,
                radius: text.number("radius", radius)?,
            },
            ("small-world", [nodes, neighbors, rewiring]) => Self::SmallWorld(SmallWorld {
                nodes: text.count("nodes", nodes)?,
                neighbors: text.count("neighbors", neighbors)?,
                rewiring: text.number("probability", rewiring)?,
            }),
            _ => return Err(text.wrong_parameter_count(values.len())),
        };
        spec.check()
            .map_err(|reason| GraphSpecError::Refused { text: text.text.to_owned(), reason })?;
        Ok(spec)
    }
}

/// A text being parsed, for messages that show the whole of it.
struct Text<'a> {
    text: &'a str,
    family: &'static KindInfo,
}

impl Text<'_> {
    fn count(&self, parameter: &'static str, value: &str) -> Result<usize, GraphSpecError> {
        value.parse().map_err(|_| GraphSpecError::NotACount {
            text: self.text.to_owned(),
            parameter,
            value: value.to_owned(),
            family: self.family,
        })
    }

    fn number(&self, parameter: &'static str, value: &str) -> Result<f64, GraphSpecError> {
        value.parse().map_err(|_| GraphSpecError::NotANumber {
            text: self.text.to_owned(),
            parameter,
            value: value.to_owned(),
            family: self.family,
        })
    }

    fn wrong_parameter_count(&self, given: usize) -> GraphSpecError {
        GraphSpecError::WrongParameterCount {
            text: self.text.to_owned(),
            given,
            family: self.family,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_draws::same_draws;
    use proptest::prelude::*;

    const TEXTS: [&str; 13] = [
        "line:100",
        "circle:100",
        "star:100",
        "tree:100",
        "tree:100,3",
        "grid:10x10",
        "complete:100",
        "broom:50,6",
        "arkansas",
        "barbell:15,8",
        "erdos-renyi:1000,0.01",
        "geometric:1000,0.06",
        "small-world:60,4,0.2",
    ];

    fn message(text: &str) -> String {
        text.parse::<GraphSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_text_survives_a_round_trip() {
        for text in TEXTS {
            let spec: GraphSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<GraphSpec>(&json).unwrap(), spec);
            let family = text.split(':').next().unwrap();
            assert!(json.starts_with(&format!("{{\"family\":\"{family}\"")), "{json}");
            assert_eq!(spec.validate(), Ok(()));
        }
    }

    #[test]
    fn every_family_has_a_row_that_is_true() {
        for family in GraphSpec::families() {
            let spec: GraphSpec = family.example.parse().unwrap();
            assert_eq!(spec.to_string(), family.example);
            assert!(family.example.starts_with(family.name));
            assert!(family.usage.starts_with(family.name));
            assert!(TEXTS.contains(&family.example));
        }
    }

    #[test]
    fn every_family_builds() {
        let sizes = TEXTS.map(|text| {
            let graph = text.parse::<GraphSpec>().unwrap().build(Seed(1)).unwrap();
            graph.len()
        });
        assert_eq!(sizes, [100, 100, 100, 100, 100, 100, 100, 50, 10, 38, 1000, 1000, 60]);
    }

    #[test]
    fn json_names_the_family_and_refuses_what_it_does_not_know() {
        let read = serde_json::from_str::<GraphSpec>;
        assert_eq!(
            read(r#"{"family":"grid","rows":10,"columns":9}"#).unwrap(),
            GraphSpec::Grid { rows: 10, columns: 9 }
        );
        assert_eq!(
            read(r#"{"family":"tree","nodes":7}"#).unwrap(),
            GraphSpec::Tree { nodes: 7, branching: 2 }
        );
        assert_eq!(
            read(r#"{"family":"erdos-renyi","nodes":7,"probability":1}"#).unwrap(),
            "erdos-renyi:7,1".parse().unwrap()
        );
        for bad in [
            r#"{"family":"arkansas","nodes":7}"#,
            r#"{"family":"line","nodes":7,"node":7}"#,
            r#"{"family":"line"}"#,
            r#"{"family":"line","nodes":-7}"#,
            r#"{"family":"line","nodes":7.5}"#,
            r#"{"family":"line","nodes":99999999999999999999}"#,
            r#"{"family":"lime","nodes":7}"#,
            r#"{"nodes":7}"#,
            r#"{"family":"small-world","nodes":9,"neighbors":4,"rewiring":0.1,"k":4}"#,
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_deserialized_spec_is_validated_when_built() {
        for (json, expected) in [
            (
                r#"{"family":"line","nodes":0}"#,
                "line:0: the graph has no nodes; a graph bandit needs at least one",
            ),
            (
                r#"{"family":"erdos-renyi","nodes":9,"probability":1.5}"#,
                "erdos-renyi:9,1.5: probability is 1.5; it must be from 0 to 1",
            ),
            (
                r#"{"family":"grid","rows":18446744073709551615,"columns":3}"#,
                "grid:18446744073709551615x3: 18446744073709551615 nodes are too many; \
                 the limit is 67108864",
            ),
        ] {
            let spec: GraphSpec = serde_json::from_str(json).unwrap();
            let error = spec.build(Seed(1)).unwrap_err();
            assert_eq!(error.to_string(), expected);
            assert_eq!(spec.validate(), Err(error));
        }
    }

    #[test]
    fn the_programs_order_of_neighborhoods() {
        for text in TEXTS {
            let expected = match text.split(':').next() {
                Some("star" | "tree") => SelfPlace::First,
                Some("grid") => SelfPlace::Last,
                _ => SelfPlace::Ascending,
            };
            let spec: GraphSpec = text.parse().unwrap();
            assert_eq!(spec.program_self_place(), expected);
        }
    }

    #[test]
    fn messages_name_the_text_and_the_remedy() {
        assert_eq!(
            message("torus:9"),
            "there is no graph family \"torus\"; there are line, circle, star, tree, grid, \
             complete, broom, arkansas, barbell, erdos-renyi, geometric, small-world"
        );
        assert_eq!(
            message("line:-3"),
            "\"-3\" in \"line:-3\" is not a number of nodes; write a whole number up to 67108864, \
             as in line:100"
        );
        assert_eq!(
            message("grid:10"),
            "\"grid:10\" has 1 parameters; write grid:ROWSxCOLUMNS, as in grid:10x10"
        );
        assert_eq!(
            message("geometric:10,wide"),
            "\"wide\" in \"geometric:10,wide\" is not a radius; write a decimal number, \
             as in geometric:1000,0.06"
        );
        assert_eq!(
            message("complete:100000"),
            "complete:100000: 4999950000 edges are too many; the limit is 134217728"
        );
        assert_eq!(
            message("geometric:10,-1e308"),
            "geometric:10,-1e308: radius is -1e308; it must be a finite number, 0 or more"
        );
        assert_eq!(
            message("erdos-renyi:10,1e308"),
            "erdos-renyi:10,1e308: probability is 1e308; it must be from 0 to 1"
        );
        assert_eq!(
            message("small-world:10,10,0.5"),
            "small-world:10,10,0.5: neighbors is 10; it must be from 2 to 9"
        );
    }

    #[test]
    fn bad_texts_are_errors() {
        for text in [
            "",
            ":",
            "Line:3",
            " line:3",
            "line",
            "line:",
            "line: 3",
            "line:0",
            "line:1.5",
            "line:1e3",
            "line:3,4",
            "line:67108865",
            "line:99999999999999999999",
            "circle:0",
            "star:0",
            "star:x",
            "tree:0",
            "tree:5,0",
            "tree:5,2,2",
            "tree:5,",
            "grid:0x5",
            "grid:5x0",
            "grid:5,5",
            "grid:5x5x5",
            "grid:4294967296x4294967296",
            "grid:18446744073709551615x18446744073709551615",
            "complete:0",
            "complete:18446744073709551615",
            "broom:5",
            "broom:5,0",
            "broom:5,6",
            "arkansas:",
            "arkansas:10",
            "barbell:1,5",
            "barbell:18446744073709551615,18446744073709551615",
            "barbell:2,18446744073709551615",
            "barbell:20000,0",
            "erdos-renyi:10",
            "erdos-renyi:0,0.5",
            "erdos-renyi:10,-0.1",
            "erdos-renyi:10,1.1",
            "erdos-renyi:10,nan",
            "erdos-renyi:10,inf",
            "erdos-renyi:100000,0.5",
            "geometric:0,0.5",
            "geometric:10,-1",
            "geometric:10,nan",
            "geometric:10,inf",
            "geometric:100000,1",
            "small-world:10,4",
            "small-world:10,4,2",
            "small-world:10,4,nan",
            "small-world:10,1,0.5",
            "small-world:0,0,0.5",
        ] {
            assert!(text.parse::<GraphSpec>().is_err(), "{text:?}");
        }
    }

    proptest! {
        #![proptest_config(same_draws(256))]

        #[test]
        fn any_string_parses_or_is_refused(text in any::<String>()) {
            if let Ok(spec) = text.parse::<GraphSpec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }

        #[test]
        fn strings_that_look_like_specs_parse_or_are_refused(
            family in 0..FAMILIES.len(),
            parameters in "[0-9]{0,21}([x,][-+0-9.einfa]{0,21}){0,3}",
        ) {
            let text = format!("{}:{parameters}", FAMILIES[family].name);
            if let Ok(spec) = text.parse::<GraphSpec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }

        #[test]
        fn numbers_survive_the_text(
            nodes in 3_usize..300,
            neighbors in 2_usize..300,
            real in 0.0..=1.0,
        ) {
            let small_world = SmallWorld { nodes, neighbors, rewiring: real };
            for spec in [
                GraphSpec::ErdosRenyi { nodes, probability: real },
                GraphSpec::Geometric { nodes, radius: real },
                GraphSpec::SmallWorld(small_world),
                GraphSpec::Tree { nodes, branching: neighbors },
                GraphSpec::Grid { rows: nodes, columns: neighbors },
                GraphSpec::Barbell { bell: nodes, path: neighbors },
            ] {
                if spec.validate().is_ok() {
                    prop_assert_eq!(spec.to_string().parse(), Ok(spec));
                    let json = serde_json::to_string(&spec).unwrap();
                    prop_assert_eq!(serde_json::from_str::<GraphSpec>(&json).unwrap(), spec);
                }
            }
        }
    }
}
