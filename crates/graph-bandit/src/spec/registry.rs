//! Everything that exists, as JSON.

use super::{AgentEntry, Entry, FamilyEntry, MeansEntry, Named, NoiseEntry, Origin, Preset, Spec};
use crate::cover::Init;
use serde_json::{Value as Json, json};

/// All entries with their parameters, ranges, defaults and help, and the names of the settings that
/// have no parameters: what `GET /v1/registry`, the dashboard and Python show.
pub fn registry() -> Json {
    fn all<E: Entry>() -> Json {
        Spec::<E>::entries().iter().map(|entry| entry.about()).collect()
    }
    json!({
        "agents": all::<AgentEntry>(),
        "families": all::<FamilyEntry>(),
        "means": all::<MeansEntry>(),
        "noises": all::<NoiseEntry>(),
        "origins": Origin::ALL,
        "presets": Preset::ALL,
        "inits": [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::None],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is checked of entries that are added, of those of this crate.
    #[test]
    fn every_entry_is_right() {
        fn check<E: Entry>() {
            for entry in Spec::<E>::entries() {
                for example in entry.examples() {
                    let spec: Spec<E> = example.parse().unwrap();
                    assert_eq!(spec.name(), entry.name());
                }
                let mut names: Vec<_> = entry.parameters().iter().map(|p| p.name()).collect();
                names.sort_unstable();
                names.dedup();
                assert_eq!(names.len(), entry.parameters().len(), "{}", entry.name());
                assert!(entry.parameters().iter().all(|p| !p.help().is_empty()));
            }
        }
        check::<AgentEntry>();
        check::<FamilyEntry>();
        check::<MeansEntry>();
        check::<NoiseEntry>();
    }

    #[test]
    fn the_registry_tells_ranges_defaults_and_looks() {
        let registry = registry();
        let agent = &registry["agents"][0];
        assert_eq!(
            agent["usage"],
            "g-ucb[:bonus=BONUS][,doubling=DOUBLING][,destinations=DESTINATIONS]"
        );
        assert_eq!(agent["look"], json!({"slot": 0, "dash": "solid"}));
        assert_eq!(
            agent["parameters"][0],
            json!({
                "name": "bonus",
                "help": "Scales the confidence radius sqrt(2 ln t / n)",
                "need": "a number 0 or more",
                "schema": {"type": "number", "minimum": 0.0},
                "default": 1.0,
            })
        );
        assert_eq!(agent["parameters"][1]["schema"]["enum"][2], "one-more");
        let tree = &registry["families"][3];
        assert_eq!(tree["usage"], "tree:NODES[,BRANCHING]");
        assert_eq!(tree["parameters"][0]["default"], Json::Null);
        assert_eq!(tree["parameters"][1]["default"], 2);
        assert_eq!(registry["noises"][2]["means"], "above 0 and below 1");
        assert_eq!(registry["inits"], json!(["lowest", "nearest", "depth-first", "none"]));
    }
}
