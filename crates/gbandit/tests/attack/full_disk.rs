//! A disk that is full for a while, for the store and the log on it.

use crate::arena::{Arena, Base};
use crate::battle::Attack;
use crate::chance::Chance;
use crate::http::Http;
use std::process::Command;
use std::time::{Duration, Instant};

/// How long to wait for a report to fail for lack of room.
const DEADLINE: Duration = Duration::from_secs(30);

pub(crate) struct FullDisk;

impl Attack for FullDisk {
    fn name(&self) -> &'static str {
        "full disks"
    }

    fn strike(&mut self, arena: &mut Arena, chance: &mut Chance) {
        if !matches!(arena.base, Base::Sqlite(_)) {
            return;
        }
        // Less than the write-ahead file needs, however large the store is: sometimes a page or
        // more, sometimes less, ending in the middle of one.
        allow(arena, &chance.below(16_384).to_string());
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

/// Sets the largest size of the service's files from now on.
fn allow(arena: &Arena, bytes: &str) {
    let soft = format!("--fsize={bytes}:");
    let mut command = Command::new("prlimit");
    let allowed = command.args(["--pid", &arena.server(0).pid(), &soft]).status();
    assert!(allowed.unwrap().success());
}
