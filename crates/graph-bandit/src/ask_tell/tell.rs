//! Telling a session what its visits paid, and how long its steps took.

use super::AskTell;
use crate::field::{Field, FieldError};
use crate::graph::NodeId;
use crate::trajectory::{LegError, Paid, Told};
use thiserror::Error;

/// Why a tell was refused. Nothing changed, except where the agent failed to hear of a visit: that
/// visit stands.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TellError {
    /// The node or the reward cannot be.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// One step does not lead there.
    #[error(
        "one step does not lead from node {from} to node {to}; \
         if the walker was carried there, say so with `move_to`"
    )]
    IllegalMove {
        /// Where the walker stands.
        from: NodeId,
        /// The node told of.
        to: NodeId,
    },
    /// More rewards than the leg has visits.
    #[error("{rewards} rewards were told, the leg has only {visits} visits left")]
    TooManyRewards {
        /// How many were told.
        rewards: usize,
        /// How many visits the leg had left.
        visits: u64,
    },
    /// The agent failed, or its leg is not legal.
    #[error(transparent)]
    Leg(#[from] LegError),
}

impl AskTell {
    /// One visit to `node` paid `paid`, a reward or one with the time that the step took ([`Paid`]), whatever was
    /// ordered and whether a road leads there or not. The leg is dropped, and nothing is planned.
    ///
    /// # Errors
    /// When the node does not exist, the reward is not finite or the time cannot be.
    pub fn visit(&mut self, node: NodeId, paid: impl Into<Paid>) -> Result<(), TellError> {
        let paid = paid.into();
        self.trajectory.field().check_node(node)?;
        self.trajectory.field().check_rewards(node, &[paid.reward])?;
        let spent = self.spent_staying([(node, paid)].into_iter())?;
        self.trajectory.go(node, &mut Told::of(&[paid]), &mut ())?;
        self.spend(&spent);
        self.see_awaited(node);
        Ok(())
    }

    /// One visit to `node` paid `paid`: a reward, or one with the time that the step took ([`Paid`]). The clock follows
    /// that time, and the road to `node` is expected to take the mean of what was told of it and what the map says,
    /// each counted once. A visit other than the one asked for is accepted, and the agent plans anew from there.
    ///
    /// ```
    /// use graph_bandit::{AgentSpec, AskTell, Graph, Paid, Preset, SessionPlan};
    /// let line = Graph::line(3)?;
    /// let agent = AgentSpec::parse("g-star", Preset::Paper)?.build(&line)?;
    /// let mut session = AskTell::new(line, agent, SessionPlan::default())?;
    /// session.tell(0, 0.5)?;
    /// session.tell(1, Paid { reward: 0.25, took: Some(4.0) })?;
    /// // The map says 0 beyond the visit, the drive took 3.
    /// assert_eq!(session.graph().travel(0, 1), Some(1.5));
    /// assert_eq!(session.clock().now().0, 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the node does not exist, is not a neighbour, the reward is not finite or the time cannot be.
    pub fn tell(&mut self, node: NodeId, paid: impl Into<Paid>) -> Result<(), TellError> {
        let paid = paid.into();
        self.trajectory.field().check_node(node)?;
        let at = self.at();
        if !self.graph().allows(at, node) {
            return Err(TellError::IllegalMove { from: at, to: node });
        }
        self.trajectory.field().check_rewards(node, &[paid.reward])?;
        let spent = self.spent_staying([(node, paid)].into_iter())?;
        let is_as_ordered = self.ask()?.node == node;
        let rewards = [paid];
        let mut payer = Told::of(&rewards);
        if is_as_ordered {
            self.trajectory.advance(1, &mut payer, &mut ())?;
        } else {
            self.trajectory.go(node, &mut payer, &mut ())?;
        }
        self.spend(&spent);
        self.see_awaited(node);
        Ok(())
    }

    /// Checks the times of steps to these nodes, one after another; answers by how much visits where the walker stayed
    /// took longer than a unit.
    fn spent_staying(
        &self,
        steps: impl Iterator<Item = (NodeId, Paid)>,
    ) -> Result<Vec<f64>, FieldError> {
        let (mut from, mut spent) = (self.at(), Vec::new());
        for (node, paid) in steps {
            if let Some(took) = paid.took {
                let beyond = Field::check_took(node, took)?;
                if from == node {
                    spent.push(beyond);
                }
            }
            from = node;
        }
        Ok(spent)
    }

    fn spend(&mut self, spent: &[f64]) {
        let (_, walker) = self.trajectory.parts();
        for &time in spent {
            walker.spend(time);
        }
    }

    /// The next visits of the leg that was asked for paid `rewards`, in order: the same as telling
    /// them one by one. Fewer than the leg has visits are accepted, and the leg goes on.
    ///
    /// # Errors
    /// When there are more rewards than visits or one is not finite.
    pub fn tell_leg(&mut self, rewards: &[f64]) -> Result<(), TellError> {
        self.told_leg(rewards)
    }

    /// As [`tell_leg`](Self::tell_leg), with the times of steps.
    ///
    /// # Errors
    /// As [`tell_leg`](Self::tell_leg), and when a time cannot be.
    pub fn tell_leg_timed(&mut self, paid: &[Paid]) -> Result<(), TellError> {
        self.told_leg(paid)
    }

    fn told_leg<P: Copy + Into<Paid>>(&mut self, rewards: &[P]) -> Result<(), TellError> {
        let order = self.ask()?;
        let visits = order.visits();
        if rewards.len() as u64 > visits {
            return Err(TellError::TooManyRewards { rewards: rewards.len(), visits });
        }
        let nodes: Vec<NodeId> = order.nodes().take(rewards.len()).collect();
        let field = self.trajectory.field();
        for (&node, &paid) in nodes.iter().zip(rewards) {
            field.check_rewards(node, &[paid.into().reward])?;
        }
        field.check_count(rewards.len() as u64)?;
        let paid = rewards.iter().map(|&paid| paid.into());
        let spent = self.spent_staying(nodes.iter().copied().zip(paid))?;
        if !self.awaited.is_empty() {
            // Each visit sees which roads are closed, at its own time.
            let mut visits = nodes.iter().zip(rewards);
            return visits.try_for_each(|(&node, &paid)| self.tell(node, paid));
        }
        self.trajectory.advance(rewards.len() as u64, &mut Told::of(rewards), &mut ())?;
        self.spend(&spent);
        Ok(())
    }
}
