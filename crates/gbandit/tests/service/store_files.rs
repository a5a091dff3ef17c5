//! The files of an `SQLite` store: removed or replaced while a service writes to them, known under several
//! names, checked, and read by somebody who stalls.

use crate::backups::{QUIET, store, told};
use crate::process::{Server, directory, gbandit};
use crate::robot::{Whereabouts, answered, request, tell_one};
use rusqlite::Connection;
use std::collections::BTreeMap;
use std::fs::{hard_link, remove_file, rename};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// A service that has acknowledged 20 reports of agent `a`, and is ready.
struct Scene {
    directory: PathBuf,
    file: PathBuf,
    server: Server,
    place: Whereabouts,
}

fn served(file: &Path) -> Server {
    let log = file.with_file_name("log");
    Server::start(&format!("sqlite://{}", file.display()), &log, &QUIET)
}

fn scene(name: &str) -> Scene {
    let directory = directory(name);
    let file = directory.join("fleet.db");
    let server = served(&file);
    let place = Whereabouts::at(&server.url);
    told(&place, "a", 20);
    assert_eq!(request(&place, "/readyz", None).0, 200);
    Scene { directory, file, server, place }
}

impl Scene {
    fn beside(&self, end: &str) -> PathBuf {
        self.directory.join(format!("fleet.db{end}"))
    }

    /// The service is stopped by `stop`, and started again.
    fn again(mut self, stop: impl FnOnce(Server)) -> Self {
        stop(self.server);
        self.server = served(&self.file);
        self.place.moved_to(&self.server.url);
        self
    }

    fn sequence(&self) -> u64 {
        request(&self.place, "/v1/agents/a", None).1["sequence"].as_u64().unwrap()
    }
}

fn replace(file: &Path) {
    let other = file.with_file_name("other");
    std::fs::copy(file, &other).unwrap();
    rename(other, file).unwrap();
}

/// Whatever is written to such a file is lost, so nothing is acknowledged, not even when it is repeated.
#[test]
fn a_removed_or_replaced_file_is_noticed_before_the_next_answer() {
    for end in ["", "-wal", "-shm"] {
        for name in ["removed", "replaced"] {
            let scene = scene(&format!("{name}{end}"));
            let file = scene.beside(end);
            match name {
                "removed" => remove_file(&file).unwrap(),
                _ => replace(&file),
            }
            for _ in 0..3 {
                assert_eq!(tell_one(&scene.place, "a", 20).0, 503, "{name} {end}");
                assert_eq!(request(&scene.place, "/readyz", None).0, 503, "{name} {end}");
            }
            let named = format!("{} is no longer the file that was opened", file.display());
            // The log is written in the background.
            let is_named = (0..6_000).any(|_| {
                std::thread::sleep(Duration::from_millis(5));
                std::fs::read_to_string(scene.directory.join("log")).unwrap().contains(&named)
            });
            assert!(is_named, "{named}");
            if (name, end) == ("removed", "-wal") {
                // What was acknowledged before is written when the service stops.
                let scene = scene.again(|server| assert!(server.terminate().success()));
                assert!(scene.sequence() >= 20);
                assert_eq!(request(&scene.place, "/readyz", None).0, 200);
            }
        }
    }
}

#[test]
fn a_file_that_is_put_back_is_written_again() {
    let scene = scene("put-back");
    let elsewhere = scene.directory.join("elsewhere");
    rename(&scene.file, &elsewhere).unwrap();
    assert_eq!(tell_one(&scene.place, "a", 20).0, 503);
    assert_eq!(request(&scene.place, "/readyz", None).0, 503);
    rename(&elsewhere, &scene.file).unwrap();
    assert_eq!(answered(&scene.place, "/readyz", None).0, 200);
    for sequence in 20..30 {
        assert_eq!(tell_one(&scene.place, "a", sequence).0, 200);
    }
    assert_eq!(scene.again(Server::kill).sequence(), 30);
}

/// `SQLite` removes the write-ahead log by its name.
#[test]
fn a_service_whose_files_were_moved_away_does_not_harm_the_next() {
    let scene = scene("moved-away");
    let lost = scene.directory.join("lost");
    std::fs::create_dir(&lost).unwrap();
    for end in ["", "-wal", "-shm", "-lock"] {
        rename(scene.beside(end), lost.join(format!("fleet.db{end}"))).unwrap();
    }
    let next = served(&scene.file);
    let place = Whereabouts::at(&next.url);
    told(&place, "b", 5);
    assert_eq!(tell_one(&scene.place, "a", 20).0, 503);
    assert!(scene.server.terminate().success());
    assert_eq!(tell_one(&place, "b", 5).0, 200);
    next.kill();
    let moved = served(&lost.join("fleet.db"));
    let next = served(&scene.file);
    for (server, id, least) in [(&moved, "a", 20), (&next, "b", 6)] {
        let (_, agent) = request(&Whereabouts::at(&server.url), &format!("/v1/agents/{id}"), None);
        assert!(agent["sequence"].as_u64().unwrap() >= least, "{agent}");
    }
}

fn check(file: &Path) -> Command {
    let mut check = gbandit();
    check.args(["serve", "--check", "--listen", "127.0.0.1:0", "--store"]);
    check.arg(format!("sqlite://{}", file.display()));
    check
}

/// What a command says, which must fail.
fn refused(mut command: Command) -> String {
    let output = command.output().unwrap();
    let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    said
}

#[test]
fn a_file_with_several_names_is_refused() {
    let mut scene = scene("hard-link");
    let other = scene.directory.join("other.db");
    assert!(is_all_in_the_file(&scene.file));
    hard_link(&scene.file, &other).unwrap();
    assert!(refused(check(&other)).contains("has 2 names (hard links)"));
    // Under its other name, the latest reports would be missing.
    for command in [["verify"].as_slice(), &["stats"], &["export"]] {
        let mut read = gbandit();
        read.arg("store").args(command).arg(&other);
        assert!(refused(read).contains("has 2 names (hard links)"), "{command:?}");
    }
    assert_eq!(tell_one(&scene.place, "a", 20).0, 200);
    scene.server.kill();
    for file in [&scene.file, &other] {
        let said = refused(check(file));
        assert!(said.contains("backup program") && said.contains("find / -samefile"), "{said}");
        let mut serve = gbandit();
        serve.args(["serve", "--listen", "127.0.0.1:0", "--store"]);
        let output = serve.arg(format!("sqlite://{}", file.display())).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
    }
    // As the message says.
    let new = scene.directory.join("new.db");
    std::fs::copy(&scene.file, &new).unwrap();
    rename(new, &scene.file).unwrap();
    scene.server = served(&scene.file);
    scene.place.moved_to(&scene.server.url);
    assert_eq!(scene.sequence(), 21);
}

/// The lock on the file itself is in nobody's way but another service's.
#[cfg(target_os = "linux")]
#[test]
fn a_file_is_locked_under_all_its_names() {
    let scene = scene("bind-mount");
    let other = scene.directory.join("other.db");
    std::fs::write(&other, "").unwrap();
    assert!(is_all_in_the_file(&scene.file));
    let mut mounted = Command::new("unshare");
    let script = "mount --bind \"$0\" \"$1\" && shift && exec \"$@\"";
    mounted.args(["--map-root-user", "--mount", "bash", "-c", script]).args([&scene.file, &other]);
    let checked = check(&other);
    mounted.arg(checked.get_program()).args(checked.get_args());
    let said = refused(mounted);
    assert!(said.contains("another process has it open"), "{said}");
    // Without the lock file, too.
    remove_file(scene.beside("-lock")).unwrap();
    assert!(refused(check(&scene.file)).contains("another process has it open"));

    let file = scene.file.to_str().unwrap();
    let copy = scene.directory.join("copy.db");
    for arguments in
        [&["verify", file][..], &["stats", file], &["backup", file, copy.to_str().unwrap()]]
    {
        let (code, _, said) = store(arguments);
        assert_eq!(code, Some(0), "{said}");
    }
    assert_eq!(tell_one(&scene.place, "a", 20).0, 200);
}

/// Whether nobody reads an older state, which the write-ahead log would have to keep.
fn is_all_in_the_file(file: &Path) -> bool {
    let moved = Connection::open(file).unwrap();
    let is_busy: i64 =
        moved.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0)).unwrap();
    is_busy == 0
}

/// All files of a folder.
fn content(directory: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let files = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    files.map(|path| (path.clone(), std::fs::read(path).unwrap())).collect()
}

fn assert_same(
    before: &BTreeMap<PathBuf, Vec<u8>>,
    after: &BTreeMap<PathBuf, Vec<u8>>,
    what: &str,
) {
    assert!(before.keys().eq(after.keys()), "{what}: {:?}", after.keys());
    for (path, bytes) in before {
        assert!(*bytes == after[path], "{what}: {}", path.display());
    }
}

#[test]
fn a_check_changes_no_file() {
    let mut scene = scene("check-changes");
    let unchanged = |file: &Path, what: &str| {
        let before = content(file.parent().unwrap());
        let checked = check(file).output().unwrap();
        assert!(checked.status.success(), "{what}: {checked:?}");
        assert_same(&before, &content(file.parent().unwrap()), what);
    };
    let log = scene.beside("-wal");
    scene.server.kill();
    assert!(log.metadata().unwrap().len() > 0);
    unchanged(&scene.file, "killed");
    let reader = Connection::open(&scene.file).unwrap();
    reader.execute_batch("BEGIN; SELECT count(*) FROM agents").unwrap();
    unchanged(&scene.file, "read by another program");
    drop(reader);
    scene.server = served(&scene.file);
    scene.place.moved_to(&scene.server.url);
    assert_eq!((scene.sequence(), tell_one(&scene.place, "a", 20).0), (20, 200));
    assert!(scene.server.terminate().success());
    unchanged(&scene.file, "stopped");
    let copy = scene.directory.join("copy.db");
    assert_eq!(store(&["backup", scene.file.to_str().unwrap(), copy.to_str().unwrap()]).0, Some(0));
    unchanged(&copy, "a backup");
}

/// Otherwise the write-ahead log would grow until somebody takes the lines.
#[test]
fn a_stalled_export_keeps_no_old_state() {
    let scene = scene("stalled-export");
    told(&scene.place, "b", 500);
    let mut export = gbandit();
    export.args(["store", "export"]).arg(&scene.file).stdout(Stdio::piped());
    let mut export = export.stdout(Stdio::piped()).spawn().unwrap();
    let mut lines = export.stdout.take().unwrap();
    let mut exported = vec![0];
    lines.read_exact(&mut exported).unwrap();
    // It has begun, and there is more than a pipe holds.
    assert_eq!(tell_one(&scene.place, "a", 20).0, 200);
    assert!(is_all_in_the_file(&scene.file));
    assert_eq!(tell_one(&scene.place, "b", 500).0, 200);
    lines.read_to_end(&mut exported).unwrap();
    assert!(export.wait().unwrap().success());
    assert!(exported.len() > 100_000, "{}", exported.len());
    let (there, other) = (scene.directory.join("lines"), scene.directory.join("other.db"));
    std::fs::write(&there, exported).unwrap();
    let (code, said, _) = store(&["import", other.to_str().unwrap(), there.to_str().unwrap()]);
    assert!(code == Some(0) && said.contains("imported 2 agents with 520 records"), "{said}");
    assert_eq!(store(&["verify", other.to_str().unwrap()]).0, Some(0));
}
