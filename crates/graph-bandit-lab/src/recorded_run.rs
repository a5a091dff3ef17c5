//! One run of a study, visit by visit.

use crate::entrant::Entrant;
use crate::error::LabError;
use crate::study::Study;
use graph_bandit::{Event, NodeId, Observer, Phase, Run, RunError, Situation, Status, TapeKind};
use std::sync::atomic::{AtomicBool, Ordering};

/// Every visit of one run, including initialization.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedRun {
    /// The node of every visit.
    pub nodes: Vec<NodeId>,
    /// The reward of every visit.
    pub rewards: Vec<f64>,
    /// When every visit ended, in units of one visit since the start of the walk.
    pub times: Vec<f64>,
    /// The visit at which every leg of the agent begins.
    pub legs: Vec<usize>,
    /// How many visits initialization made.
    pub init_visits: usize,
    /// The mean rewards of the run's world.
    pub means: Vec<f64>,
}

impl RecordedRun {
    /// When initialization ended; studies count time from here.
    pub fn began(&self) -> f64 {
        self.init_visits.checked_sub(1).map_or(0.0, |last| self.times[last])
    }
}

impl Observer for RecordedRun {
    fn hear(&mut self, now: &Situation<'_>, event: Event<'_>) {
        match event {
            Event::Planned { phase: Phase::Learn, .. } => self.legs.push(self.nodes.len()),
            Event::Visited(visit) => {
                self.nodes.push(visit.node);
                self.rewards.push(visit.sample.sum);
                self.times.push(now.clock.now().0);
            }
            Event::Covered => self.init_visits = self.nodes.len(),
            Event::Planned { .. } | Event::SetOut { .. } | Event::Arrived | Event::Ended => {}
        }
    }

    fn patience(&self) -> u64 {
        1
    }
}

impl Study {
    /// Makes one run of one agent and records every visit.
    ///
    /// # Errors
    /// When rewards are drawn by sums, several walkers walk ([`record_team`](Self::record_team)), the
    /// run fails, or `stop` is set.
    pub fn record(
        &self,
        agent: &Entrant,
        run: u64,
        stop: &AtomicBool,
    ) -> Result<RecordedRun, LabError> {
        self.check_tape()?;
        if let Some(team) = &self.team {
            let alone = self.walks_alone(team, agent, run)?;
            let reason = "several walkers are recorded as a team, not visit by visit";
            let alone = alone.ok_or_else(|| LabError::setting("walkers", reason))?;
            return alone.record(agent, run, stop);
        }
        let (world, mut built) = self.prepare(agent, run)?;
        let failed = |error: RunError| self.failed(agent, run, error.into_raised());
        let mut recorded = RecordedRun { means: world.means().to_vec(), ..RecordedRun::default() };
        let mut going =
            Run::new(&world, built.as_mut(), &self.plan, self.run_seed(run)).map_err(failed)?;
        while going.step(&mut recorded).map_err(failed)? == Status::Going {
            if stop.load(Ordering::Relaxed) {
                return Err(LabError::Interrupted);
            }
        }
        Ok(recorded)
    }

    /// Refuses to record runs that are not drawn visit by visit.
    pub(crate) fn check_tape(&self) -> Result<(), LabError> {
        match self.plan.tape {
            TapeKind::OneByOne => Ok(()),
            TapeKind::Sums => {
                Err(LabError::setting("tape", "only runs on tape \"one-by-one\" can be recorded"))
            }
        }
    }
}
