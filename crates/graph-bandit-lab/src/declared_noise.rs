//! Warns if agents assume less noise than there is: they explore too little, and only their regret
//! would show it.

use crate::agent_label::with_parameter;
use crate::entrant::Entrant;
use crate::study::Study;
use std::collections::BTreeMap;

/// Noise counts as larger than declared only beyond this factor: the half-width of a law around a
/// mean is rounded, and so is the printed value.
const ROUNDING: f64 = 1.001;
/// Worlds are sampled until they have this many nodes together, so that all of several noises are
/// seen.
const ENOUGH_NODES: u64 = 1_000;

/// The noise, its scale and the declared scale, as printed.
type Case = (String, String, String);

/// Agents that assume less noise than there is, by case.
#[derive(Debug, Default)]
pub(crate) struct Understated {
    agents: BTreeMap<Case, Vec<String>>,
}

impl Understated {
    /// Looks at the noise of some runs of each study. Skips an invalid study: it will be refused
    /// with a better reason.
    pub(crate) fn of<'a>(studies: impl IntoIterator<Item = &'a Study>) -> Self {
        let mut found = Self::default();
        for study in studies {
            found.look(study);
        }
        found
    }

    fn look(&mut self, study: &Study) {
        let declaring: Vec<(&Entrant, f64)> =
            study.agents.iter().filter_map(declared_scale).collect();
        if declaring.is_empty() || study.check().is_err() {
            return;
        }
        let looks = 1 + ENOUGH_NODES / study.graph.len() as u64;
        let scales = (0..looks.min(study.runs)).filter_map(|run| study.world(run).ok());
        let scale = scales.map(|world| world.sub_gaussian_scale()).fold(0.0, f64::max);
        for (agent, declared) in declaring {
            if scale > ROUNDING * declared {
                let case = (study.noise.to_string(), four_digits(scale), declared.to_string());
                let label = agent.label(study.preset);
                let agents = self.agents.entry(case).or_default();
                if !agents.contains(&label) {
                    agents.push(label);
                }
            }
        }
    }

    /// A line for each case: the noise, its scale, what was declared, and the remedy.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> + '_ {
        self.agents.iter().map(|((noise, scale, declared), agents)| {
            format!(
                "noise {noise} has scale {scale}, but noise-scale is {declared} for {}; write {}",
                agents.join(", "),
                with_parameter(&agents[0], "noise-scale", scale)
            )
        })
    }
}

/// The scale that an agent assumes.
fn declared_scale(agent: &Entrant) -> Option<(&Entrant, f64)> {
    match agent {
        Entrant::Named(spec) => Some((agent, spec.noise_scale()?)),
        Entrant::Team(spec) => Some((agent, spec.noise_scale()?)),
        Entrant::Own { .. } | Entrant::Oracle => None,
    }
}

/// A positive number with four digits and no trailing zero.
fn four_digits(x: f64) -> String {
    let text = format!("{x:.3e}");
    text.parse::<f64>().ok().filter(|x| (1e-4..1e7).contains(x)).map_or(text, |x| x.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_can_be_read_back() {
        assert_eq!(four_digits(1.0), "1");
        assert_eq!(four_digits(0.800_000_000_000_000_3), "0.8");
        assert_eq!(four_digits(1_234_567.0), "1235000");
        assert_eq!(four_digits(1.5e100), "1.500e100");
        for x in [1e-30, 3.271_828, 12_345.678, 2e9] {
            let read: f64 = four_digits(x).parse().unwrap();
            assert!(x < ROUNDING * read && read < ROUNDING * x, "{x}: {read}");
        }
    }
}
