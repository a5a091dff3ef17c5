//! Run times: Remark 1, Appendix F-B.

use super::{ClaimReport, Judgement, Verdict};
use crate::text::number;
use graph_bandit::Preset;
use graph_bandit_lab::statistics::median;
use graph_bandit_lab::timing::TimedCell;
use std::ops::RangeInclusive;

const STUDY: &str = "run-times";
/// The range that the paper gives.
const PUBLISHED: RangeInclusive<f64> = 1.68..=11.88;

/// UCRL2's median time over G-UCB's on one case, with an interval.
struct Ratio<'a> {
    case: &'a str,
    value: f64,
    low: f64,
    high: f64,
}

/// Judges the claims on run times from measured times; `None` if there are none.
///
/// The times are those of this machine and this program, so they are judged once per preset; the
/// window does not matter.
pub fn judge_run_times(timings: &[TimedCell]) -> Option<ClaimReport> {
    let presets = [Preset::Paper, Preset::Program];
    let judgements: Vec<Judgement> =
        presets.into_iter().filter_map(|preset| judge_preset(timings, preset)).collect();
    (!judgements.is_empty()).then(|| ClaimReport {
        id: "run-times".to_owned(),
        place: "Appendix F-B (and Remark 1: \"1.6--11 times faster\")".to_owned(),
        sentence: "The results show the running time of G-UCB is consistently lower than UCRL2 over different graphs. The median \
                   run times per simulation of UCRL2 range from 1.68 to 11.88 times the median run time of G-UCB on all graphs."
            .to_owned(),
        test: "On each graph UCRL2's median time per run exceeds G-UCB's (interval of the ratio above one, from the 95% order-statistic intervals of \
               both medians), and all ratios of medians lie in the published range, 1.68 to 11.88. With the first part alone the claim holds in part."
            .to_owned(),
        studies: vec![STUDY.to_owned()],
        explanation: explain(timings),
            wording: graph_bandit_lab::report::Wording::Quoted,
        judgements,
    })
}

fn judge_preset(timings: &[TimedCell], preset: Preset) -> Option<Judgement> {
    let ratios = ratios(timings, preset);
    if ratios.is_empty() {
        return None;
    }
    let slower = ratios.iter().filter(|ratio| ratio.low > 1.0).count();
    let in_range = ratios.iter().all(|ratio| PUBLISHED.contains(&ratio.value));
    let verdict = match slower {
        0 => Verdict::DoesNotHold,
        all if all == ratios.len() && in_range => Verdict::Holds,
        _ => Verdict::HoldsInPart,
    };
    let texts = ratios.iter().map(|ratio| {
        let Ratio { case, value, low, high } = ratio;
        let [value, low, high] = [value, low, high].map(|&ratio| number(ratio));
        format!("{} {value} ({low} to {high})", case.to_lowercase())
    });
    let figures = texts.collect::<Vec<_>>().join("; ");
    Some(Judgement { preset, window: None, figures, verdict })
}

fn ratios(timings: &[TimedCell], preset: Preset) -> Vec<Ratio<'_>> {
    let of = |case: &str, agent: &str| {
        timings.iter().find(|timed| {
            timed.study == STUDY
                && timed.preset == preset
                && timed.case == case
                && timed.agent == agent
                && !timed.seconds.is_empty()
        })
    };
    let ratio = |theirs: &'_ TimedCell| -> Option<(f64, f64, f64)> {
        let ours = of(&theirs.case, "g-ucb")?;
        let (low, high) = median_interval(&theirs.seconds);
        let (our_low, our_high) = median_interval(&ours.seconds);
        Some((theirs.median() / ours.median(), low / our_high, high / our_low))
    };
    let slow = timings.iter().filter(|timed| {
        timed.study == STUDY
            && timed.preset == preset
            && timed.agent == "ucrl2"
            && !timed.seconds.is_empty()
    });
    slow.filter_map(|timed| {
        let (value, low, high) = ratio(timed)?;
        value.is_finite().then_some(Ratio { case: &timed.case, value, low, high })
    })
    .collect()
}

/// A 95% interval of the median by order statistics, without an assumption on the distribution of
/// times: from rank `n/2 - 0.98 sqrt n` to rank `1 + n/2 + 0.98 sqrt n`. With few numbers it spans
/// all of them.
fn median_interval(numbers: &[f64]) -> (f64, f64) {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let half = 0.98 * n.sqrt();
    let low = (0.5 * n - half).floor().max(1.0) as usize;
    let high = (1.0 + 0.5 * n + half).ceil().min(n) as usize;
    (sorted[low - 1], sorted[high - 1])
}

fn explain(timings: &[TimedCell]) -> String {
    let mut texts = Vec::new();
    for (preset, label) in [(Preset::Paper, "paper"), (Preset::Program, "program")] {
        for agent in ["g-ucb", "ucrl2"] {
            let of = timings.iter().filter(|timed| {
                timed.study == STUDY && timed.preset == preset && timed.agent == agent
            });
            let medians: Vec<f64> = of.map(TimedCell::median).collect();
            if !medians.is_empty() {
                texts.push(format!("{label} {agent} {:.2} ms", 1e3 * median(medians)));
            }
        }
    }
    format!(
        "Medians over the graphs: {}. Program and machine differ from the paper's, so only the order can be checked; the numbers show how much planning weighs here. \
         Both agents share everything but the planner's work per leg and the number of legs. In preset program value iteration stops after floor(sqrt(t)) + 1 \
         sweeps. In preset paper it continues until its tolerance is met, which takes far more sweeps on long graphs, so its ratio depends on how cheap a sweep \
         is.",
        texts.join(", "),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timed(case: &str, agent: &str, seconds: &[f64]) -> TimedCell {
        TimedCell {
            study: STUDY.to_owned(),
            case: case.to_owned(),
            agent: agent.to_owned(),
            preset: Preset::Paper,
            seconds: seconds.to_vec(),
        }
    }

    fn verdict(slow: &[(&str, f64)]) -> Verdict {
        let mut timings = Vec::new();
        for (case, seconds) in slow {
            timings.push(timed(case, "g-ucb", &[1.0; 9]));
            timings.push(timed(case, "ucrl2", &[*seconds; 9]));
        }
        judge_run_times(&timings).unwrap().judgements[0].verdict
    }

    #[test]
    fn verdicts_go_either_way() {
        assert_eq!(verdict(&[("Line", 11.0), ("Grid", 1.7)]), Verdict::Holds);
        assert_eq!(verdict(&[("Line", 50.0), ("Grid", 1.7)]), Verdict::HoldsInPart);
        assert_eq!(verdict(&[("Line", 50.0), ("Grid", 0.9)]), Verdict::HoldsInPart);
        assert_eq!(verdict(&[("Line", 0.5), ("Grid", 0.9)]), Verdict::DoesNotHold);
    }

    #[test]
    fn without_measurements_there_is_no_verdict() {
        assert_eq!(judge_run_times(&[]), None);
        assert_eq!(judge_run_times(&[timed("Line", "ucrl2", &[1.0])]), None);
        assert_eq!(
            judge_run_times(&[timed("Line", "ucrl2", &[]), timed("Line", "g-ucb", &[])]),
            None
        );
        let one = [timed("Line", "ucrl2", &[3.0]), timed("Line", "g-ucb", &[1.0])];
        let report = judge_run_times(&one).unwrap();
        assert_eq!(report.judgements[0].window, None);
        assert_eq!(report.judgements[0].figures, "line 3.00 (3.00 to 3.00)");
    }

    #[test]
    fn interval_of_the_median_by_hand() {
        let numbers: Vec<f64> = (1..=100).map(f64::from).collect();
        // Ranks 50 - 9.8 and 51 + 9.8, outward.
        assert_eq!(median_interval(&numbers), (40.0, 61.0));
        assert_eq!(median_interval(&[2.0, 1.0]), (1.0, 2.0));
    }
}
