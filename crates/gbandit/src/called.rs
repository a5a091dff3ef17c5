//! How the program was called: directly, or from a host program.

use std::ffi::OsString;
#[cfg(feature = "bench")]
use std::process::Command;

/// The arguments of a call, and how to call the same program again.
#[derive(Debug, Clone)]
pub struct Called {
    /// The arguments, after the program's name.
    pub(crate) arguments: Vec<OsString>,
    /// A program that acts as this one when given these arguments first. None: the running
    /// executable.
    #[cfg_attr(
        not(feature = "bench"),
        allow(dead_code, reason = "only measurements restart the program")
    )]
    again: Option<(OsString, Vec<OsString>)>,
}

impl Called {
    /// Called as its own program, with the arguments of this process.
    pub fn directly() -> Self {
        let arguments = std::env::args_os().skip(1);
        Self { arguments: named(arguments), again: None }
    }

    /// Called from `host`, which behaves the same when given `before` and then the arguments.
    pub fn within(
        host: OsString,
        before: Vec<OsString>,
        arguments: impl IntoIterator<Item = OsString>,
    ) -> Self {
        Self { arguments: named(arguments), again: Some((host, before)) }
    }

    /// A command that starts this program again.
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

/// Help and errors say `gbandit`, however the program was found.
fn named(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    std::iter::once("gbandit".into()).chain(arguments).collect()
}
