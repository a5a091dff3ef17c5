//! A report in the robot's words: nodes by number or name, or simply as ordered.

use super::teller::Teller;
use super::{FleetError, written};
use crate::agent::{
    Directions, Ends, Event, EventError, NodeName, Served, Step, Visits, WalkerInput, WalkerName,
    in_runs,
};
use crate::fingerprint::fingerprint;
use graph_bandit::reward::MAX_MAGNITUDE;
use graph_bandit::{MAX_TRAVEL, MAX_VISITS, NodeId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The most visits of one report: the agent may have to plan after each.
pub const MOST_VISITS: usize = 100_000;

/// A report.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// Rewards.
    Told(Told),
    /// The leg could not be finished.
    LegFailed {
        /// Where the robot is; default: where it was last.
        at: Option<NodeName>,
        /// Why.
        reason: Option<String>,
    },
    /// An edge is blocked.
    EdgeBlocked {
        /// The edge.
        edge: [NodeName; 2],
        /// Where the robot is; default: where it was last.
        at: Option<NodeName>,
        /// Which directions of a road; default: the one given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directions: Option<Directions>,
        /// The rate at which it is expected to reopen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        reopening_rate: Option<f64>,
    },
    /// A blocked edge is open again.
    EdgeOpened {
        /// The edge.
        edge: [NodeName; 2],
        /// Which directions of a road; default: the one given.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        directions: Option<Directions>,
    },
    /// Rewards that somebody else observed, wherever the robot is.
    Observed {
        /// The observations, in the order in which they count.
        observations: Vec<Observation>,
    },
    /// The robot is somewhere else, or another robot took over there.
    Moved {
        /// The node.
        at: NodeName,
        /// Why.
        reason: Option<String>,
    },
    /// A walker joins a team. It needs no number: its name tells a repeat from another walker.
    Joined(WalkerInput),
    /// A walker leaves its team. It needs no number: nobody leaves twice.
    Left {
        /// Why.
        reason: Option<String>,
    },
}

/// A report with its number.
#[derive(Debug, Clone, PartialEq)]
pub struct Reported {
    /// The number of the order.
    pub sequence: u64,
    /// What happened.
    pub report: Report,
    /// The robot's remarks.
    pub remarks: Remarks,
    /// The number of the agent that it is for; default: whichever agent has the name.
    pub number: Option<u64>,
    /// The seal that came with the order; default: any.
    pub seal: Option<String>,
    /// The walker of a team that reports.
    pub walker: Option<WalkerName>,
}

impl Reported {
    /// A report without remarks.
    pub fn new(sequence: u64, report: Report) -> Self {
        let remarks = Remarks::default();
        Self { sequence, report, remarks, number: None, seal: None, walker: None }
    }

    /// The event that the report means for this agent.
    ///
    /// # Errors
    /// As [`Report::to_event`], and when a text stands where the agent's clock needs numbers, or beside them.
    pub(super) fn to_event(&self, teller: &Teller<'_>) -> Result<Event, EventError> {
        let event = self.report.said_by(teller);
        let Some(text) = self.remarks.time.clone() else { return event };
        match (event, self.report.last_time()) {
            (Err(EventError::NoTime { visit, last }), _) => {
                Err(EventError::TextAsTime { text, visit, last })
            }
            // The record has one place for both.
            (Ok(_), Some(time)) => Err(EventError::TextBesideTimes { text, time }),
            (event, _) => event,
        }
    }

    /// A fingerprint that two reports share only if one repeats the other.
    pub(super) fn fingerprint(&self) -> Result<String, FleetError> {
        let mut said = written(&self.report)?;
        if self.remarks != Remarks::default() {
            said = format!("{said}\n{}", written(&self.remarks)?);
        }
        Ok(fingerprint(&said))
    }

    /// What tells it from other reports that are under way. Walkers have report numbers of their own, so
    /// their reports may be alike. Stored fingerprints do without the walker: it may be named or numbered.
    pub(super) fn key(&self) -> Result<String, FleetError> {
        let walker = self.walker.as_ref().map(|walker| walker.clone().plain().to_string());
        Ok(format!("{} {}", self.fingerprint()?, walker.unwrap_or_default()))
    }
}

/// A robot's remarks on its report.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Remarks {
    /// The robot's key for the report: a repeat has the same key, another robot's report does not.
    pub id: Option<String>,
    /// Which robot it is.
    pub robot: Option<String>,
    /// When it happened, by the robot's clock.
    pub time: Option<String>,
}

/// Rewards in one of three forms.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Told {
    /// One.
    One {
        /// The reward.
        reward: f64,
        /// Where it was paid; default: where the order leads.
        at: Option<NodeName>,
        /// How long the step took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took: Option<f64>,
        /// When the visit ended, if the agent's clock follows times.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<f64>,
    },
    /// The rewards of the leg, in order.
    Leg {
        /// The rewards.
        rewards: Vec<f64>,
        /// How long each step took.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        took: Option<Vec<Option<f64>>>,
        /// When each visit ended, if the agent's clock follows times.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time: Option<Vec<f64>>,
    },
    /// Visit by visit, as an offline robot kept them.
    Visits {
        /// The visits, in order.
        visits: Vec<VisitTold>,
    },
}

/// A visit that a robot made.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Visit")]
pub struct VisitTold {
    /// The node.
    pub at: NodeName,
    /// The reward.
    #[schemars(range(min = -MAX_MAGNITUDE, max = MAX_MAGNITUDE))]
    pub reward: f64,
    /// How long the step there took, travel and visit together, in units of one visit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0, max = 1.0 + MAX_TRAVEL))]
    pub took: Option<f64>,
    /// When the visit ended, in units of one visit. Only for agents whose clock is `stamps`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = -(MAX_VISITS as f64), max = MAX_VISITS as f64))]
    pub time: Option<f64>,
}

/// A reward that somebody else observed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Observation {
    /// The node.
    pub at: NodeName,
    /// The reward.
    #[schemars(range(min = -MAX_MAGNITUDE, max = MAX_MAGNITUDE))]
    pub reward: f64,
}

impl Report {
    fn visits(&self) -> usize {
        match self {
            Self::Told(Told::One { .. }) => 1,
            Self::Told(Told::Leg { rewards, .. }) => rewards.len(),
            Self::Told(Told::Visits { visits }) => visits.len(),
            Self::Observed { observations } => observations.len(),
            Self::LegFailed { .. }
            | Self::EdgeBlocked { .. }
            | Self::EdgeOpened { .. }
            | Self::Moved { .. }
            | Self::Joined(_)
            | Self::Left { .. } => 0,
        }
    }

    /// When its last visit ended, if it says so.
    pub(super) fn last_time(&self) -> Option<f64> {
        match self {
            Self::Told(Told::One { time, .. }) => *time,
            Self::Told(Told::Leg { time, .. }) => time.as_ref()?.last().copied(),
            Self::Told(Told::Visits { visits }) => visits.last()?.time,
            _ => None,
        }
    }

    /// The event that the report means for this agent alone.
    ///
    /// # Errors
    /// When it names unknown nodes, or has more visits than were ordered or than a report may have.
    pub fn to_event(&self, live: &Served) -> Result<Event, EventError> {
        self.said_by(&Teller { live, walker: None })
    }

    /// The event that the report means, if this one tells it.
    pub(super) fn said_by(&self, live: &Teller<'_>) -> Result<Event, EventError> {
        let visits = self.visits();
        if visits > MOST_VISITS {
            return Err(EventError::ReportTooLong { visits, most: MOST_VISITS });
        }
        let place = |at: &Option<NodeName>| match at {
            Some(at) => Ok(live.find(at)?),
            None => live.here(),
        };
        Ok(match self {
            &Self::Told(Told::One { reward, ref at, took, time }) => {
                let paid = live.timed(&[Step { reward, took, time }])?;
                let visits = match at {
                    Some(at) => {
                        let at = live.find(at)?;
                        in_runs(paid.into_iter().map(|paid| (at, paid)))
                    }
                    None => live.as_ordered(paid)?,
                };
                Event::Told { visits }
            }
            Self::Told(Told::Leg { rewards, took, time }) => {
                let steps = steps(rewards, took.as_deref(), time.as_deref())?;
                Event::Told { visits: live.as_ordered(live.timed(&steps)?)? }
            }
            Self::Told(Told::Visits { visits }) => Event::Told { visits: found(live, visits)? },
            Self::LegFailed { at, reason } => {
                Event::LegFailed { at: place(at)?, reason: reason.clone() }
            }
            Self::EdgeBlocked { edge, at, directions, reopening_rate } => {
                let (edge, directions) = meant(live, edge, *directions)?;
                // A rate of zero means that it is not expected to reopen.
                let reopening_rate = reopening_rate.filter(|&rate| rate != 0.0);
                if let Some(rate) = reopening_rate.filter(|_| live.is_team()) {
                    return Err(EventError::TeamDoesNotWait { rate });
                }
                // A sensor or a dispatcher may report it to a team; it is not on any node.
                let has_no_place = live.is_team() && live.walker.is_none() && at.is_none();
                let at = if has_no_place {
                    None
                } else {
                    live.here()?;
                    Some(place(at)?)
                };
                Event::EdgeBlocked { edge, at, directions, reopening_rate }
            }
            Self::EdgeOpened { edge, directions } => {
                let (edge, directions) = meant(live, edge, *directions)?;
                Event::EdgeOpened { edge, directions }
            }
            Self::Observed { observations } => {
                let seen = observations.iter().map(|seen| Ok((live.find(&seen.at)?, seen.reward)));
                Event::Observed {
                    observations: in_runs(seen.collect::<Result<Vec<_>, EventError>>()?),
                }
            }
            Self::Moved { at, reason } => {
                Event::Moved { at: live.find(at)?, reason: reason.clone() }
            }
            Self::Joined(walker) => Event::Joined { walker: live.joining(walker)? },
            Self::Left { reason } => {
                Event::Left { walker: live.leaving()?, reason: reason.clone() }
            }
        })
    }
}

fn found(live: &Teller<'_>, visits: &[VisitTold]) -> Result<Vec<Visits>, EventError> {
    let nodes = visits.iter().map(|visit| live.find(&visit.at)).collect::<Result<Vec<_>, _>>()?;
    let step =
        |visit: &VisitTold| Step { reward: visit.reward, took: visit.took, time: visit.time };
    let steps: Vec<Step> = visits.iter().map(step).collect();
    Ok(in_runs(nodes.into_iter().zip(live.timed(&steps)?)))
}

/// Rewards, how long their steps took, and when they ended.
fn steps(
    rewards: &[f64],
    took: Option<&[Option<f64>]>,
    time: Option<&[f64]>,
) -> Result<Vec<Step>, EventError> {
    let visits = rewards.len();
    if let Some(times) = took.map(<[_]>::len).filter(|times| *times != visits) {
        return Err(EventError::OtherTimes { times, visits });
    }
    if let Some(times) = time.map(<[_]>::len).filter(|times| *times != visits) {
        return Err(EventError::OtherStamps { times, visits });
    }
    let step = |(k, &reward): (usize, &f64)| Step {
        reward,
        took: took.and_then(|took| took[k]),
        time: time.map(|time| time[k]),
    };
    Ok(rewards.iter().enumerate().map(step).collect())
}

/// The edge or road of the report, and its directions.
fn meant(
    live: &Teller<'_>,
    [a, b]: &[NodeName; 2],
    directions: Option<Directions>,
) -> Result<((NodeId, NodeId), Directions), EventError> {
    let edge = (live.find(a)?, live.find(b)?);
    if live.graph().roads().is_some() {
        return Ok((edge, directions.unwrap_or_default()));
    }
    if directions == Some(Directions::One) {
        return Err(EventError::LeadsBothWays { edge: Ends::of(live.graph(), edge) });
    }
    // An edge always leads both ways, so the directions are left out.
    Ok((edge, Directions::One))
}
