//! All kinds of problems: the status, a name for programs, a title for people.

use axum::http::StatusCode;

/// A kind of problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind {
    pub(super) status: StatusCode,
    name: &'static str,
    pub(super) title: &'static str,
}

impl Kind {
    /// The name as a URN.
    pub(super) fn urn(self) -> String {
        format!("urn:graph-bandit:{}", self.name)
    }
}

macro_rules! kinds {
    ($($constant:ident: $status:ident, $name:literal, $title:literal;)*) => {
        $(pub(crate) const $constant: Kind =
            Kind { status: StatusCode::$status, name: $name, title: $title };)*

        /// All of them.
        #[cfg(test)]
        pub(super) const ALL: &[Kind] = &[$($constant),*];
    };
}

kinds! {
    BODY: BAD_REQUEST, "body", "The body did not arrive";
    SYNTAX: BAD_REQUEST, "syntax", "The body is not JSON";
    PATH: BAD_REQUEST, "path", "The path is not valid UTF-8";
    QUERY: BAD_REQUEST, "query", "The query is wrong";
    TOKEN: UNAUTHORIZED, "token", "A token is required";
    SCOPE: FORBIDDEN, "scope", "The token does not allow this";
    SITE: FORBIDDEN, "site", "Pages of other sites may not use this service";
    NOT_SIMULATED: FORBIDDEN, "not-simulated", "This service does not simulate agents";
    UNKNOWN_AGENT: NOT_FOUND, "unknown-agent", "There is no such agent";
    NO_SUCH_PATH: NOT_FOUND, "nowhere", "There is no such path";
    METHOD: METHOD_NOT_ALLOWED, "method", "The path does not have this method";
    NAME_TAKEN: CONFLICT, "name-taken", "Another agent has the name";
    SEQUENCE: CONFLICT, "sequence", "The report has the wrong number";
    OTHER_AGENT: CONFLICT, "other-agent", "The report is for an agent that was deleted";
    OTHER_PAST: CONFLICT, "other-past", "The report answers an order that the log does not have";
    TOO_LARGE: PAYLOAD_TOO_LARGE, "too-large", "The body is too large";
    MEDIA_TYPE: UNSUPPORTED_MEDIA_TYPE, "media-type", "The Content-Type is not JSON";
    HOST: MISDIRECTED_REQUEST, "host", "The host is not a name of this service";
    CONTENT: UNPROCESSABLE_ENTITY, "content", "The body has the wrong content";
    NO_SUCH_AGENT: UNPROCESSABLE_ENTITY, "no-such-agent", "The agent cannot be created";
    IMPOSSIBLE: UNPROCESSABLE_ENTITY, "impossible", "The report cannot be accepted";
    NO_ORDER: UNPROCESSABLE_ENTITY, "no-order", "The agent has no order for this request";
    MAP: UNPROCESSABLE_ENTITY, "map", "The map cannot be read";
    RATE: TOO_MANY_REQUESTS, "rate", "Too many requests";
    DAMAGED: INTERNAL_SERVER_ERROR, "damaged", "The agent is damaged";
    DEFECT: INTERNAL_SERVER_ERROR, "defect", "The service has a defect";
    STORE: SERVICE_UNAVAILABLE, "store", "The store is out of order";
    CONTENDED: SERVICE_UNAVAILABLE, "contended", "Other clients report at the same time";
    OVERLOADED: SERVICE_UNAVAILABLE, "overloaded", "There is too much to plan";
    GIVEN_UP: SERVICE_UNAVAILABLE, "given-up", "The service gave up on the report";
    TIMEOUT: SERVICE_UNAVAILABLE, "timeout", "The request took too long";
    STREAMS: SERVICE_UNAVAILABLE, "streams", "Too many event streams";
    SIMULATIONS: CONFLICT, "simulations", "Too many agents are simulated";
    MEMORY: SERVICE_UNAVAILABLE, "memory", "Too much data is being sent";
    CONNECTIONS: SERVICE_UNAVAILABLE, "connections", "Too many connections";
}
