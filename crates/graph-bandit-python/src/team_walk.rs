//! A team that is directed from outside: every walker goes where it is sent.

use graph_bandit::team::{EarnedOverTime, Post, Team, TeamAgent, TeamError, TeamSituation};
use graph_bandit::{
    Course, Hearing, Leg, NodeId, OnTape, Payer, Raised, Sample, Seed, Stream, Tape, Time, World,
};
use graph_bandit_lab::{LabError, Study as LabStudy};
use std::sync::Arc;

/// Sends walkers where it was told, and hears what each of them is paid.
#[derive(Clone)]
struct Directed {
    orders: Vec<NodeId>,
    rewards: Vec<f64>,
    /// How many walkers are on each node; zero between steps.
    counts: Vec<u32>,
}

impl TeamAgent for Directed {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        _stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        for &walker in now.idle {
            legs[walker].visit_once(now.posts[walker].at(), self.orders[walker]);
        }
        Ok(())
    }

    /// A walker's part of what `c` walkers earn on a node is `f(c) / c` times the draw it saw: the
    /// parts add up to what the team earns.
    fn observe(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) -> Result<(), Raised> {
        let there = || now.posts.iter().zip(seen).filter(|(_, sample)| sample.count > 0);
        there().for_each(|(post, _)| self.counts[post.at() as usize] += 1);
        for ((post, sample), reward) in now.posts.iter().zip(seen).zip(&mut self.rewards) {
            *reward = 0.0;
            let count = self.counts[post.at() as usize];
            if sample.count > 0 {
                let share = now.sharing.multiple(post.at(), count as usize);
                *reward = share / f64::from(count) * sample.sum;
            }
        }
        there().for_each(|(post, _)| self.counts[post.at() as usize] = 0);
        Ok(())
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

/// The state of one run of the team.
#[derive(Clone)]
pub(crate) struct TeamWalk {
    payer: OnTape<Arc<World>>,
    team: Team<Directed>,
    /// The means of the next step, and what the best static allocation earns under them.
    means: Vec<f64>,
    optimum: f64,
    /// If means change: what was earned so far.
    over_time: Option<EarnedOverTime>,
}

impl TeamWalk {
    pub(crate) fn new(study: &LabStudy, run: u64) -> Result<Self, LabError> {
        let Some(team) = &study.team else {
            return Err(LabError::setting("walkers", "the study has no team"));
        };
        let seed = study.run_seed(run);
        let world = Arc::new(study.world(run)?);
        let setup = team.setup(&world, seed)?;
        let agent = Directed {
            orders: vec![0; setup.walkers()],
            rewards: vec![0.0; setup.walkers()],
            counts: vec![0; world.graph().len()],
        };
        let is_changing = world.course() == Course::Changing;
        let over_time = is_changing.then(|| EarnedOverTime::new(&world, &setup));
        let team = Team::new(world.shared_graph(), agent, setup, Seed(0).stream());
        let team = team.map_err(|error| LabError::setting("walkers", error))?;
        let (means, optimum) = (world.means().to_vec(), study.optimum(run)?);
        let mut payer = OnTape::new(world, &Tape::of_kind(seed, study.plan.tape));
        // As in a study that counts from the start, so do the moments of the laws.
        payer.begin(Time::START);
        Ok(Self { payer, team, means, optimum, over_time })
    }

    pub(crate) fn world(&self) -> &World {
        self.payer.world()
    }

    pub(crate) fn team(&self) -> &Team<impl TeamAgent> {
        &self.team
    }

    /// The means of the next step.
    pub(crate) fn means(&self) -> &[f64] {
        &self.means
    }

    /// What the best static allocation earns in the next step.
    pub(crate) fn optimum(&self) -> f64 {
        self.optimum
    }

    /// Expected regret so far, against the best static allocation.
    pub(crate) fn regret(&self) -> f64 {
        match &self.over_time {
            None => self.team.regret(&self.means, self.optimum),
            Some(over_time) => {
                let totals = over_time.totals();
                totals.best - totals.expected
            }
        }
    }

    /// What each walker got in the last step.
    pub(crate) fn rewards(&self) -> &[f64] {
        &self.team.agent().rewards
    }

    /// The nodes where the next step may send a walker: its own and those it may enter from there.
    /// On a road, only the node at its end.
    pub(crate) fn targets(&self, walker: usize) -> Vec<NodeId> {
        let post = &self.team.posts()[walker];
        if post.is_on_road() {
            return vec![post.destination()];
        }
        let near = self.world().graph().neighborhood(post.at()).iter().copied();
        near.filter(|&node| post.may_enter(node)).collect()
    }

    /// Whether the next step may send a walker to `node`.
    fn may_send(&self, post: &Post, node: NodeId) -> bool {
        if post.is_on_road() {
            return node == post.destination();
        }
        self.world().graph().allows(post.at(), node) && post.may_enter(node)
    }

    /// Sends each walker to a node. One that cannot get there stays, or continues on its road.
    /// Returns which orders were illegal.
    pub(crate) fn step(&mut self, targets: &[NodeId]) -> Result<Vec<bool>, TeamError> {
        let posts = self.team.posts().iter().zip(targets);
        let orders: Vec<(NodeId, bool)> = posts
            .map(|(post, &node)| {
                let is_legal = self.may_send(post, node);
                (if is_legal { node } else { post.at() }, !is_legal)
            })
            .collect();
        let agent = self.team.agent_mut();
        agent.orders.clear();
        agent.orders.extend(orders.iter().map(|(node, _)| node));
        let moment = |step: u64| Time(step as f64);
        let now = moment(self.team.step());
        self.team.advance(1, &mut self.payer)?;
        if let Some(over_time) = &mut self.over_time {
            let unknown = |error| TeamError::Payer(Raised::from(error));
            let world = self.payer.world();
            over_time.pass(world, (self.team.posts(), 1), now).map_err(unknown)?;
            let next = over_time.at(world, moment(self.team.step())).map_err(unknown)?;
            self.means.copy_from_slice(next.0);
            self.optimum = next.1;
        }
        Ok(orders.into_iter().map(|(_, is_illegal)| is_illegal).collect())
    }
}
