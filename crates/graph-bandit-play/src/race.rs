//! A race: all agents on the same world and the same luck, from moment to moment.

use crate::answer::{Agent, Progress};
use crate::change::{Change, RoadChange};
use crate::racer::{Racer, Start};
use crate::refusal::Refusal;
use crate::setup::{MOST_CHANGES, Setup, check_change};
use graph_bandit::{Edge, Preset, World};
use graph_bandit_figures::palette::{Style, styles_of};
use graph_bandit_lab::Entrant;
use std::collections::BTreeSet;
use std::sync::Arc;

/// So many steps are made before somebody is asked whether to go on.
const SLICE: u64 = 50;

/// A race under way.
///
/// Whatever is asked of it in whichever pieces, the same set-up and the same changes lead to the same race.
pub struct Race {
    world: Arc<World>,
    racers: Vec<Racer>,
    agents: Vec<Agent>,
    steps: u64,
    points: Vec<u64>,
    /// Changes that are known beforehand, the next one last.
    coming: Vec<Change>,
    closed: BTreeSet<Edge>,
    met: usize,
    t: u64,
}

impl Race {
    /// A race about to begin.
    ///
    /// # Errors
    /// Names the field of the set-up that is wrong, and what would be right.
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
        let styles = styles_of(labels.iter().map(String::as_str));
        let agent = |(label, style): (String, Style)| Agent { label, colour: style.color.key() };
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
        race.meet_coming();
        Ok(race)
    }

    /// The hidden truth.
    pub fn world(&self) -> &Arc<World> {
        &self.world
    }

    /// Who takes part.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// How many visits each agent made before it began.
    pub fn init_steps(&self) -> u64 {
        self.racers.first().map_or(0, Racer::init_steps)
    }

    /// How long it is.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// At which moments regret is kept.
    pub fn points(&self) -> &[u64] {
        &self.points
    }

    /// When it is.
    pub fn t(&self) -> u64 {
        self.t
    }

    /// Goes on until `until`, or its end; earlier, if `go_on` says so after a piece of the way.
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
            self.meet_coming();
            if !go_on() {
                return;
            }
        }
    }

    /// A road closes or opens now.
    ///
    /// # Errors
    /// When there is no such road, it is closed or open already, or the race is at another moment. Nothing changes then.
    pub fn change(&mut self, change: Change) -> Result<(), Refusal> {
        if change.t != self.t {
            return Err(Refusal::OtherMoment { asked: change.t, now: self.t });
        }
        if self.met + self.coming.len() >= MOST_CHANGES {
            let reason = format!("a race may have {MOST_CHANGES} changes; start it again");
            return Err(Refusal::field("changes", reason));
        }
        check_change(self.world.graph(), &mut self.closed, change.what)?;
        self.meet(change);
        Ok(())
    }

    /// Meets the changes that are due. All were checked; those that somebody made by hand before are made already.
    fn meet_coming(&mut self) {
        while let Some(change) = self.coming.pop_if(|change| change.t <= self.t) {
            if check_change(self.world.graph(), &mut self.closed, change.what).is_ok() {
                self.meet(change);
            }
        }
    }

    fn meet(&mut self, change: Change) {
        self.met += 1;
        for racer in &mut self.racers {
            racer.expect(change);
        }
    }

    /// How things stand, and what happened since somebody asked last.
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

    /// Opens it again.
    ///
    /// # Errors
    /// As [`change`](Self::change).
    pub fn open(&mut self, a: u32, b: u32) -> Result<(), Refusal> {
        self.change(Change { t: self.t, what: RoadChange::Open([a, b]) })
    }
}
