//! The one list of agents. To add one: its file under `agents/`, and its line below.

use crate::agent::Agent;
use crate::agents::{
    DirectSp, GImed, GKlUcb, GMoss, GStar, GTs, GUcb, GUcbUcrl2Bound, GUcbUcrl2Doubling, LocalTs,
    LocalUcb, ParameterError, QlEps, QlUcbH, Recipe, Ucrl2,
};
use crate::graph::Graph;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt;
use thiserror::Error;

/// Whose parameters an agent takes where the paper and the authors' program differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Preset {
    /// The paper's text.
    #[default]
    Paper,
    /// The authors' program, which made the paper's figures.
    Program,
}

/// Where an agent comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// The paper compares it.
    Paper,
    /// The paper does not know it: it is there for less regret, and its presets are the same.
    Frontier,
}

macro_rules! agents {
    ($($origin:ident $variant:ident $name:literal,)*) => {
        /// An agent with its parameters: `{"agent": "g-ucb", "bonus": 0.5}` or `g-ucb:bonus=0.5`.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "agent")]
        #[non_exhaustive]
        pub enum AgentSpec {
            $(
                #[doc = concat!("`", $name, "`")]
                #[serde(rename = $name)]
                $variant($variant),
            )*
        }

        impl AgentSpec {
            /// The names of all agents.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The agent of that name with the preset's parameters.
            pub fn named(name: &str, preset: Preset) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant(match preset {
                        Preset::Paper => $variant::default(),
                        Preset::Program => $variant::program(),
                    })),)*
                    _ => None,
                }
            }

            /// The agent's name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $name,)*
                }
            }

            /// Where the agent comes from.
            pub fn origin(&self) -> Origin {
                match self {
                    $(Self::$variant(_) => Origin::$origin,)*
                }
            }

            /// What the agent is, in one line.
            pub fn summary(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $variant::SUMMARY,)*
                }
            }

            /// The sub-Gaussian scale of the noise that the agent is told of; `None` where it is told of
            /// none, or does not listen. Where the noise is larger, see
            /// [`World::sub_gaussian_scale`](crate::World::sub_gaussian_scale), it explores too little.
            pub fn noise_scale(&self) -> Option<f64> {
                match self {
                    $(Self::$variant(recipe) => recipe.noise_scale(),)*
                }
            }

            fn check(&self) -> Result<(), ParameterError> {
                match self {
                    $(Self::$variant(recipe) => recipe.check(),)*
                }
            }

            fn build_unchecked(&self, graph: &Graph) -> Box<dyn Agent + Send> {
                match self {
                    $(Self::$variant(recipe) => recipe.build(graph),)*
                }
            }
        }
    };
}

agents! {
    Paper GUcb "g-ucb",
    Paper DirectSp "direct-sp",
    Paper Ucrl2 "ucrl2",
    Paper GUcbUcrl2Bound "g-ucb-ucrl2-bound",
    Paper GUcbUcrl2Doubling "g-ucb-ucrl2-doubling",
    Paper LocalUcb "local-ucb",
    Paper LocalTs "local-ts",
    Paper QlEps "ql-eps",
    Paper QlUcbH "ql-ucb-h",
    Frontier GStar "g-star",
    Frontier GTs "g-ts",
    Frontier GMoss "g-moss",
    Frontier GImed "g-imed",
    Frontier GKlUcb "g-klucb",
}

/// Why a text names no agent.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum AgentSpecError {
    /// No agent of that name.
    #[error("there is no agent {name:?}; the agents are {}", AgentSpec::NAMES.join(", "))]
    UnknownAgent {
        /// The name given.
        name: String,
    },
    /// Not of the form `key=value`.
    #[error("{text:?} of agent {agent} is no parameter; write {agent}:NAME=VALUE, names are {}",
        if known.is_empty() { "none".to_owned() } else { known.join(", ") })]
    NotAParameter {
        /// The agent.
        agent: &'static str,
        /// The text given.
        text: String,
        /// The parameters it has.
        known: Vec<String>,
    },
    /// A value of the wrong kind.
    #[error("agent {agent}: {reason}")]
    WrongValue {
        /// The agent.
        agent: &'static str,
        /// What is wrong with the value.
        reason: String,
    },
    /// A value out of range.
    #[error("agent {agent}: {error}")]
    OutOfRange {
        /// The agent.
        agent: &'static str,
        /// The parameter and its range.
        error: ParameterError,
    },
}

impl AgentSpec {
    /// All agents with the preset's parameters.
    pub fn all(preset: Preset) -> Vec<Self> {
        Self::NAMES.iter().filter_map(|name| Self::named(name, preset)).collect()
    }

    /// The agents of the paper with the preset's parameters.
    pub fn paper(preset: Preset) -> Vec<Self> {
        Self::from_origin(Origin::Paper, preset)
    }

    /// The agents that the paper does not know, with their default parameters.
    pub fn frontier() -> Vec<Self> {
        Self::from_origin(Origin::Frontier, Preset::Paper)
    }

    fn from_origin(origin: Origin, preset: Preset) -> Vec<Self> {
        Self::all(preset).into_iter().filter(|spec| spec.origin() == origin).collect()
    }

    /// Reads `NAME` or `NAME:KEY=VALUE,KEY=VALUE..`; what is not given is the preset's.
    ///
    /// # Errors
    /// When there is no such agent or parameter, or a value is out of range.
    pub fn parse(text: &str, preset: Preset) -> Result<Self, AgentSpecError> {
        let (name, parameters) = text.split_once(':').unwrap_or((text, ""));
        let spec = Self::named(name, preset)
            .ok_or_else(|| AgentSpecError::UnknownAgent { name: name.to_owned() })?;
        let spec = spec.with_parameters(parameters)?;
        spec.check().map_err(|error| AgentSpecError::OutOfRange { agent: spec.name(), error })?;
        Ok(spec)
    }

    /// Reads several agents separated by commas. A comma between two parameters of one agent is
    /// told from one between agents by what follows it: `ql-eps:alpha=0.3,gamma=0.8,g-ucb`.
    ///
    /// # Errors
    /// As [`parse`](Self::parse).
    pub fn parse_list(text: &str, preset: Preset) -> Result<Vec<Self>, AgentSpecError> {
        let mut agents: Vec<String> = Vec::new();
        for part in text.split(',').map(str::trim) {
            let continues = part.split_once('=').is_some_and(|(key, _)| !key.contains(':'));
            match agents.last_mut() {
                Some(agent) if continues => {
                    agent.push(if agent.contains(':') { ',' } else { ':' });
                    agent.push_str(part);
                }
                _ => agents.push(part.to_owned()),
            }
        }
        agents.iter().map(|agent| Self::parse(agent, preset)).collect()
    }

    /// A fresh agent for `graph`.
    ///
    /// # Errors
    /// When a parameter is out of range, as in a spec that was read from a file.
    pub fn build(&self, graph: &Graph) -> Result<Box<dyn Agent + Send>, ParameterError> {
        self.check()?;
        Ok(self.build_unchecked(graph))
    }

    /// The name, and the parameters that differ from the preset's: what
    /// [`parse`](Self::parse) reads back.
    pub fn label(&self, preset: Preset) -> String {
        let usual = Self::named(self.name(), preset).map(|spec| spec.to_map()).unwrap_or_default();
        let mut label = self.name().to_owned();
        let mut separator = ':';
        for (key, value) in self.parameters() {
            if usual.get(&key) != Some(&value) {
                let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                label = format!("{label}{separator}{key}={value}");
                separator = ',';
            }
        }
        label
    }

    /// The parameters with their values.
    pub fn parameters(&self) -> Vec<(String, Value)> {
        let mut map = self.to_map();
        map.remove("agent");
        map.into_iter().collect()
    }

    fn to_map(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    fn with_parameters(&self, text: &str) -> Result<Self, AgentSpecError> {
        let agent = self.name();
        let known = || self.parameters().into_iter().map(|(key, _)| key).collect();
        let mut spec = self.clone();
        for part in text.split([',', ':']).map(str::trim).filter(|part| !part.is_empty()) {
            let wrong =
                || AgentSpecError::NotAParameter { agent, text: part.to_owned(), known: known() };
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            let (key, value) = (key.trim(), value.trim());
            let mut map = spec.to_map();
            let slot = map.get_mut(key).filter(|_| key != "agent").ok_or_else(wrong)?;
            let refuse = |reason: String| AgentSpecError::WrongValue { agent, reason };
            // A parameter is a number, written in any way that f64 reads, or the name of a part.
            *slot = if slot.is_number() {
                let number = value.parse().ok().filter(|number: &f64| number.is_finite());
                let example = || refuse(format!("{part} is no finite number; write {key}={slot}"));
                Value::from(number.ok_or_else(example)?)
            } else {
                Value::from(value)
            };
            // Read after each, so that a complaint, which lists the parts there are, has a name.
            spec = serde_json::from_value(Value::Object(map))
                .map_err(|error| refuse(format!("{part}: {error}")))?;
        }
        Ok(spec)
    }
}

/// The label beside the paper's parameters.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.label(Preset::Paper))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_and_overrides_the_preset() {
        for preset in [Preset::Paper, Preset::Program] {
            for spec in AgentSpec::all(preset) {
                let text = spec.to_string();
                assert_eq!(AgentSpec::parse(&text, Preset::Paper), Ok(spec.clone()), "{text}");
                let json = serde_json::to_string(&spec).unwrap();
                assert_eq!(serde_json::from_str::<AgentSpec>(&json).unwrap(), spec);
            }
        }
        let spec = AgentSpec::parse("g-ucb:bonus=0.5", Preset::Program).unwrap();
        let AgentSpec::GUcb(recipe) = spec else { panic!("{spec}") };
        assert_eq!(recipe, GUcb { bonus: 0.5, ..GUcb::program() });
    }

    #[test]
    fn agents_of_the_frontier_are_told_of_noise() {
        let scale = |text: &str| AgentSpec::parse(text, Preset::Paper).unwrap().noise_scale();
        for agent in AgentSpec::frontier() {
            assert_eq!(agent.noise_scale(), Some(0.5));
            assert_eq!(scale(&format!("{}:noise-scale=2", agent.name())), Some(2.0));
        }
        assert!(AgentSpec::paper(Preset::Paper).iter().all(|agent| agent.noise_scale().is_none()));
        assert_eq!(
            (scale("g-ts:rewards=bernoulli"), scale("g-klucb:rewards=bernoulli")),
            (None, None)
        );
    }

    #[test]
    fn json_of_shared_parameters_is_flat_and_knows_no_others() {
        let spec = AgentSpec::parse("g-ts:noise-scale=2,growth=3", Preset::Paper).unwrap();
        let json = r#"{"agent":"g-ts","rewards":"gaussian","noise-scale":2.0,"variance":"estimated","travel":"priced","horizon":0.0,"growth":3.0,"per-hop":1.0}"#;
        assert_eq!(serde_json::to_string(&spec).unwrap(), json);
        let read = |json: &str| serde_json::from_str::<AgentSpec>(json);
        assert_eq!(read(r#"{"agent":"g-ts","growth":3,"noise-scale":2}"#).unwrap(), spec);
        for agent in ["g-ts", "g-moss", "g-imed", "g-klucb", "g-star"] {
            let error = read(&format!(r#"{{"agent":"{agent}","gorwth":3}}"#)).unwrap_err();
            assert!(error.to_string().contains("unknown field `gorwth`"), "{agent}: {error}");
        }
    }

    #[test]
    fn lists_tell_parameters_from_agents() {
        let text = "ql-eps:alpha=0.3,gamma=0.8,g-ucb, ucrl2:delta=0.1";
        let specs = AgentSpec::parse_list(text, Preset::Paper).unwrap();
        let names: Vec<_> = specs.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["ql-eps:alpha=0.3,gamma=0.8", "g-ucb", "ucrl2:delta=0.1"]);
    }

    #[test]
    fn errors_name_the_value_and_what_exists() {
        let message = |text: &str| AgentSpec::parse(text, Preset::Paper).unwrap_err().to_string();
        assert!(message("ucb").contains("there is no agent \"ucb\"; the agents are g-ucb, direct"));
        assert!(message("g-ucb:bonsu=1").contains("names are bonus, destinations, doubling"));
        assert!(message("g-ucb:bonus").contains("write g-ucb:NAME=VALUE"));
        assert!(message("g-ucb:agent=ucrl2").contains("is no parameter"));
        assert!(message("local-ts:x=1").contains("names are none"));
        assert!(message("ucrl2:delta=2").contains("delta = 2 is out of range; it must be above 0"));
        for text in ["high", "NaN", "1e400", ""] {
            let refused = format!("agent g-ucb: bonus={text} is no finite number; write bonus=1.0");
            assert_eq!(message(&format!("g-ucb:bonus={text}")), refused);
        }
        for text in ["1", "thrice", "", "1e308"] {
            assert_eq!(
                message(&format!("ucrl2:delta=0.5,sweep-cap={text}")),
                format!(
                    "agent ucrl2: sweep-cap={text}: unknown variant `{text}`, expected `none` or \
                     `square-root`"
                )
            );
        }
        let huge = "bonus = -1e308 is out of range; it must be zero or a positive number";
        assert!(message("g-ucb:bonus=-1e308").ends_with(huge));
        assert!(message("").contains("there is no agent \"\""));
    }
}
