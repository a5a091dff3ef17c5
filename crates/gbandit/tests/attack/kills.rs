//! kill -9 of a process of the service, or of the database with all its processes.

use crate::arena::{Arena, Base};
use crate::battle::Attack;
use crate::chance::Chance;

/// A process of the service.
pub(crate) struct Kill;

impl Attack for Kill {
    fn name(&self) -> &'static str {
        "kills of a process"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let process = chance.below(arena.processes() as u64) as usize;
        arena.kill(process);
        arena.start(process);
    }
}

/// The database.
pub(crate) struct KillDatabase;

impl Attack for KillDatabase {
    fn name(&self) -> &'static str {
        "kills of the database"
    }

    fn strike(&mut self, arena: &mut Arena, _: &mut Chance) {
        let Base::Postgres(database) = &mut arena.base else { return };
        database.kill();
        database.go_on();
    }
}

/// The database, stopped as an administrator would.
pub(crate) struct RestartDatabase;

impl Attack for RestartDatabase {
    fn name(&self) -> &'static str {
        "restarts of the database"
    }

    fn strike(&mut self, arena: &mut Arena, _: &mut Chance) {
        let Base::Postgres(database) = &mut arena.base else { return };
        database.stop();
        database.go_on();
    }
}

/// A process that is asked to stop, and started again.
pub(crate) struct Restart;

impl Attack for Restart {
    fn name(&self) -> &'static str {
        "restarts of a process"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let process = chance.below(arena.processes() as u64) as usize;
        arena.terminate(process);
        arena.start(process);
    }
}
