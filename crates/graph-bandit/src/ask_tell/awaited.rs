//! Roads that somebody said are closed for now, and how soon they are expected to reopen.
//!
//! Such a road stays in the graph and takes longer by the wait that is expected of it, as in runs where roads close at
//! random: `e^(-b t) / b`, so much time `t` after it was last known to be closed, if it reopens at rate `b`. So the
//! cheapest way decides between waiting and the way around. A walker at either end that has not been told that the
//! road is open sees that it is closed. No order leads into a closed road: one that would stops before it, and at its
//! beginning the walker stays for a visit and decides again.

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
    /// How often such a road reopens, per unit of time.
    rate: f64,
    /// When it was last known to be closed, by the walker's clock.
    since: f64,
    /// How long it was expected to stay so when the walker planned last.
    wait: f64,
}

/// Roads that are closed for now, as they are listed.
#[derive(Debug, Clone, Default)]
pub(super) struct AwaitedRoads(BTreeMap<Edge, Awaited>);

impl AwaitedRoads {
    pub(super) fn stored(&self) -> Vec<(NodeId, NodeId, Awaited)> {
        self.0.iter().map(|(&(a, b), &awaited)| (a, b, awaited)).collect()
    }

    /// Takes back what was stored.
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
    /// There is no way along `edge` now, and it is expected to reopen at this rate per unit of time: after `1 / rate` on
    /// average. The agent waits for it where that is cheaper than the way around. A rate of 0 is
    /// [`close`](Self::close): closed for good. Say [`open`](Self::open) when it is open again.
    ///
    /// ```
    /// use graph_bandit::{AgentSpec, AskTell, Graph, Preset, Road, SessionPlan};
    /// let roads = [(0, 1, 0.0), (1, 0, 0.0), (0, 2, 2.0), (2, 1, 2.0)];
    /// let graph = Graph::from_roads(3, roads.map(|(from, to, time)| Road { from, to, time }))?;
    /// let agent = AgentSpec::parse("direct-sp", Preset::Paper)?.build(&graph)?;
    /// let mut session = AskTell::new(graph, agent, SessionPlan::default())?;
    /// session.tell(0, 0.5)?;
    /// session.close_for_now((0, 1), 0.25)?;
    /// // To wait is expected to take 4, and the way around takes 4 and a visit more.
    /// assert_eq!(session.ask()?.node, 0);
    /// session.open((0, 1))?;
    /// assert_eq!(session.ask()?.node, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the rate cannot be, there is no such edge, it is closed already, or the agent cannot go on with other
    /// edges. Nothing changes then.
    pub fn close_for_now(&mut self, edge: Edge, reopening_rate: f64) -> Result<(), ChangeError> {
        let rates = ClosureRates::new(0.0, reopening_rate)?;
        if rates.reopening() == 0.0 {
            return self.close(edge);
        }
        let edge = self.open_edge(edge)?;
        let since = self.clock().now().0;
        let wait = rates.expected_wait(0.0);
        // Who cannot go on with other edges says so before anything has changed.
        let (field, walker) = self.trajectory.parts();
        walker.change_graph(field.graph())?;
        self.awaited.0.insert(edge, Awaited { rate: reopening_rate, since, wait });
        expect(field, edge, wait);
        Ok(walker.change_graph(field.graph())?)
    }

    /// All edges that are closed, for good or for now.
    pub fn closed(&self) -> Cow<'_, BTreeSet<Edge>> {
        let for_good = self.field().closed();
        if self.awaited.0.is_empty() {
            return Cow::Borrowed(for_good);
        }
        Cow::Owned(for_good.iter().chain(self.awaited.0.keys()).copied().collect())
    }

    /// The rate at which a closed edge is expected to reopen, if somebody said so.
    pub fn reopening_rate(&self, edge: Edge) -> Option<f64> {
        self.awaited.0.get(&self.field().as_listed(edge)).map(|awaited| awaited.rate)
    }

    /// Refuses to close for good what is closed for now.
    pub(super) fn check_not_awaited(&self, edge: Edge) -> Result<(), EdgeError> {
        let edge = self.field().as_listed(edge);
        if self.awaited.contains(edge) { Err(EdgeError::AlreadyClosed { edge }) } else { Ok(()) }
    }

    /// Opens an edge that is closed for now; answers whether it was.
    pub(super) fn open_awaited(&mut self, edge: Edge) -> Result<bool, ChangeError> {
        let edge = self.field().as_listed(edge);
        if !self.awaited.contains(edge) {
            return Ok(false);
        }
        let (field, walker) = self.trajectory.parts();
        walker.change_graph(field.graph())?;
        self.awaited.0.remove(&edge);
        expect(field, edge, 0.0);
        // As one that is resumed now would have it: with roads only where more is known of them than the map says.
        field.believe_anew()?;
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

    /// The walker is on `node` now: of the roads that begin or end there, those that are closed are so still. A fact of
    /// where it has been, whoever planned in between.
    pub(super) fn see_awaited(&mut self, node: NodeId) {
        let Time(now) = self.clock().now();
        for (&(from, to), awaited) in &mut self.awaited.0 {
            if from == node || to == node {
                awaited.since = now;
            }
        }
    }

    /// Brings what is expected of closed roads up to now: the walker plans.
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

    /// Cuts the leg before the first closed road on its way.
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

/// An edge that leads both ways is closed in both.
fn expect(field: &mut Field, (a, b): Edge, wait: f64) {
    field.expect_wait((a, b), wait);
    if field.map().roads().is_none() {
        field.expect_wait((b, a), wait);
    }
}

fn wait_after(rate: f64, since: f64) -> f64 {
    match ClosureRates::new(0.0, rate) {
        Ok(rates) => rates.expected_wait(since.max(0.0)),
        // Only a defect could have let it in.
        Err(_) => 0.0,
    }
}

impl From<ClosureError> for ChangeError {
    fn from(error: ClosureError) -> Self {
        Self::Rate(error)
    }
}
