//! Campaigns: shared runs are made once; stopping, resuming and sharding change no byte.

use crate::scratch;
use graph_bandit::TapeKind;
use graph_bandit_lab::Jobs;
use graph_bandit_lab::campaign::{
    Block, Campaign, End, GraphCache, Presets, Progress, Shard, Store, StoreError, execute,
};
use graph_bandit_lab::figure_request::FigureRequest;
use graph_bandit_lab::study_file::StudyFile;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const STUDY: &str = "
name = 'one'
title = 'One'
steps = 300
runs = 45
checkpoints = 5
agents = ['g-ucb', 'local-ts']
[[cases]]
graph = 'grid:3x3'
[[cases]]
graph = 'star:6'
agents = ['g-ucb']
";

fn study(name: &str) -> StudyFile {
    let mut study = StudyFile::parse(STUDY, Path::new("one.toml")).unwrap();
    name.clone_into(&mut study.name);
    study
}

fn campaign() -> Campaign {
    Campaign::new(vec![study("one"), study("two")], Presets::Both, PathBuf::new()).unwrap()
}

/// All stored numbers, block by block.
fn contents(store: &Store, campaign: &Campaign) -> Vec<Vec<u64>> {
    let bits = |block| store.get(block).unwrap().into_iter().map(f64::to_bits).collect();
    Block::all(campaign).into_iter().map(bits).collect()
}

fn uninterrupted(campaign: &Campaign, name: &str) -> Vec<Vec<u64>> {
    let store = Store::open(&scratch(name), campaign).unwrap();
    let never = AtomicBool::new(false);
    let end = execute(campaign, &store, Shard::ALL, Jobs::All, &(), &never).unwrap();
    assert_eq!(end, End::Complete);
    contents(&store, campaign)
}

/// Stops after this many runs.
struct StopAfter<'a> {
    left: AtomicU64,
    stop: &'a AtomicBool,
}

impl Progress for StopAfter<'_> {
    fn begin(&self, _done: u64, _of: u64) {}

    fn tick(&self) {
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

#[test]
fn studies_share_common_runs() {
    let campaign = campaign();
    // Two presets of three agents on the cases; the second study needs the same runs.
    assert_eq!(campaign.cells.len(), 6);
    assert_eq!(campaign.entries().len(), 12);
    assert_eq!(Block::all(&campaign).len(), 6 * 3);
}

#[test]
fn runs_on_another_kind_of_tape_are_not_shared() {
    let mut sums = study("two");
    sums.tape = TapeKind::Sums;
    let studies = vec![study("one"), sums];
    let apart = Campaign::new(studies, Presets::Both, PathBuf::new()).unwrap();
    assert_eq!(apart.cells.len(), 2 * campaign().cells.len());
    let study = apart.cells.last().unwrap().prepare(Path::new(""), &GraphCache::default()).unwrap();
    assert_eq!(study.plan.tape, TapeKind::Sums);
}

#[test]
fn stopping_and_resuming_changes_nothing() {
    let campaign = campaign();
    let whole = uninterrupted(&campaign, "campaign-whole");
    let directory = scratch("campaign-resumed");
    let mut stops = 0;
    for round in 1.. {
        // Opened again each time, as after a crash.
        let store = Store::open(&directory, &campaign).unwrap();
        let stop = AtomicBool::new(false);
        let progress = StopAfter { left: AtomicU64::new(23 + round), stop: &stop };
        let jobs = Jobs::Exactly(1 + (round % 3) as usize);
        match execute(&campaign, &store, Shard::ALL, jobs, &progress, &stop).unwrap() {
            End::Interrupted => stops += 1,
            End::Complete => {
                assert_eq!(contents(&store, &campaign), whole);
                break;
            }
        }
    }
    assert!(stops >= 3, "{stops}");
}

#[test]
fn shards_hold_all_blocks_once() {
    let campaign = campaign();
    let whole = uninterrupted(&campaign, "campaign-unsharded");
    let joined = Store::open(&scratch("campaign-joined"), &campaign).unwrap();
    let never = AtomicBool::new(false);
    let mut blocks = 0;
    for part in 1..=8 {
        let shard = Shard { part, of: 8 };
        let store = Store::open(&scratch(&format!("campaign-part-{part}")), &campaign).unwrap();
        execute(&campaign, &store, shard, Jobs::All, &(), &never).unwrap();
        for block in Block::all(&campaign).into_iter().filter(|&block| store.has(block)) {
            assert!(!joined.has(block), "{block:?} twice");
            joined.copy(block, &store).unwrap();
            blocks += 1;
        }
    }
    assert_eq!(blocks, Block::all(&campaign).len());
    assert_eq!(contents(&joined, &campaign), whole);
}

#[test]
fn stored_runs_are_not_made_again() {
    let campaign = campaign();
    let whole = uninterrupted(&campaign, "campaign-made-once");
    let directory = scratch("campaign-half");
    let store = Store::open(&directory, &campaign).unwrap();
    let never = AtomicBool::new(false);
    let half = Shard { part: 1, of: 2 };
    execute(&campaign, &store, half, Jobs::All, &(), &never).unwrap();
    let stored: u64 = half.blocks(&campaign).iter().map(|block| block.runs).sum();
    let made = Made::default();
    execute(&campaign, &store, Shard::ALL, Jobs::All, &made, &never).unwrap();
    assert_eq!(made.before.into_inner(), stored);
    assert_eq!(made.now.into_inner(), campaign.runs() - stored);
    assert_eq!(contents(&store, &campaign), whole);
}

/// Runs that were there, and runs that were made.
#[derive(Default)]
struct Made {
    before: AtomicU64,
    now: AtomicU64,
}

impl Progress for Made {
    fn begin(&self, done: u64, _of: u64) {
        self.before.store(done, Ordering::Relaxed);
    }

    fn tick(&self) {
        self.now.fetch_add(1, Ordering::Relaxed);
    }
}

/// A seal holds for one block of one plan.
#[test]
fn blocks_of_other_places_and_plans_are_damaged() {
    let (one, whole) = (campaign(), uninterrupted(&campaign(), "campaign-sealed"));
    let mut other = study("one");
    other.seed = 1;
    let other = Campaign::new(vec![other], Presets::Both, PathBuf::new()).unwrap();
    uninterrupted(&other, "campaign-sealed-other");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let block = |of: &str, name: &str| directory.join(of).join(name);
    let (first, second) = ("cell0000-run0000000.bin", "cell0000-run0000020.bin");
    let store = Store::open(&directory.join("campaign-sealed"), &one).unwrap();
    fs::copy(block("campaign-sealed-other", first), block("campaign-sealed", first)).unwrap();
    fs::copy(block("campaign-sealed", second), block("campaign-sealed", "cell0001-run0000000.bin"))
        .unwrap();
    assert_eq!(store.remove_damaged(&one).unwrap(), 2);
    assert_eq!(store.remove_damaged(&one).unwrap(), 0);
    execute(&one, &store, Shard::ALL, Jobs::All, &(), &AtomicBool::new(false)).unwrap();
    assert_eq!(contents(&store, &one), whole);
}

#[test]
fn a_store_of_another_campaign_is_refused() {
    let directory = scratch("campaign-other");
    Store::open(&directory, &campaign()).unwrap();
    let mut other = study("one");
    other.seed = 1;
    let other = Campaign::new(vec![other], Presets::Both, PathBuf::new()).unwrap();
    assert!(matches!(Store::open(&directory, &other), Err(StoreError::OtherPlan(_))));
    let read = Store::campaign(&directory).unwrap();
    assert_eq!(read.cells, campaign().cells);
}

#[test]
fn a_store_of_another_version_is_refused() {
    let directory = scratch("campaign-versions");
    Store::open(&directory, &campaign()).unwrap();
    Store::open(&directory, &campaign()).unwrap();
    let plan = fs::read_to_string(directory.join("plan.json")).unwrap();
    let now = format!("\"version\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(plan.contains(&now), "{plan}");
    for other in ["0.0.9", "9.0.0", ""] {
        let text = plan.replace(&now, &format!("\"version\": \"{other}\""));
        fs::write(directory.join("plan.json"), &text).unwrap();
        let opened = Store::open(&directory, &campaign());
        assert!(matches!(opened, Err(StoreError::OtherPlan(_))), "{other}");
        assert_eq!(fs::read_to_string(directory.join("plan.json")).unwrap(), text);
    }
}

#[test]
fn a_damaged_block_is_noticed() {
    let campaign = campaign();
    let directory = scratch("campaign-damaged");
    let store = Store::open(&directory, &campaign).unwrap();
    let never = AtomicBool::new(false);
    execute(&campaign, &store, Shard::ALL, Jobs::All, &(), &never).unwrap();
    let block = fs::read_dir(&directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.extension().is_some_and(|extension| extension == "bin"))
        .unwrap();
    let bytes = fs::read(&block).unwrap();
    fs::write(&block, &bytes[..bytes.len() - 8]).unwrap();
    let error = graph_bandit_lab::campaign::Results::read(&campaign, &store).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[test]
fn mistakes_in_studies_are_named() {
    let refused = |change: fn(&mut StudyFile)| {
        let mut study = study("one");
        change(&mut study);
        Campaign::new(vec![study], Presets::Both, PathBuf::new()).unwrap_err().to_string()
    };
    assert!(refused(|s| s.name = "My Study".into()).contains("lower-case letters"));
    assert!(refused(|s| s.cases.clear()).contains("no cases"));
    assert!(refused(|s| s.cases[1].graph = "grid:3x3".into()).contains("titles must differ"));
    // With several cases, a mistake in one of them is named with its title.
    let unknown = "study one: there is no agent \"ucb\"";
    assert!(refused(|s| s.agents[0] = "ucb".into()).starts_with(unknown));
    let unknown = "study one: case \"star:6\": there is no agent \"ucb\"";
    assert!(refused(|s| s.cases[1].agents = Some(vec!["ucb".into()])).starts_with(unknown));
    let unknown = "study one: case \"gird:3\": graph: ";
    assert!(refused(|s| s.cases[0].graph = "gird:3".into()).starts_with(unknown));
    assert!(refused(|s| s.noise = "bernoulli".into()).contains("means from 0 to 1"));
    assert!(refused(|s| s.start = 99.into()).contains("outside the graph"));
    assert!(refused(|s| s.runs = 0).contains("0 runs"));
    let figure = |fields: serde_json::Value| {
        FigureRequest::of_fields(fields.as_object().unwrap().clone()).unwrap()
    };
    let mut bars = study("one");
    bars.figures = vec![figure(json!({"kind": "curves", "bars": ["g-ucb", "ucrl2"]}))];
    let bars = Campaign::new(vec![bars], Presets::Both, PathBuf::new()).unwrap_err();
    assert!(bars.to_string().contains("\"ucrl2\" cannot have bars"), "{bars}");
    let mut without_x = study("one");
    without_x.figures = vec![figure(json!({"kind": "final", "axis": "x"}))];
    let without_x = Campaign::new(vec![without_x], Presets::Both, PathBuf::new()).unwrap_err();
    assert!(without_x.to_string().contains("which has no x"), "{without_x}");
    let mut unknown = study("one");
    unknown.figures = vec![figure(json!({"kind": "final", "axis": "x", "agents": ["ucrl2"]}))];
    unknown.cases.iter_mut().for_each(|case| case.x = Some(1.0));
    let unknown = Campaign::new(vec![unknown], Presets::Both, PathBuf::new()).unwrap_err();
    assert!(unknown.to_string().contains("\"ucrl2\" cannot be shown"), "{unknown}");
    assert!(refused(|s| s.runs = u64::MAX).contains("too many"));
    assert!(refused(|s| s.checkpoints = 0).contains("checkpoints: 0"));
    assert!(refused(|s| s.agents.clear()).contains("no agents"));
    assert!(refused(|s| s.agents.push("g-ucb".into())).contains("g-ucb twice"));
}
