//! What agents say they still remember.

use graph_bandit::{AgentSpec, AskTell, Estimates, Graph, NodeId, Preset, Seed, SessionPlan};
use std::borrow::Cow;

const FORGETFUL: [&str; 12] = [
    "glr-klucb:changes=4,horizon=5000",
    "glr-klucb:restarts=global,changes=4,horizon=5000",
    "cusum-klucb:changes=4,horizon=5000",
    "m-klucb:changes=4,horizon=5000",
    "g-drift",
    "sw-klucb:changes=4,horizon=5000",
    "sw-ucb:window=300",
    "sw-ts:changes=4",
    "discounted-klucb:changes=4,horizon=5000",
    "discounted-ucb:changes=4",
    "discounted-ts:changes=4,horizon=5000",
    "g-ucb:restarts=periodic,period=300",
];

fn session(agent: &str, graph: &Graph) -> AskTell {
    let agent = AgentSpec::parse(agent, Preset::Paper).unwrap().build(graph).unwrap();
    AskTell::new(graph.clone(), agent, SessionPlan::default()).unwrap()
}

/// Follows orders on three nodes. The best node becomes the worst one after 400 visits.
fn follow(session: &mut AskTell, visits: u64, mut look: impl FnMut(&AskTell)) {
    let mut luck = Seed(7).stream();
    for visit in 1..=visits {
        let node = session.ask().unwrap().node;
        let means = if visit <= 400 { [0.9, 0.5, 0.3] } else { [0.1, 0.5, 0.3] };
        session.tell(node, f64::from(luck.unit() < means[node as usize])).unwrap();
        look(session);
    }
}

/// The node of highest mean.
fn best(estimates: &Estimates) -> NodeId {
    let mean = |node: &NodeId| estimates.sample(*node).mean();
    (0..3)
        .filter(|&node| estimates.count(node) > 0)
        .max_by(|a, b| mean(a).total_cmp(&mean(b)))
        .unwrap()
}

/// All rewards together still speak for node 0 long after the change; what is remembered does not.
#[test]
fn only_what_came_after_the_change_is_remembered() {
    let graph = Graph::complete(3).unwrap();
    for agent in FORGETFUL {
        let mut session = session(agent, &graph);
        follow(&mut session, 900, |_| ());
        let (all, remembered) = (session.estimates(), session.remembered());
        assert_eq!(best(all), 0, "{agent}: {all:?}");
        assert_ne!(best(&remembered), 0, "{agent}: {remembered:?}");
        assert!(remembered.weight(0) < all.weight(0), "{agent}");
        let now = remembered.estimate(0).mean;
        assert!(remembered.count(0) == 0 || now < 0.35, "{agent}: {now}");
    }
}

/// Whoever restores a session must not get other answers, at whichever visit it was stored. A
/// restored agent has not planned yet.
#[test]
fn a_restored_session_remembers_the_same() {
    let graph = Graph::complete(3).unwrap();
    for agent in FORGETFUL {
        let spec = AgentSpec::parse(agent, Preset::Paper).unwrap();
        let mut visits = 0;
        follow(&mut session(agent, &graph), 700, |session| {
            visits += 1;
            if visits % 7 == 0 || visits < 5 {
                let fresh = spec.build(&graph).unwrap();
                let again = AskTell::resume(graph.clone(), fresh, session.state()).unwrap();
                assert_eq!(again.remembered(), session.remembered(), "{agent} after {visits}");
            }
        });
    }
}

/// Asking for the next leg and looking at scores refresh an agent; what it says must not follow.
#[test]
fn planning_and_looking_do_not_change_what_is_remembered() {
    let graph = Graph::complete(3).unwrap();
    for agent in FORGETFUL {
        let mut session = session(agent, &graph);
        follow(&mut session, 500, |_| ());
        let before = session.remembered().into_owned();
        session.scores();
        assert_eq!(*session.remembered(), before, "{agent}");
        session.abandon();
        session.ask().unwrap();
        assert_eq!(*session.remembered(), before, "{agent}");
    }
}

#[test]
fn a_window_remembers_its_visits() {
    let mut session = session("sw-ucb:window=50", &Graph::complete(3).unwrap());
    let mut visits = 0;
    follow(&mut session, 200, |session| {
        visits += 1;
        assert_eq!(session.remembered().visits(), visits.min(50));
        assert_eq!(session.estimates().visits(), visits);
    });
}

/// A closed edge cuts off a node: what is remembered is still by the numbers of the map.
#[test]
fn nodes_out_of_reach_are_remembered() {
    let graph = Graph::line(3).unwrap();
    for agent in FORGETFUL {
        let mut session = session(agent, &graph);
        for (node, reward) in [(0, 0.25), (1, 0.5), (2, 0.75), (1, 0.5)] {
            session.visit(node, reward).unwrap();
        }
        session.close((0, 1)).unwrap();
        session.ask().unwrap();
        session.tell(1, 0.5).unwrap();
        let mean = |node| session.remembered().estimate(node).mean;
        for (node, expected) in [(0, 0.25), (1, 0.5), (2, 0.75)] {
            assert!((mean(node) - expected).abs() < 1e-12, "{agent}: {}", mean(node));
        }
    }
}

/// Rewards that somebody else collected after the change count for g-drift, those before do not.
/// The other agents that forget know their own visits only.
#[test]
fn rewards_of_others() {
    let graph = Graph::complete(3).unwrap();
    for (agent, more) in [("g-drift", 1.0), ("glr-klucb:changes=4,horizon=5000", 0.0)] {
        let mut session = session(agent, &graph);
        session.observe(0, 0.9).unwrap();
        follow(&mut session, 900, |_| ());
        let before = session.remembered().weight(0);
        session.observe(0, 0.1).unwrap();
        assert_eq!(session.remembered().weight(0), before + more, "{agent}");
        assert!(before + 300.0 < session.estimates().weight(0), "{agent}");
    }
}

/// Agents that do not forget remember everything: the totals themselves, not a copy.
#[test]
fn other_agents_remember_everything() {
    let graph = Graph::complete(3).unwrap();
    for agent in ["g-ucb", "g-star", "klucb", "g-drift:restarts=never", "exp3s", "ql-eps"] {
        let mut session = session(agent, &graph);
        follow(&mut session, 600, |_| ());
        let Cow::Borrowed(remembered) = session.remembered() else { panic!("{agent} has a copy") };
        assert!(std::ptr::eq(remembered, session.estimates()), "{agent}");
    }
}
