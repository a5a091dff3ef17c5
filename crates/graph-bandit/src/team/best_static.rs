//! What the best static allocation of a team earns: the comparator of its regret.

use super::planning::{Allocator, Limits, MatchingError, Seats, confined_seats};
use super::setup::TeamSetup;
use crate::clock::Time;
use crate::graph::NodeId;
use crate::raised::Raised;
use thiserror::Error;

/// Why the best static allocation is not known.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum BestStaticError {
    /// Walkers differ, and a further walker may add more than the one before: the best allocation is hard to find.
    #[error(
        "with walkers that are confined to some nodes, the best static allocation is known only if a \
         further walker on a node never adds more than the one before; use such shares, or let all \
         walkers go everywhere"
    )]
    Shares,
    /// Walkers differ, and a mean is negative: the best allocation is hard to find.
    #[error(
        "the mean of node {name} is {mean}{}, but with walkers that are confined to some nodes, the \
         best static allocation is known only for means of at least 0; let all walkers go everywhere, \
         or raise the means",
        moment(*at)
    )]
    Negative {
        /// The node.
        node: NodeId,
        /// Its name, or its number if it has none.
        name: String,
        /// Its mean.
        mean: f64,
        /// When that is, if means change.
        at: Option<f64>,
    },
    /// A walker has no seat.
    #[error(
        "walker {walker} finds no seat on the nodes where it may be; allow more nodes or seats"
    )]
    NoSeat {
        /// The walker.
        walker: usize,
    },
    /// There is none.
    #[error("{0}")]
    None(Raised),
}

fn moment(at: Option<f64>) -> String {
    at.map_or_else(String::new, |at| format!(" at moment {at}"))
}

impl BestStaticError {
    /// The same, with the name of the node, and the moment if means change.
    #[must_use]
    pub fn named(mut self, label: impl Fn(NodeId) -> String, moment: Option<Time>) -> Self {
        if let Self::Negative { node, name, at, .. } = &mut self {
            *name = label(*node);
            *at = moment.map(|moment| moment.0).or(*at);
        }
        self
    }
}

/// Finds what the best static allocation of one team earns.
#[derive(Debug, Clone)]
pub struct BestStatic {
    setup: TeamSetup,
    /// For walkers that are all alike.
    allocator: Option<Allocator>,
}

impl BestStatic {
    /// The best static allocations of this team.
    pub fn new(setup: &TeamSetup) -> Self {
        let differ = setup.members.iter().any(|member| member.allowed.is_some());
        let allocator = (!differ).then(|| Allocator::new(setup.sharing.clone()));
        Self { setup: setup.clone(), allocator }
    }

    /// The expected reward per step of the best static allocation, if nodes have these means.
    ///
    /// # Errors
    /// When there is none, or when walkers are confined to some nodes, and shares are not concave or
    /// means are negative: then it is hard to find.
    pub fn value(&mut self, means: &[f64]) -> Result<f64, BestStaticError> {
        let setup = &self.setup;
        if let Some(allocator) = &mut self.allocator {
            let seats = setup.seats.map_or(Seats::Unlimited, Seats::Each);
            let limits = Limits { walkers: setup.sharing.walkers(), seats };
            let best = allocator.best(means, limits);
            return Ok(best.map_err(|error| BestStaticError::None(error.into()))?.value);
        }
        if !setup.sharing.is_concave() {
            return Err(BestStaticError::Shares);
        }
        if let Some((node, &mean)) = (0..).zip(means).find(|(_, mean)| **mean < 0.0) {
            let name = NodeId::to_string(&node);
            return Err(BestStaticError::Negative { node, name, mean, at: None });
        }
        let may_be = |walker: usize, node: u32| {
            setup.members[walker].allowed.as_ref().is_none_or(|allowed| allowed[node as usize])
        };
        let seats = setup.most_on_a_node();
        let found = confined_seats(&setup.sharing, means, seats, (setup.walkers(), may_be));
        let found = found.map_err(|error| match error {
            MatchingError::Impossible { row } => BestStaticError::NoSeat { walker: row },
            other => BestStaticError::None(other.into()),
        })?;
        Ok(found.value)
    }
}
