//! Processes that are paused and then continue with requests that robots have long sent elsewhere:
//! zombies.

use crate::arena::{Arena, Base};
use crate::battle::Attack;
use crate::chance::Chance;
use crate::process::signal;
use std::time::Duration;

/// Receipts from the other processes meanwhile.
const MEANWHILE: u64 = 12;

/// A process of the service; the others continue.
pub(crate) struct Pause;

impl Attack for Pause {
    fn name(&self) -> &'static str {
        "pauses of a process"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let process = chance.below(arena.processes() as u64) as usize;
        let pid = arena.server(process).pid();
        assert!(signal("STOP", &pid).status().unwrap().success());
        if arena.processes() > 1 {
            arena.wait_for_receipts(MEANWHILE);
        } else {
            std::thread::sleep(Duration::from_millis(300));
        }
        assert!(signal("CONT", &pid).status().unwrap().success());
    }
}

/// The database: sometimes long enough for requests to time out, sometimes not.
pub(crate) struct PauseDatabase;

impl Attack for PauseDatabase {
    fn name(&self) -> &'static str {
        "pauses of the database"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let Base::Postgres(database) = &arena.base else { return };
        database.pause();
        std::thread::sleep(Duration::from_millis(200 + chance.below(3_000)));
        database.resume();
    }
}
