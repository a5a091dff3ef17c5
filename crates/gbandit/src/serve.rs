//! `gbandit serve` and `gbandit token`: the decision service and who may use it.

use crate::args::{LogArg, ServeArgs, TokenArgs};
use anyhow::Context;
use graph_bandit_lab::LabError;
use graph_bandit_server::http::{Tokens, new_token};
use graph_bandit_server::{ServeError, ServeOptions};
use std::io::{Write, stderr, stdout};
use tracing::Level;

pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let mut options = ServeOptions::new(args.listen, args.store.clone());
    args.limits.apply(&mut options);
    if let Some(file) = &args.token_file {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        options.tokens = Some(Tokens::parse(&text).with_context(|| file.display().to_string())?);
    }
    log_to_stderr(args.log);
    let served = graph_bandit_server::serve(options, |address| {
        // Whoever started the service may have closed its output; it goes on all the same.
        let _ = writeln!(stdout(), "listening on http://{address}").and_then(|()| stdout().flush());
    });
    served.map_err(|error| match error {
        ServeError::NoTokens { .. } => LabError::setting("listen", error).into(),
        ServeError::Store(error) => LabError::setting("store", error).into(),
        other => other.into(),
    })
}

fn log_to_stderr(log: LogArg) {
    let level = match log {
        LogArg::Error => Level::ERROR,
        LogArg::Warn => Level::WARN,
        LogArg::Info => Level::INFO,
    };
    tracing_subscriber::fmt().json().with_max_level(level).with_writer(stderr).init();
}

/// The token to standard error, where it is read once; the line to standard output, to be kept.
pub(crate) fn token(args: &TokenArgs) -> anyhow::Result<()> {
    let made = new_token(&args.name, args.scope.into());
    let (token, line) = made.map_err(|error| LabError::setting("name", error))?;
    writeln!(stderr(), "token (shown only now): {token}")?;
    writeln!(stdout(), "{line}")?;
    Ok(())
}
