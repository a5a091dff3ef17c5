//! Whether it is a report's turn: the number of its order is the next one.
//!
//! An agent alone has one row of numbers. In a team every walker has its own, and so have the reports
//! without a walker.

use super::slots::Held;
use super::{Report, Reported};
use crate::agent::{Channel, EventError, LiveTeam, Receipt, Served};
use graph_bandit::team::WalkerId;

/// Whose turn it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Turn {
    /// The report's; whose number it uses up.
    Now(Channel),
    /// Its number was used before, is too high, or it is for another past.
    Other(Place),
    /// It is for an agent of the same name that had this number.
    OtherAgent(u64),
    /// It changes nothing, because it has happened before.
    Done(Receipt),
}

/// Where a row of numbers stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Whose numbers, if it is a team.
    pub(super) channel: Option<Channel>,
    /// The next number.
    pub(super) next: u64,
    /// The place in the log of the last number.
    pub(super) last: Option<u64>,
}

impl Reported {
    /// Whether it is this report's turn.
    pub(super) fn turn(&self, held: &Held) -> Result<Turn, EventError> {
        // First of all: what else the report says is about the other agent.
        if let Some(number) = self.number.filter(|number| *number != held.key.number) {
            return Ok(Turn::OtherAgent(number));
        }
        match &held.live {
            Served::Alone(live) => {
                if self.walker.is_some() || self.is_about_walkers() {
                    return Err(EventError::NotATeam);
                }
                let next = live.sequence();
                let is_seal = self.seal.as_ref().is_none_or(|seal| *seal == held.seal);
                let is_next = self.sequence == next && is_seal;
                let place = Place { channel: None, next, last: next.checked_sub(1) };
                Ok(if is_next { Turn::Now(None) } else { Turn::Other(place) })
            }
            Served::Team(team) => self.turn_in_team(team),
        }
    }

    fn is_about_walkers(&self) -> bool {
        matches!(self.report, Report::Joined(_) | Report::Left { .. })
    }

    fn turn_in_team(&self, team: &LiveTeam) -> Result<Turn, EventError> {
        let channel = self.walker.as_ref().map(|walker| team.walker_ever(walker)).transpose()?;
        let in_team = |walker: WalkerId| team.walkers().contains(&walker);
        match &self.report {
            Report::Joined(walker) => {
                let joined = team.joined_before(&team.joining(walker.clone())?)?;
                return Ok(joined.map_or(Turn::Now(None), |walker| Turn::Done(seen(team, walker))));
            }
            Report::Left { .. } => {
                let walker = channel.ok_or_else(|| no_walker(team))?;
                let has_left = !in_team(walker);
                return Ok(if has_left {
                    Turn::Done(seen(team, walker))
                } else {
                    Turn::Now(channel)
                });
            }
            Report::Told(_) | Report::LegFailed { .. } | Report::Moved { .. }
                if channel.is_none() =>
            {
                return Err(no_walker(team));
            }
            _ => {}
        }
        let numbers = team.numbers();
        let next = numbers.next(channel);
        let is_seal = self.seal.as_ref().is_none_or(|seal| *seal == numbers.seal(channel));
        if self.sequence == next {
            // Refuses a walker that has left, whichever order it had last.
            self.walker.as_ref().map(|walker| team.walker(walker)).transpose()?;
            if is_seal {
                return Ok(Turn::Now(channel));
            }
        }
        let last = numbers.last(channel);
        Ok(Turn::Other(Place { channel: Some(channel), next, last }))
    }
}

fn no_walker(team: &LiveTeam) -> EventError {
    EventError::NoWalker { known: team.known_walkers() }
}

/// The answer to a walker that has joined or left before.
fn seen(team: &LiveTeam, walker: WalkerId) -> Receipt {
    let next = team.numbers().next(Some(walker));
    Receipt {
        sequence: next,
        next_sequence: next,
        at: team.place(walker).ok(),
        visits: team.estimates().visits(),
        replanned: false,
        walker: Some(walker),
        log: None,
    }
}
