//! Settings of the caller that replace those in a study's file.

use super::StudyFile;
use crate::window::Window;
use graph_bandit::Preset;

/// Settings that replace those of a study; `None` keeps the study's own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overrides {
    /// Runs per agent and case, in every case.
    pub runs: Option<u64>,
    /// The seed of all randomness.
    pub seed: Option<u64>,
    /// The preset the figures show.
    pub preset: Option<Preset>,
    /// The window the figures show; it is measured, too.
    pub window: Option<Window>,
}

impl Overrides {
    /// Changes the study, so that a result with other settings is not mistaken for this one.
    pub fn apply(&self, study: &mut StudyFile) {
        if let Some(runs) = self.runs {
            study.runs = runs;
            study.cases.iter_mut().for_each(|case| case.runs = None);
        }
        study.seed = self.seed.unwrap_or(study.seed);
        study.preset = self.preset.unwrap_or(study.preset);
        if let Some(window) = self.window {
            study.window = window;
            if !study.windows.is_empty() && !study.windows.contains(&window) {
                study.windows.push(window);
            }
        }
    }
}
