//! Graphs by family and size: `grid:10x10`, `{"family":"grid","rows":10,"columns":10}`.

use super::entry::entry_fields;
use super::{Entry, Parameter, Spec, SpecError, Table, TextForm, Values};
use crate::graph::families::BUILT_IN;
use crate::graph::{FamilyError, Graph, SelfPlace, Size};
use crate::random::Seed;

/// Everything known about a graph family.
#[derive(Debug, Clone, Copy)]
pub struct FamilyEntry {
    /// Its name.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// What it does, in a few plain sentences.
    pub about: &'static str,
    /// A valid text.
    pub example: &'static str,
    /// The separator between two numbers of a text.
    pub separator: char,
    /// Its parameters, in the order of texts.
    pub parameters: &'static [&'static dyn Parameter],
    /// The size of a graph before it is built: exact, or expected for a random family. The service
    /// checks it before building.
    pub size: fn(Values<'_>) -> Size,
    /// Checks the parameters by arithmetic alone; the size is checked in any case.
    pub check: fn(Values<'_>) -> Result<(), FamilyError>,
    /// Builds the graph; the seed matters only to random families.
    pub build: fn(Values<'_>, Seed) -> Result<Graph, FamilyError>,
    /// How the authors' program orders the neighbourhoods.
    pub program_self_place: SelfPlace,
}

impl Entry for FamilyEntry {
    const KIND: &'static str = "graph family";
    const TAG: &'static str = "family";
    const TEXT: TextForm = TextForm::InOrder;

    fn table() -> &'static Table<Self> {
        static TABLE: Table<FamilyEntry> = Table::new(BUILT_IN);
        &TABLE
    }

    entry_fields!();

    fn example(&self) -> &'static str {
        self.example
    }

    fn check(&self, spec: &Spec<Self>) -> Result<(), SpecError> {
        let checked = (self.check)(spec.values()).and_then(|()| spec.size().check());
        checked.map_err(|reason| spec.refused(reason))
    }

    fn separator(&self) -> char {
        self.separator
    }
}

/// A graph by its family and parameters.
///
/// ```
/// use graph_bandit::{GraphSpec, random::Seed};
/// let spec: GraphSpec = "grid:3x4".parse()?;
/// assert_eq!(spec.to_string(), "grid:3x4");
/// assert_eq!(spec.build(Seed(1))?.edge_count(), 17);
/// # Ok::<(), graph_bandit::SpecError>(())
/// ```
pub type GraphSpec = Spec<FamilyEntry>;

impl GraphSpec {
    /// Builds the graph; the seed matters only to the random families.
    ///
    /// # Errors
    /// When no connected graph was drawn.
    pub fn build(&self, seed: Seed) -> Result<Graph, SpecError> {
        (self.entry.build)(self.values(), seed).map_err(|reason| self.refused(reason))
    }

    /// The size of the graph before it is built: exact, or expected for a random family.
    pub fn size(&self) -> Size {
        (self.entry.size)(self.values())
    }

    /// How the authors' program orders the neighbourhoods of this family.
    pub fn program_self_place(&self) -> SelfPlace {
        self.entry.program_self_place
    }

    fn refused(&self, reason: FamilyError) -> SpecError {
        SpecError::Family { text: self.to_string(), reason }
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
        }
    }

    #[test]
    fn every_family_is_listed_correctly() {
        for family in GraphSpec::entries() {
            let spec: GraphSpec = family.example.parse().unwrap();
            assert_eq!(spec.to_string(), family.example);
            assert!(TEXTS.contains(&family.example));
        }
        let usages: Vec<String> = GraphSpec::entries().iter().map(|entry| entry.usage()).collect();
        assert_eq!(
            usages.join(" "),
            "line:NODES circle:NODES star:NODES tree:NODES[,BRANCHING] grid:ROWSxCOLUMNS \
             complete:NODES broom:NODES,HANDLE arkansas barbell:BELL,PATH \
             erdos-renyi:NODES,PROBABILITY geometric:NODES,RADIUS \
             small-world:NODES,NEIGHBORS,REWIRING"
        );
    }

    #[test]
    fn sizes_are_known_before_anything_is_built() {
        for text in TEXTS {
            let spec: GraphSpec = text.parse().unwrap();
            let (size, graph) = (spec.size(), spec.build(Seed(1)).unwrap());
            assert_eq!(size.nodes, graph.len(), "{text}");
            let ratio = size.edges as f64 / graph.edge_count() as f64;
            assert!((0.95..1.05).contains(&ratio), "{text}: {ratio}");
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
    fn json_names_the_family_and_refuses_unknown_fields() {
        let read = serde_json::from_str::<GraphSpec>;
        assert_eq!(
            read(r#"{"family":"grid","rows":10,"columns":9}"#).unwrap(),
            "grid:10x9".parse().unwrap()
        );
        assert_eq!(read(r#"{"family":"tree","nodes":7}"#).unwrap(), "tree:7".parse().unwrap());
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
    fn json_is_checked_when_it_is_read() {
        for (json, expected) in [
            (
                r#"{"family":"line","nodes":0}"#,
                "line: nodes is 0; it must be a whole number from 1 to 67108864",
            ),
            (
                r#"{"family":"erdos-renyi","nodes":9,"probability":1.5}"#,
                "erdos-renyi: probability is 1.5; it must be a number from 0 to 1",
            ),
            (
                r#"{"family":"grid","rows":60000000,"columns":3}"#,
                "grid:60000000x3: 180000000 nodes are too many; the limit is 67108864",
            ),
        ] {
            let error = serde_json::from_str::<GraphSpec>(json).unwrap_err();
            assert_eq!(error.to_string(), expected);
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
            "there is no graph family \"torus\"; there are line:NODES; circle:NODES; star:NODES; \
             tree:NODES[,BRANCHING]; grid:ROWSxCOLUMNS; complete:NODES; broom:NODES,HANDLE; \
             arkansas; barbell:BELL,PATH; erdos-renyi:NODES,PROBABILITY; geometric:NODES,RADIUS; \
             small-world:NODES,NEIGHBORS,REWIRING"
        );
        assert_eq!(
            message("line:-3"),
            "line:-3: nodes is -3; it must be a whole number from 1 to 67108864"
        );
        assert_eq!(
            message("grid:10"),
            "\"grid:10\" has 1 parameter; write grid:ROWSxCOLUMNS, as in grid:10x10"
        );
        assert_eq!(
            message("geometric:10,wide"),
            "geometric:10,wide: radius is \"wide\"; it must be a number 0 or more"
        );
        assert_eq!(
            message("complete:100000"),
            "complete:100000: 4999950000 edges are too many; the limit is 134217728"
        );
        assert_eq!(
            message("erdos-renyi:10,1e308"),
            "erdos-renyi:10,1e308: probability is 1e308; it must be a number from 0 to 1"
        );
        assert_eq!(
            message("small-world:10,10,0.5"),
            "small-world:10,10,0.5: neighbors is 10; it must be from 2 to 9"
        );
    }

    #[test]
    fn bad_texts_are_errors() {
        let bad = ": Line:3 line line: line:0 line:1.5 line:1e3 line:3,4 line:67108865 \
                   line:99999999999999999999 circle:0 star:0 star:x tree:0 tree:5,0 tree:5,2,2 \
                   tree:5, grid:0x5 grid:5x0 grid:5,5 grid:5x5x5 grid:4294967296x4294967296 \
                   grid:18446744073709551615x18446744073709551615 complete:0 \
                   complete:18446744073709551615 broom:5 broom:5,0 broom:5,6 arkansas: arkansas:10 \
                   barbell:1,5 barbell:18446744073709551615,18446744073709551615 \
                   barbell:2,18446744073709551615 barbell:20000,0 erdos-renyi:10 erdos-renyi:0,0.5 \
                   erdos-renyi:10,-0.1 erdos-renyi:10,1.1 erdos-renyi:10,nan erdos-renyi:10,inf \
                   erdos-renyi:100000,0.5 geometric:0,0.5 geometric:10,-1 geometric:10,nan \
                   geometric:10,inf geometric:100000,1 small-world:10,4 small-world:10,4,2 \
                   small-world:10,4,nan small-world:10,1,0.5 small-world:0,0,0.5";
        for text in bad.split(' ').chain([""]) {
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
            family in prop::sample::select(GraphSpec::names()),
            parameters in "[0-9]{0,21}([x,][-+0-9.einfa]{0,21}){0,3}",
        ) {
            let text = format!("{family}:{parameters}");
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
            for text in [
                format!("erdos-renyi:{nodes},{real:?}"),
                format!("geometric:{nodes},{real:?}"),
                format!("small-world:{nodes},{neighbors},{real:?}"),
                format!("tree:{nodes},{neighbors}"),
                format!("grid:{nodes}x{neighbors}"),
                format!("barbell:{nodes},{neighbors}"),
            ] {
                if let Ok(spec) = text.parse::<GraphSpec>() {
                    prop_assert_eq!(spec.to_string().parse(), Ok(spec.clone()));
                    let json = serde_json::to_string(&spec).unwrap();
                    prop_assert_eq!(serde_json::from_str::<GraphSpec>(&json).unwrap(), spec);
                }
            }
        }
    }
}
