//! Windows: a study is measured in the windows it asks for. A window from another crate is one
//! entry, using only public items. `CONTRIBUTING.md` shows it.

use crate::scratch;
use graph_bandit::{Checkpoint, Preset, RunRecord};
use graph_bandit_lab::campaign::{Campaign, End, Presets, Results, Shard, Store, execute};
use graph_bandit_lab::output::{Mode, Start, finish, start};
use graph_bandit_lab::study_file::StudyFile;
use graph_bandit_lab::window::{FinishedRun, Measure, Window, WindowEntry};
use graph_bandit_lab::{Jobs, LabError};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

// [window]
static SECOND_HALF: WindowEntry = WindowEntry {
    name: "second-half",
    help: "The second half of the T steps.",
    steps: "the second half of the T steps",
    caution: None,
    measure: Measure::Afterwards(|made, _stops| Ok(second_half(made))),
};

/// The growth of regret since half of the steps.
fn second_half(made: &FinishedRun<'_>) -> RunRecord {
    let mut record = made.record.clone();
    let is_before = |point: &&Checkpoint| 2 * point.t <= made.plan.steps;
    let before = record.checkpoints.iter().rfind(is_before).map_or(0.0, |point| point.regret);
    for point in &mut record.checkpoints {
        point.regret = (point.regret - before).max(0.0);
    }
    record
}
// [window]

fn registered() -> Window {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let unknown = parse("window = 'second-half'\n").unwrap_err();
        assert!(unknown.contains("unknown variant `second-half`, expected `first`"), "{unknown}");
        Window::register(&SECOND_HALF).unwrap();
    });
    assert!(
        Window::register(&SECOND_HALF).unwrap_err().to_string().contains("\"second-half\" already")
    );
    Window::of(&SECOND_HALF)
}

fn parse(keys: &str) -> Result<StudyFile, String> {
    let text = format!(
        "name = 'mine'\ntitle = 'Mine'\nsteps = 200\nruns = 5\ncheckpoints = 4\n\
         agents = ['g-ucb', 'local-ts']\n{keys}[[cases]]\ngraph = 'line:5'\n"
    );
    StudyFile::parse(&text, Path::new("mine.toml")).map_err(|error| error.to_string())
}

fn campaign(keys: &str) -> Campaign {
    Campaign::new(vec![parse(keys).unwrap()], Presets::Own, PathBuf::new()).unwrap()
}

fn open(directory: &Path, campaign: &mut Campaign) -> Store {
    match start(directory, campaign, Mode::Resume).unwrap() {
        Start::Run(store, _) => store,
        _ => panic!("{} is not new", directory.display()),
    }
}

fn carry_out(directory: &Path, campaign: &mut Campaign) {
    let store = open(directory, campaign);
    let never = AtomicBool::new(false);
    let end = execute(campaign, &store, Shard::ALL, Jobs::All, &(), &never).unwrap();
    assert_eq!(end, End::Complete);
}

#[test]
fn a_study_stores_its_windows() {
    let second_half = registered();
    assert!(StudyFile::schema().contains("\"second-half\""));
    let sizes = |name: &str, keys: &str| {
        let (directory, mut campaign) = (scratch(name), campaign(keys));
        carry_out(&directory, &mut campaign);
        let block = directory.join("runs/cell0000-run0000000.bin");
        (campaign.windows, fs::metadata(block).unwrap().len())
    };
    // Three numbers, then four at each of four checkpoints of each window, for five runs; then a seal.
    let seal = 32;
    assert_eq!(sizes("windows-one", ""), (vec![Window::FIRST], 5 * 8 * (3 + 16) + seal));
    assert_eq!(
        sizes("windows-other", "window = 'second-half'\n"),
        (vec![second_half], 5 * 8 * (3 + 16) + seal)
    );
    let both = vec![Window::FIRST, second_half];
    let keys = "windows = ['second-half', 'first']\n";
    assert_eq!(sizes("windows-both", keys), (both, 5 * 8 * (3 + 32) + seal));
}

#[test]
fn one_run_is_measured_in_all_windows() {
    let second_half = registered();
    let directory = scratch("windows-measured");
    let mut campaign = campaign("windows = ['first', 'second-half']\n");
    carry_out(&directory, &mut campaign);
    let store = open(&directory, &mut campaign);
    let results = Results::read(&campaign, &store).unwrap();
    let study = &campaign.studies[0];
    for agent in ["g-ucb", "local-ts"] {
        let of =
            |window| results.get(study, &study.cases[0], agent, Preset::Paper, window).unwrap();
        let first = of(Window::FIRST);
        let grown = first.finals.iter().zip(&first.halfway).map(|(end, half)| end - half);
        assert_eq!(of(second_half).finals, grown.collect::<Vec<f64>>(), "{agent}");
        assert!(first.halfway.iter().any(|&half| half > 0.0), "{agent}");
    }
}

#[test]
fn a_campaign_that_asks_for_fewer_windows_continues_with_more() {
    registered();
    let directory = scratch("windows-less");
    let mut both = campaign("windows = ['first', 'second-half']\n");
    let never = AtomicBool::new(false);
    let store = open(&directory, &mut both);
    execute(&both, &store, Shard { part: 1, of: 2 }, Jobs::All, &(), &never).unwrap();
    let mut less = campaign("");
    assert_eq!(less.windows, [Window::FIRST]);
    open(&directory, &mut less);
    assert_eq!(less.windows, both.windows);
    // The same if the campaign added the windows.
    let directory = scratch("windows-added");
    let mut added = campaign("");
    added.measure_in(&[registered()]);
    carry_out(&directory, &mut added);
    let mut less = campaign("");
    assert_eq!(less.windows, [Window::FIRST]);
    let store = open(&directory, &mut less);
    assert_eq!(less.windows, added.windows);
    assert_eq!(finish(&directory, &less, store, None, Jobs::All, &never).unwrap(), End::Complete);
    assert!(matches!(
        start(&directory, &mut campaign(""), Mode::New).unwrap(),
        Start::AlreadyComplete
    ));
}

#[test]
fn a_missing_window_is_named() {
    registered();
    let directory = scratch("windows-lacking");
    carry_out(&directory, &mut campaign(""));
    let asked =
        |keys: &str| start(&directory, &mut campaign(keys), Mode::Resume).unwrap_err().to_string();
    let refused = asked("window = 'second-half'\n");
    assert!(refused.contains("not measured in window second-half"), "{refused}");
    assert!(
        asked("windows = ['first', 'second-half']\n")
            .contains("not measured in window second-half")
    );
    assert!(asked("seed = 3\nwindow = 'second-half'\n").contains("other settings"));
    let shown = Campaign::new(
        vec![parse("window = 'second-half'\nwindows = ['first']\n").unwrap()],
        Presets::Own,
        PathBuf::new(),
    );
    let shown = shown.unwrap_err().to_string();
    assert!(shown.contains("show window second-half, but runs are measured in first"), "{shown}");
}

#[test]
fn an_invalid_plan_is_refused_unless_its_runs_are_ours() {
    let directory = scratch("windows-damaged");
    carry_out(&directory, &mut campaign(""));
    for plan in ["", "[]", "3", "{}", "{\"windows\": 3}", "{\"studies\": [1]}", "no JSON"] {
        fs::write(directory.join("runs/plan.json"), plan).unwrap();
        let mut other = campaign("seed = 3\n");
        let refused = start(&directory, &mut other, Mode::Resume).unwrap_err().to_string();
        assert!(refused.contains("other settings"), "{plan}: {refused}");
        assert!(Store::campaign(&directory.join("runs")).is_err(), "{plan}");
        let resumed = start(&directory, &mut campaign(""), Mode::Resume).unwrap();
        assert!(matches!(resumed, Start::Run(_, repairs) if repairs.is_empty()), "{plan}");
        assert!(Store::campaign(&directory.join("runs")).is_ok(), "{plan}");
    }
    let runs = directory.join("runs");
    fs::remove_dir_all(&runs).unwrap();
    fs::create_dir(&runs).unwrap();
    fs::write(runs.join("plan.json"), "{\"torn").unwrap();
    assert!(start(&directory, &mut campaign(""), Mode::Resume).is_ok());
}

#[test]
fn a_campaign_stops_within_a_run() {
    registered();
    let directory = scratch("windows-stopped");
    let mut endless = parse("window = 'second-half'\n").unwrap();
    endless.steps = 1 << 40;
    let mut endless = Campaign::new(vec![endless], Presets::Own, PathBuf::new()).unwrap();
    let store = open(&directory, &mut endless);
    let stop = AtomicBool::new(false);
    let end: Result<End, LabError> = std::thread::scope(|scope| {
        let made = scope.spawn(|| execute(&endless, &store, Shard::ALL, Jobs::All, &(), &stop));
        stop.store(true, Ordering::Relaxed);
        made.join().unwrap()
    });
    assert_eq!(end, Ok(End::Interrupted));
}
