//! The progress bar on standard error; nothing where that is no terminal.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar over `runs` runs with rate and time left.
pub(crate) fn bar(runs: u64) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:32} {human_pos} of {human_len} runs, {per_sec}, {eta} left",
    );
    let bar = ProgressBar::new(runs);
    match style {
        Ok(style) => bar.with_style(style.progress_chars("━╸─")),
        Err(_) => bar,
    }
}
