//! `gbandit serve` and `gbandit token`: the decision service and who may use it.

use crate::args::{LogArg, ServeArgs, TokenArgs};
use anyhow::Context;
use graph_bandit_lab::LabError;
use graph_bandit_server::ServeOptions;
use graph_bandit_server::http::{Tokens, new_token};
use graph_bandit_server::store::open;
use std::io::{Write, stderr, stdout};
use tracing::Level;

pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let mut options = ServeOptions::new(args.listen);
    args.limits.apply(&mut options);
    if let Some(file) = &args.token_file {
        let text = std::fs::read_to_string(file)
            .with_context(|| format!("cannot read {}", file.display()))?;
        let tokens = Tokens::parse(&text).map_err(|error| {
            let file = file.display();
            anyhow::anyhow!("{file}: {error}; `gbandit token` makes a token and prints its line")
        })?;
        options.tokens = Some(tokens);
    }
    // Before a store is made that nobody will be served from.
    options.check().map_err(|error| {
        let how = "`gbandit token` makes one, --token-file takes it";
        LabError::setting("listen", format!("{error} ({how})"))
    })?;
    log_to_stderr(args.log);
    let store = open(&args.store).map_err(|error| LabError::setting("store", error))?;
    graph_bandit_server::serve(store, options, |address| {
        // Whoever started the service may have closed its output; it goes on all the same.
        let _ = writeln!(stdout(), "listening on http://{address}").and_then(|()| stdout().flush());
    })?;
    Ok(())
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
    let made = new_token(&args.name, args.scope);
    let (token, line) = made.map_err(|error| LabError::setting("name", error))?;
    writeln!(stderr(), "token (shown only now): {token}")?;
    writeln!(stdout(), "{line}")?;
    Ok(())
}
