//! Arguments of `gbandit serve`, `ready` and `token`.

use super::values::named;
use crate::limits::LimitArgs;
use clap::{Args as ClapArgs, ValueEnum};
use graph_bandit_server::http::{Scope, TokensError, check_name};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;

const SERVE_EXAMPLES: &str = "Examples:
  gbandit serve
  gbandit serve --listen 127.0.0.1:8080 --store sqlite://fleet.db
  PGPASSWORD=secret gbandit serve \\
    --store postgres://gbandit@db.example.org/gbandit
  gbandit serve --check --store sqlite://fleet.db
  gbandit token office --scope admin >> tokens &&
    gbandit serve --listen 0.0.0.0:8080 --token-file tokens

docs/guides/service.md walks through it; /openapi.json describes the API.";

#[derive(Debug, ClapArgs)]
#[command(after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArgs {
    /// The address to listen on; port 0 picks a free one. Serving other machines requires
    /// --token-file.
    #[arg(long, value_name = "ADDRESS", value_parser = address, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// The port to listen on, on this machine only: short for `--listen 127.0.0.1:PORT`.
    #[arg(long, value_name = "PORT", conflicts_with = "listen")]
    port: Option<u16>,

    /// Where agents are stored: `sqlite://FILE`, created if absent;
    /// `postgres://USER:PASSWORD@HOST/DATABASE`, which several processes may share (without
    /// `:PASSWORD`, PGPASSWORD is used); or `memory:` for a trial.
    #[arg(long, value_name = "URL", default_value = "sqlite://gbandit.db")]
    pub(crate) store: String,

    /// Admit only clients with a token in this file. `gbandit token` prints the lines to put in it.
    /// On SIGHUP the service reads it again.
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,

    /// Turn off the dashboard's demo, in which up to 8 agents at a time may receive simulated
    /// rewards, reported by robot `simulation`.
    #[arg(long)]
    pub(crate) no_demo: bool,

    /// What to log to standard error, as JSON.
    #[arg(long, value_enum, default_value_t = LogArg::Info)]
    pub(crate) log: LogArg,

    /// Check whether the service could start with these flags, without starting it: tokens,
    /// address, store. Nothing is created or changed.
    #[arg(long)]
    pub(crate) check: bool,

    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// Reads an address with a port.
fn address(text: &str) -> Result<SocketAddr, String> {
    text.parse().map_err(|_| {
        let with_port = text.parse::<IpAddr>().ok().map(|host| SocketAddr::new(host, 8080));
        let example = with_port.unwrap_or_else(|| (Ipv4Addr::LOCALHOST, 8080).into());
        format!("write an address of numbers with a port, such as {example}")
    })
}

impl ServeArgs {
    /// The address to listen on.
    pub(crate) fn address(&self) -> SocketAddr {
        self.port.map_or(self.listen, |port| (Ipv4Addr::LOCALHOST, port).into())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LogArg {
    /// Only failures.
    Error,
    /// Also problems that were recovered from.
    Warn,
    /// Also every request.
    Info,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct ReadyArgs {
    /// The URL of the service.
    #[arg(long, value_name = "URL", default_value = "http://127.0.0.1:8080")]
    pub(crate) server: String,
}

#[derive(Debug, ClapArgs)]
pub(crate) struct TokenArgs {
    /// The name of the token; it appears in the file and in answers to its holder.
    #[arg(value_parser = token_name)]
    pub(crate) name: String,

    /// What the token allows.
    #[arg(long, value_parser = named::<Scope>(), default_value_t = Scope::Decide)]
    pub(crate) scope: Scope,
}

fn token_name(text: &str) -> Result<String, TokensError> {
    check_name(text)?;
    Ok(text.to_owned())
}
