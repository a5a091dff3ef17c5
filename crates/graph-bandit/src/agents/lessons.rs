//! Which values learn from a visit on graphs with one-way roads or travel times.

use crate::graph::{Graph, NodeId, Roads};

/// A value that learns from a visit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lesson {
    /// The value of the step, by its entry in the graph's rows.
    pub(super) entry: u32,
    /// The discount for the time the road takes.
    pub(super) discount: f64,
}

/// For every node, the values of all steps to it.
#[derive(Debug, Clone)]
pub(super) struct Lessons {
    starts: Vec<u32>,
    lessons: Vec<Lesson>,
}

impl Lessons {
    /// The lessons of a graph with discount `gamma` per unit of time.
    pub(super) fn new(graph: &Graph, roads: &Roads, gamma: f64) -> Self {
        let mut starts = vec![0];
        let mut lessons = Vec::with_capacity(graph.row_entries());
        for node in graph.nodes() {
            let steps = roads.into(node).chain([(node, 0.0)]);
            lessons.extend(steps.filter_map(|(from, time)| {
                let entry = graph.entry(from, node)? as u32;
                Some(Lesson { entry, discount: libm::pow(gamma, time) })
            }));
            starts.push(lessons.len() as u32);
        }
        Self { starts, lessons }
    }

    /// The values that learn from a visit to `node`.
    #[inline]
    pub(super) fn of(&self, node: NodeId) -> &[Lesson] {
        let s = node as usize;
        &self.lessons[self.starts[s] as usize..self.starts[s + 1] as usize]
    }
}
