//! Arguments of a command that this build leaves out.

use clap::Args as ClapArgs;
use std::ffi::OsString;

/// Accepts anything: the command is known, and its error says how to get it.
#[derive(Debug, ClapArgs)]
#[command(disable_help_flag = true)]
pub(crate) struct LeftOut {
    #[arg(hide = true, trailing_var_arg = true, allow_hyphen_values = true)]
    _anything: Vec<OsString>,
}

#[cfg(test)]
mod tests {
    use crate::args::Args;
    use clap::Parser;

    #[test]
    fn a_left_out_command_is_known_whatever_arguments_follow() {
        let commands = [
            #[cfg(not(feature = "play"))]
            "play",
            #[cfg(not(feature = "report"))]
            "reproduce",
            #[cfg(not(feature = "serve"))]
            "serve",
        ];
        for command in commands {
            let line = ["gbandit", command, "word", "--flag", "value", "--help"];
            Args::try_parse_from(line).unwrap();
            Args::try_parse_from(["gbandit", command, "--help"]).unwrap();
        }
    }
}
