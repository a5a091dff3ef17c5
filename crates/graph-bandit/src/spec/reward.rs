//! Which rewards exist, as texts like `uniform:0.5` and as `{"noise":"uniform","half-width":0.5}`.
//!
//! A [`RewardSpec`] is the noise around given means; the paper's experiments (Section V) have
//! `uniform:0.5`. This is the only list: a new noise is a law in [`crate::reward`], a variant here and
//! a row in [`RewardSpec::kinds`].

use crate::digits::Digits;
use crate::graph::NodeId;
use crate::reward::{Law, LawError, MAX_MAGNITUDE, Values};
use crate::spec::KindInfo;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use thiserror::Error;

/// The noise around the mean rewards.
///
/// ```
/// use graph_bandit::spec::RewardSpec;
/// let noise: RewardSpec = "uniform:0.5".parse()?;
/// assert_eq!(noise, RewardSpec::Uniform { half_width: 0.5 });
/// assert_eq!(noise.law(9.0)?.range(), (8.5, 9.5));
/// let error = "bernoulli".parse::<RewardSpec>()?.laws(&[0.5, 9.2]).unwrap_err();
/// assert!(error.to_string().starts_with("node 1 has mean 9.2, but bernoulli rewards need"));
/// # Ok::<(), graph_bandit::spec::RewardSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(
    tag = "noise",
    rename_all = "kebab-case",
    rename_all_fields = "kebab-case",
    deny_unknown_fields
)]
pub enum RewardSpec {
    /// Uniform on `[mu - h, mu + h]`.
    Uniform {
        /// `h`, not negative.
        half_width: f64,
    },
    /// 1 with probability `mu`, else 0.
    // Not a unit variant: serde would let those carry unknown fields.
    Bernoulli {},
    /// Beta(`mu k`, `(1 - mu) k`).
    Beta {
        /// `k`, positive; the higher, the less noise.
        concentration: f64,
    },
    /// Gaussian of mean `mu`.
    Gaussian {
        /// The standard deviation, not negative.
        deviation: f64,
    },
    /// Gaussian of mean `mu`, cut to `[mu - h, mu + h]`.
    TruncatedGaussian {
        /// The standard deviation before the cut, positive.
        deviation: f64,
        /// `h`, positive.
        half_width: f64,
    },
    /// No noise: every reward is `mu`.
    Constant {},
    /// Each of these values with the same probability, moved so that their mean is `mu`.
    Empirical {
        /// The values, such as the residuals of a measurement; at least one.
        values: Vec<f64>,
    },
}

static NOISES: [KindInfo; 7] = [
    KindInfo {
        name: "uniform",
        usage: "uniform:HALF_WIDTH",
        description: "uniform within HALF_WIDTH of the mean",
        example: "uniform:0.5",
    },
    KindInfo {
        name: "bernoulli",
        usage: "bernoulli",
        description: "1 with the mean as its probability, else 0; means in [0, 1]",
        example: "bernoulli",
    },
    KindInfo {
        name: "beta",
        usage: "beta:CONCENTRATION",
        description: "beta on [0, 1], narrower with CONCENTRATION; means strictly inside (0, 1)",
        example: "beta:10",
    },
    KindInfo {
        name: "gaussian",
        usage: "gaussian:DEVIATION",
        description: "Gaussian, unbounded",
        example: "gaussian:1",
    },
    KindInfo {
        name: "truncated-gaussian",
        usage: "truncated-gaussian:DEVIATION,HALF_WIDTH",
        description: "Gaussian cut to within HALF_WIDTH of the mean",
        example: "truncated-gaussian:0.25,0.5",
    },
    KindInfo {
        name: "constant",
        usage: "constant",
        description: "no noise, every reward is the mean",
        example: "constant",
    },
    KindInfo {
        name: "empirical",
        usage: "empirical:VALUE,VALUE,...",
        description: "one of the values at random, moved to the mean",
        example: "empirical:-0.5,0.1,0.4",
    },
];

/// Why a text is no reward, or a spec has none.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum RewardSpecError {
    /// Nothing of that name exists.
    #[error("there is no {what} {name:?}; there are {}", usages(known))]
    UnknownName {
        /// What was to be named: noise or means.
        what: &'static str,
        /// The name given.
        name: String,
        /// What there is.
        known: &'static [KindInfo],
    },
    /// The kind takes more or fewer parameters.
    #[error("{text:?} has {given} parameters; write {}, as in {}", kind.usage, kind.example)]
    WrongParameterCount {
        /// The whole text.
        text: String,
        /// How many parameters it has.
        given: usize,
        /// The kind it names.
        kind: &'static KindInfo,
    },
    /// A parameter is no number.
    #[error("{value:?} in {text:?} is not a number; write {}, as in {}", kind.usage, kind.example)]
    NotANumber {
        /// The whole text.
        text: String,
        /// The parameter as written.
        value: String,
        /// The kind the text names.
        kind: &'static KindInfo,
    },
    /// A parameter is a number, but no possible one.
    #[error("the {parameter} is {value:?}; give {need}")]
    Parameter {
        /// Which parameter.
        parameter: &'static str,
        /// What it was.
        value: f64,
        /// What would be right.
        need: &'static str,
    },
    /// The means were to lie in an empty range.
    #[error("no mean lies between {low:?} and {high:?}; give the lower end first")]
    EmptyRange {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// There is not one mean per node.
    #[error("{given} means for {nodes} nodes; give exactly one per node")]
    WrongNumberOfMeans {
        /// How many means were given.
        given: usize,
        /// How many nodes there are.
        nodes: usize,
    },
    /// A mean that the noise cannot have.
    #[error(
        "{} has mean {mean:?}, but {noise} rewards need {need}; change the means or the noise",
        whose(*node)
    )]
    Mean {
        /// The node, when there was one.
        node: Option<NodeId>,
        /// Its mean.
        mean: f64,
        /// The name of the noise.
        noise: &'static str,
        /// What means the noise can have.
        need: &'static str,
    },
    /// Mean and noise are fine, but not together: one drowns in the rounding of the other.
    #[error("{} of mean {mean:?} can have no such rewards: {source}", whose(*node))]
    Law {
        /// The node, when there was one.
        node: Option<NodeId>,
        /// Its mean.
        mean: f64,
        /// What is wrong with the law.
        source: LawError,
    },
    /// The values of empirical noise are unusable.
    #[error("empirical noise: {0}")]
    Values(#[source] LawError),
}

fn usages(kinds: &[KindInfo]) -> String {
    let usages: Vec<&str> = kinds.iter().map(|kind| kind.usage).collect();
    usages.join("; ")
}

fn whose(node: Option<NodeId>) -> String {
    node.map_or_else(|| "a node".into(), |node| format!("node {node}"))
}

const NOT_NEGATIVE: &str = "a number from 0 to 1e100";
const POSITIVE: &str = "a number from 1e-90 to 1e100";

/// What [`POSITIVE`] begins with: enough for the product with a mean to be a parameter of a law.
const SMALLEST: f64 = 1e-90;

impl RewardSpec {
    /// All kinds of noise.
    pub fn kinds() -> &'static [KindInfo] {
        &NOISES
    }

    /// The name of this noise.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Uniform { .. } => "uniform",
            Self::Bernoulli {} => "bernoulli",
            Self::Beta { .. } => "beta",
            Self::Gaussian { .. } => "gaussian",
            Self::TruncatedGaussian { .. } => "truncated-gaussian",
            Self::Constant {} => "constant",
            Self::Empirical { .. } => "empirical",
        }
    }

    /// Whether the parameters make sense, whatever the means.
    ///
    /// # Errors
    /// When a parameter is not finite, too small, or missing.
    pub fn check(&self) -> Result<(), RewardSpecError> {
        self.values().map(drop)
    }

    /// The law of a node of mean `mean`; its own mean is `mean` up to rounding.
    ///
    /// # Errors
    /// When a parameter makes no sense or the noise cannot have such a mean.
    pub fn law(&self, mean: f64) -> Result<Law, RewardSpecError> {
        self.law_of(None, mean, self.values()?.as_ref())
    }

    /// The laws of all nodes, by number; equal means give equal laws.
    ///
    /// # Errors
    /// When a parameter makes no sense or the noise cannot have one of the means.
    pub fn laws(&self, means: &[f64]) -> Result<Vec<Law>, RewardSpecError> {
        let values = self.values()?;
        let laws = means.iter().enumerate();
        laws.map(|(s, &mean)| self.law_of(Some(s as NodeId), mean, values.as_ref())).collect()
    }

    /// Checks the parameters; the values of empirical noise, for all nodes to share.
    fn values(&self) -> Result<Option<Arc<Values>>, RewardSpecError> {
        match self {
            Self::Uniform { half_width } => check("half-width", *half_width, 0.0)?,
            Self::Beta { concentration } => check("concentration", *concentration, SMALLEST)?,
            Self::Gaussian { deviation } => check("deviation", *deviation, 0.0)?,
            Self::TruncatedGaussian { deviation, half_width } => {
                check("deviation", *deviation, SMALLEST)?;
                check("half-width", *half_width, SMALLEST)?;
            }
            Self::Bernoulli {} | Self::Constant {} => {}
            Self::Empirical { values } => {
                let values = Values::new(values.as_slice().into());
                return values.map(Some).map_err(RewardSpecError::Values);
            }
        }
        Ok(None)
    }

    fn law_of(
        &self,
        node: Option<NodeId>,
        mean: f64,
        values: Option<&Arc<Values>>,
    ) -> Result<Law, RewardSpecError> {
        let (fits, need) = match self {
            Self::Bernoulli {} => ((0.0..=1.0).contains(&mean), "means in [0, 1]"),
            Self::Beta { .. } => (0.0 < mean && mean < 1.0, "means strictly inside (0, 1)"),
            _ => (mean.abs() <= MAX_MAGNITUDE, "finite means of magnitude at most 1e100"),
        };
        if !fits {
            return Err(RewardSpecError::Mean { node, mean, noise: self.name(), need });
        }
        let law = match self {
            Self::Uniform { half_width } => Law::uniform(mean - half_width, mean + half_width),
            Self::Bernoulli {} => Law::bernoulli(mean),
            Self::Beta { concentration } => {
                Law::beta(mean * concentration, (1.0 - mean) * concentration)
            }
            Self::Gaussian { deviation } => Law::gaussian(mean, *deviation),
            Self::TruncatedGaussian { deviation, half_width } => {
                Law::truncated_gaussian(mean, *deviation, (mean - half_width, mean + half_width))
            }
            Self::Constant {} => Law::constant(mean),
            Self::Empirical { .. } => match values {
                Some(values) => Law::empirical_around(values, mean),
                None => Err(LawError::NoValues),
            },
        };
        law.map_err(|source| RewardSpecError::Law { node, mean, source })
    }
}

fn check(parameter: &'static str, value: f64, smallest: f64) -> Result<(), RewardSpecError> {
    if (smallest..=MAX_MAGNITUDE).contains(&value) {
        return Ok(());
    }
    let need = if smallest > 0.0 { POSITIVE } else { NOT_NEGATIVE };
    Err(RewardSpecError::Parameter { parameter, value, need })
}

impl FromStr for RewardSpec {
    type Err = RewardSpecError;

    fn from_str(text: &str) -> Result<Self, RewardSpecError> {
        let (kind, numbers) = parse(text, "reward noise", &NOISES)?;
        let spec = match (kind.name, numbers.as_slice()) {
            ("uniform", &[half_width]) => Self::Uniform { half_width },
            ("bernoulli", []) => Self::Bernoulli {},
            ("beta", &[concentration]) => Self::Beta { concentration },
            ("gaussian", &[deviation]) => Self::Gaussian { deviation },
            ("truncated-gaussian", &[deviation, half_width]) => {
                Self::TruncatedGaussian { deviation, half_width }
            }
            ("constant", []) => Self::Constant {},
            ("empirical", [_, ..]) => Self::Empirical { values: numbers },
            _ => return Err(wrong_count(text, kind, &numbers)),
        };
        spec.check()?;
        Ok(spec)
    }
}

/// The kind that `text` names, and its parameters: `name` or `name:number,number,...`.
pub(super) fn parse(
    text: &str,
    what: &'static str,
    known: &'static [KindInfo],
) -> Result<(&'static KindInfo, Vec<f64>), RewardSpecError> {
    let (name, parameters) = match text.split_once(':') {
        Some((name, parameters)) => (name.trim(), Some(parameters)),
        None => (text.trim(), None),
    };
    let Some(kind) = known.iter().find(|kind| kind.name == name) else {
        return Err(RewardSpecError::UnknownName { what, name: name.into(), known });
    };
    let numbers = parameters.into_iter().flat_map(|list| list.split(','));
    let numbers = numbers.map(|value| {
        let value = value.trim();
        value.parse().map_err(|_| RewardSpecError::NotANumber {
            text: text.into(),
            value: value.into(),
            kind,
        })
    });
    Ok((kind, numbers.collect::<Result<_, _>>()?))
}

pub(super) fn wrong_count(text: &str, kind: &'static KindInfo, numbers: &[f64]) -> RewardSpecError {
    RewardSpecError::WrongParameterCount { text: text.into(), given: numbers.len(), kind }
}

impl fmt::Display for RewardSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::Bernoulli {} | Self::Constant {} => Ok(()),
            Self::Uniform { half_width } => write_numbers(f, &[*half_width]),
            Self::Beta { concentration } => write_numbers(f, &[*concentration]),
            Self::Gaussian { deviation } => write_numbers(f, &[*deviation]),
            Self::TruncatedGaussian { deviation, half_width } => {
                write_numbers(f, &[*deviation, *half_width])
            }
            Self::Empirical { values } => write_numbers(f, values),
        }
    }
}

/// `:number,number,...`
pub(super) fn write_numbers(f: &mut fmt::Formatter<'_>, numbers: &[f64]) -> fmt::Result {
    for (i, number) in numbers.iter().enumerate() {
        write!(f, "{}{}", if i == 0 { ':' } else { ',' }, Digits(*number))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;
    use crate::same_draws::same_draws;
    use proptest::prelude::*;

    fn noise(text: &str) -> RewardSpec {
        text.parse().unwrap()
    }

    fn complaint(text: &str) -> String {
        text.parse::<RewardSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_kind_parses_its_example_and_writes_it_back() {
        for kind in RewardSpec::kinds() {
            let spec = noise(kind.example);
            assert_eq!(spec.name(), kind.name);
            assert_eq!(spec.to_string(), kind.example);
            assert!(kind.usage.starts_with(kind.name));
            let json = serde_json::to_string(&spec).unwrap();
            assert!(json.contains(&format!("\"noise\":\"{}\"", kind.name)));
            assert_eq!(serde_json::from_str::<RewardSpec>(&json).unwrap(), spec);
            assert!((spec.law(0.25).unwrap().mean() - 0.25).abs() < 1e-15);
        }
    }

    #[test]
    fn json_is_kebab_case_and_closed() {
        let json = r#"{"noise":"truncated-gaussian","deviation":0.25,"half-width":0.5}"#;
        let spec = noise("truncated-gaussian:0.25,0.5");
        assert_eq!(serde_json::to_string(&spec).unwrap(), json);
        for json in [
            r#"{"noise":"bernoulli","half-width":0.5}"#,
            r#"{"noise":"uniform","half-width":0.5,"low":1}"#,
            r#"{"noise":"uniform"}"#,
            r#"{"noise":"cauchy"}"#,
        ] {
            assert!(serde_json::from_str::<RewardSpec>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn laws_by_hand() {
        let law = |text: &str, mean| noise(text).law(mean).unwrap();
        assert_eq!(law("uniform:0.5", 2.0), Law::uniform(1.5, 2.5).unwrap());
        assert_eq!(law("bernoulli", 0.3), Law::bernoulli(0.3).unwrap());
        assert_eq!(law("beta:10", 0.25), Law::beta(2.5, 7.5).unwrap());
        assert_eq!(law("gaussian:2", 7.0), Law::gaussian(7.0, 2.0).unwrap());
        assert_eq!(law("constant", -1.0), Law::constant(-1.0).unwrap());
        assert_eq!(
            law("truncated-gaussian:2,0.5", 3.0),
            Law::truncated_gaussian(3.0, 2.0, (2.5, 3.5)).unwrap()
        );
        let empirical = law("empirical:1,2,6", 10.0);
        assert_eq!((empirical.mean(), empirical.range()), (10.0, (8.0, 13.0)));
        assert_eq!(empirical.variance(), 14.0 / 3.0);
    }

    #[test]
    fn unfit_means_are_named() {
        let means = [0.2, 0.9, 0.5, 9.2];
        let error = noise("bernoulli").laws(&means).unwrap_err();
        assert_eq!(
            error.to_string(),
            "node 3 has mean 9.2, but bernoulli rewards need means in [0, 1]; change the means or \
             the noise"
        );
        assert!(noise("beta:10").laws(&[0.5, 1.0]).is_err());
        assert!(noise("beta:10").law(0.0).is_err());
        assert!(noise("bernoulli").laws(&[0.0, 1.0]).is_ok());
        for kind in RewardSpec::kinds() {
            for mean in [f64::NAN, f64::INFINITY, -1e101] {
                assert!(noise(kind.example).law(mean).is_err(), "{}", kind.name);
            }
        }
        let drowned = noise("truncated-gaussian:1,1").law(1e30).unwrap_err();
        assert!(matches!(drowned, RewardSpecError::Law { .. }));
    }

    #[test]
    fn bad_texts_are_answered_with_what_exists() {
        assert_eq!(
            complaint("cauchy:1"),
            "there is no reward noise \"cauchy\"; there are uniform:HALF_WIDTH; bernoulli; \
             beta:CONCENTRATION; gaussian:DEVIATION; truncated-gaussian:DEVIATION,HALF_WIDTH; \
             constant; empirical:VALUE,VALUE,..."
        );
        assert_eq!(
            complaint("uniform"),
            "\"uniform\" has 0 parameters; write uniform:HALF_WIDTH, as in uniform:0.5"
        );
        assert_eq!(
            complaint("gaussian:wide"),
            "\"wide\" in \"gaussian:wide\" is not a number; write gaussian:DEVIATION, as in \
             gaussian:1"
        );
        assert_eq!(
            complaint("uniform:-1"),
            "the half-width is -1.0; give a number from 0 to 1e100"
        );
        for text in [
            "",
            ":",
            "uniform:",
            "uniform:1,2",
            "bernoulli:0.5",
            "constant:",
            "beta:0",
            "gaussian:inf",
            "gaussian:nan",
            "truncated-gaussian:1",
            "truncated-gaussian:0,1",
            "empirical",
            "empirical:1,,2",
            "empirical:1e200",
        ] {
            assert!(text.parse::<RewardSpec>().is_err(), "{text}");
        }
        assert!(RewardSpec::Empirical { values: vec![] }.law(0.0).is_err());
        assert!(RewardSpec::Uniform { half_width: f64::NAN }.laws(&[]).is_err());
    }

    #[test]
    fn a_million_laws_share_their_values() {
        let spec = RewardSpec::Empirical { values: vec![0.0; 1000] };
        let laws = spec.laws(&vec![0.5; 1_000_000]).unwrap();
        assert!(laws.iter().all(|law| law.mean() == 0.5));
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![-1e3..1e3_f64, -1e100..1e100_f64, -1e-80..1e-80_f64, Just(0.0)]
    }

    fn any_noise() -> impl Strategy<Value = RewardSpec> {
        let size = || prop_oneof![1e-6..1e3_f64, 1e-90..1e-80_f64, 1e90..1e100_f64];
        prop_oneof![
            size().prop_map(|half_width| RewardSpec::Uniform { half_width }),
            Just(RewardSpec::Bernoulli {}),
            size().prop_map(|concentration| RewardSpec::Beta { concentration }),
            size().prop_map(|deviation| RewardSpec::Gaussian { deviation }),
            (size(), size()).prop_map(|(deviation, half_width)| RewardSpec::TruncatedGaussian {
                deviation,
                half_width
            }),
            Just(RewardSpec::Constant {}),
            prop::collection::vec(any_number(), 1..9)
                .prop_map(|values| RewardSpec::Empirical { values }),
        ]
    }

    proptest! {
        #![proptest_config(same_draws(256))]

        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = text.parse::<RewardSpec>();
        }

        #[test]
        fn what_is_read_is_written_back(
            text in "(uniform|beta|gaussian|truncated-gaussian|empirical|bernoulli):?[-0-9.e,]{0,12}"
        ) {
            if let Ok(spec) = text.parse::<RewardSpec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }

        #[test]
        fn specs_survive_a_round_trip(spec in any_noise()) {
            prop_assert_eq!(&spec.to_string().parse::<RewardSpec>(), &Ok(spec.clone()));
            let json = serde_json::to_string(&spec).unwrap();
            prop_assert_eq!(serde_json::from_str::<RewardSpec>(&json).unwrap(), spec);
        }

        #[test]
        fn laws_of_any_spec_are_sound(spec in any_noise(), mean in any_number(), seed: u64) {
            if let Ok(law) = spec.law(mean) {
                let (low, high) = law.range();
                prop_assert!(low <= law.mean() && law.mean() <= high, "{:?}", law);
                prop_assert!(law.variance() >= 0.0 && law.sub_gaussian_scale() >= 0.0);
                for k in 0..8 {
                    let reward = law.reward(Seed(seed), k);
                    prop_assert!(low <= reward && reward <= high && reward.is_finite());
                }
            }
        }

    }
}
