//! Completions that shells accept, and manual pages that `man` shows.

use crate::program::{gbandit, words};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// All commands, as the help lists them.
fn commands() -> BTreeSet<String> {
    let help = gbandit(&["--help"]).stdout;
    let listed = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let listed = listed.take_while(|line| !line.is_empty());
    // Names are indented by two spaces, and descriptions further.
    let names =
        listed.filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    names.filter_map(|line| line.split(' ').next().map(str::to_owned)).collect()
}

fn script(shell: &str) -> String {
    let made = gbandit(&["completions", shell]);
    assert_eq!(made.code, 0, "{made:?}");
    made.stdout
}

#[test]
fn completions_of_every_shell_name_every_command() {
    let commands = commands();
    assert!(commands.len() > 15 && commands.contains("serve"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = script(shell);
        for command in &commands {
            assert!(script.contains(command.as_str()), "{shell} lacks {command}");
        }
    }
    let other = gbandit(&["completions", "tcsh"]);
    assert_eq!(other.code, 2, "{other:?}");
    assert!(other.stderr.contains("'tcsh'") && other.stderr.contains("bash"), "{other:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn bash_completes_commands_flags_and_values() {
    let directory = scratch("completions");
    let file = directory.join("gbandit.bash");
    fs::write(&file, script("bash")).unwrap();
    // Like bash: the words so far, and the function registered for the command.
    let asks = r#"
        source "$0"
        [ "$(complete -p gbandit | grep --only-matching ' -F [^ ]*')" = ' -F _gbandit' ]
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
        _gbandit gbandit "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
        printf '%s\n' "${COMPREPLY[@]}"
    "#;
    let completed = |line: &str| {
        let mut bash = std::process::Command::new("bash");
        bash.args(["--norc", "-euc", asks]).arg(&file).args(words(line));
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let answer = String::from_utf8(output.stdout).unwrap();
        answer.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(completed("gbandit ser"), ["serve"]);
    assert_eq!(completed("gbandit s"), ["study", "serve", "store", "schema"]);
    assert_eq!(completed("gbandit run --agen"), ["--agents"]);
    assert_eq!(completed("gbandit store ver"), ["verify"]);
    assert_eq!(completed("gbandit serve --log w"), ["warn"]);
}

fn scratch(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual").join(name);
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir_all(&directory).unwrap();
    directory
}

fn pages(name: &str) -> Vec<PathBuf> {
    let directory = scratch(name).join("man1");
    let made = gbandit(&["man", directory.to_str().unwrap()]);
    assert_eq!(made.code, 0, "{made:?}");
    let mut pages: Vec<_> = fs::read_dir(directory).unwrap().map(|f| f.unwrap().path()).collect();
    pages.sort();
    pages
}

#[test]
fn every_command_has_a_page() {
    let pages = pages("pages");
    let is_page = |name: &str| pages.iter().any(|page| page.ends_with(format!("{name}.1")));
    assert!(is_page("gbandit") && is_page("gbandit-store-backup"), "{pages:?}");
    for command in commands() {
        assert!(command == "help" || is_page(&format!("gbandit-{command}")), "{command}");
    }
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        for part in [".TH ", "\n.SH NAME\n", "\n.SH SYNOPSIS\n", "\n.SH DESCRIPTION\n"] {
            assert!(text.contains(part), "{}: {part:?}", page.display());
        }
    }
    let unwritable = gbandit(&["man", "Cargo.toml/man1"]);
    assert_eq!(unwritable.code, 1, "{unwritable:?}");
    assert!(unwritable.stderr.contains("Cargo.toml/man1"), "{unwritable:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn man_shows_every_page_and_finds_nothing_wrong() {
    for page in pages("shown") {
        let mut man = std::process::Command::new("man");
        man.args(["--warnings=w", "--local-file"]).arg(&page);
        man.env("MANWIDTH", "100").env("LC_ALL", "C.UTF-8").env("MANPAGER", "cat");
        let shown = man.output().expect("man is in the package man-db");
        let wrong = String::from_utf8_lossy(&shown.stderr);
        // Lines are filled up with spaces.
        let text = String::from_utf8_lossy(&shown.stdout);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let name = page.file_stem().unwrap().to_str().unwrap();
        assert!(shown.status.success() && wrong.is_empty(), "{name}: {wrong}");
        assert!(
            text.contains("SYNOPSIS") && text.contains(&name.replace('-', " ")),
            "{name}: {text}"
        );
    }
}
