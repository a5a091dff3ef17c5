//! `gbandit ready`: whether a service can store reports now, for containers and scripts that wait.

use crate::args::ReadyArgs;
use anyhow::{Context, bail, ensure};
use serde_json::Value;
use std::io::{Write, stdout};
use std::time::Duration;

/// The timeout of each part of the request.
const PATIENCE: Duration = Duration::from_secs(5);

pub(crate) fn ready(options: &ReadyArgs) -> anyhow::Result<()> {
    let server = &options.server;
    ensure!(server.contains("://"), "--server: {server:?} is not a URL; write http://{server}");
    let url = format!("{}/readyz", server.trim_end_matches('/'));
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(PATIENCE))
        .timeout_recv_response(Some(PATIENCE))
        .timeout_recv_body(Some(PATIENCE))
        .build();
    let answer = ureq::Agent::from(config).get(&url).call();
    let mut answer = answer.with_context(|| {
        format!("{url} does not answer; start `gbandit serve`, or give its URL with --server")
    })?;
    let text = answer.body_mut().read_to_string().with_context(|| url.clone())?;
    if answer.status() == 200 {
        writeln!(stdout(), "ready")?;
        return Ok(());
    }
    let problem: Option<Value> = serde_json::from_str(&text).ok();
    let detail = problem.as_ref().and_then(|problem| problem["detail"].as_str());
    bail!("{url} answers {}: {}", answer.status().as_u16(), detail.unwrap_or(&text))
}
