//! What is said on standard error: lines, and how far long work is.

use graph_bandit_lab::declared_noise::Understated;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long the last words wait for a reader.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar over `length` things with rate and time left; nothing where standard error is no terminal.
pub(crate) fn bar(length: u64, things: &'static str) -> ProgressBar {
    let template =
        format!("{{bar:32}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left");
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸─")),
        Err(_) => bar,
    }
}

/// Writes a line to standard error; unlike `eprintln!`, this does not panic where nobody listens.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// As [`tell`], before the end of the process: a reader that stalls must not hold it up.
pub(crate) fn tell_at_last(line: String) {
    let (told, heard) = channel();
    let telling = std::thread::Builder::new().spawn(move || {
        tell(&line);
        // Whoever waited may have given up.
        let _ = told.send(());
    });
    if telling.is_ok() {
        let _ = heard.recv_timeout(PATIENCE);
    }
}

/// Warns of agents that are told of less noise than there is.
pub(crate) fn warn(understated: &Understated) {
    for line in understated.lines() {
        tell(&format!("warning: {line}"));
    }
}
