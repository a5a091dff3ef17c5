//! One run of a team, step by step and walker by walker.

use super::TeamStudy;
use crate::entrant::Entrant;
use crate::error::LabError;
use crate::study::Study;
use graph_bandit::run::RegretFrom;
use graph_bandit::team::{EarnedOverTime, TeamObserver, TeamSituation};
use graph_bandit::{Course, NodeId, Sample, Time, World};
use std::sync::atomic::AtomicBool;

/// Every step of every walker of one run, initialization included.
///
/// Columns have one entry per walker and step, unless they say otherwise: first the first step of all walkers, in their order,
/// then the second step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordedTeam {
    /// The number of walkers.
    pub walkers: usize,
    /// The node of the walker, or the one that it left last if it is on a road.
    pub nodes: Vec<NodeId>,
    /// What the walker drew there; NaN if it is on a road.
    pub draws: Vec<f64>,
    /// Its part of what the team got: with c walkers on the node, `f(c) / c` times the draw. Zero on
    /// a road.
    pub rewards: Vec<f64>,
    /// What the team got in each step, in expectation; one entry per step.
    pub expected: Vec<f64>,
    /// What the best static allocation of each step earns in it, in expectation; one entry per step.
    pub best: Vec<f64>,
    /// For each walker, the steps made when each of its legs began.
    pub legs: Vec<Vec<usize>>,
    /// The steps until every node had a draw; all steps if some node never had one.
    pub cover_steps: usize,
    /// The steps before the first one that counts.
    pub began: usize,
    /// The mean rewards of the run's world; if they change, those at the start.
    pub means: Vec<f64>,
    /// What the best static allocation earns per step under these means.
    pub optimum: f64,
    /// All lower nodes have a draw.
    covered: usize,
    /// How many walkers are on each node; zero between steps.
    there: Vec<usize>,
}

/// A recorder that knows the means of every step.
struct Recorder {
    recorded: RecordedTeam,
    world: World,
    /// If means change: those of every step, and the best allocation under them.
    over_time: Option<EarnedOverTime>,
    /// Whether the moments of the laws begin only when every node has a draw.
    waits_for_cover: bool,
}

impl Recorder {
    /// Looks up the means of the step that was just made, which is the first after these steps.
    fn means_after(&mut self, steps: usize) {
        let Some(over_time) = &mut self.over_time else { return };
        let is_covered = self.recorded.covered == self.recorded.means.len();
        let at = match (self.waits_for_cover, is_covered) {
            (true, false) => Time(f64::NEG_INFINITY),
            (true, true) => Time((steps - self.recorded.cover_steps) as f64),
            (false, _) => Time(steps as f64),
        };
        // A run whose best allocation is not known ends with that error before its first such step.
        if let Ok((means, best)) = over_time.at(&self.world, at) {
            self.recorded.means.copy_from_slice(means);
            self.recorded.optimum = best;
        }
    }
}

impl TeamObserver for Recorder {
    fn planned(&mut self, now: &TeamSituation<'_>) {
        self.recorded.planned(now);
    }

    fn stepped(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) {
        self.means_after(self.recorded.steps());
        self.recorded.stepped(now, seen);
    }
}

impl RecordedTeam {
    /// The number of steps.
    pub fn steps(&self) -> usize {
        self.nodes.len() / self.walkers.max(1)
    }

    fn new(walkers: usize, means: Vec<f64>, optimum: f64) -> Self {
        let there = vec![0; means.len()];
        Self { walkers, legs: vec![Vec::new(); walkers], means, optimum, there, ..Self::default() }
    }
}

impl TeamObserver for RecordedTeam {
    fn planned(&mut self, now: &TeamSituation<'_>) {
        let made = self.steps();
        for &walker in now.idle {
            self.legs[walker].push(made);
        }
    }

    fn stepped(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) {
        let on_nodes = || now.posts.iter().filter(|post| !post.is_on_road());
        for post in on_nodes() {
            self.there[post.at() as usize] += 1;
        }
        let mut expected = 0.0;
        for (post, draw) in now.posts.iter().zip(seen) {
            let node = post.at();
            self.nodes.push(node);
            if post.is_on_road() {
                self.draws.push(f64::NAN);
                self.rewards.push(0.0);
            } else {
                let count = self.there[node as usize];
                let part = now.sharing.multiple(node, count) / count as f64;
                self.draws.push(draw.sum);
                self.rewards.push(part * draw.sum);
                expected += part * self.means[node as usize];
            }
        }
        self.expected.push(expected);
        self.best.push(self.optimum);
        for post in on_nodes() {
            self.there[post.at() as usize] = 0;
        }
        if self.covered < self.means.len() {
            let samples = &now.estimates.samples()[self.covered..];
            self.covered += samples.iter().take_while(|sample| sample.count > 0).count();
            self.cover_steps = self.steps();
        }
    }
}

impl Study {
    /// Makes one run of a team and records every step of every walker.
    ///
    /// # Errors
    /// When the study has no team of several walkers, rewards are drawn by sums, the run fails, or
    /// `stop` is set.
    pub fn record_team(
        &self,
        agent: &Entrant,
        run: u64,
        stop: &AtomicBool,
    ) -> Result<RecordedTeam, LabError> {
        self.check_tape()?;
        let Some(team) = self.several() else {
            let reason = "a walker alone is recorded visit by visit, not as a team";
            return Err(LabError::setting("walkers", reason));
        };
        let (world, optimum) = (self.world(run)?, self.optimum(run)?);
        let means = world.means().to_vec();
        let over_time = match world.course() {
            Course::Changing => {
                Some(EarnedOverTime::new(&world, &team.setup(&world, self.run_seed(run))?))
            }
            Course::Constant => None,
        };
        let waits_for_cover =
            world.timetable().is_some() && self.plan.regret_from == RegretFrom::Cover;
        let recorded = RecordedTeam::new(team.walkers, means.clone(), optimum);
        let mut recorder = Recorder { recorded, world, over_time, waits_for_cover };
        let record = self.walk_team(team, (agent, run), &[stop], Some(&mut recorder))?;
        let began = usize::try_from(record.init.steps).unwrap_or(usize::MAX);
        Ok(RecordedTeam { began, means, optimum, ..recorder.recorded })
    }

    /// The team, unless it is a walker alone.
    pub fn several(&self) -> Option<&TeamStudy> {
        self.team.as_ref().filter(|team| team.walkers_that_are_led() > 1)
    }
}
