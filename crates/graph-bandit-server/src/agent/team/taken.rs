//! The other walkers in the reasons of one: a node may have the higher bound and still be worth less to a
//! walker, because others are there or on their way.

use super::super::place::Spoken;
use super::super::{Knowledge, Taken, Why};
use super::live::LiveTeam;
use graph_bandit::team::WalkerId;
use graph_bandit::{NodeId, Phase};
use std::collections::BTreeMap;

/// How many taken nodes an answer lists.
const LISTED: usize = 10;
/// How many taken nodes, and how many walkers of each, the reason names.
const NAMED: usize = 3;

/// The other walkers, by the nodes where their orders end.
pub(super) struct Others(BTreeMap<NodeId, Vec<WalkerId>>);

impl Others {
    /// All walkers but this one.
    pub(super) fn of(team: &LiveTeam, walker: WalkerId) -> Self {
        let mut ends: BTreeMap<NodeId, Vec<WalkerId>> = BTreeMap::new();
        for &other in team.walkers().iter().filter(|&&other| other != walker) {
            if let Ok(order) = team.session.pending(other) {
                ends.entry(order.destination()).or_default().push(other);
            }
        }
        Self(ends)
    }

    /// What one more walker adds at each of these nodes, as a multiple of one reward.
    pub(super) fn shared(&self, team: &LiveTeam) -> BTreeMap<NodeId, f64> {
        let seats = team.team().and_then(|team| team.seats).unwrap_or(usize::MAX);
        let added = |(&node, there): (&NodeId, &Vec<WalkerId>)| {
            let is_full = there.len() >= seats;
            let adds = team.session.sharing().marginal(node, there.len());
            (node, if is_full { 0.0 } else { adds })
        };
        self.0.iter().map(added).collect()
    }

    /// Adds to the reasons for an order that ends on `destination` which better nodes are taken, and by whom.
    pub(super) fn explain(
        &self,
        (team, knowledge): (&LiveTeam, &Knowledge<'_>),
        (phase, destination): (Phase, NodeId),
        why: &mut Why,
    ) {
        if phase == Phase::Cover {
            return;
        }
        let is_taken = |node: NodeId| {
            node != destination
                && knowledge.may_lead_to(node)
                && knowledge.bound(node) > knowledge.bound(destination)
                && knowledge.worth(node) <= knowledge.worth(destination)
        };
        let mut taken: Vec<NodeId> =
            self.0.keys().copied().filter(|&node| is_taken(node)).collect();
        if taken.is_empty() {
            return;
        }
        // Stable: of equal bounds, the lowest number is first.
        taken.sort_by(|&a, &b| knowledge.bound(b).total_cmp(&knowledge.bound(a)));
        let named = listed(&taken, |&node| {
            let by = listed(&self.0[&node], |&other| team.spoken(other));
            format!("{} by {by}", Spoken::of(team.graph(), node))
        });
        why.reason = format!("{}; nodes with higher bounds are taken: {named}", why.reason).into();
        let listed = taken.iter().take(LISTED);
        why.taken = listed
            .map(|node| Taken { node: knowledge.known(*node), walkers: self.0[node].clone() })
            .collect();
    }
}

/// The first few, as a sentence names them: `a, b and 2 more`.
fn listed<T>(all: &[T], spoken: impl Fn(&T) -> String) -> String {
    let mut named: Vec<String> = all.iter().take(NAMED).map(spoken).collect();
    if all.len() > NAMED {
        named.push(format!("{} more", all.len() - NAMED));
    }
    match named.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => named.concat(),
    }
}
