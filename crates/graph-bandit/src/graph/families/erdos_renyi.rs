//! The random graph of Gilbert (1959): every edge with the same probability.

use super::connected::{Edges, TRIES, first_connected, push_within_limit};
use super::{FamilyError, NODES, Size, in_unit};
use crate::graph::{Graph, NodeId, SelfPlace};
use crate::random::{Seed, Stream};
use crate::spec::{FamilyEntry, Number, Range};

impl Graph {
    /// `G(n, p)`: every two nodes are joined with the same probability, given that the graph is
    /// connected.
    ///
    /// # Errors
    /// When a parameter is out of range, there would be too many edges, or no draw is connected (`p
    /// = ln n / n` is enough).
    ///
    /// # Complexity
    /// O(|S| + |E|) per draw: the gaps between edges are geometric and drawn directly (Batagelj and
    /// Brandes, 2005).
    pub fn erdos_renyi(nodes: usize, probability: f64, seed: Seed) -> Result<Self, FamilyError> {
        in_unit("probability", probability)?;
        Size::of_pairs(nodes, probability).check()?;
        first_connected(nodes, seed, |stream| {
            Ok((erdos_renyi_edges(nodes, probability, stream)?, None))
        })?
        .ok_or_else(|| FamilyError::NeverConnected {
            nodes,
            what: "probability",
            given: probability,
            tries: TRIES,
            enough: enough_probability(nodes),
            formula: "ln n / n",
        })
    }
}

/// At this probability, a share of e^-1 of all large graphs is connected, so some draw is.
pub(super) fn enough_probability(nodes: usize) -> f64 {
    libm::log(nodes as f64) / nodes as f64
}

pub(super) fn erdos_renyi_edges(
    nodes: usize,
    probability: f64,
    stream: &mut Stream,
) -> Result<Edges, FamilyError> {
    let mut edges = Vec::new();
    if probability == 0.0 {
        return Ok(edges);
    }
    let log_of_gap = libm::log1p(-probability);
    // Pairs (b, a) with a < b in order; `a` runs ahead of its row and is wrapped into the next.
    let (mut a, mut b) = (0_u64, 1_u64);
    loop {
        let gap = libm::log(1.0 - stream.unit()) / log_of_gap;
        a = a.saturating_add(gap as u64);
        while a >= b && b < nodes as u64 {
            a -= b;
            b += 1;
        }
        if b >= nodes as u64 {
            return Ok(edges);
        }
        push_within_limit(&mut edges, (a as NodeId, b as NodeId))?;
        a += 1;
    }
}

const PROBABILITY: Number = Number {
    name: "probability",
    help: "The probability of each edge",
    when: "For n nodes, choose it well above ln(n) / n: most graphs are then connected. Far below, \
        none are, and the graph is refused.",
    default: None,
    range: Range::PROBABILITY,
};

pub(super) static ERDOS_RENYI: FamilyEntry = FamilyEntry {
    name: "erdos-renyi",
    summary: "random edges, each with the same probability; drawn again until connected",
    about: "Every pair of nodes is joined with the same probability, independently. If the graph \
        is not connected, it is drawn again. The seed decides the graph, \
        and all runs use the same one.",
    example: "erdos-renyi:1000,0.01",
    separator: ',',
    parameters: &[&NODES, &PROBABILITY],
    size: |values| Size::of_pairs(values.get(&NODES), values.get(&PROBABILITY)),
    check: |_values| Ok(()),
    build: |values, seed| Graph::erdos_renyi(values.get(&NODES), values.get(&PROBABILITY), seed),
    program_self_place: SelfPlace::Ascending,
};
