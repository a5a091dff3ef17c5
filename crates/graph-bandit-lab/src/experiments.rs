//! The experiments that are shipped, as the files under `experiments/` say them: the paper's, and
//! those of the frontier agents.

use crate::study_file::StudyFile;
use std::path::Path;

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$((
            concat!("experiments/", $name, ".toml"),
            include_str!(concat!("../../../experiments/", $name, ".toml")),
        )),*]
    };
}

/// Path and text of every experiment: the paper's in its order, then what explains their outcome.
const FILES: [(&str, &str); 14] = files![
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
];

/// Path and text of the frontier's experiments: the paper's graphs, what each part and what a known
/// horizon is worth on them, then the family of cases that the agents were chosen on and the one that they were not.
const FRONTIER: [(&str, &str); 5] = files![
    "frontier/seven-graphs",
    "frontier/variants",
    "frontier/known-horizon",
    "frontier/choosing",
    "frontier/reporting",
];

/// All experiments of the paper in its order, and the one that explains a difference.
pub fn paper() -> Vec<StudyFile> {
    FILES.into_iter().map(read).collect()
}

/// The experiments that compare the frontier agents with the paper's.
pub fn frontier() -> Vec<StudyFile> {
    FRONTIER.into_iter().map(read).collect()
}

/// # Panics
/// Never: the files are part of the program, and a test reads them all.
fn read((path, text): (&str, &str)) -> StudyFile {
    StudyFile::parse(text, Path::new(path)).expect("experiments that are shipped are right")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::campaign::{Campaign, Cell, Presets};
    use crate::study_file::Case;
    use graph_bandit::Preset;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::PathBuf;

    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments")
    }

    fn campaign() -> Campaign {
        Campaign::new(paper(), Presets::Both, PathBuf::new()).unwrap()
    }

    #[test]
    fn every_file_is_shipped_and_named_after_its_study() {
        let names: Vec<String> = paper().into_iter().map(|study| study.name).collect();
        for ((path, _), name) in FILES.iter().zip(&names) {
            assert_eq!(*path, format!("experiments/{name}.toml"));
        }
        let on_disk = fs::read_dir(folder()).unwrap().map(|file| file.unwrap().file_name());
        let tomls = on_disk.filter(|file| file.to_string_lossy().ends_with(".toml")).count();
        assert_eq!(tomls, FILES.len(), "a file under experiments/ is not shipped");
    }

    #[test]
    fn settings_are_the_paper_s() {
        for study in paper() {
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
        // brooms, seven gaps, the robot; two UCRL2 with the other cap; and six agents on two graphs
        // with rewards in [0, 1].
        assert_eq!(paper.len(), 5 * 9 + 6 + 6 + 13 + 7 + 1 + 2 + 12);
        // The program has g-ucb and ucrl2 on the complete graph with two kinds of means.
        assert_eq!(program.len(), paper.len() + 2);
        let entries = campaign.entries().len();
        assert!(entries > campaign.cells.len(), "{entries} entries share nothing");
    }

    #[test]
    fn the_program_s_other_means_are_its_own() {
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
    fn the_frontier_s_files_are_shipped_and_can_be_carried_out() {
        let studies = frontier();
        for ((path, _), study) in FRONTIER.iter().zip(&studies) {
            let name = study.name.strip_prefix("frontier-").unwrap();
            assert_eq!(*path, format!("experiments/frontier/{name}.toml"));
        }
        assert_eq!(fs::read_dir(folder().join("frontier")).unwrap().count(), FRONTIER.len());
        let campaign = Campaign::new(studies, Presets::Own, PathBuf::new()).unwrap();
        assert!(campaign.cells.iter().all(|cell| cell.preset == Preset::Paper));
    }

    /// The horizon that is told is the one there is, on every graph.
    #[test]
    fn known_horizons_are_right() {
        let studies = vec![frontier().swap_remove(2)];
        let campaign = Campaign::new(studies, Presets::Own, PathBuf::new()).unwrap();
        let mut told = 0;
        for cell in campaign.cells.iter().filter(|cell| cell.agent.contains("horizon=")) {
            let study = cell.prepare(&campaign.base, &campaign.graphs).unwrap();
            let init = study.run_once(&study.agents[0], 0).unwrap().init;
            let horizon = format!("g-star:horizon={}.0", init.steps + cell.steps);
            assert_eq!(cell.agent, horizon, "{}", cell.graph);
            told += 1;
        }
        assert_eq!(told, 7);
    }

    /// Another graph, other means or noise; none of one half is in the other, nor is its luck.
    #[test]
    fn what_agents_are_reported_on_is_not_what_they_were_chosen_on() {
        let [_, _, _, choosing, reporting] = frontier().try_into().unwrap();
        assert_ne!(choosing.seed, reporting.seed);
        let of = |study: &StudyFile, of: fn(&Case) -> Option<String>| -> BTreeSet<String> {
            study.cases.iter().filter_map(of).collect()
        };
        let (choosing_graphs, graphs) = (
            of(&choosing, |case| Some(case.graph.clone())),
            of(&reporting, |case| Some(case.graph.clone())),
        );
        assert!(choosing_graphs.is_disjoint(&graphs), "{graphs:?}");
        let pair = |case: &Case| Some(format!("{:?} {:?}", case.means, case.noise));
        let both: Vec<String> =
            of(&choosing, pair).intersection(&of(&reporting, pair)).cloned().collect();
        // Every mean reward there can be, of the one law that has no parameter.
        assert_eq!(both, ["Some(\"uniform:0,1\") Some(\"bernoulli\")"]);
        assert!((30..=70).contains(&reporting.cases.len()) && choosing.cases.len() >= 30);
    }

    /// What the wide family is to hold: sizes from about 10 to about 1,000, all shapes, kinds of
    /// rewards and horizons, in either half.
    #[test]
    fn both_halves_are_wide() {
        let campaign = Campaign::new(frontier(), Presets::Own, PathBuf::new()).unwrap();
        for study in &campaign.studies[3..] {
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

    #[test]
    fn the_shipped_schema_is_that_of_the_code() {
        let shipped = fs::read_to_string(folder().join("schema.json")).unwrap();
        assert_eq!(shipped, StudyFile::schema(), "write StudyFile::schema() to schema.json");
    }
}
