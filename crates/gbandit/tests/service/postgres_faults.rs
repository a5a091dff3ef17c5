//! A database that is stopped, disconnects its clients, or hangs: reported clearly, without the
//! password; the service survives, and continues by itself.

use crate::process::{Server, directory, gbandit};
use crate::robot::{Robot, Whereabouts, answered, request};
use graph_bandit_testing::{PASSWORD, Postgres};
use serde_json::{Value, json};

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
