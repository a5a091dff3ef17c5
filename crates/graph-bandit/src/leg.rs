//! The leg: what an agent decides.

use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use serde::{Deserialize, Serialize};

/// A commitment: walk `path`, collecting a reward at each node entered, then collect `stay` more at
/// its end.
///
/// An agent fills in a leg instead of returning one, so that a million one-visit legs share one
/// allocation.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Leg {
    /// The nodes to enter in order, without the node the agent stands on.
    pub path: Vec<NodeId>,
    /// Further visits at the end of the path, or where the agent stands if the path is empty.
    pub stay: u64,
}

impl Leg {
    /// Makes this a leg of one visit to `node`, which is `at` or a neighbour of it.
    #[inline]
    pub fn visit_once(&mut self, at: NodeId, node: NodeId) {
        self.path.clear();
        self.stay = u64::from(node == at);
        if node != at {
            self.path.push(node);
        }
    }

    /// The number of rewards the leg collects; a stay of `u64::MAX` never ends.
    pub fn visits(&self) -> u64 {
        self.stay.saturating_add(self.path.len() as u64)
    }

    /// Where the leg ends if it starts on `at`.
    pub fn destination(&self, at: NodeId) -> NodeId {
        self.path.last().copied().unwrap_or(at)
    }

    /// The node of every visit, in order, if the leg starts on `at`.
    pub fn nodes(&self, at: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        nodes(at, &self.path, self.stay)
    }

    /// Drops all but the first `visits` visits.
    pub(crate) fn cut_after(&mut self, visits: u64) {
        self.stay = self.stay.min(visits.saturating_sub(self.path.len() as u64));
        self.path.truncate(usize::try_from(visits).unwrap_or(usize::MAX));
    }

    /// Empties the leg.
    pub(crate) fn clear(&mut self) {
        self.path.clear();
        self.stay = 0;
    }
}

/// The nodes of `path`, then its last node `stay` times, or `at` if the path is empty.
pub(crate) fn nodes(at: NodeId, path: &[NodeId], stay: u64) -> impl Iterator<Item = NodeId> + '_ {
    let end = path.last().copied().unwrap_or(at);
    path.iter().copied().chain((0..stay).map(move |_| end))
}

/// The time to walk `path` from `at`: one unit per node entered, plus the time of the roads.
pub(crate) fn travel_time(graph: &Graph, at: NodeId, path: &[NodeId]) -> f64 {
    let hops = exact(path.len() as u64);
    if graph.roads().is_none() {
        return hops;
    }
    let mut from = at;
    let mut time = 0.0;
    for &to in path {
        time += graph.travel(from, to).unwrap_or(0.0);
        from = to;
    }
    hops + time
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_the_path_and_then_its_end() {
        let leg = Leg { path: vec![4, 2], stay: 3 };
        assert_eq!(leg.nodes(5).collect::<Vec<_>>(), [4, 2, 2, 2, 2]);
        assert_eq!((leg.visits(), leg.destination(5)), (5, 2));
        let stay = Leg { path: vec![], stay: 2 };
        assert_eq!(stay.nodes(5).collect::<Vec<_>>(), [5, 5]);
        let endless = Leg { path: vec![1], stay: u64::MAX };
        assert_eq!(endless.nodes(0).take(3).collect::<Vec<_>>(), [1, 1, 1]);
        assert_eq!(endless.visits(), u64::MAX);
    }

    #[test]
    fn a_cut_keeps_the_first_visits() {
        let cut = |visits| {
            let mut leg = Leg { path: vec![4, 2], stay: 3 };
            leg.cut_after(visits);
            leg.nodes(5).collect::<Vec<_>>()
        };
        assert_eq!(cut(1), [4]);
        assert_eq!([cut(2), cut(4)], [vec![4, 2], vec![4, 2, 2, 2]]);
        assert_eq!([cut(5), cut(9)], [vec![4, 2, 2, 2, 2], vec![4, 2, 2, 2, 2]]);
    }
}
