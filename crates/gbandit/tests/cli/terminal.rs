//! Output fits into the terminal, here a pseudo-terminal of `script`.

use crate::program::{gbandit, words};
use std::process::{Command, Stdio};

/// What the command prints in a terminal of that many columns.
fn on_terminal(columns: usize, command: &str) -> String {
    let program = env!("CARGO_BIN_EXE_gbandit");
    let shown = format!("stty cols {columns}; exec '{program}' {command} 2>/dev/null");
    let mut script = Command::new("script");
    script.args(["--quiet", "--return", "--echo", "never", "--command", &shown, "/dev/null"]);
    script.env("NO_COLOR", "1").env("SHELL", "/bin/sh").stdin(Stdio::null());
    let answer = script.output().unwrap();
    assert!(answer.status.success(), "{shown}: {answer:?}");
    String::from_utf8(answer.stdout).unwrap().replace("\r\n", "\n")
}

fn piped(command: &str) -> String {
    gbandit(&words(command)).stdout
}

fn widest(text: &str) -> usize {
    text.lines().map(|line| line.chars().count()).max().unwrap()
}

/// The words of a text, without the times that were measured.
fn unmeasured(text: &str) -> Vec<&str> {
    let words: Vec<&str> = text.split_whitespace().filter(|word| !word.starts_with('─')).collect();
    let is_time = |k: usize| words[k] == "ms" || words.get(k + 1) == Some(&"ms");
    (0..words.len()).filter(|&k| !is_time(k)).map(|k| words[k]).collect()
}

const FIRST: &str = "run --graph grid:10x10 --agents g-star,g-ucb,ucrl2,local-ucb,ql-eps";
const TEAM: &str =
    "run --graph grid:10x10 --walkers 5 --agents g-star,multi-g-ucb,comb-ucb,g-ucb --runs 10";
const CHANGING: &str = "run --graph grid:10x10 --means redrawn:0.5,9.5,4000 --runs 10 \
    --agents g-drift,g-star,sw-ucb,g-ucb:restarts=oracle";

#[test]
fn tables_and_charts_fit_into_80_columns() {
    let note = |columns: usize, names: &str| {
        format!("\nleft out to fit into {columns} columns: {names}; --json has all\n")
    };
    let narrow = on_terminal(80, FIRST);
    assert!(widest(&narrow) <= 80, "{narrow}");
    assert!(narrow.contains(&note(80, "SD")) && !narrow.contains(" SD "), "{narrow}");
    assert!(narrow.contains(" ms\n"), "{narrow}");
    // A file gets all of it, like a terminal with enough room.
    let few = format!("{FIRST} --runs 10");
    let (wide, file) = (on_terminal(120, &few), piped(&few));
    assert!((81..=100).contains(&widest(&file)) && !file.contains("left out"), "{file}");
    assert_eq!(unmeasured(&file), unmeasured(&wide));
    for command in [TEAM, CHANGING] {
        let narrow = on_terminal(80, command);
        assert!(widest(&narrow) <= 80, "{narrow}");
        assert!(
            narrow.contains(&note(80, "SD, time/run")) && !narrow.contains(" ms\n"),
            "{narrow}"
        );
    }
}

#[test]
fn lists_fit_into_80_columns() {
    for command in ["list", "list --all", "list g-horizon", "list changing", "list uniform"] {
        let (narrow, file) = (on_terminal(80, command), piped(command));
        let (widest_narrow, widest_file) = (widest(&narrow), widest(&file));
        assert!(widest_narrow <= 80 && widest_file <= 100, "{widest_narrow}: {narrow}");
        let words = |text: &str| text.replace(" \\\n", "\n").split_whitespace().collect::<String>();
        assert_eq!(words(&narrow), words(&file), "{command}");
        // Wider terminals do not make lines harder to read.
        assert_eq!(on_terminal(200, command), file, "{command}");
    }
}
