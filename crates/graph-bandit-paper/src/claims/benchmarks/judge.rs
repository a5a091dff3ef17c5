//! How the claims about benchmarks are judged.

use super::{BENCHMARKS, FIELD, GRAPHS, NEARLY_LINEAR, Q_LEARNERS, STUDY};
use crate::claims::Verdict;
use crate::claims::check::{Check, Finding, tally, verdict};
use crate::claims::evidence::View;
use crate::claims::measure::{Estimate, Gap, growth, second_half_gap};
use crate::text::{number, percent};

/// "Much better": at most this share of the other's regret.
const MUCH: f64 = 0.5;
/// "Slightly worse": at most this many times the other's regret.
const SLIGHTLY: f64 = 1.5;

/// G-UCB minus a benchmark.
pub(super) fn gap_on(view: &View<'_>, study: &str, case: &str, agent: &str) -> Option<Gap> {
    Some(Gap::between(view.curve(study, case, "g-ucb")?, view.curve(study, case, agent)?))
}

pub(super) fn name(case: &str, agent: &str) -> String {
    format!("{} {agent}", case.to_lowercase())
}

pub(super) fn all_less(view: &View<'_>, cases: &[&str], agents: &[&str]) -> Option<Finding> {
    let mut checks = Vec::new();
    let mut gaps = Vec::new();
    for case in cases {
        for agent in agents {
            let gap = gap_on(view, STUDY, case, agent)?;
            checks.push(Check::less(&name(case, agent), &gap));
            gaps.push((name(case, agent), gap));
        }
    }
    Some(with_closest(tally(&checks), &gaps))
}

/// Adds the won comparison with the smallest margin, in half-widths of its interval.
fn with_closest(mut found: Finding, gaps: &[(String, Gap)]) -> Finding {
    let won = gaps.iter().filter(|(_, gap)| gap.difference.is_below(0.0));
    let margin = |gap: &Gap| gap.difference.value.abs() / gap.difference.half;
    let closest = won.min_by(|(_, a), (_, b)| margin(a).total_cmp(&margin(b)));
    if let Some((name, gap)) = closest {
        found.figures = format!("{}; closest won: {name} {}", found.figures, gap.text());
    }
    found
}

pub(super) fn clear(view: &View<'_>, study: &str, cases: &[&str]) -> Option<Finding> {
    let mut checks = Vec::new();
    let mut gaps = Vec::new();
    let mut bars = Vec::new();
    for case in cases {
        let bar = view.curve(study, case, "g-ucb")?.last().sd?;
        bars.push(format!("{} {}", case.to_lowercase(), number(bar)));
        for agent in BENCHMARKS {
            let gap = gap_on(view, study, case, agent)?;
            let is_close = agent == "ucrl2" && ["Line", "Circle"].contains(case);
            let margin = if is_close { 0.0 } else { bar };
            let label = if cases.len() == 1 { agent.to_owned() } else { name(case, agent) };
            let text = format!("{label} {}", gap.text());
            checks.push(Check::below(gap.difference, -margin, text));
            gaps.push((label, gap));
        }
    }
    let mut found = tally(&checks);
    if cases.len() > 1 {
        found = with_closest(found, &gaps);
    }
    found.figures = format!("SD of G-UCB: {}; {}", bars.join(", "), found.figures);
    Some(found)
}

pub(super) fn judge_similar(view: &View<'_>) -> Option<Finding> {
    let mut checks = Vec::new();
    for case in ["Line", "Circle", "Tree", "Star"] {
        for agent in BENCHMARKS {
            let gap = gap_on(view, STUDY, case, agent)?;
            checks.push(Check::less(&format!("{}: g-ucb, {agent}", case.to_lowercase()), &gap));
        }
        let ucrl2 = view.curve(STUDY, case, "ucrl2")?;
        for agent in FIELD {
            let gap = Gap::between(ucrl2, view.curve(STUDY, case, agent)?);
            checks.push(Check::less(&format!("{}: ucrl2, {agent}", case.to_lowercase()), &gap));
        }
    }
    Some(tally(&checks))
}

pub(super) fn judge_second(view: &View<'_>) -> Option<Finding> {
    let study = "grid-benchmarks";
    let mut checks = Vec::new();
    let ucrl2 = view.curve(study, "Grid", "ucrl2")?;
    for agent in FIELD {
        let gap = Gap::between(ucrl2, view.curve(study, "Grid", agent)?);
        let share = gap.of / gap.beside;
        let text = format!("{} of {agent} {}", percent(share), gap.text());
        checks.push(Check::below(gap.difference, 0.0, text).only_if(share <= MUCH));
    }
    checks.push(Check::less("g-ucb less than ucrl2", &gap_on(view, study, "Grid", "ucrl2")?));
    Some(tally(&checks))
}

/// How the agents' regrets grow on the five graphs, each checked against [`NEARLY_LINEAR`].
pub(super) fn grow(
    view: &View<'_>,
    agents: &[&str],
    check: fn(Estimate, f64, String) -> Check,
) -> Option<Finding> {
    let mut checks = Vec::new();
    let mut lines = Vec::new();
    for agent in agents {
        let mut ratios = Vec::new();
        for case in GRAPHS {
            let ratio = growth(view.curve(STUDY, case, agent)?);
            ratios.push(format!("{} {ratio}", case.to_lowercase()));
            checks.push(check(ratio, NEARLY_LINEAR, String::new()));
        }
        lines.push(format!("{agent}: {}", ratios.join(", ")));
    }
    let passed = checks.iter().filter(|check| check.passed()).count();
    let figures = format!("{passed} of {}; {}", checks.len(), lines.join("; "));
    Some(Finding { figures, verdict: verdict(&checks) })
}

pub(super) fn judge_samples(view: &View<'_>) -> Option<Finding> {
    let mut checks = Vec::new();
    let mut texts = Vec::new();
    for case in GRAPHS {
        let ours = view.curve(STUDY, case, "g-ucb")?;
        for agent in Q_LEARNERS {
            let gap = second_half_gap(ours, view.curve(STUDY, case, agent)?);
            texts.push(format!("{} {}", name(case, agent), gap.signed()));
            checks.push(Check::below(gap, 0.0, String::new()));
        }
    }
    Some(Finding { figures: texts.join("; "), verdict: verdict(&checks) })
}

pub(super) fn judge_bandit(view: &View<'_>) -> Option<Finding> {
    let mut texts = Vec::new();
    let (mut worse, mut slightly) = (0, 0);
    for (agent, label) in [("local-ucb", "UCB"), ("local-ts", "TS")] {
        let gap = gap_on(view, STUDY, "Fully connected", agent)?;
        let ratio = gap.of / gap.beside;
        worse += usize::from(gap.difference.is_above(0.0));
        slightly += usize::from(gap.difference.is_above(0.0) && ratio <= SLIGHTLY);
        texts.push(format!("{} times {label}, {}", number(ratio), gap.text()));
    }
    let verdict = match (worse, slightly) {
        (2, 2) => Verdict::Holds,
        (0, _) => Verdict::DoesNotHold,
        _ => Verdict::HoldsInPart,
    };
    Some(Finding { figures: texts.join("; "), verdict })
}
