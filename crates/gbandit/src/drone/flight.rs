//! One drone: it asks, travels, collects what its world pays, and reports.

use super::client::{Answer, Client, Reply};
use super::covered::cover;
use super::graph_json::graph_json;
use super::schedule::Schedule;
use crate::args::TellArg;
use anyhow::Context;
use graph_bandit::run::OnRoads;
use graph_bandit::{
    Agent, AgentSpec, Clock, Edge, Estimates, Event, Field, Init, Leg, NodeId, Observer, Raised,
    Sample, Seed, Setting, Situation, Stream, TapeKind, Trajectory, World,
};
use graph_bandit_lab::Study;
use graph_bandit_server::agent::Order;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The most visits in one report; a longer stay is reported in parts.
const MOST_AT_ONCE: u64 = 10_000;

/// What a drone remembers of its flight.
#[derive(Default)]
pub(crate) struct Log {
    pub(crate) asks: Vec<Duration>,
    pub(crate) tells: Vec<Duration>,
    /// For each order but the first: the report before it and the request for it, together.
    pub(crate) orders: Vec<Duration>,
    pub(crate) rewards: u64,
    pub(crate) collected: f64,
    /// How long its steps took, travel and visits together, in units of one visit.
    pub(crate) time: f64,
    pub(crate) retries: u64,
    /// Reports the service refused because the agent had gone on without them.
    pub(crate) conflicts: u64,
    /// Reports that fell due before the previous one was answered.
    pub(crate) late: u64,
    /// What the best node of its world pays on average.
    pub(crate) best: f64,
}

/// What the drones have to do.
pub(crate) struct Trip<'a> {
    pub(crate) reports: u64,
    pub(crate) tell: TellArg,
    /// How many drones fly, their rate together, and when they started.
    pub(crate) drones: u64,
    pub(crate) rate: Option<u64>,
    pub(crate) start: Instant,
    /// Called after every report.
    pub(crate) tick: &'a (dyn Fn() + Sync),
}

/// A drone that is ready to fly.
pub(crate) struct Flight {
    number: u64,
    world: World,
    /// The seed of its run.
    run: Seed,
    /// How often it drove each road before.
    driven: Driven,
    pilot: Pilot,
    /// Visits so far of every node: where its tape continues.
    seen: Estimates,
}

/// The agents to create.
pub(crate) struct NewAgents<'a> {
    /// The worlds the drones fly in.
    pub(crate) study: &'a Study,
    pub(crate) agent: &'a AgentSpec,
    /// How many seconds a visit takes, if given.
    pub(crate) visit_time: Option<f64>,
    /// Whether they are shown one reward of every node before the drones fly.
    pub(crate) covered: bool,
}

impl Flight {
    /// Creates the agent, or continues an existing one where it stands.
    pub(crate) fn prepare(
        client: Client,
        &NewAgents { study, agent, visit_time, covered }: &NewAgents<'_>,
        (id, number): (String, u64),
    ) -> anyhow::Result<Self> {
        let world = study.world(number)?;
        let seed = study.run_seed(number);
        let new_agent = json!({
            "id": id, "graph": graph_json(&study.graph, visit_time), "agent": agent, "seed": seed.0,
        });
        let created = client.post("/v1/agents", &new_agent);
        created.with_context(|| {
            format!(
                "drone {id} has no agent; if another agent has that name, choose another --name"
            )
        })?;
        let mut seen = Vec::new();
        let mut next = Some(0);
        while let Some(from) = next {
            let path = format!("/v1/agents/{id}/estimates?from={from}&limit=1000");
            let page = client.get(&path)?.body;
            let estimates = page["estimates"].as_array().context("no estimates")?;
            seen.extend(estimates.iter().map(|node| Sample {
                count: node["visits"].as_u64().unwrap_or(0),
                ..Sample::default()
            }));
            next = page["next"].as_u64();
        }
        anyhow::ensure!(seen.len() == study.graph.len(), "the estimates are of another graph");
        let pilot = Pilot {
            client,
            id,
            leg: Leg::default(),
            sequence: 0,
            answers: None,
            due: None,
            told: None,
            log: Log::default(),
        };
        let mut seen: Estimates = seen.try_into()?;
        if covered {
            cover(&pilot.client, &pilot.id, (&world, seed), &mut seen)?;
        }
        let driven = if world.travel().is_some() { driven(&pilot)? } else { Vec::new() };
        Ok(Self { number, world, run: seed, driven, pilot, seen })
    }
}

/// Roads, and how often each was driven.
type Driven = Vec<(Edge, u64)>;

/// How often the agent heard of drives along each road.
fn driven(pilot: &Pilot) -> anyhow::Result<Driven> {
    let map = pilot.client.get(&format!("/v1/agents/{}/map?learned=true", pilot.id))?.body;
    let learned = map["learned"].as_array().context("no learned times")?;
    let drives = |road: &Value| {
        let node = |end: &str| road[end].as_u64().map(|node| node as NodeId);
        Some(((node("from")?, node("to")?), road["told"].as_u64()?))
    };
    learned.iter().map(drives).collect::<Option<_>>().context("the learned times cannot be read")
}

/// Makes all reports of these drones: one report of each drone per round.
pub(crate) fn fly(flights: Vec<Flight>, trip: &Trip<'_>) -> anyhow::Result<Vec<Log>> {
    let mut worlds = Vec::new();
    let mut crews = Vec::new();
    for Flight { number, world, run, driven, pilot, seen } in flights {
        worlds.push((world, run, driven));
        crews.push((number, pilot, seen));
    }
    let pairs = worlds.iter().zip(crews);
    let mut aloft = pairs
        .map(|(ground, crew)| Flying::take_off(ground, crew, trip))
        .collect::<anyhow::Result<Vec<_>>>()?;
    for number in 0..trip.reports {
        for drone in &mut aloft {
            drone.report(number, trip)?;
        }
    }
    Ok(aloft.into_iter().map(|drone| drone.trajectory.into_agent().log).collect())
}

/// A drone in flight.
struct Flying<'a> {
    trajectory: Trajectory<Pilot>,
    payer: OnRoads<&'a World>,
    schedule: Schedule,
    nodes: usize,
    travels: Travels,
}

/// Whether steps take longer than the visits at their ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Travels {
    ByStep,
    ByTime,
}

impl<'a> Flying<'a> {
    fn take_off(
        (world, run, driven): &'a (World, Seed, Driven),
        (number, mut pilot, seen): (u64, Pilot, Estimates),
        trip: &Trip<'_>,
    ) -> anyhow::Result<Self> {
        let field = Field::seen(world.shared_graph(), seen);
        let setting = Setting { start: 0, init: Init::None, stream: Seed(0).stream() };
        pilot.log.best = world.best_mean();
        Ok(Self {
            trajectory: Trajectory::new(field, pilot, setting)?,
            payer: OnRoads::new(world, *run, TapeKind::OneByOne).after(driven.iter().copied()),
            schedule: Schedule::of(trip.rate, trip.start, (number, trip.drones)),
            nodes: world.graph().len(),
            travels: if world.graph().roads().is_some() {
                Travels::ByTime
            } else {
                Travels::ByStep
            },
        })
    }

    fn report(&mut self, number: u64, trip: &Trip<'_>) -> anyhow::Result<()> {
        let trajectory = &mut self.trajectory;
        trajectory.agent_mut().due = self.schedule.due(number);
        if trajectory.walker().is_idle() {
            // Other robots may have moved the agent meanwhile.
            let at = trajectory.agent_mut().ask(self.nodes)?;
            trajectory.be_at(at)?;
        }
        let most = match trip.tell {
            TellArg::Leg => MOST_AT_ONCE,
            TellArg::Reward => 1,
        };
        let mut collected = Collected::at(*trajectory.walker().clock());
        trajectory.advance(most, &mut self.payer, &mut collected)?;
        if trajectory.agent_mut().tell(&collected, self.travels)? == ReportOutcome::Refused {
            // The order belongs to another past; the next report begins with an ask.
            trajectory.abandon();
        }
        (trip.tick)();
        Ok(())
    }
}

/// Collects every reward, and how long the step to it took.
struct Collected {
    rewards: Vec<f64>,
    took: Vec<f64>,
    /// The clock after the last reward.
    before: Clock,
}

impl Collected {
    fn at(now: Clock) -> Self {
        Self { rewards: Vec::new(), took: Vec::new(), before: now }
    }
}

impl Observer for Collected {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        if let Event::Visited(visit) = event {
            self.rewards.push(visit.sample.sum);
            self.took.push(now.clock.since(&self.before));
            self.before = *now.clock;
        }
    }

    fn patience(&self) -> u64 {
        1
    }
}

/// The agent of a drone: it follows the orders of the service.
struct Pilot {
    client: Client,
    id: String,
    /// The last order of the service.
    leg: Leg,
    /// The number of the next report.
    sequence: u64,
    /// What came with that order: its number, the agent's number, and the seal of the log.
    answers: Option<(u64, u64, String)>,
    /// When the next report is due.
    due: Option<Instant>,
    /// How long the answer to the last report took.
    told: Option<Duration>,
    log: Log,
}

impl Agent for Pilot {
    fn next_leg(
        &mut self,
        _now: &Situation<'_>,
        _stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        leg.clone_from(&self.leg);
        Ok(())
    }
}

/// Whether a report counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ReportOutcome {
    Taken,
    Refused,
}

impl Pilot {
    /// Asks for the next leg; returns where it begins.
    fn ask(&mut self, nodes: usize) -> anyhow::Result<NodeId> {
        // As early as a robot would: it has to know where to go.
        let since = self.due.map_or_else(Instant::now, |due| due.min(Instant::now()));
        let Answer { body, retries } = self.client.ask(&format!("/v1/agents/{}/ask", self.id))?;
        let asked = since.elapsed();
        self.log.asks.push(asked);
        self.log.orders.extend(self.told.take().map(|told| told + asked));
        self.log.retries += retries;
        let order: Order = serde_json::from_value(body).context("the order cannot be read")?;
        let path: Vec<NodeId> = order.path.iter().map(|place| place.node).collect();
        let is_there = |node: &NodeId| (*node as usize) < nodes;
        anyhow::ensure!(
            path.iter().chain([&order.at.node]).all(is_there),
            "the order goes to a node that does not exist"
        );
        (self.leg, self.sequence) = (Leg { path, stay: order.stay }, order.sequence);
        self.answers = Some((order.sequence, order.number, order.seal));
        Ok(order.at.node)
    }

    fn tell(&mut self, collected: &Collected, travels: Travels) -> anyhow::Result<ReportOutcome> {
        let rewards = &collected.rewards;
        let mut body = json!({"sequence": self.sequence, "rewards": rewards});
        if travels == Travels::ByTime {
            body["took"] = json!(collected.took);
        }
        if let Some((sequence, number, seal)) = &self.answers {
            body["number"] = json!(number);
            if *sequence == self.sequence {
                body["seal"] = json!(seal);
            }
        }
        let since = match self.due {
            None => Instant::now(),
            Some(due) => {
                let early = due.saturating_duration_since(Instant::now());
                self.log.late += u64::from(early.is_zero());
                std::thread::sleep(early);
                due
            }
        };
        let reply = self.client.report(&format!("/v1/agents/{}/tell", self.id), &body)?;
        let told = since.elapsed();
        self.log.tells.push(told);
        self.told = Some(told);
        let answer = match reply {
            Reply::Taken(answer) => answer,
            Reply::Conflict { retries } => {
                self.log.retries += retries;
                self.log.conflicts += 1;
                return Ok(ReportOutcome::Refused);
            }
        };
        self.log.rewards += rewards.len() as u64;
        self.log.collected += rewards.iter().sum::<f64>();
        self.log.time += collected.took.iter().sum::<f64>();
        self.log.retries += answer.retries;
        self.sequence = answer.body["next_sequence"].as_u64().context("no next number")?;
        Ok(ReportOutcome::Taken)
    }
}
