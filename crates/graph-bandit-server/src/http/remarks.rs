//! The remarks of every report: its id, its robot, its time, and the order it answers.

use super::describe::{Operation, Reads, Refusal};
use super::{Problem, Service, kind};
use crate::agent::WalkerName;
use crate::fleet::{Remarks, Report, Reported};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use chrono::DateTime;
use std::sync::Arc;

/// The longest id of a report, and the longest name of a robot.
pub(super) const LONGEST_ID: usize = 128;
const KEY: &str = "Idempotency-Key";

/// The report's id in the customary header.
pub(super) struct Key(pub(super) Option<String>);

impl FromRequestParts<Arc<Service>> for Key {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &Arc<Service>) -> Result<Self, Problem> {
        let Some(key) = parts.headers.get(KEY) else { return Ok(Self(None)) };
        let key = key.to_str().map_err(|_| wrong(format!("{KEY}: write it in ASCII")))?;
        Ok(Self(Some(key.to_owned())))
    }
}

impl Reads for Key {
    fn describe(operation: &mut Operation<'_>) {
        let help = "The robot's id for the report. You can send it here or as `id` in the body. A repeat \
             of the report has the same id.";
        operation.header_holds(KEY, LONGEST_ID, help);
        operation.refuses(Refusal::BadRequest);
    }
}

/// The remarks in the body of a report.
pub(super) struct BodyRemarks {
    pub(super) sequence: u64,
    pub(super) id: Option<String>,
    pub(super) robot: Option<String>,
    pub(super) time: Option<String>,
    pub(super) number: Option<u64>,
    pub(super) seal: Option<String>,
    pub(super) walker: Option<WalkerName>,
}

impl BodyRemarks {
    /// Checks the remarks and makes the report.
    pub(super) fn of(self, Key(key): Key, report: Report) -> Result<Reported, Problem> {
        let Self { sequence, id, robot, time, number, seal, walker } = self;
        let id = match (id, key) {
            (Some(id), Some(key)) if id != key => {
                let detail = format!(
                    "the header {KEY} is {key:?} and `id` is {id:?}; give one of them, or the same"
                );
                return Err(Problem::new(kind::IMPOSSIBLE, detail));
            }
            (id, key) => id.or(key),
        };
        for (name, text) in [("id", &id), ("robot", &robot)] {
            let length = text.as_ref().map_or(1, |text| text.chars().count());
            if !(1..=LONGEST_ID).contains(&length) {
                let detail = format!("`{name}` has {length} characters; write 1 to {LONGEST_ID}");
                return Err(wrong(detail));
            }
        }
        if let Some(time) = &time
            && let Err(error) = DateTime::parse_from_rfc3339(time)
        {
            let example = "2026-11-16T08:30:00Z";
            let detail =
                format!("`time` is {time:?}: {error}; write it as RFC 3339 does: {example:?}");
            return Err(wrong(detail));
        }
        let remarks = Remarks { id, robot, time };
        Ok(Reported { sequence, report, remarks, number, seal, walker })
    }
}

fn wrong(detail: String) -> Problem {
    Problem::new(kind::CONTENT, detail)
}

/// A member that may hold a remark.
pub(super) trait Remark: Sized {
    /// The remark, or the member itself if it holds something else.
    fn remark(self) -> Result<String, Self>;
}

impl Remark for String {
    fn remark(self) -> Result<String, Self> {
        Ok(self)
    }
}

/// Takes the remark out of a member, and leaves anything else in it.
pub(super) fn take_remark<R: Remark>(member: &mut Option<R>) -> Option<String> {
    match member.take()?.remark() {
        Ok(remark) => Some(remark),
        Err(other) => {
            *member = Some(other);
            None
        }
    }
}

/// The body of a report: the common remarks, and its own members.
macro_rules! report_body {
    ($(#[$meta:meta])* $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)* }) => {
        report_body! {
            $(#[$meta])* $name {
                $($(#[$of_field])* $field: $type,)*
            }
            /// When it happened, by the robot's clock, in the format of RFC 3339.
            #[schemars(extend("format" = "date-time"))]
            time: String
        }
    };
    (
        $(#[$meta:meta])* $name:ident { $($(#[$of_field:meta])* $field:ident: $type:ty,)* }
        $(#[$of_time:meta])* time: $time:ty
    ) => {
        #[derive(Deserialize, JsonSchema)]
        #[serde(deny_unknown_fields)]
        $(#[$meta])*
        pub(super) struct $name {
            /// The number of this report. Take it from `sequence` of the order.
            #[serde(deserialize_with = "whole_number")]
            #[schemars(range(max = LAST_SEQUENCE))]
            sequence: u64,
            $($(#[$of_field])* $field: $type,)*
            /// The robot's id for this report. A repeat of the report has the same id; a report
            /// of another robot has a different one.
            #[schemars(length(min = 1, max = LONGEST_ID))]
            id: Option<String>,
            /// The name of the robot that reports.
            #[schemars(length(min = 1, max = LONGEST_ID))]
            robot: Option<String>,
            $(#[$of_time])*
            time: Option<$time>,
            /// The `number` of the order. With it, the service refuses the report if another
            /// agent now has the name.
            #[serde(default, deserialize_with = "optional_whole_number")]
            #[schemars(range(max = LAST_SEQUENCE))]
            number: Option<u64>,
            /// The `seal` of the order. With it, the service refuses the report if it has lost
            /// that order.
            seal: Option<String>,
            /// In a team, the walker that reports, by number or name. `sequence` is then this walker's next number.
            /// Rewards that somebody else observed, and edges that are blocked or open, may be reported without a
            /// walker; `sequence` is then the team's next number.
            walker: Option<WalkerName>,
        }

        impl $name {
            fn said(&mut self) -> BodyRemarks {
                BodyRemarks {
                    sequence: self.sequence,
                    id: self.id.take(),
                    robot: self.robot.take(),
                    time: take_remark(&mut self.time),
                    number: self.number,
                    seal: self.seal.take(),
                    walker: self.walker.take(),
                }
            }
        }
    };
}

pub(super) use report_body;
