//! Dependence on the number of nodes, the diameter and the gap: Appendix F-E.

use super::check::{Check, Finding, tally};
use super::evidence::{Evidence, View};
use super::measure::{Estimate, Fit, Gap, exponent, fit, slope};
use super::{Claim, Verdict};
use crate::text::{number, percent, signed};
use graph_bandit_lab::campaign::CurveStats;

/// "Flattens": the local exponent is at most this share of the previous one.
const FLAT: f64 = 0.5;
/// "Linear": the line explains at least this share of the variance.
const FITS: f64 = 0.95;
/// "Linear": no point is further from the line than this share of its rise.
const OFF: f64 = 0.1;
/// "Proportional to the square root": an exponent between these.
const ROOT: [f64; 2] = [0.4, 0.6];
/// The diameters left out of the fit: 2, 42 and 50, which the authors' program leaves out of the
/// figure, and 46, which is close to the number of nodes and belongs to the next claim.
const NOT_FITTED: [f64; 4] = [2.0, 42.0, 46.0, 50.0];

pub(super) const CLAIMS: &[Claim] = &[
    Claim {
        id: "nodes-increasing",
        place: "Appendix F-E",
        sentence: "[...] shows an increasing trend of regret as |S| increases.",
        test: "From each number of nodes to the next, regret at t = 1000 rises: the 95% interval of the paired difference is above zero.",
        studies: &["nodes"],
        judge: |view| rises(&view.along("nodes")?, "S"),
        explain: explain_nodes,
    },
    Claim {
        id: "nodes-sublinear",
        place: "Appendix F-E",
        sentence: "With the total time fixed, we can see regret is indeed sublinear in |S| [...]",
        test: "The exponent b of regret = a S^b, by least squares on logarithms, has its 95% interval below one.",
        studies: &["nodes"],
        judge: |view| {
            let power = exponent(&view.along("nodes")?);
            let text = format!("exponent {power}");
            Some(tally(&[Check::below(power, 1.0, text)]))
        },
        explain: explain_nodes,
    },
    Claim {
        id: "nodes-root",
        place: "Appendix F-E",
        sentence: "[...] which agrees with the bound in Theorem 1 that is proportional to √|S|.",
        test: "The exponent b of regret = a S^b, by least squares on logarithms, lies between 0.4 and 0.6 with its whole 95% interval, that is, \
               proportional to the root. If it is only below one, which Theorem 1 also allows because its second term is linear in S, the claim holds in part.",
        studies: &["nodes"],
        judge: judge_root,
        explain: explain_nodes,
    },
    Claim {
        id: "nodes-flatten",
        place: "Appendix F-E",
        sentence: "In particular, the regret at time T flattens when |S| is approximately T.",
        test: "The exponent between the two largest stars, 501 and 1001 nodes, is at most half the exponent over all smaller ones, with \
               its whole 95% interval. If it is lower but not by half, the claim holds in part.",
        studies: &["nodes"],
        judge: judge_flatten,
        explain: explain_nodes,
    },
    Claim {
        id: "diameter-linear",
        place: "Appendix F-E",
        sentence: "[...] overall the regret grows linearly in D, which agrees with the regret bound in Theorem 1.",
        test: "For D up to 38 in the figure (the next sentence is about D close to S = 50), a line through mean regret at t = 1000 rises (95% interval), explains at least 95% of the \
               variance, and leaves no point further off than a tenth of its rise. A rise without such a fit holds in part.",
        studies: &["diameter"],
        judge: judge_linear,
        explain: explain_diameter,
    },
    Claim {
        id: "diameter-stops",
        place: "Appendix F-E",
        sentence: "The regret stops growing when D is very close to |S|, as the graph has almost become a line graph.",
        test: "From D = 46 to D = 50 regret does not rise (95% interval of the paired difference not above zero), and \
               rises less than four units of the line fitted up to 38 (interval below). With the second part alone the claim holds in part.",
        studies: &["diameter"],
        judge: judge_stops,
        explain: explain_diameter,
    },
    Claim {
        id: "gap-increasing",
        place: "Appendix F-E",
        sentence: "We can see that the regret increases as Δ decreases, which agrees with the 1/Δ dependence in our instance-dependent bound in \
                   Theorem 2.",
        test: "From the gap labelled 0.5 to 0.3, to 0.2, to 0.1, regret at t = 1000 rises: the 95% interval of the paired difference is above zero.",
        studies: &["gap"],
        judge: |view| rises(view.along("gap")?.get(..4)?, "gap"),
        explain: explain_gap,
    },
    Claim {
        id: "gap-stops",
        place: "Appendix F-E",
        sentence: "But interestingly, the regret stops increasing as Δ becomes less than 0.1 [...]",
        test: "From the gap 0.1 to 0.01, to 0.001, to 0.0001, regret at t = 1000 does not rise: the 95% interval of the paired difference is \
               not above zero.",
        studies: &["gap"],
        judge: judge_gap_stops,
        explain: explain_gap,
    },
];

/// The difference from one case to the next.
fn step(from: &CurveStats, to: &CurveStats) -> Estimate {
    Gap::between(to, from).difference
}

fn rises(along: &[(f64, &CurveStats)], axis: &str) -> Option<Finding> {
    let (first, _) = along.first()?;
    let mut checks = Vec::new();
    for pair in along.windows(2) {
        let [(_, from), (x, to)] = pair else { continue };
        let step = step(from, to);
        let text = format!("to {x} {} ({})", number(to.last().mean), step.signed());
        checks.push(Check::above(step, 0.0, text));
    }
    let mut found = tally(&checks);
    found.figures =
        format!("{axis} {first}: {}; {}", number(along[0].1.last().mean), found.figures);
    Some(found)
}

fn judge_root(view: &View<'_>) -> Option<Finding> {
    let power = exponent(&view.along("nodes")?);
    let [low, high] = ROOT;
    let verdict = match (power.is_above(low), power.is_below(high)) {
        (true, true) => Verdict::Holds,
        _ if power.is_above(0.0) && power.is_below(1.0) => Verdict::HoldsInPart,
        _ => Verdict::DoesNotHold,
    };
    Some(Finding { figures: format!("exponent {power}"), verdict })
}

/// The exponent up to the second-largest star, and the exponent between the last two.
fn exponents(view: &View<'_>) -> Option<(Estimate, Estimate)> {
    let along = view.along("nodes")?;
    let split = along.len().checked_sub(2).filter(|&split| split > 0)?;
    Some((exponent(&along[..=split]), exponent(&along[split..])))
}

fn judge_flatten(view: &View<'_>) -> Option<Finding> {
    let (before, last) = exponents(view)?;
    let verdict = if last.is_below(FLAT * before.value) {
        Verdict::Holds
    } else if last.is_below(before.value) {
        Verdict::HoldsInPart
    } else {
        Verdict::DoesNotHold
    };
    let figures =
        format!("exponent {before} up to 501 nodes, {} from there to 1001", last.signed());
    Some(Finding { figures, verdict })
}

fn fitted<'a>(along: &[(f64, &'a CurveStats)]) -> Vec<(f64, &'a CurveStats)> {
    along.iter().copied().filter(|(x, _)| !NOT_FITTED.contains(x)).collect()
}

fn judge_linear(view: &View<'_>) -> Option<Finding> {
    let along = view.along("diameter")?;
    let fitted = fitted(&along);
    let (rise, line) = (slope(&fitted), fit(&fitted));
    let fits = line.r_squared >= FITS && line.worst <= OFF;
    let verdict = match (rise.is_above(0.0), fits) {
        (true, true) => Verdict::Holds,
        (true, false) => Verdict::HoldsInPart,
        _ => Verdict::DoesNotHold,
    };
    let with_46: Vec<_> = along.iter().copied().filter(|(x, _)| (6.0..=46.0).contains(x)).collect();
    let text =
        |fit: Fit| format!("R² {:.3}, furthest point off by {}", fit.r_squared, percent(fit.worst));
    let figures = format!(
        "{} per unit of D, {} of the rise; from 6 to 46 {}",
        rise.signed(),
        text(line),
        text(fit(&with_46)),
    );
    Some(Finding { figures, verdict })
}

fn judge_stops(view: &View<'_>) -> Option<Finding> {
    let along = view.along("diameter")?;
    let at = |d: f64| along.iter().find(|(x, _)| *x == d).map(|(_, curve)| *curve);
    let (near, end) = (at(46.0)?, at(50.0)?);
    let step = step(near, end);
    let expected = 4.0 * slope(&fitted(&along)).value;
    let verdict = match (step.is_above(0.0), step.is_below(expected)) {
        (false, true) => Verdict::Holds,
        (true, true) => Verdict::HoldsInPart,
        _ => Verdict::DoesNotHold,
    };
    let figures = format!(
        "{} at 46, {} at 50 ({}); the line would add {}",
        number(near.last().mean),
        number(end.last().mean),
        step.signed(),
        number(expected),
    );
    Some(Finding { figures, verdict })
}

fn judge_gap_stops(view: &View<'_>) -> Option<Finding> {
    let along = view.along("gap")?;
    let small = along.get(3..)?;
    let mut checks = Vec::new();
    for pair in small.windows(2) {
        let [(_, from), (x, to)] = pair else { continue };
        let step = step(from, to);
        let text = format!("to {x} {} ({})", number(to.last().mean), step.signed());
        checks.push(Check::plain(!step.is_above(0.0), text));
    }
    let mut found = tally(&checks);
    found.figures = format!("0.1: {}; {}", number(small.first()?.1.last().mean), found.figures);
    Some(found)
}

fn explain_nodes(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets("nodes") {
        for (view, window) in [(evidence.first(preset), "first"), (evidence.last(preset), "last")] {
            if let (Some(along), Some((before, last))) = (view.along("nodes"), exponents(&view)) {
                texts.push(format!(
                    "{label}/{window} {} over all, {} up to 501 nodes, {} beyond",
                    number(exponent(&along).value),
                    number(before.value),
                    signed(last.value),
                ));
            }
        }
    }
    format!(
        "Exponents of regret in the number of nodes: {}. Theorem 1 has two terms, sqrt(S T log T) and D S log T. With T = 1000 the second, linear in S, is \
         no smaller than the first, so it allows an exponent between one half and one. Initialization visits every leaf once and takes 2 S - 2 steps that do \
         not count: on the largest stars more than the 1,000 that do. Seeing a leaf again costs two steps, so with as many leaves as \
         steps an agent sees only some hundreds again within T, and more leaves change little. That is why the curve flattens. The last window \
         drops most steps on small stars, where legs are long, and so steepens the curve.",
        texts.join("; "),
    )
}

fn explain_diameter(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets("diameter") {
        for (view, window) in [(evidence.first(preset), "first"), (evidence.last(preset), "last")] {
            if let Some(along) = view.along("diameter") {
                let means: Vec<String> = along
                    .iter()
                    .map(|(x, curve)| format!("{x}: {}", number(curve.last().mean)))
                    .collect();
                texts.push(format!("{label}/{window} {}", means.join(", ")));
            }
        }
    }
    format!(
        "Regret at t = 1000 by D: {}. The agent starts at the far end of the handle, and a longer handle adds walking. With 1,000 steps on \
         graphs up to 49 across, legs are mostly walks, and fewer of them fit into T as they get longer. That bends the curve towards large D until it is level \
         from D = 46 on, so a line that includes 46 fits less well (see the figures). The paper's figure leaves out D = 2, 42 and 50, and its last graph, labelled 50, is a line of diameter 49.",
        texts.join("; "),
    )
}

fn explain_gap(evidence: &Evidence<'_>) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets("gap") {
        for (view, window) in [(evidence.first(preset), "first"), (evidence.last(preset), "last")] {
            if let Some(along) = view.along("gap") {
                let mean =
                    |(x, curve): &(f64, &CurveStats)| format!("{x}: {}", number(curve.last().mean));
                let means: Vec<String> = along.iter().map(mean).collect();
                texts.push(format!("{label}/{window} {}", means.join(", ")));
            }
        }
    }
    let mut dropped = Vec::new();
    for (preset, label) in evidence.presets("gap") {
        if let Some(along) = evidence.last(preset).along("gap") {
            let steps =
                |(x, curve): &(f64, &CurveStats)| format!("{x}: {}", number(curve.overshoot_mean));
            let steps: Vec<String> = along.iter().map(steps).collect();
            dropped.push(format!("{label} {}", steps.join(", ")));
        }
    }
    format!(
        "Regret at t = 1000 by the label of the gap: {}. Only the two ends of the line pay, so nearly all regret comes from walking between them past \
         eight nodes that pay nothing, and the gap decides how often the agent still changes ends. After 500 visits to an end its radius, sqrt(2 ln t / n), is still \
         0.17: within 1,000 steps gaps of 0.1 and less look the same, so regret stops rising. The last window does not measure this: it \
         drops whole walks, and how many depends on where the last doubling happens to end. Steps dropped on average: {}. The \
         authors' program has the better end where the agent does not start, and ran the labels 0.3 and 0.2 at 0.275 and 0.25.",
        texts.join("; "),
        dropped.join("; "),
    )
}
