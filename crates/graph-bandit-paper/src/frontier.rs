//! The experiments of the agents that go beyond the paper, read from the files under
//! `experiments/frontier`.

use crate::experiments::{files, read};
use graph_bandit_lab::study_file::StudyFile;

/// Path and text of the frontier's experiments: the paper's graphs, the value of each part of the
/// agent and of a known horizon on them, the family of cases used to choose the agents, and the
/// family used only to report them; then the agents with a guarantee, the agent that is told
/// the horizon, and `g-star` with its parameters, on the same cases. These are files of their own,
/// so that "the best agent" of the others stays what it was.
const FRONTIER: [(&str, &str); 13] = files![
    "frontier/seven-graphs",
    "frontier/variants",
    "frontier/known-horizon",
    "frontier/choosing",
    "frontier/reporting",
    "frontier/guarantee",
    "frontier/guarantee-choosing",
    "frontier/guarantee-reporting",
    "frontier/horizon",
    "frontier/horizon-choosing",
    "frontier/horizon-reporting",
    "frontier/parameters-choosing",
    "frontier/parameters-reporting",
];

/// The experiments that compare the frontier agents with the paper's.
pub fn studies() -> Vec<StudyFile> {
    FRONTIER.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::tests::study_files;
    use graph_bandit::Preset;
    use graph_bandit_lab::campaign::{Campaign, Cell, Presets};
    use graph_bandit_lab::study_file::Case;
    use std::collections::BTreeSet;
    use std::path::PathBuf;

    #[test]
    fn frontier_files_are_shipped_and_can_run() {
        let studies = super::studies();
        for ((path, _), study) in FRONTIER.iter().zip(&studies) {
            let name = study.name.strip_prefix("frontier-").unwrap();
            assert_eq!(*path, format!("experiments/frontier/{name}.toml"));
        }
        assert_eq!(study_files("frontier").len(), FRONTIER.len());
        let campaign = Campaign::new(studies, Presets::Own, PathBuf::new()).unwrap();
        assert!(campaign.cells.iter().all(|cell| cell.preset == Preset::Paper));
    }

    /// The studies that `reproduce` leaves out, since they take long.
    #[test]
    fn studies_on_demand_can_run() {
        let files = study_files("frontier/on-demand");
        assert_eq!(files.len(), 3);
        let studies = files.iter().map(|path| StudyFile::read(path).unwrap()).collect();
        Campaign::new(studies, Presets::Own, PathBuf::new()).unwrap();
    }

    /// Every declared horizon equals the real one, on every graph.
    #[test]
    fn known_horizons_are_right() {
        let studies = super::studies().into_iter();
        let studies = studies.filter(|study| study.name.contains("horizon")).collect();
        let campaign = Campaign::new(studies, Presets::Own, PathBuf::new()).unwrap();
        let mut told = 0;
        for cell in campaign.cells.iter().filter(|cell| cell.agent.contains("horizon=")) {
            let study = cell.prepare(&campaign.base, &campaign.graphs).unwrap();
            let init = study.run_once(&study.agents[0], 0).unwrap().init;
            let horizon = format!("horizon={}.0", init.steps + cell.steps);
            assert!(cell.agent.contains(&horizon), "{} on {}: {horizon}", cell.agent, cell.graph);
            told += 1;
        }
        // g-horizon comes with three values of `steady`.
        assert_eq!(told, 7 + 3 * (8 + 63 + 54));
    }

    /// The two families share no graph with the same means and noise, and no seed.
    #[test]
    fn reporting_cases_differ_from_choosing_cases() {
        let [_, _, _, choosing, reporting, ..] = &studies()[..] else { panic!("two halves") };
        assert_ne!(choosing.seed, reporting.seed);
        let of = |study: &StudyFile, of: fn(&Case) -> Option<String>| -> BTreeSet<String> {
            study.cases.iter().filter_map(of).collect()
        };
        let (choosing_graphs, graphs) = (
            of(choosing, |case| Some(case.graph.clone())),
            of(reporting, |case| Some(case.graph.clone())),
        );
        assert!(choosing_graphs.is_disjoint(&graphs), "{graphs:?}");
        let pair = |case: &Case| Some(format!("{:?} {:?}", case.means, case.noise));
        let both: Vec<String> =
            of(choosing, pair).intersection(&of(reporting, pair)).cloned().collect();
        // The one shared law: it has no parameter and covers all mean rewards.
        assert_eq!(both, ["Some(\"uniform:0,1\") Some(\"bernoulli\")"]);
        assert!((30..=70).contains(&reporting.cases.len()) && choosing.cases.len() >= 30);
    }

    /// The agents with a guarantee or a horizon meet the cases, runs and luck of the others; only
    /// g-horizon meets the reporting half with a seed of its own.
    #[test]
    fn later_agents_are_measured_on_the_same_cases() {
        let studies = studies();
        for (of, copy) in [(0, 5), (3, 6), (4, 7), (0, 8), (3, 9), (4, 10), (3, 11), (4, 12)] {
            let (of, copy) = (&studies[of], &studies[copy]);
            let has_own_seed = copy.name == "frontier-horizon-reporting";
            assert_eq!(of.seed != copy.seed, has_own_seed, "{}", copy.name);
            assert_eq!(of.cases.len(), copy.cases.len());
            for (a, b) in of.cases.iter().zip(&copy.cases) {
                assert_eq!((&a.graph, &a.means, &a.noise), (&b.graph, &b.means, &b.noise));
                assert_eq!((a.steps, a.runs), (b.steps, b.runs));
            }
        }
    }

    /// Each half of the wide family has sizes from about 10 to about 1,000, and all shapes, kinds
    /// of rewards and horizons.
    #[test]
    fn both_halves_are_wide() {
        let campaign = Campaign::new(studies(), Presets::Own, PathBuf::new()).unwrap();
        for study in &campaign.studies[3..5] {
            let cells: Vec<&Cell> = campaign
                .entries()
                .into_iter()
                .filter(|entry| entry.study.name == study.name)
                .map(|entry| &campaign.cells[entry.cell])
                .collect();
            let has = |wanted: &str, text: fn(&Cell) -> &str| {
                assert!(cells.iter().any(|cell| text(cell).contains(wanted)), "{wanted}");
            };
            for family in [
                "line",
                "circle",
                "grid",
                "tree",
                "star",
                "complete",
                "barbell",
                "geometric",
                "small-world",
            ] {
                has(family, |cell| &cell.graph);
            }
            for noise in ["bernoulli", "beta", "gaussian", "uniform", "|", "best="] {
                has(noise, |cell| &cell.noise);
            }
            let steps = cells.iter().map(|cell| cell.steps);
            assert_eq!((steps.clone().min(), steps.max()), (Some(1_000), Some(1_000_000)));
            let size =
                |cell: &&Cell| cell.prepare(&campaign.base, &campaign.graphs).unwrap().graph.len();
            let sizes: Vec<usize> = cells.iter().map(size).collect();
            assert!(sizes.iter().min().unwrap() <= &12 && sizes.iter().max().unwrap() >= &700);
        }
    }
}
