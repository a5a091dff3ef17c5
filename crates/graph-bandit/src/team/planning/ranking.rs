//! Nodes in order of value, kept from one plan to the next.
//!
//! Few values change from plan to plan. Their nodes are taken out, sorted, and merged again.

use crate::graph::NodeId;

/// The order of nodes by value, highest first; of equal values, the lowest node first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ranking {
    order: Vec<NodeId>,
    /// The value of each node, as bits that sort against values.
    keys: Vec<u64>,
    /// The same for the nodes whose value did not change, in order.
    kept_keys: Vec<u64>,
    /// The nodes whose value changed, and for each node, 0 if it is one of them, else 1.
    changed: Vec<(u64, NodeId)>,
    is_same: Vec<u8>,
    /// The nodes whose value changed in order, and where they belong among the others.
    sorted: Vec<(u64, NodeId)>,
    places: Vec<usize>,
}

/// Up to this many nodes are sorted by counting.
const FEW: usize = 64;

impl Ranking {
    /// Orders the nodes by these values; none of them is NaN.
    ///
    /// # Complexity
    /// O(n + c log n + c n) if c of n values changed, of which the last part is moving bytes: it is
    /// meant for small graphs.
    pub(crate) fn update(&mut self, values: &[f64]) {
        let nodes = values.len();
        if self.order.len() != nodes {
            // Bits of NaN, which no value has: all values count as changed.
            self.keys = vec![u64::MAX; nodes];
            self.order = (0..nodes as NodeId).collect();
            self.changed = vec![(0, 0); nodes + 1];
            self.is_same = vec![1; nodes];
            self.kept_keys = vec![0; nodes];
        }
        // Which values changed is unpredictable, so there are no branches. Slices of the same length
        // save comparisons of places with it.
        let (mut changed, list) = (0, &mut self.changed[..=nodes]);
        let (keys, is_same) = (&mut self.keys[..nodes], &mut self.is_same[..nodes]);
        for node in 0..nodes {
            let new = bits(values[node]);
            let same = new == keys[node];
            list[changed] = (new, node as NodeId);
            changed += usize::from(!same);
            (keys[node], is_same[node]) = (new, u8::from(same));
        }
        let changed = &mut list[..changed];
        if changed.is_empty() {
            return;
        }
        let mut kept = 0;
        let (order, kept_keys) = (&mut self.order[..nodes], &mut self.kept_keys[..nodes]);
        for place in 0..nodes {
            let node = order[place];
            let (key, is_same) = (keys[node as usize], is_same[node as usize]);
            (order[kept], kept_keys[kept]) = (node, key);
            kept += usize::from(is_same);
        }
        let changed = if sort_by_counting(changed, &mut self.sorted) {
            &self.sorted[..]
        } else {
            changed.sort_unstable();
            changed
        };
        // First all places, which do not depend on each other, then all moves.
        self.places.clear();
        let (order, keys) = (&self.order[..kept], &self.kept_keys[..kept]);
        self.places.extend(changed.iter().map(|&(new, node)| {
            let mut place = keys.partition_point(|key| *key < new);
            while place < kept && keys[place] == new && order[place] < node {
                place += 1;
            }
            place
        }));
        // From the last place on, so that nothing is overwritten before it is read.
        for (before, (&(_, node), &place)) in changed.iter().zip(&self.places).enumerate().rev() {
            self.order.copy_within(place..kept, place + before + 1);
            self.order[place + before] = node;
            kept = place;
        }
    }

    /// The nodes in order.
    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.order.iter().copied()
    }
}

/// Sorts a few keys, each with a node; false if there are too many, or if two are almost the same.
///
/// Which of two keys is lower is unpredictable, so each key is compared with all others, without
/// branches, by half of its bits: processors compare several numbers of 32 bits at once.
fn sort_by_counting(keys: &[(u64, NodeId)], sorted: &mut Vec<(u64, NodeId)>) -> bool {
    if keys.len() > FEW {
        return false;
    }
    debug_assert!(!keys.is_empty(), "the caller has nothing to sort then");
    // The others are not lower than any.
    let mut halves = [i32::MAX; FEW];
    for (half, &(key, _)) in halves.iter_mut().zip(keys) {
        // With a sign, as processors compare.
        *half = ((key >> 32) as u32 ^ (1 << 31)).cast_signed();
    }
    let others = &halves[..keys.len().next_multiple_of(8)];
    sorted.clear();
    sorted.resize(keys.len(), (0, 0));
    let mut taken = 0_u64;
    for (&key, half) in keys.iter().zip(halves) {
        let place = others.iter().map(|other| i32::from(*other < half)).sum::<i32>();
        sorted[place as usize] = key;
        taken |= 1 << place;
    }
    // Equal halves have the same place, and another is left.
    taken == u64::MAX >> (FEW - keys.len())
}

/// Bits that sort against the values; those of 0 and -0 are the same.
#[inline]
fn bits(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    // Those of negative values sort against them already.
    if bits >> 63 == 0 { !bits & (u64::MAX >> 1) } else { bits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    #[test]
    fn nodes_are_in_order_whatever_changed() {
        let mut stream = Seed(91).stream();
        let mut ranking = Ranking::default();
        let mut values: Vec<f64> = Vec::new();
        for round in 0..2_000 {
            if round % 200 == 0 {
                values = vec![0.0; stream.below(70) as usize];
            }
            let few = stream.below(4) > 0;
            for value in &mut values {
                if !few || stream.below(9) == 0 {
                    *value = match stream.below(4) {
                        0 => -0.0,
                        1 => stream.unit() - 0.5,
                        2 => 1e9 * (stream.unit() - 0.5),
                        _ => stream.below(5) as f64 - 2.0,
                    };
                }
            }
            ranking.update(&values);
            let mut expected: Vec<NodeId> = (0..values.len() as NodeId).collect();
            let value = |node: NodeId| values[node as usize];
            expected.sort_by(|&a, &b| value(b).partial_cmp(&value(a)).unwrap().then(a.cmp(&b)));
            assert_eq!(ranking.nodes().collect::<Vec<_>>(), expected, "{values:?}");
        }
    }
}
