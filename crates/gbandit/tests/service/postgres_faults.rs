//! A database that is stopped, disconnects its clients, or hangs: reported clearly, without the
//! password; the service survives, and continues by itself.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, answered, request};
use graph_bandit_testing::{PASSWORD, Postgres};
use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// Tells the agent's next rewards, one each time.
struct Teller<'a> {
    place: &'a Whereabouts,
    sequence: u64,
}

impl Teller<'_> {
    fn body(&self) -> Value {
        json!({"sequence": self.sequence, "reward": self.sequence as f64})
    }

    fn tell(&mut self) {
        let (status, receipt) = answered(self.place, "/v1/agents/a/tell", Some(&self.body()));
        assert_eq!((status, &receipt["visits"]), (200, &json!(self.sequence + 1)), "{receipt}");
        self.sequence += 1;
    }

    /// Everything that needs the store is refused with a reason; the rest is not.
    fn is_refused(&self) {
        let tell = self.body();
        let ask = json!({});
        for (path, body) in [
            ("/v1/agents/a/tell", Some(&tell)),
            ("/v1/agents/a/ask", Some(&ask)),
            ("/readyz", None),
            ("/v1/agents", None),
        ] {
            let (status, problem) = request(self.place, path, body);
            assert_eq!(
                (status, problem["title"].as_str()),
                (503, Some("The store is out of order"))
            );
            let detail = problem["detail"].as_str().unwrap();
            assert!(detail.starts_with("the store failed: PostgreSQL"), "{detail}");
            assert!(!detail.contains(PASSWORD), "{detail}");
        }
        assert_eq!(request(self.place, "/healthz", None).0, 200);
    }
}

#[test]
fn a_missing_database_is_reported_and_comes_back() {
    let log = directory("postgres-faults").join("log");
    let mut database = Postgres::start();
    let server = Server::start(&database.url(), &log, &[]);
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "line:5", "agent": "g-ts"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
    let mut teller = Teller { place: &place, sequence: 0 };
    for _ in 0..10 {
        teller.tell();
    }
    assert_eq!(request(&place, "/readyz", None).0, 200);

    database.stop();
    teller.is_refused();
    database.go_on();
    teller.tell();
    assert_eq!(request(&place, "/readyz", None).0, 200);

    database.sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gbandit'",
    );
    teller.tell();

    database.pause();
    teller.is_refused();
    database.resume();
    teller.tell();

    database.kill();
    teller.is_refused();
    database.go_on();
    for _ in 0..10 {
        teller.tell();
    }
    // The same process all the time; and another one reads what it answered.
    assert!(server.terminate().success());
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(logged.contains("a transaction of the store failed"), "{logged}");
    assert!(!logged.contains(PASSWORD), "{logged}");

    // Without the password where everybody can see it.
    let mut command = gbandit();
    command.env("PGPASSWORD", PASSWORD);
    let url = database.url().replace(&format!(":{PASSWORD}"), "");
    let server = Server::start_by(command, &url, &log, &[]);
    let place = Whereabouts::at(&server.url);
    let (_, history) = request(&place, "/v1/agents/a/history?limit=100", None);
    assert_eq!(history["end"], teller.sequence);
    for (record, sequence) in history["records"].as_array().unwrap().iter().zip(0_u64..) {
        assert_eq!(record["visits"][0]["rewards"], json!([sequence as f64]));
    }
    Robot::new("b", "g-star", &place).work(20, &|| {});
}

#[test]
fn without_its_database_the_service_does_not_start() {
    let mut database = Postgres::start();
    let serve = |store: &str| {
        let arguments = ["serve", "--listen", "127.0.0.1:0", "--store", store];
        let output = gbandit().args(arguments).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(!said.contains(PASSWORD), "{said}");
        (output.status.code(), said)
    };
    let (code, said) = serve(&format!("{}?sslmode=require", database.url()));
    assert_eq!(code, Some(2));
    assert!(said.contains("--store:") && said.contains("server does not support TLS"), "{said}");
    database.stop();
    let (code, said) = serve(&database.url());
    assert_eq!(code, Some(2));
    assert!(said.starts_with("error: --store: postgres://127.0.0.1:"), "{said}");
    assert!(said.contains(": PostgreSQL does not answer (Connection refused"), "{said}");
}

/// As large as a file of the database's own log of writes, which must not be limited.
const FULL: &str = "16777216";

/// Writes into the table of records until there is no room for any of these sizes; the larger ones are stored
/// apart from the rest of their records.
fn fill(database: &Postgres, sizes: &str) {
    database.sql(&format!(
        "DO $$
        DECLARE size INT; number INT := 0; written BIGINT := 0;
        BEGIN
            FOREACH size IN ARRAY ARRAY[{sizes}] LOOP LOOP
                number := number + 1;
                written := written + size;
                IF written > 100000000 THEN RAISE 'the files of the database are not limited'; END IF;
                BEGIN
                    INSERT INTO gbandit.records (agent, sequence, body) SELECT 0, number,
                        (SELECT string_agg(md5(random()::TEXT), '') FROM generate_series(1, size / 32));
                EXCEPTION WHEN OTHERS THEN EXIT;
                END;
            END LOOP; END LOOP;
        END $$"
    ));
}

#[test]
fn a_full_disk_of_the_database_is_not_ready() {
    let log = directory("postgres-full-disk").join("log");
    let database = Postgres::start();
    let server = Server::start(&database.url(), &log, &["--log", "warn"]);
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "line:5", "agent": "g-ts"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
    let mut teller = Teller { place: &place, sequence: 0 };
    teller.tell();
    assert_eq!(request(&place, "/readyz", None).0, 200);
    for setting in ["autovacuum_enabled", "toast.autovacuum_enabled"] {
        database.sql(&format!("ALTER TABLE gbandit.records SET ({setting} = off)"));
    }
    let ready = || request(&place, "/readyz", None).0;
    let refused = |teller: &mut Teller<'_>| loop {
        let (status, answer) = request(&place, "/v1/agents/a/tell", Some(&teller.body()));
        if status == 503 {
            let detail = answer["detail"].as_str().unwrap();
            assert!(detail.contains("could not extend file"), "{detail}");
            return;
        }
        teller.sequence += 1;
        assert!(status == 200 && teller.sequence < 1_000, "{answer}");
    };

    // Small records have no room; there is some where large ones are stored.
    database.allow_files(FULL);
    fill(&database, "1024, 256");
    refused(&mut teller);
    for _ in 0..3 {
        assert_eq!(ready(), 503);
        refused(&mut teller);
    }
    database.allow_files("unlimited");
    assert_eq!(answered(&place, "/readyz", None).0, 200);
    teller.tell();

    // Nowhere is room; this shows before a report fails.
    database.sql("DELETE FROM gbandit.records WHERE agent = 0");
    database.sql("VACUUM FULL gbandit.records");
    database.allow_files(FULL);
    fill(&database, "400000, 16384, 4096, 1024, 256");
    let begun = Instant::now();
    while ready() == 200 {
        // A report proves for a second that there was room.
        assert!(begun.elapsed() < Duration::from_secs(10));
        std::thread::sleep(Duration::from_millis(50));
    }
    refused(&mut teller);
    assert_eq!(ready(), 503);
    assert_eq!(request(&place, "/healthz", None).0, 200);
    database.allow_files("unlimited");
    assert_eq!(answered(&place, "/readyz", None).0, 200);
    teller.tell();
    // Checks leave nothing behind.
    assert_eq!(database.sql("SELECT count(*) FROM gbandit.records WHERE agent < 0"), "0");
}

/// Cancels the waits of commits for a standby; returns whether there were any.
fn cancel_waits(database: &Postgres) -> bool {
    let waiting =
        "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'";
    database.sql(waiting) != "0"
}

/// Does something on another thread, and cancels its wait for a standby.
fn cancelled<T: Send>(database: &Postgres, work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let (done, is_done) = channel();
        scope.spawn(move || done.send(work()));
        let begun = Instant::now();
        while !cancel_waits(database) {
            assert!(begun.elapsed() < Duration::from_secs(20), "no commit waits");
            std::thread::sleep(Duration::from_millis(20));
        }
        is_done.recv().unwrap()
    })
}

/// Lets commits wait for a standby that is missing. The database notices the setting some time later.
fn miss_a_standby(database: &Postgres) {
    database.sql("ALTER SYSTEM SET synchronous_standby_names = 'missing'");
    database.sql("SELECT pg_reload_conf()");
    let has_waited = AtomicBool::new(false);
    let begun = Instant::now();
    std::thread::scope(|scope| {
        let commits = scope.spawn(|| {
            while !has_waited.load(Ordering::SeqCst) {
                database.sql("CREATE TABLE written (); DROP TABLE written");
            }
        });
        while !commits.is_finished() {
            let is_late = begun.elapsed() > Duration::from_secs(60);
            has_waited.fetch_or(is_late || cancel_waits(database), Ordering::SeqCst);
            std::thread::sleep(Duration::from_millis(20));
        }
    });
    assert!(begun.elapsed() < Duration::from_secs(60), "nobody waited for the standby");
}

#[test]
fn a_report_whose_wait_for_the_standby_was_cancelled_is_not_acknowledged() {
    let log = directory("postgres-standby").join("log");
    let database = Postgres::start();
    // The service must hear of it all the same.
    database.sql("ALTER SYSTEM SET client_min_messages = error");
    database.sql("SELECT pg_reload_conf()");
    let server = Server::start(&database.url(), &log, &["--log", "warn"]);
    let place = Whereabouts::at(&server.url);
    let new_agent = json!({"id": "a", "graph": "line:5", "agent": "g-ts"});
    assert_eq!(request(&place, "/v1/agents", Some(&new_agent)).0, 201);
    let mut teller = Teller { place: &place, sequence: 0 };
    teller.tell();
    assert_eq!(request(&place, "/readyz", None).0, 200);
    miss_a_standby(&database);
    let told = || request(&place, "/v1/agents/a/tell", Some(&teller.body()));
    let (status, problem) = cancelled(&database, told);
    assert_eq!((status, &problem["title"]), (503, &json!("The store is out of order")));
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains("the wait for the synchronous standby was cancelled"), "{detail}");
    // The record is there, but the standby may lack it, so its repeat is not acknowledged either.
    assert_eq!(database.sql("SELECT max(sequence) FROM gbandit.records"), "1");
    assert_eq!(cancelled(&database, told).0, 503);
    assert_eq!(cancelled(&database, || request(&place, "/readyz", None).0), 503);

    database.sql("ALTER SYSTEM RESET synchronous_standby_names");
    database.sql("SELECT pg_reload_conf()");
    assert_eq!(answered(&place, "/readyz", None).0, 200);
    teller.tell();
    teller.tell();
    let (_, history) = request(&place, "/v1/agents/a/history", None);
    assert_eq!(history["end"], 3);
    miss_a_standby(&database);
    let deleted = || ureq::delete(format!("{}/v1/agents/a", server.url)).call();
    assert!(matches!(cancelled(&database, deleted), Err(ureq::Error::StatusCode(503))));
}
