//! Legs that are handed over and not planned again.

use super::scene::{Scene, after, same};
use super::{Build, Verdict};
use crate::ask_tell::AskTell;
use crate::graph::NodeId;
use crate::trajectory::Decision;

const VISITS: u64 = 240;

pub(super) fn decisions(scene: &Scene, build: Build<'_>) -> Verdict {
    let mut planning = scene.session(build)?;
    let mut handed = scene.session(build)?;
    for step in 0..VISITS {
        let wrong = |what: &str, error: &dyn std::fmt::Display| {
            Err(after(step, &format!("{what}: {error}")))
        };
        if planning.is_idle() {
            if let Err(error) = planning.ask() {
                return wrong("planning", &error);
            }
            // As JSON, because that is how decisions are stored.
            let kept = serde_json::to_string(&planning.decision());
            let decision = kept.and_then(|text| serde_json::from_str::<Decision>(&text));
            let decision = match decision {
                Ok(decision) => decision,
                Err(error) => return wrong("the decision as JSON", &error),
            };
            if let Err(error) = handed.decide(&decision) {
                return wrong("another session's decision", &error);
            }
        }
        let states = (state(&handed), state(&planning));
        same(step, "the session that takes the decisions", &states.0, &states.1)?;
        let node = planning.pending().node;
        let elsewhere = step % planning.graph().len() as u64;
        let is_ordered = step % 13 != 12;
        let node = if is_ordered { node } else { elsewhere as NodeId };
        let reward = scene.pay(&planning, node)?;
        for session in [&mut planning, &mut handed] {
            let told =
                if is_ordered { session.tell(node, reward) } else { session.visit(node, reward) };
            if let Err(error) = told {
                return wrong("a visit", &error);
            }
        }
    }
    Ok(())
}

fn state(session: &AskTell) -> String {
    serde_json::to_string(&session.state()).unwrap_or_else(|error| error.to_string())
}
