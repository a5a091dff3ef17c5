//! Edges and roads that close and open.
//!
//! An edge leads both ways and closes in both. A road closes alone, or together with its opposite.

use super::event::Directions;
use super::live::Live;
use super::{Ends, EventError, Spoken};
use graph_bandit::{ChangeError, ClosureRates, Edge, Footing, Graph, NodeId};

impl Live {
    /// Closes an edge or a road, for now if it is expected to reopen.
    pub(super) fn close(
        &mut self,
        edge: Edge,
        directions: Directions,
        reopening_rate: Option<f64>,
    ) -> Result<(), EventError> {
        let rate = reopening_rate.unwrap_or(0.0);
        if let Err(error) = ClosureRates::new(0.0, rate) {
            return Err(EventError::ReopeningRate(error));
        }
        if let Some(roads) = self.both_ways(edge, directions)? {
            let open: Vec<Edge> =
                roads.into_iter().filter(|road| !self.blocked().contains(road)).collect();
            if rate == 0.0 {
                self.check_parts(&open)?;
            }
            return self
                .each(edge, "blocked", &open, |live, road| live.session.close_for_now(road, rate));
        }
        let closed = self.session.close_for_now(edge, rate);
        closed.map_err(|error| self.refuses_edge(error))
    }

    /// Opens a closed edge or road.
    pub(super) fn open(&mut self, edge: Edge, directions: Directions) -> Result<(), EventError> {
        if let Some(roads) = self.both_ways(edge, directions)? {
            let closed: Vec<Edge> =
                roads.into_iter().filter(|road| self.blocked().contains(road)).collect();
            return self.each(edge, "open", &closed, |live, road| live.session.open(road));
        }
        let opened = self.session.open(edge);
        opened.map_err(|error| self.refuses_edge(error))
    }

    /// The roads between two nodes, if both directions are meant; none if the graph has edges.
    fn both_ways(
        &self,
        (a, b): Edge,
        directions: Directions,
    ) -> Result<Option<Vec<Edge>>, EventError> {
        let map = self.graph();
        if directions == Directions::One || map.roads().is_none() {
            return Ok(None);
        }
        let roads: Vec<Edge> =
            [(a, b), (b, a)].into_iter().filter(|road| has(map, *road)).collect();
        if roads.is_empty() {
            return Err(EventError::NoSuchEdge { edge: Ends::of(map, (a, b)) });
        }
        Ok(Some(roads))
    }

    /// Changes these roads between two nodes; refuses if there is none to change.
    fn each(
        &mut self,
        between: Edge,
        state: &'static str,
        roads: &[Edge],
        change: impl Fn(&mut Self, Edge) -> Result<(), ChangeError>,
    ) -> Result<(), EventError> {
        let Some((&first, others)) = roads.split_first() else {
            return Err(EventError::EdgeUnchanged { edge: Ends::of(self.graph(), between), state });
        };
        change(self, first).map_err(|error| self.refuses_edge(error))?;
        // The first road was accepted, so a refusal now leaves half of the change done.
        others.iter().try_for_each(|&road| change(self, road)).map_err(EventError::failed)
    }

    /// Refuses to close several roads if the last one would be refused, before anything changes.
    fn check_parts(&self, roads: &[Edge]) -> Result<(), EventError> {
        let map = self.graph();
        if roads.len() < 2 || self.footing()? != Footing::SameNodes {
            return Ok(());
        }
        let is_left = |road: &Edge| !roads.contains(road) && !self.blocked().contains(road);
        let left = map.all_roads().filter(|road| is_left(&(road.from, road.to)));
        let Err(graph_bandit::GraphError::NotStronglyConnected { parts, .. }) =
            Graph::from_roads(map.len(), left)
        else {
            return Ok(());
        };
        let cut_off = parts.iter().map(|&(node, _)| node).find(|&node| node != 0).unwrap_or(0);
        Err(EventError::Bridge {
            edge: Ends::of(map, roads[0]),
            cut_off: Spoken::of(map, cut_off),
            from: Spoken::of(map, 0),
            agent: self.definition.agent.name(),
        })
    }

    fn footing(&self) -> Result<Footing, EventError> {
        let agent = self.definition.agent.build(self.graph()).map_err(EventError::failed)?;
        Ok(agent.footing())
    }

    fn refuses_edge(&self, error: ChangeError) -> EventError {
        EventError::of_change(self.graph(), self.definition.agent.name(), error)
    }
}

/// Whether the map has this road.
pub(super) fn has(map: &Graph, (from, to): (NodeId, NodeId)) -> bool {
    from != to && (from.max(to) as usize) < map.len() && map.allows(from, to)
}
