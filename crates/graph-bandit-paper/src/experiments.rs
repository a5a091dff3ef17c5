//! The paper's experiments, read from the files under `experiments/`.

use graph_bandit_lab::study_file::StudyFile;
use std::path::Path;

/// Path and text of files under `experiments/`.
macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("experiments/", $name, ".toml"),
            include_str!(concat!("../experiments/", $name, ".toml")),
        )),*]
    };
}

pub(crate) use files;

/// Path and text of every experiment: the paper's in its order, then those that explain their
/// outcome, and one of this program's own agent.
const FILES: [(&str, &str); 15] = files![
    "grid-benchmarks",
    "robot",
    "graph-types",
    "all-agents",
    "g-ucb-vs-ucrl2",
    "run-times",
    "effect-of-bound",
    "effect-of-doubling",
    "nodes",
    "diameter",
    "gap",
    "direct-sp",
    "sweep-cap",
    "reward-range",
    "g-star",
];

/// All experiments of the paper in its order, then the additional ones.
pub fn studies() -> Vec<StudyFile> {
    FILES.into_iter().map(read).collect()
}

/// # Panics
/// Never: the files are part of the program, and a test reads them all.
pub(crate) fn read((path, text): (&str, &str)) -> StudyFile {
    StudyFile::parse(text, Path::new(path)).expect("shipped experiments are valid")
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use graph_bandit::Preset;
    use graph_bandit_lab::campaign::{Campaign, Cell, Presets};
    use std::fs;
    use std::path::PathBuf;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments")
    }

    /// The study files in a folder under `experiments/`; measurements lie beside them.
    pub(crate) fn study_files(part: &str) -> Vec<PathBuf> {
        let files = fs::read_dir(folder().join(part)).unwrap().map(|file| file.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|ending| ending == "toml")).collect()
    }

    fn campaign() -> Campaign {
        Campaign::new(studies(), Presets::Both, PathBuf::new()).unwrap()
    }

    #[test]
    fn every_file_is_shipped_and_named_after_its_study() {
        let names: Vec<String> = studies().into_iter().map(|study| study.name).collect();
        for ((path, _), name) in FILES.iter().zip(&names) {
            assert_eq!(*path, format!("experiments/{name}.toml"));
        }
        assert_eq!(study_files("").len(), FILES.len(), "a file under experiments/ is not shipped");
    }

    #[test]
    fn settings_match_the_paper() {
        for study in studies() {
            assert_eq!(study.runs, 100, "{}", study.name);
            let is_short = ["nodes", "diameter", "gap"].contains(&study.name.as_str());
            assert_eq!(study.steps, if is_short { 1_000 } else { 20_000 }, "{}", study.name);
            if !study.cases.is_empty() {
                assert_eq!(study.checkpoints, 40, "{}", study.name);
            }
        }
    }

    #[test]
    fn studies_share_their_runs() {
        let campaign = campaign();
        let cells = |preset| -> Vec<&Cell> {
            campaign.cells.iter().filter(|cell| cell.preset == preset).collect()
        };
        let (paper, program) = (cells(Preset::Paper), cells(Preset::Program));
        // Five graphs with g-ucb, ucrl2, both ablations, direct-sp, two local agents and two
        // Q-learners; the complete graph with all but direct-sp and the Q-learners; six stars, 13
        // brooms, seven gaps, the robot; two UCRL2 with the other cap; six agents on two graphs
        // with rewards in [0, 1]; and g-star on seven graphs.
        assert_eq!(paper.len(), 5 * 9 + 6 + 6 + 13 + 7 + 1 + 2 + 12 + 7);
        // The program runs g-ucb and ucrl2 on the complete graph with two kinds of means.
        assert_eq!(program.len(), paper.len() + 2);
        let entries = campaign.entries().len();
        assert!(entries > campaign.cells.len(), "{entries} entries share nothing");
    }

    #[test]
    fn only_preset_program_has_the_programs_means() {
        let campaign = campaign();
        let means = |preset, graph: &str| -> Vec<&str> {
            let of = campaign.cells.iter().filter(|c| c.preset == preset && c.graph == graph);
            of.map(|cell| cell.means.as_str()).collect()
        };
        assert!(means(Preset::Paper, "complete:100").iter().all(|m| *m == "uniform:0.5,1.5"));
        assert!(means(Preset::Program, "complete:100").contains(&"uniform:0.5,9.5"));
        assert!(means(Preset::Paper, "line:10").contains(&"fixed:9.5,0,0,0,0,0,0,0,0,9.3"));
        assert!(means(Preset::Program, "line:10").contains(&"fixed:9.25,0,0,0,0,0,0,0,0,9.5"));
        assert!(means(Preset::Program, "line:10").contains(&"fixed:9.225,0,0,0,0,0,0,0,0,9.5"));
    }

    #[test]
    fn the_shipped_schema_matches_the_code() {
        crate::register().unwrap();
        let shipped = fs::read_to_string(folder().join("schema.json")).unwrap();
        assert_eq!(shipped, StudyFile::schema(), "write StudyFile::schema() to schema.json");
    }
}
