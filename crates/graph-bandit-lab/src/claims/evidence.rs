//! What a campaign has to say, asked for by the names of study, case and agent.

use crate::campaign::{CurveStats, Results};
use graph_bandit::{Preset, Window};

/// All cells.
pub(super) struct Evidence<'a> {
    results: &'a Results<'a>,
}

/// The cells of one preset in one window.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    results: &'a Results<'a>,
    preset: Preset,
    window: Window,
}

impl<'a> Evidence<'a> {
    pub(super) fn new(results: &'a Results<'a>) -> Self {
        Self { results }
    }

    /// Whether a study is part of the campaign.
    pub(super) fn has(&self, study: &str) -> bool {
        self.results.campaign.studies.iter().any(|known| known.name == study)
    }

    pub(super) fn view(&self, preset: Preset, window: Window) -> View<'a> {
        View { results: self.results, preset, window }
    }

    /// The honest window of a preset.
    pub(super) fn first(&self, preset: Preset) -> View<'a> {
        self.view(preset, Window::First)
    }

    /// The window of the paper's figures.
    pub(super) fn last(&self, preset: Preset) -> View<'a> {
        self.view(preset, Window::Last)
    }

    /// The presets that were run for a study, by name.
    pub(super) fn presets(&self, study: &str) -> Vec<(Preset, &'static str)> {
        let campaign = self.results.campaign;
        let study = campaign.studies.iter().find(|known| known.name == study);
        let presets = study.map(|study| campaign.presets_of(study)).unwrap_or_default();
        let named = [(Preset::Paper, "paper"), (Preset::Program, "program")];
        named.into_iter().filter(|(preset, _)| presets.contains(preset)).collect()
    }
}

impl<'a> View<'a> {
    /// One agent on one case; `None` unless it was run at least twice.
    pub(super) fn curve(&self, study: &str, case: &str, agent: &str) -> Option<&'a CurveStats> {
        let study = self.results.campaign.studies.iter().find(|known| known.name == study)?;
        let case = study.cases.iter().find(|known| known.title() == case)?;
        let curve = self.results.get(study, case, agent, self.preset, self.window)?;
        (curve.finals.len() >= 2).then_some(curve)
    }

    /// The first agent on every case of a study, with the cases' `x`, in their order.
    pub(super) fn along(&self, study: &str) -> Option<Vec<(f64, &'a CurveStats)>> {
        let study = self.results.campaign.studies.iter().find(|known| known.name == study)?;
        let of = |case: &crate::study_file::Case| {
            let agent = case.agents.as_ref().unwrap_or(&study.agents).first()?;
            Some((case.x?, self.curve(&study.name, case.title(), agent)?))
        };
        study.cases.iter().map(of).collect()
    }
}
