//! One drone: asks, goes, collects what its world pays, and tells.

use super::client::{Answer, Client};
use super::schedule::Schedule;
use crate::args::TellArg;
use anyhow::Context;
use graph_bandit::{AgentSpec, Graph, NodeId, Tape, World};
use graph_bandit_lab::Study;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How many visits are told at once, at most; a longer stay is told in parts.
const MOST_AT_ONCE: u64 = 10_000;

/// What a drone remembers of its flight.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) asks: Vec<Duration>,
    pub(crate) tells: Vec<Duration>,
    pub(crate) rewards: u64,
    pub(crate) collected: f64,
    pub(crate) retries: u64,
    /// Reports that were due before the one before them was answered.
    pub(crate) late: u64,
    /// What the best node of its world pays on average.
    pub(crate) best: f64,
}

/// What a drone has to do.
pub(crate) struct Trip<'a> {
    pub(crate) reports: u64,
    pub(crate) tell: TellArg,
    pub(crate) schedule: Schedule,
    /// Called after every report.
    pub(crate) tick: &'a dyn Fn(),
}

/// A drone that is ready to go.
pub(crate) struct Flight {
    id: String,
    world: World,
    tape: Tape,
    /// How often each node was visited: where its tape stands.
    visits: Vec<u64>,
}

impl Flight {
    /// Creates the agent, or takes up one that was flown before where it stands.
    pub(crate) fn prepare(
        client: &Client,
        study: &Study,
        (id, number): (String, u64),
        agent: &AgentSpec,
    ) -> anyhow::Result<Self> {
        let world = study.world(number)?;
        let seed = study.run_seed(number);
        let wish = json!({
            "id": id, "graph": listed(&study.graph), "agent": agent, "seed": seed.0,
        });
        let created = client.post("/v1/agents", &wish);
        created.with_context(|| {
            format!("drone {id} has no agent; if another one bears that name, choose a --name")
        })?;
        let mut visits = Vec::new();
        let mut next = Some(0);
        while let Some(from) = next {
            let path = format!("/v1/agents/{id}/estimates?from={from}&limit=1000");
            let page = client.get(&path)?.body;
            let estimates = page["estimates"].as_array().context("no estimates")?;
            visits.extend(estimates.iter().map(|node| node["visits"].as_u64().unwrap_or(0)));
            next = page["next"].as_u64();
        }
        anyhow::ensure!(visits.len() == study.graph.len(), "estimates of another graph");
        Ok(Self { id, world, tape: Tape::new(seed), visits })
    }

    /// Makes all its reports.
    pub(crate) fn fly(mut self, client: &Client, trip: &Trip<'_>) -> anyhow::Result<Log> {
        let mut log = Log { best: self.world.best_mean(), ..Log::default() };
        let mut order = Order::default();
        for number in 0..trip.reports {
            let due = trip.schedule.due(number);
            if order.is_done() {
                // As early as a robot would: it has to know where to go.
                let since = due.map_or_else(Instant::now, |due| due.min(Instant::now()));
                order = self.ask(client, since, &mut log)?;
            }
            let visits = match trip.tell {
                TellArg::Leg => order.nodes_left().min(MOST_AT_ONCE),
                TellArg::Reward => 1,
            };
            let rewards: Vec<f64> = (0..visits).map(|_| self.visit(order.next())).collect();
            log.rewards += visits;
            log.collected += rewards.iter().sum::<f64>();
            let body = json!({"sequence": order.sequence, "rewards": rewards});
            let since = match due {
                None => Instant::now(),
                Some(due) => {
                    let early = due.saturating_duration_since(Instant::now());
                    log.late += u64::from(early.is_zero());
                    std::thread::sleep(early);
                    due
                }
            };
            let answer = client.post(&format!("/v1/agents/{}/tell", self.id), &body)?;
            log.tells.push(since.elapsed());
            log.retries += answer.retries;
            order.sequence = answer.body["next_sequence"].as_u64().context("no next number")?;
            (trip.tick)();
        }
        Ok(log)
    }

    fn ask(&self, client: &Client, since: Instant, log: &mut Log) -> anyhow::Result<Order> {
        let Answer { body, retries } = client.ask(&format!("/v1/agents/{}/ask", self.id))?;
        log.asks.push(since.elapsed());
        log.retries += retries;
        Order::read(&body, self.visits.len()).context("an order that is none")
    }

    fn visit(&mut self, node: NodeId) -> f64 {
        let count = &mut self.visits[node as usize];
        let reward = self.world.law(node).draw(self.tape.node(node), *count);
        *count += 1;
        reward
    }
}

/// What is left of an order.
#[derive(Default)]
struct Order {
    sequence: u64,
    /// Backwards, so that the next node is the last one.
    path: Vec<NodeId>,
    at: NodeId,
    stay: u64,
}

impl Order {
    fn read(body: &Value, nodes: usize) -> Option<Self> {
        let node = |place: &Value| {
            let node = place["node"].as_u64().filter(|&node| node < nodes as u64);
            node.map(|node| node as NodeId)
        };
        let path = body["path"].as_array()?.iter().rev().map(node).collect::<Option<_>>()?;
        let (sequence, stay) = (body["sequence"].as_u64()?, body["stay"].as_u64()?);
        Some(Self { sequence, path, at: node(&body["at"])?, stay })
    }

    fn nodes_left(&self) -> u64 {
        self.stay.saturating_add(self.path.len() as u64)
    }

    fn is_done(&self) -> bool {
        self.nodes_left() == 0
    }

    fn next(&mut self) -> NodeId {
        match self.path.pop() {
            Some(node) => self.at = node,
            None => self.stay = self.stay.saturating_sub(1),
        }
        self.at
    }
}

/// The graph by its nodes and edges, names and places.
fn listed(graph: &Graph) -> Value {
    let edges: Vec<(NodeId, NodeId)> = graph.edges().collect();
    let mut listed = json!({"nodes": graph.len(), "edges": edges});
    if let Some(names) = graph.names() {
        listed["names"] = json!(names);
    }
    if let Some(coordinates) = graph.coordinates() {
        listed["coordinates"] = json!(coordinates);
    }
    listed
}
