//! How much planning one report may take: counted, not measured, so that the same reports lead to the
//! same orders on every machine.

use graph_bandit::{Graph, NodeId};

/// How much planning one report may take, in units of a node or an edge looked at: some 30
/// nanoseconds each, so some six seconds in all.
pub const PLANNING_PER_REPORT: u64 = 200_000_000;
/// What a node on a planned path costs: it is kept in the log.
const NODE_ON_PATH: u64 = 200;

/// What each node and edge costs in a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// Only the neighbours of the place are looked at.
    Neighbours,
    /// All nodes and edges, so many times.
    Graph(u64),
}

impl Cost {
    /// As measured on grids, lines and small worlds of 100 to 60,000 nodes.
    fn of(agent: &str) -> Self {
        match agent {
            "local-ucb" | "local-ts" | "ql-eps" | "ql-ucb-h" | "random" => Self::Neighbours,
            "g-ucb"
            | "g-ucb-ucrl2-bound"
            | "g-ucb-ucrl2-doubling"
            | "direct-sp"
            | "epsilon-greedy"
            | "g-ts"
            | "g-moss"
            | "g-imed"
            | "g-klucb" => Self::Graph(2),
            // And whatever is not known here.
            _ => Self::Graph(5),
        }
    }
}

/// How much work one plan is.
pub(crate) fn work_of_plan(agent: &str, graph: &Graph, at: NodeId) -> u64 {
    match Cost::of(agent) {
        Cost::Neighbours => graph.degree(at) as u64 + 1,
        Cost::Graph(times) => times * size_of(graph),
    }
}

/// How many nodes and edges a graph has, or roads where they run one way or take time.
pub(crate) fn size_of(graph: &Graph) -> u64 {
    let edges = if graph.roads().is_some() { graph.road_count() } else { graph.edge_count() };
    graph.len() as u64 + edges as u64
}

/// Whether somebody still wants what is planned.
pub type GoesOn = Box<dyn Fn() -> bool + Send>;

/// How far planning for a report goes.
pub struct Planning {
    left: Option<u64>,
    goes_on: GoesOn,
}

impl Planning {
    /// After every visit that asks for it, as long as it takes.
    pub fn unlimited() -> Self {
        Self { left: None, goes_on: Box::new(|| true) }
    }

    /// So much work; default: no limit.
    #[must_use]
    pub fn at_most(self, work: u64) -> Self {
        Self { left: Some(work), ..self }
    }

    /// Only while somebody wants it.
    #[must_use]
    pub fn only_while(self, goes_on: GoesOn) -> Self {
        Self { goes_on, ..self }
    }

    /// Whether there is nothing left to plan with.
    pub fn is_spent(&self) -> bool {
        self.left == Some(0)
    }

    /// Whether somebody still wants it.
    pub(super) fn goes_on(&self) -> bool {
        (self.goes_on)()
    }

    /// A plan was made, with so many nodes on its path.
    pub(super) fn spend(&mut self, work: u64, path: usize) {
        let work = work.saturating_add((path as u64).saturating_mul(NODE_ON_PATH));
        self.left = self.left.map(|left| left.saturating_sub(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A new agent must be measured before it is counted.
    #[test]
    fn every_agent_is_known() {
        let cheap = ["local-ucb", "local-ts", "ql-eps", "ql-ucb-h", "random"];
        for entry in graph_bandit::spec::registry().agents {
            let cost = Cost::of(entry.about.name);
            assert_eq!(
                cost == Cost::Neighbours,
                cheap.contains(&entry.about.name),
                "{}",
                entry.about.name
            );
            let dear = ["ucrl2", "g-star"].contains(&entry.about.name);
            assert_eq!(cost == Cost::Graph(5), dear, "{}", entry.about.name);
        }
    }

    #[test]
    fn what_is_spent_is_spent() {
        let mut planning = Planning::unlimited().at_most(1_000);
        planning.spend(399, 0);
        planning.spend(200, 2);
        assert!(!planning.is_spent());
        planning.spend(1, 0);
        assert!(planning.is_spent());
        planning.spend(1, usize::MAX);
        assert!(planning.is_spent());
        let mut unlimited = Planning::unlimited();
        unlimited.spend(u64::MAX, usize::MAX);
        assert!(!unlimited.is_spent() && unlimited.goes_on());
    }
}
