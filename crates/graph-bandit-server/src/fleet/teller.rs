//! Who tells a report: the robot of an agent alone, a walker of a team, or somebody else.

use crate::agent::{
    EventError, NoSuchNode, NodeName, Served, Step, Visits, WalkerDefinition, WalkerInput,
};
use graph_bandit::team::WalkerId;
use graph_bandit::{Graph, NodeId, Paid};

/// The agent that a report is for, and the walker of a team that tells it.
pub(super) struct Teller<'a> {
    pub(super) live: &'a Served,
    pub(super) walker: Option<WalkerId>,
}

impl Teller<'_> {
    pub(super) fn is_team(&self) -> bool {
        self.live.team().is_some()
    }

    pub(super) fn graph(&self) -> &Graph {
        self.live.graph()
    }

    pub(super) fn find(&self, node: &NodeName) -> Result<NodeId, NoSuchNode> {
        self.live.find(node)
    }

    /// Where the robot was last.
    pub(super) fn here(&self) -> Result<NodeId, EventError> {
        match (self.live, self.walker) {
            (Served::Team(team), Some(walker)) => team.place(walker),
            (live, _) => Ok(live.alone()?.place()),
        }
    }

    /// How long each of these visits took.
    pub(super) fn timed(&self, steps: &[Step]) -> Result<Vec<Paid>, EventError> {
        let Served::Team(_) = self.live else { return self.live.alone()?.timed(steps) };
        let untimed = steps.iter().map(|&Step { reward, took, time }| match (took, time) {
            (Some(took), _) => Err(EventError::TookToTeam { took }),
            (None, Some(time)) => Err(EventError::TimeToTeam { time }),
            (None, None) => Ok(Paid { reward, took: None }),
        });
        untimed.collect()
    }

    /// The next visits of the leg, with these rewards in order.
    pub(super) fn as_ordered(&self, rewards: Vec<Paid>) -> Result<Vec<Visits>, EventError> {
        match (self.live, self.walker) {
            (Served::Team(team), Some(walker)) => {
                team.as_ordered(walker, rewards.into_iter().map(|paid| paid.reward).collect())
            }
            (live, _) => live.alone()?.as_ordered(rewards),
        }
    }

    /// The walker that joins.
    pub(super) fn joining(&self, walker: &WalkerInput) -> Result<WalkerDefinition, EventError> {
        self.live.team().ok_or(EventError::NotATeam)?.joining(walker.clone())
    }

    /// The walker that leaves.
    pub(super) fn leaving(&self) -> Result<WalkerId, EventError> {
        let team = self.live.team().ok_or(EventError::NotATeam)?;
        self.walker.ok_or_else(|| EventError::NoWalker { known: team.known_walkers() })
    }
}
