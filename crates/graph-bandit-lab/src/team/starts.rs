//! Where the walkers of a team start.

use crate::error::LabError;
use crate::node_name::NodeName;
use graph_bandit::random::label;
use graph_bandit::{Graph, NodeId, Seed};

/// Where walkers start.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Starts {
    /// Each on a node drawn for every run; two may coincide.
    #[default]
    Random,
    /// On these nodes; a single one is the start of all.
    Nodes(Vec<NodeId>),
}

impl Starts {
    /// Reads `random` or nodes separated by commas, by number or name.
    ///
    /// # Errors
    /// When a node is unknown.
    pub fn parse(text: &str, graph: &Graph) -> Result<Self, LabError> {
        if text.trim() == "random" {
            return Ok(Self::Random);
        }
        let nodes: Vec<NodeName> =
            text.split(',').map(|node| NodeName::from(node.trim())).collect();
        Self::find(nodes.iter(), graph)
    }

    /// Starts on these nodes.
    ///
    /// # Errors
    /// When a node is unknown.
    pub(crate) fn find<'a>(
        nodes: impl Iterator<Item = &'a NodeName>,
        graph: &Graph,
    ) -> Result<Self, LabError> {
        let nodes: Result<Vec<NodeId>, LabError> =
            nodes.map(|node| node.find_start(graph)).collect();
        Ok(Self::Nodes(nodes.map_err(|error| match error {
            LabError::Setting { reason, .. } => {
                let reason = format!("{reason}, or random for nodes drawn for every run");
                LabError::setting("starts", reason)
            }
            other => other,
        })?))
    }

    /// The starts of one run; a walker with nodes of its own starts on one of them.
    ///
    /// # Errors
    /// When there is not one start per walker.
    pub fn of_run(
        &self,
        (walkers, allowed): (usize, &[Option<Vec<NodeId>>]),
        nodes: usize,
        run: Seed,
    ) -> Result<Vec<NodeId>, LabError> {
        match self {
            Self::Random => {
                let mut stream = run.child(label::STARTS).stream();
                let mut start = |walker: usize| match allowed.get(walker) {
                    Some(Some(own)) if !own.is_empty() => {
                        own[stream.below(own.len() as u64) as usize]
                    }
                    _ => stream.below(nodes as u64) as NodeId,
                };
                Ok((0..walkers).map(&mut start).collect())
            }
            Self::Nodes(all) => match all[..] {
                [only] => Ok(vec![only; walkers]),
                _ if all.len() == walkers => Ok(all.clone()),
                _ => {
                    let given = all.len();
                    let reason = format!(
                        "{given} starts for {walkers} walkers; give one for all, one for each, or \
                         random"
                    );
                    Err(LabError::setting("starts", reason))
                }
            },
        }
    }
}
