//! `study`, `merge` and `plot` in result directories: interrupted, sharded, refused and redrawn,
//! always with the same bytes.

use crate::program::gbandit;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// About four hundred blocks of work: enough to be interrupted anywhere.
const STUDY: &str = "
name = 'small'
title = 'A small study'
steps = 2000
runs = 800
checkpoints = 10
agents = ['g-ucb', 'ucrl2', 'local-ts', 'ql-eps']
[[cases]]
graph = 'grid:5x5'
title = 'Grid'
[[cases]]
graph = 'star:20'
title = 'Star'
[[figures]]
kind = 'curves'
bars = ['g-ucb']
[[figures]]
kind = 'traces'
[[figures]]
kind = 'networks'
";

const TINY: &str = "
name = 'tiny'
title = 'Tiny'
steps = 50
runs = 3
[[cases]]
graph = 'line:4'
";

/// An empty directory of that name.
pub(crate) fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn study_file(directory: &Path) -> PathBuf {
    let file = directory.join("small.toml");
    fs::write(&file, STUDY).unwrap();
    file
}

fn start(file: &Path, out: &Path, flags: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_gbandit"))
        .arg("study")
        .arg(file)
        .arg("--out")
        .arg(out)
        .args(flags)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Every file of a directory with its bytes.
pub(crate) fn contents(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![directory.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(directory).unwrap().to_owned();
                found.insert(name, fs::read(&path).unwrap());
            }
        }
    }
    found
}

fn blocks(out: &Path) -> usize {
    let files = fs::read_dir(out.join("runs")).into_iter().flatten();
    files
        .filter(|file| file.as_ref().is_ok_and(|f| f.path().extension() == Some("bin".as_ref())))
        .count()
}

/// The result that all others must equal, byte by byte.
fn uninterrupted(directory: &Path, file: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let out = directory.join("whole");
    assert!(start(file, &out, &[]).wait().unwrap().success());
    contents(&out)
}

pub(crate) fn assert_same(found: &BTreeMap<PathBuf, Vec<u8>>, whole: &BTreeMap<PathBuf, Vec<u8>>) {
    assert_eq!(found.keys().collect::<Vec<_>>(), whole.keys().collect::<Vec<_>>());
    for (name, bytes) in found {
        assert!(bytes == &whole[name], "{} differs", name.display());
    }
}

#[test]
fn killed_ten_times_and_resumed_it_ends_with_the_same_bytes() {
    let directory = scratch("campaign-killed");
    let file = study_file(&directory);
    let whole = uninterrupted(&directory, &file);
    assert!(whole.contains_key(Path::new("manifest.json")));
    let out = directory.join("killed");
    let all = 8 * 40;
    let mut kills = 0;
    for round in 1..=10 {
        let flags: &[&str] = if round == 1 { &[] } else { &["--resume"] };
        let mut child = start(&file, &out, flags);
        // The last kill hits the making of tables and figures, the others fall between blocks.
        let reached = || {
            if round == 10 {
                out.join(".staging").exists()
            } else {
                blocks(&out) >= all * round / 11
            }
        };
        while !reached() && child.try_wait().unwrap().is_none() {
            std::thread::yield_now();
        }
        child.kill().unwrap();
        if !child.wait().unwrap().success() {
            kills += 1;
            assert!(!out.join("manifest.json").exists());
        }
    }
    assert!(kills >= 9, "only {kills} kills came in time");
    assert!(start(&file, &out, &["--resume"]).wait().unwrap().success());
    assert_same(&contents(&out), &whole);
}

#[test]
fn eight_parts_merged_are_the_same_bytes() {
    let directory = scratch("campaign-sharded");
    let file = study_file(&directory);
    let whole = uninterrupted(&directory, &file);
    let parts: Vec<PathBuf> = (1..=8).map(|k| directory.join(format!("part{k}"))).collect();
    for (k, part) in (1..).zip(&parts) {
        let shard = format!("{k}/8");
        assert!(start(&file, part, &["--shard", &shard]).wait().unwrap().success());
        assert!(!part.join("manifest.json").exists());
    }
    let out = directory.join("joined");
    let merge = |parts: &[PathBuf]| {
        let mut args = vec!["merge".to_owned(), "--out".to_owned(), out.display().to_string()];
        args.extend(parts.iter().map(|part| part.display().to_string()));
        gbandit(&args)
    };
    let missing = merge(&parts[1..]);
    assert_eq!(missing.code, 1);
    assert!(missing.stderr.contains("blocks of runs are missing from the parts"), "{missing:?}");
    assert_eq!(merge(&parts).code, 0);
    assert_same(&contents(&out), &whole);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_a_checkpoint_and_reports_it() {
    let directory = scratch("campaign-interrupted");
    let file = study_file(&directory);
    let out = directory.join("out");
    let mut child = start(&file, &out, &[]);
    while blocks(&out) < 20 {
        assert!(child.try_wait().unwrap().is_none(), "it ended before it could be interrupted");
        std::thread::yield_now();
    }
    let interrupt = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let before = blocks(&out);
    assert!((20..320).contains(&before), "{before}");
    assert!(start(&file, &out, &["--resume"]).wait().unwrap().success());
    assert_same(&contents(&out), &uninterrupted(&directory, &file));
}

#[test]
fn directories_are_respected() {
    let directory = scratch("campaign-directories");
    let file = directory.join("tiny.toml");
    fs::write(&file, TINY).unwrap();
    let out = directory.join("out");
    let study = |flags: &[&str]| {
        let mut args = vec!["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
        args.extend(flags);
        gbandit(&args)
    };
    assert_eq!(study(&[]).code, 0);
    let first = contents(&out);
    let again = study(&[]);
    assert_eq!(again.code, 0);
    assert!(again.stdout.contains("already holds this result"), "{again:?}");
    let other = study(&["--seed", "1"]);
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("another study, other settings"), "{other:?}");
    assert_same(&contents(&out), &first);
    assert_eq!(study(&["--seed", "1", "--force"]).code, 0);
    assert_ne!(contents(&out), first);
    let foreign = directory.join("foreign");
    fs::create_dir(&foreign).unwrap();
    fs::write(foreign.join("thesis.txt"), "precious").unwrap();
    for flags in [&[][..], &["--force"], &["--resume"]] {
        let mut args = vec!["study", file.to_str().unwrap(), "--out", foreign.to_str().unwrap()];
        args.extend(flags);
        let refused = gbandit(&args);
        assert_eq!(refused.code, 2, "{refused:?}");
        assert!(refused.stderr.contains("is not empty"), "{refused:?}");
    }
    assert_eq!(fs::read_to_string(foreign.join("thesis.txt")).unwrap(), "precious");
    let window = study(&["--seed", "1", "--window", "last"]);
    assert_eq!(window.code, 2, "figures of the other window are not this result: {window:?}");
    let unwritable = file.join("below-a-file");
    let args = ["study", file.to_str().unwrap(), "--out", unwritable.to_str().unwrap()];
    assert_eq!(gbandit(&args).code, 1);
}

#[test]
fn files_of_others_with_our_names_are_left_alone() {
    let directory = scratch("campaign-names");
    let file = directory.join("tiny.toml");
    fs::write(&file, TINY).unwrap();
    let out = directory.join("project");
    fs::create_dir_all(out.join("runs")).unwrap();
    fs::create_dir_all(out.join("figures")).unwrap();
    fs::write(out.join("figures/mine.svg"), "precious").unwrap();
    let refused = |what: &str| {
        let before = contents(&out);
        for flags in [&[][..], &["--force"], &["--resume"]] {
            let mut args = vec!["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()];
            args.extend(flags);
            let refused = gbandit(&args);
            assert_eq!(refused.code, 2, "{what}: {refused:?}");
            assert!(refused.stderr.contains("is not empty"), "{what}: {refused:?}");
            assert_same(&contents(&out), &before);
        }
    };
    refused("an empty runs");
    fs::write(out.join("runs/events.out"), "precious").unwrap();
    refused("runs of another program");
    fs::write(out.join("manifest.json"), "{\"name\": \"an app\"}").unwrap();
    refused("a manifest of another kind");
}

#[test]
fn python_code_is_named_with_the_way_to_run_it() {
    let directory = scratch("python-code");
    let study = |keys: &str| {
        let (file, out) = (directory.join("mine.toml"), directory.join("out"));
        let text = format!("name = 'mine'\ntitle = 'Mine'\n{keys}[[cases]]\ngraph = 'line:4'\n");
        fs::write(&file, text).unwrap();
        let answer = gbandit(&["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()]);
        assert!(!out.exists());
        (file, answer)
    };
    for (key, path, text) in [
        (
            "agents",
            "mine.agents:Lazy:rate=0.5",
            "agents = ['g-ucb', 'mine.agents:Lazy: rate=0.5']\n",
        ),
        ("noise", "mine.laws:draw", "noise = 'mine.laws:draw'\n"),
    ] {
        let (file, answer) = study(text);
        assert_eq!(answer.code, 3, "{answer:?}");
        let expected = format!(
            "{}: {key}: {path} is Python code, which gbandit alone cannot import; run the study from \
             Python, with graph_bandit.run_study(FILE)",
            file.display()
        );
        assert!(answer.stderr.contains(&expected), "{answer:?}");
    }
}

#[test]
fn a_changed_input_is_another_study() {
    let directory = scratch("campaign-inputs");
    let file = directory.join("tiny.toml");
    fs::write(&file, TINY.replace("line:4", "roads.csv") + "means = 'file:means.csv'\n").unwrap();
    let roads = |text: &str| fs::write(directory.join("roads.csv"), text).unwrap();
    let means = |text: &str| fs::write(directory.join("means.csv"), text).unwrap();
    let out = directory.join("out");
    let code = || {
        gbandit(&["study", file.to_str().unwrap(), "--out", out.to_str().unwrap(), "--resume"]).code
    };
    roads("source,target\n0,1\n1,2\n");
    means("1,2,3\n");
    assert_eq!((code(), code()), (0, 0));
    means("1,2,4\n");
    assert_eq!(code(), 2);
    means("1,2,3\n");
    assert_eq!(code(), 0);
    roads("source,target\n0,1\n0,2\n");
    assert_eq!(code(), 2);
}

#[test]
fn progress_need_not_be_read() {
    let directory = scratch("campaign-unread");
    let file = directory.join("tiny.toml");
    fs::write(&file, TINY).unwrap();
    let mut child = Command::new(env!("CARGO_BIN_EXE_gbandit"))
        .args(["study", file.to_str().unwrap(), "--out"])
        .arg(directory.join("out"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn plot_draws_the_same_again() {
    let directory = scratch("campaign-plot");
    let file = directory.join("tiny.toml");
    fs::write(&file, TINY).unwrap();
    let out = directory.join("out");
    assert!(start(&file, &out, &[]).wait().unwrap().success());
    let first = contents(&out);
    for drawn in ["index.html", "figures/tiny.svg", "figures/tiny.png"] {
        fs::write(out.join(drawn), "lost").unwrap();
    }
    assert_eq!(gbandit(&["plot", out.to_str().unwrap()]).code, 0);
    assert_same(&contents(&out), &first);
    assert_eq!(gbandit(&["plot", directory.to_str().unwrap()]).code, 1);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_half_written() {
    let directory = scratch("campaign-full");
    let file = study_file(&directory);
    let out = directory.join("out");
    // No file may grow beyond a kilobyte: writing fails as on a full disk.
    let script = format!(
        "ulimit -f 1; trap '' XFSZ; exec '{}' study '{}' --out '{}'",
        env!("CARGO_BIN_EXE_gbandit"),
        file.display(),
        out.display()
    );
    let full = Command::new("bash").args(["-c", &script]).output().unwrap();
    assert_eq!(full.status.code(), Some(1), "{full:?}");
    let message = String::from_utf8_lossy(&full.stderr);
    assert!(message.contains("runs/"), "{message}");
    assert!(!contents(&out).keys().any(|name| name.extension() == Some("part".as_ref())));
    assert!(start(&file, &out, &["--resume"]).wait().unwrap().success());
    assert_same(&contents(&out), &uninterrupted(&directory, &file));
}

#[test]
fn wrong_studies_are_errors_of_their_file() {
    let directory = scratch("campaign-wrong");
    let file = directory.join("wrong.toml");
    let study = |text: &str| {
        fs::write(&file, text).unwrap();
        let out = directory.join("never");
        gbandit(&["study", file.to_str().unwrap(), "--out", out.to_str().unwrap()])
    };
    let key = study("name = 'a'\ntitle = 'A'\nstepz = 3\n[[cases]]\ngraph = 'line:3'\n");
    assert_eq!(key.code, 3);
    assert!(key.stderr.contains("wrong.toml:3:") && key.stderr.contains("`steps`"), "{key:?}");
    let agent = study("name = 'a'\ntitle = 'A'\nagents = ['ucb']\n[[cases]]\ngraph = 'line:3'\n");
    assert_eq!(agent.code, 3);
    assert!(agent.stderr.contains("there is no agent"), "{agent:?}");
    assert_eq!(gbandit(&["study", "no-such-study.toml"]).code, 3);
    assert_eq!(gbandit(&["reproduce", "--only", "no-such"]).code, 2);
    assert_eq!(gbandit(&["reproduce", "--shard", "9/8"]).code, 2);
    let endless =
        study("name = 'a'\ntitle = 'A'\nruns = 9000000000000000000\n[[cases]]\ngraph = 'line:3'\n");
    assert_eq!(endless.code, 3, "{endless:?}");
    assert!(!directory.join("never").exists());
}
