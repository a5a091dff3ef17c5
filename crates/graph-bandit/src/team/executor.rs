//! The executor of teams: all walkers make the same steps.
//!
//! In every step a walker enters the next node of its path, stays, or is on a road. Then every
//! occupied node draws. A step of several walkers is not a sum of steps of one: what a node pays
//! depends on how many are there. So teams have an executor of their own, and a walker alone keeps
//! [`Trajectory`](crate::Trajectory).

use super::account::{Account, Earned};
use super::agent::{TeamAgent, TeamSituation};
use super::observer::TeamObserver;
use super::post::Post;
use super::setup::{Draws, SetupError, TeamSetup};
use crate::agent::Hearing;
use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::exact::exact;
use crate::graph::{Graph, NodeId};
use crate::leg::Leg;
use crate::raised::Raised;
use crate::random::Stream;
use crate::trajectory::{LegError, Payer};
use std::sync::Arc;
use thiserror::Error;

/// Why a team cannot continue.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum TeamError {
    /// The leg of a walker is not legal, or the agent or the payer failed.
    #[error("walker {walker}: {error}")]
    Leg {
        /// The walker.
        walker: usize,
        /// What is wrong.
        error: LegError,
    },
    /// A leg leads to a node where the walker may not be.
    #[error("walker {walker} was sent to node {node}, where it may not be")]
    Forbidden {
        /// The walker.
        walker: usize,
        /// The node.
        node: NodeId,
    },
    /// The agent failed.
    #[error("{0}")]
    Agent(Raised),
    /// The payer failed.
    #[error("{0}")]
    Payer(Raised),
}

/// A team on a graph.
#[derive(Debug, Clone)]
pub struct Team<A> {
    agent: A,
    hearing: Hearing,
    stream: Stream,
    graph: Arc<Graph>,
    setup: TeamSetup,
    posts: Vec<Post>,
    legs: Vec<Leg>,
    idle: Vec<usize>,
    estimates: Estimates,
    drawn: Vec<u64>,
    step: u64,
    legs_begun: u64,
    /// How many walkers are on each node; zero between steps.
    counts: Vec<u32>,
    /// The nodes with walkers, in the order of walkers.
    occupied: Vec<NodeId>,
    seen: Vec<Sample>,
    account: Account,
    /// The draws of each node that are not paid for yet, and the nodes that have some. Between calls
    /// there are none.
    waiting: Vec<Waiting>,
    unpaid: Vec<NodeId>,
}

/// Draws of a node with the same number of walkers on it. If the node pays by totals, draws of several
/// steps are cheaper to pay at once, and nobody looks at them before the next plan.
#[derive(Debug, Clone, Copy, Default)]
struct Waiting {
    draws: u64,
    walkers: usize,
}

impl<A: TeamAgent> Team<A> {
    /// A team about to start.
    ///
    /// # Errors
    /// When the team cannot walk this graph.
    pub fn new(
        graph: Arc<Graph>,
        agent: A,
        setup: TeamSetup,
        stream: Stream,
    ) -> Result<Self, SetupError> {
        setup.check(&graph)?;
        let (nodes, walkers) = (graph.len(), setup.walkers());
        Ok(Self {
            hearing: agent.hearing(),
            agent,
            stream,
            posts: setup.members.iter().map(Post::new).collect(),
            legs: vec![Leg::default(); walkers],
            idle: Vec::with_capacity(walkers),
            estimates: Estimates::new(nodes),
            drawn: vec![0; nodes],
            step: 0,
            legs_begun: 0,
            counts: vec![0; nodes],
            occupied: Vec::with_capacity(walkers),
            seen: vec![Sample::default(); walkers],
            account: Account::new(nodes),
            waiting: vec![Waiting::default(); nodes],
            unpaid: Vec::with_capacity(walkers),
            graph,
            setup,
        })
    }

    /// The walkers.
    pub fn posts(&self) -> &[Post] {
        &self.posts
    }

    /// All draws so far.
    pub fn estimates(&self) -> &Estimates {
        &self.estimates
    }

    /// The number of steps so far.
    pub fn step(&self) -> u64 {
        self.step
    }

    /// The number of legs begun so far, by all walkers.
    pub fn legs_begun(&self) -> u64 {
        self.legs_begun
    }

    /// The agent.
    pub fn agent(&self) -> &A {
        &self.agent
    }

    /// The agent, to change what it will do.
    pub fn agent_mut(&mut self) -> &mut A {
        &mut self.agent
    }

    /// Expected regret so far, if nodes have these means and the best static allocation earns
    /// `optimum` per step.
    pub fn regret(&self, means: &[f64], optimum: f64) -> f64 {
        exact(self.step) * optimum - self.earned(means).expected
    }

    /// What was earned so far, if nodes have these means.
    pub(super) fn earned(&self, means: &[f64]) -> Earned {
        self.account.earned(means, &self.setup.sharing, self.setup.draws)
    }

    /// The steps in which each node was visited by somebody.
    pub(super) fn steps_by_node(&self) -> impl Iterator<Item = u64> + '_ {
        self.account.steps(self.setup.draws)
    }

    /// Plans legs for walkers that have none.
    ///
    /// # Errors
    /// When the agent fails or a leg is not legal.
    pub fn plan(&mut self) -> Result<(), TeamError> {
        self.plan_watched(&mut ())
    }

    /// Plans legs for walkers that have none; `observer` hears of it if there are any.
    fn plan_watched<O: TeamObserver>(&mut self, observer: &mut O) -> Result<(), TeamError> {
        self.idle.clear();
        let idle = self.posts.iter().enumerate().filter(|(_, post)| post.is_idle());
        self.idle.extend(idle.map(|(walker, _)| walker));
        if self.idle.is_empty() {
            return Ok(());
        }
        let Self { agent, stream, legs, graph, setup, posts, idle, estimates, drawn, step, .. } =
            self;
        let now = situation((graph, setup), (posts, idle), (estimates, drawn, *step));
        agent.plan(&now, stream, legs).map_err(TeamError::Agent)?;
        for &walker in &self.idle {
            let leg = &self.legs[walker];
            check(&self.graph, walker, &self.posts[walker], leg)?;
            self.posts[walker].follow(leg);
        }
        self.legs_begun += self.idle.len() as u64;
        let Self { graph, setup, posts, idle, estimates, drawn, step, .. } = self;
        observer.planned(&situation((graph, setup), (posts, idle), (estimates, drawn, *step)));
        Ok(())
    }

    /// Makes at most `most` steps, but not past the end of a leg; plans first. Returns the number of
    /// steps made.
    ///
    /// # Errors
    /// When the agent or the payer fails, or a leg is not legal. Do not continue after that.
    pub fn advance<P: Payer>(&mut self, most: u64, payer: &mut P) -> Result<u64, TeamError> {
        self.advance_watched(most, payer, &mut ())
    }

    /// As [`advance`](Self::advance), with somebody who watches. Watching changes nothing.
    ///
    /// # Errors
    /// As [`advance`](Self::advance).
    pub fn advance_watched<P: Payer, O: TeamObserver>(
        &mut self,
        most: u64,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<u64, TeamError> {
        self.plan_watched(observer)?;
        if most == 0 {
            return Ok(0);
        }
        let steps = self.stride(most, payer, observer)?;
        self.pay_waiting(payer)?;
        Ok(steps)
    }

    /// As [`advance_watched`](Self::advance_watched), but if nobody hears of single visits, it walks and
    /// then stays: it makes `most` steps if no leg ends before.
    pub(super) fn advance_far<P: Payer, O: TeamObserver>(
        &mut self,
        most: u64,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), TeamError> {
        self.plan_watched(observer)?;
        let mut left = most;
        while left > 0 {
            left -= self.stride(left, payer, observer)?;
            // If every visit is heard, a stay is many strides, and the caller may want to stop.
            if self.is_heard(observer) || self.posts.iter().any(Post::is_idle) {
                break;
            }
        }
        self.pay_waiting(payer)
    }

    /// Makes one step in which some walkers move, or at most `most` steps in which nobody does.
    /// Returns the number of steps made. Draws may wait.
    fn stride<P: Payer, O: TeamObserver>(
        &mut self,
        most: u64,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<u64, TeamError> {
        let is_moving = self.posts.iter().any(Post::is_moving);
        let stay = self.posts.iter().map(Post::stay).min().unwrap_or(0);
        let heard = self.is_heard(observer);
        let one_by_one = is_moving || heard;
        let steps = if one_by_one { 1 } else { stay.min(most) };
        self.occupied.clear();
        for post in &mut self.posts {
            let is_on_node = if post.is_moving() {
                post.advance(&self.graph)
            } else {
                post.remain(steps);
                true
            };
            if is_on_node {
                let node = post.at();
                let count = &mut self.counts[node as usize];
                if *count == 0 {
                    self.occupied.push(node);
                }
                *count += 1;
            }
        }
        if heard {
            self.draw_and_tell(payer, observer)?;
        } else {
            self.draw(steps, payer)?;
        }
        Ok(steps)
    }

    /// Whether somebody hears of every visit.
    fn is_heard<O: TeamObserver>(&self, observer: &O) -> bool {
        [self.hearing, observer.hearing()].contains(&Hearing::EveryVisit)
    }

    /// Draws at all occupied nodes. Where nodes pay by totals, payment waits.
    fn draw<P: Payer>(&mut self, steps: u64, payer: &mut P) -> Result<(), TeamError> {
        let at = Time(exact(self.step));
        for place in 0..self.occupied.len() {
            let node = self.occupied[place];
            let count = std::mem::take(&mut self.counts[node as usize]) as usize;
            let draws = match self.setup.draws {
                Draws::One => steps,
                Draws::Own => steps * count as u64,
            };
            self.drawn[node as usize] = self.step + steps;
            if payer.pays_by_totals(node) {
                let waiting = &mut self.waiting[node as usize];
                if waiting.draws > 0 && waiting.walkers == count {
                    waiting.draws += draws;
                    continue;
                }
                let before = std::mem::replace(waiting, Waiting { draws, walkers: count });
                if before.draws == 0 {
                    self.unpaid.push(node);
                } else {
                    self.pay(node, before, at, payer)?;
                }
            } else {
                let now = Waiting { draws, walkers: count };
                self.pay(node, now, at, payer)?;
            }
        }
        self.step += steps;
        Ok(())
    }

    /// Pays for draws of a node.
    #[inline]
    fn pay<P: Payer>(
        &mut self,
        node: NodeId,
        Waiting { draws, walkers }: Waiting,
        at: Time,
        payer: &mut P,
    ) -> Result<(), TeamError> {
        let paid = self.account.of(node, walkers);
        payer.pay((node, draws), at, &mut self.estimates, paid).map_err(TeamError::Payer)
    }

    /// Pays for all draws that wait.
    fn pay_waiting<P: Payer>(&mut self, payer: &mut P) -> Result<(), TeamError> {
        // Totals do not depend on the time.
        let at = Time(exact(self.step));
        let mut unpaid = std::mem::take(&mut self.unpaid);
        let (mut result, mut done) = (Ok(()), 0);
        while result.is_ok() && done < unpaid.len() {
            let node = unpaid[done];
            let waiting = std::mem::take(&mut self.waiting[node as usize]);
            result = self.pay(node, waiting, at, payer);
            done += 1;
        }
        // After an error, the others still wait.
        unpaid.drain(..done);
        self.unpaid = unpaid;
        result
    }

    /// Draws one step at all occupied nodes, and tells agent and observer what each walker saw.
    fn draw_and_tell<P: Payer, O: TeamObserver>(
        &mut self,
        payer: &mut P,
        observer: &mut O,
    ) -> Result<(), TeamError> {
        let at = Time(exact(self.step));
        self.seen.fill(Sample::default());
        for &node in &self.occupied {
            let count = self.counts[node as usize] as usize;
            let paid = self.account.of(node, count);
            let mut drawn = None;
            for (post, seen) in self.posts.iter().zip(&mut self.seen) {
                if post.at() != node || post.is_on_road() {
                    continue;
                }
                let shared = drawn.filter(|_| self.setup.draws == Draws::One);
                let reward = if let Some(reward) = shared {
                    reward
                } else {
                    let reward = payer.pay_once(node, at, &mut self.estimates);
                    let reward = reward.map_err(TeamError::Payer)?;
                    paid.push(reward);
                    reward
                };
                drawn = Some(reward);
                seen.push(reward);
            }
            self.counts[node as usize] = 0;
            self.drawn[node as usize] = self.step + 1;
        }
        self.step += 1;
        let Self { agent, hearing, graph, setup, posts, estimates, drawn, step, seen, .. } = self;
        let now = situation((graph, setup), (posts, &[]), (estimates, drawn, *step));
        if *hearing == Hearing::EveryVisit {
            agent.observe(&now, seen).map_err(TeamError::Agent)?;
            for (walker, (post, seen)) in posts.iter_mut().zip(&*seen).enumerate() {
                post.cut(agent.cuts(walker), seen.count > 0, estimates);
            }
        }
        if observer.hearing() == Hearing::EveryVisit {
            let now = situation((graph, setup), (posts, &[]), (estimates, drawn, *step));
            observer.stepped(&now, seen);
        }
        Ok(())
    }
}

fn situation<'a>(
    (graph, setup): (&'a Graph, &'a TeamSetup),
    (posts, idle): (&'a [Post], &'a [usize]),
    (estimates, drawn, step): (&'a Estimates, &'a [u64], u64),
) -> TeamSituation<'a> {
    TeamSituation {
        graph,
        posts,
        idle,
        estimates,
        drawn,
        step,
        time: Time(exact(step)),
        sharing: &setup.sharing,
        draws: setup.draws,
        seats: setup.most_on_a_node(),
    }
}

/// Whether a walker may follow this leg.
pub(super) fn check(graph: &Graph, walker: usize, post: &Post, leg: &Leg) -> Result<(), TeamError> {
    let refuse = |error| Err(TeamError::Leg { walker, error });
    if leg.visits() == 0 {
        return refuse(LegError::EmptyLeg { at: post.at() });
    }
    let mut from = post.at();
    for &to in &leg.path {
        if to as usize >= graph.len() || !graph.allows(from, to) {
            return refuse(LegError::IllegalStep { from, to });
        }
        if !post.may_enter(to) {
            return Err(TeamError::Forbidden { walker, node: to });
        }
        from = to;
    }
    Ok(())
}
