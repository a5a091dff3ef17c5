//! How far a campaign is: a bar on a terminal, plain lines otherwise, always on standard error.

use crate::progress::{bar, tell};
use graph_bandit_lab::campaign::Progress;
use indicatif::ProgressBar;
use std::io::IsTerminal;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// The time between two plain lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

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
    last_line: Instant,
}

impl CampaignProgress {
    /// Ends the display.
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
                Shown::Lines(Mutex::new(Lines { done, of, made: 0, begun: now, last_line: now }))
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
        if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let rate = self.made as f64 / self.begun.elapsed().as_secs_f64();
            let left = (self.of - self.done) as f64 / rate;
            let Self { done, of, .. } = self;
            tell(&format!("{done} of {of} runs done, {rate:.0}/s, {left:.0} s left"));
        }
    }
}
