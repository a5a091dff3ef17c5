//! The program `gbandit`; the library of the same name does everything.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(gbandit::run(std::env::args_os().skip(1)))
}
