//! Cheapest paths, to all nodes and from one, compared to the plain method and to petgraph.

use graph_bandit::graph::SmallWorld;
use graph_bandit::plan::{CheapestPath, CheapestPaths};
use graph_bandit::{Graph, NodeId, Seed, Stream};
use petgraph::algo::dijkstra;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::visit::EdgeRef;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Dijkstra's method with a binary heap in which each node waits once: the next node and the cost.
fn plain(graph: &Graph, entry: &[f64], targets: &[NodeId]) -> (Vec<NodeId>, Vec<f64>) {
    let mut next = vec![NodeId::MAX; graph.len()];
    let mut cost = vec![f64::INFINITY; graph.len()];
    let mut queue = BinaryHeap::new();
    for &target in targets {
        if next[target as usize] == NodeId::MAX {
            next[target as usize] = target;
            cost[target as usize] = 0.0;
            queue.push(Reverse((0, target)));
        }
    }
    while let Some(Reverse((bits, node))) = queue.pop() {
        let price = f64::from_bits(bits);
        for &v in graph.neighborhood(node) {
            let (s, beyond) = (v as usize, price + entry[v as usize]);
            if next[s] == NodeId::MAX {
                next[s] = node;
                cost[s] = price;
                queue.push(Reverse((beyond.to_bits(), v)));
            } else if node < next[s] && price == cost[s] && beyond > price {
                next[s] = node;
            }
        }
    }
    (next, cost)
}

/// The cost from every node: in the direction of the search, an edge weighs its source's cost.
fn by_petgraph(graph: &Graph, entry: &[f64], targets: &[NodeId]) -> Vec<f64> {
    let edges: Vec<_> = graph.edges().collect();
    let mut same = UnGraph::<(), ()>::from_edges(edges);
    while same.node_count() < graph.len() {
        same.add_node(());
    }
    let mut least = vec![f64::INFINITY; graph.len()];
    for &target in targets {
        let found = dijkstra(&same, NodeIndex::new(target as usize), None, |edge| {
            entry[edge.source().index()]
        });
        for (node, cost) in found {
            least[node.index()] = least[node.index()].min(cost);
        }
    }
    least
}

/// Costs of few levels, with and without free nodes, real numbers, and some lost in rounding.
fn costs(kind: u64, nodes: usize, stream: &mut Stream) -> Vec<f64> {
    let mut cost = || match kind {
        0 => stream.below(2) as f64,
        1 => (1 + stream.below(4)) as f64 / 4.0,
        2 => stream.unit(),
        3 => [0.0, 0.1, 0.2, 0.3][stream.below(4) as usize],
        4 => [0.0, 1e-17, 1e-16, 0.5, 1.0][stream.below(5) as usize],
        5 => stream.unit() * [1e-300, 1e-20, 1.0, 1e20][stream.below(4) as usize],
        6 => stream.below(5) as f64 * 5e-324,
        7 => 0.0,
        _ => 0.1,
    };
    (0..nodes).map(|_| cost()).collect()
}

const KINDS: u64 = 9;

struct Check {
    stream: Stream,
    paths: CheapestPaths,
    early: CheapestPaths,
    path: CheapestPath,
    steps: usize,
}

impl Check {
    fn new(seed: u64) -> Self {
        Self {
            stream: Seed(seed).stream(),
            paths: CheapestPaths::default(),
            early: CheapestPaths::default(),
            path: CheapestPath::default(),
            steps: 0,
        }
    }

    /// One search to all nodes and `starts` single paths, for costs of one kind.
    fn check(&mut self, graph: &Graph, kind: u64, starts: usize) {
        let stream = &mut self.stream;
        let mut entry = costs(kind, graph.len(), stream);
        let mut node = || stream.below(graph.len() as u64) as NodeId;
        let targets: Vec<_> = (0..=node() % 3).map(|_| node()).collect();
        for &target in &targets {
            entry[target as usize] = 0.0;
        }
        let entry_cost = |s: NodeId| entry[s as usize];
        self.paths.search(graph, entry_cost, targets.clone(), None);
        let (next, cost) = plain(graph, &entry, &targets);
        let expected = by_petgraph(graph, &entry, &targets);
        for s in graph.nodes() {
            let at = s as usize;
            assert_eq!((self.paths.next(s), self.paths.cost(s)), (next[at], cost[at]), "{kind}");
            assert!((cost[at] - expected[at]).abs() <= 1e-10 * expected[at], "{kind}");
        }
        for _ in 0..starts {
            let from = node();
            let mut path = Vec::new();
            let mut at = from;
            while next[at as usize] != at {
                at = next[at as usize];
                path.push(at);
            }
            self.early.search(graph, entry_cost, targets.clone(), Some(from));
            assert_eq!(self.early.cost(from), cost[from as usize]);
            for (&s, &following) in [from].iter().chain(&path).zip(&path) {
                assert_eq!(self.early.next(s), following, "{kind}");
            }
            assert_eq!(self.early.next(at), at);
            assert_eq!(self.path.find(graph, entry_cost, targets.clone(), from), path, "{kind}");
            self.steps += path.len();
        }
    }
}

/// A random tree, numbered at random, and up to as many additional edges.
fn random_graph(stream: &mut Stream, nodes: u64) -> Graph {
    let mut number: Vec<NodeId> = (0..nodes as NodeId).collect();
    for place in (1..number.len()).rev() {
        number.swap(place, stream.below(place as u64 + 1) as usize);
    }
    let named = |v: u64| number[v as usize];
    let mut edges: Vec<_> = (1..nodes).map(|v| (named(v), named(stream.below(v)))).collect();
    for _ in 0..stream.below(nodes + 1) {
        edges.push((named(stream.below(nodes)), named(stream.below(nodes))));
    }
    Graph::from_edges(nodes as usize, edges).unwrap()
}

/// One graph of each family, of about `nodes` nodes.
fn families(nodes: usize, seed: Seed) -> Vec<Graph> {
    let n = nodes as f64;
    let small_world = SmallWorld { nodes, neighbors: 4, rewiring: 0.1 };
    let side = n.sqrt() as usize;
    [
        Graph::line(nodes),
        Graph::circle(nodes),
        Graph::star(nodes),
        Graph::tree(nodes, 3),
        Graph::grid(side, side),
        Graph::complete(nodes.min(700)),
        Graph::broom(nodes, nodes / 2),
        Graph::barbell(nodes.min(600) / 3, nodes / 3),
        Graph::erdos_renyi(nodes, (2.0 * libm::log(n) / n).min(1.0), seed),
        Graph::geometric(nodes, (libm::log(n) / n).sqrt().min(1.0), seed),
        Graph::small_world(small_world, seed),
    ]
    .map(Result::unwrap)
    .into()
}

#[test]
fn small_graphs() {
    let mut check = Check::new(51);
    for case in 0..2000 {
        let nodes = 1 + check.stream.below(40);
        let graph = random_graph(&mut check.stream, nodes);
        check.check(&graph, case % KINDS, 4);
    }
    for case in 0..40 {
        let nodes = 12 + check.stream.below(60) as usize;
        for graph in families(nodes, Seed(case)) {
            check.check(&graph, case % KINDS, 4);
        }
    }
    assert!(check.steps > 10_000, "{}", check.steps);
}

#[test]
fn graphs_large_enough_to_search_from_both_ends() {
    let mut check = Check::new(52);
    for kind in 0..KINDS {
        for nodes in [550, 1500] {
            for graph in families(nodes, Seed(kind)) {
                check.check(&graph, kind, 12);
            }
        }
        let graph = random_graph(&mut check.stream, 3000);
        check.check(&graph, kind, 12);
    }
}

#[test]
fn large_graphs() {
    let mut check = Check::new(53);
    let grid = Graph::grid(300, 250).unwrap();
    let geometric = Graph::geometric(40_000, 0.012, Seed(1)).unwrap();
    for kind in 0..KINDS {
        check.check(&grid, kind, 3);
        check.check(&geometric, kind, 3);
    }
}
