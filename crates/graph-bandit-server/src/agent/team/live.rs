//! A team at work, and its readable state.

use super::super::{
    Curve, Definition, Directory, EventError, FoundChanges, LastVisits, NoSuchNode, NodeName,
    Positions,
};
use super::definition::{MOST_CONFINED, TeamDefinition, WalkerDefinition};
use super::numbers::{Channel, Numbers};
use super::walker::WalkerName;
use super::walkers_input::WalkerInput;
use crate::fingerprint::fingerprint;
use graph_bandit::team::{TeamSession, WalkerId};
use graph_bandit::{Edge, Estimates, Graph, MAX_VISITS, NodeId, Order, nearest_name};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tokio::sync::OnceCell;

/// The name of a walker, and what tells whether a walker that joins is the same one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownName {
    /// The name.
    pub name: String,
    /// A fingerprint of the settings with which it joined.
    pub settings: String,
}

impl KnownName {
    /// The name of a walker, if it has one.
    pub(super) fn of(walker: &WalkerDefinition) -> Option<Self> {
        let name = walker.name.clone()?;
        let settings = serde_json::to_string(walker).unwrap_or_default();
        Some(Self { name, settings: fingerprint(&settings) })
    }
}

/// A team at work. Every walker always has a leg.
pub struct LiveTeam {
    pub(super) definition: Definition,
    pub(super) directory: Directory,
    pub(in super::super) session: TeamSession,
    pub(super) curve: Curve,
    pub(super) found: FoundChanges,
    pub(in super::super) seen: LastVisits,
    /// How many records its log has.
    pub(super) sequence: u64,
    pub(super) numbers: Numbers,
    /// The names of walkers, also of those that have left.
    pub(super) names: BTreeMap<WalkerId, KnownName>,
    /// Whose numbers the last record used up, until its seal is known.
    pub(super) unsealed: Vec<Channel>,
    pub(super) positions: Arc<OnceCell<Arc<Positions>>>,
}

impl LiveTeam {
    /// Its definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The part of its definition that makes it a team.
    pub fn team(&self) -> Option<&TeamDefinition> {
        self.definition.team.as_deref()
    }

    /// Its graph, blocked edges included.
    pub fn graph(&self) -> &Arc<Graph> {
        self.session.field().map()
    }

    /// Where its nodes are drawn, computed by the first caller.
    pub(crate) fn positions(&self) -> Arc<OnceCell<Arc<Positions>>> {
        Arc::clone(&self.positions)
    }

    /// The blocked edges, each with its lower node number first; roads in their direction.
    pub fn blocked(&self) -> &BTreeSet<Edge> {
        self.session.field().closed()
    }

    /// How many records its log has.
    pub fn sequence(&self) -> u64 {
        self.sequence
    }

    /// The report numbers of its walkers.
    pub fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The walkers in the team, in the order in which they joined.
    pub fn walkers(&self) -> &[WalkerId] {
        self.session.walkers()
    }

    /// The most walkers at the same time, as long as those in the team stay as they are.
    pub fn most(&self) -> usize {
        let most = self.session.most();
        if self.session.is_confined() { most.min(MOST_CONFINED) } else { most }
    }

    /// The name of a walker, if it has one.
    pub fn name(&self, walker: WalkerId) -> Option<&str> {
        self.names.get(&walker).map(|known| known.name.as_str())
    }

    /// The sum of all rewards over time.
    pub fn rewards(&self) -> &Curve {
        &self.curve
    }

    /// The changes that its walkers found.
    pub fn found(&self) -> &FoundChanges {
        &self.found
    }

    /// All rewards.
    pub fn estimates(&self) -> &Estimates {
        self.session.estimates()
    }

    /// The number of a node.
    ///
    /// # Errors
    /// When there is no such node.
    pub fn find(&self, node: &NodeName) -> Result<NodeId, NoSuchNode> {
        self.directory.find(node, self.graph().names().unwrap_or_default())
    }

    /// The number of a walker that is in the team.
    ///
    /// # Errors
    /// When it is not.
    pub fn walker(&self, walker: &WalkerName) -> Result<WalkerId, EventError> {
        let id = self.walker_ever(walker)?;
        if self.walkers().contains(&id) { Ok(id) } else { Err(self.left(walker.clone())) }
    }

    /// The number of a walker that is or was in the team.
    ///
    /// # Errors
    /// When no walker had this number or name.
    pub fn walker_ever(&self, walker: &WalkerName) -> Result<WalkerId, EventError> {
        let id = match walker.clone().plain() {
            WalkerName::Number(id) => Some(id).filter(|&id| id < self.session.next_walker()),
            WalkerName::Name(name) => {
                self.names.iter().find(|(_, there)| there.name == name).map(|(&id, _)| id)
            }
        };
        id.ok_or_else(|| self.unknown(walker))
    }

    fn unknown(&self, walker: &WalkerName) -> EventError {
        let near = match walker {
            WalkerName::Name(name) => {
                let names = self.walkers().iter().filter_map(|&id| self.name(id));
                nearest_name(name, names).map(str::to_owned)
            }
            WalkerName::Number(_) => None,
        };
        EventError::UnknownWalker { walker: walker.clone(), near, known: self.some_walkers() }
    }

    pub(super) fn left(&self, walker: WalkerName) -> EventError {
        EventError::WalkerLeft { walker, known: self.some_walkers() }
    }

    /// Some walkers of the team, as a message names them.
    pub(super) fn some_walkers(&self) -> String {
        const SHOWN: usize = 10;
        let walkers = self.walkers();
        let spoken = |id: &WalkerId| {
            self.name(*id).map_or_else(|| id.to_string(), |name| format!("{name:?}"))
        };
        let mut shown: Vec<String> = walkers.iter().take(SHOWN).map(spoken).collect();
        match walkers.len() {
            0 => return "none".to_owned(),
            more if more > SHOWN => shown.push(format!("{} more", more - SHOWN)),
            _ => {}
        }
        shown.join(", ")
    }

    /// A walker, as a sentence names it.
    pub(super) fn spoken(&self, walker: WalkerId) -> String {
        self.name(walker).map_or_else(|| format!("walker {walker}"), |name| format!("{name:?}"))
    }

    /// A walker that wants to join, with its nodes by number.
    ///
    /// # Errors
    /// When it has no name or an impossible one, or names nodes that are not there.
    pub fn joining(&self, walker: WalkerInput) -> Result<WalkerDefinition, EventError> {
        if walker.name.is_none() {
            return Err(EventError::JoinsWithoutName);
        }
        let number = self.session.next_walker();
        let find = |node: &NodeName| self.find(node);
        walker.defined(number, self.definition.start, find).map_err(EventError::Team)
    }

    /// The walker that has joined before with this name and these settings, if there is one.
    ///
    /// # Errors
    /// When it had other settings, or has left.
    pub fn joined_before(&self, walker: &WalkerDefinition) -> Result<Option<WalkerId>, EventError> {
        let Some(known) = KnownName::of(walker) else { return Ok(None) };
        let Some((&id, there)) = self.names.iter().find(|(_, it)| it.name == known.name) else {
            return Ok(None);
        };
        if !self.walkers().contains(&id) {
            return Err(self.left(WalkerName::Name(known.name)));
        }
        if *there != known {
            return Err(EventError::OtherWalker { name: known.name });
        }
        Ok(Some(id))
    }

    /// Where a walker is.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn place(&self, walker: WalkerId) -> Result<NodeId, EventError> {
        self.session.at(walker).map_err(|_| self.left(WalkerName::Number(walker)))
    }

    /// The present order of a walker, by node number. It stays the same until its next report, unless
    /// an edge of its path is blocked.
    ///
    /// # Errors
    /// When it is not in the team.
    pub fn order(&self, walker: WalkerId) -> Result<Order<&[NodeId]>, EventError> {
        let order = self.session.pending(walker);
        let order = order.map_err(|_| self.left(WalkerName::Number(walker)))?;
        // An endless stay is as long as any agent lives.
        Ok(Order { stay: order.stay.min(MAX_VISITS), ..order })
    }

    /// Notes the seal of the last record.
    pub(crate) fn sealed(&mut self, seal: &str) {
        let channels = std::mem::take(&mut self.unsealed);
        self.numbers.seal_with(&channels, seal);
    }
}
