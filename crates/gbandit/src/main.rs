//! The program `gbandit`: all that it does is in the library of the same name.

use gbandit::Called;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(gbandit::run(&Called::directly()))
}
