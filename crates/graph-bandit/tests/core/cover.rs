//! Cover walks compared to plain transcriptions of their rules, also on graphs of 10^5 nodes.

use graph_bandit::cover::Cover;
use graph_bandit::graph::Hops;
use graph_bandit::{Clock, Estimates, Graph, Init, Leg, NodeId, Seed, Situation, Stream};

/// The visits of a cover walk. If `moved` is given, the walker is now and then carried elsewhere.
fn walk(graph: &Graph, init: Init, mut moves: Option<&mut Stream>) -> Vec<NodeId> {
    let (mut cover, mut leg) = (Cover::new(init), Leg::default());
    let mut estimates = Estimates::new(graph.len());
    let mut at = graph.len() as NodeId / 3;
    let mut visits = Vec::new();
    let clock = Clock::default();
    while cover.next_leg(&Situation { graph, at, estimates: &estimates, clock: &clock }, &mut leg) {
        for node in leg.nodes(at) {
            assert!(graph.allows(at, node));
            at = node;
            estimates.push(at, 0.0);
            visits.push(at);
        }
        at = moved(graph, at, moves.as_deref_mut());
    }
    assert!(graph.nodes().all(|node| estimates.count(node) > 0));
    visits
}

fn moved(graph: &Graph, at: NodeId, moves: Option<&mut Stream>) -> NodeId {
    let carried = moves.and_then(|stream| (stream.below(5) == 0).then_some(stream));
    carried.map_or(at, |stream| stream.below(graph.len() as u64) as NodeId)
}

/// The same by the rules as written: every search looks at all nodes.
fn plain_walk(graph: &Graph, init: Init, mut moves: Option<&mut Stream>) -> Vec<NodeId> {
    let mut visited = vec![false; graph.len()];
    let mut at = graph.len() as NodeId / 3;
    let (mut visits, mut trail) = (Vec::new(), Vec::new());
    let mut hops = Hops::default();
    while let Some(lowest) = graph.nodes().find(|&node| !visited[node as usize]) {
        let target = match init {
            Init::Lowest | Init::None => lowest,
            _ if !visited[at as usize] => at,
            Init::Nearest => {
                hops.search(graph, [at], None);
                let unvisited = graph.nodes().filter(|&node| !visited[node as usize]);
                unvisited.min_by_key(|&node| (hops.distance(node), node)).unwrap()
            }
            Init::DepthFirst => {
                let deeper = graph.neighbors(at).find(|&node| !visited[node as usize]);
                trail.extend(deeper.map(|_| at));
                deeper.or_else(|| trail.pop()).unwrap_or(lowest)
            }
            Init::Tour => unreachable!("no rule says which tour is short"),
        };
        if target == at {
            visited[at as usize] = true;
            visits.push(at);
        }
        hops.search(graph, [target], None);
        while at != target {
            at = hops.next(graph, at);
            visited[at as usize] = true;
            visits.push(at);
        }
        at = moved(graph, at, moves.as_deref_mut());
    }
    visits
}

fn random_tree(stream: &mut Stream, nodes: u32) -> Graph {
    let edges = (1..nodes).map(|v| (v, stream.below(u64::from(v)) as u32));
    Graph::from_edges(nodes as usize, edges).unwrap()
}

#[test]
fn the_walk_follows_the_rules_as_written() {
    let mut stream = Seed(21).stream();
    let graphs = [
        Graph::from_edges(1, []).unwrap(),
        Graph::line(40).unwrap(),
        Graph::circle(41).unwrap(),
        Graph::star(30).unwrap(),
        Graph::complete(20).unwrap(),
        Graph::barbell(9, 12).unwrap(),
        Graph::grid(9, 11).unwrap(),
        random_tree(&mut stream, 90),
        Graph::erdos_renyi(80, 0.07, Seed(3)).unwrap(),
        Graph::geometric(90, 0.2, Seed(4)).unwrap(),
    ];
    for graph in &graphs {
        for init in [Init::Lowest, Init::Nearest, Init::DepthFirst] {
            assert_eq!(walk(graph, init, None), plain_walk(graph, init, None), "{init:?}");
            for seed in 0..6 {
                let (mut ours, mut theirs) = (Seed(seed).stream(), Seed(seed).stream());
                let expected = plain_walk(graph, init, Some(&mut theirs));
                assert_eq!(walk(graph, init, Some(&mut ours)), expected, "{init:?}, moved");
            }
        }
    }
}

#[test]
fn a_tour_is_rarely_longer_than_the_nearest_order_and_often_shorter() {
    let mut stream = Seed(23).stream();
    let (mut by_tour, mut by_nearest, mut longer) = (0, 0, 0);
    for seed in 0..12 {
        for graph in [
            Graph::geometric(90, 0.18, Seed(seed)).unwrap(),
            Graph::grid(7, 5 + seed as usize).unwrap(),
            random_tree(&mut stream, 60),
        ] {
            let (tour, nearest) =
                (walk(&graph, Init::Tour, None), walk(&graph, Init::Nearest, None));
            longer += usize::from(tour.len() > nearest.len());
            by_tour += tour.len();
            by_nearest += nearest.len();
            // Wherever the walker is carried, it visits all nodes.
            walk(&graph, Init::Tour, Some(&mut stream));
        }
    }
    assert!(
        by_tour < by_nearest - by_nearest / 20 && longer < 9,
        "{by_tour} {by_nearest} {longer}"
    );
}

/// Searching a hub's neighbours from the first one each time would take minutes on the star.
#[test]
fn depth_first_takes_fewer_than_twice_the_nodes_on_large_graphs() {
    let mut stream = Seed(22).stream();
    for graph in [
        Graph::line(100_000).unwrap(),
        Graph::star(100_000).unwrap(),
        Graph::grid(316, 317).unwrap(),
        Graph::complete(1000).unwrap(),
        random_tree(&mut stream, 100_000),
    ] {
        assert!(walk(&graph, Init::DepthFirst, None).len() < 2 * graph.len());
    }
    walk(&Graph::star(100_000).unwrap(), Init::Nearest, None);
}
