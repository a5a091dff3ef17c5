//! The small world of Watts and Strogatz (1998): a ring with some edges moved.

use super::connected::{Edges, TRIES, first_connected};
use super::{FamilyError, NODES, Size, in_range, in_unit};
use crate::graph::{Graph, MAX_NODES, NodeId, SelfPlace};
use crate::random::{Seed, Stream};
use crate::spec::{Count, FamilyEntry, Number, Range, Values};
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, DefaultHasher};

/// The parameters of a small world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SmallWorld {
    /// The number of nodes, at least 3.
    pub nodes: usize,
    /// The number of ring neighbours each node starts with, from 2 to `nodes - 1`; an odd number is
    /// rounded down to an even one.
    pub neighbors: usize,
    /// The probability that an edge moves to a random other end.
    pub rewiring: f64,
}

impl SmallWorld {
    fn of(values: Values<'_>) -> Self {
        Self {
            nodes: values.get(&RING),
            neighbors: values.get(&NEIGHBORS),
            rewiring: values.get(&REWIRING),
        }
    }

    fn size(&self) -> Size {
        Size { nodes: self.nodes, edges: self.nodes.saturating_mul(self.neighbors / 2) }
    }

    fn check(&self) -> Result<(), FamilyError> {
        in_range("nodes", self.nodes, 3..=MAX_NODES)?;
        in_range("neighbors", self.neighbors, 2..=self.nodes - 1)?;
        self.size().check()?;
        in_unit("rewiring", self.rewiring)
    }
}

impl Graph {
    /// A ring in which each node is joined to its nearest neighbours and some edges are moved to
    /// random ends, given that the graph is connected; like networkx's
    /// `connected_watts_strogatz_graph`.
    ///
    /// # Errors
    /// When a parameter is out of range, there would be too many edges, or no draw is connected.
    ///
    /// # Complexity
    /// O(|E|) expected per draw while the graph is sparse; each moved edge takes `n / (n - k)`
    /// draws of its new end, where k is the number of neighbours.
    pub fn small_world(small_world: SmallWorld, seed: Seed) -> Result<Self, FamilyError> {
        small_world.check()?;
        first_connected(small_world.nodes, seed, |stream| {
            Ok((small_world_edges(&small_world, stream), None))
        })?
        .ok_or(FamilyError::NeverConnectedSmallWorld { small_world, tries: TRIES })
    }
}

fn small_world_edges(small_world: &SmallWorld, stream: &mut Stream) -> Edges {
    let nodes = small_world.nodes;
    let reach = small_world.neighbors / 2;
    // Ring edge (v, v + d) is at position (d - 1) * nodes + v; only moved edges need a set.
    let mut moved = vec![false; nodes * reach];
    let mut shortcuts = HashSet::<_, BuildHasherDefault<DefaultHasher>>::default();
    let mut degrees = vec![2 * reach; nodes];
    for distance in 1..=reach {
        for v in 0..nodes {
            if stream.unit() >= small_world.rewiring || degrees[v] >= nodes - 1 {
                continue;
            }
            let new_end = loop {
                let w = stream.below(nodes as u64) as usize;
                let (ahead, back) = ((w + nodes - v) % nodes, (v + nodes - w) % nodes);
                let on_ring = (1..=reach).contains(&ahead) && !moved[(ahead - 1) * nodes + v]
                    || (1..=reach).contains(&back) && !moved[(back - 1) * nodes + w];
                if w != v && !on_ring && !shortcuts.contains(&(v.min(w), v.max(w))) {
                    break w;
                }
            };
            moved[(distance - 1) * nodes + v] = true;
            degrees[(v + distance) % nodes] -= 1;
            degrees[new_end] += 1;
            shortcuts.insert((v.min(new_end), v.max(new_end)));
        }
    }
    let kept = (0..nodes * reach).filter(|&i| !moved[i]).map(|i| {
        let (v, distance) = (i % nodes, i / nodes + 1);
        (v, (v + distance) % nodes)
    });
    kept.chain(shortcuts.iter().copied()).map(|(a, b)| (a as NodeId, b as NodeId)).collect()
}

const RING: Count = Count { least: 3, ..NODES };
const NEIGHBORS: Count = Count {
    name: "neighbors",
    help: "The number of ring neighbours that each node starts with; odd numbers are rounded down",
    when: "More neighbours make the ring easier to cross.",
    default: None,
    least: 2,
    most: MAX_NODES,
};
const REWIRING: Number = Number {
    name: "rewiring",
    help: "The probability that one end of an edge moves to a random node",
    when: "With 0, the graph is a ring; with 1, it is nearly random. A few hundredths are enough \
            for short paths everywhere.",
    default: None,
    range: Range::PROBABILITY,
};

pub(super) static SMALL_WORLD: FamilyEntry = FamilyEntry {
    name: "small-world",
    summary: "a ring of near neighbours with some edges rewired; drawn again until connected",
    about: "A ring in which every node is joined to its nearest neighbours. Then some edges are \
        moved, so that they lead to random nodes (Watts and Strogatz). A few such shortcuts make \
        all paths short. If the graph is not connected, it is drawn again. The seed decides the \
        graph, and all runs use the same one.",
    example: "small-world:60,4,0.2",
    separator: ',',
    parameters: &[&RING, &NEIGHBORS, &REWIRING],
    size: |values| SmallWorld::of(values).size(),
    check: |values| SmallWorld::of(values).check(),
    build: |values, seed| Graph::small_world(SmallWorld::of(values), seed),
    program_self_place: SelfPlace::Ascending,
};
