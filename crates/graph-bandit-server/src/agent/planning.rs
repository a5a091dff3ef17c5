//! The planning budget of a report. It is counted, not timed, so that the same reports lead to the same
//! orders on every machine.

use graph_bandit::{Graph, NodeId};

/// The planning budget of a report, in nodes and edges looked at: about 30 nanoseconds each, about six
/// seconds in all.
pub const PLANNING_PER_REPORT: u64 = 200_000_000;
/// The cost of a node on a planned path, which the log keeps.
const NODE_ON_PATH: u64 = 200;

/// How much work a plan does per node and edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cost {
    /// It looks only at the neighbours of the walker's node.
    Neighbours,
    /// It looks at all nodes and edges this many times.
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
            | "g-klucb"
            | "g-sweep" => Self::Graph(2),
            // Three times g-star, on a grid of 3,600 nodes.
            "glr-klucb" => Self::Graph(15),
            // Also the other agents for means that change, which cost no more than g-star on that grid,
            // and agents that are not known here.
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

/// How many nodes and edges a graph has, or roads if they run one way or take time.
pub(crate) fn size_of(graph: &Graph) -> u64 {
    let edges = if graph.roads().is_some() { graph.road_count() } else { graph.edge_count() };
    graph.len() as u64 + edges as u64
}

/// Whether a client still waits for the plan.
pub type GoesOn = Box<dyn Fn() -> bool + Send>;

/// The limits of planning for a report.
pub struct Planning {
    left: Option<u64>,
    goes_on: GoesOn,
}

impl Planning {
    /// Without limits.
    pub fn unlimited() -> Self {
        Self { left: None, goes_on: Box::new(|| true) }
    }

    /// Limits the work; default: no limit.
    #[must_use]
    pub fn at_most(self, work: u64) -> Self {
        Self { left: Some(work), ..self }
    }

    /// Plans only while a client waits.
    #[must_use]
    pub fn only_while(self, goes_on: GoesOn) -> Self {
        Self { goes_on, ..self }
    }

    /// Whether the budget is spent.
    pub fn is_spent(&self) -> bool {
        self.left == Some(0)
    }

    /// Whether a client still waits.
    pub(super) fn goes_on(&self) -> bool {
        (self.goes_on)()
    }

    /// Counts a plan with this many nodes on its path.
    pub(super) fn spend(&mut self, work: u64, path: usize) {
        let work = work.saturating_add((path as u64).saturating_mul(NODE_ON_PATH));
        self.left = self.left.map(|left| left.saturating_sub(work));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::Origin;

    /// A new agent must be measured before its plans can be counted.
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
            let is_for_changes = entry.origin == Origin::Changing;
            let dear = is_for_changes
                || ["ucrl2", "g-star", "g-safe", "g-horizon"].contains(&entry.about.name);
            let known = match entry.about.name {
                "glr-klucb" => cost == Cost::Graph(15),
                _ => (cost == Cost::Graph(5)) == dear,
            };
            assert!(known, "{}", entry.about.name);
        }
    }

    #[test]
    fn a_spent_budget_stays_spent() {
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
