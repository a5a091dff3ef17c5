//! Restored backups: robots are then ahead of the log, and must learn so before the service accepts
//! anything else from them.

use crate::arena::{Arena, Base};
use crate::battle::Attack;
use crate::chance::Chance;
use crate::diary::Restoration;
use crate::gauges::beside;
use crate::process::gbandit;
use std::path::Path;

/// About how many receipts are lost with the restoration.
const LOST: u64 = 15;

pub(crate) struct Restore;

impl Attack for Restore {
    fn name(&self) -> &'static str {
        "restored backups"
    }

    fn strike(&mut self, arena: &mut Arena, _: &mut Chance) {
        let backup_began = arena.now();
        let backup = arena.directory.join("backup");
        match &arena.base {
            Base::Sqlite(file) => back_up(file, &backup),
            Base::Postgres(database) => database.dump(&backup),
        }
        arena.wait_for_receipts(LOST);
        let began = arena.now();
        if let Base::Postgres(database) = &arena.base {
            // While the processes run: nobody stops them.
            database.put_back(&backup);
        } else {
            arena.kill(0);
            put_in_place(arena, &backup);
            arena.start(0);
        }
        let ended = arena.now();
        arena.restorations.push(Restoration { backup_began, began, ended });
    }
}

/// Backs up while the service writes.
fn back_up(file: &Path, to: &Path) {
    let store = format!("sqlite://{}", file.display());
    let mut command = gbandit();
    command.args(["store", "backup", "--force", &store]).arg(to);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn put_in_place(arena: &Arena, backup: &Path) {
    let Base::Sqlite(file) = &arena.base else { return };
    for suffix in ["", "-wal", "-shm"] {
        // The last two may not exist.
        let _ = std::fs::remove_file(beside(file, suffix));
    }
    std::fs::copy(backup, file).unwrap();
}
