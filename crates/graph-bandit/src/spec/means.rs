//! Where mean rewards come from, as texts like `uniform:0.5,9.5` and as
//! `{"means":"uniform","low":0.5,"high":9.5}`.
//!
//! The paper's experiments (Section V) draw them from `uniform:0.5,9.5`. This is the only list: a new
//! kind is a variant here and a row in [`MeansSpec::kinds`].

use crate::random::{Seed, label};
use crate::reward::MAX_MAGNITUDE;
use crate::spec::reward::{parse, write_numbers, wrong_count};
use crate::spec::{KindInfo, RewardSpecError};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Where the mean rewards of a run come from.
///
/// ```
/// use graph_bandit::{random::Seed, spec::MeansSpec};
/// let means: MeansSpec = "uniform:0.5,9.5".parse()?;
/// assert!(means.draw(100, Seed(1))?.iter().all(|mean| (0.5..=9.5).contains(mean)));
/// # Ok::<(), graph_bandit::spec::RewardSpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "means", rename_all = "kebab-case", deny_unknown_fields)]
pub enum MeansSpec {
    /// Drawn anew for every run, independent and uniform on `[low, high]`.
    Uniform {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// One node, drawn anew for every run, stands out from all others, which are alike.
    Needle {
        /// The mean of the others.
        low: f64,
        /// The mean of that node.
        high: f64,
    },
    /// The same in every run.
    Fixed {
        /// One mean per node, by number.
        values: Vec<f64>,
    },
}

static MEANS: [KindInfo; 3] = [
    KindInfo {
        name: "uniform",
        usage: "uniform:LOW,HIGH",
        description: "independent and uniform from LOW to HIGH, drawn anew for every run",
        example: "uniform:0.5,9.5",
    },
    KindInfo {
        name: "needle",
        usage: "needle:LOW,HIGH",
        description: "HIGH on one node, drawn anew for every run, LOW on all others",
        example: "needle:0.5,0.7",
    },
    KindInfo {
        name: "fixed",
        usage: "fixed:MEAN,MEAN,...",
        description: "these means, one per node, in every run",
        example: "fixed:0.2,0.4,0.9",
    },
];

const ANY: &str = "a finite number of magnitude at most 1e100";
impl MeansSpec {
    /// All kinds of means.
    pub fn kinds() -> &'static [KindInfo] {
        &MEANS
    }

    /// Whether the parameters make sense, whatever the number of nodes.
    ///
    /// # Errors
    /// When a number is not finite or the lower end lies above the upper one.
    pub fn check(&self) -> Result<(), RewardSpecError> {
        let finite = |parameter, value: f64| {
            if value.abs() <= MAX_MAGNITUDE {
                Ok(())
            } else {
                Err(RewardSpecError::Parameter { parameter, value, need: ANY })
            }
        };
        match self {
            Self::Uniform { low, high } | Self::Needle { low, high } => {
                finite("lowest mean", *low)?;
                finite("highest mean", *high)?;
                if low > high {
                    return Err(RewardSpecError::EmptyRange { low: *low, high: *high });
                }
                Ok(())
            }
            Self::Fixed { values } => {
                values.iter().try_for_each(|&value| finite("mean of a node", value))
            }
        }
    }

    /// The means of a run on `nodes` nodes; that of node `s` is a pure function of (run seed, `s`).
    ///
    /// # Errors
    /// When a parameter makes no sense or there is not one fixed mean per node.
    pub fn draw(&self, nodes: usize, run: Seed) -> Result<Vec<f64>, RewardSpecError> {
        self.check()?;
        match self {
            Self::Uniform { low, high } => {
                let seed = run.child(label::MEANS);
                let mean = |s| (low + (high - low) * seed.unit(s)).min(*high);
                Ok((0..nodes as u64).map(mean).collect())
            }
            Self::Needle { low, high } => {
                let needle = (run.child(label::MEANS).unit(0) * nodes as f64) as usize;
                Ok((0..nodes).map(|s| if s == needle { *high } else { *low }).collect())
            }
            Self::Fixed { values } if values.len() == nodes => Ok(values.clone()),
            Self::Fixed { values } => {
                Err(RewardSpecError::WrongNumberOfMeans { given: values.len(), nodes })
            }
        }
    }
}

impl FromStr for MeansSpec {
    type Err = RewardSpecError;

    fn from_str(text: &str) -> Result<Self, RewardSpecError> {
        let (kind, numbers) = parse(text, "kind of means", &MEANS)?;
        let spec = match (kind.name, numbers.as_slice()) {
            ("uniform", &[low, high]) => Self::Uniform { low, high },
            ("needle", &[low, high]) => Self::Needle { low, high },
            ("fixed", [_, ..]) => Self::Fixed { values: numbers },
            _ => return Err(wrong_count(text, kind, &numbers)),
        };
        spec.check()?;
        Ok(spec)
    }
}

impl fmt::Display for MeansSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uniform { low, high } => {
                f.write_str("uniform")?;
                write_numbers(f, &[*low, *high])
            }
            Self::Needle { low, high } => {
                f.write_str("needle")?;
                write_numbers(f, &[*low, *high])
            }
            Self::Fixed { values } => {
                f.write_str("fixed")?;
                write_numbers(f, values)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::same_draws::same_draws;
    use proptest::prelude::*;

    fn complaint(text: &str) -> String {
        text.parse::<MeansSpec>().unwrap_err().to_string()
    }

    #[test]
    fn every_kind_parses_its_example_and_writes_it_back() {
        for kind in MeansSpec::kinds() {
            let spec: MeansSpec = kind.example.parse().unwrap();
            assert_eq!(spec.to_string(), kind.example);
            let json = serde_json::to_string(&spec).unwrap();
            assert_eq!(serde_json::from_str::<MeansSpec>(&json).unwrap(), spec);
        }
    }

    #[test]
    fn json_is_closed() {
        let fixed = r#"{"means":"fixed","values":[1.0,2.0]}"#;
        let means: MeansSpec = serde_json::from_str(fixed).unwrap();
        assert_eq!(means.draw(2, Seed(0)), Ok(vec![1.0, 2.0]));
        assert!(serde_json::from_str::<MeansSpec>(r#"{"means":"fixed","valus":[]}"#).is_err());
    }

    #[test]
    fn bad_means_are_answered_with_what_exists() {
        assert_eq!(
            complaint("normal:1"),
            "there is no kind of means \"normal\"; there are uniform:LOW,HIGH; needle:LOW,HIGH; \
             fixed:MEAN,MEAN,..."
        );
        assert_eq!(
            complaint("uniform:2,1"),
            "no mean lies between 2.0 and 1.0; give the lower end first"
        );
        assert_eq!(
            complaint("uniform:0.5"),
            "\"uniform:0.5\" has 1 parameters; write uniform:LOW,HIGH, as in uniform:0.5,9.5"
        );
        assert!("uniform:0,inf".parse::<MeansSpec>().is_err());
        assert!("fixed:1,nan".parse::<MeansSpec>().is_err());
        let short: MeansSpec = "fixed:1,2,3".parse().unwrap();
        assert_eq!(
            short.draw(4, Seed(0)).unwrap_err().to_string(),
            "3 means for 4 nodes; give exactly one per node"
        );
    }

    #[test]
    fn means_are_a_function_of_run_and_node() {
        let means: MeansSpec = "uniform:0.5,9.5".parse().unwrap();
        let ten = means.draw(10, Seed(4)).unwrap();
        assert_eq!(means.draw(7, Seed(4)).unwrap(), ten[..7]);
        assert_ne!(means.draw(10, Seed(5)).unwrap(), ten);
        let unit = Seed(4).child(label::MEANS).unit(3);
        assert_eq!(ten[3], 0.5 + 9.0 * unit);
        assert_eq!(MeansSpec::Uniform { low: 2.0, high: 2.0 }.draw(2, Seed(0)), Ok(vec![2.0; 2]));
    }

    #[test]
    fn a_needle_is_one_node_and_every_node_in_some_run() {
        let means: MeansSpec = "needle:0.5,0.7".parse().unwrap();
        let mut seen = [0; 5];
        for run in 0..500 {
            let drawn = means.draw(5, Seed(run)).unwrap();
            let needles: Vec<usize> = (0..5).filter(|&s| drawn[s] == 0.7).collect();
            assert_eq!(drawn.iter().filter(|&&mean| mean == 0.5).count(), 4);
            seen[needles[0]] += 1;
        }
        // Six deviations of a binomial count of mean 100.
        assert!(seen.iter().all(|count: &i32| (count - 100).abs() < 54), "{seen:?}");
    }

    fn any_number() -> impl Strategy<Value = f64> {
        prop_oneof![-1e3..1e3_f64, -1e100..1e100_f64, -1e-80..1e-80_f64, Just(0.0)]
    }

    proptest! {
        #![proptest_config(same_draws(256))]

        #[test]
        fn any_text_is_read_or_refused(text in ".*") {
            let _ = text.parse::<MeansSpec>();
        }

        #[test]
        fn what_is_read_is_written_back(text in "(uniform|needle|fixed):?[-0-9.e,]{0,12}") {
            if let Ok(spec) = text.parse::<MeansSpec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }

        #[test]
        fn means_survive_a_round_trip(low in any_number(), high in any_number()) {
            let spec = MeansSpec::Uniform { low: low.min(high), high: low.max(high) };
            prop_assert_eq!(&spec.to_string().parse::<MeansSpec>(), &Ok(spec.clone()));
            let means = spec.draw(9, Seed(1)).unwrap();
            prop_assert!(means.iter().all(|mean| (low.min(high)..=low.max(high)).contains(mean)));
        }
    }
}
