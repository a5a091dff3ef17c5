//! Mean rewards: `uniform:0.5,9.5`, `{"means":"uniform","low":0.5,"high":9.5}`.
//!
//! The paper's experiments (Section V) draw them from `uniform:0.5,9.5`.

use super::changing_means::{DRIFT, MOVING_BEST, ONE_AT_A_TIME, REDRAWN, SEASONS};
use super::entry::entry_fields;
use super::{Entry, Number, Numbers, Parameter, Range, Spec, SpecError, Table, TextForm, Values};
use crate::random::{Seed, label};
use crate::timetable::Timetable;

/// Draws the means over the time of a run.
pub type DrawOverTime = fn(Values<'_>, &Span) -> Result<Timetable, SpecError>;

/// Everything known about a kind of means.
#[derive(Debug, Clone, Copy)]
pub struct MeansEntry {
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
    /// The lowest and the highest possible mean.
    pub ends: fn(Values<'_>) -> (f64, f64),
    /// The means of a run on this many nodes; the mean of node `s` is a pure function of (run seed,
    /// `s`).
    pub draw: fn(Values<'_>, usize, Seed) -> Result<Vec<f64>, SpecError>,
    /// The means over the time of a run; `None` if they do not change. The first means are those of
    /// `draw`, and a longer span only adds to a shorter one.
    pub over_time: Option<DrawOverTime>,
}

/// The nodes and the time for which means are drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// How many nodes there are.
    pub nodes: usize,
    /// The seed of the run.
    pub run: Seed,
    /// How many steps the run makes after initialization.
    pub steps: u64,
}

impl Entry for MeansEntry {
    const KIND: &'static str = "kind of means";
    const TAG: &'static str = "means";
    const TEXT: TextForm = TextForm::InOrder;

    fn table() -> &'static Table<Self> {
        static TABLE: Table<MeansEntry> = Table::new(&[
            &UNIFORM,
            &NEEDLE,
            &FIXED,
            &REDRAWN,
            &ONE_AT_A_TIME,
            &MOVING_BEST,
            &DRIFT,
            &SEASONS,
        ]);
        &TABLE
    }

    entry_fields!();

    fn example(&self) -> &'static str {
        self.example
    }

    fn check(&self, spec: &Spec<Self>) -> Result<(), SpecError> {
        let (low, high) = spec.ends();
        if low <= high { Ok(()) } else { Err(SpecError::EmptyRange { low, high }) }
    }
}

/// The source of the mean rewards of a run.
///
/// ```
/// use graph_bandit::{random::Seed, spec::MeansSpec};
/// let means: MeansSpec = "uniform:0.5,9.5".parse()?;
/// assert!(means.draw(100, Seed(1))?.iter().all(|mean| (0.5..=9.5).contains(mean)));
/// # Ok::<(), graph_bandit::SpecError>(())
/// ```
pub type MeansSpec = Spec<MeansEntry>;

impl MeansSpec {
    /// The lowest and the highest possible mean.
    pub fn ends(&self) -> (f64, f64) {
        (self.entry.ends)(self.values())
    }

    /// The means of a run on `nodes` nodes, at its start if they change; the mean of node `s` is a
    /// pure function of (run seed, `s`).
    ///
    /// # Errors
    /// When the number of fixed means is not the number of nodes.
    pub fn draw(&self, nodes: usize, run: Seed) -> Result<Vec<f64>, SpecError> {
        (self.entry.draw)(self.values(), nodes, run)
    }

    /// The means over the time of a run; `None` if they do not change.
    ///
    /// # Errors
    /// When there are too many changes to remember.
    pub fn over_time(&self, span: &Span) -> Result<Option<Timetable>, SpecError> {
        self.entry.over_time.map(|draw| draw(self.values(), span)).transpose()
    }

    /// Whether the means change during a run.
    pub fn changes(&self) -> bool {
        self.entry.over_time.is_some()
    }
}

pub(super) const LOW: Number = Number {
    name: "low",
    help: "The lowest mean",
    when: "The wider the range compared with the noise, the sooner an agent sees differences.",
    default: None,
    range: Range::ANY,
};
pub(super) const HIGH: Number = Number {
    name: "high",
    help: "The highest mean",
    when: "The wider the range compared with the noise, the sooner an agent sees differences.",
    default: None,
    range: Range::ANY,
};
const OTHERS: Number = Number {
    help: "The mean of all nodes except the best one",
    when: "The larger the difference between LOW and HIGH, compared with the noise, the sooner an \
        agent finds the best node.",
    ..LOW
};
const BEST: Number = Number { name: "high", help: "The mean of the best node", ..OTHERS };
const VALUES: Numbers = Numbers {
    name: "values",
    each: "mean",
    help: "One mean per node",
    when: "List them in the order of node numbers.",
    range: Range::ANY,
};

static UNIFORM: MeansEntry = MeansEntry {
    name: "uniform",
    summary: "independent and uniform from LOW to HIGH, drawn for every run",
    about: "Every run draws its own mean rewards, one per node, independently and uniformly \
        between two numbers. The paper's experiments use `uniform:0.5,9.5`.",
    example: "uniform:0.5,9.5",
    parameters: &[&LOW, &HIGH],
    ends: |values| (values.get(&LOW), values.get(&HIGH)),
    draw: |values, nodes, run| {
        let (low, high) = (values.get(&LOW), values.get(&HIGH));
        let seed = run.child(label::MEANS);
        let mean = |s| (low + (high - low) * seed.unit(s)).min(high);
        Ok((0..nodes as u64).map(mean).collect())
    },
    over_time: None,
};

static NEEDLE: MeansEntry = MeansEntry {
    name: "needle",
    summary: "HIGH on one node, drawn for every run, LOW on all others",
    about: "All nodes have the same mean, except one that is better. Every run draws which one it \
        is. The smaller the difference compared with the noise, the harder the better node is to \
        find.",
    example: "needle:0.5,0.7",
    parameters: &[&OTHERS, &BEST],
    ends: |values| (values.get(&LOW), values.get(&HIGH)),
    draw: |values, nodes, run| {
        let (low, high) = (values.get(&LOW), values.get(&HIGH));
        let needle = (run.child(label::MEANS).unit(0) * nodes as f64) as usize;
        Ok((0..nodes).map(|s| if s == needle { high } else { low }).collect())
    },
    over_time: None,
};

static FIXED: MeansEntry = MeansEntry {
    name: "fixed",
    summary: "these means, one per node, in every run",
    about: "The same means in every run: one mean per node, in the order of node numbers. If runs \
        should have different means, write `file:means.csv`.",
    example: "fixed:0.2,0.4,0.9",
    parameters: &[&VALUES],
    ends: |values| {
        let ends = (f64::INFINITY, f64::NEG_INFINITY);
        values.get(&VALUES).iter().fold(ends, |(low, high), &mean| (low.min(mean), high.max(mean)))
    },
    draw: |values, nodes, _run| {
        let means = values.get(&VALUES);
        let given = means.len();
        if given == nodes { Ok(means) } else { Err(SpecError::WrongNumberOfMeans { given, nodes }) }
    },
    over_time: None,
};

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
        for kind in MeansSpec::entries() {
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
    fn errors_about_means_list_what_exists() {
        assert_eq!(
            complaint("normal:1"),
            "there is no kind of means \"normal\"; there are uniform:LOW,HIGH; needle:LOW,HIGH; \
             fixed:MEAN,MEAN,...; redrawn:LOW,HIGH,EVERY[,MOMENTS]; \
             one-at-a-time:LOW,HIGH,EVERY[,MOMENTS]; moving-best:LOW,HIGH,EVERY[,MOMENTS]; \
             drift:LOW,HIGH,STEP,EVERY; seasons:LOW,HIGH,AMPLITUDE,PERIOD"
        );
        assert_eq!(
            complaint("uniform:2,1"),
            "no mean lies between 2.0 and 1.0; give the lower end first"
        );
        assert_eq!(
            complaint("uniform:0.5"),
            "\"uniform:0.5\" has 1 parameter; write uniform:LOW,HIGH, as in uniform:0.5,9.5"
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
        assert_eq!("uniform:2,2".parse::<MeansSpec>().unwrap().draw(2, Seed(0)), Ok(vec![2.0; 2]));
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
        fn a_spec_that_is_read_is_written_back(text in "(uniform|needle|fixed|redrawn|drift|seasons):?[-0-9.e,]{0,12}") {
            if let Ok(spec) = text.parse::<MeansSpec>() {
                prop_assert_eq!(spec.to_string().parse(), Ok(spec));
            }
        }

        #[test]
        fn means_survive_a_round_trip(low in any_number(), high in any_number()) {
            let text = format!("uniform:{:?},{:?}", low.min(high), low.max(high));
            let spec: MeansSpec = text.parse().unwrap();
            prop_assert_eq!(&spec.to_string().parse::<MeansSpec>(), &Ok(spec.clone()));
            let means = spec.draw(9, Seed(1)).unwrap();
            prop_assert!(means.iter().all(|mean| (low.min(high)..=low.max(high)).contains(mean)));
        }
    }
}
