//! Studies that name agents and rewards by import path, with the test's own importer.

use crate::scratch;
use graph_bandit::{Agent, Graph, Law, Leg, Raised, Situation, Stream};
use graph_bandit_lab::campaign::{Block, Campaign, Presets, Shard, execute};
use graph_bandit_lab::imported::{ImportPath, Importer, register};
use graph_bandit_lab::output::{Mode, Start, finish, read_back, start};
use graph_bandit_lab::study_file::StudyFile;
use graph_bandit_lab::{Entrant, Jobs, LabError, NoiseSource};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const STUDY: &str = "
name = 'mine'
title = 'Mine'
steps = 40
runs = 50
checkpoints = 4
means = 'fixed:1,2,5'
noise = 'mine.laws:plain'
agents = ['mine.agents:Still: stay=3', 'mine.agents:Still:stay=5', 'oracle']
baseline = 'oracle'
[[cases]]
graph = 'line:3'
";

/// Stays where it is.
struct Still {
    stay: u64,
}

impl Agent for Still {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        leg.path.clear();
        leg.stay = self.stay;
        Ok(())
    }
}

/// How often the code behind the paths was edited.
static EDITS: AtomicU64 = AtomicU64::new(0);

struct Shelf;

impl Importer for Shelf {
    fn agent(&self, path: &ImportPath, _graph: &Arc<Graph>) -> Result<Entrant, String> {
        match (path.name.as_str(), path.parameters.as_slice()) {
            ("Still", [(key, stay)]) if key == "stay" => {
                let stay = stay.parse().map_err(|error| format!("{path}: {error}"))?;
                Ok(Entrant::own(path.to_string(), move |_, _| Ok(Box::new(Still { stay }))))
            }
            _ => Err(format!("{path} is not on the shelf")),
        }
    }

    fn rewards(&self, path: &ImportPath, _graph: &Arc<Graph>) -> Result<NoiseSource, String> {
        Ok(NoiseSource::own(&path.to_string(), |_, mean| Law::constant(mean)))
    }

    fn fingerprint(&self, path: &ImportPath) -> Result<String, String> {
        Ok(format!("{}-{}", path.name, EDITS.load(Ordering::Relaxed)))
    }
}

fn campaign(text: &str) -> Result<Campaign, LabError> {
    let study = StudyFile::parse(text, Path::new("mine.toml")).unwrap();
    Campaign::new(vec![study], Presets::Own, PathBuf::new())
}

#[test]
fn imported_code_is_run_stored_labelled_and_noticed_after_an_edit() {
    register(Box::new(Shelf));
    let mut mine = campaign(STUDY).unwrap();
    let labels: Vec<&str> = mine.cells.iter().map(|cell| cell.agent.as_str()).collect();
    assert_eq!(labels, ["mine.agents:Still:stay=3", "mine.agents:Still:stay=5", "oracle"]);
    let directory = scratch("imported");
    let Start::Run(store, _) = start(&directory, &mut mine, Mode::New).unwrap() else {
        panic!("{} is not new", directory.display())
    };
    let never = AtomicBool::new(false);
    execute(&mine, &store, Shard::ALL, Jobs::All, &(), &never).unwrap();
    assert_eq!(Block::all(&mine).len(), 3 * 3);
    finish(&directory, &mine, store, None, Jobs::All, &never).unwrap();

    let stored = read_back(&directory).unwrap();
    let of = |label: &str| stored.curves.iter().find(|curves| curves.agent == label).unwrap();
    // Node 0 pays 1 less than 5 in every step; the oracle takes two steps to node 2.
    assert_eq!(of("mine.agents:Still:stay=3").regret[..4], [40.0, 80.0, 120.0, 160.0]);
    assert_eq!(of("mine.agents:Still:stay=5").legs[3], 8.0);
    assert_eq!(of("oracle").regret[..4], [3.0; 4]);

    let mut same = campaign(STUDY).unwrap();
    assert!(matches!(start(&directory, &mut same, Mode::Resume), Ok(Start::AlreadyComplete)));
    EDITS.store(1, Ordering::Relaxed);
    let mut edited = campaign(STUDY).unwrap();
    let refused = start(&directory, &mut edited, Mode::Resume).unwrap_err().to_string();
    assert!(refused.contains("holds the result of another study"), "{refused}");
}

#[test]
fn failed_imports_are_named() {
    register(Box::new(Shelf));
    let refused =
        |from: &str, to: &str| campaign(&STUDY.replace(from, to)).unwrap_err().to_string();
    let unknown = refused("Still:stay=5", "Gone");
    assert!(unknown.contains("agents: mine.agents:Gone is not on the shelf"), "{unknown}");
    let bad = refused("Still:stay=5", "Still:stay");
    assert!(bad.contains("mine.agents:Still:stay: \"stay\" is not a parameter"), "{bad}");
    // A name of the registry is never a module.
    let registry = refused("mine.agents:Still:stay=5", "ucrl2:doubling");
    assert!(registry.contains("doubling") && !registry.contains("shelf"), "{registry}");
}
