//! The registry: every entry, as `GET /v1/registry`, the dashboard and Python show it.

use super::{
    AgentEntry, Entry, FamilyEntry, Look, MeansEntry, Named, NoiseEntry, Origin, Parameter, Preset,
    ShareEntry, Spec, Standing, TeamEntry, Value,
};
use crate::cover::Init;
use serde::Serialize;
use serde_json::Value as Json;

/// Every entry, with parameters, ranges, defaults and help.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Registry {
    /// The agents.
    pub agents: Vec<AboutAgent>,
    /// The agents that lead teams.
    pub teams: Vec<About>,
    /// The graph families.
    pub families: Vec<About>,
    /// The kinds of means.
    pub means: Vec<About>,
    /// The noises.
    pub noises: Vec<AboutNoise>,
    /// The shares: what several walkers on one node are worth.
    pub shares: Vec<About>,
    /// The origins of agents.
    pub origins: Vec<Origin>,
    /// The presets of agents.
    pub presets: Vec<Preset>,
    /// The orders in which initialization may cover a graph.
    pub inits: Vec<Init>,
}

/// The description of an entry of the registry.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(rename = "Entry"))]
pub struct About {
    /// Its name in text form and in JSON.
    pub name: &'static str,
    /// How to write it as text, with its parameters: for a grid, `grid:ROWSxCOLUMNS`.
    pub usage: String,
    /// A one-line summary.
    pub summary: &'static str,
    /// What it does, in a few plain sentences.
    pub about: &'static str,
    /// An example, as written on the command line: for a grid, `grid:10x10`.
    pub example: &'static str,
    /// Its parameters, in their order in text form and in JSON.
    pub parameters: Vec<AboutParameter>,
}

/// The description of an agent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(rename = "AgentEntry"))]
pub struct AboutAgent {
    /// The fields of every entry.
    #[serde(flatten)]
    pub about: About,
    /// Its group.
    pub origin: Origin,
    /// Whether it is one of the few that lists show first.
    pub standing: Standing,
    /// The hue and dash style of its line in figures; null if they follow from its name.
    pub look: Option<Look>,
    /// The parameters that differ in the preset `program` (see the type `Preset`), such as
    /// `doubling=after-arrival`; empty if there are none.
    pub program: &'static str,
}

/// The description of a noise.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(rename = "NoiseEntry"))]
pub struct AboutNoise {
    /// The fields of every entry.
    #[serde(flatten)]
    pub about: About,
    /// The range of means that it allows, in words.
    pub means: String,
}

/// The description of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schemars", schemars(rename = "Parameter"))]
pub struct AboutParameter {
    /// Its name in text form and in JSON.
    pub name: &'static str,
    /// A one-line description.
    pub help: &'static str,
    /// When to change it.
    pub when: &'static str,
    /// Which values are allowed, in words.
    pub need: String,
    /// Which values are allowed, as JSON Schema.
    #[cfg_attr(feature = "schemars", schemars(with = "serde_json::Map<String, Json>"))]
    pub schema: Json,
    /// Its default; null if the parameter is required.
    pub default: Option<Value>,
}

impl About {
    fn of<E: Entry>(entry: &E) -> Self {
        let parameters = entry.parameters().iter().map(|parameter| AboutParameter::of(*parameter));
        Self {
            name: entry.name(),
            usage: entry.usage(),
            summary: entry.summary(),
            about: entry.about(),
            example: entry.example(),
            parameters: parameters.collect(),
        }
    }
}

impl AboutAgent {
    fn of(entry: &AgentEntry) -> Self {
        let AgentEntry { origin, standing, look, program, .. } = *entry;
        Self { about: About::of(entry), origin, standing, look, program }
    }
}

impl AboutNoise {
    fn of(entry: &NoiseEntry) -> Self {
        Self { about: About::of(entry), means: entry.means.to_string() }
    }
}

impl AboutParameter {
    fn of(parameter: &dyn Parameter) -> Self {
        Self {
            name: parameter.name(),
            help: parameter.help(),
            when: parameter.when(),
            need: parameter.kind().need(),
            schema: parameter.kind().schema(),
            default: parameter.default(),
        }
    }
}

/// All entries with their parameters, ranges, defaults and help, and the names of the settings
/// without parameters.
pub fn registry() -> Registry {
    fn all<E: Entry, A>(about: fn(&E) -> A) -> Vec<A> {
        Spec::<E>::entries().into_iter().map(about).collect()
    }
    Registry {
        agents: all::<AgentEntry, _>(AboutAgent::of),
        teams: all::<TeamEntry, _>(About::of),
        families: all::<FamilyEntry, _>(About::of),
        means: all::<MeansEntry, _>(About::of),
        noises: all::<NoiseEntry, _>(AboutNoise::of),
        shares: all::<ShareEntry, _>(About::of),
        origins: Origin::ALL.to_vec(),
        presets: Preset::ALL.to_vec(),
        inits: Init::ALL.to_vec(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The checks on added entries, applied to the built-in ones.
    #[test]
    fn every_entry_is_valid() {
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
                for parameter in entry.parameters() {
                    for text in [parameter.help(), parameter.when()] {
                        let is_plain = !text.is_empty() && !text.contains(['\n', '\t']);
                        assert!(is_plain, "{}: {}: {text:?}", entry.name(), parameter.name());
                    }
                    assert!(parameter.when().ends_with('.'), "{}", parameter.when());
                }
                let about = entry.about();
                assert!(about.len() > 60 && about.ends_with('.'), "{}: {about}", entry.name());
                assert!(!about.contains("  ") && entry.summary().len() <= 100, "{}", entry.name());
            }
        }
        check::<AgentEntry>();
        check::<FamilyEntry>();
        check::<MeansEntry>();
        check::<NoiseEntry>();
        check::<TeamEntry>();
        check::<ShareEntry>();
    }

    #[test]
    fn the_registry_has_ranges_defaults_and_line_styles() {
        let registry = json!(registry());
        let agent = &registry["agents"][0];
        assert_eq!(
            agent["usage"],
            "g-ucb[:bonus=BONUS][,doubling=DOUBLING][,destinations=DESTINATIONS]\
             [,restarts=RESTARTS][,period=PERIOD]"
        );
        assert_eq!(agent["look"], json!({"slot": 0, "dash": "solid"}));
        assert_eq!(
            agent["parameters"][0],
            json!({
                "name": "bonus",
                "help": "Scales the confidence radius sqrt(2 ln t / n) of a node with n rewards at time t",
                "when": "Lower it to explore less, if differences between nodes are large compared with the noise. If the scale of the noise (half the range of one node's rewards, or their standard deviation if they are Gaussian) is larger than the bonus, raise the bonus to that scale. The proven bounds on regret (of G-UCB, Direct-SP and Multi-G-UCB) need more: at least twice the scale, so a bonus of 1 covers a scale up to 1/2.",
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
        assert_eq!(registry["inits"], json!(["lowest", "nearest", "depth-first", "tour", "none"]));
    }
}
