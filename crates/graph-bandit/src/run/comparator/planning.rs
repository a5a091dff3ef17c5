//! The best walk of an agent that knows all means over time: `F_t(s) = mu_s(t - 1) + max F`, the maximum
//! over the nodes from which `s` is entered, each at the moment it is left.
//!
//! Values are computed forwards in time, so one pass gives the best walk for every moment at once.

use super::means_ahead::MeansAhead;
use super::planning_bounds::planning_bounds;
use super::{Against, Beginning, Bounds, ComparatorError, check_roads};
use crate::graph::{Graph, NodeId};
use std::collections::VecDeque;

/// The most values to keep at once, about a gigabyte.
const MOST_VALUES: f64 = 1.28e8;

/// The value of *planning* at each of the `moments`, counted from the beginning in units of time
/// and ascending. Both bounds are the same number if all roads take whole units of time.
///
/// # Errors
/// When roads are not as mapped, a road takes too long to remember all moments, or roads take
/// fractions of a unit and your own law changes.
///
/// # Complexity
/// O(moments times roads).
pub fn planning(from: &Beginning<'_>, moments: &[u64]) -> Result<Vec<Bounds>, ComparatorError> {
    check_roads(from.world, Against::Planning)?;
    let graph = from.world.graph();
    let times = graph.roads().map_or(&[][..], |roads| roads.times());
    let longest = times.iter().copied().fold(0.0, f64::max);
    let nodes = graph.len();
    if (longest + 2.0) * nodes as f64 > MOST_VALUES {
        return Err(ComparatorError::LongRoad { time: longest, nodes });
    }
    if times.iter().any(|time| time.fract() != 0.0) {
        return planning_bounds(from, moments, longest);
    }
    Ok(exact_values(from, moments, longest as usize))
}

/// What entering a node costs in time: the values that a step may continue from.
struct Entries {
    /// The node left, and how many units before the visit.
    from: Vec<(NodeId, usize)>,
    /// Where the entries of each node begin.
    begin: Vec<usize>,
}

impl Entries {
    fn new(graph: &Graph) -> Self {
        let (mut from, mut begin) = (Vec::new(), vec![0]);
        for node in graph.nodes() {
            // Staying takes no time beyond the visit.
            from.push((node, 0));
            match graph.roads() {
                Some(roads) => {
                    from.extend(roads.into(node).map(|(from, time)| (from, time as usize)));
                }
                None => from.extend(graph.neighbors(node).map(|from| (from, 0))),
            }
            begin.push(from.len());
        }
        Self { from, begin }
    }

    fn of(&self, node: usize) -> &[(NodeId, usize)] {
        &self.from[self.begin[node]..self.begin[node + 1]]
    }
}

fn exact_values(from: &Beginning<'_>, moments: &[u64], longest: usize) -> Vec<Bounds> {
    let graph = from.world.graph();
    let entries = Entries::new(graph);
    let mut means = MeansAhead::new(from.world);
    let mut first = vec![f64::NEG_INFINITY; graph.len()];
    first[from.at as usize] = 0.0;
    // The latest values first, back to as long ago as the longest road takes.
    let mut past = VecDeque::from([first]);
    let mut unit = 0;
    // On roads, a walker may still be on its way, so the best of all earlier moments counts.
    let mut best = if graph.roads().is_some() { 0.0 } else { f64::NEG_INFINITY };
    let mut values = Vec::with_capacity(moments.len());
    for &moment in moments {
        while unit < moment {
            let at = from.time.after(unit);
            let mut now =
                if past.len() > longest + 1 { past.pop_back() } else { None }.unwrap_or_default();
            now.clear();
            let mut highest = f64::NEG_INFINITY;
            for node in graph.nodes() {
                let mut before = f64::NEG_INFINITY;
                for &(left, units) in entries.of(node as usize) {
                    if let Some(then) = past.get(units) {
                        before = before.max(then[left as usize]);
                    }
                }
                let value = before + means.mean(node, at);
                highest = highest.max(value);
                now.push(value);
            }
            past.push_front(now);
            best = if graph.roads().is_some() { f64::max(best, highest) } else { highest };
            unit += 1;
        }
        let value = if moment == 0 { 0.0 } else { best };
        values.push(Bounds { low: value, high: value });
    }
    values
}
