//! kill -9 under load: no acknowledged reward is lost or doubled, and every order is the one that a
//! service which never died gives.

use crate::process::{Server, directory};
use crate::robot::{Diary, Robot, Whereabouts};
use std::sync::mpsc;

pub(crate) const ROBOTS: [(&str, &str); 4] =
    [("star", "g-star"), ("sampler", "g-ts"), ("local", "local-ts"), ("learner", "ql-ucb-h")];
/// How many reports each robot makes for every kill.
pub(crate) const REPORTS_PER_KILL: u64 = 30;

/// So many, or as many as the environment says:
/// `GBANDIT_KILLS=200 cargo test -p gbandit --test service kills`.
pub(crate) fn kills_wanted(usually: u64) -> u64 {
    std::env::var("GBANDIT_KILLS")
        .map_or(usually, |text| text.parse().expect("GBANDIT_KILLS is a number"))
}

/// All robots at work at once; `on_receipt` is called in this thread, with the number of receipts so
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
    let wanted = kills_wanted(10);
    let reports = REPORTS_PER_KILL * wanted;
    let every = reports * ROBOTS.len() as u64 / (wanted + 1);
    let mut kills = 0;
    let diaries = work(&whereabouts, reports, |count| {
        if count % every == 0 && kills < wanted {
            // The other robots are in the middle of asking and telling.
            server.take().unwrap().kill();
            kills += 1;
            let next = Server::start(&store, &log, &quiet);
            whereabouts.moved_to(&next.url);
            server = Some(next);
        }
    });
    assert_eq!(kills, wanted);

    let twin = Server::start("memory:", &log, &quiet);
    let twin_whereabouts = Whereabouts::at(&twin.url);
    let twin_diaries = work(&twin_whereabouts, reports, |_| {});

    // And once more: what counts is what is on disk.
    server.take().unwrap().kill();
    let last = Server::start(&store, &log, &quiet);
    whereabouts.moved_to(&last.url);
    let seen = (&whereabouts, diaries.as_slice());
    let counted = same_as_twin(seen, (&twin_whereabouts, &twin_diaries));
    println!("{kills} kills: {counted}, none lost or doubled");
}

/// What the robots saw here, what they saw at a twin that was never interrupted, and what each of
/// the two services knows now; answers what there was of it.
pub(crate) fn same_as_twin(
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
