//! The experiments of the agents for rewards that change, read from the files under
//! `experiments/change`.

use crate::experiments::{files, read};
use graph_bandit_lab::study_file::StudyFile;

/// Path and text of the experiments: two published problems, the paper's graphs without changes, a
/// best place that moves far away, 1 to 64 changes, the family of cases used to choose the agents,
/// and the family used only to report them.
const CHANGE: [(&str, &str); 6] = files![
    "change/published",
    "change/nothing",
    "change/far-away",
    "change/number-of-changes",
    "change/choosing",
    "change/reporting",
];

/// The experiments that compare agents where rewards change.
pub fn studies() -> Vec<StudyFile> {
    CHANGE.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::tests::study_files;
    use graph_bandit_lab::campaign::{Campaign, Cell, Presets};
    use graph_bandit_lab::study_file::Case;
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    fn campaign() -> Campaign {
        crate::register().unwrap();
        Campaign::new(studies(), Presets::Own, PathBuf::new()).unwrap()
    }

    fn named(name: &str) -> StudyFile {
        studies().into_iter().find(|study| study.name == name).unwrap()
    }

    fn halves() -> [StudyFile; 2] {
        ["change-choosing", "change-reporting"].map(named)
    }

    #[test]
    fn files_are_shipped_and_can_run() {
        let studies = super::studies();
        for ((path, _), study) in CHANGE.iter().zip(&studies) {
            let name = study.name.strip_prefix("change-").unwrap();
            assert_eq!(*path, format!("experiments/change/{name}.toml"));
        }
        assert_eq!(study_files("change").len(), CHANGE.len());
        campaign();
    }

    /// The two families share no graph, no means, and no seed.
    #[test]
    fn reporting_cases_differ_from_choosing_cases() {
        let [choosing, reporting] = halves();
        assert_ne!(choosing.seed, reporting.seed);
        let of = |study: &StudyFile, of: fn(&Case) -> Option<String>| -> BTreeSet<String> {
            study.cases.iter().filter_map(of).collect()
        };
        for part in [|case: &Case| Some(case.graph.clone()), |case: &Case| case.means.clone()] {
            let both = (of(&choosing, part), of(&reporting, part));
            assert!(both.0.is_disjoint(&both.1), "{both:?}");
        }
    }

    /// Each half has all graphs, kinds of change and rivals; the reporting half also has sizes up to
    /// 1,000 and horizons up to a million.
    #[test]
    fn both_halves_are_wide() {
        let campaign = campaign();
        for half in halves() {
            for family in
                ["line", "circle", "grid", "tree", "star", "complete", "geometric", "town"]
            {
                let of_family = || half.cases.iter().filter(|case| case.graph.starts_with(family));
                for kind in [
                    "nothing on",
                    "one far away on",
                    "one far away, unannounced on",
                    "every sqrt(T) on",
                    "one node at a time on",
                    "the best place moves on",
                    "drift on",
                    "seasons on",
                ] {
                    let has = of_family().any(|case| case.title().starts_with(kind));
                    assert!(has, "{}: {kind} {family}", half.name);
                }
            }
        }
        let of_reporting =
            |entry: &graph_bandit_lab::campaign::Entry<'_>| entry.study.name == "change-reporting";
        let entries = campaign.entries();
        let cells: Vec<&Cell> = entries
            .iter()
            .filter(|entry| of_reporting(entry))
            .map(|entry| &campaign.cells[entry.cell])
            .collect();
        let steps = cells.iter().map(|cell| cell.steps);
        assert_eq!((steps.clone().min(), steps.max()), (Some(10_000), Some(1_000_000)));
        let drifts = cells.iter().filter(|cell| cell.agent.starts_with("g-drift"));
        let sizes = drifts
            .map(|cell| cell.prepare(&campaign.base, &campaign.graphs).unwrap().graph.len())
            .collect::<Vec<_>>();
        assert!(sizes.contains(&20) && sizes.contains(&1_000), "{sizes:?}");
    }

    /// On every case g-drift meets G-UCB restarted at changes, or periodically where everything
    /// changes all the time, and rivals that know the horizon and the number of changes.
    #[test]
    fn rivals_are_told_what_is_true() {
        for case in halves().iter().flat_map(|half| &half.cases) {
            let (title, steps) = (case.title(), case.steps.unwrap());
            let agents = case.agents.as_ref().unwrap();
            let with = |part: &str| agents.iter().filter(|agent| agent.contains(part)).count();
            let is_smooth = title.starts_with("drift") || title.starts_with("seasons");
            let restarted = if is_smooth { (0, 4) } else { (1, 0) };
            assert_eq!((with("restarts=oracle"), with("period=")), restarted, "{title}");
            assert_eq!((with("g-drift"), with("g-star")), (1, 1), "{title}");
            assert_eq!(with("changes="), with(&format!("horizon={steps}")), "{title}");
            let Some(changes) = changes(case, steps) else { continue };
            assert_eq!(with("changes="), with(&format!("changes={changes},")), "{title}");
            assert!(with("changes=") >= 14, "{title}");
        }
    }

    /// How many changes a case has, on average where their moments are random; at least 1, as
    /// agents count. `None` where means move all the time.
    fn changes(case: &Case, steps: u64) -> Option<u64> {
        let means = case.means.as_deref().unwrap();
        let (kind, parameters) = means.split_once(':').unwrap_or((means, ""));
        let every = || parameters.split(',').nth(2).unwrap().parse::<u64>().unwrap();
        match kind {
            "drift" | "seasons" => None,
            "redrawn" => Some(steps.div_ceil(every()) - 1),
            "one-at-a-time" | "moving-best" => Some(steps / every()),
            // Nothing changes, or one thing does.
            _ => Some(1),
        }
    }

    /// Every case of the study of 1 to 64 changes has as many as its title and `x` say.
    #[test]
    fn numbers_of_changes_are_right() {
        let study = named("change-number-of-changes");
        assert_eq!(study.cases.len(), 28);
        for case in &study.cases {
            let told = case.title().split_once(' ').unwrap().0.parse::<u64>().unwrap();
            assert_eq!(changes(case, case.steps.unwrap()), Some(told), "{}", case.title());
            assert_eq!(case.x, Some(told as f64), "{}", case.title());
        }
    }
}
