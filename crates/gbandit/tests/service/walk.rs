//! The walkthroughs of the service in docs/guides/service.md and in the quick start: every command
//! runs unchanged, and its answer is what the page says.

use crate::process::{Server, directory};
use serde_json::Value;
use std::process::Command;

/// The blocks of a page: their language and text.
pub(crate) fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let text: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((language.to_owned(), text.join("\n")));
        }
    }
    blocks
}

/// JSON, or the text itself. A seal depends on every byte of a log; the page shows an example.
pub(crate) fn value(text: &str) -> Value {
    let mut value: Value =
        serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.trim().to_owned()));
    if let Some(seal) = value.get_mut("seal") {
        let text = seal.as_str().unwrap();
        assert!(text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit()), "{text}");
        *seal = "a seal".into();
    }
    value
}

/// Runs the commands of a page in order and returns how many there were.
fn walk(name: &str, page: &str) -> usize {
    let directory = directory(name);
    let server = Server::start("memory:", &directory.join("log"), &[]);
    let address = server.url.strip_prefix("http://").unwrap();
    let mut compared = 0;
    for pair in blocks(page).windows(2) {
        let [(language, command), (answered_in, answer)] = pair else { unreachable!() };
        if language != "sh" || !command.contains("curl") || answered_in == "sh" {
            continue;
        }
        let command = command.replace("localhost:8080", address);
        let output =
            Command::new("bash").args(["-c", &command]).current_dir(&directory).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        // The page breaks lines before a space.
        assert_eq!(value(&said), value(&answer.replace('\n', "")), "{command}");
        compared += 1;
    }
    compared
}

#[test]
fn the_guide_says_what_happens() {
    let compared = walk("guide", include_str!("../../../../docs/guides/service.md"));
    assert!(compared >= 18, "{compared}");
}

#[test]
fn the_quick_start_says_what_happens() {
    let page = include_str!("../../../../docs/guides/service-quick-start.md");
    assert_eq!(walk("quick-start", page), 3);
}
