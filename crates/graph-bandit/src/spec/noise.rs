//! The noise around mean rewards: `uniform:0.5`, `{"noise":"uniform","half-width":0.5}`.
//!
//! The paper's experiments (Section V) have `uniform:0.5`.

use super::entry::entry_fields;
use super::{Entry, Parameter, Range, Spec, SpecError, Table, TextForm, Values};
use crate::graph::NodeId;
use crate::reward::noises::BUILT_IN;
use crate::reward::{Law, LawError};

/// Gives the law of a node from its mean.
pub type LawOfMean = Box<dyn Fn(f64) -> Result<Law, LawError>>;

/// Everything known about a noise.
#[derive(Debug, Clone, Copy)]
pub struct NoiseEntry {
    /// Its name.
    pub name: &'static str,
    /// A one-line summary.
    pub summary: &'static str,
    /// What it does, in a few plain sentences.
    pub about: &'static str,
    /// A valid text.
    pub example: &'static str,
    /// Its parameters, in the order of texts.
    pub parameters: &'static [&'static dyn Parameter],
    /// The means that it allows.
    pub means: Range,
    /// Gives the law of a node from its mean, which is within that range.
    pub law: fn(Values<'_>) -> LawOfMean,
}

impl Entry for NoiseEntry {
    const KIND: &'static str = "reward noise";
    const TAG: &'static str = "noise";
    const TEXT: TextForm = TextForm::InOrder;

    fn table() -> &'static Table<Self> {
        static TABLE: Table<NoiseEntry> = Table::new(BUILT_IN);
        &TABLE
    }

    entry_fields!();

    fn example(&self) -> &'static str {
        self.example
    }

    fn check(&self, _spec: &Spec<Self>) -> Result<(), SpecError> {
        Ok(())
    }
}

/// The noise around the mean rewards.
///
/// ```
/// use graph_bandit::spec::RewardSpec;
/// let noise: RewardSpec = "uniform:0.5".parse()?;
/// assert_eq!(noise.law(9.0)?.range(), (8.5, 9.5));
/// let error = "bernoulli".parse::<RewardSpec>()?.laws(&[0.5, 9.2]).unwrap_err();
/// assert!(error.to_string().starts_with("node 1 has mean 9.2, but bernoulli rewards need"));
/// # Ok::<(), graph_bandit::SpecError>(())
/// ```
pub type RewardSpec = Spec<NoiseEntry>;

impl RewardSpec {
    /// The law of a node of mean `mean`; its own mean is `mean` up to rounding.
    ///
    /// # Errors
    /// When the noise does not allow this mean.
    pub fn law(&self, mean: f64) -> Result<Law, SpecError> {
        self.law_of(None, mean, &(self.entry.law)(self.values()))
    }

    /// The laws of all nodes, by number; equal means give equal laws.
    ///
    /// # Errors
    /// When the noise does not allow one of the means.
    pub fn laws(&self, means: &[f64]) -> Result<Vec<Law>, SpecError> {
        let law = (self.entry.law)(self.values());
        let laws = means.iter().enumerate();
        laws.map(|(s, &mean)| self.law_of(Some(s as NodeId), mean, &law)).collect()
    }

    fn law_of(&self, node: Option<NodeId>, mean: f64, law: &LawOfMean) -> Result<Law, SpecError> {
        let range = self.entry.means;
        if !range.contains(mean) {
            let (noise, need) = (self.name(), range.to_string());
            return Err(SpecError::Mean { node, mean, noise, need });
        }
        law(mean).map_err(|source| SpecError::Law { node, mean, source })
    }
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
        for kind in RewardSpec::entries() {
            let spec = noise(kind.example);
            assert_eq!(spec.name(), kind.name);
            assert_eq!(spec.to_string(), kind.example);
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
    fn errors_name_the_unfit_mean() {
        let means = [0.2, 0.9, 0.5, 9.2];
        let error = noise("bernoulli").laws(&means).unwrap_err();
        assert_eq!(
            error.to_string(),
            "node 3 has mean 9.2, but bernoulli rewards need means from 0 to 1; change the means \
             or the noise"
        );
        assert!(noise("beta:10").laws(&[0.5, 1.0]).is_err());
        assert!(noise("beta:10").law(0.0).is_err());
        assert!(noise("bernoulli").laws(&[0.0, 1.0]).is_ok());
        for kind in RewardSpec::entries() {
            for mean in [f64::NAN, f64::INFINITY, -1e101] {
                assert!(noise(kind.example).law(mean).is_err(), "{}", kind.name);
            }
        }
        let drowned = noise("truncated-gaussian:1,1").law(1e30).unwrap_err();
        assert!(matches!(drowned, SpecError::Law { .. }));
    }

    #[test]
    fn errors_about_noise_list_what_exists() {
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
            complaint("empirical"),
            "\"empirical\" has 0 parameters; write empirical:VALUE,VALUE,..., as in \
             empirical:-0.5,0.1,0.4"
        );
        assert_eq!(
            complaint("gaussian:wide"),
            "gaussian:wide: deviation is \"wide\"; it must be a number from 0 to 1e100"
        );
        assert_eq!(
            complaint("uniform:-1"),
            "uniform:-1: half-width is -1; it must be a number from 0 to 1e100"
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
        let none = r#"{"noise":"empirical","values":[]}"#;
        assert!(serde_json::from_str::<RewardSpec>(none).is_err());
    }

    #[test]
    fn a_million_laws_share_their_values() {
        let spec = noise(&format!("empirical:{}", ["0"; 1000].join(",")));
        let laws = spec.laws(&vec![0.5; 1_000_000]).unwrap();
        assert!(laws.iter().all(|law| law.mean() == 0.5));
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![-1e3..1e3_f64, -1e100..1e100_f64, -1e-80..1e-80_f64, Just(0.0)]
    }

    fn any_noise() -> impl Strategy<Value = RewardSpec> {
        let size = || prop_oneof![1e-6..1e3_f64, 1e-90..1e-80_f64, 1e90..1e100_f64];
        let one = prop::sample::select(vec!["uniform", "beta", "gaussian"]);
        let text = prop_oneof![
            (one, size()).prop_map(|(name, size)| format!("{name}:{size:?}")),
            Just("bernoulli".to_owned()),
            (size(), size()).prop_map(|(a, b)| format!("truncated-gaussian:{a:?},{b:?}")),
            Just("constant".to_owned()),
            prop::collection::vec(any_number(), 1..9).prop_map(|values| {
                let values: Vec<String> = values.iter().map(|value| format!("{value:?}")).collect();
                format!("empirical:{}", values.join(","))
            }),
        ];
        text.prop_map(|text| noise(&text))
    }

    proptest! {
        #![proptest_config(same_draws(256))]

        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = text.parse::<RewardSpec>();
        }

        #[test]
        fn a_spec_that_is_read_is_written_back(
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
