//! Operations: notifications to a supervisor, private files, a configuration check, and the metrics
//! that dashboards and alerts use.

use crate::process::{Server, directory, gbandit, token};
use crate::robot::{Robot, Whereabouts};
use graph_bandit_testing::{PASSWORD, Postgres};
use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::time::Duration;

#[test]
fn a_supervisor_is_notified() {
    let directory = directory("supervisor");
    let (log, name) = (directory.join("log"), directory.join("notify"));
    let heard = UnixDatagram::bind(&name).unwrap();
    // Only so that a failing test ends.
    heard.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let message = || {
        let mut bytes = [0; 256];
        let length = heard.recv(&mut bytes).unwrap();
        String::from_utf8(bytes[..length].to_vec()).unwrap()
    };
    let mut command = gbandit();
    command.env("NOTIFY_SOCKET", &name).env("WATCHDOG_USEC", "20000");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = Server::start_by(command, &store, &log, &[]);
    assert_eq!(message(), "READY=1");
    for _ in 0..5 {
        assert_eq!(message(), "WATCHDOG=1");
    }
    assert!(server.terminate().success());
    let last = std::iter::repeat_with(message).find(|message| message != "WATCHDOG=1");
    assert_eq!(last.unwrap(), "STOPPING=1");

    // A watchdog meant for another process, and a socket that does not exist.
    let mut command = gbandit();
    command.env("NOTIFY_SOCKET", &name).env("WATCHDOG_USEC", "1").env("WATCHDOG_PID", "1");
    let server = Server::start_by(command, "memory:", &log, &[]);
    assert_eq!(message(), "READY=1");
    assert!(server.terminate().success());
    assert_eq!(message(), "STOPPING=1");
    let mut command = gbandit();
    let output = command.env("NOTIFY_SOCKET", "/no/socket").args(["serve", "--store", "memory:"]);
    let output = output.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(1) && said.contains("NOTIFY_SOCKET"), "{said}");
}

fn mode(file: &Path) -> u32 {
    file.metadata().unwrap().permissions().mode() & 0o777
}

#[test]
fn files_of_a_store_are_private() {
    let directory = directory("modes");
    let (log, file) = (directory.join("log"), directory.join("fleet.db"));
    let store = format!("sqlite://{}", file.display());
    let server = Server::start(&store, &log, &[]);
    Robot::new("a", "g-star", &Whereabouts::at(&server.url)).work(3, &|| {});
    for name in ["fleet.db", "fleet.db-wal", "fleet.db-shm", "fleet.db-lock"] {
        assert_eq!(mode(&directory.join(name)), 0o600, "{name}");
    }
    assert!(server.terminate().success());
    assert!(!std::fs::read_to_string(&log).unwrap().contains("chmod"));

    // Wider permissions set by an administrator stay, and are reported.
    std::fs::set_permissions(&file, PermissionsExt::from_mode(0o644)).unwrap();
    let server = Server::start(&store, &log, &[]);
    assert_eq!(mode(&file), 0o644);
    assert!(server.terminate().success());
    let said = std::fs::read_to_string(&log).unwrap();
    assert!(said.contains("\"mode\":\"644\"") && said.contains("chmod 600"), "{said}");
}

/// The exit code of a check, and its output.
fn checked(args: &[&str]) -> (Option<i32>, String) {
    let output = gbandit().args(["serve", "--check"]).args(args).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

#[test]
fn a_configuration_is_checked_and_nothing_is_created() {
    let directory = directory("checked");
    let (log, file, tokens) =
        (directory.join("log"), directory.join("fleet.db"), directory.join("tokens"));
    let store = format!("sqlite://{}", file.display());
    let free = ["--listen", "127.0.0.1:0"];
    let check = |store: &str, more: &[&str]| checked(&[&["--store", store], more].concat());

    let (code, said) = check(&store, &free);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("ok: store:") && said.contains("the service creates it"), "{said}");
    assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);

    // A port alone is one of this machine.
    let (code, said) = check(&store, &["--port", "0"]);
    assert!(code == Some(0) && said.contains("127.0.0.1:0 is free"), "{said}");
    let (code, said) = check(&store, &["--port", "0", "--listen", "0.0.0.0:0"]);
    assert!(code == Some(2) && said.contains("cannot be used with"), "{said}");

    for (text, example) in
        [("127.0.0.1", "127.0.0.1:8080"), ("::1", "[::1]:8080"), ("localhost", "127.0.0.1:8080")]
    {
        let (code, said) = check(&store, &["--listen", text]);
        let remedy = format!("write an address of numbers with a port, such as {example}");
        assert!(code == Some(2) && said.contains(&remedy), "{said}");
    }
    // A folder that does not exist is named.
    let folder = directory.join("nowhere");
    let lost = format!("sqlite://{}", folder.join("x.db").display());
    let (code, said) = check(&lost, &free);
    let remedy = format!("the folder {} does not exist; create it first", folder.display());
    assert!(code == Some(1) && said.contains(&remedy), "{said}");

    let server = Server::start(&store, &log, &[]);
    let port = server.url.strip_prefix("http://").unwrap().to_owned();
    let (code, said) = check(&store, &["--listen", &port]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("wrong: listen:") && said.contains("Address already in use"), "{said}");
    assert!(
        said.contains("wrong: store:") && said.contains("another process has it open"),
        "{said}"
    );
    assert!(said.contains("could not start: 2 problems"), "{said}");
    assert!(server.terminate().success());

    let before = std::fs::read(&file).unwrap();
    let (code, said) = check(&store, &free);
    assert!(code == Some(0) && said.contains("can be written; tables of version"), "{said}");
    assert_eq!(std::fs::read(&file).unwrap(), before);

    let (line, secret) = token("office", "admin");
    std::fs::write(&tokens, line).unwrap();
    let given = ["--listen", "0.0.0.0:0", "--token-file", tokens.to_str().unwrap()];
    let (code, said) = check("memory:", &given);
    assert!(code == Some(0) && said.contains("ok: tokens: 1 in the file"), "{said}");
    assert!(!said.contains(&secret));
    std::fs::write(&tokens, "office root 00").unwrap();
    let (code, said) = check("memory:", &given);
    assert!(
        code == Some(1) && said.contains("wrong: tokens:") && said.contains("line 1"),
        "{said}"
    );
    assert!(said.contains("ok: listen: 0.0.0.0:0 is free"), "{said}");
    assert!(said.contains("could not start: 1 problem"), "{said}");
    let (code, said) = check("memory:", &["--listen", "0.0.0.0:0"]);
    assert!(code == Some(1) && said.contains("wrong: listen: 0.0.0.0:0 can be"), "{said}");
    let (code, said) = check(&format!("sqlite://{}", log.display()), &free);
    assert!(code == Some(1) && said.contains("wrong: store:"), "{said}");
    let (code, said) = check("sqlite:///no/such/directory/fleet.db", &free);
    assert!(code == Some(1) && said.contains("cannot be created"), "{said}");
}

#[test]
fn a_database_is_checked_and_no_table_is_created() {
    let database = Postgres::start();
    let url = database.url();
    let check = |url: &str| checked(&["--listen", "127.0.0.1:0", "--store", url]);
    let (code, said) = check(&url);
    assert!(code == Some(0) && said.contains("the service creates it"), "{said}");
    let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname = 'gbandit'";
    assert_eq!(database.sql(schemas), "0");
    let log = directory("checked-database").join("log");
    drop(Server::start(&url, &log, &[]));
    let (code, said) = check(&url);
    assert!(code == Some(0) && said.contains("can be written; tables of version"), "{said}");
    let (code, said) = check(&url.replace(PASSWORD, "wrong-s3cret"));
    assert!(code == Some(1) && said.contains("password authentication failed"), "{said}");
    assert!(!said.contains("wrong-s3cret"), "{said}");
    let (code, said) = check(&format!("{url}?sllmode=require"));
    assert!(code == Some(1) && said.contains("an unknown parameter \"sllmode\""), "{said}");
    assert!(said.contains("sslmode, sslnegotiation, sslrootcert"), "{said}");
    drop(database);
    let (code, said) = check(&url);
    assert!(code == Some(1) && said.contains("wrong: store: postgres://127.0.0.1:"), "{said}");
    assert!(said.contains("PostgreSQL does not answer") && said.contains("start it"), "{said}");
}

/// All names of metrics in a text.
fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.filter(|word| word.starts_with("gbandit_") || word.starts_with("process_")).collect()
}

#[test]
fn dashboards_and_alerts_use_existing_metrics() {
    let directory = directory("metrics");
    let store = format!("sqlite://{}", directory.join("fleet.db").display());
    let server = Server::start(&store, &directory.join("log"), &[]);
    Robot::new("a", "g-star", &Whereabouts::at(&server.url)).work(3, &|| {});
    let text = ureq::get(format!("{}/metrics", server.url)).call().unwrap();
    let text = text.into_body().read_to_string().unwrap();
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    let there: BTreeSet<&str> = samples.filter_map(|line| line.split(['{', ' ']).next()).collect();
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy");
    let read = |name: &str| std::fs::read_to_string(deploy.join(name)).unwrap();
    let dashboard = read("grafana.json");
    serde_json::from_str::<serde_json::Value>(&dashboard).unwrap();
    for text in [dashboard, read("alerts.yml")] {
        let asked = names(&text);
        assert!(asked.len() > 5, "{asked:?}");
        let missing: Vec<_> = asked.difference(&there).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
