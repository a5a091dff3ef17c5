//! `gbandit play`: serves the page where agents race, and opens it.

use crate::args::PlayArgs;
use graph_bandit_lab::LabError;
use graph_bandit_play::{PlayError, PlayOptions};
use std::io::{Write, stdout};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

pub(crate) fn play(args: &PlayArgs) -> anyhow::Result<()> {
    let announce = |address| announce(address, args);
    graph_bandit_play::serve(PlayOptions { port: args.port }, announce).map_err(|error| match error
    {
        PlayError::Listen { .. } => LabError::setting("port", error).into(),
        other => other.into(),
    })
}

/// Prints the page's address and opens it. Nothing depends on the output being read.
fn announce(address: SocketAddr, args: &PlayArgs) {
    let setup = args.link.as_ref().map(|setup| format!("#{setup}")).unwrap_or_default();
    let url = format!("http://{address}/{setup}");
    let _ = writeln!(stdout(), "playing at {url} (Ctrl-C ends it)").and_then(|()| stdout().flush());
    if !args.no_open && has_screen() {
        open(&url);
    }
}

/// Whether there is a screen to open a page on.
fn has_screen() -> bool {
    cfg!(any(windows, target_os = "macos"))
        || ["DISPLAY", "WAYLAND_DISPLAY"].iter().any(|name| std::env::var_os(name).is_some())
}

/// Opens the page, if the system can; its address is already printed.
fn open(url: &str) {
    let mut command = if cfg!(windows) {
        let mut command = Command::new("rundll32");
        command.arg("url.dll,FileProtocolHandler");
        command
    } else {
        Command::new(if cfg!(target_os = "macos") { "open" } else { "xdg-open" })
    };
    let quiet = command.arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let _ = quiet.spawn();
}
