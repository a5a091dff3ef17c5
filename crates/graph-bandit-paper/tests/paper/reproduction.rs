//! The paper's own campaign, made small: every study, figure and claim, twice, to the same bytes.

use graph_bandit_lab::Jobs;
use graph_bandit_lab::campaign::{Campaign, End, Presets, Shard, execute};
use graph_bandit_lab::output::{Mode, Start, finish, start};
use graph_bandit_paper::{LAST, LEDGER, experiments};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// All experiments with two short runs of each agent: two, so that every claim is judged.
fn small() -> Campaign {
    let mut studies = experiments::studies();
    for study in &mut studies {
        study.runs = 2;
        study.steps = 120;
        study.checkpoints = 6;
    }
    graph_bandit_paper::register().unwrap();
    let mut campaign = Campaign::new(studies, Presets::Both, PathBuf::new()).unwrap();
    campaign.measure_in(&[LAST]);
    campaign
}

fn reproduce(directory: &Path, jobs: usize) {
    let mut campaign = small();
    let Start::Run(store, _) = start(directory, &mut campaign, Mode::New).unwrap() else {
        panic!("{} is not new", directory.display())
    };
    let never = AtomicBool::new(false);
    let jobs = Jobs::Exactly(jobs);
    let end = execute(&campaign, &store, Shard::ALL, jobs, &(), &never).unwrap();
    assert_eq!(end, End::Complete);
    let asked = AtomicBool::new(true);
    let end = finish(directory, &campaign, store.clone(), Some(&LEDGER), jobs, &asked).unwrap();
    assert_eq!(end, End::Interrupted);
    assert!(!directory.join("index.html").exists());
    assert_eq!(
        finish(directory, &campaign, store, Some(&LEDGER), jobs, &never).unwrap(),
        End::Complete
    );
}

/// Every file with its bytes, without measured parts.
fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(directory).unwrap().to_owned();
            let is_measured = name.file_stem() == Some("run-times".as_ref())
                && name.extension() != Some("toml".as_ref())
                || name == Path::new("timings.json");
            let bytes = fs::read(&path).unwrap();
            match name.to_str() {
                _ if is_measured => found.insert(name, Vec::new()),
                Some("index.html") => found.insert(name, without_measured(&bytes)),
                Some("manifest.json") => found.insert(name, without_files(&bytes)),
                _ => found.insert(name, bytes),
            };
        }
    }
    found
}

/// Checksums of measured files differ, and those of others show nothing that their bytes do not.
fn without_files(manifest: &[u8]) -> Vec<u8> {
    let mut manifest: serde_json::Value = serde_json::from_slice(manifest).unwrap();
    assert!(manifest["files"].as_object().unwrap().contains_key("index.html"));
    manifest.as_object_mut().unwrap().remove("files");
    manifest.to_string().into_bytes()
}

fn without_measured(page: &[u8]) -> Vec<u8> {
    let page = std::str::from_utf8(page).unwrap();
    let (before, rest) = page.split_once("<!-- measured -->").unwrap();
    let (_, after) = rest.split_once("<!-- /measured -->").unwrap();
    assert!(!after.contains("<!-- measured -->"));
    format!("{before}{after}").into_bytes()
}

#[test]
fn neither_threads_nor_place_change_a_byte() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("reproduction");
    let _ = fs::remove_dir_all(&root);
    let (one, three) = (root.join("one"), root.join("deeper/down/three"));
    reproduce(&one, 1);
    reproduce(&three, 3);
    let (one, three) = (contents(&one), contents(&three));
    assert_eq!(one.keys().collect::<Vec<_>>(), three.keys().collect::<Vec<_>>());
    for (name, bytes) in &one {
        assert!(bytes == &three[name], "{} differs", name.display());
    }
    // Nothing reveals where it was made.
    let root = root.to_str().unwrap().as_bytes();
    let tells = |bytes: &[u8]| bytes.windows(root.len()).any(|part| part == root);
    assert!(!one.values().any(|bytes| tells(bytes)));
    for name in ["summary.json", "curves.parquet", "figures/nodes-2.svg", "studies/robot.toml"] {
        assert!(!one[Path::new(name)].is_empty(), "{name}");
    }
    let summary: serde_json::Value =
        serde_json::from_slice(&one[Path::new("summary.json")]).unwrap();
    let claims = summary["claims"].as_array().unwrap();
    assert!(claims.len() > 30, "{}", claims.len());
    for claim in claims {
        assert_eq!(claim["judgements"].as_array().unwrap().len(), 4, "{}", claim["id"]);
    }
}
