//! What the agent is shown and hears in a session, and the time of the team.

use super::{SessionError, TeamSession};
use crate::agent::Hearing;
use crate::clock::Time;
use crate::estimates::{Estimates, Sample};
use crate::field::Field;
use crate::team::Sharing;
use crate::team::agent::TeamSituation;
use crate::team::post::Post;
use crate::team::setup::Draws;
use std::borrow::Cow;
use std::sync::Arc;

/// The time of a team whose walkers report when they please: that of the walker that is ahead. One that
/// falls behind, because it charges or joined later, catches up at its next report. So time goes on
/// with whoever reports, and a team of one has the time of its walker.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TeamTime {
    pub(super) now: f64,
    /// How far the time of the team is ahead of the clock of each walker.
    pub(super) ahead: Vec<f64>,
}

impl TeamTime {
    /// A walker joins now.
    pub(super) fn join(&mut self) {
        self.ahead.push(self.now);
    }

    /// The clock of a walker has this time after a report.
    pub(super) fn pass(&mut self, place: usize, clock: Time) {
        let own = self.ahead[place] + clock.0;
        if own >= self.now {
            self.now = own;
        } else {
            self.ahead[place] += self.now - own;
        }
    }
}

impl TeamSession {
    /// Lets the agent plan for one walker.
    pub(super) fn plan(&mut self, place: usize) -> Result<(), SessionError> {
        let seats = self.seats_within_reach();
        let Self { agent, stream, legs, field, posts, drawn, sharing, clocks, time, .. } = self;
        let (idle, when) = ([place], (clocks[place].visits(), time.now));
        let now = situation((field, sharing, seats), (posts, &idle), (drawn, when));
        agent.plan(&now, stream, legs).map_err(SessionError::Agent)
    }

    /// Lets the agent hear what a walker was paid where it is, if it listens, and drops the walker's leg
    /// if the agent cuts it. The legs of others end with their own next reports: they may be on a road.
    pub(super) fn learn(&mut self, place: usize, reward: f64) -> Result<(), SessionError> {
        if !self.listens() {
            return Ok(());
        }
        // Whether closed edges leave everybody a seat takes long to find out, and nobody is sent anywhere.
        let seats = self.seats.min(self.posts.len());
        let mut seen = vec![Sample::default(); self.posts.len()];
        seen[place].push(reward);
        let Self { agent, field, posts, drawn, sharing, clocks, time, .. } = self;
        let when = (clocks[place].visits(), time.now);
        let now = situation((field, sharing, seats), (posts, &[]), (drawn, when));
        agent.observe(&now, &seen).map_err(SessionError::Agent)?;
        for (walker, post) in posts.iter_mut().enumerate() {
            post.cut(agent.cuts(walker), walker == place, field.estimates());
        }
        Ok(())
    }

    /// Whether the last report showed a change of rewards that those found before do not explain.
    pub fn found_change(&self) -> bool {
        self.agent.found_change()
    }

    /// The time of the team, in units of one visit: that of the walker that is ahead. A walker that joined later or
    /// falls behind catches up with its next report. A stored team keeps it if its agent [listens](Self::listens);
    /// otherwise nothing depends on it, and it starts at 0 again.
    pub fn now(&self) -> Time {
        Time(self.time.now)
    }

    /// Whether the agent hears of every report, as agents for rewards that change do.
    pub fn listens(&self) -> bool {
        self.agent.hearing() == Hearing::EveryVisit
    }

    /// The rewards that still count: all of them, unless the agent forgets.
    pub fn remembered(&self) -> Cow<'_, Estimates> {
        let all = self.field.estimates();
        self.agent.remembered(all).map_or(Cow::Borrowed(all), Cow::Owned)
    }
}

/// What the agent is shown after a report, or before it plans for a walker that has made `step` visits.
fn situation<'a>(
    (field, sharing, seats): (&'a Field, &'a Arc<Sharing>, usize),
    (posts, idle): (&'a [Post], &'a [usize]),
    (drawn, (step, time)): (&'a [u64], (u64, f64)),
) -> TeamSituation<'a> {
    TeamSituation {
        graph: field.graph(),
        posts,
        idle,
        estimates: field.estimates(),
        drawn,
        step,
        time: Time(time),
        sharing,
        draws: Draws::Own,
        seats,
    }
}
