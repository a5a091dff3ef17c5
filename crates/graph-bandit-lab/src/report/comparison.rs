//! Compares agents over many cases: mean regrets as multiples of a baseline's, and of the best
//! agent's on each case, including the worst of both.

use crate::agent_label::number;
use crate::campaign::{CurveStats, Results, agents};
use crate::statistics::median;
use crate::study_file::{Case, StudyFile};
use serde::{Deserialize, Serialize};

/// All agents of a study on all its cases, compared with one of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The agent that the others are compared with.
    pub baseline: String,
    /// One row per case and agent.
    pub rows: Vec<ComparisonRow>,
    /// One entry per agent over all cases it ran on, in the order of their first appearance.
    pub agents: Vec<AgentComparison>,
}

/// One agent on one case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ComparisonRow {
    /// The case's title.
    pub case: String,
    /// The agent, without the declared noise scale and the numbers of horizon, changes and period;
    /// with scale and horizon if a case of the study has agents that only they tell apart, or a
    /// horizon is shorter than its case.
    pub agent: String,
    /// How many runs it made.
    pub runs: usize,
    /// Mean regret at the last step.
    pub mean: f64,
    /// 95% interval of the mean; absent with one run.
    pub ci95: Option<(f64, f64)>,
    /// The regret that 99 of 100 runs do not exceed.
    pub p99: f64,
    /// The mean as a multiple of the baseline's; absent if that is zero.
    pub of_baseline: Option<f64>,
    /// The mean as a multiple of the least mean of all agents on the case; absent if that is zero.
    pub of_best: Option<f64>,
    /// `p99` as a multiple of the baseline's mean; absent if that is zero.
    pub p99_of_baseline: Option<f64>,
}

/// One agent over all cases.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentComparison {
    /// The agent.
    pub agent: String,
    /// How many cases it ran on.
    pub cases: usize,
    /// Its means as multiples of the baseline's.
    pub of_baseline: Option<Spread>,
    /// Its means as multiples of the best agent's on each case.
    pub of_best: Option<Spread>,
    /// Its 99th percentiles as multiples of the baseline's mean.
    pub p99_of_baseline: Option<Spread>,
}

/// Ratios over cases, summarized.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    /// Their median.
    pub median: f64,
    /// Their geometric mean.
    pub geometric_mean: f64,
    /// The highest.
    pub worst: f64,
    /// The case of the highest.
    pub worst_case: String,
}

impl Comparison {
    /// The comparison of a study in its own preset and window; `None` without a baseline.
    pub(super) fn of(results: &Results<'_>, study: &StudyFile) -> Option<Self> {
        let baseline = study.baseline.as_deref()?;
        // Unless regret counts from the start, initialization comes before the steps.
        let before = u64::from(!study.counts_from_start());
        let least = |case: &Case| case.steps.unwrap_or(study.steps).saturating_add(before);
        let cases = study.cases.iter().map(|case| (least(case), agents(study, case)));
        let names = Names::of(baseline, cases);
        let mut rows = Vec::new();
        for case in &study.cases {
            let stats = |agent| results.get(study, case, agent, study.preset, study.window);
            let of_case = agents(study, case).filter_map(|agent| Some((agent, stats(agent)?)));
            rows.extend(compare(case.title(), &names, &of_case.collect::<Vec<_>>()));
        }
        Some(Self::over(names.of_agent(baseline), rows))
    }

    fn over(baseline: String, rows: Vec<ComparisonRow>) -> Self {
        let mut names: Vec<&str> = Vec::new();
        for row in &rows {
            if !names.contains(&row.agent.as_str()) {
                names.push(&row.agent);
            }
        }
        let sum_up = |name: &&str| {
            let of_agent: Vec<&ComparisonRow> =
                rows.iter().filter(|row| row.agent == *name).collect();
            let spread = |ratio: fn(&ComparisonRow) -> Option<f64>| {
                Spread::of(of_agent.iter().filter_map(|row| Some((row.case.as_str(), ratio(row)?))))
            };
            AgentComparison {
                agent: (*name).to_owned(),
                cases: of_agent.len(),
                of_baseline: spread(|row| row.of_baseline),
                of_best: spread(|row| row.of_best),
                p99_of_baseline: spread(|row| row.p99_of_baseline),
            }
        };
        let agents = names.iter().map(sum_up).collect();
        Self { baseline, rows, agents }
    }

    /// An agent's row of a case.
    pub fn row(&self, case: &str, agent: &str) -> Option<&ComparisonRow> {
        self.rows.iter().find(|row| row.case == case && row.agent == agent)
    }
}

/// The rows of one case.
fn compare(case: &str, names: &Names<'_>, stats: &[(&str, &CurveStats)]) -> Vec<ComparisonRow> {
    let mean = |stats: &CurveStats| stats.mean.last().copied().unwrap_or(0.0);
    let best = stats.iter().map(|(_, stats)| mean(stats)).fold(f64::INFINITY, f64::min);
    let of_baseline = stats.iter().find(|(agent, _)| *agent == names.baseline);
    let of_baseline = of_baseline.map_or(0.0, |(_, stats)| mean(stats));
    let multiple = |value: f64, of: f64| (of > 0.0).then(|| value / of);
    let row = |&(agent, stats): &(&str, &CurveStats)| {
        let (mean, p99) = (mean(stats), percentile_99(&stats.finals));
        ComparisonRow {
            case: case.to_owned(),
            agent: names.of_agent(agent),
            runs: stats.finals.len(),
            mean,
            ci95: stats.ci95.last().copied().flatten(),
            p99,
            of_baseline: multiple(mean, of_baseline),
            of_best: multiple(mean, best),
            p99_of_baseline: multiple(p99, of_baseline),
        }
    };
    best_of_each_name(stats.iter().map(row))
}

/// Of several agents of one name, the one with the least mean: the others are worse guesses of how
/// often means change.
fn best_of_each_name(rows: impl Iterator<Item = ComparisonRow>) -> Vec<ComparisonRow> {
    let mut best: Vec<ComparisonRow> = Vec::new();
    for row in rows {
        match best.iter_mut().find(|known| known.agent == row.agent) {
            Some(known) if row.mean < known.mean => *known = row,
            Some(_) => {}
            None => best.push(row),
        }
    }
    best
}

/// The names of a study's agents in its comparison. On one case, two agents have the same name only
/// if they differ in `changes` or `period` alone, and none has the baseline's.
struct Names<'a> {
    baseline: &'a str,
    /// Kinds of which a case has agents that differ in more, or one whose horizon is certainly shorter
    /// than a run.
    ambiguous: Vec<String>,
}

impl<'a> Names<'a> {
    /// The names if these agents run on the cases; before them, the least length of a run of the case.
    fn of<'b>(
        baseline: &'a str,
        cases: impl Iterator<Item = (u64, impl Iterator<Item = &'b str>)>,
    ) -> Self {
        let mut names = Self { baseline, ambiguous: Vec::new() };
        for (least, agents) in cases {
            let mut seen: Vec<(String, String)> = Vec::new();
            for agent in agents {
                let (kind, full) = (kind_of(agent), names.full_name(agent));
                let differs = seen.iter().any(|(other, name)| *other == kind && *name != full);
                if differs || number(agent, "horizon").is_some_and(|horizon| horizon < least as f64)
                {
                    names.ambiguous.push(kind.clone());
                }
                seen.push((kind, full));
            }
        }
        names
    }

    fn of_agent(&self, agent: &str) -> String {
        let kind = kind_of(agent);
        if self.ambiguous.contains(&kind) { self.full_name(agent) } else { kind }
    }

    /// The label without the numbers of `changes` and `period`; the baseline's with them.
    fn full_name(&self, agent: &str) -> String {
        if agent == self.baseline { agent.to_owned() } else { without_guesses(agent) }
    }
}

impl Spread {
    fn of<'a>(ratios: impl Iterator<Item = (&'a str, f64)> + Clone) -> Option<Self> {
        let (worst_case, worst) = ratios.clone().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let count = ratios.clone().count() as f64;
        let logs = ratios.clone().map(|(_, ratio)| libm::log(ratio)).sum::<f64>();
        Some(Self {
            median: median(ratios.map(|(_, ratio)| ratio).collect()),
            geometric_mean: libm::exp(logs / count),
            worst,
            worst_case: worst_case.to_owned(),
        })
    }
}

/// An agent's label without `noise-scale`, and without the numbers of `horizon`, `changes` and
/// `period`: facts declared about a case are not a difference between agents.
fn kind_of(label: &str) -> String {
    with_parameters(label, |parameter| match parameter.split_once('=') {
        Some(("noise-scale", _)) => None,
        Some(("horizon", _)) => Some("horizon=known"),
        _ => Some(without_number(parameter)),
    })
}

/// An agent's label without the numbers of `changes` and `period`.
fn without_guesses(label: &str) -> String {
    with_parameters(label, |parameter| Some(without_number(parameter)))
}

fn without_number(parameter: &str) -> &str {
    match parameter.split_once('=') {
        Some(("changes", _)) => "changes=known",
        Some(("period", _)) => "period=known",
        _ => parameter,
    }
}

/// The label with the parameters that `keep` returns.
fn with_parameters(label: &str, keep: impl Fn(&str) -> Option<&str>) -> String {
    let Some((name, parameters)) = label.split_once(':') else { return label.to_owned() };
    let kept: Vec<&str> = parameters.split(',').filter_map(keep).collect();
    if kept.is_empty() { name.to_owned() } else { format!("{name}:{}", kept.join(",")) }
}

/// The smallest number that at least 99 of 100 do not exceed; zero for none.
fn percentile_99(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let place = (99 * sorted.len()).div_ceil(100);
    place.checked_sub(1).map_or(0.0, |place| sorted[place])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stats(finals: &[f64]) -> CurveStats {
        let mean = finals.iter().sum::<f64>() / finals.len() as f64;
        CurveStats {
            t: vec![10],
            mean: vec![mean],
            sd: vec![None],
            ci95: vec![Some((mean - 1.0, mean + 1.0))],
            finals: finals.to_vec(),
            halfway: vec![0.0; finals.len()],
            reward_mean: 0.0,
            legs_mean: 0.0,
            overshoot_mean: 0.0,
        }
    }

    /// The rows of one case that is alone in its study.
    fn compare_alone(baseline: &str, stats: &[(&str, &CurveStats)]) -> Vec<ComparisonRow> {
        let agents = stats.iter().map(|(agent, _)| *agent);
        compare("a", &Names::of(baseline, std::iter::once((10, agents))), stats)
    }

    /// Names and means of rows.
    fn told(rows: &[ComparisonRow]) -> Vec<(&str, f64)> {
        rows.iter().map(|row| (row.agent.as_str(), row.mean)).collect()
    }

    #[test]
    fn ratios_by_hand() {
        let (slow, fast, other) =
            (stats(&[90.0, 110.0]), stats(&[10.0, 30.0]), stats(&[40.0, 60.0]));
        let first = [("g-ucb", &slow), ("g-star", &fast), ("g-ts", &other)];
        let scaled = [("g-ucb", &other), ("g-star:noise-scale=2", &slow), ("g-ts", &fast)];
        let cases = [&first, &scaled].map(|case| case.map(|(agent, _)| agent).into_iter());
        let names = Names::of("g-ucb", cases.into_iter().map(|agents| (10, agents)));
        let mut rows = compare("one", &names, &first);
        rows.extend(compare("two", &names, &scaled));
        let table = Comparison::over("g-ucb".to_owned(), rows);
        let star = table.row("one", "g-star").unwrap();
        assert_eq!((star.mean, star.p99, star.ci95), (20.0, 30.0, Some((19.0, 21.0))));
        assert_eq!((star.of_baseline, star.of_best), (Some(0.2), Some(1.0)));
        assert_eq!(star.p99_of_baseline, Some(0.3));
        let star = table.row("two", "g-star").unwrap();
        assert_eq!((star.of_baseline, star.of_best), (Some(2.0), Some(5.0)));
        let names: Vec<&str> = table.agents.iter().map(|agent| agent.agent.as_str()).collect();
        assert_eq!(names, ["g-ucb", "g-star", "g-ts"]);
        let star = &table.agents[1];
        assert_eq!(star.cases, 2);
        let against = star.of_baseline.as_ref().unwrap();
        assert_eq!((against.median, against.worst), (1.1, 2.0));
        assert_eq!(against.worst_case, "two");
        assert!((against.geometric_mean - 0.4_f64.sqrt()).abs() < 1e-12);
        let best = star.of_best.as_ref().unwrap();
        assert_eq!((best.worst, best.worst_case.as_str()), (5.0, "two"));
        let itself = table.agents[0].of_baseline.as_ref().unwrap();
        assert_eq!((itself.worst, itself.median), (1.0, 1.0));
    }

    #[test]
    fn of_several_guesses_the_best_counts() {
        let (bad, good, other) = (stats(&[8.0]), stats(&[6.0]), stats(&[3.0]));
        let agents = [
            ("sw-ucb:changes=2", &bad),
            ("sw-ucb:changes=9", &good),
            ("g-star", &other),
            ("sw-ucb:changes=3", &bad),
        ];
        let rows = compare_alone("g-star", &agents);
        assert_eq!(told(&rows), [("sw-ucb:changes=known", 6.0), ("g-star", 3.0)]);
    }

    #[test]
    fn agents_that_differ_in_more_than_a_guess_have_rows_of_their_own() {
        let (bad, good) = (stats(&[8.0]), stats(&[4.0]));
        let rows = compare_alone("g-star", &[("g-star", &bad), ("g-star:noise-scale=0.2", &good)]);
        assert_eq!(told(&rows), [("g-star", 8.0), ("g-star:noise-scale=0.2", 4.0)]);
        assert_eq!((rows[0].of_baseline, rows[1].of_baseline), (Some(1.0), Some(0.5)));
        let agents = [
            ("g-drift", &bad),
            ("sw-ucb:changes=2,horizon=50", &good),
            ("sw-ucb:changes=4,horizon=50", &bad),
            ("sw-ucb:changes=2,horizon=90", &bad),
        ];
        let [short, long] = [50, 90].map(|steps| format!("sw-ucb:changes=known,horizon={steps}"));
        let rows = compare_alone("g-drift", &agents);
        assert_eq!(told(&rows), [("g-drift", 8.0), (short.as_str(), 4.0), (long.as_str(), 8.0)]);
    }

    #[test]
    fn a_horizon_that_ends_before_the_case_is_not_called_known() {
        let (bad, good) = (stats(&[8.0]), stats(&[4.0]));
        for (label, name) in [
            ("g-horizon:horizon=12,noise-scale=1", "g-horizon:horizon=known"),
            ("g-horizon:horizon=9,noise-scale=1", "g-horizon:horizon=9,noise-scale=1"),
        ] {
            let rows = compare_alone("g-star", &[("g-star", &good), (label, &bad)]);
            assert_eq!(told(&rows), [("g-star", 4.0), (name, 8.0)]);
        }
    }

    #[test]
    fn the_baseline_is_never_merged() {
        let (bad, good, best) = (stats(&[8.0]), stats(&[4.0]), stats(&[2.0]));
        let agents =
            [("sw-ucb:changes=2", &bad), ("sw-ucb:changes=4", &best), ("sw-ucb:changes=9", &good)];
        let rows = compare_alone("sw-ucb:changes=2", &agents);
        assert_eq!(told(&rows), [("sw-ucb:changes=2", 8.0), ("sw-ucb:changes=known", 2.0)]);
        assert_eq!(rows[1].of_baseline, Some(0.25));
    }

    #[test]
    fn multiples_of_zero_are_absent() {
        let (none, some) = (stats(&[0.0]), stats(&[3.0]));
        let rows = compare_alone("g-ucb", &[("g-ucb", &none), ("g-star", &some)]);
        assert_eq!((rows[1].of_baseline, rows[1].of_best), (None, None));
        let table = Comparison::over("g-ucb".to_owned(), rows);
        assert_eq!(table.agents[1].of_best, None);
    }

    #[test]
    fn percentiles_by_hand() {
        let numbers: Vec<f64> = (1..=1_000).map(f64::from).rev().collect();
        assert_eq!(percentile_99(&numbers), 990.0);
        assert_eq!(percentile_99(&numbers[..100]), 999.0);
        assert_eq!(percentile_99(&[2.0, 7.0]), 7.0);
        assert_eq!(percentile_99(&[]), 0.0);
    }

    #[test]
    fn the_declared_scale_makes_no_difference() {
        assert_eq!(kind_of("g-star"), "g-star");
        assert_eq!(kind_of("g-star:noise-scale=1"), "g-star");
        assert_eq!(kind_of("g-star:noise-scale=1,variance=declared"), "g-star:variance=declared");
        assert_eq!(kind_of("g-ucb:bonus=0.5"), "g-ucb:bonus=0.5");
        assert_eq!(kind_of("g-star:growth=1,horizon=20100"), "g-star:growth=1,horizon=known");
        let periodic = "g-ucb:restarts=periodic,period=";
        assert_eq!(kind_of(&format!("{periodic}500")), format!("{periodic}known"));
    }
}
