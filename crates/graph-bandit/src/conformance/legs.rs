//! Legs stay walkable whatever happens. A session refuses all others.

use super::scene::{Scene, after, ordered, same};
use super::{Build, Verdict, changing_roads};
use crate::agent::Footing;
use crate::ask_tell::AskTell;
use crate::graph::NodeId;
use crate::random::Seed;
use crate::trajectory::ChangeError;

const VISITS: u64 = 300;

pub(super) fn legality(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut session = scene.session(build)?;
    let graph = scene.world.graph();
    let mut whim = Seed(3).stream();
    for _ in 0..VISITS {
        ordered(&mut session)?;
        match whim.below(10) {
            0..=2 => {
                let near = graph.neighborhood(session.at());
                scene.visit(&mut session, near[whim.below(near.len() as u64) as usize])?;
            }
            3 => {
                let node = whim.below(graph.len() as u64) as NodeId;
                session.move_to(node).map_err(|error| error.to_string())?;
            }
            _ => drop(scene.obey(&mut session)?),
        }
    }
    Ok(())
}

/// Edges close and open in turn. If the agent refuses a change, it must act like a twin that never
/// saw it.
pub(super) fn closures(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut session = scene.session(build)?;
    let mut twin = scene.session(build)?;
    let edges = scene.world.graph().closable();
    let mut whim = Seed(4).stream();
    let mut has_changed = false;
    for step in 0..VISITS {
        if step % 5 == 0 && !edges.is_empty() {
            let edge = edges[whim.below(edges.len() as u64) as usize];
            let is_closed = session.field().closed().contains(&edge);
            let changed = if is_closed { session.open(edge) } else { session.close(edge) };
            match changed {
                Ok(()) => has_changed = true,
                // Closing this edge would disconnect the graph; that is not the agent's fault.
                Err(ChangeError::Edge(_)) => {}
                Err(ChangeError::Agent(_)) if !has_changed => {}
                Err(refused) => {
                    let found = format!(
                        "a change of edges was refused after another was accepted: {refused}"
                    );
                    return Err(after(step, &found));
                }
            }
        }
        let order = scene.obey(&mut session)?;
        if !has_changed {
            let expected = scene.obey(&mut twin)?;
            same(step, "the order after a change was refused", &order, &expected)?;
        }
    }
    changing_roads::run_through(scene, build)
}

/// Edges close until the graph is disconnected, then open again; the walker is carried from part to
/// part.
pub(super) fn footing(scene: &Scene, build: Build<'_>) -> Verdict {
    let graph = scene.world.graph();
    if build(graph).footing() != Footing::AnyGraph {
        return Ok(());
    }
    let mut session = scene.session(build)?;
    let edges = graph.closable();
    let mut whim = Seed(6).stream();
    for step in 0..VISITS {
        let wrong = |error: &dyn std::fmt::Display| after(step, &error);
        if step % 4 == 0 && !edges.is_empty() {
            let edge = edges[whim.below(edges.len() as u64) as usize];
            let is_closed = session.field().closed().contains(&edge);
            let changed = if is_closed { session.open(edge) } else { session.close(edge) };
            changed.map_err(|error| wrong(&error))?;
        }
        if step % 11 == 0 {
            let node = whim.below(graph.len() as u64) as NodeId;
            session.move_to(node).map_err(|error| wrong(&error))?;
        }
        let closed = session.field().closed().clone();
        let map = scene.world.shared_graph();
        let fresh = AskTell::resume_with(map, &closed, build(graph), session.state());
        let mut fresh = fresh.map_err(|error| wrong(&error))?;
        let order = ordered(&mut session)?;
        same(step, "the order in a part of the graph", &order, &ordered(&mut fresh)?)?;
        scene.visit(&mut session, order.node)?;
    }
    Ok(())
}
