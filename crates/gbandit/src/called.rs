//! How the program was called: by itself, or by another one that carries it.

use std::ffi::OsString;
#[cfg(feature = "bench")]
use std::process::Command;

/// The arguments of a call, and how to call the same program again.
#[derive(Debug, Clone)]
pub struct Called {
    /// What was asked for, after the program's name.
    pub(crate) arguments: Vec<OsString>,
    /// A program that is this one, given these arguments first. None: the file that runs.
    #[cfg_attr(
        not(feature = "bench"),
        allow(dead_code, reason = "only measurements start it again")
    )]
    again: Option<(OsString, Vec<OsString>)>,
}

impl Called {
    /// As a program of its own, with the arguments of this process.
    pub fn directly() -> Self {
        let arguments = std::env::args_os().skip(1);
        Self { arguments: named(arguments), again: None }
    }

    /// By `host`, which does the same again when it gets `before` and then the arguments.
    pub fn within(
        host: OsString,
        before: Vec<OsString>,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Self {
        Self { arguments: named(arguments), again: Some((host, before)) }
    }

    /// This program once more.
    #[cfg(feature = "bench")]
    pub(crate) fn again(&self) -> std::io::Result<Command> {
        let Some((host, before)) = &self.again else {
            return Ok(Command::new(std::env::current_exe()?));
        };
        let mut command = Command::new(host);
        command.args(before);
        Ok(command)
    }
}

/// Help and errors speak of `gbandit`, however it was found.
fn named(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    std::iter::once("gbandit".into()).chain(arguments).collect()
}
