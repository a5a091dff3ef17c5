//! Roads: they run one way and may take longer than a visit.
//!
//! A visit takes one unit of time, and entering a node along a road takes `1 + time`. A graph has
//! roads only if some edge leads one way or takes time; any other graph is the paper's and is
//! walked as before.

use super::{Graph, NodeId};
use serde::{Deserialize, Serialize};

/// The longest extra time that a road may take, in units of one visit.
///
/// Even if every node had such a road, the sum could still be counted exactly.
pub const MAX_TRAVEL: f64 = 134_217_728.0;

/// One road, in one direction.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Road {
    /// Where it begins.
    pub from: NodeId,
    /// Where it leads.
    pub to: NodeId,
    /// The time beyond the visit at its end, in units of one visit; the paper's roads take 0.
    pub time: f64,
}

/// The times of all roads, and the roads by their ends, as compressed rows.
#[derive(Debug, Clone, PartialEq)]
pub struct Roads {
    /// The time of every entry in the graph's rows; staying put takes none.
    pub(super) times: Vec<f64>,
    /// The same roads by their ends.
    pub(super) into: Reversed,
    /// Whether any road takes time.
    pub(super) takes_time: bool,
    /// The map's times, if the times above are beliefs.
    pub(super) mapped: Option<Mapped>,
}

/// The map's times, if other times are believed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mapped {
    /// The times of all entries in the graph's rows.
    pub(super) times: Vec<f64>,
    /// How often the believed times have changed.
    pub(super) changes: u64,
}

/// The nodes from which each node can be entered, itself excluded, as rows.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Reversed {
    pub(super) row_starts: Vec<u32>,
    pub(super) sources: Vec<NodeId>,
    pub(super) times: Vec<f64>,
}

impl Roads {
    /// The times of all entries in the graph's rows, in order ([`Graph::row`]).
    #[inline]
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// Whether any road takes longer than the visit at its end.
    pub fn take_time(&self) -> bool {
        self.takes_time
    }

    /// The nodes from which roads lead to `node`, ascending, and the time of each.
    #[inline]
    pub fn into(&self, node: NodeId) -> impl Iterator<Item = (NodeId, f64)> + '_ {
        let (sources, times) = self.row_into(node);
        sources.iter().copied().zip(times.iter().copied())
    }

    /// Like [`into`](Self::into), as two slices.
    #[inline]
    pub(crate) fn row_into(&self, node: NodeId) -> (&[NodeId], &[f64]) {
        let s = node as usize;
        let row = self.into.row_starts[s] as usize..self.into.row_starts[s + 1] as usize;
        (&self.into.sources[row.clone()], &self.into.times[row])
    }
}

impl Graph {
    /// The times and directions of the roads; `None` if every edge leads both ways and takes no
    /// time, as in the paper.
    #[inline]
    pub fn roads(&self) -> Option<&Roads> {
        self.roads.as_deref()
    }

    /// The time of the road from one node to another beyond the visit, if there is one; staying put
    /// takes none.
    #[inline]
    pub fn travel(&self, from: NodeId, to: NodeId) -> Option<f64> {
        let entry = self.entry(from, to)?;
        Some(self.roads.as_deref().map_or(0.0, |roads| roads.times[entry]))
    }

    /// The roads out of a node and the time of each, by their ends, ascending.
    pub fn roads_from(&self, node: NodeId) -> impl Iterator<Item = (NodeId, f64)> + '_ {
        let times = self.roads.as_deref().map(|roads| &roads.times[self.row(node)]);
        let entries = self.neighborhood(node).iter().copied().enumerate();
        let timed = entries.map(move |(place, to)| (to, times.map_or(0.0, |times| times[place])));
        timed.filter(move |&(to, _)| to != node)
    }

    /// All roads, by start and then by end; an edge of the paper's graphs counts as two.
    pub fn all_roads(&self) -> impl Iterator<Item = Road> + '_ {
        self.nodes().flat_map(move |from| {
            let mut out: Vec<_> = self.roads_from(from).collect();
            out.sort_unstable_by_key(|&(to, _)| to);
            out.into_iter().map(move |(to, time)| Road { from, to, time })
        })
    }

    /// Everything that can be closed: the edges, or the roads if they run one way or take time.
    pub fn closable(&self) -> Vec<(NodeId, NodeId)> {
        match self.roads {
            None => self.edges().collect(),
            Some(_) => self.all_roads().map(|road| (road.from, road.to)).collect(),
        }
    }

    /// The number of roads, each direction counted.
    pub fn road_count(&self) -> usize {
        self.rows.len() - self.len()
    }
}
