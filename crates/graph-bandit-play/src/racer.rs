//! One agent of a race: a loop over its trajectory that stops at given moments.

use crate::account::Account;
use crate::answer::RacerNow;
use crate::change::{Change, RoadChange, edges_between};
use graph_bandit::random::label;
use graph_bandit::{
    Agent, AgentSpec, ChangeError, Clock, Confined, Field, Init, LegError, MAX_VISITS, NodeId,
    OnTape, Seed, Setting, Tape, Trajectory, World,
};
use graph_bandit_server::agent::{Knowledge, Place};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

type Walk = Trajectory<Confined<Box<dyn Agent + Send>>>;

/// A racing agent.
pub(crate) struct Racer {
    spec: AgentSpec,
    world: Arc<World>,
    walk: Walk,
    payer: OnTape<Arc<World>>,
    account: Account,
    /// Its clock when the race began.
    begin: Clock,
    /// Changes that it has not met yet.
    coming: VecDeque<Change>,
    legs: u64,
    /// Whether the leg that it is on has been counted.
    is_leg_counted: bool,
    out: Option<String>,
    news: News,
}

/// What the page does not know yet.
#[derive(Default)]
struct News {
    moves: Vec<(NodeId, u64, f64)>,
    points: Vec<f64>,
    touched: BTreeSet<NodeId>,
}

/// The next visit: how long it takes, travel included, and when it ends, counted from the start of the race.
struct NextVisit {
    takes: f64,
    ends: f64,
}

/// How a racer starts.
pub(crate) struct Start {
    /// The spec of the agent.
    pub(crate) spec: AgentSpec,
    /// The agent itself.
    pub(crate) agent: Box<dyn Agent + Send>,
    /// Where it starts.
    pub(crate) node: NodeId,
    /// The seed of the run.
    pub(crate) seed: Seed,
}

impl Racer {
    /// Makes a racer that has visited every node, as a run does before it counts, and stands at its start.
    pub(crate) fn new(world: &Arc<World>, from: Start) -> Result<Self, LegError> {
        let Start { spec, mut agent, node: start, seed } = from;
        if let Some(changes) = world.changes() {
            agent.reveal(&changes);
        }
        let stream = seed.child(label::AGENT).stream();
        let setting = Setting { start, init: Init::default(), stream };
        let field = Field::new(world.shared_graph());
        // The study has checked that the start is a node.
        let walk = Trajectory::new(field, Confined::new(agent), setting);
        let mut walk: Walk = walk.map_err(|error| LegError::Agent(error.into()))?;
        let mut payer = OnTape::new(Arc::clone(world), &Tape::new(seed));
        while walk.estimates().samples().iter().any(|sample| sample.count == 0) {
            walk.advance(u64::MAX, &mut payer, &mut ())?;
        }
        walk.be_at(start).map_err(|error| LegError::Agent(error.into()))?;
        let account = Account::new(world, walk.estimates());
        let begin = *walk.walker().clock();
        let touched = world.graph().nodes().collect();
        let news = News { touched, ..News::default() };
        let (world, coming) = (Arc::clone(world), VecDeque::new());
        let mut racer = Self {
            spec,
            world,
            walk,
            payer,
            account,
            begin,
            coming,
            legs: 0,
            is_leg_counted: false,
            out: None,
            news,
        };
        racer.plan();
        Ok(racer)
    }

    /// Visits before the race began.
    pub(crate) fn init_steps(&self) -> u64 {
        self.begin.visits()
    }

    /// Time since the race began, for this racer: when its last visit ended.
    fn now(&self) -> f64 {
        self.walk.walker().clock().since(&self.begin)
    }

    /// Advances until the next visit would end after `until`. `points` are the moments at which to record regret since
    /// the last call.
    pub(crate) fn advance(&mut self, until: u64, points: &[u64]) {
        let mut points = points;
        loop {
            self.meet_changes();
            self.plan();
            let Some(next) = self.next_visit() else { break };
            // A point counts the visits that have ended by then.
            while let Some((&point, later)) = points.split_first()
                && (point as f64) < next.ends
            {
                points = later;
                self.news.points.push(self.regret_at(point as f64));
            }
            if next.takes > self.left(until) {
                break;
            }
            let until = points.first().copied().unwrap_or(until);
            if let Err(error) = self.step(until) {
                self.out = Some(error.to_string());
            }
        }
        for &point in points {
            self.news.points.push(self.regret_at(point as f64));
        }
    }

    /// The time left until a moment of the race. Visits are counted, not summed, so that rounding loses none of a long
    /// stay; a run does the same.
    fn left(&self, until: u64) -> f64 {
        until as f64 - self.now()
    }

    /// Enters the next node of its path, or stays for the visits that end by `until`, at least one.
    fn step(&mut self, until: u64) -> Result<(), LegError> {
        let before = self.walk.estimates().visits();
        let room = self.left(until) as u64;
        let is_stay = self.walk.order(&mut ())?.path.is_empty();
        let most = if is_stay { room.max(1) } else { 1 };
        self.walk.advance(most, &mut self.payer, &mut ())?;
        if !std::mem::replace(&mut self.is_leg_counted, true) {
            self.legs += 1;
        }
        if self.walk.walker().is_idle() {
            self.is_leg_counted = false;
        }
        let (at, now) = (self.walk.at(), self.now());
        let visits = self.walk.estimates().visits() - before;
        self.news.touched.insert(at);
        match self.news.moves.last_mut() {
            Some((node, times, ended)) if *node == at && is_stay => {
                *times += visits;
                *ended = now;
            }
            _ => self.news.moves.push((at, visits, now)),
        }
        Ok(())
    }

    /// The next visit, unless the racer is out.
    fn next_visit(&mut self) -> Option<NextVisit> {
        if self.out.is_some() {
            return None;
        }
        let (at, now) = (self.walk.at(), self.now());
        let clock = *self.walk.walker().clock();
        let node = self.walk.order(&mut ()).ok()?.path.first().copied();
        Some(match node {
            None => NextVisit { takes: 1.0, ends: now + 1.0 },
            Some(node) => {
                let road = self.walk.graph().travel(at, node).unwrap_or(0.0);
                let ends = clock.now().after(1).later(road).0 - self.begin.now().0;
                NextVisit { takes: 1.0 + road, ends }
            }
        })
    }

    /// Plans now, so that reading the state never changes the race.
    fn plan(&mut self) {
        if self.out.is_some() {
            return;
        }
        if let Err(error) = self.walk.order(&mut ()) {
            self.out = Some(error.to_string());
            return;
        }
        if !self.walk.graph().is_connected() {
            // One-way roads may have changed which nodes are within reach.
            self.measure();
        }
    }

    /// Takes a change. A walker on a road learns of it at the end of the road.
    pub(crate) fn expect(&mut self, change: Change) {
        self.coming.push_back(change);
        self.meet_changes();
        self.plan();
    }

    fn meet_changes(&mut self) {
        while let Some(&Change { t, what }) = self.coming.front()
            && t as f64 <= self.now()
            && self.out.is_none()
        {
            self.coming.pop_front();
            if let Err(error) = self.meet(what) {
                self.out = Some(error.to_string());
            }
            self.is_leg_counted = false;
            self.measure();
        }
    }

    fn meet(&mut self, change: RoadChange) -> Result<(), ChangeError> {
        let edges = edges_between(self.world.graph(), change.ends());
        for edge in edges {
            match change {
                RoadChange::Close(_) => self.walk.close(edge)?,
                RoadChange::Open(_) => self.walk.open(edge)?,
            }
        }
        Ok(())
    }

    /// Measures regret against the best node within reach.
    fn measure(&mut self) {
        let graph = self.walk.graph();
        let best = if graph.is_connected() {
            self.world.best_mean()
        } else {
            let within = graph.within_reach(self.walk.at()).into_iter();
            within.map(|node| self.world.mean(node)).fold(f64::NEG_INFINITY, f64::max)
        };
        let now = (self.walk.estimates(), self.now());
        self.account.measure_against(best, &self.world, now);
    }

    fn regret_at(&self, t: f64) -> f64 {
        self.account.regret(&self.world, self.walk.estimates(), t)
    }

    /// The state at `t`, and what the page does not know yet.
    pub(crate) fn tell(&mut self, t: u64) -> RacerNow {
        let News { moves, points, touched } = std::mem::take(&mut self.news);
        let scores = self.walk.node_scores();
        let decision = self.walk.decision();
        let (field, at) = (self.walk.field(), self.walk.at());
        let graph = self.world.graph();
        let knowledge = Knowledge::new(&self.spec, field, at, scores);
        let knowledge = knowledge.remembering(self.walk.remembered());
        let why = knowledge.why(decision.phase, &decision.path);
        let known = |node: NodeId| {
            let sample = field.estimates().sample(node);
            (node, sample.count, sample.mean())
        };
        let from = std::iter::once(at).chain(decision.path.iter().copied());
        let time = |(from, &to)| 1.0 + graph.travel(from, to).unwrap_or(0.0);
        let times = || from.zip(&decision.path).map(time).collect();
        RacerNow {
            moves,
            points,
            regret: self.regret_at(t as f64),
            reward: self.account.reward(field.estimates()),
            legs: self.legs,
            known: touched.into_iter().map(known).collect(),
            at: Place::of(graph, at),
            since: self.now(),
            times: graph.roads().map(|_| times()),
            path: decision.path.iter().map(|&node| Place::of(graph, node)).collect(),
            // A stay without end is as long as any race.
            stay: decision.stay.min(MAX_VISITS),
            phase: decision.phase,
            why,
            out: self.out.clone(),
        }
    }
}
