//! Scale: time per leg, initialization and memory against `|S|` on square grids.

use crate::Effort;
use crate::measure::exponent;
use crate::memory::peak_bytes;
use crate::probe;
use crate::stopwatch::Stopwatch;
use anyhow::{Context, Result};
use graph_bandit::{
    Agent, AgentSpec, Graph, Init, Leg, MeansSpec, Preset, Raised, RewardSpec, RunPlan, Seed,
    Situation, Stream, Visit, World, run,
};
use serde::{Deserialize, Serialize};

/// The sides of the grids: about 10^3 to 10^6 nodes.
const SIDES: [usize; 7] = [32, 56, 100, 178, 316, 562, 1000];
const AGENTS: [&str; 4] = ["direct-sp", "g-ucb", "g-star", "g-safe"];
/// Steps per side of the grid: a hundred or two hundred legs, with paths as long as the grid is
/// wide.
const STEPS_PER_SIDE: u64 = 120;
/// The legs during which tables are built; they are measured separately.
const FIRST_LEGS: u64 = 50;

/// The section.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// One entry per agent.
    pub curves: Vec<Curve>,
}

/// One agent on grids of all sizes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// The agent.
    pub agent: String,
    /// One entry per grid.
    pub points: Vec<Point>,
    /// `p` of time per leg `~ |S|^p`.
    pub leg_exponent: Option<f64>,
    /// `p` of the time of initialization `~ |S|^p`.
    pub init_exponent: Option<f64>,
    /// `p` of the added memory `~ |S|^p`.
    pub memory_exponent: Option<f64>,
}

/// One run on one grid, in its own process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// `|S|`.
    pub nodes: usize,
    /// Seconds to make the graph and the world.
    pub build: f64,
    /// Seconds of initialization, depth first.
    pub init: f64,
    /// Steps of initialization.
    pub init_steps: u64,
    /// Seconds of the first fifty legs, including the tables built in them.
    pub preparation: f64,
    /// Legs made after those.
    pub legs: u64,
    /// Mean seconds of one of them: planning and walking.
    pub leg: f64,
    /// The peak memory of the process, in bytes, if the system reports it.
    pub peak_bytes: Option<u64>,
    /// The part of it that graph, world and run added to the program itself.
    pub added_bytes: Option<u64>,
}

/// What to measure in another process.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Probe {
    agent: String,
    side: usize,
}

fn sides(effort: Effort) -> &'static [usize] {
    match effort {
        Effort::Quick => &SIDES[..5],
        Effort::Full => &SIDES,
    }
}

/// Measures.
///
/// # Errors
/// When another process cannot be started or fails.
pub fn measure(effort: Effort) -> Result<Scale> {
    let mut curves = Vec::new();
    for agent in AGENTS {
        let mut points: Vec<Point> = Vec::new();
        for &side in sides(effort) {
            let probe = probe::Probe::Scale(Probe { agent: agent.to_owned(), side });
            points.push(serde_json::from_str(&probe.launch()?)?);
        }
        let against_nodes = |value: fn(&Point) -> Option<f64>| {
            let pair = |point: &Point| Some((point.nodes as f64, value(point)?));
            exponent(&points.iter().filter_map(pair).collect::<Vec<_>>())
        };
        curves.push(Curve {
            agent: agent.to_owned(),
            leg_exponent: against_nodes(|point| Some(point.leg)),
            init_exponent: against_nodes(|point| Some(point.init)),
            memory_exponent: against_nodes(|point| {
                point.added_bytes.filter(|&bytes| bytes > 0).map(|bytes| bytes as f64)
            }),
            points,
        });
    }
    Ok(Scale { curves })
}

/// An agent that reads the clock when it is first asked, which is when initialization is over, and
/// again after the first legs; it also counts its legs. Each part has its own stopwatch: the
/// waiting time subtracted differs from reading to reading, and a difference of two readings could
/// be negative.
struct Watched {
    agent: Box<dyn Agent + Send>,
    part: Stopwatch,
    init: f64,
    preparation: f64,
    legs: u64,
}

impl Watched {
    /// Ends the current part and begins the next.
    fn next_part(&mut self) -> f64 {
        let seconds = self.part.seconds();
        self.part = Stopwatch::start();
        seconds
    }
}

impl Agent for Watched {
    fn next_leg(
        &mut self,
        now: &Situation<'_>,
        stream: &mut Stream,
        leg: &mut Leg,
    ) -> Result<(), Raised> {
        match self.legs {
            0 => self.init = self.next_part(),
            FIRST_LEGS => self.preparation = self.next_part(),
            _ => {}
        }
        self.legs += 1;
        self.agent.next_leg(now, stream, leg)
    }

    fn observe(&mut self, now: &Situation<'_>, visit: &Visit) -> Result<(), Raised> {
        self.agent.observe(now, visit)
    }
}

impl Probe {
    pub(crate) fn carry_out(&self) -> Result<Point> {
        let seed = Seed(1);
        let bytes_before = peak_bytes();
        let begun = Stopwatch::start();
        let graph = Graph::grid(self.side, self.side)?;
        let means = "uniform:0.5,9.5".parse::<MeansSpec>()?.draw(graph.len(), seed)?;
        let laws = "uniform:0.5".parse::<RewardSpec>()?.laws(&means)?;
        let world = World::new(graph, laws)?;
        let build = begun.seconds();
        let spec =
            AgentSpec::named(&self.agent, Preset::Paper).context("there is no such agent")?;
        let agent = spec.build(world.graph())?;
        let plan = RunPlan {
            init: Init::DepthFirst,
            ..RunPlan::new(STEPS_PER_SIDE * self.side as u64, 1)
        };
        let part = Stopwatch::start();
        let mut watched = Watched { agent, part, init: 0.0, preparation: 0.0, legs: 0 };
        let record = run(&world, &mut watched, &plan, seed)?;
        let mut rest = watched.part.seconds();
        if watched.legs <= FIRST_LEGS {
            // The run ended before they were made: all of it was preparation.
            watched.preparation = rest;
            rest = 0.0;
        }
        let legs = watched.legs.saturating_sub(FIRST_LEGS);
        let peak_bytes = peak_bytes();
        let added = peak_bytes.zip(bytes_before).map(|(peak, before)| peak.saturating_sub(before));
        Ok(Point {
            nodes: world.graph().len(),
            build,
            init: watched.init,
            init_steps: record.init.steps,
            preparation: watched.preparation,
            legs,
            leg: rest / legs.max(1) as f64,
            peak_bytes,
            added_bytes: added,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_probe_covers_the_grid_and_makes_legs() {
        for agent in AGENTS {
            let point = Probe { agent: agent.to_owned(), side: 32 }.carry_out().unwrap();
            assert_eq!(point.nodes, 1_024);
            assert!((1_024..2_048).contains(&point.init_steps), "{point:?}");
            assert!((20..=3_790).contains(&point.legs), "{point:?}");
        }
    }
}
