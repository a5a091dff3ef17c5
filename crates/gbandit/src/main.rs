//! The program `gbandit`; the library of the same name does everything.

use gbandit::Called;
use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(gbandit::run(&Called::directly()))
}
