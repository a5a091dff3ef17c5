//! An agent's memory, recalled by a fresh agent.

use super::scene::{Scene, after, same};
use super::{Build, Verdict};
use crate::agent::Agent;
use crate::ask_tell::{AskTell, SessionState};
use crate::memory::Memory;

const VISITS: u64 = 240;

pub(super) fn resumption(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut whole = scene.session(build)?;
    let mut broken = scene.session(build)?;
    for step in 0..VISITS {
        // Before and after asking: when the session ends, a leg may be planned or not.
        if step % 7 == 0 {
            broken = stored_and_resumed(&broken, scene, build, step)?;
        }
        if step % 11 == 0 {
            broken.ask().map_err(|error| after(step, &error))?;
            broken = stored_and_resumed(&broken, scene, build, step)?;
        }
        let expected = scene.obey(&mut whole)?;
        same(step, "the order after resuming", &scene.obey(&mut broken)?, &expected)?;
        if step == VISITS / 2 {
            // Carried elsewhere, with or without asking.
            for session in [&mut whole, &mut broken] {
                session.move_to(0).map_err(|error| after(step, &error))?;
            }
        }
    }
    let bits = |session: &mut AskTell| {
        session.scores().map(|all| all.iter().map(|score| score.to_bits()).collect::<Vec<_>>())
    };
    same(VISITS, "the scores after resuming", &bits(&mut broken), &bits(&mut whole))
}

fn stored_and_resumed(
    session: &AskTell,
    scene: &Scene,
    build: Build<'_>,
    visits: u64,
) -> Result<AskTell, String> {
    let stored = serde_json::to_string(&session.state());
    let state = stored.and_then(|text| serde_json::from_str::<SessionState>(&text));
    let state = state.map_err(|error| after(visits, &format!("the state as JSON: {error}")))?;
    let agent = build(scene.world.graph());
    AskTell::resume(scene.world.shared_graph(), agent, state)
        .map_err(|error| after(visits, &format!("a fresh agent cannot resume: {error}")))
}

pub(super) fn refusal(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut agent = build(scene.world.graph());
    let own = agent.memory();
    let larger = [
        Memory { values: [&own.values[..], &[0.0]].concat(), ..own.clone() },
        Memory { counts: [&own.counts[..], &[0]].concat(), ..own.clone() },
    ];
    for memory in larger {
        let refused = agent.recall(&memory).is_err();
        same(0, "whether a memory with one number too many is refused", &refused, &true)?;
    }
    same(0, "the memory after the refusal", &agent.memory(), &own)?;
    let taken = agent.recall(&own).map_err(|error| error.to_string());
    same(0, "whether a fresh agent recalls its own memory", &taken, &Ok(()))
}
