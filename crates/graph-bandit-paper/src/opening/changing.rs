//! The experiments on rewards that change: g-drift against g-star where nothing changes, and
//! elsewhere against the best other agent of each case and against G-UCB, restarted or not.

use super::{existing, ranking, study};
use crate::change;
use crate::text::{list, number, percent};
use graph_bandit_lab::report::{Opening, Report, Sentence, StudyReport};
use std::collections::BTreeMap;

const G_DRIFT: &str = "g-drift";
const NOTHING: &str = "nothing";

pub(super) fn open(report: &Report) -> Option<Opening> {
    let names: Vec<String> = change::studies().into_iter().map(|study| study.name).collect();
    if !report.studies.iter().all(|study| names.contains(&study.name)) {
        return None;
    }
    let mut results: Vec<String> =
        study(report, "change-nothing").and_then(against_g_star).into_iter().collect();
    for half in ["change-reporting", "change-choosing"] {
        results.extend(study(report, half).into_iter().flat_map(sum_up));
    }
    results.extend(study(report, "change-number-of-changes").and_then(over_root));
    (!results.is_empty()).then(|| Opening {
        title: "Rewards that change: g-drift against the others".to_owned(),
        results: results.into_iter().map(Sentence::from).collect(),
        figures: existing(report, &["change-far-away", "change-number-of-changes"]),
    })
}

/// What g-drift pays for being ready where nothing changes.
fn against_g_star(study: &StudyReport) -> Option<String> {
    let comparison = study.comparison.as_ref()?;
    let drift = comparison.agents.iter().find(|agent| agent.agent == G_DRIFT)?;
    let over = drift.of_baseline.as_ref()?;
    Some(format!(
        "{}: g-drift has {} times g-star's regret in the geometric mean over {} cases, at worst {} \
         times ({}).",
        study.title,
        number(over.geometric_mean),
        drift.cases,
        number(over.worst),
        over.worst_case,
    ))
}

/// The regret of g-drift on a case, as multiples of others'.
struct Multiples<'a> {
    case: &'a str,
    /// Of the best other agent that is not told when means change.
    of_best: f64,
    /// Of G-UCB restarted at every change. Where means change all the time: of the best of G-UCB
    /// without restarts and with each of its periods.
    of_g_ucb: f64,
}

impl<'a> Multiples<'a> {
    fn on(study: &StudyReport, case: &'a str) -> Option<Self> {
        let ranked = ranking(study, case);
        let least = |counts: fn(&str) -> bool| {
            ranked.iter().find(|(row, _)| counts(&row.agent)).map(|(_, mean)| *mean)
        };
        let own = least(|agent| agent == G_DRIFT)?;
        let best = least(|agent| agent != G_DRIFT && !is_told_of_changes(agent))?;
        let g_ucb = least(is_g_ucb)?;
        let is_usable = own > 0.0 && best > 0.0 && g_ucb > 0.0;
        is_usable.then(|| Self { case, of_best: own / best, of_g_ucb: own / g_ucb })
    }

    /// What changes in the case: the title up to the graph.
    fn kind(&self) -> &'a str {
        self.case.split_once(" on ").map_or(self.case, |(kind, _)| kind)
    }
}

/// G-UCB, restarted or not.
fn is_g_ucb(agent: &str) -> bool {
    agent == "g-ucb" || agent.starts_with("g-ucb:")
}

/// Such an agent exists in simulations only.
fn is_told_of_changes(agent: &str) -> bool {
    agent.contains("restarts=oracle") || agent.starts_with("restarting-")
}

fn sum_up(study: &StudyReport) -> Vec<String> {
    let mut cases: Vec<&str> = study.shown_rows().map(|row| row.case.as_str()).collect();
    cases.dedup();
    let all: Vec<Multiples<'_>> =
        cases.into_iter().filter_map(|case| Multiples::on(study, case)).collect();
    let changing: Vec<&Multiples<'_>> = all.iter().filter(|case| case.kind() != NOTHING).collect();
    if changing.is_empty() {
        return Vec::new();
    }
    let lost: Vec<String> = all
        .iter()
        .filter(|case| case.of_g_ucb > 1.0)
        .map(|case| format!("{} ({})", case.case, percent(case.of_g_ucb)))
        .collect();
    let of_all = format!(
        "{}: where something changes, g-drift has {}. It has more than G-UCB, restarted or not, on {} \
         of {} cases: {}.",
        study.title,
        both(&changing),
        lost.len(),
        all.len(),
        list(&lost),
    );
    let mut kinds: BTreeMap<&str, Vec<&Multiples<'_>>> = BTreeMap::new();
    for case in &all {
        kinds.entry(case.kind()).or_default().push(case);
    }
    let of_kind = |(kind, cases): (&str, Vec<&Multiples<'_>>)| {
        let worst = cases.iter().max_by(|a, b| a.of_best.total_cmp(&b.of_best));
        let worst = worst.map_or(String::new(), |worst| {
            format!("; at worst {} of the best other ({})", percent(worst.of_best), worst.case)
        });
        format!("{}, {kind}: {}{worst}.", study.title, both(&cases))
    };
    std::iter::once(of_all).chain(kinds.into_iter().map(of_kind)).collect()
}

fn both(cases: &[&Multiples<'_>]) -> String {
    let count = match cases.len() {
        1 => "1 case".to_owned(),
        count => format!("geometric means over {count} cases"),
    };
    format!(
        "{} of the regret of the best other agent and {} of that of G-UCB, restarted or not ({count})",
        percent(geometric_mean(cases.iter().map(|case| case.of_best))),
        percent(geometric_mean(cases.iter().map(|case| case.of_g_ucb))),
    )
}

fn geometric_mean(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let count = values.len() as f64;
    libm::exp(values.map(libm::log).sum::<f64>() / count)
}

/// How far regret is from growing as the square root of changes times steps.
fn over_root(study: &StudyReport) -> Option<String> {
    let mut groups: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for row in study.shown_rows().filter(|row| row.agent == G_DRIFT) {
        let (changes, group) = row.case.split_once(" on ")?;
        let (changes, steps) = (changes.parse::<f64>().ok()?, *row.stats.t.last()? as f64);
        groups.entry(group).or_default().push(row.final_mean()? / (changes * steps).sqrt());
    }
    let parts: Vec<String> = groups
        .iter()
        .map(|(group, values)| {
            let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let smallest = values.iter().copied().fold(f64::INFINITY, f64::min);
            format!("{} on {group}", number(largest / smallest))
        })
        .collect();
    (!parts.is_empty()).then(|| {
        let parts = list(&parts);
        format!("{}: regret / sqrt(changes x T), largest over smallest: {parts}.", study.title)
    })
}
