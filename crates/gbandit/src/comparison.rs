//! The tables that a study with a baseline prints: every agent against it, over all cases.

use crate::shown::in_cell;
use crate::table::table;
use graph_bandit_figures::scale::short;
use graph_bandit_lab::report::{AgentComparison, Comparison, Report, Spread};

/// One table for each study with a baseline; empty if there is none.
pub(crate) fn comparisons(report: &Report) -> String {
    let of_study = |study: &graph_bandit_lab::report::StudyReport| {
        let comparison = study.comparison.as_ref()?;
        Some(format!("{}, {}\n{}\n", in_cell(&study.title), runs(comparison), agents(comparison)))
    };
    report.studies.iter().filter_map(of_study).collect()
}

/// How many runs every case had: with few runs, multiples are luck.
fn runs(comparison: &Comparison) -> String {
    let runs = || comparison.rows.iter().map(|row| row.runs);
    match (runs().min(), runs().max()) {
        (Some(fewest), Some(most)) if fewest < most => format!("{fewest} to {most} runs per case"),
        (_, most) => format!("{} runs per case", most.unwrap_or_default()),
    }
}

fn agents(comparison: &Comparison) -> String {
    let baseline = &comparison.baseline;
    let against = format!("vs {baseline}");
    let worst = format!("worst vs {baseline}");
    let tail = format!("worst p99 vs {baseline}");
    let worst_on = format!("{worst} on");
    let heading =
        ["agent", "cases", &against, &worst, "vs best", "worst vs best", &tail, &worst_on];
    let rows: Vec<Vec<String>> = comparison.agents.iter().map(row).collect();
    format!(
        "{}vs: mean regret as a multiple of another's, geometric mean over cases; worst: the highest of \
         them; p99: the regret that 99 of 100 runs do not exceed, as a multiple of a mean\n",
        table(&heading, &rows)
    )
}

/// Geometric means and the worst of the multiples; of the 99th percentile only the worst.
fn row(agent: &AgentComparison) -> Vec<String> {
    let pick = |spread: &Option<Spread>, number: fn(&Spread) -> f64| {
        spread.as_ref().map_or("-".to_owned(), |spread| short(number(spread)))
    };
    let worst_case = agent.of_baseline.as_ref().map_or("", |spread| &spread.worst_case);
    vec![
        agent.agent.clone(),
        agent.cases.to_string(),
        pick(&agent.of_baseline, |spread| spread.geometric_mean),
        pick(&agent.of_baseline, |spread| spread.worst),
        pick(&agent.of_best, |spread| spread.geometric_mean),
        pick(&agent.of_best, |spread| spread.worst),
        pick(&agent.p99_of_baseline, |spread| spread.worst),
        worst_case.to_owned(),
    ]
}
