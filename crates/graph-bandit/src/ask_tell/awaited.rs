//! Roads reported as closed for now, and when they are expected to reopen.
//!
//! Such a road stays in the graph and takes longer by its expected wait, as in runs where roads
//! close at random: `e^(-b t) / b`, where `b` is its reopening rate and `t` the time since it was
//! last known to be closed. The cheapest path thus chooses between waiting and a detour. A walker
//! at either end sees that the road is still closed unless it was told otherwise. No order enters a
//! closed road: a leg stops before it, and at its beginning the walker stays for a visit and
//! decides again.

use super::{AskTell, StateError};
use crate::clock::Time;
use crate::closures::{ClosureError, ClosureRates};
use crate::field::{Edge, EdgeError, Field};
use crate::graph::NodeId;
use crate::trajectory::ChangeError;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A road that is closed for now.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Awaited {
    /// Its reopening rate, per unit of time.
    rate: f64,
    /// When it was last known to be closed, on the walker's clock.
    since: f64,
    /// The expected wait when the walker last planned.
    wait: f64,
}

/// Roads that are closed for now, in listed form.
#[derive(Debug, Clone, Default)]
pub(super) struct AwaitedRoads(BTreeMap<Edge, Awaited>);

impl AwaitedRoads {
    pub(super) fn stored(&self) -> Vec<(NodeId, NodeId, Awaited)> {
        self.0.iter().map(|(&(a, b), &awaited)| (a, b, awaited)).collect()
    }

    /// Restores what was stored.
    pub(super) fn recalled(
        field: &mut Field,
        stored: &[(NodeId, NodeId, Awaited)],
    ) -> Result<Self, StateError> {
        let mut roads = Self::default();
        for &(a, b, awaited) in stored {
            let edge = field.existing((a, b))?;
            let Awaited { rate, since, wait } = awaited;
            let is_rate = ClosureRates::new(0.0, rate).is_ok() && rate > 0.0;
            let is_wait = (0.0..=1.0 / rate).contains(&wait);
            if !(is_rate && since.is_finite() && is_wait) {
                return Err(StateError::ImpossibleWait { edge, rate });
            }
            if roads.0.insert(edge, awaited).is_some() || field.closed().contains(&edge) {
                return Err(EdgeError::AlreadyClosed { edge }.into());
            }
            expect(field, edge, wait);
        }
        Ok(roads)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn contains(&self, road: Edge) -> bool {
        self.0.contains_key(&road)
    }
}

impl AskTell {
    /// Closes `edge` for now: it reopens at this rate per unit of time, after `1 / rate` on
    /// average. The agent waits for it if that is cheaper than a detour. A rate of 0 means
    /// [`close`](Self::close): closed for good. Call [`open`](Self::open) when it is open again.
    ///
    /// ```
    /// use graph_bandit::{AgentSpec, AskTell, Graph, Preset, Road, SessionPlan};
    /// let roads = [(0, 1, 0.0), (1, 0, 0.0), (0, 2, 2.0), (2, 1, 2.0)];
    /// let graph = Graph::from_roads(3, roads.map(|(from, to, time)| Road { from, to, time }))?;
    /// let agent = AgentSpec::parse("direct-sp", Preset::Paper)?.build(&graph)?;
    /// let mut session = AskTell::new(graph, agent, SessionPlan::default())?;
    /// session.tell(0, 0.5)?;
    /// session.close_for_now((0, 1), 0.25)?;
    /// // Waiting is expected to take 4; the detour takes 4 and one more visit.
    /// assert_eq!(session.ask()?.node, 0);
    /// session.open((0, 1))?;
    /// assert_eq!(session.ask()?.node, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the rate is invalid, there is no such edge, it is already closed, or the agent cannot
    /// continue after edges change. Nothing changes then.
    pub fn close_for_now(&mut self, edge: Edge, reopening_rate: f64) -> Result<(), ChangeError> {
        let rates = ClosureRates::new(0.0, reopening_rate)?;
        if rates.reopening() == 0.0 {
            return self.close(edge);
        }
        let edge = self.open_edge(edge)?;
        let since = self.clock().now().0;
        let wait = rates.expected_wait(0.0);
        // An agent that cannot continue refuses before anything has changed.
        let (field, walker) = self.trajectory.parts();
        walker.change_graph(field.graph())?;
        self.awaited.0.insert(edge, Awaited { rate: reopening_rate, since, wait });
        expect(field, edge, wait);
        Ok(walker.change_graph(field.graph())?)
    }

    /// All closed edges, for good or for now.
    pub fn closed(&self) -> Cow<'_, BTreeSet<Edge>> {
        let for_good = self.field().closed();
        if self.awaited.0.is_empty() {
            return Cow::Borrowed(for_good);
        }
        Cow::Owned(for_good.iter().chain(self.awaited.0.keys()).copied().collect())
    }

    /// The reopening rate of an edge that is closed for now.
    pub fn reopening_rate(&self, edge: Edge) -> Option<f64> {
        self.awaited.0.get(&self.field().as_listed(edge)).map(|awaited| awaited.rate)
    }

    /// Refuses to close an edge for good that is closed for now.
    pub(super) fn check_not_awaited(&self, edge: Edge) -> Result<(), EdgeError> {
        let edge = self.field().as_listed(edge);
        if self.awaited.contains(edge) { Err(EdgeError::AlreadyClosed { edge }) } else { Ok(()) }
    }

    /// Opens an edge that is closed for now and returns whether it was.
    pub(super) fn open_awaited(&mut self, edge: Edge) -> Result<bool, ChangeError> {
        let edge = self.field().as_listed(edge);
        if !self.awaited.contains(edge) {
            return Ok(false);
        }
        let (field, walker) = self.trajectory.parts();
        walker.change_graph(field.graph())?;
        self.awaited.0.remove(&edge);
        expect(field, edge, 0.0);
        // The graph that a session resumed now would have: roads only where more is known than the
        // map says.
        field.believe_from_map()?;
        walker.change_graph(field.graph())?;
        Ok(true)
    }

    fn open_edge(&self, edge: Edge) -> Result<Edge, EdgeError> {
        let edge = self.field().existing(edge)?;
        self.check_not_awaited(edge)?;
        if self.field().closed().contains(&edge) {
            return Err(EdgeError::AlreadyClosed { edge });
        }
        Ok(edge)
    }

    /// The walker is on `node` now and sees which roads at this node are still closed. This depends
    /// only on where it has been, not on who planned in between.
    pub(super) fn see_awaited(&mut self, node: NodeId) {
        let Time(now) = self.clock().now();
        for (&(from, to), awaited) in &mut self.awaited.0 {
            if from == node || to == node {
                awaited.since = now;
            }
        }
    }

    /// Brings the expected waits up to date before the walker plans.
    pub(super) fn expect_awaited(&mut self) {
        if self.awaited.0.is_empty() {
            return;
        }
        let Time(now) = self.clock().now();
        let (field, _) = self.trajectory.parts();
        for (&road, awaited) in &mut self.awaited.0 {
            awaited.wait = wait_after(awaited.rate, now - awaited.since);
            expect(field, road, awaited.wait);
        }
    }

    /// Cuts the leg before the first closed road on its path.
    pub(super) fn stop_before_closed(&mut self) {
        if self.awaited.0.is_empty() {
            return;
        }
        let order = self.trajectory.walker().order();
        let field = self.field();
        let begins = std::iter::once(order.at).chain(order.path.iter().copied());
        let mut roads = begins.zip(order.path);
        let is_closed =
            |(from, &to): (NodeId, &NodeId)| self.awaited.contains(field.as_listed((from, to)));
        let Some(ahead) = roads.position(is_closed) else { return };
        let (_, walker) = self.trajectory.parts();
        walker.stop_after(ahead);
    }
}

/// Sets the expected wait; a two-way edge waits in both directions.
fn expect(field: &mut Field, (a, b): Edge, wait: f64) {
    field.expect_wait((a, b), wait);
    if field.map().roads().is_none() {
        field.expect_wait((b, a), wait);
    }
}

fn wait_after(rate: f64, since: f64) -> f64 {
    match ClosureRates::new(0.0, rate) {
        Ok(rates) => rates.expected_wait(since.max(0.0)),
        // Unreachable unless there is a bug: the rate was checked before.
        Err(_) => 0.0,
    }
}

impl From<ClosureError> for ChangeError {
    fn from(error: ClosureError) -> Self {
        Self::Rate(error)
    }
}
