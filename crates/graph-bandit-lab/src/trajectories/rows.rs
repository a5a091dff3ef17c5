//! The visits of one run as the columns of a table, in the order of the visits.

use crate::recorded_run::RecordedRun;
use crate::team::RecordedTeam;
use graph_bandit::NodeId;

/// The visits of one run.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Rows {
    /// The walker of each visit; only in teams.
    pub(super) walkers: Option<Vec<i64>>,
    /// When each visit ended; the visits that count have more than 0.
    pub(super) times: Vec<f64>,
    /// The node of each visit.
    pub(super) nodes: Vec<NodeId>,
    /// The reward of each visit: in teams, the walker's part of what the team got.
    pub(super) rewards: Vec<f64>,
    /// What the walker drew; only in teams.
    pub(super) draws: Option<Vec<f64>>,
    /// The number of the leg of each visit, from 1; for a walker alone, initialization is leg 0.
    pub(super) legs: Vec<i64>,
    /// Whether each visit was made before the graph was covered.
    pub(super) covering: Vec<bool>,
}

impl From<RecordedRun> for Rows {
    fn from(recorded: RecordedRun) -> Self {
        let visits = recorded.nodes.len();
        let began = recorded.began();
        let mut leg = Leg::default();
        Self {
            legs: (0..visits).map(|visit| leg.at(&recorded.legs, visit)).collect(),
            covering: (0..visits).map(|visit| visit < recorded.init_visits).collect(),
            times: recorded.times.iter().map(|time| time - began).collect(),
            nodes: recorded.nodes,
            rewards: recorded.rewards,
            walkers: None,
            draws: None,
        }
    }
}

impl From<RecordedTeam> for Rows {
    /// Whoever is on a road visits nothing, and has no row.
    fn from(recorded: RecordedTeam) -> Self {
        let mut rows = Self::default();
        let (mut walkers, mut draws) = (Vec::new(), Vec::new());
        let mut legs = vec![Leg::default(); recorded.walkers];
        let (steps, began) = (recorded.steps(), recorded.began as f64);
        for step in 0..steps {
            for (walker, leg) in legs.iter_mut().enumerate() {
                let place = step * recorded.walkers + walker;
                let draw = recorded.draws[place];
                if draw.is_nan() {
                    continue;
                }
                walkers.push((walker as u64).cast_signed());
                draws.push(draw);
                rows.times.push((step + 1) as f64 - began);
                rows.nodes.push(recorded.nodes[place]);
                rows.rewards.push(recorded.rewards[place]);
                rows.legs.push(leg.at(&recorded.legs[walker], step));
                rows.covering.push(step < recorded.cover_steps);
            }
        }
        Self { walkers: Some(walkers), draws: Some(draws), ..rows }
    }
}

/// Counts the legs of a walker.
#[derive(Debug, Clone, Copy, Default)]
struct Leg {
    begun: usize,
}

impl Leg {
    /// The number of the leg of this visit; `firsts` are the first visits of all legs.
    fn at(&mut self, firsts: &[usize], visit: usize) -> i64 {
        self.begun += firsts[self.begun..].iter().take_while(|first| **first <= visit).count();
        (self.begun as u64).cast_signed()
    }
}
