//! The README's commands: what they print is what it shows, and its first two are the ones a reader tries.

use crate::page_blocks::blocks;
use crate::process::directory;
use crate::town::{shell, shows};
use std::path::PathBuf;

const README: &str = include_str!("../../../../README.md");

/// What a line of the README needs to be tried here.
enum Trial {
    /// It is run as it stands, with this program as `gbandit`.
    Run,
    /// It never ends, or opens a browser: this program must have such a command, with these flags.
    AskForHelp,
    /// It builds or installs, or tests everything: this test is a part of that.
    Skip,
}

fn trial(line: &str) -> Trial {
    let starts = |heads: &[&str]| heads.iter().any(|head| line.starts_with(head));
    if starts(&["gbandit serve", "cargo run --release -- "]) {
        Trial::AskForHelp
    } else if starts(&["cargo ", "./test", "pip install "]) {
        Trial::Skip
    } else {
        Trial::Run
    }
}

#[test]
fn the_first_two_commands_run_and_test_a_fresh_clone() {
    let (language, first) = &blocks(README)[0];
    assert_eq!((language.as_str(), first.as_str()), ("sh", "cargo run --release\n./test"));
}

#[test]
fn every_command_does_what_the_readme_says() {
    let directory = directory("readme");
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    std::os::unix::fs::symlink(top.join("scripts"), directory.join("scripts")).unwrap();
    let blocks = blocks(README);
    let (mut tried, mut compared) = (0, 0);
    for (k, (language, script)) in blocks.iter().enumerate() {
        if language != "sh" {
            continue;
        }
        let mut said = String::new();
        for line in script.lines() {
            let line = line.split("  #").next().unwrap().trim();
            let line = match trial(line) {
                Trial::Run => line.to_owned(),
                Trial::AskForHelp => {
                    format!("{} --help", line.replace("cargo run --release --", "gbandit"))
                }
                Trial::Skip => continue,
            };
            let output = shell(&line, &directory).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line}\n{errors}");
            said += &String::from_utf8(output.stdout).unwrap();
            tried += 1;
        }
        if let Some((_, shown)) = blocks.get(k + 1).filter(|(language, _)| language == "text") {
            assert!(shows(&said, shown), "{script}\n{said}");
            compared += 1;
        }
    }
    assert_eq!((tried, compared), (7, 3));
}

#[test]
fn every_file_that_it_links_to_is_there() {
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let links: Vec<&str> =
        README.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()).collect();
    let files = links.iter().filter(|link| !link.starts_with("http"));
    for link in files {
        let file = link.split('#').next().unwrap();
        assert!(top.join(file).exists(), "the README links to {link}, which does not exist");
    }
    assert!(links.len() > 20, "{}", links.len());
}
