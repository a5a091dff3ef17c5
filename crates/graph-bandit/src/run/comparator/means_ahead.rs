//! The means of all nodes from moment to moment, looked up only when they change.

use crate::clock::Time;
use crate::graph::NodeId;
use crate::reward::Course;
use crate::world::World;

/// The mean of each node, and until when it holds.
pub(super) struct MeansAhead<'a> {
    world: &'a World,
    means: Vec<f64>,
    until: Vec<f64>,
}

impl<'a> MeansAhead<'a> {
    pub(super) fn new(world: &'a World) -> Self {
        let nodes = world.graph().len();
        Self { world, means: vec![0.0; nodes], until: vec![f64::NEG_INFINITY; nodes] }
    }

    /// The mean of a node at a moment. Moments must not decrease between calls for one node.
    #[inline]
    pub(super) fn mean(&mut self, node: NodeId, at: Time) -> f64 {
        let s = node as usize;
        if at.0 >= self.until[s] {
            self.means[s] = self.world.mean_at(node, at);
            self.until[s] = next_change(self.world, node, at);
        }
        self.means[s]
    }
}

/// When the mean of a node may change next, after this moment.
pub(crate) fn next_change(world: &World, node: NodeId, at: Time) -> f64 {
    match world.timetable() {
        Some(timetable) => timetable.track(node).next_change(at),
        None if world.law(node).course() == Course::Constant => f64::INFINITY,
        // Your own law may change at any moment.
        None => at.0,
    }
}
