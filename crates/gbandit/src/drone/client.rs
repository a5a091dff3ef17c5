//! The service as a drone sees it: a request is repeated until it is answered.

use anyhow::{Context, bail};
use serde_json::Value;
use std::time::Duration;

/// How often a request is tried, and how long a drone waits between attempts.
const ATTEMPTS: u32 = 100;
const PAUSE: Duration = Duration::from_millis(100);
/// How long each part of a request may take.
const TIMEOUT: Duration = Duration::from_secs(60);
/// How long the first answer of a service may take.
const FIRST_ANSWER: Duration = Duration::from_secs(10);
/// The longest answer: an exported agent of the largest graph.
const LONGEST: u64 = 1 << 30;

const UNAUTHORIZED: u16 = 401;
const CONFLICT: u16 = 409;

/// Timeouts per part of a request: with one limit for the whole, ureq would look up the server's
/// name in a separate thread for every request.
fn connections(patience: Duration) -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(patience))
        .timeout_send_request(Some(TIMEOUT))
        .timeout_send_body(Some(TIMEOUT))
        .timeout_recv_response(Some(patience))
        .timeout_recv_body(Some(TIMEOUT))
        .build();
    config.into()
}

#[derive(Clone)]
pub(crate) struct Client {
    http: ureq::Agent,
    server: String,
    token: Option<String>,
}

/// The outcome of a report.
pub(crate) enum Reply {
    /// The service took it.
    Taken(Answer),
    /// The agent went on without the report, or was restored from a backup: the drone has to ask
    /// again.
    Conflict {
        /// How often it had to be repeated.
        retries: u64,
    },
}

/// An answer, whatever its status.
struct Response {
    status: u16,
    text: String,
    retries: u64,
}

/// An answer, and how often the request had to be repeated.
pub(crate) struct Answer {
    pub(crate) body: Value,
    pub(crate) retries: u64,
}

impl Client {
    pub(crate) fn new(server: &str) -> Self {
        Self {
            http: connections(TIMEOUT),
            server: server.trim_end_matches('/').to_owned(),
            token: std::env::var("GBANDIT_TOKEN").ok(),
        }
    }

    /// The same client with its own connection.
    pub(crate) fn apart(&self) -> Self {
        Self { http: connections(TIMEOUT), ..self.clone() }
    }

    /// Checks once that a service answers. Later, a service that is gone may come back.
    pub(crate) fn find(&self) -> anyhow::Result<()> {
        let answer = connections(FIRST_ANSWER).get(format!("{}/healthz", self.server)).call();
        match answer {
            Ok(_) => Ok(()),
            Err(error) => bail!(
                "no service answers at {}; start one with `gbandit serve`, or give its URL with --server \
                 ({error})",
                self.server
            ),
        }
    }

    pub(crate) fn get(&self, path: &str) -> anyhow::Result<Answer> {
        self.answer(path, || {
            let request = self.http.get(format!("{}{path}", self.server));
            self.with_token(request).call()
        })
    }

    pub(crate) fn ask(&self, path: &str) -> anyhow::Result<Answer> {
        self.answer(path, || {
            let request = self.http.post(format!("{}{path}", self.server));
            self.with_token(request).send_empty()
        })
    }

    pub(crate) fn post(&self, path: &str, body: &Value) -> anyhow::Result<Answer> {
        let response = self.send(path, body)?;
        self.read(path, response)
    }

    /// Sends a report. Reports are numbered, so repeating one does not count it twice.
    pub(crate) fn report(&self, path: &str, body: &Value) -> anyhow::Result<Reply> {
        let response = self.send(path, body)?;
        if response.status == CONFLICT {
            return Ok(Reply::Conflict { retries: response.retries });
        }
        self.read(path, response).map(Reply::Taken)
    }

    fn send(&self, path: &str, body: &Value) -> anyhow::Result<Response> {
        let text = body.to_string();
        self.until_answered(path, || {
            let request = self.http.post(format!("{}{path}", self.server));
            let request = request.header("Content-Type", "application/json");
            self.with_token(request).send(&text)
        })
    }

    fn answer(
        &self,
        path: &str,
        send: impl Fn() -> Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> anyhow::Result<Answer> {
        let response = self.until_answered(path, send)?;
        self.read(path, response)
    }

    /// The answer, if it is not a refusal.
    fn read(&self, path: &str, response: Response) -> anyhow::Result<Answer> {
        let Response { status, text, retries } = response;
        if status >= 400 {
            let remedy = match (status, &self.token) {
                (UNAUTHORIZED, None) => {
                    "; set the environment variable GBANDIT_TOKEN to a token from `gbandit token`"
                }
                (UNAUTHORIZED, Some(_)) => {
                    "; the token came from the environment variable GBANDIT_TOKEN"
                }
                _ => "",
            };
            bail!("{}{path} answered {status}: {}{remedy}", self.server, detail(text));
        }
        let body = serde_json::from_str(&text)
            .with_context(|| format!("{}{path} did not answer with JSON", self.server))?;
        Ok(Answer { body, retries })
    }

    fn with_token<B>(&self, request: ureq::RequestBuilder<B>) -> ureq::RequestBuilder<B> {
        match &self.token {
            Some(token) => request.header("Authorization", format!("Bearer {token}")),
            None => request,
        }
    }

    fn until_answered(
        &self,
        path: &str,
        send: impl Fn() -> Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    ) -> anyhow::Result<Response> {
        let mut last = String::new();
        for retries in 0..ATTEMPTS {
            if retries > 0 {
                std::thread::sleep(PAUSE);
            }
            let answered = send().and_then(|mut response| {
                let text = response.body_mut().with_config().limit(LONGEST).read_to_string()?;
                Ok((response.status().as_u16(), text))
            });
            let (status, text) = match answered {
                Ok(answered) => answered,
                Err(error) => {
                    last = error.to_string();
                    continue;
                }
            };
            if matches!(status, 429 | 503) {
                last = text;
                continue;
            }
            return Ok(Response { status, text, retries: retries.into() });
        }
        bail!("{}{path} did not answer in {ATTEMPTS} attempts: {last}", self.server)
    }
}

/// The detail of a problem document; any other answer as it is.
fn detail(text: String) -> String {
    let problem = serde_json::from_str::<Value>(&text).ok();
    let detail = problem.and_then(|problem| problem["detail"].as_str().map(str::to_owned));
    detail.unwrap_or(text)
}
