//! Orders and reports.

use super::body::{Body, Id, Page, Unread};
use super::remarks::{BodyRemarks, Key, LONGEST_ID, report_body, take_remark};
use super::stamp::Stamp;
use super::{Answer, Problem, Service, Shared, kind};
use crate::agent::whole_number::{optional_whole_number, whole_number};
use crate::agent::{Directions, LAST_SEQUENCE, NodeName, Order, Receipt, WalkerName};
use crate::fleet::{FleetError, MOST_VISITS, Observation, Report, Reported, Told, VisitTold};
use axum::Json;
use axum::extract::State;
use graph_bandit::MAX_TRAVEL;
use graph_bandit::closures::MAX_RATE;
use graph_bandit::reward::MAX_MAGNITUDE;
use schemars::{JsonSchema, Schema};
use serde::Deserialize;
use serde_json::{Value, json};
use std::sync::Arc;

/// The longest reason a robot may give.
pub(super) const LONGEST_REASON: usize = 1_000;

/// Which walker asks.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    /// The walker that asks, by number or name, if the agent is a team.
    walker: Option<String>,
}

pub(super) async fn ask(
    State(service): Shared,
    Id(id): Id,
    Page(asked): Page<Asked>,
    _: Unread,
) -> Answer<Order> {
    let walker = asked.walker.as_deref().map(WalkerName::of_text);
    let order = service.fleet.ask_for(&id, walker).await.map_err(|error| match error {
        FleetError::Event(_) => Problem::new(kind::NO_ORDER, error.to_string()),
        other => other.into(),
    })?;
    Ok(Json(order))
}

report_body! {
    /// One reward, the rewards of the leg in order, or a list of visits.
    #[schemars(
        transform = one_form,
        example = json!({"sequence": 0, "reward": 0.5}),
        example = json!({"sequence": 1, "rewards": [0.5, 0.25]}),
        example = json!({"sequence": 2, "visits": [{"at": 3, "reward": 1}]}),
        example = json!({"sequence": 3, "reward": 0.5, "time": 17.5}),
    )]
    Tell {
        /// One reward.
        #[schemars(range(min = -MAX_MAGNITUDE, max = MAX_MAGNITUDE))]
        reward: Option<f64>,
        /// The node that paid `reward`; default: the first node of the order's path, or the walker's node if the path
        /// is empty.
        at: Option<NodeName>,
        /// The rewards of the leg, in order. If the leg is not finished, give fewer rewards than it has visits.
        #[schemars(
            length(max = MOST_VISITS),
            inner(range(min = -MAX_MAGNITUDE, max = MAX_MAGNITUDE))
        )]
        rewards: Option<Vec<f64>>,
        /// The visits in order, for example of a robot that was offline. If there are more visits than the limit,
        /// send the rest in the next report.
        #[schemars(length(max = MOST_VISITS))]
        visits: Option<Vec<VisitTold>>,
        /// How long each step took, travel and visit together, in units of one visit. For `reward`, give a number; for
        /// `rewards`, a list with one entry per reward, null for steps that were not measured (a number counts as a
        /// list of one). With `visits`, put `took` into each visit.
        took: Option<Took>,
    }
    /// When it happened. If the agent's clock is `stamps`: when each visit ended, in units of one visit since a
    /// moment of your choice. For `reward`, give a number; for `rewards`, a list with one entry per reward (a number
    /// counts as a list of one). With `visits`, put `time` into each visit. If the clock is `count`: the time by the
    /// robot's clock, as text in the format of RFC 3339. The service only records it.
    time: Stamp
}

/// How long steps took.
#[derive(Deserialize, JsonSchema)]
#[serde(
    untagged,
    expecting = "`took` is a number, or a list with a number or null for each reward"
)]
#[schemars(inline)]
enum Took {
    /// The one step.
    One(#[schemars(range(min = 1.0, max = 1.0 + MAX_TRAVEL))] f64),
    /// Each step of the leg.
    Each(
        #[schemars(
            length(max = MOST_VISITS),
            inner(range(min = 1.0, max = 1.0 + MAX_TRAVEL))
        )]
        Vec<Option<f64>>,
    ),
}

/// The members that make a report of rewards, and the members that may stand beside each.
const FORMS: [(&str, &[&str]); 3] =
    [("reward", &["at", "took"]), ("rewards", &["took"]), ("visits", &[])];
/// All of these members.
const OF_FORMS: [&str; 5] = ["reward", "at", "rewards", "visits", "took"];

/// Exactly one of the forms: its member is present, those of the others are absent or null.
fn one_form(schema: &mut Schema) {
    let object = schema.ensure_object();
    let Some(Value::Object(members)) = object.remove("properties") else { return };
    let closed = object.remove("additionalProperties");
    object.remove("required");
    object.remove("type");
    let forms = FORMS.map(|(form, beside)| {
        let mut members = members.clone();
        for (name, member) in &mut members {
            if name == form {
                if let Some(kind) = member["type"].as_array().and_then(|kinds| kinds.first()) {
                    member["type"] = kind.clone();
                }
            } else if OF_FORMS.contains(&name.as_str()) && !beside.contains(&name.as_str()) {
                *member = json!({"type": "null"});
            }
            if let Some(member) = member.as_object_mut() {
                member.remove("default");
            }
        }
        if form == "reward" {
            // One step takes one time.
            let most = 1.0 + MAX_TRAVEL;
            members["took"] = json!({"type": ["number", "null"], "minimum": 1.0, "maximum": most});
        }
        let help = members["time"]["description"].take();
        members["time"] = Stamp::described(form);
        members["time"]["description"] = help;
        json!({"type": "object", "properties": members, "required": ["sequence", form],
            "additionalProperties": closed})
    });
    object.insert("oneOf".to_owned(), forms.to_vec().into());
}

impl Took {
    fn of_one_step(self) -> Result<Option<f64>, Problem> {
        match self {
            Self::One(took) => Ok(Some(took)),
            Self::Each(each) => {
                match each[..] {
                    [] => return Ok(None),
                    [took] => return Ok(took),
                    _ => {}
                }
                let steps = each.len();
                let detail = format!("`took` has {steps} numbers for one `reward`; give one");
                Err(Problem::new(kind::CONTENT, detail))
            }
        }
    }

    fn of_each_step(self) -> Vec<Option<f64>> {
        match self {
            Self::One(took) => vec![Some(took)],
            Self::Each(each) => each,
        }
    }
}

pub(super) async fn tell(
    State(service): Shared,
    Id(id): Id,
    key: Key,
    Body(mut tell): Body<Tell>,
) -> Answer<Receipt> {
    let said = tell.said();
    let time = tell.time;
    let told = match (tell.reward, tell.rewards, tell.visits, tell.took) {
        (Some(reward), None, None, took) => {
            let took = took.map(Took::of_one_step).transpose()?.flatten();
            let time = time.map(Stamp::of_one_visit).transpose()?.flatten();
            Told::One { reward, at: tell.at, took, time }
        }
        (None, Some(rewards), None, took) if tell.at.is_none() => {
            let took = took.map(Took::of_each_step);
            Told::Leg { rewards, took, time: time.and_then(Stamp::of_each_visit) }
        }
        (None, None, Some(_), _) if time.is_some() => {
            let each = "a number or a list as `time` cannot stand beside `visits`; put `time` into each visit";
            return Err(Problem::new(kind::CONTENT, each.to_owned()));
        }
        (None, None, Some(visits), None) if tell.at.is_none() => Told::Visits { visits },
        (None, None, Some(_), Some(_)) => {
            let each = "`took` cannot stand beside `visits`; put `took` into each visit";
            return Err(Problem::new(kind::CONTENT, each.to_owned()));
        }
        _ => {
            let forms = "give exactly one of `reward` (with `at`), `rewards` and `visits`";
            return Err(Problem::new(kind::CONTENT, forms.to_owned()));
        }
    };
    report(&service, &id, said.of(key, Report::Told(told))?).await
}

report_body! {
    /// The robot could not finish the leg.
    Failed {
        /// The robot's node; default: its last known node.
        at: Option<NodeName>,
        /// The reason, in the robot's words.
        #[schemars(length(max = LONGEST_REASON))]
        reason: Option<String>,
    }
}

pub(super) async fn failed(
    State(service): Shared,
    Id(id): Id,
    key: Key,
    Body(mut failed): Body<Failed>,
) -> Answer<Receipt> {
    let said = failed.said();
    let Failed { at, reason, .. } = failed;
    check_reason(reason.as_deref())?;
    report(&service, &id, said.of(key, Report::LegFailed { at, reason })?).await
}

pub(super) fn check_reason(reason: Option<&str>) -> Result<(), Problem> {
    if reason.is_some_and(|reason| reason.chars().count() > LONGEST_REASON) {
        let detail = format!("a reason may have at most {LONGEST_REASON} characters");
        return Err(Problem::new(kind::CONTENT, detail));
    }
    Ok(())
}

report_body! {
    /// A new place: somebody moved the robot, or another robot took over. No reward was collected.
    Moved {
        /// The new node.
        at: NodeName,
        /// The reason, in the robot's words.
        #[schemars(length(max = LONGEST_REASON))]
        reason: Option<String>,
    }
}

pub(super) async fn moved(
    State(service): Shared,
    Id(id): Id,
    key: Key,
    Body(mut moved): Body<Moved>,
) -> Answer<Receipt> {
    let said = moved.said();
    let Moved { at, reason, .. } = moved;
    check_reason(reason.as_deref())?;
    report(&service, &id, said.of(key, Report::Moved { at, reason })?).await
}

report_body! {
    /// Rewards that somebody else observed, such as another robot or a fixed sensor.
    Observed {
        /// The nodes and their rewards.
        #[schemars(length(min = 1, max = MOST_VISITS))]
        observations: Vec<Observation>,
    }
}

pub(super) async fn observe(
    State(service): Shared,
    Id(id): Id,
    key: Key,
    Body(mut observed): Body<Observed>,
) -> Answer<Receipt> {
    let said = observed.said();
    let report_of_it = Report::Observed { observations: observed.observations };
    report(&service, &id, said.of(key, report_of_it)?).await
}

report_body! {
    /// An edge is blocked.
    Blocked {
        /// The edge, or the road from the first node to the second.
        edge: [NodeName; 2],
        /// The robot's node; default: its last known node.
        at: Option<NodeName>,
        /// Which directions of a road are blocked; default: only from the first node of `edge` to the second. On a
        /// graph without roads, an edge is always blocked in both directions.
        directions: Option<Directions>,
        /// The rate at which the edge is expected to reopen, per unit of time: one over the mean wait. The agent
        /// waits if that is cheaper than a detour. By default, the edge is not expected to reopen, and the agent
        /// avoids it until you report it open.
        #[schemars(range(min = 0.0, max = MAX_RATE))]
        reopening_rate: Option<f64>,
    }
}

pub(super) async fn blocked(
    State(service): Shared,
    Id(id): Id,
    key: Key,
    Body(mut blocked): Body<Blocked>,
) -> Answer<Receipt> {
    let said = blocked.said();
    let Blocked { edge, at, directions, reopening_rate, .. } = blocked;
    let blocked = Report::EdgeBlocked { edge, at, directions, reopening_rate };
    report(&service, &id, said.of(key, blocked)?).await
}

report_body! {
    /// A blocked edge is open again.
    Opened {
        /// The edge, or the road from the first node to the second.
        edge: [NodeName; 2],
        /// Which directions of a road are open again; default: only the direction of `edge`.
        directions: Option<Directions>,
    }
}

pub(super) async fn opened(
    State(service): Shared,
    Id(id): Id,
    key: Key,
    Body(mut opened): Body<Opened>,
) -> Answer<Receipt> {
    let said = opened.said();
    let Opened { edge, directions, .. } = opened;
    report(&service, &id, said.of(key, Report::EdgeOpened { edge, directions })?).await
}

pub(super) async fn report(
    service: &Arc<Service>,
    id: &str,
    reported: Reported,
) -> Answer<Receipt> {
    Ok(Json(service.fleet.report(id, reported).await?))
}
