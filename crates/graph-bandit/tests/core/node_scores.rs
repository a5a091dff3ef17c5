//! The scores of few nodes are those of the list of all scores, and so are the highest of them.

use graph_bandit::{AgentSpec, AskTell, Graph, GraphSpec, NodeId, Preset, Seed, SessionPlan};

/// Ties of all kinds, scores far apart, and rewards that hide the noise.
const REWARDS: [fn(u64) -> f64; 4] = [
    |draw| draw as f64 / f64::from(u32::MAX),
    |draw| (draw % 3) as f64,
    |_| 0.5,
    |draw| 1e9 + (draw % 1_000) as f64 / 1e3,
];

const AGENTS: [&str; 21] = [
    "g-star",
    "g-star:noise-scale=0.01",
    "g-star:noise-scale=30",
    "g-star:variance=declared",
    "g-star:caution=0",
    "g-safe",
    "g-ucb",
    "g-ts",
    "g-ts:variance=pooled",
    "g-ts:rewards=bernoulli",
    "g-moss",
    "g-moss:noise-scale=0",
    "g-moss:noise-scale=30,horizon=9000",
    "g-moss:variance=declared",
    "g-klucb",
    "g-klucb:variance=pooled",
    "g-klucb:rewards=bernoulli",
    "g-imed",
    "g-imed:noise-scale=0",
    "g-imed:variance=declared,noise-scale=3",
    "g-drift",
];

/// The nodes of the highest score, by looking at all of them.
fn highest(scores: &[f64], among: impl Fn(NodeId) -> bool) -> Vec<NodeId> {
    let within = || (0..).zip(scores).filter(|(node, score)| among(*node) && !score.is_nan());
    let top = within().map(|(_, &score)| score).fold(f64::NEG_INFINITY, f64::max);
    within().filter(|(_, score)| **score == top).map(|(node, _)| node).collect()
}

fn check(session: &mut AskTell, what: &str) {
    let listed = session.scores();
    let scores = session.node_scores();
    assert_eq!(listed.is_some(), scores.is_some(), "{what}");
    let (Some(listed), Some(scores)) = (listed, scores) else { return };
    let estimates = session.estimates();
    for (node, score) in (0..).zip(&listed) {
        assert_eq!(scores.of(estimates, node).to_bits(), score.to_bits(), "{what}, node {node}");
    }
    let any = |_: NodeId| true;
    let found = scores.highest(estimates, any);
    assert_eq!(found, highest(&listed, any), "{what}");
    let others = |node: NodeId| found.binary_search(&node).is_err();
    assert_eq!(scores.highest(estimates, others), highest(&listed, others), "{what}");
    let some = |node: NodeId| node % 7 == 3;
    assert_eq!(scores.highest(estimates, some), highest(&listed, some), "{what}");
    assert_eq!(scores.highest(estimates, |_| false), [0; 0], "{what}");
}

fn session(agent: &str, graph: &Graph) -> AskTell {
    let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
    let agent = spec.build(graph).unwrap();
    AskTell::new(graph.clone(), agent, SessionPlan::default()).unwrap()
}

#[test]
fn few_scores_are_those_of_the_list() {
    for graph in ["line:1", "grid:5x7", "grid:40x30"] {
        let graph: GraphSpec = graph.parse().unwrap();
        let graph = graph.build(Seed(0)).unwrap();
        for agent in AGENTS {
            for (kind, reward) in REWARDS.iter().enumerate() {
                let mut stream = Seed(kind as u64).stream();
                let mut draw = || reward(stream.below(u64::from(u32::MAX)));
                let mut session = session(agent, &graph);
                // First, hardly any node is known; then all are.
                for round in 0..12_u32 {
                    for node in graph.nodes().filter(|_| round == 3) {
                        session.observe(node, draw()).unwrap();
                    }
                    let visits = session.ask().unwrap().visits().min(40);
                    let rewards: Vec<f64> = (0..visits).map(|_| draw()).collect();
                    session.tell_leg(&rewards).unwrap();
                    check(&mut session, &format!("{agent} with rewards {kind}, round {round}"));
                }
            }
        }
    }
}

#[test]
fn nodes_cut_off_have_no_scores() {
    let graph = Graph::line(30).unwrap();
    let mut session = session("g-star", &graph);
    for node in graph.nodes() {
        session.observe(node, f64::from(node % 5)).unwrap();
    }
    session.close((9, 10)).unwrap();
    check(&mut session, "a part of a line");
    let scores = session.node_scores().unwrap();
    assert!(scores.of(session.estimates(), 20).is_nan());
    assert_eq!(scores.highest(session.estimates(), |node| node > 9), [0; 0]);
}
