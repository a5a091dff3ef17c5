//! From a study's numbers to series.

use super::curves::Series;
use super::palette::style_of;
use crate::study::AgentRecord;
use crate::summary::AgentSummary;

impl Series {
    /// An agent's mean regret with its 95% interval as a band, in the agent's style.
    pub fn of_summary(summary: &AgentSummary) -> Self {
        let steps = summary.checkpoints.iter().map(|&t| t as f64);
        let points = steps.zip(&summary.regret_mean).map(|(t, &mean)| [t, mean]).collect();
        let intervals: Option<Vec<[f64; 2]>> =
            summary.regret_ci95.iter().map(|&[low, high]| Some([low?, high?])).collect();
        Self::new(&summary.agent, style_of(&summary.agent), points)
            .with_band(intervals.unwrap_or_default())
    }

    /// The regret of every run of an agent: the light traces behind its mean.
    pub fn traces_of(record: &AgentRecord) -> Vec<Vec<[f64; 2]>> {
        let points =
            |checkpoint: &graph_bandit::Checkpoint| [checkpoint.t as f64, checkpoint.regret];
        record.runs.iter().map(|run| run.checkpoints.iter().map(points).collect()).collect()
    }
}
