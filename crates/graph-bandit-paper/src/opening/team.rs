//! The experiments on teams: how many of the sequel's claims hold, and g-star against Multi-G-UCB, study
//! by study.

use super::paper::what_was_run;
use super::{existing, study};
use crate::teams;
use graph_bandit_lab::report::{ClaimReport, Opening, Report, Sentence, StudyReport, Verdict};

const G_STAR: &str = "g-star";
/// The study whose runs judge the claims.
const JUDGED_ON: &str = "teams-figure-2";
/// With fewer runs, intervals are so wide that hardly any claim can hold or fail.
const FEWEST_RUNS: u64 = 5;

pub(super) fn open(report: &Report) -> Option<Opening> {
    let names: Vec<String> = teams::studies().into_iter().map(|study| study.name).collect();
    if !report.studies.iter().all(|study| names.contains(&study.name)) {
        return None;
    }
    let mut results = vec![what_was_run(report, "case")];
    match study(report, JUDGED_ON).map(|study| study.runs) {
        Some(runs) if runs < FEWEST_RUNS && !report.claims.is_empty() => {
            results.push(too_few_runs(runs, report.claims.len()));
        }
        _ => {
            results.push(how_many_hold(&report.claims));
            results.extend(less_than_whole(&report.claims));
        }
    }
    let compared = names.iter().filter_map(|name| against_multi_g_ucb(study(report, name)?));
    results.extend(compared.map(Sentence::from));
    Some(Opening {
        title: "Cooperative multi-agent graph bandits, reproduced".to_owned(),
        results,
        figures: existing(report, &[JUDGED_ON]),
    })
}

/// Verdicts of a few runs say more about the runs than about the claims.
fn too_few_runs(runs: u64, claims: usize) -> Sentence {
    format!(
        "{runs} runs of each agent decide nothing about the {claims} claims of the paper on teams about its experiment: \
         the intervals are too wide. From {FEWEST_RUNS} runs on, the claims are judged."
    )
    .into()
}

/// How many claims hold. Each is judged once: over the first steps, with the program's details.
fn how_many_hold(claims: &[ClaimReport]) -> Sentence {
    if claims.is_empty() {
        let reason = "No claim of the paper on teams is judged: that takes at least two runs of the \
            study teams-figure-2.";
        return reason.to_owned().into();
    }
    let count = |verdict| claims.iter().filter(|claim| verdict_of(claim) == Some(verdict)).count();
    let [yes, part, no] = [Verdict::Holds, Verdict::HoldsInPart, Verdict::DoesNotHold].map(count);
    let ending = |count: usize| if count == 1 { "s" } else { "" };
    format!(
        "Of {} claims of the paper on teams about its experiment, {yes} hold{}, {part} hold{} in part and {no} {} not.",
        claims.len(),
        ending(yes),
        ending(part),
        if no == 1 { "does" } else { "do" },
    )
    .into()
}

fn verdict_of(claim: &ClaimReport) -> Option<Verdict> {
    claim.judgements.first().map(|judged| judged.verdict)
}

/// The claims that do not hold, or only in part.
fn less_than_whole(claims: &[ClaimReport]) -> Option<Sentence> {
    let fails = |claim: &&ClaimReport| verdict_of(claim) != Some(Verdict::Holds);
    let failed: Vec<&ClaimReport> = claims.iter().filter(fails).collect();
    let words = |claim: &&ClaimReport| {
        let verdict = verdict_of(claim).map(|verdict| verdict.to_string()).unwrap_or_default();
        format!("{} ({verdict})", claim.quotation().trim_end_matches('.'))
    };
    let texts: Vec<String> = failed.iter().map(words).collect();
    (!failed.is_empty()).then(|| Sentence {
        text: format!("Not all of this holds: {}.", texts.join("; ")),
        claims: failed.iter().map(|claim| claim.id.clone()).collect(),
    })
}

/// The regret of g-star as a multiple of Multi-G-UCB's.
fn against_multi_g_ucb(study: &StudyReport) -> Option<String> {
    let comparison = study.comparison.as_ref()?;
    let star = comparison.agents.iter().find(|agent| agent.agent == G_STAR)?;
    let over = star.of_baseline.as_ref()?;
    let mean = format!(
        "{}: g-star has {:.3} times the regret of Multi-G-UCB",
        study.title, over.geometric_mean
    );
    if star.cases == 1 {
        return Some(format!("{mean}."));
    }
    Some(format!(
        "{mean} in the geometric mean over {} cases, at worst {:.3} times ({}).",
        star.cases, over.worst, over.worst_case,
    ))
}
