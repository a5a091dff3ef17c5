//! How a request may be refused, one answer for each status.

use crate::http::kind::{self, Kind};
use crate::http::route::Access;
use axum::http::StatusCode;
use schemars::Schema;
use serde_json::{Value, json};

/// A kind of refusal; all are problem details.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::http) enum Refusal {
    BadRequest,
    Unauthorized,
    Forbidden,
    NotFound,
    NoSuchFile,
    Conflict,
    TooLarge,
    MediaType,
    Misdirected,
    Unprocessable,
    NoMap,
    TooMany,
    Defect,
    Unavailable,
}

impl Refusal {
    pub(super) const ALL: [Self; 14] = [
        Self::BadRequest,
        Self::Unauthorized,
        Self::Forbidden,
        Self::NotFound,
        Self::NoSuchFile,
        Self::Conflict,
        Self::TooLarge,
        Self::MediaType,
        Self::Misdirected,
        Self::Unprocessable,
        Self::NoMap,
        Self::TooMany,
        Self::Defect,
        Self::Unavailable,
    ];

    /// The refusals that authentication may answer for any operation.
    pub(super) fn of_access(access: Access) -> &'static [Self] {
        const OPEN: usize = 1;
        const ANY: [Refusal; 6] = [
            Refusal::Unauthorized,
            Refusal::Forbidden,
            Refusal::Misdirected,
            Refusal::TooMany,
            Refusal::Defect,
            Refusal::Unavailable,
        ];
        match access {
            Access::Open => &ANY[OPEN..],
            Access::Scoped(_) => &ANY,
        }
    }

    fn told(self) -> (&'static str, &'static str, &'static [Kind]) {
        match self {
            Self::BadRequest => (
                "BadRequest",
                "The path, the query or the body cannot be read.",
                &[kind::BODY, kind::SYNTAX, kind::PATH, kind::QUERY],
            ),
            Self::Unauthorized => ("Unauthorized", "A token is required.", &[kind::TOKEN]),
            Self::Forbidden => (
                "Forbidden",
                "The token or the service does not allow the request, or a page of another site \
                 sent it.",
                &[kind::SCOPE, kind::SITE, kind::NOT_SIMULATED],
            ),
            Self::NotFound => (
                "NotFound",
                "There is no such agent or path.",
                &[kind::UNKNOWN_AGENT, kind::NO_SUCH_PATH],
            ),
            Self::NoSuchFile => {
                ("NoSuchFile", "The dashboard has no such file.", &[kind::NO_SUCH_PATH])
            }
            Self::Conflict => (
                "Conflict",
                "The report has the wrong number, its order or its agent is gone, another agent \
                 has the name, or too many agents are simulated.",
                &[
                    kind::SEQUENCE,
                    kind::NAME_TAKEN,
                    kind::OTHER_AGENT,
                    kind::OTHER_PAST,
                    kind::SIMULATIONS,
                ],
            ),
            Self::TooLarge => ("TooLarge", "The body is too large.", &[kind::TOO_LARGE]),
            Self::MediaType => ("MediaType", "The Content-Type is not JSON.", &[kind::MEDIA_TYPE]),
            Self::Misdirected => {
                ("Misdirected", "The host is not a name of this service.", &[kind::HOST])
            }
            Self::Unprocessable => (
                "Unprocessable",
                "The service cannot carry out the request.",
                &[kind::CONTENT, kind::NO_SUCH_AGENT, kind::IMPOSSIBLE, kind::NO_ORDER],
            ),
            Self::NoMap => {
                ("NoMap", "The file is not a map, or no agent can use it.", &[kind::MAP])
            }
            Self::TooMany => ("TooMany", "The client sends too many requests.", &[kind::RATE]),
            Self::Defect => (
                "Defect",
                "The stored data is damaged, or the service has a defect.",
                &[kind::DAMAGED, kind::DEFECT],
            ),
            Self::Unavailable => (
                "Unavailable",
                "The store does not work, the request took too long, or the service is \
                 overloaded. Repeat the request.",
                &[
                    kind::STORE,
                    kind::CONTENDED,
                    kind::TIMEOUT,
                    kind::OVERLOADED,
                    kind::GIVEN_UP,
                    kind::STREAMS,
                    kind::CONNECTIONS,
                    kind::MEMORY,
                ],
            ),
        }
    }

    pub(super) fn name(self) -> &'static str {
        self.told().0
    }

    /// The kinds of problems of this refusal; all have one status.
    pub(super) fn kinds(self) -> &'static [Kind] {
        self.told().2
    }

    pub(super) fn status(self) -> StatusCode {
        self.kinds()[0].status
    }

    pub(super) fn reference(self) -> Value {
        json!({"$ref": format!("#/components/responses/{}", self.name())})
    }

    /// The answer; `problem` is the schema of all problems.
    pub(super) fn response(self, problem: &Schema) -> Value {
        let urns: Vec<String> = self.kinds().iter().map(|kind| kind.urn()).collect();
        let titles: Vec<String> =
            self.kinds().iter().map(|kind| format!("`{}`: {}.", kind.urn(), kind.title)).collect();
        let mut schema = json!(problem);
        schema["properties"] = json!({
            "type": {"enum": urns, "description": titles.join(" ")},
            "status": {"const": self.status().as_u16()},
        });
        let content = json!({"application/problem+json": {"schema": schema}});
        json!({"description": self.told().1, "content": content})
    }
}
