//! Results and stored runs that a power cut or a hand has damaged: `--resume` makes them again, to the same bytes.

use crate::campaign::{assert_same, contents, scratch};
use crate::program::{Answer, gbandit};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const STUDY: &str = "
name = 'damaged'
title = 'Damaged'
steps = 50
runs = 45
[[cases]]
graph = 'line:4'
";

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// What becomes of the bytes of a file; `None` if it is lost.
type Damage = fn(&[u8]) -> Option<Vec<u8>>;

/// What may happen to a file.
const DAMAGES: [Damage; 4] = [
    |_bytes| Some(Vec::new()),
    |bytes| Some(bytes[..bytes.len() / 2].to_vec()),
    |bytes| {
        let mut bytes = bytes.to_vec();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        Some(bytes)
    },
    |_bytes| None,
];

/// A study in a directory of its own.
struct Place {
    directory: PathBuf,
}

impl Place {
    fn new(name: &str, study: &str) -> Self {
        let directory = scratch(name);
        fs::write(directory.join("study.toml"), study).unwrap();
        Self { directory }
    }

    fn out(&self) -> PathBuf {
        self.directory.join("out")
    }

    fn study(&self, flags: &[&str]) -> Answer {
        let (file, out) = (self.directory.join("study.toml"), self.out());
        let args = ["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        gbandit(&[&args[..], flags].concat())
    }

    fn lay_out(&self, files: &Files) {
        let _ = fs::remove_dir_all(self.out());
        for (name, bytes) in files {
            let path = self.out().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }
    }

    /// Damages a file of a result and makes it again; returns what was said.
    fn repair(&self, whole: &Files, name: &Path, damage: usize) -> String {
        let mut files = whole.clone();
        match DAMAGES[damage](&whole[name]) {
            Some(bytes) => files.insert(name.to_owned(), bytes),
            None => files.remove(name),
        };
        self.lay_out(&files);
        let refused = self.study(&[]);
        assert_eq!(refused.code, 2, "{}, {damage}: {refused:?}", name.display());
        assert!(refused.stderr.contains("holds this result, but"), "{refused:?}");
        assert!(refused.stderr.contains("--resume makes it again"), "{refused:?}");
        assert_same(&contents(&self.out()), &files);
        let resumed = self.study(&["--resume"]);
        assert_eq!(resumed.code, 0, "{}, {damage}: {resumed:?}", name.display());
        assert!(resumed.stdout.contains("is complete"), "{resumed:?}");
        assert_same(&contents(&self.out()), whole);
        resumed.stderr
    }
}

#[test]
fn every_damaged_file_of_a_result_is_made_again() {
    // Without figures, which take long.
    let place = Place::new("damaged-files", &STUDY.replace("runs", "figures = []\nruns"));
    assert_eq!(place.study(&[]).code, 0);
    let whole = contents(&place.out());
    assert_eq!(whole.len(), 7);
    for name in whole.keys() {
        for damage in 0..DAMAGES.len() {
            let said = place.repair(&whole, name, damage);
            let is_drawn = [Path::new("index.html"), Path::new("studies/damaged.toml")];
            let remade = if is_drawn.contains(&name.as_path()) {
                "figures, page and studies are made again"
            } else {
                "all runs are made again"
            };
            assert!(said.contains(remade) && said.contains(name.to_str().unwrap()), "{said}");
        }
    }
}

#[test]
fn damaged_figures_are_drawn_again_from_their_data() {
    let place = Place::new("damaged-figures", STUDY);
    assert_eq!(place.study(&[]).code, 0);
    let whole = contents(&place.out());
    for (damage, name) in ["figures/damaged.svg", "figures/damaged.png"].into_iter().enumerate() {
        let said = place.repair(&whole, Path::new(name), damage);
        assert!(said.contains("figures, page and studies are made again"), "{said}");
    }
    let said = place.repair(&whole, Path::new("figures/damaged.json"), 2);
    assert!(said.contains("figures/damaged.json is not as it was written"), "{said}");
    assert!(said.contains("all runs are made again"), "{said}");
    // Nothing is made again where everything is as it was written.
    assert!(place.study(&["--resume"]).stdout.contains("already holds this result"));
}

#[test]
fn several_damaged_files_are_counted() {
    let place = Place::new("damaged-several", &STUDY.replace("runs", "figures = []\nruns"));
    assert_eq!(place.study(&[]).code, 0);
    for name in ["runs.parquet", "summary.json", "index.html"] {
        fs::write(place.out().join(name), "").unwrap();
    }
    let refused = place.study(&[]);
    let expected = "holds this result, but index.html has 0 bytes instead of ";
    assert!(refused.stderr.contains(expected), "{refused:?}");
    assert!(refused.stderr.contains(", and 2 other files are damaged; --resume"), "{refused:?}");
}

#[test]
fn damaged_blocks_are_made_again_and_whole_ones_kept() {
    let place = Place::new("damaged-blocks", &STUDY.replace("runs", "figures = []\nruns"));
    assert_eq!(place.study(&[]).code, 0);
    let whole = contents(&place.out());
    assert_eq!(place.study(&["--force", "--shard", "1/2"]).code, 0);
    let part = contents(&place.out());
    let blocks = || part.keys().filter(|name| name.extension() == Some("bin".as_ref()));
    assert_eq!((part.len(), blocks().count()), (4, 2));
    for name in blocks().chain([&PathBuf::from("runs/plan.json")]) {
        for damage in DAMAGES {
            let mut files = part.clone();
            match damage(&part[name]) {
                Some(bytes) => files.insert(name.clone(), bytes),
                None => files.remove(name),
            };
            place.lay_out(&files);
            let resumed = place.study(&["--resume"]);
            assert_eq!(resumed.code, 0, "{resumed:?}");
            let is_block = name.extension() == Some("bin".as_ref());
            let is_damaged = is_block && files.contains_key(name);
            let said = "1 damaged block; its runs are made again";
            assert_eq!(resumed.stderr.contains(said), is_damaged, "{resumed:?}");
            let kept = if is_block { "of 45 runs done" } else { "25 of 45 runs done" };
            assert!(resumed.stderr.contains(kept), "{resumed:?}");
            assert!(!is_block || !resumed.stderr.contains("25 of 45 runs done"), "{resumed:?}");
            assert_same(&contents(&place.out()), &whole);
        }
    }
}

#[test]
fn a_damaged_block_of_a_part_is_not_merged() {
    let place = Place::new("damaged-part", &STUDY.replace("runs", "figures = []\nruns"));
    assert_eq!(place.study(&["--shard", "1/2"]).code, 0);
    let block = place.out().join("runs/cell0000-run0000000.bin");
    fs::write(&block, DAMAGES[2](&fs::read(&block).unwrap()).unwrap()).unwrap();
    let joined = place.directory.join("joined");
    let refused =
        gbandit(&["merge", place.out().to_str().unwrap(), "--out", joined.to_str().unwrap()]);
    assert_eq!(refused.code, 1, "{refused:?}");
    assert!(refused.stderr.contains("the file is damaged; resume its study"), "{refused:?}");
}

#[test]
fn a_directory_with_nothing_but_an_unfinished_result_is_free() {
    let place = Place::new("damaged-staging", &STUDY.replace("runs", "figures = []\nruns"));
    assert_eq!(place.study(&[]).code, 0);
    let whole = contents(&place.out());
    let mut staged = whole.clone();
    staged.remove(Path::new("manifest.json"));
    let staged: Files =
        staged.into_iter().map(|(name, bytes)| (Path::new(".staging").join(name), bytes)).collect();
    place.lay_out(&staged);
    assert_eq!(place.study(&["--resume"]).code, 0);
    assert_same(&contents(&place.out()), &whole);
    // What somebody else keeps there is not ours.
    let others = Files::from([(PathBuf::from(".staging/thesis.txt"), b"precious".to_vec())]);
    place.lay_out(&others);
    let refused = place.study(&["--resume"]);
    assert_eq!(refused.code, 2, "{refused:?}");
    assert_same(&contents(&place.out()), &others);
}
