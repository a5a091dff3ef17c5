//! A study: several agents, many runs, one graph; every agent meets the same worlds on the same
//! tapes.

use crate::entrant::Entrant;
use crate::error::LabError;
use crate::found_best::FoundBest;
use crate::jobs::{Jobs, Stop, Task, Watch, all_or_first_error, in_pool};
use crate::means::MeansSource;
use crate::noise::NoiseSource;
use crate::road_changes::RoadChanges;
use crate::team::TeamStudy;
use crate::window::{Measured, Window, measure};
use graph_bandit::random::label;
use graph_bandit::run::{Against, InitRecord};
use graph_bandit::spec::Span;
use graph_bandit::{
    Agent, Checkpoint, Graph, MAX_VISITS, Preset, Raised, RunError, RunPlan, RunRecord, Seed,
    TapeKind, World,
};
use rayon::prelude::*;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// The most checkpoints to keep over all runs, about two gigabytes.
const MOST_RECORDED: u64 = 40_000_000;
/// The size of a run without its checkpoints, in checkpoints.
const RUN_ITSELF: u64 = 7;

/// Refuses studies whose runs do not fit into memory; call it before keeping all runs.
///
/// # Errors
/// When runs times agents times checkpoints is too large.
pub fn check_memory(runs: u64, agents: u64, checkpoints: u64) -> Result<(), LabError> {
    let recorded =
        runs.saturating_mul(agents).saturating_mul(checkpoints.saturating_add(RUN_ITSELF));
    if recorded <= MOST_RECORDED {
        return Ok(());
    }
    let reason = format!(
        "{runs} runs of {agents} agents at {checkpoints} checkpoints do not fit into memory; \
         ask for fewer of them"
    );
    Err(LabError::setting("runs", reason))
}

/// What to run.
#[derive(Debug, Clone)]
pub struct Study {
    /// The graph of all runs.
    pub graph: Arc<Graph>,
    /// The agents to compare.
    pub agents: Vec<Entrant>,
    /// The preset of the agents' default parameters; it also determines their labels.
    pub preset: Preset,
    /// The source of each run's mean rewards.
    pub means: MeansSource,
    /// The noise around them.
    pub noise: NoiseSource,
    /// The plan of each run.
    pub plan: RunPlan,
    /// Which of its steps count.
    pub window: Window,
    /// What the map does not tell about roads.
    pub roads: RoadChanges,
    /// The team, if several walkers share the graph.
    pub team: Option<TeamStudy>,
    /// How many runs each agent makes.
    pub runs: u64,
    /// The seed of all randomness.
    pub seed: Seed,
}

/// One run of one agent.
#[derive(Debug, Clone, PartialEq)]
pub struct RunOutcome {
    /// What initialization cost.
    pub init: InitRecord,
    /// The state at each checkpoint.
    pub checkpoints: Vec<Checkpoint>,
    /// Visits left of the last leg; see [`RunRecord`].
    pub overshoot: u64,
    /// The best node at the end of the first `T` steps.
    pub best: Option<FoundBest>,
    /// The wall-clock time of the run.
    pub elapsed: Duration,
}

/// All runs of one agent, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentRecord {
    /// Its name with the parameters that differ from the preset's.
    pub label: String,
    /// Its runs, in order.
    pub runs: Vec<RunOutcome>,
}

impl AgentRecord {
    /// The regret of every run at checkpoint number `k`, in order.
    pub fn regrets(&self, k: usize) -> Vec<f64> {
        self.runs.iter().map(|run| run.checkpoints[k].regret).collect()
    }
}

/// All runs of all agents.
#[derive(Debug, Clone, PartialEq)]
pub struct StudyRecord {
    /// One entry per agent, in the order asked for.
    pub agents: Vec<AgentRecord>,
}

impl Study {
    /// The seed of one run: the same for every agent.
    pub fn run_seed(&self, run: u64) -> Seed {
        self.seed.child(label::RUNS).child(run)
    }

    /// The world of one run: the same for every agent.
    ///
    /// # Errors
    /// When the means do not fit the graph or the noise.
    pub fn world(&self, run: u64) -> Result<World, LabError> {
        let seed = self.run_seed(run);
        let means = self.means.of_run(run, self.graph.len(), seed)?;
        let laws = self.noise.laws(&means, seed).map_err(|error| self.means.blame(run, &error))?;
        let of_means = |error| LabError::setting("means", error);
        let mut world = World::new(Arc::clone(&self.graph), laws).map_err(of_means)?;
        let steps = self.plan.steps.saturating_add(self.plan.skip);
        let span = Span { nodes: self.graph.len(), run: seed, steps };
        if let Some(timetable) = self.means.over_time(&span)? {
            world = world.with_timetable(timetable).map_err(of_means)?;
        }
        self.roads.apply(world)
    }

    /// What is wrong with the tape of sums here, if it changes nothing: no reward has sums that can be
    /// drawn at once.
    pub fn useless_sums(&self) -> Option<String> {
        if self.plan.tape != TapeKind::Sums {
            return None;
        }
        // What cannot run is refused, and needs no warning.
        self.check().ok()?;
        let world = self.world(0).ok()?;
        let helps = world.graph().nodes().any(|node| world.law(node).has_closed_sums());
        (!helps).then(|| {
            format!(
                "tape sums draws nothing at once with noise {}: rewards are drawn one by one; sums are \
                 for bernoulli and gaussian noise",
                self.noise
            )
        })
    }

    /// Checks everything that can be checked before the first run.
    ///
    /// # Errors
    /// Names the setting or the file that is wrong, and the remedy.
    pub fn check(&self) -> Result<(), LabError> {
        let last = self.graph.len() - 1;
        if self.plan.start as usize > last {
            let reason =
                format!("{} is outside the graph; its nodes are 0 to {last}", self.plan.start);
            return Err(LabError::setting("start", reason));
        }
        if self.runs == 0 {
            return Err(LabError::setting("runs", "0 runs show nothing; ask for at least 1"));
        }
        if self.plan.steps == 0 {
            return Err(LabError::setting("steps", "0 steps show nothing; ask for at least 1"));
        }
        if self.plan.steps > MAX_VISITS {
            let reason = format!(
                "{} steps are too many to count exactly; the limit is {MAX_VISITS}",
                self.plan.steps
            );
            return Err(LabError::setting("steps", reason));
        }
        let roads_differ = self.graph.roads().is_some() || self.roads != RoadChanges::default();
        if roads_differ && self.window != Window::FIRST {
            let reason = format!(
                "{} does not support roads that are one-way, take time or close; use {}",
                self.window,
                Window::FIRST
            );
            return Err(LabError::setting("window", reason));
        }
        if self.window != Window::FIRST && self.means.changes() {
            let reason =
                format!("{} needs means that do not change; use {}", self.window, Window::FIRST);
            return Err(LabError::setting("window", reason));
        }
        if self.plan.tape == TapeKind::Sums && self.means.changes() {
            let reason = "sums needs means that do not change; use one-by-one";
            return Err(LabError::setting("tape", reason));
        }
        if self.plan.against != Against::Free {
            let reason = if self.roads != RoadChanges::default() {
                Some("needs roads as mapped, without closures and travel noise".to_owned())
            } else if self.window != Window::FIRST {
                Some(format!("needs the window {}", Window::FIRST))
            } else {
                None
            };
            if let Some(reason) = reason {
                let reason = format!("{} {reason}; use {}", self.plan.against, Against::Free);
                return Err(LabError::setting("against", reason));
            }
        }
        if let Some(team) = &self.team {
            self.check_team(team)?;
        } else if let Some(leader) =
            self.agents.iter().find(|agent| matches!(agent, Entrant::Team(_)))
        {
            let reason =
                format!("{} leads a team; say how many walkers it has", leader.label(self.preset));
            return Err(LabError::setting("agents", reason));
        }
        if self.agents.is_empty() {
            return Err(LabError::setting("agents", "name at least one agent"));
        }
        for (i, agent) in self.agents.iter().enumerate() {
            let label = agent.label(self.preset);
            if self.agents[..i].iter().any(|other| other.label(self.preset) == label) {
                let reason = format!("{label} is named twice");
                return Err(LabError::setting("agents", reason));
            }
        }
        self.noise.kinds().try_for_each(|noise| self.means.check(self.graph.len(), noise))
    }

    /// Makes all runs; `tick` is called after each, from any thread.
    ///
    /// # Errors
    /// As [`check`](Self::check), or when a run fails.
    pub fn execute(&self, jobs: Jobs, tick: &(dyn Fn() + Sync)) -> Result<StudyRecord, LabError> {
        let all: Vec<Task> = (0..self.agents.len())
            .flat_map(|agent| (0..self.runs).map(move |run| Task { agent, run }))
            .collect();
        let watch = Watch { tick, stop: &AtomicBool::new(false) };
        let mut outcomes = self.execute_tasks(&all, jobs, watch)?.into_iter();
        let of_agent = |agent: &Entrant| AgentRecord {
            label: agent.label(self.preset),
            runs: outcomes.by_ref().take(self.runs as usize).collect(),
        };
        Ok(StudyRecord { agents: self.agents.iter().map(of_agent).collect() })
    }

    /// Makes some of the runs: the parts of a study that is spread over machines or may be
    /// interrupted. The outcomes are in the order of the tasks.
    ///
    /// # Errors
    /// As [`execute`](Self::execute), or [`LabError::Interrupted`].
    ///
    /// # Panics
    /// When a task names an agent that the study does not have.
    pub fn execute_tasks(
        &self,
        tasks: &[Task],
        jobs: Jobs,
        watch: Watch<'_>,
    ) -> Result<Vec<RunOutcome>, LabError> {
        self.check()?;
        let threads = jobs.threads().min(tasks.len()).max(1);
        let stop = Stop::when(watch.stop);
        let made = in_pool(threads, || {
            let outcome = |task: &Task| {
                let outcome = self.run_until(&self.agents[task.agent], task.run, &stop);
                if outcome.is_err() {
                    stop.fail();
                }
                (watch.tick)();
                outcome
            };
            tasks.par_iter().with_max_len(1).map(outcome).collect()
        })?;
        all_or_first_error(made)
    }

    /// The regret of every run of one agent at every checkpoint: by window, then by run.
    ///
    /// # Errors
    /// As [`check`](Self::check), or when a run fails.
    pub fn regrets_in(
        &self,
        windows: &[Window],
        agent: &Entrant,
        jobs: Jobs,
    ) -> Result<Vec<Vec<Vec<f64>>>, LabError> {
        self.check()?;
        let threads = jobs.threads().min(self.runs as usize);
        let never = AtomicBool::new(false);
        let record = |run| self.records_in(windows, agent, run, &Stop::when(&never));
        let records: Result<Vec<Vec<RunRecord>>, LabError> =
            in_pool(threads, || (0..self.runs).into_par_iter().map(record).collect())?;
        let records = records?;
        let regret = |record: &RunRecord| record.checkpoints.iter().map(|p| p.regret).collect();
        let in_window = |place: usize| records.iter().map(|run| regret(&run[place])).collect();
        Ok((0..windows.len()).map(in_window).collect())
    }

    /// One run of one agent, measured in several windows.
    ///
    /// # Errors
    /// As [`run_once`](Self::run_once), or [`LabError::Interrupted`] once `stop` is due.
    pub(crate) fn records_in(
        &self,
        windows: &[Window],
        agent: &Entrant,
        run: u64,
        stop: &Stop<'_>,
    ) -> Result<Vec<RunRecord>, LabError> {
        if let Some(team) = &self.team {
            if let Some(other) = windows.iter().find(|window| **window != Window::FIRST) {
                let first = Window::FIRST;
                let reason = format!("teams are measured in window {first} only, not in {other}");
                return Err(LabError::setting("window", format!("{reason}; use {first}")));
            }
            if let Some(alone) = self.walks_alone(team, agent, run)? {
                return alone.records_in(windows, agent, run, stop);
            }
            let record = self.team_record(team, (agent, run), &stop.flags())?;
            return Ok(vec![record; windows.len()]);
        }
        let (world, mut built) = self.prepare(agent, run)?;
        let made = (&world, built.as_mut() as &mut dyn Agent);
        Ok(self.measure(windows, (agent, run), made, stop)?.records)
    }

    fn measure(
        &self,
        windows: &[Window],
        (agent, run): (&Entrant, u64),
        (world, built): (&World, &mut dyn Agent),
        stop: &Stop<'_>,
    ) -> Result<Measured, LabError> {
        let made = (world, built, &self.plan, self.run_seed(run));
        measure(windows, made, &stop.flags()).map_err(|error| match error {
            RunError::Stopped => LabError::Interrupted,
            other => self.failed(agent, run, other.into_raised()),
        })
    }

    /// One run of one agent.
    ///
    /// # Errors
    /// When the world cannot be made or the run fails.
    pub fn run_once(&self, agent: &Entrant, run: u64) -> Result<RunOutcome, LabError> {
        self.run_until(agent, run, &Stop::when(&AtomicBool::new(false)))
    }

    fn run_until(
        &self,
        agent: &Entrant,
        run: u64,
        stop: &Stop<'_>,
    ) -> Result<RunOutcome, LabError> {
        if stop.is_due() {
            return Err(LabError::Interrupted);
        }
        if let Some(team) = &self.team {
            return match self.walks_alone(team, agent, run)? {
                Some(alone) => alone.run_until(agent, run, stop),
                None => self.run_team(team, (agent, run), &stop.flags()),
            };
        }
        let (world, mut built) = self.prepare(agent, run)?;
        let start = Instant::now();
        let made = (&world, built.as_mut() as &mut dyn Agent);
        let Measured { mut records, best } =
            self.measure(&[self.window], (agent, run), made, stop)?;
        let record = records.swap_remove(0);
        Ok(RunOutcome {
            init: record.init,
            checkpoints: record.checkpoints,
            overshoot: record.overshoot,
            best,
            elapsed: start.elapsed(),
        })
    }

    /// The world of one run and a fresh agent for it.
    ///
    /// # Errors
    /// When the means do not fit the graph or the noise, or the agent cannot be built.
    pub fn prepare(
        &self,
        agent: &Entrant,
        run: u64,
    ) -> Result<(World, Box<dyn Agent + Send>), LabError> {
        let world = self.world(run)?;
        let built = agent.build(&world, self.run_seed(run));
        Ok((world, built.map_err(|error| self.failed(agent, run, error))?))
    }

    /// The error of an agent's run, with the agent and the run.
    pub fn failed(&self, agent: &Entrant, run: u64, error: Raised) -> LabError {
        LabError::Run { agent: agent.label(self.preset), run, error }
    }
}

#[cfg(test)]
pub(crate) mod tests;
