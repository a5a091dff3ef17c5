//! The node that a run found to be the best, how sure that is, and whether it is true; and the same
//! over many runs.

use crate::study::{AgentRecord, Study};
use graph_bandit::{Best, Bracketed, Certainty, Course, Estimates, Graph, World};
use serde::Serialize;

/// The best node at the end of a run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FoundBest {
    /// The node, its runner-up, and how sure that is.
    pub best: Best,
    /// Whether no node of the world has a higher mean.
    pub is_true: bool,
    /// The noise scale of the intervals: the world's own.
    pub noise_scale: f64,
}

impl FoundBest {
    /// What a run found in `world`; `None` before the first visit, if the world's noise has no
    /// scale, or if its means change.
    pub(crate) fn of(world: &World, seen: &Estimates) -> Option<Self> {
        // A mean over the whole run says little about means that change.
        if world.course() == Course::Changing {
            return None;
        }
        let noise_scale = world.sub_gaussian_scale();
        let certainty = Certainty::new(noise_scale, Certainty::CONFIDENCE).ok()?;
        let best = seen.best(&certainty)?;
        Some(Self { best, is_true: world.gap(best.node.node) == 0.0, noise_scale })
    }
}

/// A node and its estimate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeSummary {
    /// Its number.
    pub node: u32,
    /// Its name, if the map has names.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// How often it was visited.
    pub visits: u64,
    /// The mean of its rewards.
    pub estimate: f64,
    /// The ends of its interval.
    pub interval: [f64; 2],
}

impl NodeSummary {
    fn of(graph: &Graph, node: &Bracketed) -> Self {
        Self {
            node: node.node,
            name: graph.names().map(|names| names[node.node as usize].clone()),
            visits: node.visits,
            estimate: node.mean,
            interval: [node.low(), node.high()],
        }
    }
}

/// The best node of the first run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FirstBest {
    /// The node with the highest mean.
    pub best: NodeSummary,
    /// The other node that may be the best.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub runner_up: Option<NodeSummary>,
    /// How many nodes were never visited.
    pub unvisited: usize,
    /// Whether every node was visited and no interval overlaps that of the best node.
    pub settled: bool,
    /// The probability that the best node is better than the runner-up, for normal noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
}

/// Which nodes the runs of one agent found to be the best.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BestSummary {
    /// In how many runs the best node so far is truly the best.
    pub runs_right: u64,
    /// In how many runs it is settled: with `confidence`, no other is better.
    pub runs_settled: u64,
    /// The probability that all intervals of a run hold at once.
    pub confidence: f64,
    /// The node of the first run, if there is only one run or all have the same means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first: Option<FirstBest>,
}

impl BestSummary {
    /// Summarizes the runs of one agent; `None` if nothing was found.
    pub(crate) fn of(study: &Study, record: &AgentRecord) -> Option<Self> {
        let found: Vec<&FoundBest> =
            record.runs.iter().filter_map(|run| run.best.as_ref()).collect();
        let count = |holds: fn(&FoundBest) -> bool| {
            found.iter().filter(|found| holds(found)).count() as u64
        };
        let is_one_world = record.runs.len() == 1 || study.means.is_fixed();
        let first = found.first().filter(|_| is_one_world);
        let node = |node: &Bracketed| NodeSummary::of(&study.graph, node);
        (!found.is_empty()).then(|| Self {
            runs_right: count(|found| found.is_true),
            runs_settled: count(|found| found.best.is_settled()),
            confidence: Certainty::CONFIDENCE,
            first: first.map(|FoundBest { best, .. }| FirstBest {
                best: node(&best.node),
                runner_up: best.runner_up.as_ref().map(node),
                unvisited: best.unvisited,
                settled: best.is_settled(),
                chance: best.chance,
            }),
        })
    }
}
