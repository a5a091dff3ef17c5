//! Output on standard error: lines, and the progress of long work.

use crate::shown::shown;
use graph_bandit_lab::{Study, warnings};
use indicatif::{ProgressBar, ProgressStyle};
use std::io::Write;
use std::sync::mpsc::channel;
use std::time::Duration;

/// How long the last line waits for a reader.
const PATIENCE: Duration = Duration::from_secs(1);

/// A bar over `length` things with rate and time left; hidden if standard error is not a terminal.
pub(crate) fn bar(length: u64, things: &'static str) -> ProgressBar {
    let template =
        format!("{{bar:32}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left");
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸─")),
        Err(_) => bar,
    }
}

/// Writes a line to standard error; unlike `eprintln!`, it does not panic if the pipe is closed.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "{}", shown(line));
}

/// Like [`tell`], before the process ends: a stalled reader must not hold it up.
pub(crate) fn tell_last(line: String) {
    let (written, waiting) = channel();
    let telling = std::thread::Builder::new().spawn(move || {
        tell(&line);
        // The waiting thread may have given up.
        let _ = written.send(());
    });
    if telling.is_ok() {
        let _ = waiting.recv_timeout(PATIENCE);
    }
}

/// Writes the warnings about these studies.
pub(crate) fn warn(studies: &[Study]) {
    for line in warnings(studies) {
        tell(&format!("warning: {line}"));
    }
}
