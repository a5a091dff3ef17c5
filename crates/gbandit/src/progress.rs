//! The progress bar on standard error; nothing where that is no terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `length` things with rate and time left.
pub(crate) fn bar(length: u64, things: &'static str) -> ProgressBar {
    let template =
        format!("{{bar:32}} {{human_pos}} of {{human_len}} {things}, {{per_sec}}, {{eta}} left");
    let bar = ProgressBar::new(length);
    match ProgressStyle::with_template(&template) {
        Ok(style) => bar.with_style(style.progress_chars("━╸─")),
        Err(_) => bar,
    }
}
