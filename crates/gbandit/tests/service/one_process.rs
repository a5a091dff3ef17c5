//! One process serves one file.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, tell_one};
use std::path::Path;

#[test]
fn a_second_process_is_refused_until_the_first_is_gone() {
    let directory = directory("one-process");
    let log = directory.join("log");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let link = other_name(&directory);
    let mut server = Server::start(&link, &log, &[]);
    let place = Whereabouts::at(&server.url);
    Robot::new("a", "g-star", &place);
    for sequence in 0..3 {
        for store in [&store, &link] {
            let second = gbandit()
                .args(["serve", "--listen", "127.0.0.1:0", "--store", store])
                .output()
                .unwrap();
            let said = String::from_utf8(second.stderr).unwrap();
            assert_eq!(second.status.code(), Some(2), "{said}");
            assert!(said.contains("--store:") && said.contains("another process"), "{said}");
        }
        assert_eq!(tell_one(&place, "a", sequence).0, 200);
        // However it ends, the next one can start at once.
        server.kill();
        server = Server::start(&store, &log, &[]);
        place.moved_to(&server.url);
    }
}

/// A link to the database before the database exists.
#[cfg(unix)]
fn other_name(directory: &Path) -> String {
    std::os::unix::fs::symlink("fleet.db", directory.join("link.db")).unwrap();
    format!("sqlite://{}", directory.join("link.db").display())
}

/// Where creating links needs privileges, the same path written differently.
#[cfg(not(unix))]
fn other_name(directory: &Path) -> String {
    format!("sqlite://{}", directory.join(".").join("fleet.db").display())
}

/// `SQLite` has its own addresses (`file:NAME`); here it is an ordinary file name. On Windows no
/// file can have such a name.
#[cfg(unix)]
#[test]
fn a_file_name_is_not_an_address() {
    let directory = directory("file-names");
    let log = directory.join("log");
    let mut here = gbandit();
    here.current_dir(&directory);
    let server = Server::start_by(here, "sqlite://file:fleet.db?mode=memory", &log, &[]);
    Robot::new("a", "g-star", &Whereabouts::at(&server.url));
    assert!(directory.join("file:fleet.db?mode=memory").exists());
    assert!(!directory.join("fleet.db").exists());
}
