//! The walkthrough of a town in docs/guides/town.md, from a map to a van on it: every command runs
//! unchanged, in one directory, and prints what the page shows.

use crate::page_blocks::blocks;
use crate::process::{Server, directory};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A command of the page, with this program as `gbandit`.
pub(crate) fn shell(script: &str, directory: &Path) -> Command {
    let program = Path::new(env!("CARGO_BIN_EXE_gbandit")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut command = Command::new("bash");
    command.args(["-euo", "pipefail", "-c", script]).current_dir(directory).env("PATH", path);
    command
}

/// A text without what depends on the machine's speed: the time at the end of a row, and the table
/// width it causes.
fn timeless(text: &str) -> String {
    let words = |line: &str| {
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if matches!(words.last(), Some(&("ms" | "µs" | "s"))) {
            words.truncate(words.len() - 2);
        }
        words.join(" ").trim_matches('─').to_owned()
    };
    text.lines().map(words).collect::<Vec<_>>().join("\n")
}

/// Whether a text is the one shown; a line of three dots stands for any lines.
pub(crate) fn shows(said: &str, shown: &str) -> bool {
    let mut rest = format!("{}\n", timeless(said));
    let shown = format!("{}\n", timeless(shown));
    for (k, piece) in shown.split("...\n").enumerate() {
        match rest.find(piece) {
            Some(at) if k > 0 || at == 0 => rest = rest[at + piece.len()..].to_owned(),
            _ => return false,
        }
    }
    rest.trim().is_empty() || shown.ends_with("...\n")
}

#[test]
fn three_dots_stand_for_any_lines() {
    assert!(shows("a\nb\nc\nd", "a\n...\nc\n..."));
    assert!(shows("g-star  1  2.5 ms\n", "g-star 1 31 ms"));
    for (said, shown) in [
        ("a\nb", "a"),
        ("b\na", "a\n..."),
        ("a\nb", "a\n...\nc\n..."),
        ("x\ny 1 ms", "x\ny 2 3 ms"),
    ] {
        assert!(!shows(said, shown), "{said:?} {shown:?}");
    }
}

#[test]
fn a_town_works_from_map_to_van() {
    let directory = directory("town");
    let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    std::os::unix::fs::symlink(top.join("scripts"), directory.join("scripts")).unwrap();
    let blocks = blocks(include_str!("../../../../docs/guides/town.md"));
    let mut server = None;
    let mut compared = 0;
    for (k, (language, script)) in blocks.iter().enumerate() {
        if language != "sh" {
            continue;
        }
        if let Some(flags) = script.strip_prefix("gbandit serve ") {
            let store = format!("sqlite://{}", directory.join("gbandit.db").display());
            let flags: Vec<&str> = flags.split_whitespace().collect();
            server = Some(Server::start(&store, &directory.join("log"), &flags));
            continue;
        }
        let address = server.as_ref().map(|server: &Server| server.url.replace("http://", ""));
        let script = script.replace("localhost:8080", address.as_deref().unwrap_or("nowhere"));
        let output = shell(&script, &directory).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
        let (answered_in, shown) = &blocks[k + 1];
        match answered_in.as_str() {
            "json" => {
                let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
                assert_eq!(value(&said), value(shown), "{script}");
            }
            "text" => assert!(shows(&said, shown), "{script}\n{said}"),
            other => panic!("what does {script} answer? {other}"),
        }
        compared += 1;
    }
    assert_eq!(compared, 9);
}
