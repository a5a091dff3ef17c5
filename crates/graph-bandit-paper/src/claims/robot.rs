//! The robot: Section V-B.

use super::check::Finding;
use super::evidence::{Evidence, View};
use super::measure::growth;
use super::{Claim, Verdict};
use crate::text::{number, percent};
use graph_bandit_lab::campaign::CurveStats;

const STUDY: &str = "robot";
const CASE: &str = "Counties";
/// "Consistently": at least this share of the runs.
const CONSISTENT: f64 = 0.95;
/// The second half adds clearly less than the first.
const NEARLY_LINEAR: f64 = 0.8;

pub(super) const CLAIMS: &[Claim] = &[Claim {
    id: "robot-sublinear",
    place: "Section V-B",
    sentence: "[...] the robot consistently achieves sub-linear regrets in the simulations.",
    test: "In at least 95% of the runs the second half of the steps adds less than 80% of the regret of the first half, or nothing. If \
           only the mean over runs does (95% interval below 0.8), the claim holds in part.",
    studies: &[STUDY],
    judge: judge_robot,
    explain: explain_robot,
}];

/// The share of runs whose own regret grows sub-linearly.
fn share(curve: &CurveStats) -> f64 {
    let halves = curve.finals.iter().zip(&curve.halfway);
    let slow = halves.filter(|(end, half)| **end - **half < NEARLY_LINEAR * **half || end == half);
    slow.count() as f64 / curve.finals.len() as f64
}

fn judge_robot(view: &View<'_>) -> Option<Finding> {
    let curve = view.curve(STUDY, CASE, "g-ucb")?;
    let (share, ratio) = (share(curve), growth(curve));
    let verdict = if share >= CONSISTENT {
        Verdict::Holds
    } else if ratio.is_below(NEARLY_LINEAR) {
        Verdict::HoldsInPart
    } else {
        Verdict::DoesNotHold
    };
    let figures =
        format!("{} of the runs; second half over first on average {ratio}", percent(share));
    Some(Finding { figures, verdict })
}

fn explain_robot(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets(STUDY) {
        let (first, last) = (evidence.first(preset), evidence.last(preset));
        if let (Some(a), Some(b)) =
            (first.curve(STUDY, CASE, "g-ucb"), last.curve(STUDY, CASE, "g-ucb"))
        {
            texts.push(format!(
                "in preset {label} mean regret is {} in the first window ({} of the runs sub-linear) and {} in the last ({}), {} steps dropped on average",
                number(a.last().mean),
                percent(share(a)),
                number(b.last().mean),
                percent(share(b)),
                number(b.overshoot_mean),
            ));
        }
    }
    format!(
        "With ten nodes learning is short: most regret falls into the first few hundred steps, followed by rare, long stays on the second-best \
         node. The last window drops the former and keeps the latter, so single runs can look linear, or like a step, in it: {}. The paper's figure \
         shows realized regret, which adds the noise of rewards; here expected regret is judged.",
        texts.join("; "),
    )
}
