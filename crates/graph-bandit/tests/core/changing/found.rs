//! The changes that agents say they have found.

use graph_bandit::{AgentSpec, AskTell, Graph, NodeId, Preset, Seed, SessionPlan};

/// The visits, from 1, at which an agent says that it found a change, and their nodes. The best node becomes the worst
/// one after 400 visits.
fn found(agent: &str) -> Vec<(u64, NodeId)> {
    let graph = Graph::complete(3).unwrap();
    let spec = AgentSpec::parse(agent, Preset::Paper).unwrap().build(&graph).unwrap();
    let mut session = AskTell::new(graph, spec, SessionPlan::default()).unwrap();
    let mut luck = Seed(7).stream();
    let mut found = Vec::new();
    for visit in 1..=1_200 {
        let node = session.ask().unwrap().node;
        let means = if visit <= 400 { [0.9, 0.5, 0.3] } else { [0.1, 0.5, 0.3] };
        let reward = f64::from(luck.unit() < means[node as usize]);
        session.tell(node, reward).unwrap();
        if session.found_change() {
            found.push((visit, node));
        }
    }
    found
}

#[test]
fn detectors_say_when_they_find_a_change() {
    let detecting = [
        "glr-klucb:changes=4,horizon=5000",
        "glr-klucb:restarts=global,changes=4,horizon=5000",
        "cusum-klucb:changes=4,horizon=5000",
        "m-klucb:changes=4,horizon=5000",
        "g-drift",
    ];
    for agent in detecting {
        let found = found(agent);
        let &(visit, node) = found.first().unwrap_or_else(|| panic!("{agent} found nothing"));
        assert!((401..=700).contains(&visit), "{agent}: {found:?}");
        assert_eq!(node, 0, "{agent}: {found:?}");
    }
}

#[test]
fn what_is_forgotten_for_other_reasons_is_not_a_change() {
    let others =
        ["sw-klucb", "discounted-ts", "g-ucb:restarts=periodic,period=100", "g-star", "g-ucb"];
    for agent in others {
        assert_eq!(found(agent), [], "{agent}");
    }
}
