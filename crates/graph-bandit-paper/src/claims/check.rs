//! Single checks and the verdict they add up to.

use super::Verdict;
use super::measure::{Estimate, Gap};

/// One cell of the ledger.
#[derive(Debug)]
pub(super) struct Finding {
    pub(super) figures: String,
    pub(super) verdict: Verdict,
}

/// The result of one comparison, seen from the claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Outcome {
    /// The whole interval agrees.
    Yes,
    /// The claim says two things are close: the estimate agrees, the interval is too wide to tell.
    Leans,
    /// The claim says two things differ: the interval is too wide to tell, so it is not shown.
    Open,
    /// The whole interval contradicts.
    No,
}

/// One of the comparisons of a claim.
#[derive(Debug)]
pub(super) struct Check {
    outcome: Outcome,
    text: String,
}

impl Check {
    /// A comparison without an interval.
    pub(super) fn plain(passed: bool, text: String) -> Self {
        Self { outcome: if passed { Outcome::Yes } else { Outcome::No }, text }
    }

    /// Whether a number is below a limit.
    pub(super) fn below(number: Estimate, limit: f64, text: String) -> Self {
        let outcome = if number.is_below(limit) {
            Outcome::Yes
        } else if number.low() < limit {
            Outcome::Open
        } else {
            Outcome::No
        };
        Self { outcome, text }
    }

    /// Whether a number is above a limit.
    pub(super) fn above(number: Estimate, limit: f64, text: String) -> Self {
        let mirrored = Estimate { value: -number.value, half: number.half };
        Self::below(mirrored, -limit, text)
    }

    /// Whether a number is at most `limit` away from zero.
    pub(super) fn within(number: Estimate, limit: f64, text: String) -> Self {
        let outcome = if number.is_below(limit) && number.is_above(-limit) {
            Outcome::Yes
        } else if number.value.abs() < limit {
            Outcome::Leans
        } else if number.low() < limit && number.high() > -limit {
            Outcome::Open
        } else {
            Outcome::No
        };
        Self { outcome, text }
    }

    /// Whether the first agent of a gap has less regret.
    pub(super) fn less(name: &str, gap: &Gap) -> Self {
        Self::below(gap.difference, 0.0, format!("{name} {}", gap.text()))
    }

    /// Whether the first agent of a gap has more regret.
    pub(super) fn more(name: &str, gap: &Gap) -> Self {
        Self::above(gap.difference, 0.0, format!("{name} {}", gap.text()))
    }

    pub(super) fn passed(&self) -> bool {
        self.outcome == Outcome::Yes
    }

    /// Makes a passed check fail for a reason other than its interval.
    #[must_use]
    pub(super) fn only_if(mut self, also: bool) -> Self {
        if !also {
            self.outcome = Outcome::No;
        }
        self
    }
}

/// Up to this many comparisons are all written out.
const FEW: usize = 7;

/// Holds if all checks passed; does not hold if some contradict and none supports the claim. If
/// every check is open, the claim holds in part.
pub(super) fn verdict(checks: &[Check]) -> Verdict {
    let speaks_for = |check: &Check| matches!(check.outcome, Outcome::Yes | Outcome::Leans);
    let contradicts = |check: &Check| check.outcome == Outcome::No;
    if checks.iter().all(Check::passed) {
        Verdict::Holds
    } else if checks.iter().any(contradicts) && !checks.iter().any(speaks_for) {
        Verdict::DoesNotHold
    } else {
        Verdict::HoldsInPart
    }
}

/// The verdict, and figures that show which comparisons hold, which are open, and which do not
/// hold.
pub(super) fn tally(checks: &[Check]) -> Finding {
    let texts = |wanted: &[Outcome]| -> String {
        let of = checks.iter().filter(|check| wanted.contains(&check.outcome));
        of.map(|check| check.text.as_str()).collect::<Vec<_>>().join("; ")
    };
    let passed = checks.iter().filter(|check| check.passed()).count();
    let mut parts = Vec::new();
    if passed < checks.len() || checks.len() > FEW {
        parts.push(format!("{passed} of {}", checks.len()));
    }
    let yes = if checks.len() > FEW { String::new() } else { texts(&[Outcome::Yes]) };
    let labelled = [
        ("", yes),
        ("open: ", texts(&[Outcome::Leans, Outcome::Open])),
        ("not: ", texts(&[Outcome::No])),
    ];
    for (label, texts) in labelled {
        if !texts.is_empty() {
            parts.push(format!("{label}{texts}"));
        }
    }
    Finding { figures: parts.join("; "), verdict: verdict(checks) }
}

#[cfg(test)]
mod tests {
    use super::Outcome::{Leans, No, Open, Yes};
    use super::*;

    fn estimate(value: f64, half: f64) -> Estimate {
        Estimate { value, half }
    }

    #[test]
    fn intervals_decide() {
        let below = |value, half| Check::below(estimate(value, half), 0.0, String::new()).outcome;
        assert_eq!(below(-2.0, 1.0), Outcome::Yes);
        assert_eq!(below(-2.0, 3.0), Outcome::Open);
        assert_eq!(below(2.0, 3.0), Outcome::Open);
        assert_eq!(below(2.0, 1.0), Outcome::No);
        // Exactly equal in every run is not less.
        assert_eq!(below(0.0, 0.0), Outcome::No);
        let above = |value, half| Check::above(estimate(value, half), 1.0, String::new()).outcome;
        assert_eq!((above(3.0, 1.0), above(1.0, 0.0)), (Outcome::Yes, Outcome::No));
        let within = |value, half| Check::within(estimate(value, half), 1.0, String::new()).outcome;
        assert_eq!(within(0.5, 0.4), Outcome::Yes);
        assert_eq!(within(-0.5, 0.6), Outcome::Leans);
        assert_eq!(within(-1.5, 0.6), Outcome::Open);
        assert_eq!(within(-1.5, 0.4), Outcome::No);
    }

    #[test]
    fn verdicts_by_hand() {
        let checks = |outcomes: &[Outcome]| -> Vec<Check> {
            let check = |(i, &outcome): (usize, &Outcome)| Check { outcome, text: format!("c{i}") };
            outcomes.iter().enumerate().map(check).collect()
        };
        let judged = |outcomes: &[Outcome]| {
            let found = tally(&checks(outcomes));
            (found.verdict, found.figures)
        };
        assert_eq!(judged(&[Yes, Yes]), (Verdict::Holds, "c0; c1".to_owned()));
        let part = (Verdict::HoldsInPart, "1 of 3; c0; open: c1; not: c2".to_owned());
        assert_eq!(judged(&[Yes, Open, No]), part);
        assert_eq!(judged(&[Leans, No]).0, Verdict::HoldsInPart);
        assert_eq!(judged(&[Open, No]).0, Verdict::DoesNotHold);
        assert_eq!(judged(&[Yes; 8]), (Verdict::Holds, "8 of 8".to_owned()));
        assert_eq!(judged(&[Yes, Yes, Yes, Yes, Yes, Yes, Yes, No]).1, "7 of 8; not: c7");
    }
}
