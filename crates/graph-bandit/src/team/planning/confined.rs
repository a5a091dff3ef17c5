//! Where walkers that are confined to some nodes belong: one seat for each, at the highest total.
//!
//! A node has one seat per walker, worth what one more walker there adds. If shares are concave and
//! values are not negative, seats of a node are worth less and less, so a best matching takes them
//! in order, and its total is what the allocation pays. Of `M` walkers, at most `M - 1` others take
//! a seat. So each walker needs only the `M` best seats of its nodes, whatever the size of the graph.

use super::assignment::{Matching, MatchingError};
use crate::graph::NodeId;
use crate::team::Sharing;
use std::collections::BTreeSet;

/// The seats of walkers that are confined to some nodes.
#[derive(Debug, Clone, PartialEq)]
pub struct ConfinedSeats {
    /// The node of each walker.
    pub places: Vec<NodeId>,
    /// What all of them get per step.
    pub value: f64,
}

/// Gives each walker a seat on a node where it may be, at the highest total. `may_be` says whether a
/// walker may be on a node; at most `seats` walkers may be on one node.
///
/// It is exact for concave shares and values of at least 0, and a heuristic otherwise.
///
/// # Errors
/// When some walkers have fewer seats than there are such walkers.
///
/// # Complexity
/// O(M n log M + M^4) for M walkers and n nodes.
pub fn confined_seats(
    sharing: &Sharing,
    values: &[f64],
    seats: usize,
    (walkers, may_be): (usize, impl Fn(usize, NodeId) -> bool),
) -> Result<ConfinedSeats, MatchingError> {
    let seats = seats.min(walkers).min(sharing.walkers());
    let worth = |node: NodeId, seat: usize| sharing.marginal(node, seat) * values[node as usize];
    let mut columns: BTreeSet<(NodeId, usize)> = BTreeSet::new();
    for walker in 0..walkers {
        let nodes = (0..values.len() as NodeId).filter(|&node| may_be(walker, node));
        let mut best: Vec<(NodeId, usize)> =
            nodes.flat_map(|node| (0..seats).map(move |seat| (node, seat))).collect();
        let by_worth = |a: &(NodeId, usize), b: &(NodeId, usize)| {
            worth(b.0, b.1).total_cmp(&worth(a.0, a.1)).then(a.cmp(b))
        };
        if best.len() > walkers {
            best.select_nth_unstable_by(walkers - 1, by_worth);
            best.truncate(walkers);
        }
        columns.extend(best);
    }
    let columns: Vec<(NodeId, usize)> = columns.into_iter().collect();
    let mut costs = Vec::with_capacity(walkers * columns.len());
    for walker in 0..walkers {
        costs.extend(columns.iter().map(|&(node, seat)| {
            if may_be(walker, node) { -worth(node, seat) } else { f64::INFINITY }
        }));
    }
    if columns.is_empty() {
        return Err(MatchingError::Impossible { row: 0 });
    }
    let mut matching = Matching::default();
    let found = matching.find(columns.len(), &costs)?;
    let places = found.iter().map(|&column| columns[column as usize].0).collect();
    Ok(ConfinedSeats { places, value: -matching.total() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Seed;

    /// The best of all choices of a node for each walker.
    fn brute_force(sharing: &Sharing, values: &[f64], seats: usize, allowed: &[Vec<bool>]) -> f64 {
        fn place(
            walker: usize,
            counts: &mut [usize],
            (sharing, values): (&Sharing, &[f64]),
            (seats, allowed): (usize, &[Vec<bool>]),
        ) -> f64 {
            if walker == allowed.len() {
                let pay = |(node, count): (usize, &usize)| {
                    sharing.multiple(node as NodeId, *count) * values[node]
                };
                return counts.iter().enumerate().map(pay).sum();
            }
            let mut best = f64::NEG_INFINITY;
            for node in 0..values.len() {
                if allowed[walker][node] && counts[node] < seats {
                    counts[node] += 1;
                    let found = place(walker + 1, counts, (sharing, values), (seats, allowed));
                    best = best.max(found);
                    counts[node] -= 1;
                }
            }
            best
        }
        place(0, &mut vec![0; values.len()], (sharing, values), (seats, allowed))
    }

    #[test]
    fn as_good_as_all_choices() {
        let mut stream = Seed(8).stream();
        let (mut solved, mut impossible) = (0, 0);
        for _ in 0..400 {
            let walkers = 1 + stream.below(4) as usize;
            let nodes = 1 + stream.below(6) as usize;
            let values: Vec<f64> = (0..nodes).map(|_| stream.below(8) as f64 / 4.0).collect();
            let exponent = stream.unit();
            let share = |count: usize| libm::pow(count as f64, exponent);
            let sharing = Sharing::same(walkers, share).unwrap();
            let seats = 1 + stream.below(3) as usize;
            let allowed: Vec<Vec<bool>> =
                (0..walkers).map(|_| (0..nodes).map(|_| stream.unit() < 0.6).collect()).collect();
            let best = brute_force(&sharing, &values, seats, &allowed);
            let may_be = |walker: usize, node: NodeId| allowed[walker][node as usize];
            match confined_seats(&sharing, &values, seats, (walkers, may_be)) {
                Ok(found) => {
                    assert!((found.value - best).abs() < 1e-9, "{} {best}", found.value);
                    let fits = |(walker, &node): (usize, &NodeId)| may_be(walker, node);
                    assert!(found.places.iter().enumerate().all(fits));
                    solved += 1;
                }
                Err(MatchingError::Impossible { .. }) => {
                    assert_eq!(best, f64::NEG_INFINITY);
                    impossible += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(solved > 100 && impossible > 50, "{solved} {impossible}");
    }
}
