//! `gbandit serve` and `gbandit token`: the decision service and who may use it.

mod check;

use crate::args::{LogArg, ServeArgs, TokenArgs};
use crate::log::Log;
use anyhow::Context;
use graph_bandit_lab::LabError;
use graph_bandit_server::http::{Tokens, new_token};
use graph_bandit_server::store::{StoreError, open};
use graph_bandit_server::{ServeOptions, Supervisor};
use std::backtrace::{Backtrace, BacktraceStatus};
use std::io::{Write, stderr, stdout};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tracing::Level;

/// How long the end of the service waits for the reader of its log.
const LAST_LINES: Duration = Duration::from_secs(1);

pub(crate) fn serve(args: &ServeArgs) -> anyhow::Result<()> {
    let mut options = ServeOptions::new(args.address());
    args.limits.apply(&mut options);
    if args.no_demo {
        options.http.simulations = 0;
    }
    if args.check {
        return check::check(args, options);
    }
    options.tokens = tokens(args)?;
    options.supervisor = Supervisor::of_environment().context("NOTIFY_SOCKET")?.map(Arc::new);
    // Checked before a store is created in vain.
    allowed(&options).map_err(|reason| LabError::setting("listen", reason))?;
    let log = Log::to_stderr(Arc::clone(&options.log_lines_dropped))?;
    log_to(&log, args.log);
    let served = open(&args.store)
        .map_err(|error| LabError::setting("store", store_message(error)).into())
        .and_then(|store| Ok(graph_bandit_server::serve(store, options, announce)?));
    log.flush(LAST_LINES);
    served
}

/// The tokens in the file, if one was given.
fn tokens(args: &ServeArgs) -> anyhow::Result<Option<Tokens>> {
    let Some(file) = &args.token_file else { return Ok(None) };
    let tokens = Tokens::read(file).map_err(|error| {
        let file = file.display();
        anyhow::anyhow!("{file}: {error}; `gbandit token` creates a token and prints its line")
    })?;
    Ok(Some(tokens))
}

/// Refuses to serve other machines without tokens, and says why.
fn allowed(options: &ServeOptions) -> Result<(), String> {
    let how = "create one with `gbandit token` and pass its file with --token-file";
    options.check().map_err(|error| format!("{error} ({how})"))
}

/// The message of a store error, without "store", which the flag already says.
fn store_message(error: StoreError) -> String {
    match error {
        StoreError::Failed { reason } => reason,
        other => other.to_string(),
    }
}

/// Prints the service's address. Nothing depends on the output being read.
fn announce(address: SocketAddr) {
    let announcing = std::thread::Builder::new().spawn(move || {
        let _ = writeln!(stdout(), "listening on http://{address}").and_then(|()| stdout().flush());
    });
    if let Err(error) = announcing {
        tracing::warn!(%error, "the address could not be printed");
    }
}

fn log_to(log: &Log, level: LogArg) {
    let level = match level {
        LogArg::Error => Level::ERROR,
        LogArg::Warn => Level::WARN,
        LogArg::Info => Level::INFO,
    };
    // Otherwise the library would print what it fails to log, and panic if the pipe is closed.
    let lines = tracing_subscriber::fmt().json().log_internal_errors(false);
    lines.with_max_level(level).with_writer(log.clone()).init();
    std::panic::set_hook(Box::new(|panic| {
        let backtrace = Backtrace::capture();
        if backtrace.status() == BacktraceStatus::Captured {
            tracing::error!(%panic, %backtrace, "a thread panicked");
        } else {
            tracing::error!(%panic, "a thread panicked");
        }
    }));
}

/// The token goes to standard error, to be read once; the line goes to standard output, to be kept.
pub(crate) fn token(args: &TokenArgs) -> anyhow::Result<()> {
    let (token, line) = new_token(&args.name, args.scope)?;
    writeln!(stderr(), "token (shown only now): {token}")?;
    writeln!(stdout(), "{line}")?;
    Ok(())
}
