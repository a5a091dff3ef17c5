//! kill -9 of servers and database in turn, under load: two processes on one database, robots that
//! use either. As with one process and a file, no acknowledged reward is lost or doubled, and every
//! order is the one that a service which never died gives.

use crate::kills::{REPORTS_PER_KILL, ROBOTS, kills_wanted, same_as_twin, work};
use crate::process::{Server, directory};
use crate::robot::Whereabouts;
use graph_bandit_testing::Postgres;

const QUIET: [&str; 2] = ["--log", "error"];

/// Four, or `GBANDIT_KILLS=50 cargo test -p gbandit --test service postgres_crashes`.
#[test]
fn whichever_process_dies_nothing_acknowledged_is_lost() {
    let log = directory("postgres-crashes").join("log");
    let mut database = Postgres::start();
    let start = |database: &Postgres| Server::start(&database.url(), &log, &QUIET);
    let mut servers = [(); 2].map(|()| Some(start(&database)));
    let urls = servers.each_ref().map(|server| server.as_ref().unwrap().url.clone());
    let whereabouts = Whereabouts::at_all(&urls.each_ref().map(String::as_str));
    let wanted = kills_wanted(4);
    let reports = REPORTS_PER_KILL * wanted;
    let every = reports * ROBOTS.len() as u64 / (wanted + 1);
    let mut kills = 0;
    let diaries = work(&whereabouts, reports, |count| {
        if count % every != 0 || kills == wanted {
            return;
        }
        // One server, the database, the other server, the database.
        if kills % 2 == 1 {
            database.kill();
            database.go_on();
        } else {
            let process = kills as usize / 2 % 2;
            servers[process].take().unwrap().kill();
            let next = start(&database);
            whereabouts.one_moved_to(process, &next.url);
            servers[process] = Some(next);
        }
        kills += 1;
    });
    assert_eq!(kills, wanted);

    let twin = Server::start("memory:", &log, &QUIET);
    let twin_whereabouts = Whereabouts::at(&twin.url);
    let twin_diaries = work(&twin_whereabouts, reports, |_| {});

    // And once more, all at once: what counts is what is on disk.
    database.kill();
    drop(servers);
    database.go_on();
    let last = start(&database);
    let last_whereabouts = Whereabouts::at(&last.url);
    let seen = (&last_whereabouts, diaries.as_slice());
    let counted = same_as_twin(seen, (&twin_whereabouts, &twin_diaries));
    let of_database = kills / 2;
    println!(
        "{kills} kills, {of_database} of them of the database: {counted}, none lost or doubled"
    );
}
