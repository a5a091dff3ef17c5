//! The instances of the sequel, "Cooperative Multi-Agent Graph Bandits" (Paschalidis, Zhang and Li,
//! 2024): its two graphs, their means, and how its nodes share.

use graph_bandit::graph::{FamilyError, Graph, NodeId, SelfPlace, Size};
use graph_bandit::spec::{FamilyEntry, MeansEntry, ShareEntry, SpecError};

/// An instance of the sequel's program: data that is part of this crate.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) nodes: usize,
    edges: &'static str,
    means: &'static str,
}

pub(crate) static SMALL: Instance = Instance {
    nodes: 100,
    edges: include_str!("../data/reference/teams/er100-5.edges.csv"),
    means: include_str!("../data/reference/teams/er100-5.means.csv"),
};
pub(crate) static LARGE: Instance = Instance {
    nodes: 300,
    edges: include_str!("../data/reference/teams/er300-20.edges.csv"),
    means: include_str!("../data/reference/teams/er300-20.means.csv"),
};

/// What the sequel's program takes for the reward per step of the best allocation on `er300-20`.
pub const STATED_OPTIMUM: f64 = 14.680_342_261_842_256;

impl Instance {
    /// The ends of every edge.
    fn edges(&self) -> impl Iterator<Item = (NodeId, NodeId)> + use<'_> {
        let ends = |line: &str| {
            let (from, to) = line.split_once(',')?;
            Some((from.trim().parse().ok()?, to.trim().parse().ok()?))
        };
        self.edges.lines().filter_map(ends)
    }

    fn size(&self) -> Size {
        Size { nodes: self.nodes, edges: self.edges().count() }
    }

    pub(crate) fn graph(&self) -> Result<Graph, FamilyError> {
        Ok(Graph::from_edges(self.nodes, self.edges())?)
    }

    pub(crate) fn means(&self) -> Vec<f64> {
        self.means.trim().split(',').filter_map(|mean| mean.trim().parse().ok()).collect()
    }

    fn means_on(&self, nodes: usize) -> Result<Vec<f64>, SpecError> {
        let means = self.means();
        let given = means.len();
        if given == nodes { Ok(means) } else { Err(SpecError::WrongNumberOfMeans { given, nodes }) }
    }
}

const ABOUT_GRAPH: &str = "A random graph from the program of Paschalidis, Zhang and Li (2024), \
    copied edge by edge. `er100-5` has 100 nodes and is for 5 walkers; `er300-20` has 300 nodes \
    and is for 20. Every pair of nodes was joined with probability 0.05. Use the graph with the \
    means of the same name, the noise `gaussian:0.06` and the share `sequel`.";
const ABOUT_MEANS: &str = "The means that belong to the graph of the same name: one per node, \
    from 0.25 to 0.75, the same in every run.";

pub(crate) static SMALL_GRAPH: FamilyEntry = FamilyEntry {
    name: "er100-5",
    summary: "the sequel's graph of 100 nodes for 5 walkers",
    about: ABOUT_GRAPH,
    example: "er100-5",
    separator: 'x',
    parameters: &[],
    size: |_values| SMALL.size(),
    check: |_values| Ok(()),
    build: |_values, _seed| SMALL.graph(),
    program_self_place: SelfPlace::Ascending,
};
pub(crate) static LARGE_GRAPH: FamilyEntry = FamilyEntry {
    name: "er300-20",
    summary: "the sequel's graph of 300 nodes for 20 walkers",
    about: ABOUT_GRAPH,
    example: "er300-20",
    separator: 'x',
    parameters: &[],
    size: |_values| LARGE.size(),
    check: |_values| Ok(()),
    build: |_values, _seed| LARGE.graph(),
    program_self_place: SelfPlace::Ascending,
};

pub(crate) static SMALL_MEANS: MeansEntry = MeansEntry {
    name: "er100-5",
    summary: "the means of the sequel's graph of 100 nodes",
    about: ABOUT_MEANS,
    example: "er100-5",
    parameters: &[],
    ends: |_values| (0.25, 0.75),
    draw: |_values, nodes, _run| SMALL.means_on(nodes),
    over_time: None,
};
pub(crate) static LARGE_MEANS: MeansEntry = MeansEntry {
    name: "er300-20",
    summary: "the means of the sequel's graph of 300 nodes",
    about: ABOUT_MEANS,
    example: "er300-20",
    parameters: &[],
    ends: |_values| (0.25, 0.75),
    draw: |_values, nodes, _run| LARGE.means_on(nodes),
    over_time: None,
};

/// How much walkers on the nodes of the sequel's figures lose to each other.
const BEND: f64 = 0.05;

/// `ln(1 + a b c) / ln(1 + a b)` with `a = 0.05` and `b = 2 + node`.
pub(crate) fn share_of(node: NodeId, count: usize) -> f64 {
    let bend = BEND * (2.0 + f64::from(node));
    libm::log1p(bend * count as f64) / libm::log1p(bend)
}

pub(crate) static SHARE: ShareEntry = ShareEntry {
    name: "sequel",
    summary: "the share in the paper on teams: each node has its own",
    about: "Together, c walkers on node k earn f(c) = ln(1 + 0.05 b c) / ln(1 + 0.05 b) times its \
        reward, with b = 2 + k (Paschalidis, Zhang and Li, 2024, Section V). The higher the number \
        of a node, the less each further walker adds there.",
    example: "sequel",
    parameters: &[],
    share: |_values| Box::new(|count| share_of(0, count)),
    by_node: Some(|_values| Box::new(share_of)),
};

#[cfg(test)]
mod tests {
    use super::*;
    use graph_bandit::spec::ShareSpec;

    #[test]
    fn instances_are_complete() {
        for (instance, edges) in [(&SMALL, 267), (&LARGE, 2_296)] {
            assert_eq!(instance.size().edges, edges);
            let graph = instance.graph().unwrap();
            assert_eq!((graph.len(), graph.edge_count()), (instance.nodes, edges));
            let means = instance.means();
            assert_eq!(means.len(), instance.nodes);
            assert!(means.iter().all(|mean| (0.25..=0.75).contains(mean)));
            assert!(instance.means_on(7).is_err());
        }
    }

    #[test]
    fn shares_by_hand() {
        crate::register().unwrap();
        let spec: ShareSpec = "sequel".parse().unwrap();
        let sharing = spec.sharing_of(2, 100).unwrap();
        assert_eq!(sharing.row(7)[..2], [0.0, 1.0]);
        assert!((sharing.row(8)[2] - libm::log(2.0) / libm::log(1.5)).abs() < 1e-12);
        assert!(spec.sharing(2).is_err(), "its shares differ by node");
    }
}
