//! The experiments on teams, read from the files under `experiments/teams`.

use crate::experiments::{files, read};
use graph_bandit_lab::study_file::StudyFile;

/// Path and text of the experiments: the sequel's two graphs, five graphs used only to report, and
/// teams of 1 to 50 walkers.
const TEAMS: [(&str, &str); 4] =
    files!["teams/figure-2", "teams/er100-5", "teams/five-graphs", "teams/number-of-walkers"];

/// The experiments that compare agents that lead teams.
pub fn studies() -> Vec<StudyFile> {
    TEAMS.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiments::tests::study_files;
    use graph_bandit_lab::campaign::{Campaign, Presets};
    use std::path::PathBuf;

    #[test]
    fn files_are_shipped_and_can_run() {
        crate::register().unwrap();
        for ((path, _), study) in TEAMS.iter().zip(&studies()) {
            let name = study.name.strip_prefix("teams-").unwrap();
            assert_eq!(*path, format!("experiments/teams/{name}.toml"));
        }
        assert_eq!(study_files("teams").len(), TEAMS.len());
        let campaign = Campaign::new(studies(), Presets::Own, PathBuf::new()).unwrap();
        assert!(campaign.cells.iter().all(|cell| cell.team.is_some()));
        assert_eq!(campaign.cells.len(), 5 + 6 + 15 * 3 + 12 * 2);
    }

    /// The best allocation of the sequel's graphs earns what the means say, and on the larger one
    /// more than its program states.
    #[test]
    fn the_stated_optimum_is_too_low() {
        crate::register().unwrap();
        let campaign = Campaign::new(studies(), Presets::Own, PathBuf::new()).unwrap();
        let optimum = |cell: usize| {
            let cell = &campaign.cells[cell];
            cell.prepare(&campaign.base, &campaign.graphs).unwrap().optimum(0).unwrap()
        };
        assert!((optimum(0) - 14.693_04).abs() < 1e-5, "{}", optimum(0));
        let too_low = 150_000.0 * (optimum(0) - crate::STATED_OPTIMUM);
        assert!((too_low - 1_905.0).abs() < 1.0, "{too_low}");
        assert!((optimum(5) - 3.676_066_691_023_33).abs() < 1e-9, "{}", optimum(5));
    }
}
