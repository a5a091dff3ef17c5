//! The service under attack: robots ask and tell while processes are killed, paused and restarted,
//! backups restored, disks filled, logs closed, and clients misbehave. A checker judges what robots
//! saw; `docs/explanations/attack.md` says what is promised, what is checked, and what is not.
//!
//! Short among all other tests. For a long attack with figures:
//!
//! ```sh
//! GBANDIT_ATTACK=long cargo test --release -p gbandit --test attack -- --nocapture --test-threads 1
//! ```
#![cfg(target_os = "linux")]

mod arena;
mod battle;
mod chance;
mod checker;
mod dead_logs;
mod diary;
mod full_disk;
mod gauges;
mod hogs;
mod hostile;
mod hostile_teams;
mod http;
mod kills;
mod length;
mod pauses;
mod planted;
#[path = "../service/process.rs"]
#[allow(dead_code, reason = "each suite uses its part")]
mod process;
mod restored;
mod robot;
mod slow_readers;

use arena::Arena;
use battle::{Attack, Plan, fight};
use dead_logs::DeadLog;
use full_disk::FullDisk;
use hogs::Hog;
use hostile::Hostile;
use kills::{Kill, KillDatabase, Restart, RestartDatabase};
use length::{Length, mixed_load, seed};
use pauses::{Pause, PauseDatabase};
use restored::Restore;
use slow_readers::SlowReaders;
use std::time::Duration;

fn attack<A: Attack + 'static>(attack: A, times: u64) -> (Box<dyn Attack>, u64) {
    (Box::new(attack), times)
}

/// One process and a file.
#[test]
fn sqlite() {
    let length = Length::wanted();
    let attacks = vec![
        attack(Kill, length.choose(6, 200)),
        attack(Restart, length.choose(1, 10)),
        attack(Pause, length.choose(1, 10)),
        attack(Restore, length.choose(2, 20)),
        attack(FullDisk, length.choose(1, 10)),
        attack(DeadLog::default(), length.choose(3, 15)),
        attack(SlowReaders::default(), length.choose(1, 10)),
        attack(Hog::default(), length.choose(1, 5)),
        attack(Hostile, length.choose(1, 10)),
    ];
    let plan = Plan {
        name: "sqlite",
        seed: seed(),
        attacks,
        receipts_between: length.choose(40, 100),
        pace: Duration::from_millis(1),
        at_least: Duration::ZERO,
    };
    fight(Arena::sqlite("sqlite"), plan);
}

/// Two processes and a database.
#[test]
fn postgres() {
    let length = Length::wanted();
    let attacks = vec![
        attack(Kill, length.choose(2, 60)),
        attack(KillDatabase, length.choose(2, 50)),
        attack(Restart, length.choose(1, 5)),
        attack(RestartDatabase, length.choose(1, 10)),
        attack(DeadLog::default(), length.choose(1, 5)),
        attack(Pause, length.choose(2, 40)),
        attack(PauseDatabase, length.choose(1, 20)),
        attack(Restore, length.choose(2, 20)),
        attack(SlowReaders::default(), length.choose(1, 5)),
        attack(Hog::default(), length.choose(1, 5)),
        attack(Hostile, length.choose(1, 5)),
    ];
    let plan = Plan {
        name: "postgres",
        seed: seed(),
        attacks,
        receipts_between: length.choose(30, 100),
        pace: Duration::from_millis(1),
        at_least: Duration::ZERO,
    };
    fight(Arena::postgres("postgres"), plan);
}

/// All attacks for an hour, on a file and on a database at the same time; only in a long attack.
#[test]
fn mixed() {
    if Length::wanted() == Length::Short {
        return;
    }
    let of_processes = || {
        vec![
            attack(Kill, 2),
            attack(Restart, 1),
            attack(Pause, 2),
            attack(Restore, 1),
            attack(DeadLog::default(), 1),
            attack(SlowReaders::default(), 2),
            attack(Hog::default(), 2),
            attack(Hostile, 2),
        ]
    };
    let plan = |name, attacks| Plan {
        name,
        seed: seed(),
        attacks,
        receipts_between: 500,
        pace: Duration::from_millis(40),
        at_least: mixed_load(),
    };
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let attacks = [of_processes(), vec![attack(FullDisk, 1)]];
            let attacks = attacks.into_iter().flatten().collect();
            fight(Arena::sqlite("mixed-sqlite"), plan("mixed-sqlite", attacks));
        });
        let of_database =
            vec![attack(KillDatabase, 1), attack(RestartDatabase, 1), attack(PauseDatabase, 1)];
        let attacks = [of_processes(), of_database].into_iter().flatten().collect();
        fight(Arena::postgres("mixed-postgres"), plan("mixed-postgres", attacks));
    });
}
