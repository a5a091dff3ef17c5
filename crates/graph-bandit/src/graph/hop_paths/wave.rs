//! A breadth-first search that the caller advances layer by layer, within a budget.

use super::{Graph, Hops, NodeId};

/// Neighbours that a search may still examine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Budget(usize);

impl Budget {
    pub(crate) const ENDLESS: Self = Self(usize::MAX);

    pub(super) fn new(neighbors: usize) -> Self {
        Self(neighbors)
    }

    /// `None` if the budget is too small.
    #[inline]
    pub(super) fn spend(&mut self, neighbors: usize) -> Option<()> {
        self.0 = self.0.checked_sub(neighbors)?;
        Some(())
    }

    /// The amount spent of an endless budget.
    pub(super) fn spent_of_endless(self) -> usize {
        usize::MAX - self.0
    }
}

/// A search and its outermost layer.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wave {
    hops: Hops,
    /// Where the outermost layer begins among the nodes reached.
    layer: usize,
    radius: u32,
}

impl Wave {
    /// Starts again with the sources as the outermost layer.
    pub(crate) fn begin(&mut self, graph: &Graph, sources: &[NodeId]) {
        self.hops.forget(graph.len());
        for &source in sources {
            self.hops.reach(source, 0);
        }
        (self.layer, self.radius) = (0, 0);
    }

    /// Adds a layer; `None` if the budget is spent or there is nothing to add.
    pub(crate) fn grow(&mut self, graph: &Graph, budget: &mut Budget) -> Option<()> {
        let layer = self.layer..self.hops.reached().len();
        (self.layer, self.radius) = (layer.end, self.radius + 1);
        for place in layer {
            let row = graph.neighborhood(self.hops.reached()[place]);
            budget.spend(row.len())?;
            for &neighbor in row {
                self.hops.reach(neighbor, self.radius);
            }
        }
        (!self.outermost().is_empty()).then_some(())
    }

    /// The nodes farthest from the sources so far.
    pub(crate) fn outermost(&self) -> &[NodeId] {
        &self.hops.reached()[self.layer..]
    }

    /// Their distance.
    pub(super) fn radius(&self) -> u32 {
        self.radius
    }

    /// Hops from the sources, if the search reached the node.
    #[inline]
    pub(super) fn distance(&self, node: NodeId) -> Option<u32> {
        self.hops.distance(node)
    }

    /// Marks `node` as reached at `distance` if it is new.
    pub(super) fn reach(&mut self, node: NodeId, distance: u32) -> bool {
        self.hops.reach(node, distance)
    }
}
