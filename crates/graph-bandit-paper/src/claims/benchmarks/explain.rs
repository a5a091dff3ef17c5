//! Why the claims about benchmarks hold or fail.

use super::judge::{gap_on, name};
use super::{BENCHMARKS, FIELD, GRAPHS, LOCAL, NEARLY_LINEAR, Q_LEARNERS, STUDY};
use crate::claims::evidence::Evidence;
use crate::claims::head_to_head::{cap_effect, window_effect};
use crate::claims::measure::growth;
use crate::text::{list, number, percent};

/// The comparisons that G-UCB does not win in the honest window.
fn not_won(evidence: &Evidence<'_>, agents: &[&str]) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets(STUDY) {
        let view = evidence.first(preset);
        let mut open = Vec::new();
        for case in GRAPHS {
            for agent in agents {
                if let Some(gap) = gap_on(&view, STUDY, case, agent)
                    && !gap.difference.is_below(0.0)
                {
                    open.push(format!("{} ({})", name(case, agent), gap.difference.signed()));
                }
            }
        }
        texts.push(format!("in preset {label}: {}", list(&open)));
    }
    format!("Comparisons that G-UCB does not win in the honest window: {}.", texts.join("; "))
}

/// Why Local UCB is hard to beat on the star.
const STAR: &str = "On the star the hub sees every leaf, so Local UCB's first choice is already the leaf that looks best, and it \
                    stays there as long as the leaf looks better than the hub. It is trapped, but close to the best: its regret is \
                    small and linear, and varies widely from run to run. G-UCB pays for exploring further; at about 20,000 steps \
                    the two are equal.";

pub(super) fn explain_all(evidence: &Evidence<'_>) -> String {
    format!(
        "{} {} {STAR} {}",
        not_won(evidence, &BENCHMARKS),
        cap_effect(evidence),
        window_effect(evidence, STUDY, "Line", &["g-ucb", "ucrl2"]),
    )
}

pub(super) fn explain_field(evidence: &Evidence<'_>) -> String {
    format!(
        "{} {STAR} {}",
        not_won(evidence, &FIELD),
        window_effect(evidence, STUDY, "Star", &["g-ucb"]),
    )
}

pub(super) fn explain_grid(evidence: &Evidence<'_>) -> String {
    format!(
        "On the grid the margins are many times the intervals, so neither preset nor window \
         changes the order. {}",
        window_effect(evidence, "grid-benchmarks", "Grid", &["g-ucb", "ucrl2"]),
    )
}

pub(super) fn explain_second(evidence: &Evidence<'_>) -> String {
    format!(
        "UCRL2's regret is compared with agents that take single steps, whose regret is the same in both windows. {} \
         The preset matters little here: the grid is small enough that the program's cap on value-iteration sweeps \
         rarely hides a good node.",
        window_effect(evidence, "grid-benchmarks", "Grid", &["ucrl2"]),
    )
}

pub(super) fn explain_similar(evidence: &Evidence<'_>) -> String {
    format!(
        "{STAR} UCRL2, with its wider bound, explores even further. On line and circle UCRL2's rank depends on its planner. {} {}",
        cap_effect(evidence),
        not_won(evidence, &BENCHMARKS),
    )
}

pub(super) fn explain_local(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    if let Some(&(preset, _)) = evidence.presets(STUDY).first() {
        let view = evidence.first(preset);
        for agent in LOCAL {
            let of_case = |case: &str| {
                let curve = view.curve(STUDY, case, agent)?;
                let halves = curve.finals.iter().zip(&curve.halfway);
                let trapped = halves.filter(|(end, half)| **end - **half >= NEARLY_LINEAR * **half);
                let share = trapped.count() as f64 / curve.finals.len() as f64;
                Some(format!("{} {}", case.to_lowercase(), percent(share)))
            };
            let shares: Vec<String> = GRAPHS.into_iter().filter_map(of_case).collect();
            texts.push(format!("{agent}: {}", shares.join(", ")));
        }
    }
    format!(
        "These agents take single steps and have no parameters that the presets change, so both windows contain the same steps, \
         and presets differ only in the order of neighbours, which breaks ties. Runs whose own second half adds at least 80% \
         of the first: {}. The other runs have found the best node and pay little more, but the trapped ones dominate \
         the mean.",
        texts.join("; "),
    )
}

pub(super) fn explain_q_learners(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    if let Some(&(preset, _)) = evidence.presets(STUDY).first() {
        for agent in Q_LEARNERS {
            let of_case = |case: &str| {
                let ratio = growth(evidence.first(preset).curve(STUDY, case, agent)?);
                Some(format!("{} {}", case.to_lowercase(), number(ratio.value)))
            };
            let ratios: Vec<String> = GRAPHS.into_iter().filter_map(of_case).collect();
            texts.push(format!("{agent}: {}", ratios.join(", ")));
        }
    }
    format!(
        "Q-learners take single steps and have the same parameters in both presets, so their runs are nearly the same in all four \
         cells. Second half over first: {}; linear growth would be 1, a square root 0.41. All are below linear, some only slightly: \
         with this exploration schedule, some runs settle on a node that is not the best and pay for it until the end, while \
         G-UCB plans on the graph and has almost finished learning by T / 2.",
        texts.join("; "),
    )
}

pub(super) fn explain_bandit(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets(STUDY) {
        let (first, last) = (evidence.first(preset), evidence.last(preset));
        let case = "Fully connected";
        if let (Some(a), Some(b)) =
            (first.curve(STUDY, case, "g-ucb"), last.curve(STUDY, case, "g-ucb"))
        {
            texts.push(format!(
                "in preset {label} {} in the first window, {} in the last, after an overshoot of {} steps",
                number(a.last().mean),
                number(b.last().mean),
                number(b.overshoot_mean),
            ));
        }
    }
    format!(
        "With means in U(0.5, 1.5) no node is visited long enough for long legs, so the windows, and with them the cells, \
         nearly agree. G-UCB's regret: {}. It is always worse; whether a factor is slight is a matter of taste, and the \
         test draws the line at 1.5.",
        texts.join("; "),
    )
}
