//! A disk without room for a while, for the store and for the log on it.

use crate::arena::{Arena, Base};
use crate::battle::Attack;
use crate::chance::Chance;
use crate::gauges::beside;
use crate::http::Http;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long reports are waited for that find no room.
const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) struct FullDisk;

impl Attack for FullDisk {
    fn name(&self) -> &'static str {
        "full disks"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        let Base::Sqlite(file) = &arena.base else { return };
        let size = |file| std::fs::metadata(file).map_or(0, |metadata| metadata.len());
        let used = size(beside(file, "-wal")).max(size(file.clone()));
        // Sometimes in the middle of a page.
        allow(arena, &(used / 2 + chance.below(8_192)).to_string());
        let http = Http::new(&arena.addresses);
        let since = Instant::now();
        while http.attempt("/readyz", None).is_none_or(|(status, _)| status == 200) {
            assert!(since.elapsed() < DEADLINE, "a full disk is not noticed");
            std::thread::sleep(Duration::from_millis(50));
        }
        let alive = http.attempt("/healthz", None).map(|(status, _)| status);
        assert_eq!(alive, Some(200));
        allow(arena, "unlimited");
    }
}

/// From now on files of the service may be so large.
fn allow(arena: &Arena, bytes: &str) {
    let soft = format!("--fsize={bytes}:");
    let mut command = Command::new("prlimit");
    let allowed = command.args(["--pid", &arena.server(0).pid(), &soft]).status();
    assert!(allowed.unwrap().success());
}
