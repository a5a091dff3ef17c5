//! The experiments of the agents for rewards that change, read from the files under
//! `experiments/change`.

use crate::experiments::{files, read};
use graph_bandit_lab::study_file::StudyFile;

/// Path and text of the experiments.
const CHANGE: [(&str, &str); 1] = files!["change/published"];

/// The experiments that compare agents where rewards change.
pub fn studies() -> Vec<StudyFile> {
    CHANGE.into_iter().map(read).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit_lab::campaign::{Campaign, Presets};
    use std::fs;
    use std::path::{Path, PathBuf};

    #[test]
    fn files_are_shipped_and_can_run() {
        let studies = super::studies();
        for ((path, _), study) in CHANGE.iter().zip(&studies) {
            let name = study.name.strip_prefix("change-").unwrap();
            assert_eq!(*path, format!("experiments/change/{name}.toml"));
        }
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/change");
        assert_eq!(fs::read_dir(folder).unwrap().count(), CHANGE.len());
        Campaign::new(studies, Presets::Own, PathBuf::new()).unwrap();
    }
}
