//! Logs that cannot be written: a full disk, a pipe that nobody reads, a closed pipe. A process
//! lives with such a log until it is killed or restarted.

use crate::arena::Arena;
use crate::battle::Attack;
use crate::chance::Chance;
use std::fs::OpenOptions;
use std::process::{ChildStderr, Stdio};

/// Enough requests to fill a pipe and every queue before it.
const REPORTS: u64 = 200;

#[derive(Default)]
pub(crate) struct DeadLog {
    struck: u64,
    unread: Vec<ChildStderr>,
}

impl Attack for DeadLog {
    fn name(&self) -> &'static str {
        "dead logs"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let process = chance.below(arena.processes() as u64) as usize;
        arena.kill(process);
        match self.struck % 3 {
            0 => {
                let server = arena.start_with(process, Stdio::piped(), "info");
                self.unread = vec![server.log()];
            }
            1 => drop(arena.start_with(process, Stdio::piped(), "info").log()),
            _ => {
                let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
                arena.start_with(process, full.into(), "info");
            }
        }
        self.struck += 1;
        arena.wait_for_receipts(REPORTS);
    }
}
