//! Rewards that others observe between legs: what an agent keeps from leg to leg is what it would
//! find out again after a restart, so its orders are those of a session that is stored and resumed
//! before every leg.

use graph_bandit::{AgentSpec, AskTell, Graph, Init, NodeId, Phase, Preset, Seed, SessionPlan};

fn agent(name: &str, graph: &Graph) -> Box<dyn graph_bandit::Agent + Send> {
    AgentSpec::parse(name, Preset::Paper).unwrap().build(graph).unwrap()
}

#[test]
fn initialization_ends_when_every_node_was_observed() {
    for init in [Init::Lowest, Init::Nearest, Init::DepthFirst, Init::Tour] {
        let graph = Graph::grid(5, 5).unwrap();
        let plan = SessionPlan { init, ..SessionPlan::default() };
        let mut session = AskTell::new(graph.clone(), agent("g-ucb", &graph), plan).unwrap();
        session.tell(0, 1.0).unwrap();
        let first = session.ask().unwrap().path.to_vec();
        for node in 1..24 {
            session.observe(node, 1.0).unwrap();
        }
        let order = session.ask().unwrap();
        assert_eq!((order.path, order.phase), (first.as_slice(), Phase::Cover), "{init}");
        session.observe(24, 9.0).unwrap();
        let order = session.ask().unwrap();
        assert_eq!((order.path.last(), order.phase), (Some(&24), Phase::Learn), "{init}");
    }
}

#[test]
fn orders_are_those_after_a_restart() {
    let (mut trips, mut stays) = (0, 0);
    // Both sides of 1,000 nodes, from where on g-star keeps bounds, and of few and many visits.
    for (side, name) in [
        (12, "g-star"),
        (40, "g-star"),
        (40, "g-star:variance=pooled"),
        (40, "g-star:trust=0.9"),
        (40, "g-ucb"),
        (40, "direct-sp"),
        (12, "g-safe"),
        (40, "g-safe"),
        (12, "g-sweep"),
        (40, "g-sweep"),
        (12, "g-horizon"),
        (40, "g-horizon:horizon=100000"),
        (12, "g-drift"),
    ] {
        let graph = Graph::grid(side, side).unwrap();
        let nodes = graph.len() as u64;
        let mut stream = Seed(side as u64).stream();
        let means: Vec<f64> = graph.nodes().map(|_| stream.below(90) as f64 / 10.0).collect();
        let mut draw = |node: NodeId| means[node as usize] + stream.below(1_000) as f64 / 1e3;
        let mut session =
            AskTell::new(graph.clone(), agent(name, &graph), SessionPlan::default()).unwrap();
        for node in graph.nodes() {
            session.observe(node, draw(node)).unwrap();
        }
        let (mut eyes, mut shut) = (Seed(7).stream(), None);
        for leg in 0..120 {
            let state = session.state();
            let closed = session.closed().into_owned();
            let fresh = agent(name, &graph);
            let mut resumed = AskTell::resume_with(graph.clone(), &closed, fresh, state).unwrap();
            let order = session.ask().unwrap();
            let path = order.path.to_vec();
            let found = (path.clone(), order.stay, order.at);
            let again = resumed.ask().unwrap();
            assert_eq!(found, (again.path.to_vec(), again.stay, again.at), "{name}, leg {leg}");
            *if path.is_empty() { &mut stays } else { &mut trips } += 1;
            let visited: Vec<NodeId> = order.nodes().take(60.max(path.len())).collect();
            let all = visited.len() as u64 == order.visits();
            let rewards: Vec<f64> = visited.iter().map(|&node| draw(node)).collect();
            session.tell_leg(&rewards).unwrap();
            if !all {
                session.abandon();
            }
            for _ in 0..[0, 1, 5][leg % 3] {
                let node = eyes.below(nodes) as NodeId;
                session.observe(node, draw(node)).unwrap();
            }
            // A road where the agent stands is closed for a while.
            if leg % 40 == 19 {
                let at = session.at();
                let edge = (at, graph.neighbors(at).find(|&node| node != at).unwrap());
                session.close(edge).unwrap();
                shut = Some(edge);
            } else if leg % 40 == 29 {
                session.open(shut.take().unwrap()).unwrap();
            }
        }
    }
    assert!(trips > 100 && stays > 20, "{trips} {stays}");
}
