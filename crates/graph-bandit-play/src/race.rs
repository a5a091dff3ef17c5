//! A race: all agents in the same world with the same luck, moment by moment.

use crate::answer::{Agent, Progress};
use crate::change::{Change, RoadChange};
use crate::racer::{Racer, Start};
use crate::refusal::Refusal;
use crate::setup::{MOST_CHANGES, Setup, check_change};
use graph_bandit::{Edge, Preset, World};
use graph_bandit_figures::palette::{Style, styles_apart};
use graph_bandit_lab::Entrant;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many steps to make before asking the caller whether to go on.
const SLICE: u64 = 50;

/// A race under way.
///
/// The same set-up and the same changes lead to the same race, in whichever pieces the caller advances it.
pub struct Race {
    world: Arc<World>,
    racers: Vec<Racer>,
    agents: Vec<Agent>,
    steps: u64,
    points: Vec<u64>,
    /// The changes of the set-up that are still to come, the next one last.
    coming: Vec<Change>,
    closed: BTreeSet<Edge>,
    met: usize,
    t: u64,
}

impl Race {
    /// Makes a race at its beginning.
    ///
    /// # Errors
    /// When a field of the set-up is wrong; the refusal names the field and the remedy.
    pub fn new(setup: &Setup) -> Result<Self, Refusal> {
        let study = setup.study()?;
        let world = Arc::new(study.world(0)?);
        let seed = study.run_seed(0);
        let mut racers = Vec::with_capacity(study.agents.len());
        for spec in setup.specs()? {
            let entrant = Entrant::Named(spec.clone());
            let failed = |error| Refusal::from(study.failed(&entrant, 0, error));
            let agent = entrant.build(&world, seed).map_err(failed)?;
            let start = Start { spec, agent, node: setup.start, seed };
            racers.push(Racer::new(&world, start).map_err(|error| failed(error.into()))?);
        }
        let labels = study.agents.iter().map(|agent| agent.label(Preset::Paper));
        let labels: Vec<String> = labels.collect();
        let styles = styles_apart(labels.iter().map(String::as_str));
        let agent = |(label, style): (String, Style)| Agent {
            label,
            colour: style.color.key(),
            dash: style.dash,
        };
        let mut race = Self {
            agents: labels.into_iter().zip(styles).map(agent).collect(),
            world,
            racers,
            steps: setup.steps,
            points: study.plan.checkpoints,
            coming: setup.changes.iter().rev().copied().collect(),
            closed: BTreeSet::new(),
            met: 0,
            t: 0,
        };
        race.apply_due();
        Ok(race)
    }

    /// The hidden truth.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// The agents.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// How many visits each agent made before the race began.
    pub fn init_steps(&self) -> u64 {
        self.racers.first().map_or(0, Racer::init_steps)
    }

    /// How long the race is.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The moments at which regret is recorded.
    pub fn points(&self) -> &[u64] {
        &self.points
    }

    /// The present moment.
    pub fn t(&self) -> u64 {
        self.t
    }

    /// Advances to `until` or to the end of the race; stops earlier when `go_on` returns false.
    pub fn advance(&mut self, until: u64, mut go_on: impl FnMut() -> bool) {
        let until = until.min(self.steps);
        while self.t < until {
            let change = self.coming.last().map_or(u64::MAX, |change| change.t);
            let next = until.min(change).min(self.t + SLICE);
            let from = self.points.partition_point(|&point| point <= self.t);
            let to = self.points.partition_point(|&point| point <= next);
            for racer in &mut self.racers {
                racer.advance(next, &self.points[from..to]);
            }
            self.t = next;
            self.apply_due();
            if !go_on() {
                return;
            }
        }
    }

    /// Closes or opens a road now.
    ///
    /// # Errors
    /// When there is no such road, it is closed or open already, or the race is at another moment. Nothing changes then.
    pub fn change(&mut self, change: Change) -> Result<(), Refusal> {
        if change.t != self.t {
            return Err(Refusal::OtherMoment { asked: change.t, now: self.t });
        }
        if self.met + self.coming.len() >= MOST_CHANGES {
            let reason = format!("a race may have at most {MOST_CHANGES} changes; start a new one");
            return Err(Refusal::field("changes", reason));
        }
        check_change(self.world.graph(), &mut self.closed, change.what)?;
        self.apply(change);
        Ok(())
    }

    /// Applies the changes that are due. All were checked; those that the user already made by hand are skipped.
    fn apply_due(&mut self) {
        while let Some(change) = self.coming.pop_if(|change| change.t <= self.t) {
            if check_change(self.world.graph(), &mut self.closed, change.what).is_ok() {
                self.apply(change);
            }
        }
    }

    fn apply(&mut self, change: Change) {
        self.met += 1;
        for racer in &mut self.racers {
            racer.expect(change);
        }
    }

    /// The present standings, and what happened since the last call.
    pub fn tell(&mut self) -> Progress {
        let t = self.t;
        Progress {
            t,
            closed: self.closed.iter().copied().collect(),
            racers: self.racers.iter_mut().map(|racer| racer.tell(t)).collect(),
        }
    }

    /// Closes the road between two nodes now.
    ///
    /// # Errors
    /// As [`change`](Self::change).
    pub fn close(&mut self, a: u32, b: u32) -> Result<(), Refusal> {
        self.change(Change { t: self.t, what: RoadChange::Close([a, b]) })
    }

    /// Opens the road between two nodes again.
    ///
    /// # Errors
    /// As [`change`](Self::change).
    pub fn open(&mut self, a: u32, b: u32) -> Result<(), Refusal> {
        self.change(Change { t: self.t, what: RoadChange::Open([a, b]) })
    }
}
