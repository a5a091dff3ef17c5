//! The experiments beyond the paper: g-star against G-UCB, study by study.

use super::{existing, study};
use crate::frontier;
use crate::text::percent;
use graph_bandit_lab::report::{Opening, Report, Sentence, StudyReport};

const G_STAR: &str = "g-star";

pub(super) fn open(report: &Report) -> Option<Opening> {
    let names: Vec<String> = frontier::studies().into_iter().map(|study| study.name).collect();
    if !report.studies.iter().all(|study| names.contains(&study.name)) {
        return None;
    }
    let compared = ["frontier-seven-graphs", "frontier-choosing", "frontier-reporting"];
    let sentences = compared.into_iter().filter_map(|name| against_g_ucb(study(report, name)?));
    let results: Vec<Sentence> = sentences.map(Sentence::from).collect();
    (!results.is_empty()).then(|| Opening {
        title: "Beyond the paper: g-star against G-UCB".to_owned(),
        results,
        figures: existing(report, &["frontier-seven-graphs-1", "frontier-reporting"]),
    })
}

/// How g-star does over the cases of a study, including the cases where it loses.
fn against_g_ucb(study: &StudyReport) -> Option<String> {
    let comparison = study.comparison.as_ref()?;
    let star = comparison.agents.iter().find(|agent| agent.agent == G_STAR)?;
    let over = star.of_baseline.as_ref()?;
    let of_star = comparison.rows.iter().filter(|row| row.agent == G_STAR);
    let lost = of_star.clone().filter(|row| row.of_baseline.is_some_and(|r| r > 1.0)).count();
    let best = of_star.filter(|row| row.of_best == Some(1.0)).count();
    Some(format!(
        "{}: g-star has {} of G-UCB's regret in the geometric mean over {} cases, at worst {} ({}). It has more than G-UCB on {lost} of them, \
         and the least of all agents on {best}.",
        study.title,
        percent(over.geometric_mean),
        star.cases,
        percent(over.worst),
        over.worst_case,
    ))
}
