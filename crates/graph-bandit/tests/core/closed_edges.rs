//! Edges that close and open while an agent walks.

use crate::support::agents::anywhere;
use crate::support::edge_bound::EdgeBound;
use crate::support::worlds;
use graph_bandit::{AskTell, ChangeError, EdgeError, Init, Preset, Seed, SessionPlan, World};
use std::collections::BTreeSet;

const SEED: Seed = Seed(5);

fn some_world(graph: &str) -> World {
    worlds::world(graph, "uniform:0.5", "uniform:0.5,3.5", Preset::Paper, SEED)
}

/// After edges close and open, an agent continues like a fresh one with the same state.
#[test]
fn an_agent_keeps_nothing_of_the_old_edges() {
    // Closing one edge and opening another keeps the number of edges.
    let graphs = ["grid:4x4", "circle:12", "complete:7", "geometric:1200,0.06"];
    for graph in graphs {
        let world = some_world(graph);
        let edges: Vec<_> = world.graph().edges().collect();
        for spec in anywhere(Preset::Paper) {
            if graph.starts_with("geo") && spec.name() == "ucrl2" {
                continue;
            }
            let plan = SessionPlan { start: 1, init: Init::DepthFirst, seed: SEED };
            let agent = spec.build(world.graph()).unwrap();
            let mut session = AskTell::new(world.shared_graph(), agent, plan).unwrap();
            let mut whim = Seed(8).stream();
            for round in 0..12 {
                for _ in 0..40 {
                    let node = session.ask().unwrap().node;
                    session.tell(node, f64::from(node % 7) + whim.unit()).unwrap();
                }
                let edge = edges[whim.below(edges.len() as u64) as usize];
                let first = session.field().closed().first().copied();
                if let Some(open) = first.filter(|_| round % 2 == 1) {
                    session.open(open).unwrap();
                }
                match session.close(edge) {
                    Ok(())
                    | Err(ChangeError::Edge(
                        EdgeError::CutsOff { .. } | EdgeError::AlreadyClosed { .. },
                    )) => {}
                    Err(other) => panic!("{other}"),
                }
                let closed = session.field().closed().clone();
                let text = serde_json::to_string(&session.state()).unwrap();
                let state = serde_json::from_str(&text).unwrap();
                let fresh = spec.build(world.graph()).unwrap();
                let mut fresh =
                    AskTell::resume_with(world.shared_graph(), &closed, fresh, state).unwrap();
                for _ in 0..25 {
                    let expected = session.ask().map(|order| (order.path.to_vec(), order.stay));
                    let order = fresh.ask().map(|order| (order.path.to_vec(), order.stay));
                    assert_eq!(order, expected, "{spec} on {graph}, round {round}");
                    let node = session.ask().unwrap().node;
                    let reward = f64::from(node % 7) + whim.unit();
                    session.tell(node, reward).unwrap();
                    fresh.tell(node, reward).unwrap();
                }
            }
        }
    }
}

#[test]
fn edges_that_cannot_change_leave_everything_as_it_was() {
    let world = some_world("line:4");
    let agent = Box::new(EdgeBound::new(world.graph()));
    let mut session = AskTell::new(world.shared_graph(), agent, SessionPlan::default()).unwrap();
    session.tell(0, 1.0).unwrap();
    let before = serde_json::to_string(&session.state()).unwrap();
    let cut = EdgeError::CutsOff { edge: (1, 2), cut_off: 2 };
    assert_eq!(session.close((2, 1)), Err(ChangeError::Edge(cut)));
    let unknown = |edge| Err(ChangeError::Edge(EdgeError::NoSuchEdge { edge }));
    assert_eq!(session.close((0, 3)), unknown((0, 3)));
    assert_eq!(session.close((9, 0)), unknown((0, 9)));
    assert_eq!(session.open((1, 1)), unknown((1, 1)));
    let open = EdgeError::AlreadyOpen { edge: (0, 1) };
    assert_eq!(session.open((0, 1)), Err(ChangeError::Edge(open)));
    assert_eq!(serde_json::to_string(&session.state()).unwrap(), before);
    assert_eq!(session.field().closed(), &BTreeSet::new());

    let ring = some_world("circle:4");
    let agent = Box::new(EdgeBound::new(ring.graph()));
    let mut session = AskTell::new(ring.shared_graph(), agent, SessionPlan::default()).unwrap();
    assert!(matches!(session.close((0, 1)), Err(ChangeError::Agent(_))));
    assert!(session.graph().allows(0, 1));
}
