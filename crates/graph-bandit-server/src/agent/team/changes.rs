//! Which edges or roads a report about the map means, and what a team cannot do without.

use super::super::closing::has;
use super::super::{Directions, Ends, EventError, Spoken};
use super::definition::MOST_CONFINED;
use super::live::LiveTeam;
use graph_bandit::{ChangeError, Edge, EdgeError};

impl LiveTeam {
    /// The edges or roads that a report means, which are not in this state yet.
    pub(super) fn edges_to_change(
        &self,
        (a, b): Edge,
        directions: Directions,
        state: &'static str,
    ) -> Result<Vec<Edge>, EventError> {
        let map = self.graph();
        let refuse = |error: EdgeError| {
            let agent = self.definition.agent.name();
            EventError::of_change(map, agent, ChangeError::Edge(error))
        };
        let is_road = map.roads().is_some();
        let meant = match directions {
            Directions::Both if is_road => vec![(a, b), (b, a)],
            _ if is_road => vec![(a, b)],
            _ => vec![(a.min(b), a.max(b))],
        };
        let there: Vec<Edge> = meant.into_iter().filter(|edge| has(map, *edge)).collect();
        if there.is_empty() {
            return Err(refuse(EdgeError::NoSuchEdge { edge: (a, b) }));
        }
        let is_so = |edge: &Edge| self.blocked().contains(edge) == (state == "blocked");
        let others: Vec<Edge> = there.into_iter().filter(|edge| !is_so(edge)).collect();
        if others.is_empty() {
            return Err(EventError::EdgeUnchanged { edge: Ends::of(map, (a, b)), state });
        }
        Ok(others)
    }

    /// Refuses to cut nodes off from a large team: every walker would be confined to its part.
    pub(super) fn check_bridge(
        &self,
        edge: Edge,
        directions: Directions,
    ) -> Result<(), EventError> {
        let walkers = self.walkers().len();
        if walkers <= MOST_CONFINED {
            return Ok(());
        }
        let edges = self.edges_to_change(edge, directions, "blocked")?;
        let cut_off = self.session.cut_off_without(&edges).map_err(EventError::failed)?;
        let Some(cut_off) = cut_off else { return Ok(()) };
        let map = self.graph();
        let cut_off = Spoken::of(map, cut_off);
        Err(EventError::TeamBridge { edge: Ends::of(map, edge), cut_off, walkers })
    }
}
