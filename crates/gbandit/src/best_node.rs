//! Which node is best so far, as `gbandit run` prints it.

use crate::number::{rounded, with_commas};
use crate::shown::in_cell;
use graph_bandit::agents::Oracle;
use graph_bandit_lab::{BestSummary, FirstBest, NodeSummary, StudySummary};

/// A line or two for each agent, below a heading.
pub(crate) fn section(summary: &StudySummary) -> String {
    // The oracle knows the best node and visits no other.
    let learners = summary.agents.iter().filter(|agent| agent.agent != Oracle::NAME);
    let found = learners.filter_map(|agent| Some((&agent.agent, agent.best.as_ref()?)));
    let found: Vec<_> = found.collect();
    let Some((_, BestSummary { confidence, .. })) = found.first() else { return String::new() };
    let mut text =
        format!("\nbest node so far; settled: no other is better, with confidence {confidence}\n");
    let width = found.iter().map(|(agent, _)| agent.chars().count()).max().unwrap_or(0);
    for (agent, best) in found {
        let lines = lines(summary.runs, best);
        let names = [agent.as_str()].into_iter().chain(std::iter::repeat(""));
        for (name, line) in names.zip(lines) {
            text.extend([format!("  {name:<width$}  {line}\n")]);
        }
    }
    text
}

fn lines(runs: u64, best: &BestSummary) -> Vec<String> {
    let of_all = format!(
        "the true one in {} of {} runs, settled in {}",
        with_commas(best.runs_right),
        with_commas(runs),
        with_commas(best.runs_settled)
    );
    match &best.first {
        Some(first) if runs == 1 => vec![of_first(first)],
        Some(first) => vec![of_all, format!("in the first run {}", of_first(first))],
        None => vec![of_all],
    }
}

fn of_first(first: &FirstBest) -> String {
    let sure = match (&first.runner_up, first.chance) {
        _ if first.settled => "settled".to_owned(),
        _ if first.unvisited > 0 => {
            format!("not settled: {} nodes were never visited", with_commas(first.unvisited as u64))
        }
        (Some(other), Some(chance)) => format!(
            "not settled: better than {} with probability {}",
            named(other),
            probability(chance)
        ),
        _ => "not settled".to_owned(),
    };
    let [low, high] = first.best.interval;
    let (estimate, low, high) = (rounded(first.best.estimate), rounded(low), rounded(high));
    format!("{}, estimate {estimate} ({low} .. {high}), {sure}", named(&first.best))
}

/// Nothing is certain: a chance that would round to 1 is shown as above 0.99.
fn probability(chance: f64) -> String {
    if chance > 0.99 { "above 0.99".to_owned() } else { rounded(chance) }
}

fn named(node: &NodeSummary) -> String {
    match &node.name {
        Some(name) => format!("node {}", in_cell(&format!("{name:?}"))),
        None => format!("node {}", node.node),
    }
}
