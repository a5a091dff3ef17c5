//! Telling a session the rewards of its visits and the times of its steps.

use super::AskTell;
use crate::field::{Field, FieldError};
use crate::graph::NodeId;
use crate::trajectory::{LegError, Paid, Told};
use thiserror::Error;

/// Why a tell was refused. Nothing changed, except if the agent failed while observing a visit:
/// that visit stays recorded.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TellError {
    /// The node or the reward is invalid.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The node is more than one step away.
    #[error(
        "one step does not lead from node {from} to node {to}; \
         if the walker was carried there, say so with `move_to`"
    )]
    IllegalMove {
        /// Where the walker stands.
        from: NodeId,
        /// The node told.
        to: NodeId,
    },
    /// There are more rewards than visits left in the leg.
    #[error("{rewards} rewards were told; the leg has only {visits} visits left")]
    TooManyRewards {
        /// The number of rewards told.
        rewards: usize,
        /// The number of visits left in the leg.
        visits: u64,
    },
    /// The agent failed, or its leg is not legal.
    #[error(transparent)]
    Leg(#[from] LegError),
}

impl AskTell {
    /// Records one visit to `node` that paid `paid`: a reward, optionally with the time of the step
    /// ([`Paid`]). The node need not be the one ordered, nor a neighbour. The leg is dropped and
    /// nothing is planned.
    ///
    /// # Errors
    /// When the node does not exist, the reward is not finite or the time is invalid.
    pub fn visit(&mut self, node: NodeId, paid: impl Into<Paid>) -> Result<(), TellError> {
        let paid = paid.into();
        self.trajectory.field().check_node(node)?;
        self.trajectory.field().check_rewards(node, &[paid.reward])?;
        let spent = self.spent_staying([(node, paid)].into_iter())?;
        self.spending(&spent, |session| {
            session.trajectory.go(node, &mut Told::of(&[paid]), &mut ())
        })?;
        self.see_awaited(node);
        Ok(())
    }

    /// Records one visit to `node` that paid `paid`: a reward, optionally with the time of the step
    /// ([`Paid`]). The clock advances by that time. The expected time of the road to `node` becomes
    /// the mean of the map's time and all times told. A visit other than the one asked for is
    /// accepted, and the agent plans again from there.
    ///
    /// ```
    /// use graph_bandit::{AgentSpec, AskTell, Graph, Paid, Preset, SessionPlan};
    /// let line = Graph::line(3)?;
    /// let agent = AgentSpec::parse("g-star", Preset::Paper)?.build(&line)?;
    /// let mut session = AskTell::new(line, agent, SessionPlan::default())?;
    /// session.tell(0, 0.5)?;
    /// session.tell(1, Paid { reward: 0.25, took: Some(4.0) })?;
    /// // The map says 0 beyond the visit; the drive took 3.
    /// assert_eq!(session.graph().travel(0, 1), Some(1.5));
    /// assert_eq!(session.clock().now().0, 5.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the node does not exist or is not a neighbour, the reward is not finite or the time is
    /// invalid.
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
        self.spending(&spent, |session| {
            let rewards = [paid];
            let mut payer = Told::of(&rewards);
            if is_as_ordered {
                session.trajectory.advance(1, &mut payer, &mut ()).map(|_made| ())
            } else {
                session.trajectory.go(node, &mut payer, &mut ())
            }
        })?;
        self.see_awaited(node);
        Ok(())
    }

    /// Checks the times of steps to these nodes, in order. Returns how much longer than one unit
    /// the visits without a move took.
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

    /// Makes a visit after the time that it took beyond one unit has passed, so that the agent
    /// observes it at the time at which it ended. If the visit is not made, no time has passed.
    fn spending<T>(
        &mut self,
        spent: &[f64],
        visit: impl FnOnce(&mut Self) -> Result<T, LegError>,
    ) -> Result<T, LegError> {
        let before = *self.clock();
        let (_, walker) = self.trajectory.parts();
        for &time in spent {
            walker.spend(time);
        }
        let made = visit(self);
        if self.clock().visits() == before.visits() {
            let (_, walker) = self.trajectory.parts();
            walker.take_back_to(before);
        }
        made
    }

    /// Records `rewards` for the next visits of the current leg, in order, as if told one by one.
    /// If there are fewer rewards than visits, the leg continues. If the agent
    /// [cuts](crate::Agent::cuts) the leg, the other rewards still count: those visits were made.
    ///
    /// # Errors
    /// When there are more rewards than visits or one is not finite.
    pub fn tell_leg(&mut self, rewards: &[f64]) -> Result<(), TellError> {
        self.told_leg(rewards)
    }

    /// Like [`tell_leg`](Self::tell_leg), with the times of steps.
    ///
    /// # Errors
    /// As for [`tell_leg`](Self::tell_leg), and when a time is invalid.
    pub fn tell_leg_timed(&mut self, paid: &[Paid]) -> Result<(), TellError> {
        self.told_leg(paid)
    }

    /// Like [`tell_leg_timed`](Self::tell_leg_timed), visit by visit: `after` is called after each, with the session
    /// and the node, and can see what the agent has learned from this visit.
    ///
    /// # Errors
    /// As for [`tell_leg_timed`](Self::tell_leg_timed).
    pub fn tell_leg_watched(
        &mut self,
        paid: &[Paid],
        mut after: impl FnMut(&Self, NodeId),
    ) -> Result<(), TellError> {
        let (nodes, _) = self.check_leg(paid)?;
        nodes.iter().zip(paid).try_for_each(|(&node, &paid)| {
            self.tell(node, paid)?;
            after(self, node);
            Ok(())
        })
    }

    fn told_leg<P: Copy + Into<Paid>>(&mut self, rewards: &[P]) -> Result<(), TellError> {
        let (nodes, spent) = self.check_leg(rewards)?;
        if !self.awaited.is_empty() || !spent.is_empty() {
            // Each visit sees the closed roads and the clock at its own time.
            let mut visits = nodes.iter().zip(rewards);
            return visits.try_for_each(|(&node, &paid)| self.tell(node, paid));
        }
        let count = rewards.len() as u64;
        let made = self.trajectory.advance(count, &mut Told::of(rewards), &mut ())?;
        // None, unless the agent cut its leg.
        let mut others = nodes.iter().zip(rewards).skip(made as usize);
        others.try_for_each(|(&node, &paid)| self.tell(node, paid))
    }

    /// Checks the rewards of the next visits of the current leg. Returns the nodes of these visits, and how much longer
    /// than one unit the visits without a move took.
    fn check_leg<P: Copy + Into<Paid>>(
        &mut self,
        rewards: &[P],
    ) -> Result<(Vec<NodeId>, Vec<f64>), TellError> {
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
        Ok((nodes, spent))
    }
}
