//! kill -9 under load, on every system: no acknowledged reward is lost or repeated, and every order
//! equals that of a service that never died. `tests/attack` does it many times, with other attacks,
//! on Linux.

use crate::process::{Server, directory};
use crate::robot::{Diary, Robot, Whereabouts};
use std::sync::mpsc;

pub(crate) const ROBOTS: [(&str, &str); 4] =
    [("star", "g-star"), ("sampler", "g-ts"), ("local", "local-ts"), ("learner", "ql-ucb-h")];
const KILLS: u64 = 3;
/// How many reports each robot makes.
const REPORTS: u64 = 90;

/// All robots work at once; `on_receipt` is called in this thread with the number of receipts so
/// far.
pub(crate) fn work(
    whereabouts: &Whereabouts,
    reports: u64,
    mut on_receipt: impl FnMut(u64),
) -> Vec<Diary> {
    std::thread::scope(|scope| {
        let (receipt, receipts) = mpsc::channel();
        let working: Vec<_> = ROBOTS
            .iter()
            .map(|&(id, agent)| {
                let receipt = receipt.clone();
                scope.spawn(move || {
                    let mut robot = Robot::new(id, agent, whereabouts);
                    robot.work(reports, &|| receipt.send(()).unwrap())
                })
            })
            .collect();
        drop(receipt);
        for (count, ()) in (1..).zip(receipts) {
            on_receipt(count);
        }
        working.into_iter().map(|robot| robot.join().unwrap()).collect()
    })
}

#[test]
fn nothing_acknowledged_is_lost_and_the_next_leg_is_the_same() {
    let directory = directory("kills");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let quiet = ["--log", "warn"];

    let mut server = Some(Server::start(&store, &log, &quiet));
    let whereabouts = Whereabouts::at(&server.as_ref().unwrap().url);
    let every = REPORTS * ROBOTS.len() as u64 / (KILLS + 1);
    let mut kills = 0;
    let diaries = work(&whereabouts, REPORTS, |count| {
        if count % every == 0 && kills < KILLS {
            // The other robots are in the middle of asking and telling.
            server.take().unwrap().kill();
            kills += 1;
            let next = Server::start(&store, &log, &quiet);
            whereabouts.moved_to(&next.url);
            server = Some(next);
        }
    });
    assert_eq!(kills, KILLS);

    let twin = Server::start("memory:", &log, &quiet);
    let twin_whereabouts = Whereabouts::at(&twin.url);
    let twin_diaries = work(&twin_whereabouts, REPORTS, |_| {});

    // Once more: only what is on disk counts.
    server.take().unwrap().kill();
    let last = Server::start(&store, &log, &quiet);
    whereabouts.moved_to(&last.url);
    let seen = (&whereabouts, diaries.as_slice());
    let counted = same_as_twin(seen, (&twin_whereabouts, &twin_diaries));
    println!("{kills} kills: {counted}, none lost or doubled");
}

/// Compares what robots saw here and at a twin that was never interrupted, and what the two
/// services know now; returns how much there was.
fn same_as_twin(
    (whereabouts, diaries): (&Whereabouts, &[Diary]),
    (twin, twin_diaries): (&Whereabouts, &[Diary]),
) -> String {
    for (&(id, agent), (diary, twin_diary)) in ROBOTS.iter().zip(diaries.iter().zip(twin_diaries)) {
        assert_eq!(diary, twin_diary, "{id}");
        let robot = Robot::new(id, agent, whereabouts);
        let twin_robot = Robot::new(id, agent, twin);
        assert_eq!(robot.visits_in_history(), diary.visits, "{id}");
        assert_eq!(robot.estimates(), twin_robot.estimates(), "{id}");
        assert_eq!(robot.ask(), twin_robot.ask(), "{id}");
    }
    let receipts: usize = diaries.iter().map(|diary| diary.receipts.len()).sum();
    let rewards: usize = diaries.iter().map(|diary| diary.visits.len()).sum();
    format!("{receipts} receipts of {rewards} rewards")
}
