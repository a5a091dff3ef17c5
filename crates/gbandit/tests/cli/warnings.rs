//! Agents that assume less noise than there is, tapes of sums that change nothing, and horizons that are
//! missing or too short: a warning on standard error, no other change.

use crate::program::{Answer, file, gbandit, words};
use std::fs;
use std::path::Path;

fn run(flags: &str) -> Answer {
    let line = format!("run --graph line:3 --steps 20 --runs 2 --json {flags}");
    let answer = gbandit(&words(&line));
    assert_eq!(answer.code, 0, "{flags}: {answer:?}");
    answer
}

#[test]
fn noise_above_the_declared_scale_gives_a_warning() {
    for (flags, noise, scale) in [
        ("--noise gaussian:1", "gaussian:1", "1"),
        ("--noise uniform:0.7", "uniform:0.7", "0.7"),
        ("--noise uniform:0.1|gaussian:2.5", "uniform:0.1|gaussian:2.5", "2.5"),
        ("--noise best=uniform:0.8|uniform:0.1", "best=uniform:0.8|uniform:0.1", "0.8"),
    ] {
        let answer = run(flags);
        let warning = format!(
            "warning: noise {noise} has scale {scale}, but noise-scale is 0.5 for g-star; write \
             g-star:noise-scale={scale}\n"
        );
        assert_eq!(answer.stderr, warning);
        let remedy = run(&format!("{flags} --agents g-star:noise-scale={scale}"));
        assert_eq!(remedy.stderr, "", "{flags}");
    }
    let answer = run("--noise gaussian:2 --agents g-star:noise-scale=1.5,frontier,g-ucb");
    let lines: Vec<&str> = answer.stderr.lines().collect();
    assert_eq!(lines.len(), 3, "{answer:?}");
    assert!(
        lines[0].contains(
            "0.5 for g-star, g-ts, g-moss, g-imed, g-klucb, g-safe, g-sweep, g-horizon; write"
        ),
        "{answer:?}"
    );
    assert!(
        lines[1].contains("noise-scale is 1.5 for g-star:noise-scale=1.5; write"),
        "{answer:?}"
    );
    assert!(lines[2].ends_with("write g-horizon:horizon=23"), "{answer:?}");
}

#[test]
fn horizons_that_are_missing_or_too_short_give_a_warning() {
    assert_eq!(run("--agents g-horizon:horizon=23").stderr, "");
    let answer = run("--agents g-horizon:horizon=9");
    let warning = "warning: the horizon of g-horizon:horizon=9.0 is shorter than the run; write g-horizon:horizon=23\n";
    assert_eq!(answer.stderr, warning);
    // The example of `gbandit list g-horizon`: it would warn if its horizon were too short.
    let example = "run --graph grid:10x10 --agents g-horizon:noise-scale=0.5,horizon=20181";
    assert!(gbandit(&words("list g-horizon")).stdout.contains(example));
    assert_eq!(gbandit(&words(&format!("{example} --runs 1 --json"))).stderr, "");
    let bayes =
        gbandit(&words("bayes --graph line:3 --steps 8 --runs 2 --agents g-horizon:horizon=7"));
    assert_eq!(
        (bayes.code, bayes.stderr.as_str()),
        (
            0,
            "warning: the horizon of g-horizon:horizon=7.0 is shorter than the run; write g-horizon:horizon=8\n"
        )
    );
    let answer = run("--walkers 2 --agents g-horizon:horizon=23,g-star");
    assert!(answer.stderr.contains("g-horizon:horizon=23.0 does not lead a team"), "{answer:?}");
}

#[test]
fn noise_up_to_the_declared_scale_gives_none() {
    for flags in [
        "",
        "--noise gaussian:0.5",
        "--noise bernoulli --means uniform:0,1",
        "--means uniform:1000000,2000000",
        "--noise gaussian:3 --agents paper",
        "--noise gaussian:3 --agents g-ts:rewards=bernoulli",
    ] {
        assert_eq!(run(flags).stderr, "", "{flags}");
    }
}

#[test]
fn studies_warn_once_for_each_noise() {
    let study = "name = \"loud\"\ntitle = \"Loud\"\nsteps = 20\nruns = 2\ncheckpoints = 2\n\
                 agents = [\"g-star\", \"g-ucb\"]\nnoise = \"gaussian:1\"\n\
                 [[cases]]\ngraph = \"line:3\"\n[[cases]]\ngraph = \"line:4\"\n\
                 [[cases]]\ngraph = \"line:5\"\nnoise = \"uniform:0.25\"\n";
    let path = file("loud.toml", study);
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("loud");
    let _ = fs::remove_dir_all(&out);
    let answer = gbandit(&["study", &path, "--out", out.to_str().unwrap()]);
    assert_eq!(answer.code, 0, "{answer:?}");
    let warnings: Vec<&str> =
        answer.stderr.lines().filter(|line| line.starts_with("warning")).collect();
    let expected = "warning: noise gaussian:1 has scale 1, but noise-scale is 0.5 for g-star; write \
                    g-star:noise-scale=1";
    assert_eq!(warnings, [expected]);
}

#[test]
fn sums_that_change_nothing_give_a_warning() {
    let answer = run("--tape sums");
    let warning = "warning: tape sums draws nothing at once with noise uniform:0.5: rewards are drawn one by \
                   one; sums are for bernoulli and gaussian noise\n";
    assert_eq!(answer.stderr, warning);
    assert_eq!(run("--tape sums --noise gaussian:0.5").stderr, "");
}
