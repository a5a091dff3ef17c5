//! One run of a team, step by step and walker by walker.

use super::TeamStudy;
use crate::entrant::Entrant;
use crate::error::LabError;
use crate::study::Study;
use graph_bandit::team::{TeamObserver, TeamSituation};
use graph_bandit::{NodeId, Sample};
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
    /// For each walker, the steps made when each of its legs began.
    pub legs: Vec<Vec<usize>>,
    /// The steps until every node had a draw; all steps if some node never had one.
    pub cover_steps: usize,
    /// The steps before the first one that counts.
    pub began: usize,
    /// The mean rewards of the run's world.
    pub means: Vec<f64>,
    /// What the best static allocation earns per step.
    pub optimum: f64,
    /// All lower nodes have a draw.
    covered: usize,
    /// How many walkers are on each node; zero between steps.
    there: Vec<usize>,
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
        let means = self.world(run)?.means().to_vec();
        let mut recorded = RecordedTeam::new(team.walkers, means, self.optimum(run)?);
        let record = self.walk_team(team, (agent, run), &[stop], Some(&mut recorded))?;
        recorded.began = usize::try_from(record.init.steps).unwrap_or(usize::MAX);
        Ok(recorded)
    }

    /// The team, unless it is a walker alone.
    pub fn several(&self) -> Option<&TeamStudy> {
        self.team.as_ref().filter(|team| team.walkers_that_are_led() > 1)
    }
}
