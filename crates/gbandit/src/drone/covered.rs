//! Shows an agent one reward of every node before its drone flies: on a large graph, a drone would
//! fly for hours until its agent decides for itself.

use super::client::Client;
use anyhow::Context;
use graph_bandit::{Estimates, LegError, NodeId, Payer, Seed, Tape, Time, World};
use serde_json::{Value, json};

/// Rewards in one report; the service takes at most twice as many.
const AT_ONCE: usize = 50_000;

/// Reports the first reward of each node that the agent has not seen, as somebody else's.
pub(super) fn cover(
    client: &Client,
    id: &str,
    (world, run): (&World, Seed),
    seen: &mut Estimates,
) -> anyhow::Result<()> {
    let unseen: Vec<NodeId> = world.graph().nodes().filter(|&node| seen.count(node) == 0).collect();
    let mut tape = world.on_tape(&Tape::new(run));
    let agent = client.get(&format!("/v1/agents/{id}"))?.body;
    let mut sequence = agent["sequence"].as_u64().context("the agent has no number")?;
    for nodes in unseen.chunks(AT_ONCE) {
        let mut observations: Vec<Value> = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let reward = tape.pay_once(node, Time(0.0), seen).map_err(LegError::Payer)?;
            observations.push(json!({"at": node, "reward": reward}));
        }
        let report = json!({"sequence": sequence, "observations": observations});
        let answer = client.post(&format!("/v1/agents/{id}/observe"), &report)?.body;
        sequence = answer["next_sequence"].as_u64().context("no next number")?;
    }
    Ok(())
}
