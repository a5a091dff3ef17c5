//! The noise of every node: the same for all, or different from node to node.
//!
//! `uniform:0.5` is the noise of all nodes. `uniform:0.02|gaussian:1` gives each node one of the
//! two with equal probability, drawn for every run. `best=uniform:0.5|uniform:0.02` gives the first
//! to the best node and the second to all others, the hardest case for an agent that pools its
//! estimate of the noise. The choice is made here because a [`RewardSpec`] does not know nodes or
//! runs.

use graph_bandit::random::label;
use graph_bandit::reward::{Law, LawError};
use graph_bandit::{NodeId, RewardSpec, Seed, SpecError};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// Separates the noises of one text.
const OR: char = '|';
/// Precedes the noise of the best nodes.
const BEST: &str = "best=";

/// The law of a node's rewards, from its number and its mean.
pub type LawOfNode = dyn Fn(NodeId, f64) -> Result<Law, LawError> + Send + Sync;

/// The noise of every node.
#[derive(Debug, Clone, PartialEq)]
pub struct NoiseSource(Source);

#[derive(Debug, Clone, PartialEq)]
enum Source {
    Specs {
        /// The noise of the nodes with the highest mean, if it differs.
        best: Option<RewardSpec>,
        /// The noises of the other nodes; at least one.
        any: Vec<RewardSpec>,
    },
    Own(OwnNoise),
}

/// A function of your own; equal only to itself.
#[derive(Clone)]
struct OwnNoise {
    law: Arc<LawOfNode>,
    label: Arc<str>,
}

impl PartialEq for OwnNoise {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.law, &other.law)
    }
}

impl fmt::Debug for OwnNoise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OwnNoise")
    }
}

impl From<RewardSpec> for NoiseSource {
    fn from(noise: RewardSpec) -> Self {
        Self(Source::Specs { best: None, any: vec![noise] })
    }
}

impl NoiseSource {
    /// The laws that `law_of_node` gives to every node; messages use the label.
    pub fn own<F>(label: &str, law_of_node: F) -> Self
    where
        F: Fn(NodeId, f64) -> Result<Law, LawError> + Send + Sync + 'static,
    {
        Self(Source::Own(OwnNoise { law: Arc::new(law_of_node), label: label.into() }))
    }

    /// All noises that a node can have, except your own.
    pub fn kinds(&self) -> impl Iterator<Item = &RewardSpec> {
        let (best, any) = match &self.0 {
            Source::Specs { best, any } => (best.as_ref(), any.as_slice()),
            Source::Own(_) => (None, [].as_slice()),
        };
        best.into_iter().chain(any)
    }

    /// The laws of all nodes in one run, by number. Which of several noises a node has is a pure
    /// function of the run's seed and the node's number.
    ///
    /// # Errors
    /// When a noise cannot have one of the means.
    pub fn laws(&self, means: &[f64], run: Seed) -> Result<Vec<Law>, SpecError> {
        let (best, any) = match &self.0 {
            Source::Specs { best, any } => (best, any),
            Source::Own(OwnNoise { law, .. }) => {
                let law = |(node, &mean): (usize, &f64)| {
                    let node = node as NodeId;
                    let refused = |source| SpecError::Law { node: Some(node), mean, source };
                    law(node, mean).map_err(refused)
                };
                return means.iter().enumerate().map(law).collect();
            }
        };
        // Made for all means at once: empirical noise shares its values between nodes.
        let best = best.as_ref().map(|noise| noise.laws(means)).transpose()?;
        let any: Vec<Vec<Law>> =
            any.iter().map(|noise| noise.laws(means)).collect::<Result<_, _>>()?;
        let highest = means.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let seed = run.child(label::NOISE);
        let law = |(node, &mean): (usize, &f64)| match &best {
            Some(best) if mean == highest => best[node].clone(),
            _ if any.len() == 1 => any[0][node].clone(),
            _ => {
                let chosen = (seed.unit(node as u64) * any.len() as f64) as usize;
                any[chosen.min(any.len() - 1)][node].clone()
            }
        };
        Ok(means.iter().enumerate().map(law).collect())
    }
}

impl FromStr for NoiseSource {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (best, rest) = match text.strip_prefix(BEST) {
            // Without a second noise, the parse fails: the other nodes have none.
            Some(text) => {
                let (best, rest) = text.split_once(OR).unwrap_or((text, ""));
                (Some(best.parse()?), rest)
            }
            None => (None, text),
        };
        let any = rest.split(OR).map(str::parse).collect::<Result<_, _>>()?;
        Ok(Self(Source::Specs { best, any }))
    }
}

impl fmt::Display for NoiseSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (best, any) = match &self.0 {
            Source::Specs { best, any } => (best, any),
            Source::Own(own) => return f.write_str(&own.label),
        };
        if let Some(best) = best {
            write!(f, "{BEST}{best}{OR}")?;
        }
        for (i, noise) in any.iter().enumerate() {
            if i > 0 {
                write!(f, "{OR}")?;
            }
            write!(f, "{noise}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(text: &str) -> NoiseSource {
        text.parse().unwrap()
    }

    fn half_widths(noise: &NoiseSource, means: &[f64], run: u64) -> Vec<f64> {
        let laws = noise.laws(means, Seed(run)).unwrap();
        laws.iter().map(|law| 0.5 * (law.range().1 - law.range().0)).collect()
    }

    #[test]
    fn written_noise_reads_back() {
        for text in ["uniform:0.5", "uniform:0.25|bernoulli", "best=gaussian:1|beta:2|constant"] {
            assert_eq!(noise(text).to_string(), text);
        }
        for wrong in ["", "|", "uniform:0.5|", "best=uniform:0.5", "best=|uniform:1", "a|b"] {
            assert!(wrong.parse::<NoiseSource>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn one_noise_equals_its_spec() {
        let means = [0.25, 0.5, 0.75];
        let spec: RewardSpec = "beta:10".parse().unwrap();
        assert_eq!(noise("beta:10").laws(&means, Seed(3)), spec.laws(&means));
    }

    #[test]
    fn nodes_draw_one_of_several_noises_for_every_run() {
        let means = vec![1.0; 4_000];
        let source = noise("uniform:0.25|uniform:0.5|uniform:1|uniform:2");
        let widths = half_widths(&source, &means, 1);
        for half_width in [0.25, 0.5, 1.0, 2.0] {
            let count = widths.iter().filter(|&&width| width == half_width).count();
            // Six deviations of a binomial count of mean 1,000.
            assert!(count.abs_diff(1_000) < 165, "{count} nodes have {half_width}");
        }
        assert_eq!(half_widths(&source, &means[..7], 1), widths[..7]);
        assert_ne!(half_widths(&source, &means, 2), widths);
    }

    #[test]
    fn the_best_nodes_have_their_own() {
        let source = noise("best=uniform:0.5|uniform:0.25");
        let means = [1.0, 3.0, 2.0, 3.0];
        assert_eq!(half_widths(&source, &means, 0), [0.25, 0.5, 0.25, 0.5]);
    }

    #[test]
    fn a_mean_that_one_noise_refuses_is_named() {
        let error = noise("uniform:1|bernoulli").laws(&[0.5, 2.0], Seed(0)).unwrap_err();
        assert!(error.to_string().starts_with("node 1 has mean 2.0"), "{error}");
    }
}
