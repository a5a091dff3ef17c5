//! Studies of teams: several walkers share one graph and one field.

mod optimum;
mod recorded;
mod share_source;
mod starts;
mod walkers;

pub use recorded::RecordedTeam;
pub use share_source::{ShareSource, ShareTable};
pub use starts::Starts;

use crate::entrant::Entrant;
use crate::error::LabError;
use crate::study::{RunOutcome, Study};
use graph_bandit::random::label;
use graph_bandit::run::{Against, RegretFrom};
use graph_bandit::team::agents::Independent;
use graph_bandit::team::{
    BestStaticError, Draws, Manner, Member, SetupError, TeamAgent, TeamError, TeamObserver,
    TeamRun, TeamRunError, TeamRunPlan, TeamSetup,
};
use graph_bandit::{
    Agent, Course, Init, NodeId, Raised, Roads, RunRecord, Seed, Status, Timetable, World,
};
use optimum::{best_static, best_walks};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

/// The team of a study.
#[derive(Debug, Clone, PartialEq)]
pub struct TeamStudy {
    /// The number of walkers.
    pub walkers: usize,
    /// Where they start.
    pub starts: Starts,
    /// What a node pays several of them.
    pub share: ShareSource,
    /// What walkers on one node draw.
    pub draws: Draws,
    /// The most walkers that may be sent to one node.
    pub seats: Option<usize>,
    /// The speed of each walker; empty if all have that of the map.
    pub speeds: Vec<f64>,
    /// The nodes where each walker may be; empty if all may be everywhere.
    pub allowed: Vec<Option<Vec<NodeId>>>,
}

impl TeamStudy {
    /// A team of this many walkers, otherwise by default.
    pub fn of(walkers: usize) -> Self {
        Self {
            walkers,
            starts: Starts::default(),
            share: ShareSource::default(),
            draws: Draws::default(),
            seats: None,
            speeds: Vec::new(),
            allowed: Vec::new(),
        }
    }

    /// The first step that counts by default: teams include initialization, as the paper on teams
    /// does.
    pub fn usual_regret_from(&self) -> RegretFrom {
        if self.walkers_that_are_led() > 1 { RegretFrom::Start } else { RegretFrom::Cover }
    }

    /// For agents: the number of walkers, but at least two if some walker is special, because only
    /// agents that lead teams handle that.
    pub fn walkers_that_are_led(&self) -> usize {
        if self.differs() { self.walkers.max(2) } else { self.walkers }
    }

    /// Whether some walker has a speed of its own or is confined to some nodes.
    fn differs(&self) -> bool {
        self.speeds.iter().any(|speed| *speed != 1.0) || self.allowed.iter().any(Option::is_some)
    }

    /// How the team of one run is set up.
    ///
    /// # Errors
    /// When shares, starts or walkers do not fit the graph.
    pub fn setup(&self, world: &World, run: Seed) -> Result<TeamSetup, LabError> {
        let graph = world.graph();
        let setup = self.described(graph.len(), run)?;
        setup.check(graph).map_err(|error| {
            let is_start = matches!(error, SetupError::StartOutside { .. });
            let reason = error.named(|node| graph.label(node));
            LabError::setting(if is_start { "starts" } else { "walkers" }, reason)
        })?;
        Ok(setup)
    }

    /// As [`setup`](Self::setup), before it is known whether the walkers can walk the graph.
    ///
    /// # Errors
    /// When shares, starts or allowed nodes do not fit a graph of this many nodes.
    pub fn described(&self, nodes: usize, run: Seed) -> Result<TeamSetup, LabError> {
        let starts = self.starts.of_run((self.walkers, &self.allowed), nodes, run)?;
        let sharing = Arc::new(self.share.sharing(self.walkers, nodes)?);
        let last = nodes - 1;
        let outside = |node: &&NodeId| **node as usize > last;
        if let Some(node) = self.allowed.iter().flatten().flatten().find(outside) {
            let reason = format!("node {node} is outside the graph; its nodes are 0 to {last}");
            return Err(LabError::setting("walkers", reason));
        }
        let flags = |allowed: &Vec<NodeId>| {
            let mut flags = vec![false; nodes];
            for &node in allowed {
                flags[node as usize] = true;
            }
            Arc::new(flags)
        };
        let member = |(walker, start): (usize, NodeId)| Member {
            start,
            speed: self.speeds.get(walker).copied().unwrap_or(1.0),
            allowed: self.allowed.get(walker).and_then(Option::as_ref).map(flags),
        };
        Ok(TeamSetup {
            members: starts.into_iter().enumerate().map(member).collect(),
            sharing,
            draws: self.draws,
            seats: self.seats,
        })
    }
}

impl Study {
    /// Checks what a study of a team needs beyond any other.
    pub(crate) fn check_team(&self, team: &TeamStudy) -> Result<(), LabError> {
        let refuse = |setting, reason: &str| Err(LabError::setting(setting, reason));
        if team.walkers == 0 {
            return refuse("walkers", "0 walkers are not a team; ask for at least 1");
        }
        if self.agents.iter().any(|agent| matches!(agent, Entrant::Oracle)) && team.walkers > 1 {
            return refuse("agents", "the oracle walks alone; leave it out, or use one walker");
        }
        let is_confined = team.allowed.iter().any(Option::is_some);
        for agent in &self.agents {
            let leads = matches!(agent, Entrant::Team(_));
            let plans_for_each =
                matches!(agent, Entrant::Team(spec) if spec.build().manner() == Manner::Apart);
            if is_confined && !plans_for_each {
                let reason = format!(
                    "{} cannot handle walkers that are confined to some nodes; use g-star or g-drift \
                     only, or let all walkers go everywhere",
                    agent.label(self.preset)
                );
                return Err(LabError::setting("agents", reason));
            }
            if !leads && team.seats.is_some_and(|seats| seats < team.walkers) {
                let reason = format!(
                    "walkers that learn by themselves, as with {}, do not keep to seats; leave seats \
                     out, or use an agent that leads teams",
                    agent.label(self.preset)
                );
                return Err(LabError::setting("seats", reason));
            }
        }
        let takes_time = self.graph.roads().is_some_and(Roads::take_time);
        let is_special = |speed: &&f64| **speed > 0.0 && **speed != 1.0 && !takes_time;
        if let Some(speed) = team.speeds.iter().find(is_special) {
            let reason = format!(
                "a walker has speed {speed}, but no road of the graph takes time; give the times of \
                 roads, or leave speeds out"
            );
            return Err(LabError::setting("walkers", reason));
        }
        if is_confined && self.plan.regret_from == RegretFrom::Cover {
            let everywhere = team.allowed.len() < team.walkers || team.allowed.contains(&None);
            let somebody =
                |node: &NodeId| team.allowed.iter().flatten().any(|own| own.contains(node));
            let mut nodes = self.graph.nodes();
            if !everywhere && let Some(node) = nodes.find(|node| !somebody(node)) {
                let reason = format!(
                    "no walker may go to node {}, so the cover never ends; count regret from the start",
                    self.graph.label(node)
                );
                return refuse("regret-from", &reason);
            }
        }
        if self.roads.closures.is_some() {
            return Err(LabError::setting("closures", TeamRunError::RoadsClose));
        }
        if self.roads.travel.is_some() {
            return Err(LabError::setting("travel-noise", TeamRunError::TimesDiffer));
        }
        if self.plan.init != Init::default()
            && let Some(leader) = self.agents.iter().find(|agent| matches!(agent, Entrant::Team(_)))
        {
            let reason = format!(
                "{} leads a team, and covers the graph in its own way; leave init out",
                leader.label(self.preset)
            );
            return Err(LabError::setting("init", reason));
        }
        let needs_telling = |agent: &&Entrant| {
            let Entrant::Named(spec) = agent else { return false };
            spec.build(&self.graph).is_ok_and(|built| built.ready().is_err())
        };
        if team.walkers_that_are_led() > 1
            && let Some(told) = self.agents.iter().find(needs_telling)
        {
            let reason = format!(
                "{} must be told when means change, which works for one walker only; use g-drift, which \
                 finds out",
                told.label(self.preset)
            );
            return Err(LabError::setting("agents", reason));
        }
        let world = self.world(0)?;
        self.check_what_regret_is_against(&world)?;
        if self.window != crate::window::Window::FIRST {
            return refuse("window", "teams are measured over their first steps; use first");
        }
        let setup = team.setup(&world, self.run_seed(0))?;
        best_static(&world, &setup)?;
        if is_confined
            && let Some((at, node, mean)) = world.timetable().and_then(Timetable::first_negative)
            && at.0 < self.plan.steps as f64
        {
            let name = world.graph().label(node);
            let at = Some(at.0);
            let error = BestStaticError::Negative { node, name, mean, at };
            return Err(LabError::BestStatic(error));
        }
        if self.plan.against == Against::Planning {
            best_walks(&world, &setup, &[1])?;
        }
        Ok(())
    }

    /// Checks that what regret is measured against is known for teams in this world.
    fn check_what_regret_is_against(&self, world: &World) -> Result<(), LabError> {
        let refuse = |reason: &str| Err(LabError::setting("against", reason));
        // Your own laws may change, too.
        if world.course() == Course::Changing && self.plan.against != Against::Free {
            let reason = format!(
                "{} is not known for teams whose means change; use free, the best static allocation of \
                 every step",
                self.plan.against
            );
            return Err(LabError::setting("against", reason));
        }
        if self.plan.against == Against::Causal {
            let reason = "means do not change, so causal says nothing new; use free or planning";
            return refuse(reason);
        }
        if self.plan.against == Against::Planning && self.plan.regret_from != RegretFrom::Start {
            let reason = "planning counts from the start; count regret from there, or use free";
            return refuse(reason);
        }
        Ok(())
    }

    /// The study of a walker alone, if that is what the team of this run is: a team of one, with an
    /// agent for one walker.
    pub(crate) fn walks_alone(
        &self,
        team: &TeamStudy,
        agent: &Entrant,
        run: u64,
    ) -> Result<Option<Self>, LabError> {
        if team.walkers != 1 || matches!(agent, Entrant::Team(_)) || team.differs() {
            return Ok(None);
        }
        let mut alone = self.clone();
        alone.team = None;
        let starts = team.starts.of_run((1, &[]), self.graph.len(), self.run_seed(run))?;
        alone.plan.start = starts[0];
        Ok(Some(alone))
    }

    /// One run of a team.
    pub(crate) fn run_team(
        &self,
        team: &TeamStudy,
        (agent, run): (&Entrant, u64),
        stops: &[&AtomicBool],
    ) -> Result<RunOutcome, LabError> {
        let start = Instant::now();
        let record = self.team_record(team, (agent, run), stops)?;
        Ok(RunOutcome {
            init: record.init,
            checkpoints: record.checkpoints,
            overshoot: record.overshoot,
            best: None,
            elapsed: start.elapsed(),
        })
    }

    /// The record of one run of a team.
    pub(crate) fn team_record(
        &self,
        team: &TeamStudy,
        (agent, run): (&Entrant, u64),
        stops: &[&AtomicBool],
    ) -> Result<RunRecord, LabError> {
        self.walk_team(team, (agent, run), stops, None)
    }

    /// One run of a team, with somebody who watches if there is one.
    fn walk_team(
        &self,
        team: &TeamStudy,
        (agent, run): (&Entrant, u64),
        stops: &[&AtomicBool],
        observer: Option<&mut dyn TeamObserver>,
    ) -> Result<RunRecord, LabError> {
        let world = self.world(run)?;
        let seed = self.run_seed(run);
        let setup = team.setup(&world, seed)?;
        let plan = TeamRunPlan {
            steps: self.plan.steps,
            checkpoints: self.plan.checkpoints.clone(),
            regret_from: self.plan.regret_from,
            tape: self.plan.tape,
            optimum: best_static(&world, &setup)?,
            against: match self.plan.against {
                Against::Planning => Some(best_walks(&world, &setup, &self.plan.checkpoints)?),
                Against::Free | Against::Causal => None,
            },
        };
        let failed = |error| self.failed(agent, run, error);
        let built = self.team_agent(agent, &world, (setup.walkers(), seed)).map_err(failed)?;
        let made = TeamRun::new(&world, built, (setup, &plan), seed);
        let mut made = made.map_err(|error| failed(unwrapped(error)))?;
        let walked = match observer {
            Some(observer) => made.walk_watched(stops, observer),
            None => made.walk_until(stops),
        };
        if walked.map_err(|error| failed(unwrapped(error)))? == Status::Going {
            return Err(LabError::Interrupted);
        }
        Ok(made.into_record())
    }

    /// What the best static allocation earns per step in one run; if means change, of those at the start.
    ///
    /// # Errors
    /// When the study has no team, or its team does not fit the graph.
    pub fn optimum(&self, run: u64) -> Result<f64, LabError> {
        let Some(team) = &self.team else {
            return Err(LabError::setting("walkers", "the study has no team"));
        };
        let world = self.world(run)?;
        best_static(&world, &team.setup(&world, self.run_seed(run))?)
    }

    /// The agent of a team: one that leads it, or one per walker.
    fn team_agent(
        &self,
        agent: &Entrant,
        world: &World,
        (walkers, seed): (usize, Seed),
    ) -> Result<Box<dyn TeamAgent + Send>, Raised> {
        if let Entrant::Team(spec) = agent {
            return Ok(spec.build());
        }
        // Your own agents draw from the seed they are built with. The first walker has that of a
        // walker alone; the others must not draw the same.
        let seed_of = |walker: usize| match walker {
            0 => seed,
            other => seed.child(label::WALKERS).child(other as u64),
        };
        let alone: Result<Vec<Box<dyn Agent + Send>>, Raised> =
            (0..walkers).map(|walker| agent.build(world, seed_of(walker))).collect();
        Ok(Box::new(Independent::new(alone?, self.plan.init)))
    }
}

/// The error of your own agent or law, unchanged; any other error stays itself.
fn unwrapped(error: TeamRunError) -> Raised {
    match error {
        TeamRunError::Team(TeamError::Agent(raised) | TeamError::Payer(raised)) => raised,
        other => other.into(),
    }
}
