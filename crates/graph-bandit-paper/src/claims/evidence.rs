//! The results of a campaign, looked up by study, case and agent.

use super::measure::Gap;
use crate::last_window::LAST;
use crate::text::list;
use graph_bandit::Preset;
use graph_bandit_lab::Window;
use graph_bandit_lab::campaign::{CurveStats, Results};

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
        self.view(preset, Window::FIRST)
    }

    /// The window of the paper's figures.
    pub(super) fn last(&self, preset: Preset) -> View<'a> {
        self.view(preset, LAST)
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

/// An agent's regret minus G-UCB's in the honest window, by preset and case, and the cases where
/// both are equal in every run.
pub(super) fn beside_g_ucb(
    evidence: &Evidence<'_>,
    study: &str,
    agent: &str,
    cases: &[&str],
) -> String {
    let mut texts = Vec::new();
    for (preset, label) in evidence.presets(study) {
        let view = evidence.first(preset);
        let (mut gaps, mut equal) = (Vec::new(), Vec::new());
        for case in cases {
            let pair = (view.curve(study, case, agent), view.curve(study, case, "g-ucb"));
            let (Some(other), Some(own)) = pair else { continue };
            let difference = Gap::between(other, own).difference;
            gaps.push(format!("{} {}", case.to_lowercase(), difference.signed()));
            if other.finals == own.finals {
                equal.push(case.to_lowercase());
            }
        }
        let (gaps, equal) = (gaps.join(", "), list(&equal));
        texts.push(format!("in preset {label} {gaps}; equal in every run on: {equal}"));
    }
    texts.join("; ")
}

impl<'a> View<'a> {
    /// One agent on one case; `None` if it was run less than twice.
    pub(super) fn curve(&self, study: &str, case: &str, agent: &str) -> Option<&'a CurveStats> {
        let study = self.results.campaign.studies.iter().find(|known| known.name == study)?;
        let case = study.cases.iter().find(|known| known.title() == case)?;
        let curve = self.results.get(study, case, agent, self.preset, self.window)?;
        (curve.finals.len() >= 2).then_some(curve)
    }

    /// The first agent on every case of a study, with each case's `x`, in order.
    pub(super) fn along(&self, study: &str) -> Option<Vec<(f64, &'a CurveStats)>> {
        let study = self.results.campaign.studies.iter().find(|known| known.name == study)?;
        let of = |case: &graph_bandit_lab::study_file::Case| {
            let agent = case.agents.as_ref().unwrap_or(&study.agents).first()?;
            Some((case.x?, self.curve(&study.name, case.title(), agent)?))
        };
        study.cases.iter().map(of).collect()
    }
}
