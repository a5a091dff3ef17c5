//! `gbandit run --trajectories`: the file, and what is refused.

use crate::program::{gbandit, words};
use std::fs;
use std::path::PathBuf;

fn place(name: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("trajectories");
    fs::create_dir_all(&directory).unwrap();
    directory.join(name)
}

fn run(line: &str, file: &PathBuf) -> (i32, String) {
    let _ = fs::remove_file(file);
    let mut args: Vec<&str> = [vec!["run"], words(line), vec!["--json", "--trajectories"]].concat();
    args.push(file.to_str().unwrap());
    let answer = gbandit(&args);
    (answer.code, answer.stderr)
}

#[test]
fn the_same_bytes_for_any_number_of_threads_and_others_for_another_seed() {
    let line = "--graph grid:3x3 --agents g-ucb,local-ts --steps 80 --runs 5";
    let files = ["one", "three", "other"].map(|name| place(&format!("{name}.parquet")));
    let flags = ["--jobs 1", "--jobs 3", "--seed 1"];
    for (file, flag) in files.iter().zip(flags) {
        let (code, stderr) = run(&format!("{line} {flag}"), file);
        assert_eq!(code, 0, "{stderr}");
    }
    let [one, three, other] = files.map(|file| fs::read(file).unwrap());
    assert!(one.starts_with(b"PAR1") && one.ends_with(b"PAR1"));
    assert_eq!(one, three);
    assert_ne!(one, other);
}

#[test]
fn files_too_large_or_not_writable_are_refused_and_leave_nothing() {
    let file = place("refused.parquet");
    let refused = |line: &str, message: &str, wanted: i32| {
        let (code, stderr) = run(line, &file);
        assert_eq!(code, wanted, "{line}: {stderr}");
        assert!(stderr.contains(message), "{line}: {stderr}");
        assert!(!file.exists());
    };
    let graph = "--graph line:4";
    refused(
        &format!("{graph} --runs 1 --steps 30000000"),
        "30000000 visits per run are too many",
        2,
    );
    refused(
        &format!("{graph} --runs 1 --steps 3000000 --walkers 10"),
        "30000000 visits per run are too many",
        2,
    );
    refused(&format!("{graph} --runs 1000 --steps 3000000"), "3000000000 visits are too many", 2);
    let sums =
        format!("{graph} --runs 1 --steps 10 --tape sums --noise bernoulli --means uniform:0,1");
    refused(&sums, "one-by-one", 2);
    let (code, stderr) =
        run(&format!("{graph} --runs 1 --steps 10"), &place("nowhere").join("a.parquet"));
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("a.parquet"), "{stderr}");
}

#[test]
fn names_that_promise_another_format_are_refused_before_any_run() {
    for name in ["visits.csv", "visits", "visits.parquet.gz", ".parquet", "visits.parquet.csv"] {
        let file = place(name);
        // The runs alone would take hours.
        let (code, stderr) = run("--graph line:4 --runs 1000000 --steps 1000000", &file);
        assert_eq!(code, 2, "{name}: {stderr}");
        for part in ["--trajectories", name, "visits are written as Parquet", "in .parquet"] {
            assert!(stderr.contains(part), "{name}: {stderr}");
        }
        assert!(!file.exists(), "{name}");
    }
    let (code, stderr) = run("--graph line:4 --runs 1 --steps 10", &place("upper.PARQUET"));
    assert_eq!(code, 0, "{stderr}");
}
