//! Walkers that know nothing of each other: each runs an agent for one walker, with estimates of its
//! own. The sequel's `Indv-G-UCB` is a team of independent G-UCBs.

use crate::agent::{Agent, Hearing};
use crate::cover::Init;
use crate::estimates::Sample;
use crate::field::Field;
use crate::leg::Leg;
use crate::raised::Raised;
use crate::random::Stream;
use crate::team::{Cut, Manner, TeamAgent, TeamSituation};
use crate::trajectory::{LegError, Setting, Told, Trajectory};
use std::sync::Arc;

/// One agent per walker.
pub struct Independent {
    agents: Vec<Option<Box<dyn Agent + Send>>>,
    init: Init,
    trajectories: Vec<Trajectory<Box<dyn Agent + Send>>>,
}

impl Independent {
    /// One walker for each of these agents, which all cover the graph in this way.
    pub fn new(agents: Vec<Box<dyn Agent + Send>>, init: Init) -> Self {
        Self { agents: agents.into_iter().map(Some).collect(), init, trajectories: Vec::new() }
    }

    fn begin(&mut self, now: &TeamSituation<'_>, stream: &mut Stream) -> Result<(), Raised> {
        let graph = Arc::new(now.graph.clone());
        for (agent, post) in self.agents.iter_mut().zip(now.posts) {
            let Some(agent) = agent.take() else { continue };
            // Every walker has a stream of its own, so that one's draws do not move another's.
            let stream = crate::random::Seed(stream.bits()).stream();
            let setting = Setting { start: post.at(), init: self.init, stream };
            let trajectory = Trajectory::new(Field::new(Arc::clone(&graph)), agent, setting)?;
            self.trajectories.push(trajectory);
        }
        Ok(())
    }
}

impl TeamAgent for Independent {
    fn plan(
        &mut self,
        now: &TeamSituation<'_>,
        stream: &mut Stream,
        legs: &mut [Leg],
    ) -> Result<(), Raised> {
        if self.trajectories.is_empty() {
            self.begin(now, stream)?;
        }
        for &walker in now.idle {
            let order = self.trajectories[walker].order(&mut ()).map_err(raised)?;
            let leg = &mut legs[walker];
            leg.path.clear();
            leg.path.extend_from_slice(order.path);
            leg.stay = order.stay;
        }
        Ok(())
    }

    fn observe(&mut self, now: &TeamSituation<'_>, seen: &[Sample]) -> Result<(), Raised> {
        for ((trajectory, sample), post) in self.trajectories.iter_mut().zip(seen).zip(now.posts) {
            if sample.count > 0 {
                trajectory.advance(1, &mut Told::new(&[sample.sum]), &mut ()).map_err(raised)?;
                let (own, at) = (trajectory.at(), post.at());
                if own != at {
                    let reason = format!("a walker drew on node {at}, but its agent went to {own}");
                    return Err(Raised::new(reason));
                }
            }
        }
        Ok(())
    }

    /// A walker by itself may have cut its own leg.
    fn cuts(&self, walker: usize) -> Cut {
        let trajectory = self.trajectories.get(walker);
        if trajectory.is_some_and(|own| own.walker().is_idle()) { Cut::Now } else { Cut::No }
    }

    fn manner(&self) -> Manner {
        Manner::Apart
    }

    fn hearing(&self) -> Hearing {
        Hearing::EveryVisit
    }
}

/// The error of a walker's own agent, unchanged.
fn raised(error: LegError) -> Raised {
    match error {
        LegError::Agent(raised) | LegError::Payer(raised) => raised,
        other => other.into(),
    }
}
