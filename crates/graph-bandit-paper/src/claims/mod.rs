//! The ledger of claims: every empirical sentence of the paper, the test that decides it, and the
//! result of the runs in presets `paper` and `program`, windows `first` and `last`.
//!
//! All tests use the runs' own regrets at the last step. Agents are compared on the same tapes, so
//! differences are paired run by run; all intervals are individual 95% intervals. "One SD" is the
//! deviation over runs, pooled over the two agents compared, as the paper describes its bars. (The
//! bars of its figures on bound and doubling are something else: the deviation of the mean curve
//! over time.)

mod benchmarks;
mod bound;
mod check;
mod direct_sp;
mod doubling;
mod evidence;
mod head_to_head;
mod measure;
mod robot;
mod run_times;
mod sensitivity;
mod teams;
#[cfg(test)]
mod worlds;

pub use run_times::judge_run_times;

use crate::last_window::LAST;
use crate::opening;
use check::Finding;
use evidence::{Evidence, View};
use graph_bandit::Preset;
use graph_bandit_lab::Window;
use graph_bandit_lab::campaign::Results;
use graph_bandit_lab::report::{ClaimReport, Judgement, Ledger, Report, Verdict, Wording};

/// The paper's claims, for the report of a campaign.
pub const LEDGER: Ledger = Ledger {
    about,
    about_times: " Claims about run times are judged beside their figure.",
    judge,
    judge_times: judge_run_times,
    open: opening::open,
    full_runs: opening::full_runs,
};

/// What the paper's claims are, and how they are judged.
const OF_THE_PAPER: &str = "What the paper says about its experiments, and whether these runs agree: with the \
            paper's own details and with those of the authors' program, over the first T steps (honest) \
            and over the last T (what that program reports). The rows quote the paper. Every 95% interval stands alone, not \
            corrected for the number of comparisons: of twenty comparisons between equals, one is expected to \
            look like a difference.";

/// The same for the paper on teams.
const OF_THE_SEQUEL: &str = "What the paper on teams says about its experiment, in our words, and whether these runs \
    agree: over the first T steps, initialization included, with the details of its authors' program. Every 95% interval \
    stands alone, not corrected for the number of comparisons.";

fn about(report: &Report) -> &'static str {
    let quotes = |claim: &ClaimReport| claim.wording == Wording::Quoted;
    if report.claims.iter().any(quotes) { OF_THE_PAPER } else { OF_THE_SEQUEL }
}

/// The windows that claims are judged in.
const WINDOWS: [Window; 2] = [Window::FIRST, LAST];

/// A sentence of the paper and how to judge it.
struct Claim {
    id: &'static str,
    place: &'static str,
    sentence: &'static str,
    test: &'static str,
    studies: &'static [&'static str],
    judge: fn(&View<'_>) -> Option<Finding>,
    explain: fn(&Evidence<'_>) -> String,
}

impl Claim {
    /// The sequel is summed up; the paper is quoted.
    fn wording(&self) -> Wording {
        if self.id.starts_with("teams-") { Wording::InOurWords } else { Wording::Quoted }
    }

    /// `None` if the campaign lacks a study this claim needs.
    fn report(&self, results: &Results<'_>) -> Option<ClaimReport> {
        let evidence = Evidence::new(results);
        if !self.studies.iter().all(|name| evidence.has(name)) {
            return None;
        }
        let mut judgements = Vec::new();
        for preset in [Preset::Paper, Preset::Program] {
            for window in WINDOWS {
                if let Some(found) = (self.judge)(&evidence.view(preset, window)) {
                    let Finding { figures, verdict } = found;
                    judgements.push(Judgement { preset, window: Some(window), figures, verdict });
                }
            }
        }
        (!judgements.is_empty()).then(|| ClaimReport {
            id: self.id.to_owned(),
            place: self.place.to_owned(),
            sentence: self.sentence.to_owned(),
            test: self.test.to_owned(),
            studies: self.studies.iter().map(|&name| name.to_owned()).collect(),
            judgements,
            explanation: (self.explain)(&evidence),
            wording: self.wording(),
        })
    }
}

/// All claims about regret, in the paper's order.
fn claims() -> impl Iterator<Item = &'static Claim> {
    let all: [&'static [Claim]; 9] = [
        benchmarks::FRONT,
        bound::REMARK,
        benchmarks::GRID,
        robot::CLAIMS,
        benchmarks::EVERY_GRAPH,
        head_to_head::CLAIMS,
        bound::CLAIMS,
        doubling::CLAIMS,
        sensitivity::CLAIMS,
    ];
    all.into_iter().flatten().chain(direct_sp::CLAIMS)
}

/// Judges every claim whose studies are in the campaign. For the paper's own, runs must be measured
/// in both windows. At least two runs are needed: one has no spread.
pub fn judge(results: &Results<'_>) -> Vec<ClaimReport> {
    let both = WINDOWS.iter().all(|window| results.campaign.windows.contains(window));
    let of_paper = claims().filter(|_| both);
    of_paper.chain(teams::CLAIMS).filter_map(|claim| claim.report(results)).collect()
}

#[cfg(test)]
mod tests {
    use super::worlds::{self, World};
    use super::*;
    use graph_bandit_lab::campaign::Presets;
    use std::collections::BTreeSet;

    fn verdicts(world: World) -> Vec<(String, Vec<Verdict>)> {
        let campaign = worlds::campaign(12, Presets::Both, |_| true);
        let reports = judge(&worlds::results(&campaign, world));
        let of = |report: ClaimReport| {
            let verdicts = report.judgements.iter().map(|judged| judged.verdict).collect();
            (report.id, verdicts)
        };
        reports.into_iter().map(of).collect()
    }

    #[test]
    fn every_claim_holds_in_the_world_of_the_paper() {
        let verdicts = verdicts(World::AsPrinted);
        assert_eq!(verdicts.len(), claims().count());
        for (id, cells) in verdicts {
            // Only half of this claim can be measured.
            let half = id == "doubling-ensures-root";
            let expected = if half { Verdict::HoldsInPart } else { Verdict::Holds };
            assert_eq!(cells, [expected; 4], "{id}");
        }
    }

    #[test]
    fn no_claim_holds_in_the_opposite_world() {
        for (id, cells) in verdicts(World::Reversed) {
            // These claims say that growth is moderate, which a fall does not contradict.
            let moderate = ["nodes-sublinear", "nodes-flatten", "gap-stops"];
            if !moderate.contains(&id.as_str()) {
                assert_eq!(cells, [Verdict::DoesNotHold; 4], "{id}");
            }
        }
        for (id, cells) in verdicts(World::Steep) {
            if id.starts_with("nodes-") && id != "nodes-increasing" || id == "gap-stops" {
                assert_eq!(cells, [Verdict::DoesNotHold; 4], "{id}");
            }
        }
    }

    #[test]
    fn few_runs_and_missing_studies_are_accepted() {
        for runs in [1, 2, 3] {
            let campaign = worlds::campaign(runs, Presets::Own, |_| true);
            for world in [World::AsPrinted, World::Reversed, World::Steep, World::AllZero] {
                let reports = judge(&worlds::results(&campaign, world));
                assert_eq!(reports.is_empty(), runs == 1);
                assert!(reports.iter().all(|report| report.judgements.len() == 2));
            }
        }
        for kept in crate::experiments::studies() {
            let campaign = worlds::campaign(4, Presets::Both, |name| name == kept.name);
            let reports = judge(&worlds::results(&campaign, World::AsPrinted));
            assert!(reports.iter().all(|report| report.studies == [kept.name.as_str()]));
        }
    }

    #[test]
    fn one_window_is_not_enough() {
        let mut campaign = worlds::campaign(4, Presets::Both, |_| true);
        assert!(!judge(&worlds::results(&campaign, World::AsPrinted)).is_empty());
        campaign.windows.retain(|window| *window == Window::FIRST);
        assert!(judge(&worlds::results(&campaign, World::AsPrinted)).is_empty());
    }

    #[test]
    fn claims_have_unique_ids_and_name_existing_studies() {
        let ids: BTreeSet<_> = claims().map(|claim| claim.id).collect();
        assert_eq!(ids.len(), claims().count());
        let names: Vec<_> = crate::experiments::studies().into_iter().map(|s| s.name).collect();
        for claim in claims() {
            assert!(
                claim.studies.iter().all(|name| names.iter().any(|n| n == name)),
                "{}",
                claim.id
            );
        }
    }

    #[test]
    fn reports_survive_json() {
        let campaign = worlds::campaign(3, Presets::Both, |_| true);
        let reports = judge(&worlds::results(&campaign, World::AsPrinted));
        crate::register().unwrap();
        let json = serde_json::to_string(&reports).unwrap();
        assert_eq!(serde_json::from_str::<Vec<ClaimReport>>(&json).unwrap(), reports);
        assert!(json.contains(r#""verdict":"holds""#) && json.contains(r#""window":"last""#));
    }
}
