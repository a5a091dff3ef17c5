//! Runs on the paper's graphs: every agent compared to its plain implementation, on one thread.

use crate::Effort;
use crate::instances::{INSTANCES, Instance};
use crate::measure::{Against, Budget, in_turns};
use crate::plain::{self, Lists, PlainAgent, adjacency_lists};
use anyhow::{Context, Result};
use graph_bandit::{AgentSpec, Preset, RunPlan, Seed, World, run};
use serde::{Deserialize, Serialize};
use std::hint::black_box;
use std::time::Duration;

/// `T` of the paper's experiments.
pub const STEPS: u64 = 20_000;
/// How often regret is recorded.
const CHECKPOINTS: u64 = 20;
/// The number of worlds that rounds use in turn: the time of a run depends on its luck.
const WORLDS: u64 = 8;

/// The section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Runs {
    /// Steps of each run, after initialization.
    pub steps: u64,
    /// One entry per agent and graph.
    pub rows: Vec<Row>,
}

/// One agent on one graph. Times include initialization and building the agent, but not the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The agent.
    pub agent: String,
    /// The preset of its parameters.
    pub preset: Preset,
    /// The paper's name of the graph.
    pub graph: String,
    /// The median time of a run.
    pub seconds_per_run: f64,
    /// The same per step.
    pub seconds_per_step: f64,
    /// The mean number of legs of a run.
    pub legs: f64,
    /// The plain implementation of the same agent.
    pub plain: Against,
}

/// Measures.
///
/// # Errors
/// When a run fails.
pub fn measure(effort: Effort) -> Result<Runs> {
    let mut rows = Vec::new();
    for agent in PlainAgent::ALL {
        for instance in &INSTANCES {
            rows.push(row(agent, instance, effort)?);
        }
    }
    Ok(Runs { steps: STEPS, rows })
}

fn budget(effort: Effort) -> Budget {
    match effort {
        Effort::Quick => {
            Budget { time: Duration::from_millis(50), least_rounds: 3, most_rounds: 64 }
        }
        Effort::Full => {
            Budget { time: Duration::from_millis(800), least_rounds: 5, most_rounds: 400 }
        }
    }
}

/// One agent in some worlds, ready to run.
pub struct Setting {
    agent: PlainAgent,
    spec: AgentSpec,
    plan: RunPlan,
    worlds: Vec<(Seed, World, Lists)>,
}

impl Setting {
    /// `agent` on a graph, in this many worlds.
    ///
    /// # Errors
    /// When the instance is invalid.
    pub fn new(agent: PlainAgent, instance: &Instance, worlds: u64) -> Result<Self> {
        let world = |seed| {
            let world = instance.world(agent.preset(), Seed(seed))?;
            let near = adjacency_lists(world.graph());
            Ok((Seed(seed), world, near))
        };
        Ok(Self {
            agent,
            spec: AgentSpec::named(agent.name(), agent.preset()).context(agent.name())?,
            plan: RunPlan::new(STEPS, CHECKPOINTS),
            worlds: (0..worlds).map(world).collect::<Result<_>>()?,
        })
    }

    /// One run of the library's agent in world number `round`; returns the number of its legs.
    ///
    /// # Errors
    /// When the run fails.
    pub fn library(&self, round: usize) -> Result<u64> {
        let (seed, world, _) = &self.worlds[round % self.worlds.len()];
        let mut agent = self.spec.build(world.graph())?;
        let record = run(world, agent.as_mut(), &self.plan, *seed)?;
        Ok(record.destinations.iter().sum())
    }

    /// One run of the plain agent in world number `round`; returns the number of its legs.
    pub fn plain(&self, round: usize) -> u64 {
        let (seed, world, near) = &self.worlds[round % self.worlds.len()];
        let record = plain::run(self.agent, world, near, &self.plan, *seed);
        record.destinations.iter().sum()
    }
}

fn row(agent: PlainAgent, instance: &Instance, effort: Effort) -> Result<Row> {
    let setting = Setting::new(agent, instance, WORLDS)?;
    let legs = (0..WORLDS as usize).map(|world| setting.library(world));
    let legs = legs.sum::<Result<u64>>()? as f64 / WORLDS as f64;
    let medians = in_turns(
        budget(effort),
        &mut [
            // The same runs succeeded above.
            Box::new(|round| drop(black_box(setting.library(round)))),
            Box::new(|round| {
                black_box(setting.plain(round));
            }),
        ],
    );
    Ok(Row {
        agent: agent.name().to_owned(),
        preset: agent.preset(),
        graph: instance.title.to_owned(),
        seconds_per_run: medians[0],
        seconds_per_step: medians[0] / STEPS as f64,
        legs,
        plain: Against::new(medians[1], medians[0]),
    })
}
