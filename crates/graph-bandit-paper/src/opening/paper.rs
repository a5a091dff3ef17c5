//! The paper's own experiments: how many of its sentences hold, how G-UCB does, and where it does
//! badly.

use super::{existing, ranking, study};
use crate::last_window::LAST;
use crate::text::{list, number, percent};
use graph_bandit::Preset;
use graph_bandit_lab::Window;
use graph_bandit_lab::report::{
    ClaimReport, Opening, Report, ReportRow, Sentence, Verdict, Wording,
};

const G_UCB: &str = "g-ucb";
const G_STAR: &str = "g-star";

pub(super) fn open(report: &Report) -> Option<Opening> {
    if !report.claims.iter().any(|claim| claim.wording == Wording::Quoted) {
        return None;
    }
    let sentences = [
        Some(what_was_run(report, "graph")),
        Some(how_many_hold(&report.claims)),
        failed_claims(&report.claims),
        on_the_grid(report),
        between_zero_and_one(report),
        beside_g_star(report),
    ];
    Some(Opening {
        title: "Multi-armed bandit learning on a graph, reproduced".to_owned(),
        results: sentences.into_iter().flatten().collect(),
        figures: existing(report, &["grid-benchmarks", "g-star"]),
    })
}

/// How many studies and runs the report has; `on_each` is what a study has several of.
pub(super) fn what_was_run(report: &Report, on_each: &str) -> Sentence {
    let runs =
        || report.studies.iter().filter(|study| !study.rows.is_empty()).map(|study| study.runs);
    let (least, most) = (runs().min().unwrap_or(0), runs().max().unwrap_or(0));
    let each = if least == most { most.to_string() } else { format!("{least} to {most}") };
    let count = runs().count();
    let studies = if count == 1 { "study" } else { "studies" };
    let runs = if most == 1 { "run" } else { "runs" };
    format!("{count} {studies}, {each} {runs} of each agent on each {on_each}.").into()
}

fn how_many_hold(claims: &[ClaimReport]) -> Sentence {
    let count = |window: Window, verdict: Verdict| {
        claims.iter().filter(|claim| verdict_of(claim, window) == Some(verdict)).count()
    };
    let counts = |window| {
        let [yes, part, no] = [Verdict::Holds, Verdict::HoldsInPart, Verdict::DoesNotHold]
            .map(|verdict| count(window, verdict));
        (yes, part, no, yes + part + no)
    };
    let (yes, part, no, all) = counts(Window::FIRST);
    let (yes_last, part_last, no_last, _) = counts(LAST);
    format!(
        "With the paper's own details, {yes} of its {all} sentences about regret hold, {part} hold in part and {no} \
         {} not. Over the last T steps, which the authors' program counts instead of the first, the numbers are {yes_last}, {part_last} and {no_last}.",
        if no == 1 { "does" } else { "do" },
    )
    .into()
}

/// The verdict with the paper's own details; `None` if that preset was not run.
fn verdict_of(claim: &ClaimReport, window: Window) -> Option<Verdict> {
    let is_it = |judged: &&graph_bandit_lab::report::Judgement| {
        judged.preset == Preset::Paper && judged.window == Some(window)
    };
    claim.judgements.iter().find(is_it).map(|judged| judged.verdict)
}

fn failed_claims(claims: &[ClaimReport]) -> Option<Sentence> {
    let fails =
        |claim: &&ClaimReport| verdict_of(claim, Window::FIRST) == Some(Verdict::DoesNotHold);
    let failed: Vec<&ClaimReport> = claims.iter().filter(fails).collect();
    let quotes: Vec<String> = failed.iter().map(|claim| claim.quotation()).collect();
    (!failed.is_empty()).then(|| Sentence {
        text: format!("These do not hold: {}.", list(&quotes)),
        claims: failed.iter().map(|claim| claim.id.clone()).collect(),
    })
}

fn on_the_grid(report: &Report) -> Option<Sentence> {
    let ranked = ranking(study(report, "grid-benchmarks")?, "Grid");
    let own = mean_of(&ranked, G_UCB).filter(|&own| own > 0.0)?;
    let others: Vec<_> = ranked.iter().filter(|(row, _)| row.agent != G_UCB).collect();
    let (best, worst) = (others.first()?, others.last()?);
    let is_first = ranked.first().is_some_and(|(row, _)| row.agent == G_UCB);
    let place = if is_first { "has the least regret" } else { "does not have the least regret" };
    let text = format!(
        "On the 10 x 10 grid G-UCB {place} of the paper's agents, {}. The best other agent, {}, has {} times as much, the worst, {}, {} times.",
        number(own),
        best.0.agent,
        number(best.1 / own),
        worst.0.agent,
        number(worst.1 / own),
    );
    Some(text.into())
}

/// The result with rewards as the theory assumes them.
fn between_zero_and_one(report: &Report) -> Option<Sentence> {
    let study = study(report, "reward-range")?;
    let mut better: Vec<(&str, String)> = Vec::new();
    for case in ["Grid", "Line"] {
        let ranked = ranking(study, case);
        let own = mean_of(&ranked, G_UCB)?;
        let (best, least) = *ranked.first()?;
        if best.agent != G_UCB && own > 0.0 {
            better.push((best.agent.as_str(), format!("{} on {case}", percent(least / own))));
        }
    }
    let text = match better.as_slice() {
        [] => "With rewards of 0 and 1, as the theory assumes, G-UCB also has the least regret."
            .to_owned(),
        [(first, share), rest @ ..] => {
            let more = |(agent, share): &(&str, String)| {
                let who = if agent == first { "" } else { agent };
                format!(" and {who} {share}").replace("  ", " ")
            };
            let rest: String = rest.iter().map(more).collect();
            format!(
                "With rewards of 0 and 1, as the theory assumes, it loses: {first} has {share}{rest} of its regret."
            )
        }
    };
    Some(text.into())
}

fn mean_of(ranked: &[(&ReportRow, f64)], agent: &str) -> Option<f64> {
    ranked.iter().find(|(row, _)| row.agent == agent).map(|(_, mean)| *mean)
}

fn beside_g_star(report: &Report) -> Option<Sentence> {
    let comparison = study(report, G_STAR)?.comparison.as_ref()?;
    let star = comparison.agents.iter().find(|agent| agent.agent == G_STAR)?;
    let spread = star.of_baseline.as_ref()?;
    let text = format!(
        "g-star, the default agent of this program, is not in the paper. It has {} of G-UCB's regret in the geometric mean over {} graphs, at worst {} ({}).",
        percent(spread.geometric_mean),
        star.cases,
        percent(spread.worst),
        spread.worst_case,
    );
    Some(text.into())
}
