//! Agents by name: `g-ucb`, `g-ucb:bonus=0.5`, `{"agent":"g-ucb","bonus":0.5}`.

use super::entry::entry_fields;
use super::{Entry, Parameter, Preset, Presets, Spec, SpecError, Table, TextForm, Values};
use crate::agent::Agent;
use crate::agents::BUILT_IN;
use crate::graph::Graph;
use serde::{Deserialize, Serialize};

crate::named! {
    /// The origin of an agent. The name of an origin also stands for the group of all its agents.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
    pub enum Origin {
        /// Agents that the paper compares.
        Paper = "paper",
        /// Agents beyond the paper, with less regret.
        ///
        /// Their parameters are the same in both presets, `paper` and `program`.
        Frontier = "frontier",
        /// Yardsticks: every other agent should beat all but `oracle`, which knows the means.
        ///
        /// They do not come from the paper. Both presets have the same parameters.
        Baseline = "baseline",
        /// Agents for rewards that change.
        ///
        /// Most come from the literature on bandits whose means change. Both presets have the same
        /// parameters.
        Changing = "changing",
    }
}

/// Whether an agent is one of the few that lists show first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Standing {
    /// One of the few to choose from: the best choice for some task, or a plain yardstick.
    Recommended,
    /// One of all others.
    Other,
}

/// The dash style of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Dash {
    /// Solid.
    #[default]
    Solid,
    /// Dashed.
    Dashed,
    /// Dotted.
    Dotted,
}

/// The line style of an agent with default parameters, in every figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
pub struct Look {
    /// The number of its hue in the palette.
    pub slot: u8,
    /// Its dash style.
    pub dash: Dash,
}

/// A fresh agent, or why it cannot be built.
pub type Built = Result<Box<dyn Agent + Send>, SpecError>;

/// Everything known about an agent.
#[derive(Debug, Clone, Copy)]
pub struct AgentEntry {
    /// Its name.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// What it does, in a few plain sentences.
    pub about: &'static str,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether it is one of the few that lists show first.
    pub standing: Standing,
    /// Its line style; `None` derives it from the name.
    pub look: Option<Look>,
    /// Its parameters, each with a default: the paper's value if the agent is in the paper.
    pub parameters: &'static [&'static dyn Parameter],
    /// The parameters that differ in the authors' program, such as `doubling=after-arrival`.
    pub program: &'static str,
    /// The declared sub-Gaussian noise scale; `None` if the agent has no such parameter or ignores
    /// it.
    pub noise_scale: fn(Values<'_>) -> Option<f64>,
    /// Builds a fresh agent for a graph.
    pub build: fn(Values<'_>, &Graph) -> Built,
}

impl Entry for AgentEntry {
    const KIND: &'static str = "agent";
    const TAG: &'static str = "agent";
    const TEXT: TextForm = TextForm::ByName;

    fn table() -> &'static Table<Self> {
        static TABLE: Table<AgentEntry> = Table::new(BUILT_IN);
        &TABLE
    }

    entry_fields!();

    fn example(&self) -> &'static str {
        self.name
    }

    fn examples(&self) -> Vec<String> {
        vec![self.name.to_owned(), format!("{}:{}", self.name, self.program)]
    }

    fn check(&self, _spec: &Spec<Self>) -> Result<(), SpecError> {
        Ok(())
    }
}

impl Presets for AgentEntry {
    fn program(&self) -> &'static str {
        self.program
    }
}

/// An agent with its parameters: `{"agent": "g-ucb", "bonus": 0.5}` or `g-ucb:bonus=0.5`.
pub type AgentSpec = Spec<AgentEntry>;

impl AgentSpec {
    /// The agents of one origin with the preset's parameters.
    pub fn of_origin(origin: Origin, preset: Preset) -> Vec<Self> {
        Self::all(preset).into_iter().filter(|spec| spec.origin() == origin).collect()
    }

    /// The entries of the few agents to choose from: the frontier first, the baselines last.
    pub fn recommended() -> Vec<&'static AgentEntry> {
        let mut entries = Self::entries();
        entries.retain(|entry| entry.standing == Standing::Recommended);
        entries.sort_by_key(|entry| match entry.origin {
            Origin::Frontier => 0,
            Origin::Changing => 1,
            Origin::Paper => 2,
            Origin::Baseline => 3,
        });
        entries
    }

    /// The agents of the paper with the preset's parameters.
    pub fn paper(preset: Preset) -> Vec<Self> {
        Self::of_origin(Origin::Paper, preset)
    }

    /// The agents that are not in the paper, with their default parameters.
    pub fn frontier() -> Vec<Self> {
        Self::of_origin(Origin::Frontier, Preset::Paper)
    }

    /// Where the agent comes from.
    pub fn origin(&self) -> Origin {
        self.entry.origin
    }

    /// The declared sub-Gaussian noise scale; `None` if the agent has no such parameter or ignores
    /// it. If the actual noise is larger (see
    /// [`World::sub_gaussian_scale`](crate::World::sub_gaussian_scale)), the agent explores too
    /// little.
    pub fn noise_scale(&self) -> Option<f64> {
        (self.entry.noise_scale)(self.values())
    }

    /// A fresh agent for `graph`.
    ///
    /// # Errors
    /// When the agent cannot walk this graph. Of the agents of this crate, only `exp3s` needs a
    /// complete graph.
    pub fn build(&self, graph: &Graph) -> Built {
        (self.entry.build)(self.values(), graph)
    }

    /// A fresh agent for `graph` where nobody knows the future: in sessions and in the service.
    ///
    /// # Errors
    /// As [`build`](Self::build), and for agents that must be told when means change
    /// ([`Agent::ready`]).
    pub fn build_for_use(&self, graph: &Graph) -> Built {
        let agent = self.build(graph)?;
        match agent.ready() {
            Ok(()) => Ok(agent),
            Err(missing) => {
                Err(SpecError::Refused { text: self.to_string(), reason: missing.to_string() })
            }
        }
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
        assert_eq!(
            spec.to_string(),
            "g-ucb:bonus=0.5,destinations=first-best,doubling=after-arrival"
        );
    }

    #[test]
    fn few_agents_are_recommended() {
        let names: Vec<_> = AgentSpec::recommended().iter().map(|entry| entry.name).collect();
        assert_eq!(names, ["g-star", "g-safe", "g-horizon", "g-drift", "g-ucb", "random"]);
    }

    #[test]
    fn agents_of_the_frontier_declare_their_noise() {
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
    fn json_of_shared_parameters_is_flat_and_rejects_unknown_ones() {
        let spec = AgentSpec::parse("g-ts:noise-scale=2,growth=3", Preset::Paper).unwrap();
        let json = r#"{"agent":"g-ts","rewards":"gaussian","noise-scale":2.0,"variance":"estimated","travel":"priced","horizon":0.0,"growth":3.0,"per-hop":1.0}"#;
        assert_eq!(serde_json::to_string(&spec).unwrap(), json);
        let read = |json: &str| serde_json::from_str::<AgentSpec>(json);
        assert_eq!(read(r#"{"agent":"g-ts","growth":3,"noise-scale":2}"#).unwrap(), spec);
        for agent in ["g-ts", "g-moss", "g-imed", "g-klucb", "g-star"] {
            let error = read(&format!(r#"{{"agent":"{agent}","gorwth":3}}"#)).unwrap_err();
            assert!(error.to_string().contains("has no parameter \"gorwth\""), "{agent}: {error}");
        }
    }

    #[test]
    fn lists_distinguish_parameters_from_agents() {
        let text = "ql-eps:alpha=0.3,gamma=0.8,g-ucb, ucrl2:delta=0.1";
        let specs = AgentSpec::parse_list(text, Preset::Paper).unwrap();
        let names: Vec<_> = specs.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["ql-eps:alpha=0.3,gamma=0.8", "g-ucb", "ucrl2:delta=0.1"]);
    }

    #[test]
    fn errors_name_the_value_and_what_exists() {
        let message = |text: &str| AgentSpec::parse(text, Preset::Paper).unwrap_err().to_string();
        assert!(message("bandit").contains("there is no agent \"bandit\"; there are g-ucb, dir"));
        assert!(message("gucb").contains("no agent \"gucb\"; did you mean g-ucb? There are g-u"));
        let bonus = message("g-ucb:bonsu=1");
        assert!(bonus.contains("did you mean bonus? Write g-ucb:NAME=VALUE, the names are bonus,"));
        assert!(message("g-ucb:bonus").contains("write g-ucb:NAME=VALUE"));
        assert!(message("g-ucb:agent=ucrl2").contains("g-ucb has no parameter \"agent=ucrl2\""));
        assert_eq!(
            message("random:foo=1"),
            "random has no parameters, so leave out \"foo=1\"; write random"
        );
        let delta = "ucrl2: delta is 2; it must be a number above 0 and at most 1";
        assert_eq!(message("ucrl2:delta=2"), delta);
        for (text, shown) in
            [("high", "\"high\""), ("NaN", "NaN"), ("1e400", "1e400"), ("", "\"\"")]
        {
            let refused = format!("g-ucb: bonus is {shown}; it must be a number 0 or more");
            assert_eq!(message(&format!("g-ucb:bonus={text}")), refused);
        }
        assert_eq!(
            message("ucrl2:delta=0.5,sweep-cap=thrice"),
            "ucrl2: sweep-cap is \"thrice\"; it must be one of none, square-root"
        );
        assert!(message("").contains("there is no agent \"\""));
    }
}
