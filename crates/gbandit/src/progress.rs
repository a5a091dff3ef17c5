//! How far long work is: a bar on a terminal, plain lines otherwise, always on standard error.

use graph_bandit_lab::campaign::Progress;
use graph_bandit_lab::declared_noise::Understated;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

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

/// Warns of agents that are told of less noise than there is.
pub(crate) fn warn(understated: &Understated) {
    for line in understated.lines() {
        tell(&format!("warning: {line}"));
    }
}

/// The progress of a campaign.
#[derive(Default)]
pub(crate) struct CampaignProgress {
    shown: OnceLock<Shown>,
}

enum Shown {
    Bar(ProgressBar),
    Lines(Mutex<Lines>),
}

struct Lines {
    done: u64,
    of: u64,
    made: u64,
    begun: Instant,
    told: Instant,
}

impl CampaignProgress {
    /// Nothing more will happen.
    pub(crate) fn finish(&self) {
        if let Some(Shown::Bar(bar)) = self.shown.get() {
            bar.finish_and_clear();
        }
    }
}

impl Progress for CampaignProgress {
    fn begin(&self, done: u64, of: u64) {
        self.shown.get_or_init(|| {
            if std::io::stderr().is_terminal() {
                let bar = bar(of, "runs");
                bar.set_position(done);
                bar.reset_eta();
                Shown::Bar(bar)
            } else {
                tell(&format!("{done} of {of} runs done"));
                let now = Instant::now();
                Shown::Lines(Mutex::new(Lines { done, of, made: 0, begun: now, told: now }))
            }
        });
    }

    fn tick(&self) {
        match self.shown.get() {
            Some(Shown::Bar(bar)) => bar.inc(1),
            Some(Shown::Lines(lines)) => {
                lines.lock().unwrap_or_else(PoisonError::into_inner).tick();
            }
            None => {}
        }
    }
}

impl Lines {
    fn tick(&mut self) {
        self.done += 1;
        self.made += 1;
        if self.told.elapsed() >= LINE_EVERY {
            self.told = Instant::now();
            let rate = self.made as f64 / self.begun.elapsed().as_secs_f64();
            let left = (self.of - self.done) as f64 / rate;
            let Self { done, of, .. } = self;
            tell(&format!("{done} of {of} runs done, {rate:.0}/s, {left:.0} s left"));
        }
    }
}
