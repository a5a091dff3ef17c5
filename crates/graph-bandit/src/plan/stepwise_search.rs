//! The search of [`CheapestPaths`], advanced by the caller node by node, and only over nodes that
//! the caller admits.
//!
//! Nodes come out in order of price, then of number, as in [`CheapestPaths::search`]. If every node
//! on every cheapest path to `v` is admitted, then `v` gets the cost and the next node that the
//! whole search gives it.

use super::CheapestPaths;
use crate::graph::{Graph, NodeId};

/// One expanded node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Expansion<'a> {
    pub(crate) node: NodeId,
    /// Its price: the cost that its neighbours were offered.
    pub(crate) price: f64,
    /// The neighbours that got their first offer.
    pub(crate) new: &'a [NodeId],
}

impl CheapestPaths {
    /// Starts a search from `origin`.
    pub(crate) fn begin(&mut self, graph: &Graph, origin: NodeId) {
        self.start(graph, [origin]);
    }

    /// Expands the next node; `None` if none waits. A node that got its first offer waits if
    /// `admits` accepts it and the price at which it would be expanded. A node whose turn comes is
    /// passed over if `is_on_the_way` rejects it; its own path is then final.
    #[inline]
    pub(crate) fn step(
        &mut self,
        graph: &Graph,
        entry_cost: impl Fn(NodeId) -> f64,
        admits: impl Fn(NodeId, f64) -> bool,
        mut is_on_the_way: impl FnMut(f64, NodeId) -> bool,
    ) -> Option<Expansion<'_>> {
        let (price, node) = loop {
            let (price, node) = self.pop(graph)?;
            if is_on_the_way(price, node) {
                break (price, node);
            }
        };
        let expanded = self.expand(graph, &entry_cost, node, price);
        for &neighbor in expanded.new {
            let beyond = price + entry_cost(neighbor);
            if admits(neighbor, beyond) {
                expanded.queue.push(beyond, neighbor);
            }
        }
        Some(Expansion { node, price, new: expanded.new })
    }

    /// The nodes that wait, in arbitrary order. Nodes with nothing to offer may be missing.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.queue.waiting()
    }

    /// The nodes of a search along roads whose paths are final.
    pub(crate) fn settled(&self) -> &[NodeId] {
        self.settled.members()
    }

    /// The nodes reached so far.
    pub(crate) fn reached(&self) -> &[NodeId] {
        self.reached.members()
    }
}
